// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneModel
import SceneTestSupport
import SceneText
import Testing

/// Descriptions in the time of the video, and their overlaps with speech.
@Suite("Descriptions", .cpuBudget(seconds: 1)) struct DescriptionTests {
  private static let captions = """
    WEBVTT

    00:01.000 --> 00:02.000
    one

    00:04.000 --> 00:06.000
    two
    """

  private func check(_ text: String) -> Checked {
    checked(text, texts: ["c.vtt": Self.captions])
  }

  private func model(_ text: String) throws -> SceneModel {
    let checked = check(text)
    return try #require(checked.model, "\(checked.diagnostics.map(\.message))")
  }

  /// Returns the descriptions as lines such as `1-2 one`.
  private func descriptions(_ text: String) throws -> [String] {
    try #require(model(text).descriptions).track.timedTexts.map {
      "\(Double($0.start) / 1000)-\(Double($0.end) / 1000) \($0.lines.joined(separator: "/"))"
    }
  }

  @Test(arguments: [
    // 15 letters a second, the sound, or `for`.
    ("scene { for: 9s;  description \"fifteen letters\" { at: 2s } }", ["2.0-3.0 fifteen letters"]),
    ("scene { for: 9s;  description \"a\\n  b\" { at: 2s;  for: 3s } }", ["2.0-5.0 a b"]),
    (
      "scene { for: 19s;  description \"a\" { at: 2s;  source: \"voice.wav\" } }", ["2.0-12.0 a"]
    ),
    // Lifetimes shift and cut descriptions.
    (
      "scene { for: 9s;  group { at: 1s;  for: 2s;  description \"a\" { at: 1s;  for: 3s } } }",
      ["2.0-3.0 a"]
    ),
    // Clips of a sequence, and scenes with their own clocks.
    (
      """
      scene part { for: 3s;  description "a" { at: 1s;  for: 1s } }
      scene { sequence { part { };  part { speed: 2 };  part { trim: 1.5s .. 3s } } }
      """,
      ["1.0-2.0 a", "3.5-4.0 a", "4.5-5.0 a"]
    ),
    (
      """
      scene part { for: 3s;  description "a" { at: 1s;  for: 1s } }
      scene { for: 4s;  fps: 10;  part { time: keyframes { 0s: 0s;  2s: 3s;  4s: 0s };  for: 4s } }
      """,
      ["0.7-1.4 a", "2.7-3.4 a"]
    ),
    (
      "scene { sequence { rect { for: 1s };  description \"fifteen letters\";  rect { for: 1s } } }",
      ["1.0-2.0 fifteen letters"]
    ),
  ])
  func descriptionsAreInTheTimeOfTheVideo(_ text: String, _ wanted: [String]) throws {
    #expect(try descriptions(text) == wanted)
  }

  /// A description does not count for the duration of the scene and is not drawn.
  @Test func descriptionsChangeNothingElse() throws {
    let plain = try model("scene { rect { for: 2s };  audio \"voice.wav\" { for: 2s } }")
    let described = try model(
      """
      scene { rect { for: 2s;  alt: "A box" };  audio "voice.wav" { for: 2s }
        description "a" { for: 1s;  source: "voice.wav" } }
      """)
    #expect(described.duration == plain.duration && described.elements.count == 1)
    #expect(described.sound.voices.count == 1)
    #expect(described.descriptions?.sound.voices.isEmpty == true)
  }

  /// The mix is lowered under descriptions with a sound, even in muted groups.
  @Test func describedMixIsLowered() throws {
    let model = try model(
      """
      scene { for: 20s;  audio "theme.wav" { loop: true }
        group { volume: 0;  description "a" { at: 5s;  for: 2s;  source: "voice.wav" } }
        output { described: mix } }
      """)
    let sound = try #require(model.descriptions).sound
    try #require(sound.voices.count == 2)
    #expect(sound.voices[1].left == .one && model.described.sound == sound)
    var evaluator = Evaluator(sound.program, metrics: FixedMetrics())
    func gain(_ seconds: Double) throws -> Double {
      evaluator.evaluateAll(at: try #require(Ticks(rounding: seconds * Double(Ticks.perSecond))))
      return (evaluator(sound.voices[0].left) * 1000).rounded() / 1000
    }
    #expect(try [1, 4.7, 5, 6, 7, 7.9, 19].map(gain) == [1, 1, 0.251, 0.251, 0.251, 1, 1])
  }

  // MARK: Speech

  /// Returns the warnings as lines such as `label: advice`.
  private func warnings(_ body: String) -> [String] {
    check("scene { for: 9s;  \(body) }").diagnostics.filter { $0.code == .descriptionOverSpeech }
      .map { "\($0.label): \($0.fixIts.map(\.message) + $0.notes.map(\.message))" }
  }

  @Test(arguments: [
    ("at: 0.3s", []), ("at: 2s", []), ("at: 6s", []),
    ("at: 1.8s", ["speech from 1s to 2s: [\"start it in the pause at 2s\"]"]),
    // A pause of one second before the speech is just long enough.
    ("at: 0.4s;  for: 1s", ["speech from 1s to 2s: [\"start it in the pause at 0s\"]"]),
    ("at: 4.5s;  for: 2s", ["speech from 4s to 6s: [\"start it in the pause at 6s\"]"]),
    ("at: 3.9s;  for: 2s", ["speech from 4s to 6s: [\"start it in the pause at 2s\"]"]),
    (
      "at: 1s;  for: 6s",
      [
        "speech from 1s to 2s: [\"no pause is long enough: shorten \\'for\\' to 3s to fit the longest one, at 6s\"]"
      ]
    ),
  ])
  func speechIsInCaptions(_ times: String, _ wanted: [String]) {
    let text = "captions \"c.vtt\" { language: \"en\" };  description \"A red b\" { \(times) }"
    #expect(warnings(text) == wanted)
  }

  /// The captions leave 1 s, 2 s and 3 s free.
  @Test(arguments: [
    (
      "description \"\(String(repeating: "a", count: 60))\"",
      "no pause is long enough: remove 15 letters to fit the longest one, 3s at 6s"
    ),
    (
      "description \"a\" { source: \"voice.wav\" }",
      "no pause is long enough: shorten the sound to 3s to fit the longest one, at 6s"
    ),
    (
      "description \"a\" { source: \"voice.wav\";  for: 5s }",
      "no pause is long enough: shorten \\'for\\' to 3s to fit the longest one, at 6s"
    ),
    (
      "for n in 0..2 { description \"a\" { at: 1.5s + 3s * n;  for: 2.5s } }",
      "no pause is free in every repetition; shorten the description, or the speech"
    ),
    (
      "group { at: 1s;  for: 1s;  description \"a\" }",
      "there is no pause; remove the description, or shorten the speech"
    ),
  ])
  func adviceNamesTheLengthToChange(_ body: String, _ advice: String) {
    let found = warnings("captions \"c.vtt\" { language: \"en\" };  \(body)")
    #expect(found.count == 1 && found.allSatisfy { $0.hasSuffix("[\"\(advice)\"]") }, "\(found)")
  }

  /// Pauses cannot be measured on a clock that is not linear, so the warning has no advice.
  @Test func variableClocksHaveNoAdvice() throws {
    let found = check(
      """
      scene part { for: 3s;  description "a" { at: 1s;  for: 1s } }
      scene { for: 9s;  captions "c.vtt" { language: "en" }
        part { time: keyframes { 0s: 0s;  2s: 3s;  4s: 0s };  for: 4s } }
      """
    ).diagnostics.filter { $0.code == .descriptionOverSpeech }
    try #require(found.count == 1)
    #expect(found[0].notes.isEmpty && found[0].fixIts.isEmpty)
  }

  /// A scene that plays the description without speech does not remove the warning of another
  /// scene.
  @Test(arguments: [["a", "b"], ["b", "a"]])
  func eachSceneIsChecked(_ order: [String]) {
    let scenes = [
      "a": "scene a { for: 9s;  captions \"c.vtt\" { language: \"en\" };  part { } }",
      "b": "scene b { for: 9s;  part { } }",
    ]
    let part = "scene part { for: 3s;  description \"a\" { at: 1.2s;  for: 0.5s } }"
    let text = ([part] + order.compactMap { scenes[$0] }).joined(separator: "\n")
    #expect(check(text).diagnostics.count { $0.code == .descriptionOverSpeech } == 1)
  }

  @Test func mainLanguageDecides() {
    let german = "captions \"talk.srt\" { language: \"de\" };  "
    let english = "captions \"c.vtt\" { language: \"en-US\" };  "
    let description = "description \"A red b\" { at: 2.2s;  for: 0.5s }"
    #expect(warnings(german + english + description).count == 1)
    #expect(warnings("language: \"en\";  " + german + english + description).isEmpty)
    #expect(warnings("language: \"fr\";  " + english + german + description).isEmpty)
  }

  /// The sound of the test alternates between a loud and a silent second.
  @Test func speechIsMeasuredWithoutCaptions() {
    let voice = "audio \"voice.wav\" { for: 9s;  speech: true };  "
    #expect(warnings(voice + "description \"a\" { at: 1.3s;  for: 0.4s }").isEmpty)
    let over = "description \"a\" { at: 2.5s;  for: 0.4s }"
    #expect(
      warnings(voice + over) == ["speech from 1.8s to 3.2s: [\"start it in the pause at 3.2s\"]"])
    #expect(warnings("audio \"voice.wav\" { for: 9s };  " + over).isEmpty)
    #expect(warnings(voice + "captions \"c.vtt\";  " + over).isEmpty)
  }

  private func fixed(_ text: String) -> (text: String, left: Int) {
    let (bytes, _) = allFixed(Array(text.utf8)) { bytes -> [Diagnostic]? in
      check(String(decoding: bytes, as: UTF8.self)).diagnostics
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return (text, check(text).diagnostics.count { $0.code == .descriptionOverSpeech })
  }

  /// Fixes replace, add and shift `at`.
  @Test(arguments: [
    ("description \"A red boat\" { at: 1.2s }", "description \"A red boat\" { at: 2s }"),
    (
      "let t = 1s;  description \"A red boat\" { at: t + 0.2s }",
      "let t = 1s;  description \"A red boat\" { at: (t + 0.2s) + 0.8s }"
    ),
    (
      "group { at: 4s;  description \"A red boat\" }",
      "group { at: 4s;  description \"A red boat\" { at: 2s } }"
    ),
    (
      "group { at: 4s;  description \"A red boat\" { volume: 0.5 } }",
      "group { at: 4s;  description \"A red boat\" { at: 2s;  volume: 0.5 } }"
    ),
    // Two descriptions do not get the same pause.
    (
      "description \"a\" { at: 4.6s;  for: 2s };  description \"b\" { at: 4.7s;  for: 2s }",
      "description \"a\" { at: 6.7s;  for: 2s };  description \"b\" { at: 2s;  for: 2s }"
    ),
    // A repeated description moves only where each repetition is free.
    (
      "for n in 0..2 { description \"a\" { at: 1.5s + 3s * n;  for: 0.5s } }",
      "for n in 0..2 { description \"a\" { at: (1.5s + 3s * n) - 1s;  for: 0.5s } }"
    ),
  ])
  func fixesAreFree(_ body: String, _ wanted: String) {
    func scene(_ body: String) -> String {
      "scene { for: 9s;  captions \"c.vtt\" { language: \"en\";  visible: false };  \(body) }"
    }
    let result = fixed(scene(body))
    #expect(result.text == scene(wanted))
    #expect(result.left == 0)
  }

  @Test func warningsCanBeAllowed() {
    let text = """
      scene { for: 9s;  captions "c.vtt" { language: "en" }
        description "A red boat" { at: 1.2s } // scenec: allow W0519 the line is only music
      }
      """
    let codes = check(text).diagnostics.map(\.code)
    #expect(!codes.contains(.descriptionOverSpeech) && !codes.contains(.uselessAllow))
  }

  // MARK: Errors

  @Test(arguments: [
    ("description \"\"", "the description is empty"),
    ("description", "'description' requires a text"),
    ("description \"a\" { source: \"none.wav\" }", "file 'none.wav' not found"),
    ("description \"a\" { source: \"a*.wav\" }", "'description' accepts a single file"),
    ("description \"a\" { language: \"../x\" }", "'../x' is not a language tag"),
    ("description \"a\" { fill: red }", "'fill' is not a property of 'description'"),
    ("description \"a\" { rect { } }", "'description' cannot contain 'rect'"),
    (
      "rect { alt: \"a\";  decorative: true }",
      "'alt' cannot be combined with 'decorative: true'"
    ),
    (
      "audio \"voice.wav\" { alt: \"a\";  decorative: true }",
      "'alt' cannot be combined with 'decorative: true'"
    ),
    ("alt: \"a\";  decorative: true", "'alt' cannot be combined with 'decorative: true'"),
    ("alt: \"\";  rect { decorative: true }", "the alternative text is empty"),
    ("description \" \\n\"", "the description is empty"),
  ])
  func mistakesAreErrors(_ body: String, _ message: String) {
    let found = check("scene { for: 19s;  rect { };  \(body) }").diagnostics
      .filter { $0.severity == .error }.map(\.message)
    #expect(found == [message])
  }

  /// Only a literal in the body of the element can be replaced.
  @Test(arguments: [
    ("rect { alt: \"\" }", "rect { decorative: true }"),
    ("rect { alt: \" \\n\";  size: 4 }", "rect { decorative: true;  size: 4 }"),
    ("rect { alt:\"\" }", "rect { decorative: true }"),
    ("rect { alt: \"\";  decorative: false }", nil), ("rect { alt: none-yet }", nil),
    ("rect { style: silent }", nil), ("Card { }", nil),
  ])
  func emptyAlternativesHaveAFix(_ body: String, _ wanted: String?) throws {
    let head = """
      let none-yet = ""
      style silent { alt: "" }
      component Card(words: text = "") { rect { alt: words } }
      scene { for: 1s;
      """
    let text = "\(head)  \(body) }"
    let found = check(text).diagnostics.filter { $0.message == "the alternative text is empty" }
    let problem = try #require(found.count == 1 ? found[0] : nil)
    guard let fix = problem.fixIts.first else {
      #expect(wanted == nil && problem.notes.contains { $0.isHelp })
      return
    }
    let bytes = Array(text.utf8)
    let edited =
      bytes[..<fix.span.start] + Array(fix.replacement.utf8) + bytes[fix.span.end...]
    #expect(String(decoding: edited, as: UTF8.self) == "\(head)  \(wanted ?? "") }")
    #expect(!fix.isSafe)
  }

  @Test func emptyDescriptionsHaveAdvice() {
    let found = check("scene { for: 1s;  description \"\" }").diagnostics
    #expect(found.first?.notes.contains { $0.isHelp && $0.message.contains("or remove") } == true)
  }

  @Test(arguments: [
    ("alt: \"a\";  decorative: false", 0), ("decorative: true", 0), ("alt: \"a\"", 0),
    ("alt: \"\";  decorative: true", 0), ("alt: \" \";  decorative: \"\" == \"\"", 0),
  ])
  func elementsHaveAlternatives(_ body: String, _ count: Int) {
    #expect(check("scene { for: 1s;  rect { \(body) } }").diagnostics.count == count)
  }

  /// An element is decorative if the text of its component is empty.
  @Test(arguments: [("", 0), ("words: \"\"", 0), ("words: \"A card\"", 0), ("plain: false", 1)])
  func textsOfComponentsCanBeEmpty(_ use: String, _ count: Int) {
    let text = """
      component Card(words: text = "", plain: bool = true) {
        rect { alt: words;  decorative: plain and words == "" }
      }
      scene { for: 1s;  Card { \(use) } }
      """
    #expect(check(text).diagnostics.count == count, "\(check(text).diagnostics)")
  }

  @Test func descriptionsBeyondTheEndAreWarnings() {
    func codes(_ body: String) -> [Code] {
      check("scene { for: 3s;  \(body) }").diagnostics.map(\.code)
    }
    #expect(codes("rect { };  description \"a\" { at: 4s }").contains(.neverHeard))
    let part = "scene part { for: 2s;  rect { };  description \"a\" { for: 0.5s } }\n"
    let uses = "scene { sequence { part { trim: 1s .. 2s };  part { } } }"
    #expect(!check(part + uses).diagnostics.map(\.code).contains(.neverHeard))
    #expect(codes("rect { };  description \"fifteen letters\" { at: 2.5s }").contains(.soundCut))
    #expect(!codes("rect { };  description \"fifteen letters\" { at: 2s }").contains(.soundCut))
  }
}
