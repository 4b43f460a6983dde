// SPDX-License-Identifier: MIT
package import SceneCheck
import SceneGraphics
package import SceneModel
import SceneSyntax
import SceneText

// References to SVG ids, as in `part "wheel"` and `logo["wheel"]`.
extension FileFacts {
  /// Returns the SVG id at an offset, if a part of an SVG can be named there.
  func vectorID(at offset: Int) -> (range: Range<Int>, id: String)? {
    let token = tree.token(at: offset)
    guard tree.tokens[token].kind == .stringText, opensID(token - 1) else { return nil }
    return (tree.range(ofToken: token), tree.text(ofToken: token))
  }

  /// Returns whether the quote before an id follows `part` or an opening bracket.
  private func opensID(_ quote: Int) -> Bool {
    guard quote > 0, tree.tokens[quote].kind == .stringStart, let last = before(quote) else {
      return false
    }
    return tree.tokens[last].kind == .leftBracket || tree.text(ofToken: last) == "part"
  }

  private func before(_ token: Int) -> Int? {
    (0..<token).last { !tree.tokens[$0].kind.isTrivia }
  }

  /// Returns the SVG file whose parts can be named at an offset: that of the element before the
  /// bracket, or that of the enclosing element.
  package func vectorFile(at offset: Int) -> FileLink? {
    let token = tree.token(at: max(0, offset - 1))
    let quote = tree.tokens[token].kind == .stringText ? token - 1 : token
    if quote > 0, let bracket = before(quote), tree.tokens[bracket].kind == .leftBracket,
      let name = before(bracket)
    {
      let text = tree.text(ofToken: name)
      let element = tree.nodes.indices.first {
        tree.nodes[$0].kind == .element && words(atHeadOf: $0).map(\.text) == ["svg", text]
      }
      return element.flatMap(svgFile)
    }
    let around = tree.path(writingAt: offset).last {
      tree.nodes[$0].kind == .element && words(atHeadOf: $0).first?.text == "svg"
    }
    return around.flatMap(svgFile)
  }

  /// Returns the source of an `svg` element, which is the first file path inside it.
  private func svgFile(_ element: Int) -> FileLink? {
    let span = tree.span(of: element)
    return fileLinks.first { (span.start..<span.end).contains($0.range.lowerBound) }
  }
}

/// The name of a part of an SVG file.
struct VectorPart {
  let link: FileLink
  /// The bytes of the name.
  let range: Range<Int>
  let node: VectorDrawing.Node
}

extension Workspace {
  /// Returns the file and line (from 0) of the SVG part named at an offset.
  package func vectorLine(at offset: Int, in file: String, _ record: SceneRecord?) -> (
    link: FileLink, line: Int
  )? {
    guard let part = vectorPart(at: offset, in: file, record?.vectors ?? [:]) else { return nil }
    return (part.link, max(0, part.node.line - 1))
  }

  /// Returns the SVG part named at an offset, with its file.
  func vectorPart(
    at offset: Int, in file: String, _ vectors: [String: VectorDrawing]
  ) -> VectorPart? {
    guard let facts = files[file], !facts.tree.tokens.isEmpty,
      let (range, id) = facts.vectorID(at: offset), let link = facts.vectorFile(at: offset),
      let drawing = vectors[link.path], let index = drawing.node(id)
    else { return nil }
    return VectorPart(link: link, range: range, node: drawing.nodes[index])
  }

  /// Returns the ids that can be named at an offset, in file order; those of all SVG files if the
  /// file is ambiguous.
  package static func vectorIDs(
    at offset: Int, in facts: FileFacts, _ vectors: [String: VectorDrawing]
  ) -> [CompletionItem] {
    let path = facts.vectorFile(at: offset)?.path
    let meant = vectors.filter { path == nil || $0.key == path || vectors[path ?? ""] == nil }
    return meant.sorted { $0.key < $1.key }.flatMap { path, drawing in
      drawing.nodes.compactMap { node in
        node.id.map { CompletionItem($0, .word, detail: "<\(node.kind)> in \(path)") }
      }
    }
  }

  /// Returns the hover text of a part: its kind and file, then its line, size and position.
  func text(of node: VectorDrawing.Node, in path: String) -> String {
    func number(_ x: Double) -> String { NumberFormat().text((x * 10).rounded() / 10) }
    let box = node.box
    let place =
      box.isEmpty
      ? ""
      : ", \(number(box.width)) × \(number(box.height)) at (\(number(box.x)), \(number(box.y)))"
    let line = node.line > 0 ? ", line \(node.line)" : ""
    return "`<\(node.kind)>` in `\(path)`\(line)\(place)"
  }
}
