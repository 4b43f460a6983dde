// SPDX-License-Identifier: MIT
import SceneText

// From a place in the text to what is there.
extension SyntaxTree {
  /// What the declarations of a file begin with.
  package static let declarationWords = [
    "edition", "import", "param", "let", "fn", "component", "style", "effect", "transition", "scene",
  ]

  /// The token that holds the byte at an offset; the last for one at the end or beyond it.
  package func token(at offset: Int) -> Int {
    var low = 0
    var high = tokens.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(tokens[middle].start) <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// The nodes around an offset, from the file to the innermost. Where two of them meet, the later
  /// one counts.
  package func path(at offset: Int) -> [Int] { path(at: offset) { span(of: $0).end >= offset } }

  /// The nodes that something written at an offset will be in: a body ends with its `}`, and one without
  /// goes on over the blanks after it.
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

  /// The last child of a node that begins at an offset or before it.
  private func child(of node: Int, beginningBy offset: Int) -> Int? {
    let end = node - Int(nodes[node].size)
    var child = node - 1
    while child > end {
      if Int(tokens[Int(nodes[child].firstToken)].start) <= offset { return child }
      child -= Int(nodes[child].size)
    }
    return nil
  }

  /// Whether a node ends with a body that has no `}`.
  private func isOpen(_ node: Int) -> Bool {
    var last = Int(nodes[node].endToken) - 1
    while last > nodes[node].firstToken, tokens[last].kind.isTrivia { last -= 1 }
    let hasInner = nodes[node].size > 1 && nodes[node - 1].endToken > last
    if nodes[node].kind == .body, !hasInner { return tokens[last].kind != .rightBrace }
    return nodes[node].kind == .body || hasInner && isOpen(node - 1)
  }

  /// The bytes of a body: of one without its `}` with all that is blank after it.
  func reach(of body: Int) -> SourceSpan {
    isOpen(body) ? reach(of: body, from: span(of: body).start) : span(of: body)
  }

  /// The bytes from an offset to what comes after a node.
  func reach(of node: Int, from start: Int) -> SourceSpan {
    var next = Int(nodes[node].endToken)
    while next < tokens.count, tokens[next].kind.isTrivia { next += 1 }
    return file.span(start, next < tokens.count ? Int(tokens[next].start) : file.bytes.count)
  }

  /// The lines that begin with `///` right above a node, without what marks them.
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
