// SPDX-License-Identifier: MIT
import SceneCheck
import SceneSyntax
import SceneTestSupport
import SceneText
import SceneTypes
import Testing

/// Tests names across files and the properties of symbols.
@Suite("Names across files", .cpuBudget(seconds: 1)) struct NameLinksTests {
  private static func index(_ text: String) -> NameIndex {
    NameIndex(parse(SourceFile(id: FileID(0), name: "a.scene", text: text)).tree)
  }

  /// Returns "b.scene: component Card" for each use of a name in the first file.
  private func describe(_ files: KeyValuePairs<String, String>) -> [String] {
    let indexes = Dictionary(uniqueKeysWithValues: files.map { ($0.key, Self.index($0.value)) })
    let links = NameLinks(indexes)
    return (indexes[files[0].key]?.uses ?? []).map { use in
      guard let target = links.target(of: use, in: files[0].key) else { return "\(use.name)?" }
      guard let symbol = indexes[target.file]?.symbols[target.symbol] else {
        return "\(use.name) in \(target.file)"
      }
      return "\(target.file): \(symbol.kind) \(symbol.name.text)"
    }
  }

  @Test func followsImports() {
    let brand =
      "let accent = red\nlet _own = 1\ncomponent Card(wide: length) { }\neffect fade(by: number) { }"
    #expect(
      describe([
        "films/a.scene": """
        import "../brand.scene"
        scene { Card { wide: _own; fill: accent }; text "a" { enter: fade(by: 1); exit: rise } }
        """, "brand.scene": brand,
      ]) == [
        "brand.scene: component Card", "brand.scene: parameter wide", "_own?", "fill?",
        "brand.scene: constant accent", "brand.scene: effect fade", "brand.scene: parameter by",
        "rise in std/effects.scene",
      ])
    #expect(
      describe([
        "a.scene":
          "import \"brand.scene\" as b\nscene { b.Card { wide: b.accent; opacity: b._own } }",
        "brand.scene": brand,
      ]) == [
        "a.scene: file b", "brand.scene: component Card", "brand.scene: parameter wide",
        "a.scene: file b", "brand.scene: constant accent", "opacity?", "a.scene: file b", "_own?",
      ])
  }

  @Test func usesAreFoundInAllFiles() throws {
    let brand = "let accent = red\nlet deep = accent"
    let films = "import \"brand.scene\"\nscene { rect { fill: accent; stroke: red } }"
    let other =
      "import \"brand.scene\" as b\nlet accent = b.accent\nscene { rect { fill: accent } }"
    let links = NameLinks([
      "brand.scene": Self.index(brand), "a.scene": Self.index(films), "b.scene": Self.index(other),
    ])
    let uses = links.uses(of: NameLinks.Target(file: "brand.scene", symbol: 0))
    #expect(
      uses.mapValues { $0.map(\.start) } == ["brand.scene": [28], "a.scene": [42], "b.scene": [41]])
  }

  @Test func symbolsKnowTheirDeclarations() throws {
    let text = """
      import "b.scene" as b
      /// Twice.
      fn twice(x: number) -> length = 2 * x
      param side: left | right = left
      scene s {
        /// The card.
        rect card { size: 10x10 }
        for i in 1..3 { circle { } }
      }
      """
    let index = Self.index(text)
    let rows = index.symbols.indices.map { symbol in
      let whole = SourceFile(name: "a", text: text).text(index.whole(of: symbol))
      let about = [index.type(of: symbol) ?? "", index.documentation(of: symbol)]
      return "\(whole.prefix { $0 != "\n" }) | \(about.joined(separator: " | "))"
    }
    #expect(
      Set(rows) == [
        "import \"b.scene\" as b |  | ", "fn twice(x: number) -> length = 2 * x | length | Twice.",
        "x: number | number | ", "param side: left | right = left | left | right | ",
        "scene s { |  | ", "rect card { size: 10x10 } |  | The card.",
        "for i in 1..3 { circle { } } |  | ",
      ])
  }
}
