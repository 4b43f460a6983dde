// SPDX-License-Identifier: MIT
import SceneText

// From a place in the text to what is there.
extension SyntaxTree {
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
  package func path(at offset: Int) -> [Int] {
    guard !nodes.isEmpty else { return [] }
    var path = [root]
    while let last = path.last {
      let inner = children(of: last).last {
        let span = span(of: $0)
        return span.start <= offset && offset <= span.end
      }
      guard let inner else { break }
      path.append(inner)
    }
    return path
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
