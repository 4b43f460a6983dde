// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Whole builds by the real programs, checked with ffprobe.
@Suite("Builds", .cpuBudget(seconds: 34)) struct BuildTests {
  private static let small = """
    scene small {
      size: 128x96;  fps: 30000 / 1001;  for: 2s;  background: navy
      title: "Small";  author: "Nobody"
      marker one { at: 0s;  title: "First" }
      marker two { at: 1s;  title: "Second" }
      circle { radius: 10 -> 40 over 1s;  fill: orange }
    }
    """

  @Test func videoIsWhatTheSceneSays() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.small)
    let built = try Program.scenec("build", "a.scene", in: folder.path)
    #expect(built.status == 0 && built.output == "a.mp4\n", "\(built)")
    let probe = try Program.run(
      [
        "/usr/bin/ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format",
        "-show_chapters", "a.mp4",
      ], in: folder.path)
    #expect(probe.errors.isEmpty)
    for line in [
      "codec_name=h264", "profile=High", "width=128", "height=96", "pix_fmt=yuv420p",
      "color_range=tv", "color_space=bt709", "color_transfer=bt709", "color_primaries=bt709",
      "r_frame_rate=30000/1001", "nb_read_frames=60", "TAG:title=Small", "TAG:artist=Nobody",
      "TAG:title=First", "TAG:title=Second",
    ] {
      #expect(probe.output.contains(line + "\n"), "\(line)")
    }
    let bytes = try #require(folder.data("a.mp4"))
    let moov = try #require(bytes.range(of: Data("moov".utf8)))
    let mdat = try #require(bytes.range(of: Data("mdat".utf8)))
    #expect(moov.lowerBound < mdat.lowerBound)
    #expect(folder.names == ["a.mp4", "a.scene"])
  }

  @Test func sameBytesForAnyNumberOfWorkersAndAnyFolder() throws {
    let source = try Repository.text("Examples/kinetic/scene.scene")
    var results: Set<Data> = []
    for jobs in ["1", "2", "4"] {
      let folder = try Folder()
      try folder.write("k.scene", source)
      let run = try Program.scenec(
        "build", "k.scene", "--size", "320x180", "--jobs", jobs, in: folder.path)
      #expect(run.status == 0)
      results.insert(try #require(folder.data("k.mp4")))
      // Several segments are joined into one stream that decodes without any warning.
      let probe = try Program.run(
        [
          "/usr/bin/ffprobe", "-v", "warning", "-show_entries", "frame=key_frame,pts", "-of",
          "compact=p=0:nk=1", "k.mp4",
        ], in: folder.path)
      let frames = probe.output.split(separator: "\n")
      let times = frames.compactMap { Int($0.split(separator: "|").last ?? "") }
      #expect(probe.errors.isEmpty && frames.count > 150)
      #expect(frames.filter { $0.hasPrefix("1|") }.count >= 2, "\(frames.count) frames")
      let steps = Set(zip(times, times.dropFirst()).map { $1 - $0 })
      #expect(times.count == frames.count && steps.count == 1, "\(steps)")
    }
    #expect(results.count == 1)
  }

  /// Checks all guarantees about complete builds with random scenes; `make soak` tests many more.
  @Test func randomScenesBuildWhole() throws {
    let folder = try Folder()
    let run = try Program.run(
      [Repository.path + "/.build/release/scenec-dev", "whole", "8"], in: folder.path)
    #expect(run.status == 0 && run.output.contains("8 of 8"), "\(run.output)\(run.errors)")
  }

  @Test func bytesDoNotFollowFromTheRun() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.small)
    for (index, words) in [
      ["--bitrate", "200kbps"], ["--bitrate", "200kbps", "--scale", "0.5"], ["--scale", "0.5"],
      ["--size", "64x64"], ["--preset", "medium"], ["--fps", "60"], ["--from", "1s"], [],
    ].enumerated() {
      var results: Set<Data> = []
      for fill in index % 2 == 0 ? ["0", "170"] : ["85", "255"] {
        let run = try Program.run(
          ["/usr/bin/env", "MALLOC_PERTURB_=\(fill)", Program.scenec, "build", "a.scene"] + words,
          in: folder.path)
        #expect(run.status == 0)
        results.insert(try #require(folder.data("a.mp4")))
      }
      #expect(results.count == 1, "\(words)")
    }
  }

  /// Segments with fewer frames than an encoder reorders, anywhere and in any number, keep the
  /// order of their timestamps.
  @Test(arguments: [
    "for: 3s;  circle { at: 1.5s;  radius: 9;  for: 1f }",
    "for: 3s;  circle { radius: 9;  for: 1f }", "for: 91f;  circle { radius: 0 -> 50 over 90f }",
    "for: 3s;  circle { at: 1.5s;  radius: 9;  for: 2f }",
    "for: 3s;  circle { radius: 9;  for: 2f }",
    "for: 4s;  for i in 1..3 { circle { at: i * 1s;  for: i * 1f } }",
    "for: 3s;  circle { at: 2.9s;  for: 1f };  rect { at: 1.2s;  for: 1f }",
    "for: 1f;  circle { }", "for: 2f;  circle { at: 1f }", "for: 3f;  circle { at: 1f;  for: 1f }",
    "fps: 2;  for: 5s;  circle { radius: 0 -> 50 }",
    "fps: 1;  for: 4s;  circle { at: 1s;  for: 1s }",
  ])
  func timesRise(_ body: String) throws {
    let folder = try Folder()
    try folder.write("a.scene", "scene { size: 64x64;  background: teal;  \(body) }")
    #expect(try Program.scenec("build", "a.scene", in: folder.path).status == 0)
    let words =
      "/usr/bin/ffprobe -v warning -show_entries packet=pts_time,dts_time:stream=avg_frame_rate -of compact=p=0 a.mp4"
    let probe = try Program.run(words.split(separator: " ").map(String.init), in: folder.path)
    let lines = probe.output.split(separator: "\n").map(String.init)
    func times(_ name: String) -> [Double] {
      lines.flatMap { $0.split(separator: "|") }.filter { $0.hasPrefix(name) }
        .compactMap { Double($0.split(separator: "=")[1]) }
    }
    let (shown, decoded) = (times("pts_time"), times("dts_time"))
    let rate = body.hasPrefix("fps: 2") ? 2.0 : body.hasPrefix("fps: 1") ? 1 : 30
    #expect(probe.errors.isEmpty && !shown.isEmpty && decoded.count == shown.count, "\(probe)")
    for (index, time) in shown.sorted().enumerated() {
      #expect(abs(time - Double(index) / rate) < 1e-4, "\(body): \(shown)")
    }
    #expect(zip(decoded, decoded.dropFirst()).allSatisfy { $0 < $1 }, "\(body): \(decoded)")
    #expect(zip(decoded, shown).allSatisfy { $0 <= $1 }, "\(body)")
    #expect(lines.contains("avg_frame_rate=\(Int(rate))/1"), "\(body): \(lines.suffix(2))")
  }

  /// The memory of a build is released, regardless of the number of files that one run builds.
  @Test(arguments: ["check FILES", "build FILES", "build row.scene --data rows.csv -o {n}.mp4"])
  func manyTakeNoMoreMemory(_ call: String) throws {
    func peak(_ count: Int) throws -> Double {
      let folder = try Folder()
      let names = (0..<count).map { "f\($0).scene" }
      for name in names {
        try folder.write(name, "scene { size: 64x64;  for: 0.1s;  text \"a\" { font-size: 20 } }")
      }
      try folder.write(
        "row.scene",
        "param n: number = 1\nscene { size: 64x64;  for: 0.1s;  text \"{n}\" { font-size: 20 } }")
      try folder.write("rows.csv", "n\n" + (0..<count).map { "\($0)\n" }.joined())
      let words = call.split(separator: " ").flatMap { $0 == "FILES" ? names : [String($0)] }
      let measured = try Program.measure([Program.scenec] + words, in: folder.path)
      #expect(measured.run.status == 0, "\(measured.run.errors.suffix(300))")
      return measured.peakMebibytes
    }
    // If each build kept its font configuration, that would be 250 KiB per build.
    let (few, many) = (try peak(4), try peak(64))
    #expect(many - few < 8, "\(few) and \(many) MiB")
  }

  @Test func aScaledVideoIsTheSamePicture() throws {
    let folder = try Folder()
    try folder.write(
      "a.scene",
      "scene { size: 320x180;  for: 0.5s;  background: linear-gradient(navy, teal);  text \"Aa\" { font-size: 90 };  circle { radius: 20 } }"
    )
    #expect(
      try Program.scenec("build", "a.scene", "--scale", "0.5", "-o", "h-%d.png", in: folder.path)
        .status == 0)
    #expect(
      try Program.scenec("frame", "a.scene", "--width", "160", "-o", "f.png", in: folder.path)
        .status == 0)
    #expect(folder.data("h-0.png") == folder.data("f.png"))
    for (words, size) in [(["--scale", "0.5"], "160,90"), (["--width", "101"], "102,56")] {
      #expect(
        try Program.run([Program.scenec, "build", "a.scene"] + words, in: folder.path).status == 0)
      let probe = try Program.run(
        [
          "/usr/bin/ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of",
          "csv=p=0", "a.mp4",
        ], in: folder.path)
      #expect(probe.output == size + "\n", "\(words)")
    }
  }

  @Test func everySceneOfAFile() throws {
    let folder = try Folder()
    try folder.write(
      "f.scene",
      "scene part { size: 64x64;  for: 1s }\nscene one { size: 64x64;  for: 0.2s }\nscene two { size: 64x64;  for: 1s;  part { } }"
    )
    let all = try Program.scenec("build", "f.scene", "-o", "out/{scene}.mp4", in: folder.path)
    #expect(all.status == 0 && all.output == "out/one.mp4\nout/two.mp4\n", "\(all)")
    let last = try Program.scenec("build", "f.scene", in: folder.path)
    #expect(last.status == 0 && last.errors.contains("'one'") && !last.errors.contains("'part'"))
    #expect(try Program.scenec("build", "f.scene", "--quiet", in: folder.path).errors.isEmpty)
    let named = try Program.scenec(
      "build", "f.scene", "--scene", "part", "-o", "{scene}.mp4", in: folder.path)
    #expect(named.output == "part.mp4\n", "\(named)")
  }

  @Test func oneRowOfATable() throws {
    let folder = try Folder()
    try folder.write(
      "c.scene",
      "param name: text\nparam n: number = 3\nscene { size: 64x64;  for: 1s;  text \"{name}\" { font-size: n * 2 } }"
    )
    try folder.write("t.csv", "name,n\nA,4\nB,x\nC,6\n")
    let check = try Program.scenec("check", "c.scene", "--data", "t.csv", in: folder.path)
    #expect(
      check.status == 1 && check.errors.contains("t.csv:3:3") && check.errors.contains("row 3"),
      "\(check)")
    #expect(
      try Program.scenec("check", "c.scene", "--data", "t.csv", "--row", "3", in: folder.path)
        .status == 0)
    for command in ["frame", "sheet"] {
      let run = try Program.scenec(
        command, "c.scene", "--data", "t.csv", "--row", "1", "-o", "f.png", in: folder.path)
      #expect(run.status == 0, "\(run)")
      let missing = try Program.scenec(command, "c.scene", "--data", "t.csv", in: folder.path)
      #expect(missing.status == 2 && missing.errors.contains("add --row 1"))
      let beyond = try Program.scenec(
        command, "c.scene", "--data", "t.csv", "--row", "4", in: folder.path)
      #expect(beyond.status == 2 && beyond.errors.contains("rows 1 to 3"))
    }
    let one = try Program.scenec(
      "build", "c.scene", "--data", "t.csv", "--row", "3", "-o", "{name}.mp4", in: folder.path)
    #expect(one.status == 0 && one.output == "C.mp4\n", "\(one)")
  }

  @Test(arguments: [["--count", "4"], ["--every", "0.1s"], ["--every", "0.33s"]])
  func aSheetShowsItsInterval(_ selection: [String]) throws {
    let folder = try Folder()
    try folder.write(
      "a.scene",
      "scene { size: 64x64;  fps: 10;  for: 3s;  background: t < 1s ? red : t < 2s ? lime : blue }")
    let run = try Program.run(
      [Program.scenec, "sheet", "a.scene", "--from", "1s", "--to", "2s", "-o", "s.png"] + selection,
      in: folder.path)
    #expect(run.status == 0, "\(run)")
    let decoded = try Program.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-i", "s.png", "-f", "rawvideo", "-pix_fmt", "rgb24",
        "s.rgb",
      ], in: folder.path)
    #expect(decoded.status == 0, "\(decoded)")
    let bytes = [UInt8](try #require(folder.data("s.rgb")))
    let colors = Set(
      stride(from: 0, to: bytes.count, by: 3).map { Array(bytes[$0..<($0 + 3)]) })
    #expect(colors.contains([0, 255, 0]))
    #expect(!colors.contains([255, 0, 0]) && !colors.contains([0, 0, 255]))
    let empty = try Program.run(
      [Program.scenec, "sheet", "a.scene", "--from", "3s"] + selection, in: folder.path)
    #expect(empty.status == 2 && empty.errors.contains("the scene ends at 3s"), "\(empty)")
  }

  @Test func otherOutputs() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.small)
    let stills = try Program.scenec(
      "build", "a.scene", "--to", "5f", "-o", "s-%03d.png", in: folder.path)
    #expect(stills.status == 0)
    #expect(folder.names.filter { $0.hasSuffix(".png") } == (0..<5).map { "s-00\($0).png" })
    for output in ["a.mov", "a.m4v", "a.y4m"] {
      #expect(
        try Program.scenec("build", "a.scene", "--to", "0.2s", "-o", output, in: folder.path).status
          == 0)
      let probe = try Program.run(
        ["/usr/bin/ffprobe", "-v", "error", "-count_frames", "-show_streams", output],
        in: folder.path)
      #expect(probe.output.contains("nb_read_frames=6"), "\(output) \(probe)")
    }
    let pipe = try Program.run(
      [
        "/bin/sh", "-c",
        "'\(Program.scenec)' build a.scene --to 0.2s -o - | ffprobe -v error -count_frames -show_streams -",
      ],
      in: folder.path)
    #expect(pipe.output.contains("nb_read_frames=6"))
    let rate = try Program.scenec(
      "build", "a.scene", "--bitrate", "200kbps", "--preset", "fast", "-o", "b.mp4", in: folder.path
    )
    #expect(rate.status == 0)
  }

  @Test func playedColoursAreTheScenes() throws {
    let folder = try Folder()
    try folder.write(
      "c.scene", "scene { size: 64x64;  for: 0.2s;  background: #ff8a3d;  output { quality: 1 } }")
    #expect(try Program.scenec("build", "c.scene", in: folder.path).status == 0)
    let raw = try Program.run(
      ["/bin/sh", "-c", "ffmpeg -v error -i c.mp4 -frames:v 1 -f rawvideo -pix_fmt rgb24 c.rgb"],
      in: folder.path)
    #expect(raw.status == 0, "\(raw.errors)")
    let pixels = try #require(folder.data("c.rgb"))
    for (own, wanted) in zip(pixels[0..<3], [0xFF, 0x8A, 0x3D]) {
      #expect(abs(Int(own) - wanted) <= 4, "\(Array(pixels[0..<3]))")
    }
  }

  @Test func settingsAreCheckedBeforeTheFirstFrame() throws {
    let folder = try Folder()
    try folder.write("odd.scene", "scene { size: 101x100;  for: 1s }")
    try folder.write("none.scene", "scene { size: 100x100;  for: 1s;  background: none }")
    try folder.write("level.scene", "scene { for: 1s;  output { level: 2 } }")
    try folder.write("good.scene", "scene { size: 64x64;  for: 1s }")
    try folder.write("deep.scene", "scene { for: 1s;  output { profile: high10 } }")
    // The second scene is built, and its name is a prefix of the name of the first one.
    try folder.write(
      "two.scene", "scene titles { for: 1s }\nscene title { size: 101x100;  for: 1s }")
    for (name, code, place) in [
      ("odd", "E0801", "1:15"), ("none", "E0803", "1:47"), ("level", "E0802", "1:35"),
      ("deep", "E0802", "1:37"), ("two", "E0801", "2:21"),
    ] {
      let run = try Program.scenec("build", "\(name).scene", in: folder.path)
      #expect(run.status == 1 && run.errors.contains(code), "\(run)")
      #expect(run.errors.contains("\(name).scene:\(place)"), "\(run)")
    }
    for arguments in [
      ["-o", "a.flv"], ["-o", "a.mp4", "--codec", "vp9"], ["-o", "a.gif", "--quality", "3"],
      ["-o", "a.webp", "--bitrate", "1Mbps"], ["--codec", "h266"], ["-o", "a.jpg"],
      ["--preset", "fastest"], ["--quality", "99"], ["-o", "a-%d-%d.png"],
      ["--jobs", "0"], ["--from", "9s"],
    ] {
      let run = try Program.run(
        [Program.scenec, "build", "good.scene"] + arguments, in: folder.path)
      #expect(run.status == 2 && run.errors.hasPrefix("error: "), "\(arguments) \(run)")
    }
    #expect(!folder.names.contains { $0.hasSuffix(".mp4") })
  }
}
