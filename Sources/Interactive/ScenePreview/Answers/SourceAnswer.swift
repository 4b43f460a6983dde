// SPDX-License-Identifier: MIT
import SceneEditing
import SceneJSON
import SceneSyntax
import SceneSystem
import SceneText

/// A source file with syntax highlighting for a page.
struct SourceAnswer {
  private static let kinds = [
    "comment", "string", "number", "color", "word", "operator", "kind", "property", "name",
  ]

  private let facts: FileFacts
  private let name: String

  init(_ source: SourceFile) {
    facts = FileFacts(source.bytes, name: source.name)
    name = source.name
  }

  var members: [String: JSON] {
    [
      "path": .string(Files.resolved(name) ?? name), "hash": .string(facts.source.contentHash),
      "text": .string(String(decoding: facts.source.bytes, as: UTF8.self)),
      "tokens": .array(tokens.map { .int($0) }),
      "kinds": .array(SourceAnswer.kinds.map { .string($0) }),
    ]
  }

  /// The start, length and kind of each token, in UTF-16 units.
  private var tokens: [Int] {
    let tree = facts.tree
    let names = Dictionary(
      Workspace([name: facts]).tokens(of: name).map { ($0.range.lowerBound, $0.kind) }
    ) { first, _ in first }
    var tokens: [Int] = []
    var start = 0
    for index in tree.tokens.indices {
      let length = tree.text(ofToken: index).utf16.count
      if let kind = kind(tree.tokens[index].kind, names[Int(tree.tokens[index].start)]),
        let number = SourceAnswer.kinds.firstIndex(of: kind)
      {
        tokens += [start, length, number]
      }
      start += length
    }
    return tokens
  }

  private func kind(_ kind: TokenKind, _ name: NameToken.Kind?) -> String? {
    switch kind {
    case .whitespace, .newline, .endOfFile, .unknown: nil
    case .lineComment, .docComment, .blockComment: "comment"
    case .stringStart, .stringText, .stringEnd, .interpolationStart, .interpolationEnd: "string"
    case .number, .pairLiteral: "number"
    case .color: "color"
    case .identifier: name == .type ? "kind" : name == .property ? "property" : "name"
    default: kind.isReservedWord ? "word" : "operator"
    }
  }
}
