// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Flash warnings of complete builds.
@Suite("Flashes of builds", .cpuBudget(seconds: 20)) struct FlashTests {
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

  /// Videos from the test suite of IRIS get its verdicts: only the video that flashes twice a
  /// second for six seconds fails.
  @Test(arguments: [
    ("2Hz_5s", false), ("2Hz_6s", true), ("extendedFLONG", false), ("gray", false),
    ("intermitentEF", false),
  ])
  func verdictsAgreeWithIRIS(name: String, fails: Bool) throws {
    try FileManager.default.copyItem(
      atPath: "\(Repository.path)/Tests/Conformance/flash/\(name).mp4",
      toPath: "\(folder.path)/clip.mp4")
    let run = try build(
      """
      scene {
        size: 320x180;  fps: 25;  flash-limit: broadcast
        video "clip.mp4" { size: 100% }
      }
      """, "--no-cache")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.errors.contains("about twice a second for too long") == fails, "\(run.errors)")
    #expect(!run.errors.contains("WCAG"), "\(run.errors)")
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

  /// A scene with a single element `strobe`, and the literal that determines its period.
  private struct Strobe: Sendable, CustomTestStringConvertible {
    let literal: String
    /// The scene around the element, which replaces `STROBE`.
    var around = "STROBE"
    let element: String

    var testDescription: String { "\(literal) in \(around): \(element)" }

    var source: String {
      """
      style blinking { fill: wave(0.16s) > 0 ? gold : navy }
      scene { for: 4s;  size: 160x90;  fps: 25;  background: black
        rect { size: 100%;  fill: #101010 -> #202020 }
        circle { radius: 9;  position: (0 -> 160, 30);  fill: orange }
        circle { radius: 9;  position: (160 -> 0, 60);  fill: teal }
      \(around.replacing("STROBE", with: "\n\(element)\n"))
      }
      """
    }
  }

  private static let strobes = [
    Strobe(
      literal: "0.2s", element: "rect strobe { size: 80%;  fill: wave(0.2s) > 0 ? white : black }"),
    Strobe(
      literal: "0.12s",
      around: "camera { zoom: 1 -> 1.2;  rect { size: 100%;  fill: #203040 } STROBE }",
      element: "circle strobe { radius: 40;  fill: loop(red -> white -> black over 0.12s) }"),
    Strobe(
      literal: "5Hz", around: "group { opacity: 0.4 -> 1;  STROBE }",
      element:
        "path strobe \"M 9 9 H 150 V 80 H 9 Z\" { fill: sin(t * 5Hz * 360deg) > 0 ? red : black }"),
    Strobe(
      literal: "0.1s",
      around:
        "sequence { transition: dissolve over 1.2s;  rect { for: 1.6s } STROBE rect { for: 2s } }",
      element:
        "rect strobe { for: 2.8s;  fill: white;  opacity: loop(0 -> 1 over 0.1s, mirror: true) }"),
    Strobe(
      literal: "0.25s",
      around:
        "sequence { transition: cube over 0.4s;  rect { for: 1.2s } STROBE rect { for: 1s } }",
      element:
        "ellipse strobe { for: 2.4s;  radius: (70, 40);  fill: white;  visible: wave(0.25s) > 0 }"),
    Strobe(
      literal: "0.16s",
      element: "star strobe { points: 9;  radius: 45;  inner-radius: 40;  style: blinking }"),
    Strobe(
      literal: "0.1s",
      element:
        "rect strobe { size: 80%;  fill: white;  rotate: loop(0deg -> 9deg -> 0deg over 0.9s);  filter: brightness(fract(t / 0.1s) < 0.5 ? 1 : 0.1) }"
    ),
  ]

  @Test(arguments: strobes)
  private func plantedStrobesAreFoundAndFixed(_ row: Strobe) throws {
    let run = try build(row.source, "--no-cache")
    let lines = row.source.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains(" strobe ") }) + 1
    #expect(run.errors.contains("a.scene:\(line):1\n"), "\(run.errors)")
    let fix = try #require(
      run.errors.firstMatch(of: /change the (period|rate) from (\S+) to (\S+)/), "\(run.errors)")
    #expect(fix.2 == row.literal)
    let fixed = try build(
      row.source.replacing(row.literal, with: String(fix.3)), "--no-cache")
    #expect(fixed.status == 0 && warnings(fixed) == [], "\(fixed.errors)")
  }

  /// The fix edits the period in a `let` only if the value is a literal and no other declaration
  /// has the same name.
  @Test(arguments: [
    ("let beat = 0.2s", "wave(beat)", "beat"), ("let beat: time = 0.2s;", "wave(beat)", "beat"),
    ("let pulse = 5Hz", "sin(t * pulse * 360deg)", "pulse"),
    ("let beat = 0.2s", "loop(1 -> -1 over beat)", "beat"),
    ("let beat = 0.2s", "wave(beat) + wave(beat)", "beat"),
    ("let beat = 0.1s * 2", "wave(beat)", nil), ("let beat = 0.4s", "wave(beat / 2)", nil),
    ("param beat: time = 0.2s", "wave(beat)", nil),
    ("let all = [0.2s]", "wave(all[0])", nil),
    ("let beat = 0.1s", "loop(1 -> -1 over beat + 0.1s)", nil),
    ("let beat = 0.1s", "loop(1 -> -1 over 0.2s, beat * 2)", nil),
    (
      "component A() { let beat = 9s;  rect { for: beat } }\nlet beat = 0.2s", "wave(beat)", "beat"
    ),
    (
      "let beat = 0.2s\ncomponent A() { let beat = 9s;  rect { for: beat } }", "wave(beat)", "beat"
    ),
  ])
  func periodsOfLetsAreFixed(_ head: String, _ value: String, _ name: String?) throws {
    let source = """
      \(head)
      scene { for: 2s;  size: 160x90;  fps: 30
        rect { size: 100%;  fill: \(value) > 0 ? white : black }
      }
      """
    let run = try build(source, "--no-cache")
    #expect(!warnings(run).isEmpty, "\(run.errors)")
    guard let name else {
      #expect(!run.errors.contains("help: change"), "\(run.errors)")
      return
    }
    let fix = try #require(
      run.errors.firstMatch(of: /change '(\w+)' from (\S+) to (\S+)/), "\(run.errors)")
    #expect(fix.1 == name)
    let fixed = try build(
      source.replacing(String(fix.2), with: String(fix.3)), "--no-cache")
    #expect(fixed.status == 0 && warnings(fixed) == [], "\(fixed.errors)")
  }

  /// The fix does not edit a `let` in another body if the name is imported, or a `let` with other
  /// uses.
  @Test(arguments: [
    ("component A() { let beat = 0.21s;  rect { for: beat } }", "", nil),
    ("", "group { let beat = 0.21s;  rect { for: beat } }", nil), ("", "let beat = 0.2s", "0.2s"),
  ])
  func onlyVisibleLetsAreChanged(head: String, body: String, wanted: String?) throws {
    try folder.write("lib.scene", "let beat = 0.2s")
    let source = """
      \(wanted == nil ? "import \"lib.scene\"" : "")
      \(head)
      scene { for: 2s;  size: 160x90;  fps: 30;  \(body)
        rect { size: 100%;  fill: wave(beat) > 0 ? white : black }
      }
      """
    let run = try build(source, "--no-cache")
    #expect(!warnings(run).isEmpty, "\(run.errors)")
    let fix = run.errors.firstMatch(of: /change 'beat' from (\S+) to/)
    #expect(fix.map { String($0.1) } == wanted, "\(run.errors)")
  }

  @Test func onlyTheLiteralThatFitsTheRateIsChanged() throws {
    let run = try build(Self.strobe, "--no-cache")
    #expect(run.errors.contains("change the period from 0.2s to 0.5s"), "\(run.errors)")
    let whole = try build(
      Self.strobe.replacing("at: 1s;  for: 6s;", with: ""), "--no-cache")
    #expect(whole.errors.contains("change the period from 0.2s to 0.34s"), "\(whole.errors)")
    func other(_ period: String) throws -> Bool {
      let text = "size: 100%;  rotate: 1deg * wave(\(period))"
      return try build(Self.strobe.replacing("size: 100%", with: text), "--no-cache")
        .errors.contains("change the period from 0.2s")
    }
    #expect(try other("0.3s"))
    #expect(try !other("0.2s"))
  }
}
