// SPDX-License-Identifier: MIT
package import SceneCheck
import SceneGraphics
package import SceneModel
import SceneSyntax
import SceneText

// The ids of an SVG, as `part "wheel"` and `logo["wheel"]` name them.
extension FileFacts {
  /// The id that is written at a place, where a part of an SVG may be named.
  func vectorID(at offset: Int) -> (range: Range<Int>, id: String)? {
    let token = tree.token(at: offset)
    guard tree.tokens[token].kind == .stringText, opensID(token - 1) else { return nil }
    return (tree.range(ofToken: token), tree.text(ofToken: token))
  }

  /// Whether the quote before an id stands after `part` or an opening bracket.
  private func opensID(_ quote: Int) -> Bool {
    guard quote > 0, tree.tokens[quote].kind == .stringStart, let last = before(quote) else {
      return false
    }
    return tree.tokens[last].kind == .leftBracket || tree.text(ofToken: last) == "part"
  }

  private func before(_ token: Int) -> Int? {
    (0..<token).last { !tree.tokens[$0].kind.isTrivia }
  }

  /// The SVG whose parts may be named at a place: that of the element before the bracket, else that
  /// around it.
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

  /// The first file that an `svg` names is its own.
  private func svgFile(_ element: Int) -> FileLink? {
    let span = tree.span(of: element)
    return fileLinks.first { (span.start..<span.end).contains($0.range.lowerBound) }
  }
}

extension Workspace {
  /// Where the part of an SVG that is named at a place is written: its file, and the line from 0.
  package func vectorLine(at offset: Int, in file: String, _ record: SceneRecord?) -> (
    link: FileLink, line: Int
  )? {
    guard let part = vectorPart(at: offset, in: file, record?.vectors ?? [:]) else { return nil }
    return (part.link, max(0, part.node.line - 1))
  }

  /// The part of an SVG that is named at a place, with its file.
  func vectorPart(
    at offset: Int, in file: String, _ vectors: [String: VectorDrawing]
  ) -> (link: FileLink, range: Range<Int>, node: VectorDrawing.Node)? {
    guard let facts = files[file], !facts.tree.tokens.isEmpty,
      let (range, id) = facts.vectorID(at: offset), let link = facts.vectorFile(at: offset),
      let drawing = vectors[link.path], let index = drawing.node(id)
    else { return nil }
    return (link, range, drawing.nodes[index])
  }

  /// The ids that can be named at a place, in the order of the file; those of all SVGs where it is not
  /// clear whose are meant.
  package static func vectorIDs(
    at offset: Int, in facts: FileFacts, _ vectors: [String: VectorDrawing]
  ) -> [CompletionItem] {
    let path = facts.vectorFile(at: offset)?.path
    let meant = vectors.filter { path == nil || $0.key == path || vectors[path ?? ""] == nil }
    return meant.sorted { $0.key < $1.key }.flatMap { path, drawing in
      drawing.nodes.compactMap { node in
        node.id.map { CompletionItem($0, .word, "<\(node.kind)> in \(path)") }
      }
    }
  }

  /// What a hover says of a part: `<path> in "logo.svg"`, and where it is.
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
