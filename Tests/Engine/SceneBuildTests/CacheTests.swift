// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Builds that take segments from a cache, by the real programs.
@Suite("Cache of builds", .cpuBudget(seconds: 53)) struct CacheTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A scene of four parts of four seconds each, with one variable element in each part.
  private struct Film {
    var word = "three"
    var tint = "orange"
    var front = ""
    var shift = 0
    var sound = ""
    var name = "ball"

    var source: String {
      func at(_ seconds: Int) -> String { "at: \(seconds + shift)s;  for: 4s" }
      return """
        style tinted { fill: \(tint) }
        scene { size: 160x96;  fps: 5;  for: \(16 + shift)s;  background: navy
          \(front)
          circle \(name) { style: tinted;  \(at(0));  radius: 5 -> 40 }
          rect { style: tinted;  \(at(4));  size: 10 -> 90;  rotate: 0deg -> 90deg }
          text "\(word)" { style: tinted;  \(at(8));  font-size: 10 -> 40 }
          image "p.png" { \(at(12));  size: 20 -> 90 }
          \(sound)
        }
        """
    }
  }

  private var cache: String { folder.path + "/cache" }

  private var files: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: cache + "/packets")
    return (names ?? []).sorted().map { cache + "/packets/" + $0 }
  }

  private func draw(_ color: String, _ name: String = "p.png") throws {
    let run = try Program.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "color=\(color):s=40x30",
        "-frames:v", "1", "-compression_level", "0", "-pred", "none", name,
      ], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
  }

  @discardableResult
  private func build(_ film: Film = Film(), _ words: String..., to name: String = "a.mp4") throws
    -> Run
  {
    if folder.data("p.png") == nil { try draw("red") }
    try folder.write("a.scene", film.source)
    let run = try Program.run(
      [Program.scenec, "build", "a.scene", "--cache", cache, "-o", name] + words, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  /// Returns the number of segments that a build drew and its total number of segments.
  private func drawn(_ run: Run) throws -> [Int] {
    if run.errors.contains("nothing to render") { return [0] }
    guard let line = run.errors.split(separator: "\n").first(where: { $0.hasPrefix("rendered ") })
    else { return [] }
    return line.split(separator: " ").compactMap { Int($0) }
  }

  /// Returns the bytes of a build without a cache.
  private func alone(_ film: Film, _ words: String...) throws -> Data {
    try folder.write("b.scene", film.source)
    let run = try Program.run(
      [Program.scenec, "build", "b.scene", "--no-cache", "-o", "alone.mp4"] + words,
      in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    return try #require(folder.data("alone.mp4"))
  }

  @Test func aSecondBuildDrawsNothing() throws {
    #expect(try drawn(build()) == [], "all is new")
    let first = try #require(folder.data("a.mp4"))
    #expect(files.count == 9, "packets, grids and the verdict about flashes")
    let second = try build()
    #expect(try drawn(second) == [0], "\(second.errors)")
    #expect(folder.data("a.mp4") == first)
    #expect(try alone(Film()) == first)
    #expect(files.count == 9, "packets, grids and the verdict about flashes")
  }

  /// An edit causes only the changed segments to be drawn again.
  @Test func onlyWhatChangedIsDrawn() throws {
    try build()
    func check(_ expected: [Int], _ change: (inout Film) -> Void, words: String...) throws {
      var film = Film()
      change(&film)
      try folder.write("a.scene", film.source)
      let run = try Program.run(
        [Program.scenec, "build", "a.scene", "--cache", cache, "-o", "a.mp4"] + words,
        in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try drawn(run) == expected, "\(film.source)\(run.errors)")
      let wanted = try Program.run(
        [Program.scenec, "build", "a.scene", "--no-cache", "-o", "b.mp4"] + words, in: folder.path)
      #expect(wanted.status == 0)
      #expect(folder.data("a.mp4") == folder.data("b.mp4"), "\(film.source)")
    }
    try check([0]) { $0.front = "// A comment." }
    try check([0]) { $0.name = "sun" }
    try check([0]) { $0.front = "title: \"Other\";  marker m { at: 2s;  title: \"M\" }" }
    try check([1, 4]) { $0.word = "words" }
    try check([3, 4]) { $0.tint = "red" }
    // Two seconds are inserted at the start, so everything else starts later. Only the new part and
    // the segment that joins it are drawn.
    try check([1, 5]) {
      $0.front = "rect { for: 2s;  size: 5 -> 50 }"
      $0.shift = 2
    }
    try check([0], { _ in }, words: "--to", "12s")
    try check([1, 4], { _ in }, words: "--to", "15s")
    try check([0], { _ in }, words: "--jobs", "1")
    try check([], { _ in }, words: "--quality", "30")
    try check([0], { _ in }, words: "-o", "other.mov")
    // Another image of the same size and date, at the same path.
    let place = folder.path + "/p.png"
    let before = try FileManager.default.attributesOfItem(atPath: place)
    try draw("blue", "q.png")
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: place))
    try handle.write(contentsOf: try #require(folder.data("q.png")))
    try handle.close()
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(before[.modificationDate])], ofItemAtPath: place)
    #expect(folder.data("q.png")?.count == before[.size] as? Int)
    try check([1, 4]) { _ in }
  }

  @Test func anotherFolderAndAnotherContainerAreTheSame() throws {
    try build()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/sub", withIntermediateDirectories: true)
    for name in ["a.scene", "p.png"] {
      try FileManager.default.copyItem(
        atPath: folder.path + "/" + name, toPath: folder.path + "/sub/" + name)
    }
    for name in ["x.mkv", "x.mov"] {
      let run = try Program.run(
        [Program.scenec, "build", "a.scene", "--cache", cache, "-o", name],
        in: folder.path + "/sub")
      #expect(try drawn(run) == [0], "\(run.errors)")
    }
  }

  /// Sound is cached too, and the segments of video do not depend on it.
  @Test func soundIsKept() throws {
    let made = try Program.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-f", "lavfi", "-i",
        "anoisesrc=d=3:r=44100:a=0.1:seed=3", "s.flac",
      ], in: folder.path)
    #expect(made.status == 0)
    try build()
    var film = Film()
    film.sound = "audio \"s.flac\" { at: 1s;  volume: -6dB;  loop: true }"
    // The sound of a .mkv file is Opus.
    for name in ["a.mp4", "a.mkv", "a.flac", "a.mp3"] {
      let first = try build(film, to: name)
      #expect(try drawn(first) == (["a.mp4", "a.mkv"].contains(name) ? [0] : []))
      let bytes = try #require(folder.data(name))
      let count = files.count
      try build(film, to: name)
      #expect(folder.data(name) == bytes, "\(name)")
      #expect(files.count == count)
      film.sound = "audio \"s.flac\" { at: 1s;  volume: -9dB;  loop: true }"
      try build(film, to: name)
      #expect(folder.data(name) != bytes && files.count > count, "\(name)")
      film.sound = "audio \"s.flac\" { at: 1s;  volume: -6dB;  loop: true }"
      let alone = try Program.run(
        [Program.scenec, "build", "a.scene", "--no-cache", "-o", "b-" + name], in: folder.path)
      #expect(alone.status == 0 && folder.data("b-" + name) == folder.data(name), "\(name)")
    }
  }

  /// Side data of packets is kept, such as the alpha of VP9.
  @Test func otherCodecsAreKept() throws {
    let film = "scene { size: 96x64;  fps: 10;  for: 3s;  circle { radius: 5 -> 30 } }"
    try folder.write("c.scene", film)
    for name in ["c.webm", "c.mkv", "c.mov"] {
      for cached in [["--no-cache"], ["--cache", cache], ["--cache", cache]] {
        let codec = ["c.mkv": "ffv1", "c.mov": "prores", "c.webm": "vp9"][name] ?? ""
        let run = try Program.run(
          [Program.scenec, "build", "c.scene", "--codec", codec, "-o", name] + cached,
          in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        try FileManager.default.moveItem(
          atPath: folder.path + "/" + name, toPath: "\(folder.path)/\(UUID()).\(name)")
      }
      let results = Set(folder.names.filter { $0.hasSuffix(name) }.map { folder.data($0) })
      #expect(results.count == 1, "\(name)")
    }
  }

  /// Builds of random edits are byte-identical with and without a cache; `make soak` tests many
  /// more.
  @Test func randomEditsBuildTheSame() throws {
    let run = try Program.run(
      [Repository.path + "/.build/release/scenec-dev", "edits", "8"], in: folder.path)
    #expect(run.status == 0 && run.output.contains("8 edits"), "\(run.output)\(run.errors)")
    #expect(run.output.contains(": 0 differ"))
  }

  /// A damaged cache never changes the result, even with two concurrent builds; `make soak` tests
  /// 1,000 kinds of damage.
  @Test func aDamagedStoreShowsNoWrongByte() throws {
    let run = try Program.run(
      [Repository.path + "/.build/release/scenec-dev", "store", "4"], in: folder.path)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasSuffix("4 damages and 1 pairs of builds: 0 differ\n"))
  }

  @Test func damageIsNoticed() throws {
    try build()
    let right = try #require(folder.data("a.mp4"))
    var random = SystemRandomNumberGenerator()
    for round in 0..<3 {
      for path in files {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch round {
        case 0: bytes[at] ^= UInt8.random(in: 1...255, using: &random)
        case 1: bytes = bytes.prefix(at)
        default: bytes += bytes.prefix(at + 1)
        }
        try bytes.write(to: URL(fileURLWithPath: path))
      }
      #expect(try drawn(build()) == [], "none is taken")
      #expect(folder.data("a.mp4") == right)
    }
  }

  /// A build that is killed continues where it stopped.
  @Test func aKilledBuildIsResumed() throws {
    let long = """
      scene { size: 320x180;  fps: 15;  for: 60s;  background: navy
        for i in 0..15 { rect { at: 4s * i;  for: 4s;  size: 10 -> 300;  rotate: i * 9deg -> 90deg } } }
      """
    try folder.write("l.scene", long)
    let command = [
      "/usr/bin/env", "SCENEC_CACHE=\(cache)", Program.scenec, "build", "l.scene", "-o", "l.mp4",
      "--jobs", "2",
    ]
    let process = try Program.start(command, in: folder.path)
    #expect(eventually { files.filter { !$0.contains(".") }.count >= 6 })
    process.kill(SIGKILL)
    process.wait()
    #expect(folder.data("l.mp4") == nil)
    let resumed = try Program.run(command, in: folder.path)
    let counts = try drawn(resumed)
    #expect(resumed.status == 0 && counts.count == 2 && counts[0] <= counts[1] - 3, "\(counts)")
    let alone = try Program.run(
      [Program.scenec, "build", "l.scene", "-o", "alone.mp4"], in: folder.path)
    #expect(alone.status == 0 && folder.data("l.mp4") == folder.data("alone.mp4"))
  }

  @Test func twoBuildsShareACacheAtOnce() throws {
    try draw("red")
    try folder.write("a.scene", Film().source)
    let processes = try (0..<3).map { number in
      try Program.start(
        [Program.scenec, "build", "a.scene", "--cache", cache, "-o", "\(number).mp4"],
        in: folder.path)
    }
    #expect(processes.allSatisfy { $0.wait().exitStatus == 0 })
    let right = try alone(Film())
    for number in 0..<3 { #expect(folder.data("\(number).mp4") == right) }
    #expect(files.count == 9, "packets, grids and the verdict about flashes")
  }

  @Test func theCacheIsBounded() throws {
    try build()
    let largest = try #require(
      files.compactMap { try? FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int }
        .max())
    try build(Film(tint: "red"), "--cache-size", "\(largest)B")
    let sizes = files.compactMap {
      try? FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int
    }
    #expect(sizes.reduce(0, +) <= largest)
    try build(Film(), "--cache-size", "0")
    #expect(files.isEmpty)
  }

  /// An unusable cache folder does not fail a build, but is reported in one sentence.
  @Test func aFolderThatIsOfNoUseIsNamed() throws {
    try folder.write("file", "mine")
    try draw("red")
    try folder.write("a.scene", Film().source)
    func run(_ place: String) throws -> String {
      let run = try Program.run(
        [Program.scenec, "build", "a.scene", "--cache", place, "-o", "a.mp4"], in: folder.path)
      #expect(run.status == 0 && folder.data("a.mp4") != nil, "\(run.errors)")
      return run.errors
    }
    #expect(try run("file").contains("the cache 'file/packets' is in 'file', which is a file"))
    #expect(try run("/proc/none").contains("cannot be created"))
    #expect(folder.data("file") == Data("mine".utf8))
    if getuid() == 0 {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/theirs/packets", withIntermediateDirectories: true)
      _ = unsafe chown(folder.path + "/theirs/packets", 65534, 65534)
      #expect(try run("theirs").contains("belongs to another user"))
    }
  }

  @Test func whatIsAskedForIsUnderstood() throws {
    try folder.write("a.scene", "scene { for: 1s;  circle { } }")
    for (words, message) in [
      (["--timings="], "'--timings=' requires a file name"),
      (["--depfile="], "'--depfile' requires a file name"),
      (
        ["--depfile", "x.d", "--shard", "1/2", "--cache", "c"],
        "'--depfile' requires a single scene"
      ),
      (["--depfile", "x.d", "-o", "{scene}.mp4"], "'--depfile' requires a single scene"),
      (["--shard", "1/20000"], "has 20000 shares"),
      (["--cache", "x", "--no-cache"], "'--cache' and '--no-cache' cannot be combined"),
      (
        ["--cache-size", "many"], "'--cache-size' must be a size such as 4GB or 500MB, found 'many'"
      ),
      (["--cache-size", "-1GB"], "found '-1GB'"), (["--shard", "0/4"], "share 0 is out of range"),
      (["--shard", "5/4"], "share 5 is out of range: the shares are 1/4 to 4/4"),
      (["--shard", "x"], "found 'x'"),
      (["--shard", "1/2/3"], "found '1/2/3'"), (["--shard", "1/2", "--no-cache"], "--cache DIR"),
    ] {
      let run = try Program.run([Program.scenec, "build", "a.scene"] + words, in: folder.path)
      #expect(run.status == 2 && run.errors.contains(message), "\(words): \(run.errors)")
      #expect(folder.names == ["a.scene"])
    }
  }

  @Test func theCommandShowsAndCleans() throws {
    try build()
    let place = cache
    func run(_ words: String...) throws -> Run {
      try Program.run([Program.scenec, "cache", "--cache", place] + words, in: folder.path)
    }
    let shown = try run()
    #expect(shown.status == 0 && shown.output.contains("video and audio: 9 files"), "\(shown)")
    #expect(shown.output.contains("1 build, 0 of 4 segments from the cache (0 %)"), "\(shown)")
    try build()
    #expect(try run().output.contains("2 builds, 4 of 8 segments from the cache (50 %)"))
    #expect(try run("clean", "--older-than", "1h").output.hasPrefix("removed 0 files"))
    #expect(files.count == 9, "packets, grids and the verdict about flashes")
    // The properties of an image are cached only if its file is not recent.
    let images = try? FileManager.default.contentsOfDirectory(atPath: cache + "/images")
    #expect(try run("clean").output.hasPrefix("removed \(9 + (images ?? []).count) files"))
    #expect(files.isEmpty)
    #expect(
      try run("clear").errors.contains("unknown argument 'clear' of 'cache', expected 'clean'"))
    #expect(try run("clean", "--older-than", "old").errors.contains("found 'old'"))
    #expect(try run("--older-than", "7d").errors.contains("requires 'scenec cache clean'"))
  }

  /// A change of the fonts causes the text to be drawn again, and nothing else.
  @Test func fontsCount() throws {
    try build()
    let fonts = try folder.write(
      "fonts.conf",
      "<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir><cachedir>\(folder.path)/fc</cachedir></fontconfig>"
    )
    func run(_ words: String...) throws -> Run {
      try Program.run(
        ["/usr/bin/env", "FONTCONFIG_FILE=\(fonts)", Program.scenec, "build", "a.scene"] + words,
        in: folder.path)
    }
    #expect(try drawn(run("--cache", cache, "-o", "b.mp4")) == [1, 4])
    #expect(try run("--no-cache", "-o", "c.mp4").status == 0)
    #expect(folder.data("b.mp4") == folder.data("c.mp4"))
    #expect(folder.data("b.mp4") != folder.data("a.mp4"))
    #expect(try drawn(build()) == [0], "the first fonts")
  }

  /// Segments of another version of scenec are not used, and a note says so.
  @Test func anotherProgramCounts() throws {
    let first = try build()
    #expect(!first.errors.contains("another scenec"))
    let own = (Program.scenec as NSString).deletingLastPathComponent
    for (name, source) in [
      ("scenec-render", own + "/scenec-render"), ("scenec-decode", own + "/scenec-decode"),
      ("scenec-clip", "/bin/true"),
    ] {
      try folder.install(source, as: "bin/" + name)
    }
    let run = try Program.run(
      [folder.path + "/bin/scenec-render", "build", "a.scene", "--cache", cache, "-o", "b.mp4"],
      in: folder.path)
    #expect(
      run.status == 0
        && run.errors.contains("4 segments were cached by a different version of scenec"))
    #expect(files.count == 18 && folder.data("b.mp4") == folder.data("a.mp4"))
    #expect(try drawn(build()) == [0])
  }

  @Test func timingsAreShown() throws {
    let first = try build(Film(), "--timings")
    for word in ["check", "plan", "key", "lower", "draw", "encode", "keep", "write", "total"] {
      #expect(first.errors.contains("\n\(word) "), "\(word): \(first.errors)")
    }
    #expect(first.errors.contains("to draw, mostly for a.scene:"), "\(first.errors)")
    let second = try build(Film(), "--timings")
    #expect(second.errors.contains("\nread ") && !second.errors.contains("\ndraw "))
    let traced = try build(Film(tint: "red"), "--timings=t.json")
    #expect(traced.output == "a.mp4\nt.json\n")
    let source = folder.data("a.scene")
    for name in ["a.scene", "./a.mp4"] {
      let refused = try Program.run(
        [Program.scenec, "build", "a.scene", "-o", "a.mp4", "--timings=\(name)"], in: folder.path)
      #expect(refused.status == 3 && refused.errors.contains("'\(name)' is"), "\(refused.errors)")
    }
    #expect(folder.data("a.scene") == source)
    struct Event: Decodable {
      let name: String
      let ph: String
      let ts: Double
      let dur: Double
      let tid: Int
    }
    let events = try JSONDecoder().decode([Event].self, from: #require(folder.data("t.json")))
    #expect(events.count { $0.name == "draw" } == 60, "three segments of four seconds")
    #expect(events.allSatisfy { $0.ph == "X" && $0.ts >= 0 && $0.dur >= 0 && $0.tid <= 64 })
  }

  @Test func aDepfileNamesAllFiles() throws {
    let drawing =
      "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
    try folder.write("a b#$.svg", drawing)
    try folder.write("lib.scene", "let tint = red")
    try folder.write("rows.csv", "x\n1\n")
    try folder.write(
      "dep.scene",
      "import \"lib.scene\"\nlet rows = data(\"rows.csv\")\nscene { for: 0.2s;  size: 64x64;  image \"a b#$.svg\";  circle { radius: rows[0].x;  fill: tint } }"
    )
    let run = try Program.run(
      [Program.scenec, "build", "dep.scene", "-o", "dep.mp4", "--depfile", "dep.d"],
      in: folder.path)
    #expect(run.status == 0 && run.output == "dep.mp4\ndep.d\n", "\(run)")
    // Make reads the dependency file: the video is current until one of the files changes.
    try folder.write(
      "Makefile", "dep.mp4: dep.scene\n\t@echo builds\n\n-include dep.d\n")
    func make() throws -> Run {
      try Program.run(
        ["/usr/bin/env", "-u", "MAKEFLAGS", "-u", "MAKELEVEL", "make", "dep.mp4"], in: folder.path)
    }
    #expect(try make().output.contains("up to date"))
    for name in ["a b#$.svg", "lib.scene", "rows.csv", "dep.scene"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: "\(folder.path)/\(name)")
      #expect(try make().output == "builds\n", "\(name)")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: "\(folder.path)/\(name)")
    }
    // A deleted file makes the video outdated, but is not an error.
    try FileManager.default.removeItem(atPath: "\(folder.path)/lib.scene")
    let after = try make()
    #expect(after.status == 0 && after.output == "builds\n", "\(after)")
    for name in ["dep.scene", "dep.mp4"] {
      let refused = try Program.run(
        [Program.scenec, "build", "dep.scene", "-o", "dep.mp4", "--depfile", name],
        in: folder.path)
      #expect(refused.status != 0, "\(refused)")
    }
  }

  // MARK: Shards

  @Test func sharesAreJoined() throws {
    try draw("red")
    try folder.write("a.scene", Film().source)
    let right = try alone(Film())
    func command(_ words: String...) -> [String] {
      [Program.scenec, "build", "a.scene", "--cache", cache, "-o", "a.mp4"] + words
    }
    let processes = try (1...3).map {
      try Program.start(command("--shard", "\($0)/3"), in: folder.path)
    }
    #expect(processes.allSatisfy { $0.wait().exitStatus == 0 })
    #expect(folder.data("a.mp4") == nil, "a share writes no file")
    // The join adds the verdict about flashes.
    let shares = files
    #expect(shares.count == 8, "packets and grids")
    #expect(try drawn(Program.run(command(), in: folder.path)) == [0])
    #expect(folder.data("a.mp4") == right)
    // When the segment of one machine is lost, the join draws this segment only.
    try FileManager.default.removeItem(atPath: shares[1])
    #expect(try drawn(Program.run(command(), in: folder.path)) == [1, 4])
    #expect(folder.data("a.mp4") == right)
    let again = try Program.run(command("--shard", "1/1"), in: folder.path)
    #expect(again.errors.contains("share 1 of 1: rendered 0 of 4 segments"), "\(again.errors)")
    let gif = try Program.run(
      [Program.scenec, "build", "a.scene", "--cache", cache, "-o", "a.gif", "--shard", "1/2"],
      in: folder.path)
    #expect(gif.status == 2 && gif.errors.contains("'a.gif' is encoded by a single encoder"))
  }
}
