// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Statements of SECURITY.md about the whole program that no other test checks.
@Suite("Security", .cpuBudget(seconds: 8)) struct SecurityTests {
  private static let picture = "/Tests/Conformance/png/pngsuite/basn2c16.png"

  /// Returns a folder with a scene that uses files of every kind.
  ///
  /// It also has the folders in which a program might leave files.
  private func furnished() throws -> Folder {
    let folder = try Folder()
    for name in ["home", "cache", "config", "tmp", "out"] {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/" + name, withIntermediateDirectories: true)
    }
    try folder.write(
      "in/s.scene",
      """
      import "lib.scene"
      param n: number = 1
      scene { size: 128x128;  fps: 10;  for: 0.4s
        image "p.png" { size: 20 * k };  image "v.svg" { size: 20 };  captions "c.srt"
        text "{len(data("d.csv"))}" { font: "f.ttf";  font-size: 30 }
        rect { size: 100%;  opacity: 0.5;  filter: lut("l.cube") }
      }
      """)
    try folder.write("in/lib.scene", "let k = 2\n")
    try folder.write(
      "in/v.svg",
      "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text>a</text></svg>")
    try folder.write("in/c.srt", "1\n00:00:00,000 --> 00:00:01,000\nHello\n")
    try folder.write("in/d.csv", "n\n1\n2\n")
    try folder.write(
      "in/l.cube",
      "LUT_3D_SIZE 2\n" + (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)\n" }.joined())
    let manager = FileManager.default
    try manager.copyItem(
      atPath: Repository.path + Self.picture, toPath: folder.path + "/in/p.png")
    try manager.copyItem(
      atPath: Repository.path + "/Tests/Conformance/font/Ahem.ttf",
      toPath: folder.path + "/in/f.ttf")
    try folder.write(
      "fonts.conf",
      "<fontconfig><dir>/usr/share/fonts</dir><cachedir>\(folder.path)/font-cache</cachedir></fontconfig>"
    )
    return folder
  }

  private func contents(_ folder: Folder) -> [String: Data] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return Dictionary(
      uniqueKeysWithValues: (names ?? []).compactMap { name in
        folder.data(name).map { (name, $0) }
      })
  }

  @Test func nothingButTheOutputAndTheCacheIsWritten() throws {
    let folder = try furnished()
    var before = contents(folder)
    func run(_ call: String, writes outputs: String...) throws {
      let words = call.split(separator: " ").map(String.init)
      let places = [
        "HOME": "home", "XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "config", "TMPDIR": "tmp",
        "FONTCONFIG_FILE": "fonts.conf",
      ].map { "\($0)=\(folder.path)/\($1)" }
      let run = try Program.run(
        ["/usr/bin/env", "-i"] + places + [Program.scenec] + words, in: folder.path)
      #expect(run.status == 0, "\(call): \(run.errors)")
      let after = contents(folder)
      // Commands other than `build` cache only the properties of images whose files are not recent.
      let cache = call.hasPrefix("build") ? "cache/scenec/" : "cache/scenec/images/"
      let written = after.keys.filter {
        after[$0] != before[$0] && !$0.hasPrefix(cache)
      }
      #expect(Set(written) == Set(outputs), "\(call)")
      #expect(before.keys.allSatisfy { after[$0] != nil }, "\(call)")
      before = after
    }
    // The font cache is missing, so fontconfig creates it once.
    _ = try Program.run(
      ["/usr/bin/env", "FONTCONFIG_FILE=\(folder.path)/fonts.conf", Program.scenec, "fonts"],
      in: folder.path)
    let own = contents(folder).keys.filter { before[$0] == nil }
    #expect(!own.isEmpty && own.allSatisfy { $0.hasPrefix("font-cache/") }, "\(own)")
    before = contents(folder)
    try run("fonts")
    try run("check in/s.scene")
    try run("frame in/s.scene -o out/f.png", writes: "out/f.png")
    try run("sheet in/s.scene -o out/s.png", writes: "out/s.png")
    try run("build in/s.scene -o out/b.mp4 --jobs 2", writes: "out/b.mp4")
    try run("build in/s.scene -o out/b.y4m", writes: "out/b.y4m")
    try run("build in/s.scene --to 2f -o out/%d.png", writes: "out/0.png", "out/1.png")
    try run("build in/s.scene --data in/d.csv -o out/n{n}.mp4", writes: "out/n1.mp4", "out/n2.mp4")
    try run("build in/s.scene", writes: "in/s.mp4")
    try run("ir in/s.scene --at 0s")
    try run("docs rect")
    try run("explain E0201")
  }

  /// Addresses in scenes and files never cause a network request.
  @Test func noAddressIsAsked() throws {
    let address = "http://127.0.0.1:PORT/x"
    let rect = "<rect width='9' height='9'/>"
    // Valid images, which are drawn without what they link to.
    let linked =
      [
        "<image href='\(address).png' width='9' height='9'/>", "<use href='\(address).svg#a'/>",
        "<style>@import url('\(address).css'); @font-face { font-family: x; src: url(\(address).ttf) }</style><text font-family='x'>a</text>",
        "<filter id='f'><feImage href='\(address).png'/></filter><rect width='9' height='9' filter='url(#f)'/>",
        "<text><xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='\(address).txt' parse='text'/></text>",
      ].map { ("", $0) } + [("<!DOCTYPE svg SYSTEM '\(address).dtd'>", rect)]
    // Entities of other files are undefined, and images with these are refused.
    let undefined = [
      ("<!DOCTYPE svg [<!ENTITY e SYSTEM '\(address).xml'>]>", "&e;"),
      ("<!DOCTYPE svg [<!ENTITY % e SYSTEM '\(address).ent'> %e;]>", rect),
    ]
    let vectors = (linked + undefined).map { head, content in
      "<?xml version='1.0'?>\(head)"
        + "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>\(content)</svg>"
    }
    // Playlists, which refer to other media.
    let lists = [
      "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n\(address).ts\n#EXT-X-ENDLIST\n",
      "ffconcat version 1.0\nfile '\(address).mp4'\n", "[playlist]\nFile1=\(address).mp3\n",
      "v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video PORT RTP/AVP 96\n",
      "<?xml version='1.0'?><MPD xmlns='urn:mpeg:dash:schema:mpd:2011'><Period><BaseURL>\(address)</BaseURL></Period></MPD>",
    ]
    let uses = [
      "video \"\(address).mp4\"", "audio \"\(address).mp3\"",
      "image \"\(address).png\"", "image \"//127.0.0.1:PORT/x-*.png\"",
      "captions \"\(address).srt\"",
      "text \"{len(data(\"\(address).csv\"))}\"", "text \"a\" { font: \"\(address).ttf\" }",
      "rect { filter: lut(\"\(address).cube\") }", "rect { fill: pattern(\"\(address).png\") }",
    ]
    let images = vectors.indices.map { "image \"\($0).svg\"" }
    let drawn = images.prefix(linked.count).joined(separator: "\n")
    let clips = lists.indices.flatMap { ["video \"\($0).slist\"", "audio \"\($0).slist\""] }
    // All files of a scene are read, even if some cannot be. Only scenes without errors are drawn.
    let refused = [uses, clips].map { $0.joined(separator: "\n") } + images.dropFirst(linked.count)
    let bodies = [drawn] + refused
    let scenes = bodies.map { "scene { size: 64x64;  for: 1s\n\($0)\n}" }
    let folder = try Folder()
    for (index, text) in lists.enumerated() { try folder.write("\(index).slist", text) }
    for (index, text) in vectors.enumerated() { try folder.write("\(index).svg", text) }
    for (index, scene) in scenes.enumerated() { try folder.write("\(index).scene", scene) }
    try folder.write(
      "\(scenes.count).scene", "import \"\(address).scene\"\nscene { for: 1s;  circle { } }")
    let script = """
      import glob, socket, subprocess, sys
      server = socket.create_server(("127.0.0.1", 0), backlog=99)
      server.setblocking(False)
      port = str(server.getsockname()[1])
      for name in glob.glob("*.s*"):
          text = open(name).read().replace("PORT", port)
          open(name, "w").write(text)
      for name in sorted(glob.glob("*.scene")):
          print(name, subprocess.run([sys.argv[1], "frame", name, "-o", "o.png"], stderr=2).returncode)
      socket.create_connection(server.getsockname()).close()
      count = 0
      try:
          while True:
              server.accept()
              count += 1
      except BlockingIOError:
          print("asked", count - 1)
      """
    let run = try Program.run(["/usr/bin/python3", "-c", script, Program.scenec], in: folder.path)
    #expect(run.output.hasSuffix("asked 0\n"), "\(run)")
    let statuses = run.output.split(separator: "\n").filter { $0.contains(".scene ") }
    let wanted = ["0.scene 0"] + (1...scenes.count).map { "\($0).scene 1" }
    #expect(statuses.map(String.init) == wanted, "\(run)")
    for index in lists.indices { #expect(run.errors.contains("\(index).slist"), "\(run)") }
  }

  /// Sparse files of any size.
  @Test(arguments: [
    ("a.png", "image \"a.png\"", 257, "exceed the limit of 268435456"),
    ("a.svg", "image \"a.svg\"", 257, "exceed the limit of 268435456"),
    ("a.ttf", "text \"a\" { font: \"a.ttf\" }", 257, "exceed the limit of 268435456"),
    ("s.scene", "", 17, "more than the limit of 16777216"),
    ("a.scene", "", 17, "exceed the limit 'source' of 16777216"),
  ])
  func largeFilesAreRefused(_ name: String, _ body: String, _ mebibytes: Int, _ wanted: String)
    throws
  {
    let folder = try Folder()
    let head = name == "a.scene" ? "import \"a.scene\"\n" : ""
    try folder.write("s.scene", head + "scene { size: 64x64;  for: 1s;  \(body) }")
    if name != "s.scene" { try folder.write(name, "") }
    unsafe truncate(folder.path + "/" + name, off_t(mebibytes) << 20)
    let measured = try Program.measure([Program.scenec, "check", "s.scene"], in: folder.path)
    #expect(measured.run.status == 1 && measured.run.errors.contains(wanted), "\(measured.run)")
    // The scene itself is read, but not the files that it names.
    let (seconds, most) = name == "s.scene" ? (5.0, 512.0) : (1, 100)
    #expect(measured.cpuSeconds < seconds && measured.peakMebibytes < most, "\(measured)")
  }

  /// Limits that the stack determines cannot be raised above it.
  @Test func depthStaysBounded() throws {
    let folder = try Folder()
    func run(_ levels: Int, _ limit: String) throws -> Run {
      let parts = (0..<levels).map {
        "component C\($0)() { group { opacity: 0.5;  C\($0 + 1) { } } }\n"
      }
      try folder.write(
        "s.scene",
        parts.joined()
          + "component C\(levels)() { circle { } }\nscene { size: 64x64;  for: 0.2s;  C0 { } }")
      return try Program.scenec("build", "s.scene", "--limit", limit, in: folder.path)
    }
    #expect(try run(120, "nesting=256").status == 0)
    let excessive = try run(1, "nesting=1000000")
    #expect(
      excessive.status == 2 && excessive.errors.contains("'--limit nesting' can be at most 256"))
    let deep = try run(3000, "nesting=256")
    #expect(deep.status == 1 && deep.errors.contains("more than 256 levels deep"), "\(deep)")
    #expect(!deep.errors.contains("raise the limit"))
    for name in ["depth", "chain", "brackets"] {
      let unknown = try run(1, "\(name)=9")
      #expect(
        unknown.status == 2 && unknown.errors.contains("unknown limit '\(name)'"), "\(unknown)")
    }
  }

  /// Messages escape all terminal control characters and all characters that change the text
  /// direction.
  @Test func messagesSpellControlsOut() throws {
    let folder = try Folder()
    let odds = [
      "\u{1B}]0;title\u{07}", "\u{202E}gpj.exe", "\u{2066}a\u{2069}", "\u{9B}31m", "\u{200F}",
      "\u{7F}",
    ]
    let odd = odds.joined(separator: " ")
    let name = "a\(odd)"
    try folder.write("\(name).scene", "scene { size: 64x64;  for: 0.2s;  circle { } }")
    let lines = odds.map { "// \($0)\n circl { };  text \"\($0)\" { fill: \($0) }\n" }
    try folder.write("bad.scene", "scene { for: 1s;  circle { }\n\(lines.joined())}")
    try folder.write(
      "p.scene", "param p: text = \"\"\nscene { size: 64x64;  for: 0.2s;  circle { } }")
    try folder.write("p.csv", "p\n\(odd)\n")
    try folder.write("wide.csv", "p,\(odd)\n1,2\n")
    for call in [
      ["check", "\(name).scene"], ["build", "\(name).scene"], ["check", "\(name).scen"],
      ["check", "bad.scene"], ["build", "p.scene", "--data", "p.csv", "-o", "{p}.mp4"],
      ["check", "p.scene", "--data", "wide.csv"], ["check", "p.scene", "--set", "\(odd)=1"],
      ["frame", "p.scene", "--at", odd], ["new", "x\(name)"], ["explain", odd], ["docs", odd],
    ] {
      let run = try Program.run([Program.scenec] + call, in: folder.path)
      #expect(run.status < 128)
      for scalar in odd.unicodeScalars
      where !scalar.isASCII || scalar.value < 32 || scalar.value == 127 {
        #expect(
          !run.errors.unicodeScalars.contains(scalar), "\(call): \(run.errors.debugDescription)")
      }
    }
  }

  @Test func assetsStayInTheRoot() throws {
    let folder = try Folder()
    let png = Repository.path + "/Tests/Conformance/png/pngsuite/basn2c16.png"
    let inner = folder.path + "/inner"
    let manager = FileManager.default
    try manager.createDirectory(atPath: inner, withIntermediateDirectories: true)
    try manager.copyItem(atPath: png, toPath: folder.path + "/outside.png")
    try manager.copyItem(atPath: png, toPath: inner + "/inside.png")
    try manager.createSymbolicLink(atPath: inner + "/good.png", withDestinationPath: "inside.png")
    try manager.createSymbolicLink(
      atPath: inner + "/evil.png", withDestinationPath: "../outside.png")
    try manager.createSymbolicLink(atPath: inner + "/up", withDestinationPath: "..")
    _ = try Program.run(["/usr/bin/mkfifo", inner + "/fifo.png"])
    try Data("#EXTM3U\nfile:///etc/passwd".utf8).write(
      to: URL(fileURLWithPath: inner + "/list.png"))
    let whole = try Data(contentsOf: URL(fileURLWithPath: png))
    try whole.prefix(60).write(to: URL(fileURLWithPath: inner + "/cut.png"))
    let rows = [
      ("inside.png", Int32(0), ""), ("good.png", 0, ""), ("./inside.png", 0, ""),
      ("../outside.png", 1, "E0502"), ("evil.png", 1, "E0502"), ("up/outside.png", 1, "E0502"),
      ("/etc/passwd", 1, "E0502"), ("../../../../etc/shadow", 1, "E0502"), ("fifo.png", 1, "E0501"),
      ("missing.png", 1, "E0501"), ("list.png", 1, "E0503"), ("cut.png", 1, "E0503"),
      ("http://localhost/x.png", 1, "E0501"), (".", 1, "E0501"),
    ]
    for (name, status, code) in rows {
      try "scene { size: 64x64;  for: 1s;  image \"\(name)\" }".write(
        toFile: inner + "/a.scene", atomically: true, encoding: .utf8)
      let run = try Program.scenec("frame", "a.scene", "-o", "a.png", in: inner)
      #expect(
        run.status == status && (code.isEmpty || run.errors.contains(code)), "\(name): \(run)")
    }
    try "scene { size: 64x64;  for: 1s;  image \"../outside.png\" }".write(
      toFile: inner + "/a.scene", atomically: true, encoding: .utf8)
    #expect(try Program.scenec("check", "a.scene", "--root", "..", in: inner).status == 0)
  }
}
