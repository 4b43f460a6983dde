// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Flash warnings of complete builds.
@Suite("Flashes of builds", .cpuBudget(seconds: 40)) struct FlashTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static let strobe = """
    scene {
        for: 9s;  size: 160x90;  background: black
        circle { radius: 2 -> 4 }
        rect lamp { at: 1s;  for: 6s;  size: 100%;  fill: wave(0.2s) > 0 ? white : black }
    }
    """

  private func build(_ source: String, _ words: String..., to name: String = "a.mp4") throws -> Run
  {
    try folder.write("a.scene", source)
    return try Program.run(
      [Program.scenec, "build", "a.scene", "-o", name] + words, in: folder.path)
  }

  /// Returns the messages about flashes.
  private func warnings(_ run: Run) -> [String] {
    run.errors.split(separator: "\n").map(String.init).filter {
      $0.contains("W0516") || $0.contains("% of the frame")
    }
  }

  @Test func theRangeAndTheElementAreNamed() throws {
    let run = try build(Self.strobe, "--no-cache")
    #expect(run.status == 0)
    #expect(
      run.errors.contains(
        "warning[W0516]: the video flashes 5 times a second from 1s to 6.9s (WCAG 2.3.1 allows 3)"),
      "\(run.errors)")
    #expect(run.errors.contains("a.scene:4:5"), "\(run.errors)")
    #expect(
      run.errors.contains("'lamp' changes 100% of the frame; its luminance goes from 0 to 1"),
      "\(run.errors)")
    let slow = try build(Self.strobe.replacing("0.2s", with: "0.34s"), "--no-cache")
    #expect(slow.status == 0 && warnings(slow) == [], "\(slow.errors)")
  }

  @Test func theVerdictDependsOnTheFramesOnly() throws {
    let expected = try warnings(build(Self.strobe, "--no-cache", "--jobs", "1"))
    #expect(expected.count == 2)
    for jobs in ["2", "7"] {
      #expect(try warnings(build(Self.strobe, "--no-cache", "--jobs", jobs)) == expected)
    }
    #expect(try warnings(build(Self.strobe, "--no-cache", to: "a.gif")) == expected)
    #expect(try warnings(build(Self.strobe, "--cache", "c")) == expected, "cold")
    #expect(try warnings(build(Self.strobe, "--cache", "c")) == expected, "warm")
    let other = try build(Self.strobe, "--cache", "c", "--quality", "30")
    #expect(warnings(other) == expected, "another file")
    for share in 1...3 {
      let run = try build(Self.strobe, "--cache", "d", "--shard", "\(share)/3")
      #expect(run.status == 0 && warnings(run) == [])
    }
    let joined = try build(Self.strobe, "--cache", "d")
    #expect(warnings(joined) == expected && joined.errors.contains("nothing to render"))
    let part = try build(Self.strobe, "--cache", "c", "--from", "5s")
    #expect(part.errors.contains("from 5s to 6.9s"), "\(part.errors)")
  }

  /// Frames of a clip that no canvas draws are judged like the drawn ones.
  @Test func passedFramesAreJudged() throws {
    let made = try build(Self.strobe, "--no-cache", to: "clip.mp4")
    #expect(made.status == 0, "\(made.errors)")
    func scene(_ more: String) -> String {
      "scene { size: 160x90;  fps: 30;  video \"clip.mp4\" { \(more) } }"
    }
    let passed = try build(scene("trim: 0.1s .. 8s"), "--no-cache")
    #expect(passed.errors.contains("the video flashes 5 times a second"), "\(passed.errors)")
    let drawn = try build(scene("trim: 0.1s .. 8s;  scale: 0.999"), "--no-cache")
    #expect(warnings(drawn).count == warnings(passed).count, "\(drawn.errors)")
    #expect(
      try warnings(build(scene("trim: 0.1s .. 8s"), "--no-cache", to: "a.gif")) == warnings(passed))
  }

  @Test func strictBuildsLeaveTheOldFile() throws {
    for name in ["a.mp4", "a.gif"] {
      try folder.write(name, "old")
      let run = try build(Self.strobe, "--no-cache", "--strict", to: name)
      #expect(run.status == 1 && !warnings(run).isEmpty, "\(run.errors)")
      #expect(folder.data(name) == Data("old".utf8))
    }
    #expect(folder.names == ["a.gif", "a.mp4", "a.scene"])
  }

  @Test func commentsAllowTheWarning() throws {
    let comment = "// scenec: allow W0516 a test"
    for line in ["scene {", "white : black }"] {
      let source = Self.strobe.replacing(line, with: "\(line) \(comment)")
      let run = try build(source, "--no-cache", "--strict")
      #expect(run.status == 0 && warnings(run) == [], "\(run.errors)")
    }
    let elsewhere = Self.strobe.replacing("-> 4 }", with: "-> 4 } \(comment)")
    #expect(try !warnings(build(elsewhere, "--no-cache")).isEmpty)
  }

  /// A scene with the label of its warning.
  private struct Cause: Sendable {
    let source: String
    let label: String
    /// The limit under which the scene passes.
    var passing: String?
  }

  private static let causes = [
    Cause(
      source: "scene { for: 2s;  size: 160x90;  background: wave(0.2s) > 0 ? red : black }",
      label: "'background' changes 100%"),
    Cause(
      source: """
        scene { for: 2s;  size: 160x90;  background: black
          group lights {
            for i in 0..3 {
              rect { position: (40 * i + 20, 45);  size: (40, 90);  fill: wave(0.2s) > 0 ? white : gray }
            }
          }
        }
        """,
      label: "'lights' changes 75%"),
    Cause(
      source: """
        scene { for: 2s;  size: 160x90
          group inner { opacity: wave(0.2s) > 0 ? 1 : 0;  rect { size: 160x90 };  circle { } }
        }
        """,
      label: "'inner' changes 100%"),
    Cause(
      source: """
        scene { for: 2s;  size: 160x90;  flash-limit: web
          rect { position: (30, 20);  size: (60, 40);  fill: wave(0.2s) > 0 ? white : black }
        }
        """,
      label: "'rect' changes 1", passing: "broadcast"),
  ]

  @Test(arguments: causes)
  private func theCauseIsNamed(_ row: Cause) throws {
    let run = try build(row.source, "--no-cache")
    #expect(run.status == 0 && run.errors.contains(row.label), "\(run.errors)")
    guard let passing = row.passing else { return }
    let other = try build(
      row.source.replacing("limit: web", with: "limit: \(passing)"), "--no-cache")
    #expect(other.status == 0 && warnings(other) == [], "\(other.errors)")
  }

  @Test func aLiteralPeriodIsFixed() throws {
    let run = try build(Self.strobe, "--no-cache")
    #expect(run.errors.contains("change the period to 0.34s: wave(0.34s)"), "\(run.errors)")
    let two = Self.strobe.replacing("size: 100%", with: "size: 100%;  rotate: 1deg * wave(0.3s)")
    #expect(try !build(two, "--no-cache").errors.contains("change the period"))
  }
}
