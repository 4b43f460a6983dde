// SPDX-License-Identifier: MIT
import SceneText

// Lookup of tokens and nodes by source offset.
extension SyntaxTree {
  /// Whether the file contains an `expect`.
  package var hasExpectations: Bool {
    nodes.indices.contains {
      nodes[$0].kind == .element
        && file.bytes[range(ofToken: Int(nodes[$0].firstToken))].elementsEqual("expect".utf8)
    }
  }

  /// The keywords that begin the declarations of a file.
  package static let declarationWords = [
    "edition", "import", "param", "let", "fn", "component", "style", "effect", "transition",
    "filter", "paint", "scene", "project",
  ]

  /// Returns the token that contains the byte at an offset, or the last token if the offset is at
  /// or beyond the end.
  package func token(at offset: Int) -> Int {
    var low = 0
    var high = tokens.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(tokens[middle].start) <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the nodes that contain an offset, from the file to the innermost one. Between two
  /// adjacent nodes, the later one wins.
  package func path(at offset: Int) -> [Int] { path(at: offset) { span(of: $0).end >= offset } }

  /// Returns the nodes that would contain text inserted at an offset. A body ends at its `}`; an
  /// unclosed body extends over the following white space.
  package func path(writingAt offset: Int) -> [Int] {
    guard !tokens.isEmpty else { return [] }
    var last = token(at: offset)
    while last > 0, Int(tokens[last].start) >= offset || tokens[last].kind.isTrivia { last -= 1 }
    return path(at: offset) { node in
      let end = span(of: node).end
      let isClosed = tokens[Int(nodes[node].endToken) - 1].kind == .rightBrace && !isOpen(node)
      return end > offset || end == offset && !isClosed
        || nodes[node].endToken > last && isOpen(node)
    }
  }

  private func path(at offset: Int, holds: (Int) -> Bool) -> [Int] {
    guard !nodes.isEmpty else { return [] }
    var path = [root]
    var node = root
    while let inner = child(of: node, beginningBy: offset), holds(inner) {
      path.append(inner)
      node = inner
    }
    return path
  }

  /// Returns the last child of a node that begins at or before an offset; `nil` if there is none.
  private func child(of node: Int, beginningBy offset: Int) -> Int? {
    let end = node - Int(nodes[node].size)
    var child = node - 1
    while child > end {
      if Int(tokens[Int(nodes[child].firstToken)].start) <= offset { return child }
      child -= Int(nodes[child].size)
    }
    return nil
  }

  /// Returns whether a node ends with an unclosed body.
  private func isOpen(_ node: Int) -> Bool {
    var last = Int(nodes[node].endToken) - 1
    while last > nodes[node].firstToken, tokens[last].kind.isTrivia { last -= 1 }
    let hasInner = nodes[node].size > 1 && nodes[node - 1].endToken > last
    if nodes[node].kind == .body, !hasInner { return tokens[last].kind != .rightBrace }
    return nodes[node].kind == .body || hasInner && isOpen(node - 1)
  }

  /// Returns the span of a body; an unclosed body includes the following white space.
  func reach(of body: Int) -> SourceSpan {
    isOpen(body) ? reach(of: body, from: span(of: body).start) : span(of: body)
  }

  /// Returns the span from an offset to the next token after a node.
  func reach(of node: Int, from start: Int) -> SourceSpan {
    var next = Int(nodes[node].endToken)
    while next < tokens.count, tokens[next].kind.isTrivia { next += 1 }
    return file.span(start, next < tokens.count ? Int(tokens[next].start) : file.bytes.count)
  }

  /// Returns the text of the `///` lines directly above a node, without the markers.
  package func documentation(before node: Int) -> String {
    var lines: [String] = []
    var newlines = 0
    for token in tokens[..<Int(nodes[node].firstToken)].indices.reversed() {
      switch tokens[token].kind {
      case .whitespace: continue
      case .newline where newlines == 0: newlines = 1
      case .docComment where newlines == 1 && isFirstInLine(token):
        let text = self.text(ofToken: token).dropFirst(3)
        lines.append(String((text.first == " " ? text.dropFirst() : text).filter { $0 != "\r" }))
        newlines = 0
      default: return lines.reversed().joined(separator: "\n")
      }
    }
    return lines.reversed().joined(separator: "\n")
  }

  private func isFirstInLine(_ token: Int) -> Bool {
    let before = tokens[..<token].last { $0.kind != .whitespace }
    return before == nil || before?.kind == .newline
  }
}
