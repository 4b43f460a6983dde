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
@Suite("Names of a file", .cpuBudget(seconds: 5)) struct NameIndexTests {
  private static func file(_ text: String) -> SourceFile {
    SourceFile(id: FileID(0), name: "a.scene", text: text)
  }

  private static func index(_ text: String) -> NameIndex {
    NameIndex(parse(file(text)).tree)
  }

  /// The examples and the files of the library.
  private static let files = ["Examples", "Sources/Language/SceneLibrary"].flatMap {
    Repository.files(in: $0, ending: ".scene")
  }

  /// Compares the names of the first file of a scene. Returns the number of comparisons.
  private func compare(_ result: Checked, of text: String) -> Int {
    let file = Self.file(text)
    let found = result.foundNames
    let invalid = Set(result.diagnostics.filter { $0.severity == .error }.map(\.span))
    let index = Self.index(text)
    let names = Dictionary(
      index.symbols.indices.map { (index.symbols[$0].name.span, $0) },
      uniquingKeysWith: { a, _ in a })
    let uses = Dictionary(index.uses.map { ($0.span, $0) }, uniquingKeysWith: { a, _ in a })
    var compared = 0
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
    return compared
  }

  /// Tests that names have the same meanings, in one file and across files, as in the checker.
  @Test func agreesWithTheChecker() throws {
    var options = CheckOptions.brief
    options.recordsNames = true
    var links = LinkComparison()
    var compared = 0
    for source in Corpus.sources.share(every: 2) {
      let result = checked(source, options)
      compared += compare(result, of: source)
      links.add(result, of: source)
    }
    options.limits = Limits()
    for text in try Self.files.share(every: 2).map(Repository.text) {
      let result = checked(text, options)
      compared += compare(result, of: text)
      links.add(result, of: text)
    }
    #expect(compared > 350)
    #expect(links.compared > 50)
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

/// Compares the targets of names in other files with those that the checker finds.
private struct LinkComparison {
  private(set) var compared = 0

  /// The names of a file, and its uses by their spans.
  private struct Names {
    let index: NameIndex
    let uses: [SourceSpan: NameIndex.Use]

    init(_ source: SourceFile) {
      index = NameIndex(parse(source).tree)
      uses = Dictionary(index.uses.map { ($0.span, $0) }, uniquingKeysWith: { a, _ in a })
    }
  }

  /// The files of the library. Their spans contain the number of the file.
  private var library: [String: Names] = [:]

  private mutating func names(of source: SourceFile) -> Names {
    guard source.name.hasPrefix("std/") else { return Names(source) }
    let key = "\(source.id.rawValue) \(source.name)"
    if let known = library[key] { return known }
    let names = Names(source)
    library[key] = names
    return names
  }

  mutating func add(_ result: Checked, of text: String) {
    let links = result.foundNames.filter { $0.key.file != $0.value.file }
    // With errors, the checker also resolves names for suggestions.
    guard result.model != nil, !links.isEmpty else { return }
    let sources = result.sources
    var files: [String: Names] = [:]
    for source in sources { files[source.name] = names(of: source) }
    let known = NameLinks(files.mapValues(\.index))
    for (use, declared) in links {
      let file = sources[Int(use.file.rawValue)].name
      guard let found = files[file]?.uses[use], found.meaning != .builtIn else { continue }
      compared += 1
      let target = known.target(of: found, in: file)
      // The checker ignores effects and transitions if a call has the name of a built-in function.
      if target == nil, BuiltIn.all[found.name] != nil { continue }
      let place = target.flatMap { files[$0.file]?.index.symbols[$0.symbol].name.span }
      #expect(place == declared, "\(found.name) of: \(text)")
    }
  }
}
