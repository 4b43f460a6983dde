// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneIR
import SceneModel
import SceneTestSupport
import Testing

/// The caption tracks of a scene, in the time of its video.
@Suite("Caption tracks of scenes", .cpuBudget(seconds: 1)) struct SceneCaptionTests {
  private static let file = """
    WEBVTT

    00:01.000 --> 00:02.000
    one

    00:02.000 --> 00:03.000 line:0 align:left
    two
    """

  /// Returns the tracks as lines such as `captions/en/Label 1-2 one`.
  private func tracks(_ text: String) throws -> [String] {
    let checked = checked(text, texts: ["c.vtt": Self.file])
    let model = try #require(checked.model, "\(checked.diagnostics.map(\.message))")
    return model.captions.map { track in
      let cues = track.timedTexts.map {
        "\(Double($0.start) / 1000)-\(Double($0.end) / 1000) \($0.lines.joined(separator: "/"))"
      }
      return (["\(track.kind.rawValue)/\(track.language)/\(track.label)"] + cues)
        .joined(separator: ", ")
    }
  }

  @Test(arguments: [
    (
      "scene { for: 9s;  captions \"c.vtt\" }",
      ["captions//, 1.0-2.0 one, 2.0-3.0 two"]
    ),
    // Lifetimes shift and cut captions.
    (
      "scene { for: 9s;  captions \"c.vtt\" { at: 1.5s;  for: 2s } }",
      ["captions//, 2.5-3.5 one"]
    ),
    ("scene { for: 2.5s;  captions \"c.vtt\" }", ["captions//, 1.0-2.0 one, 2.0-2.5 two"]),
    (
      "scene { for: 9s;  group { at: 1s;  for: 1.5s;  captions \"c.vtt\" } }",
      ["captions//, 2.0-2.5 one"]
    ),
    // Hidden captions are part of the tracks, and the language is inherited.
    (
      """
      scene { for: 9s;  language: "de";  captions "c.vtt" { visible: false;  for: 2s }
        captions "c.vtt" { language: "en";  label: "English";  kind: subtitles;  for: 2s }
        captions "c.vtt" { at: 4s;  for: 2s } }
      """,
      ["captions/de/, 1.0-2.0 one, 5.0-6.0 one", "subtitles/en/English, 1.0-2.0 one"]
    ),
    // Clips of a sequence, and scenes with their own clocks.
    (
      """
      scene part { for: 3s;  captions "c.vtt" }
      scene { sequence { part { };  part { speed: 2 };  part { trim: 2s .. 3s } } }
      """,
      ["captions//, 1.0-2.0 one, 2.0-3.0 two, 3.5-4.0 one, 4.0-4.5 two, 4.5-5.5 two"]
    ),
    (
      """
      scene part { for: 3s;  captions "c.vtt" }
      scene { for: 6s;  part { loop: true;  for: 6s;  volume: 0 } }
      """,
      ["captions//, 1.0-2.0 one, 2.0-3.0 two, 4.0-5.0 one, 5.0-6.0 two"]
    ),
    (
      """
      scene part { for: 3s;  captions "c.vtt" }
      scene { for: 3s;  part { speed: -1 } }
      """,
      ["captions//, 0.0-1.0 two, 1.0-2.0 one"]
    ),
    // A clock that cannot be inverted is sampled at the frames.
    (
      """
      scene part { for: 3s;  captions "c.vtt" }
      scene { for: 4s;  fps: 10;  part { time: keyframes { 0s: 0s;  2s: 3s;  4s: 0s };  for: 4s } }
      """,
      ["captions//, 0.7-1.4 one, 1.4-2.7 two, 2.7-3.4 one"]
    ),
  ])
  func captionsAreInTheTimeOfTheVideo(_ text: String, _ wanted: [String]) throws {
    #expect(try tracks(text) == wanted)
  }

  @Test func positionsOfTheSceneTakePrecedence() throws {
    func isAtTop(_ properties: String) throws -> [Bool] {
      let text = "scene { for: 9s;  captions \"c.vtt\" { \(properties) } }"
      let checked = checked(text, texts: ["c.vtt": Self.file])
      return try #require(checked.model).captions[0].cues.map(\.isAtTop)
    }
    #expect(try isAtTop("") == [false, true])
    #expect(try isAtTop("position: (50%, 10%);  anchor: top") == [true, true])
    #expect(try isAtTop("position: (50%, 90%)") == [false, false])
  }

  /// Only the drawings of captions are hidden, and other elements stay the same objects.
  @Test func captionsCanBeHidden() throws {
    let text = """
      scene { for: 3s;  group { captions "c.vtt" };  rect { } }
      """
    let checked = checked(text, texts: ["c.vtt": Self.file])
    let model = try #require(checked.model)
    let hidden = model.withoutCaptions
    #expect(hidden.elements[0].children[0].visible == .zero)
    #expect(hidden.elements[1] === model.elements[1] && hidden.captions == model.captions)
  }

  // MARK: Times of words

  private static let words = """
    WEBVTT

    00:01.000 --> 00:03.000
    <00:01.500>One <00:02.000>two
    """

  private func opacities(_ each: String, at seconds: Double, _ file: String = words) throws
    -> [Double]
  {
    let text = "scene { for: 9s;  captions \"c.vtt\" { each word { \(each) } } }"
    let checked = checked(text, texts: ["c.vtt": file])
    let model = try #require(checked.model, "\(checked.diagnostics.map(\.message))")
    guard case .text(_, _, _, let units?) = model.elements[0].children[0].drawing else { return [] }
    var evaluator = Evaluator(model.program, metrics: FixedMetrics())
    evaluator.evaluate(at: Ticks(Int64(seconds * Double(Ticks.perSecond))))
    return units.units.map { (evaluator($0.opacity) * 1000).rounded() / 1000 }
  }

  @Test(arguments: [
    (1.2, [0.0, 0]), (1.75, [0.5, 0]), (2.0, [1, 0]), (2.25, [1, 0.25]), (2.9, [1, 0.9]),
  ])
  func wordsAreSpokenAtTheirTimes(_ seconds: Double, _ wanted: [Double]) throws {
    #expect(try opacities("opacity: spoken", at: seconds) == wanted)
  }

  /// The clock of a word begins when the word is spoken.
  @Test func clocksOfWordsBeginWithThem() throws {
    #expect(try opacities("opacity: 0 -> 1 over 0.5s", at: 2.25) == [1, 0.5])
  }

  @Test func spokenRequiresTimesOfWords() throws {
    func messages(_ body: String, _ file: String = Self.file) -> [String] {
      checked("scene { for: 9s;  \(body) }", texts: ["c.vtt": file]).diagnostics.map {
        "\($0.code.rawValue) \($0.message)"
      }
    }
    let missing = "E0203 'spoken' is unknown, since the captions have no word timestamps"
    #expect(
      messages("captions \"c.vtt\" { each word { opacity: spoken } }").contains(missing))
    #expect(
      messages("captions \"c.vtt\" { each line { opacity: spoken } }", Self.words) == [missing])
    #expect(
      messages("text \"a b\" { each word { opacity: spoken } }").first?.hasPrefix("E0203") == true)
    #expect(
      messages("captions \"c.vtt\" { each word { stagger: 1s;  opacity: spoken } }", Self.words)
        == ["W0310 'stagger' has no effect on words with times"])
    #expect(messages("captions \"c.vtt\" { each word { stagger: 0.1s;  enter: fade } }") == [])
  }
}
