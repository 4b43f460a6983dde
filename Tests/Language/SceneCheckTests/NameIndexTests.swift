// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneDiagnostics
import SceneSyntax
import SceneTestSupport
import SceneText
import SceneTypes
import Testing

/// Compares the meanings of names according to the syntax with those found by a check.
@Suite("Names of a file", .cpuBudget(seconds: 10)) struct NameIndexTests {
  private static func file(_ text: String) -> SourceFile {
    SourceFile(id: FileID(0), name: "a.scene", text: text)
  }

  private static func index(_ text: String) -> NameIndex {
    NameIndex(parse(file(text)).tree)
  }

  /// The scenes of the corpus and of the examples, and the files of the library.
  private static let texts: [String] =
    Corpus.cases.map { Corpus.whole($0.source) }
    + ["Examples", "Sources/Language/SceneLibrary"].flatMap { folder in
      Repository.files(in: folder, ending: ".scene").compactMap { try? Repository.text($0) }
    }

  @Test func agreesWithTheChecker() throws {
    var options = CheckOptions()
    options.recordsNames = true
    var compared = 0
    for text in Self.texts {
      let file = Self.file(text)
      let result = checked(text, options)
      let found = result.foundNames
      let invalid = Set(result.diagnostics.filter { $0.severity == .error }.map(\.span))
      let index = Self.index(text)
      let names = Dictionary(
        index.symbols.indices.map { (index.symbols[$0].name.span, $0) },
        uniquingKeysWith: { a, _ in a })
      let uses = Dictionary(index.uses.map { ($0.span, $0) }, uniquingKeysWith: { a, _ in a })
      for (use, declared) in found where use.file == file.id && declared.file == file.id {
        // A different name was resolved only for a suggestion.
        guard let symbol = names[declared], file.text(declared) == file.text(use) else { continue }
        // An invalid name has no meaning.
        if invalid.contains(use) { continue }
        // The checker also finds effects and transitions for a call of a built-in function.
        if BuiltIn.all[file.text(use)] != nil { continue }
        compared += 1
        #expect(
          uses[use]?.meaning == .symbol(symbol), "\(file.text(use)) at \(use.start) of: \(text)")
      }
      // A use in the index must not have a different meaning in the check.
      for use in index.uses {
        guard case .symbol(let it) = use.meaning, let declared = found[use.span],
          ![.effect, .transition].contains(index.symbols[it].kind)
        else { continue }
        #expect(declared == index.symbols[it].name.span, "\(use.name) of: \(text)")
      }
    }
    #expect(compared > 700)
  }

  private func describe(_ text: String) -> [String] {
    let index = Self.index(text)
    return index.uses.map { use in
      switch use.meaning {
      case .symbol(let it):
        "\(use.name): \(index.symbols[it].kind) at \(index.symbols[it].name.span.start)"
      case .imported: "\(use.name): imported"
      case .parameter: "\(use.name): parameter elsewhere"
      case .builtIn: "\(use.name): built in"
      case .free: "\(use.name): free"
      }
    }
  }

  @Test func findsWhatNothingEvaluates() {
    #expect(
      describe("fn f(a: number) = a + b\nlet b = 2\nscene { }") == [
        "a: parameter at 5", "b: constant at 28",
      ])
    #expect(
      describe("component c(w: length) { rect { width: w } }\nscene { c x { w: 3 } }") == [
        "w: parameter at 12", "c: component at 10", "w: parameter at 12",
      ])
    #expect(
      describe("import \"b.scene\" as b\nscene { b.Card { fill: b.red } }") == [
        "b: file at 20", "Card: imported", "fill: parameter elsewhere", "b: file at 20",
        "red: imported",
      ])
  }

  @Test func innerNamesHideOuterOnes() {
    #expect(
      describe("let r = 1\nscene { let r = 2; circle { let r = r2; radius: r } }") == [
        "r2: free", "r: constant at 42",
      ])
    // In `each`, `index` is that of the unit. Words of an enumeration take precedence over names.
    #expect(
      describe(
        "let index = 1\nlet left = 2\nscene { text \"a\" { align: left; each glyph { x: index } } }"
      )
        == ["left: built in", "index: built in"])
  }

  @Test func elementsInLoopsAreSeenAround() {
    #expect(
      describe("scene { for i in 1..3 { circle dot { } }; line { from: dot[0].center } }") == [
        "dot: element at 31"
      ])
  }

  @Test func answersAtOffsets() throws {
    let text = "let gap = 4\nscene { for i in 1..3 { circle dot { radius: gap + i } } }"
    let index = Self.index(text)
    let use = try #require(text.range(of: "gap +")).lowerBound.utf16Offset(in: text)
    let gap = try #require(index.symbol(at: use))
    #expect(index.symbols[gap].name.text == "gap" && index.symbol(at: 5) == gap)
    #expect(index.uses(of: gap).map(\.start) == [use])
    #expect(index.visible(at: use).map { index.symbols[$0].name.text } == ["gap", "i", "dot"])
    #expect(index.members(of: nil).map { index.symbols[$0].name.text } == ["gap", "i", "dot"])
  }
}
