// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneTestSupport
import Testing

/// Tests that the diagnostics of a file depend on the purpose of the check.
@Suite("Files without a scene", .cpuBudget(seconds: 1)) struct LibraryTests {
  private func codes(_ text: String, _ purpose: CheckOptions.Purpose) -> [Code] {
    var options = CheckOptions()
    options.purpose = purpose
    return checked(text, options).diagnostics.map(\.code)
  }

  @Test func onlyWhatIsDrawnNeedsAScene() {
    for (text, found) in [("let a = 1", []), ("", [.noScene]), ("// a word\n", [.noScene])]
      as [(String, [Code])]
    {
      #expect(codes(text, .build) == [.noScene])
      #expect(codes(text, .check) == found)
      #expect(codes(text, .edit) == [])
    }
  }

  @Test func onlyWhatIsDrawnNeedsValues() {
    let library = "param size: length\nlet twice = size * 2"
    #expect(codes(library, .build) == [.noScene, .missingProperty])
    #expect(codes(library, .check) == [])
    let scene = "param size: length\nscene { for: 1s; circle { radius: size; position: center } }"
    #expect(codes(scene, .build) == [.missingProperty])
    #expect(codes(scene, .check) == [.missingProperty])
    #expect(codes(scene, .edit) == [])
  }

  @Test(arguments: [
    "number", "percent", "length", "time", "angle", "gain", "rate", "pair", "color", "text", "bool",
    "path", "paint", "easing", "range", "left | right",
  ])
  func aValueOfEachTypeStandsIn(_ type: String) {
    #expect(
      codes("param p: \(type)\nlet q: \(type) = p\nscene { for: 1s }", .edit) == [.unusedName])
  }

  /// An editor still gets a model of a scene whose param has no value: a stand-in replaces it.
  @Test func somethingIsShownMeanwhile() {
    var options = CheckOptions()
    options.purpose = .edit
    let text = "param word: left | right\nscene { for: 1s; text \"a\" { align: word } }"
    #expect(checked(text, options).model != nil)
  }

  /// Tests that an editor shows unused names together with other errors, except syntax errors,
  /// since a line that cannot be parsed may contain their uses.
  @Test func unusedNamesAreReportedBesideErrors() {
    let wrong = "let gap = 1\nscene { for: 1s; circle { radus: 4 } }"
    #expect(codes(wrong, .edit) == [.unknownProperty, .unusedName])
    #expect(codes(wrong, .build) == [.unknownProperty])
    #expect(
      codes("let gap = 1  // scenec: allow W0201\nscene { for: 1s; circle { radus: 4 } }", .edit)
        == [.unknownProperty])
    #expect(
      !codes("let gap = 1\nscene { for: 1s; circle { radius: (gap } }", .edit)
        .contains(.unusedName))
  }

  @Test func aLibraryHasWarningsAndAllowsThem() {
    #expect(codes("let circle = 1", .check) == [])
    #expect(codes("let red = 1", .check) == [.shadowsBuiltIn])
    #expect(codes("let red = 1  // scenec: allow W0202", .check) == [])
    #expect(codes("let r = 1  // scenec: allow W0202", .check) == [.uselessAllow])
    // A reason may follow the codes.
    #expect(codes("let red = 1  // scenec: allow W0202 as the data call it", .check) == [])
    #expect(
      codes("let red = 1  // scenec: allow W0202, W0305 by hand, W1", .check) == [.uselessAllow])
    #expect(
      codes("let red = 1  // scenec: allow shadows", .check) == [.shadowsBuiltIn, .uselessAllow])
    // A color may redefine a color name.
    for value in ["#c00", "rgb(200, 0, 0)", "crimson", "darken(#f00, 10%)"] {
      #expect(codes("let red = \(value)", .check) == [], "\(value)")
    }
    #expect(codes("param red: color = white", .check) == [])
    #expect(codes("let red = 40%", .check) == [.shadowsBuiltIn])
  }
}
