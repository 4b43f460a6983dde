// SPDX-License-Identifier: MIT
import SceneBuild
import SceneCLI
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneSession
import SceneTestSupport
import SceneVideo
import Testing

/// What a build is to write, decided before it draws.
@Suite("Plans of outputs") struct OutputPlanTests {
  private func plan(_ words: [String], head: String = "") throws -> OutputPlan {
    let folder = try Folder()
    let text = "scene { for: 1s;  size: 64x48;  \(head)\n circle { } }"
    let scene = try Session(LoadOptions()).load(try folder.write("a.scene", text))
    let model = try #require(scene.model, "\(scene.diagnostics.map(\.message))")
    var reader = OptionReader(try Invocation(["build", "a.scene"] + words))
    return try OutputPlan(BuildOptions(&reader), scene, model)
  }

  private func settings(_ words: [String], head: String = "") throws -> VideoSettings {
    guard case .video(let settings) = try plan(words, head: head).target else {
      throw CallFault(message: "not a video")
    }
    return settings
  }

  /// What is wrong, or nothing.
  private func fault(_ words: [String], head: String = "") throws -> String {
    do {
      _ = try plan(words, head: head)
      return ""
    } catch PlanFault.call(let message) {
      return message
    } catch PlanFault.scene(let fault) {
      return "\(fault.code.rawValue) \(fault.message)"
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
    #expect(stills.target == .stills && stills.size == PixelSize(32, 24))
    #expect(try fault(["-o", "f-%d-%d.png"]).hasPrefix("stills are PNG and need a number"))
    #expect(try fault(["-o", "film.avi"]).hasPrefix("'film.avi' has no ending that is known"))
    #expect(try fault(["-o", "x.d/film"]).hasPrefix("'x.d/film' has no ending that is known"))
  }

  @Test(arguments: [
    ("f-%d.png", "f-7.png"), ("f-%04d.png", "f-0007.png"), ("%02d", "07"), ("f-%4d.png", nil),
    ("f.png", nil), ("%d-%d.png", nil), ("%099d.png", nil), ("100%.png", nil),
  ])
  func patternsAreThoseOfPrintf(_ pattern: String, _ name: String?) {
    #expect(NumberPattern(pattern)?.name(7) == name)
  }

  /// The call counts before the scene, and the scene before what is usual.
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
    ("output { level: 1 };  fps: 400", "E0602 level 1 of H.264 cannot hold 64x48 at 400 fps"),
    ("output { profile: high444;  pixel-format: yuv444p }", ""),
    (
      "output { profile: main;  pixel-format: yuv444p }",
      "E0602 the profile main cannot hold 4:4:4"
    ),
    ("background: none", "E0603 this scene has no background, and H.264 holds no transparency"),
  ])
  func whatH264CannotHoldIsRefused(_ head: String, _ message: String) throws {
    #expect(try fault([], head: head).dropFirst(5) == message.dropFirst(5))
  }

  @Test func rawPicturesNeedNoSizeOfH264() throws {
    #expect(
      try fault(["--scale", "0.2"]).hasSuffix("H.264 needs at least 16x16 pixels, not 12x10"))
    #expect(try fault(["--scale", "0.2", "-o", "-"]) == "")
  }
}
