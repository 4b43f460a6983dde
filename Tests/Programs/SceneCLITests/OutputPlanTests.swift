// SPDX-License-Identifier: MIT
import SceneCLI
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneOutput
import SceneSession
import SceneTestSupport
import Testing

/// The outputs of a build, which are decided before it draws.
@Suite("Plans of outputs", .cpuBudget(seconds: 1)) struct OutputPlanTests {
  private func plans(_ words: [String], head: String = "") throws -> OutputPlans {
    let folder = try Folder()
    for language in ["en", "de"] {
      try folder.write("\(language).vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n")
    }
    let text = "scene { for: 1s;  size: 64x48;  \(head)\n circle { } }"
    let scene = try Session(LoadOptions()).load(try folder.write("a.scene", text))
    let model = try #require(scene.model, "\(scene.diagnostics.map(\.message))")
    var reader = OptionReader(try Invocation(["build", "a.scene"] + words))
    return try OutputPlans(BuildOptions(&reader), scene: "a.scene", model: model)
  }

  private func plan(_ words: [String], head: String = "") throws -> OutputPlan {
    try #require(plans(words, head: head).plans.first)
  }

  /// Returns the files that are written, as "path codec".
  private func files(_ words: [String], head: String = "") throws -> [String] {
    try plans(words, head: head).plans.map { "\($0.path) \($0.settings.codec.rawValue)" }
  }

  private func settings(_ words: [String], head: String = "") throws -> VideoSettings {
    try plan(words, head: head).settings
  }

  /// Returns the message of the error, or an empty string.
  private func failure(_ words: [String], head: String = "") throws -> String {
    do {
      _ = try plan(words, head: head)
      return ""
    } catch PlanError.call(let message) {
      return message
    } catch PlanError.scene(let failure) {
      return "\(failure.code.rawValue) \(failure.message)"
    }
  }

  @Test(arguments: [
    ("a.mp4", FileFormat.mp4), ("a.m4v", .mp4), ("b.c.MOV", .mov), ("x.y4m", .y4m), ("-", .y4m),
    ("a.webm", .webm), ("a.mkv", .mkv), ("a.gif", .gif), ("a.webp", .webp), ("a.png", .apng),
  ])
  func theEndingSaysWhatIsWritten(_ path: String, _ file: FileFormat) throws {
    let settings = try settings(["-o", path])
    #expect(settings.file == file && settings.codec == file.codecs[0])
  }

  @Test func stillsHaveANumber() throws {
    let stills = try plan(["-o", "f-%04d.png", "--scale", "0.5"])
    #expect(stills.settings.file == .pngStills && stills.settings.size == PixelSize(32, 24))
    #expect(
      try failure(["-o", "f-%d-%d.png"]).hasPrefix("the file name of stills must contain a number"))
    #expect(try failure(["-o", "f.jpg"]).contains("'frame-%04d.jpg'"))
    #expect(try settings(["-o", "f-%d.jpg"]).rate == .quality(92))
    #expect(try settings(["-o", "f-%d.jpg", "--quality", "40"]).rate == .quality(40))
    #expect(try failure(["-o", "f-%d.jpg", "--quality", "0"]).contains("must be from 1 to 100"))
    // Settings for video do not matter for uncompressed images.
    let head = "output { codec: h264;  quality: 20;  profile: high }"
    #expect(try files(["-o", "f-%d.png"], head: head) == ["f-%d.png png"])
    #expect(try failure(["-o", "film.avi"]).hasPrefix("'film.avi' has an unknown file extension"))
    #expect(try failure(["-o", "x.d/film"]).hasPrefix("'x.d/film' has an unknown file extension"))
  }

  @Test(arguments: [
    ("f-%d.png", "f-7.png"), ("f-%04d.png", "f-0007.png"), ("%02d", "07"), ("f-%4d.png", nil),
    ("f.png", nil), ("%d-%d.png", nil), ("%099d.png", nil), ("100%.png", nil),
  ])
  func patternsAreThoseOfPrintf(_ pattern: String, _ name: String?) {
    #expect(NumberPattern(pattern)?.name(7) == name)
  }

  /// Settings on the command line override settings of the scene, which override the defaults.
  @Test func settingsComeFromTheCallOrTheScene() throws {
    let head = "output { quality: 30;  preset: slow;  profile: main;  level: 5 }"
    let plain = try settings([])
    #expect(plain.rate == .quality(18) && plain.preset == "faster" && plain.profile == nil)
    let own = try settings([], head: head)
    #expect(own.rate == .quality(30) && own.preset == "slow")
    #expect(own.profile == "main" && own.level == "5")
    let called = try settings(["--bitrate", "2Mbps", "--preset", "fast"], head: head)
    #expect(called.rate == .bitrate(2_000_000) && called.preset == "fast")
  }

  @Test(arguments: [
    ("output { level: 1 };  fps: 400", "E0602 the H.264 level 1 does not support 64x48 at 400 fps"),
    ("output { profile: high444;  pixel-format: yuv444p }", ""),
    (
      "output { profile: main;  pixel-format: yuv444p }",
      "E0602 the profile main does not support 4:4:4"
    ),
    (
      "background: none",
      "E0603 the scene has a transparent background, which H.264 does not support"
    ),
  ])
  func whatH264CannotHoldIsRefused(_ head: String, _ message: String) throws {
    #expect(try failure([], head: head).dropFirst(5) == message.dropFirst(5))
  }

  @Test func rawPicturesNeedNoSizeOfH264() throws {
    #expect(
      try failure(["--scale", "0.2"]).hasSuffix("H.264 requires at least 16x16 pixels, found 12x10")
    )
    #expect(try failure(["--scale", "0.2", "-o", "-"]) == "")
  }

  // MARK: Several files

  @Test(arguments: [
    ("", ["a.mp4 h264"]),
    ("output { quality: 20 }", ["a.mp4 h264"]),
    ("output { codec: vp9 }", ["a.webm vp9"]),
    ("output { codec: h264 }\n output { codec: gif }", ["a.mp4 h264", "a.gif gif"]),
    (
      "output big { codec: h265 }\n output small { codec: jpeg }",
      ["a-big.mp4 h265", "a-small-%04d.jpg jpeg"]
    ),
  ])
  func blocksNameTheirFiles(_ head: String, _ names: [String]) throws {
    #expect(try files([], head: head) == names)
  }

  /// A file gets its block by name, or otherwise by extension and order.
  @Test func filesFindTheirBlocks() throws {
    let head = """
      output { codec: vp9;  quality: 40 }
      output wide { quality: 30 }
      output tall { quality: 20;  size: 48x64 }
      """
    func qualities(_ words: String) throws -> [VideoSettings.Rate] {
      try plans(words.split(separator: " ").map(String.init), head: head).plans.map(\.settings.rate)
    }
    #expect(try qualities("-o a.mp4 -o b.webm") == [.quality(30), .quality(40)])
    #expect(
      try qualities("-o a.mp4 -o b.mp4 -o c.mp4") == [.quality(30), .quality(20), .quality(18)])
    #expect(try qualities("-o tall=a.mp4 -o b.mp4") == [.quality(20), .quality(30)])
    #expect(try qualities("-o tall=a.mp4 -o tall=b.mkv") == [.quality(20), .quality(20)])
    #expect(try plans(["-o", "tall=a.mp4"], head: head).unused.map(\.name) == [nil, "wide"])
    #expect(try plan(["-o", "tall=a.mp4"], head: head).settings.size == PixelSize(48, 64))
    #expect(try plan(["-o", "./tall=a.mp4"], head: head).path == "./tall=a.mp4")
    #expect(try failure(["-o", "tal=a.mp4"], head: head).contains("did you mean 'tall'?"))
  }

  /// An output block is for files that can contain its codec.
  ///
  /// Another file gets the default settings, unless the call names both.
  @Test func filesThatCannotHoldTheCodec() throws {
    let head = "output { codec: prores;  profile: hq }"
    #expect(try files(["-o", "x.webm"], head: head) == ["x.webm vp9"])
    #expect(try files(["-o", "x.mov"], head: head) == ["x.mov prores"])
    #expect(
      try plans(["-o", "x.webm"], head: head).notes == [
        "'x.webm' is built with default settings: the output of the scene has 'codec: prores', which requires a .mov file"
      ])
    #expect(try plans(["-o", "x.mov"], head: head).notes == [])
    // Uncompressed sound and images take the size and the sound settings.
    #expect(
      try plan(["-o", "f-%d.png"], head: "output { codec: vp9;  size: 32x24 }").settings.size
        == PixelSize(32, 24))
    let named = "output master { codec: prores }\n output small { codec: gif }"
    #expect(try plans(["-o", "x.webm"], head: named).notes.count == 2)
    #expect(
      try failure(["-o", "master=x.webm"], head: named)
        == "E0802 ProRes is not supported in a .webm file")
    #expect(try files(["-o", "x.mp4"], head: "output { codec: vp9 }") == ["x.mp4 h264"])
  }

  @Test func noTwoFilesHaveOnePlace() throws {
    #expect(
      try failure(["-o", "a.mp4", "-o", "./a.mp4"]) == "two outputs have the same file './a.mp4'")
    #expect(try failure(["-o", "-", "-o", "-"]).contains("two outputs"))
    let two = "output { quality: 20 }\n output { quality: 30 }"
    #expect(try failure([], head: two) == "E0802 two outputs have the same file 'a.mp4'")
  }

  private static let texts =
    "captions \"en.vtt\" { language: \"en\" };  description \"A dot\" { for: 0.5s }"

  /// Files beside videos count as outputs.
  @Test(arguments: [
    (
      ["-o", "a.mp4", "-o", "a.descriptions.mp4", "--sidecar"], "",
      "'a.descriptions.vtt': '--sidecar' derives it from 'a.descriptions.mp4' and from 'a.mp4'"
    ),
    (
      ["-o", "a.descriptions.mp4", "-o", "./a.mp4", "--sidecar"], "",
      "'./a.descriptions.vtt': '--sidecar' derives it from './a.mp4' and from 'a.descriptions.mp4'"
    ),
    (
      ["-o", "x=a.mp4", "-o", "y=a.mkv", "--sidecar"],
      "output x { from: 0.5s }\n output y { }",
      "'a.vtt': '--sidecar' derives it from 'a.mkv' and from 'a.mp4'"
    ),
    (
      ["-o", "x=a.mp4", "-o", "a.vtt", "--sidecar"], "output x { to: 0.5s }\n output y { }",
      "'a.vtt': -o names it, and '--sidecar' derives it from 'a.mp4'"
    ),
    (
      ["-o", "a.mp4", "-o", "a.descriptions.mp4", "--sidecar"],
      "captions \"de.vtt\" { language: \"de\" }", ""
    ),
  ])
  func derivedFilesAreOutputs(_ words: [String], _ head: String, _ problem: String) throws {
    let wanted =
      problem.isEmpty ? "" : "two outputs have the same file \(problem); rename one of them"
    #expect(try failure(words, head: Self.texts + "\n" + head) == wanted)
  }

  /// The same text in the same interval is one file.
  @Test(arguments: [
    (["-o", "a.mp4", "-o", "a.mkv"], "", ["a.mp4", "a.mkv", "a.vtt", "a.descriptions.vtt"]),
    (["-o", "a.mp4", "-o", "a.vtt"], "", ["a.mp4", "a.vtt", "a.descriptions.vtt"]),
    (["-o", "a.descriptions.vtt", "-o", "a.mp4"], "", ["a.descriptions.vtt", "a.mp4", "a.vtt"]),
    (["-o", "a.mp4", "-o", "b.vtt"], "", ["a.mp4", "b.vtt", "a.vtt", "a.descriptions.vtt"]),
    (
      ["-o", "x=a.mp4", "-o", "y=a.mkv"], "output x { from: 0.5s }\n output y { from: 0.5s }",
      ["a.mp4", "a.mkv", "a.vtt", "a.descriptions.vtt"]
    ),
    (
      ["-o", "x=a.mp4", "-o", "y=a.mkv", "--from", "0s", "--to", "0.8s"],
      "output x { from: 0.5s }\n output y { }",
      ["a.mp4", "a.mkv", "a.vtt", "a.descriptions.vtt"]
    ),
    (
      ["-o", "x=a.mp4", "-o", "y=a.mkv"], "output x { to: 1s }\n output y { from: 0s }",
      ["a.mp4", "a.mkv", "a.vtt", "a.descriptions.vtt"]
    ),
    (
      ["-o", "a.mp4", "-o", "a.{language}.vtt"], "captions \"de.vtt\" { language: \"de\" }",
      ["a.mp4", "a.en.vtt", "a.de.vtt", "a.descriptions.vtt"]
    ),
  ])
  func equalTextsAreOneFile(_ words: [String], _ head: String, _ paths: [String]) throws {
    let plans = try plans(words + ["--sidecar"], head: Self.texts + "\n" + head).plans
    #expect(plans.map(\.path) == paths)
  }

  @Test func outputsHaveSizesOfTheirOwn() throws {
    let head = "output { size: 63x64 }"
    #expect(try failure([], head: head).contains("63x64 is not supported with 4:2:0"))
    #expect(try settings(["--scale", "0.5"], head: head).size == PixelSize(32, 32))
    #expect(try plan([], head: "output { size: 32x32 }").variant == nil)
    let own = "output { size: 32x32;  layout: own }"
    #expect(try plan(["--scale", "2"], head: own).variant?.size == PixelSize(32, 32))
    #expect(try plan(["--scale", "2"], head: own).settings.size == PixelSize(64, 64))
  }

  @Test func outputsHaveFrameRatesOfTheirOwn() throws {
    let head = "fps: 60;  output { codec: gif }"
    #expect(try failure([], head: head).contains("a GIF cannot exceed 50 frames per second"))
    let own = try plan([], head: "fps: 60;  output { codec: gif;  fps: 29.97 }")
    #expect(own.variant?.frameRate == FrameRate(30000, 1001))
    #expect((own.settings.rateNumerator, own.settings.rateDenominator) == (30000, 1001))
    #expect(try plan([], head: "fps: 60;  output { fps: 60 }").variant == nil)
    #expect(try failure([], head: "output { codec: gif;  fps: 60 }").contains("found 60"))
  }
}
