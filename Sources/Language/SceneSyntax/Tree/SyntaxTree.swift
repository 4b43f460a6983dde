// SPDX-License-Identifier: MIT
package import SceneText

/// The kind of a node; `Grammar/scene.ebnf` lists the children of each kind.
package enum SyntaxKind: UInt8, Hashable, Sendable {
  case file, editionDecl, importDecl, paramDecl, letDecl, fnDecl, componentDecl, styleDecl,
    effectDecl
  case transitionDecl, filterDecl, paintDecl, parameterList, parameter, type, initializer, bound
  case element, target, body, property, forItem, ifItem, segment, expectation, name
  case qualifiedName
  case tween, leg, timed, clause, conditional, range, binary, unary, call, argument, member, index
  case reference, number, pairLiteral, color, bool, noneLiteral, string, interpolation
  case paren, pair, record, list, comprehension, lambda, keyframes, key, keyFor, error
}

/// The lossless syntax tree of one file.
///
/// Nodes are stored in a flat array, children before their parent. A second array holds all tokens,
/// including white space and comments. The concatenation of the tokens is the file, byte for byte.
package struct SyntaxTree: Hashable, Sendable {
  /// A node: its kind, its token range and the size of its subtree.
  package struct Node: Hashable, Sendable {
    package let kind: SyntaxKind
    /// The index of the first token.
    package let firstToken: Int32
    /// The index after the last token.
    package let endToken: Int32
    /// The number of nodes in the subtree, including this one.
    package let size: Int32
  }

  package let file: SourceFile
  package let tokens: [Token]
  package let nodes: [Node]

  /// The node of the whole file, which is the last one.
  package var root: Int { nodes.count - 1 }

  /// Returns the byte range of a token.
  package func range(ofToken index: Int) -> Range<Int> {
    let start = Int(tokens[index].start)
    return start..<(index + 1 < tokens.count ? Int(tokens[index + 1].start) : file.bytes.count)
  }

  package func text(ofToken index: Int) -> String {
    String(decoding: file.bytes[range(ofToken: index)], as: UTF8.self)
  }

  package func span(ofToken index: Int) -> SourceSpan {
    let range = range(ofToken: index)
    return file.span(range.lowerBound, range.upperBound)
  }

  package func span(of node: Int) -> SourceSpan {
    let it = nodes[node]
    let start = Int(tokens[Int(it.firstToken)].start)
    guard it.endToken > it.firstToken else { return file.span(start, start) }
    return file.span(start, range(ofToken: Int(it.endToken) - 1).upperBound)
  }

  /// Returns the children of a node in source order.
  package func children(of node: Int) -> [Int] {
    let end = node - Int(nodes[node].size)
    var count = 0
    var child = node - 1
    while child > end {
      count += 1
      child -= Int(nodes[child].size)
    }
    var list = [Int](repeating: 0, count: count)
    child = node - 1
    while child > end {
      count -= 1
      list[count] = child
      child -= Int(nodes[child].size)
    }
    return list
  }

  /// The concatenation of all tokens, which equals the source.
  package var text: [UInt8] {
    var bytes: [UInt8] = []
    for index in tokens.indices { bytes += file.bytes[range(ofToken: index)] }
    return bytes
  }

  /// The indented tree, one node per line, with the source text of leaves; for tests and `--dump`.
  package var description: String {
    var lines: [String] = []
    func write(_ node: Int, _ depth: Int) {
      let children = children(of: node)
      var label = String(repeating: "  ", count: depth) + "\(nodes[node].kind)"
      if children.isEmpty { label += " " + file.text(span(of: node)) }
      lines.append(label)
      for child in children { write(child, depth + 1) }
    }
    if !nodes.isEmpty { write(root, 0) }
    return lines.joined(separator: "\n") + "\n"
  }
}
