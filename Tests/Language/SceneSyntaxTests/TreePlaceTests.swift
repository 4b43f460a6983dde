// SPDX-License-Identifier: MIT
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Lookup of tokens and nodes by offset.
@Suite("Places in a tree", .cpuBudget(seconds: 1)) struct TreePlaceTests {
  private func tree(_ text: String) -> SyntaxTree { parse(SourceFile(name: "x", text: text)).tree }

  /// `token(at:)` returns the correct token for every byte of every example.
  @Test func everyByteHasItsToken() throws {
    for file in Repository.files(in: "Examples", ending: ".scene") {
      let tree = parse(SourceFile(id: FileID(0), name: file, bytes: try Repository.bytes(file)))
        .tree
      var wrong = 0
      for index in tree.tokens.indices {
        wrong += tree.range(ofToken: index).count { tree.token(at: $0) != index }
      }
      #expect(wrong == 0, "\(file)")
      #expect(tree.token(at: tree.file.bytes.count + 9) == tree.tokens.count - 1)
    }
  }

  @Test func pathsLeadFromTheFileToTheLeaf() {
    let tree = tree("scene { rect r { fill: red } }")
    let kinds = { (offset: Int) in tree.path(at: offset).map { tree.nodes[$0].kind } }
    #expect(kinds(24) == [.file, .element, .body, .element, .body, .property, .reference])
    #expect(kinds(13) == [.file, .element, .body, .element, .name])
    #expect(kinds(28) == [.file, .element, .body, .element, .body])
    #expect(kinds(30) == [.file, .element, .body])
  }

  @Test(arguments: [
    ("/// One.\nlet a = 1", "One."),
    ("// no\n/// One.\r\n///   Two: `x`\n///\nlet a = 1", "One.\n  Two: `x`\n"),
    ("/// One.\n\nlet a = 1", ""),
    ("let b = 1 /// of b\nlet a = 1", ""),
    ("/// One.\n// other\nlet a = 1", ""),
    ("let a = 1", ""),
  ])
  func documentationIsRightAbove(_ text: String, _ expected: String) throws {
    let tree = tree(text)
    let last = try #require(tree.children(of: tree.root).last)
    #expect(tree.documentation(before: last) == expected)
  }
}
