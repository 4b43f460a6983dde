// SPDX-License-Identifier: MIT
import SceneCheck
import SceneEditing
import SceneGraphics
import SceneJSON
import SceneLanguage
import SceneSyntax
import SceneText

// Pairs of literals that can be dragged: the points of outlines.
extension LeafReader {
  /// Returns a coordinate's literal and its change per frame pixel to the right and down, in the
  /// literal's unit.
  private func side(_ leaf: Literal?, by: (Double, Double), whole: Double?) -> JSON {
    guard let leaf, !isReadOnly else { return .null }
    let factor: Double?
    switch leaf.unit {
    case nil, .px: factor = 1
    case .percent: factor = whole.map { $0 > 0 ? 100 / $0 : 0 }
    default: factor = nil
    }
    guard let factor else { return .null }
    return ["leaf": json(leaf), "by": [.double(by.0 * factor), .double(by.1 * factor)]]
  }

  /// Returns the outline points that are two numbers or percentages. `inside` maps their
  /// coordinates to the frame; percentages refer to `box`.
  func points(of element: SceneRecord.Element, inside: Affine, box: (Double, Double)) -> [JSON] {
    guard let back = inside.inverted else { return [] }
    return pairs(of: element).compactMap { x, y -> JSON? in
      guard let left = number(x, of: box.0), let top = number(y, of: box.1) else { return nil }
      let at = inside.apply(Point(left, top))
      return [
        "at": [.double(at.x), .double(at.y)], "x": side(x, by: (back.a, back.c), whole: box.0),
        "y": side(y, by: (back.b, back.d), whole: box.1),
      ]
    }
  }

  /// Returns the value in pixels of a number or percentage; `nil` for other literals.
  private func number(_ leaf: Literal, of whole: Double) -> Double? {
    guard case .number(let value) = leaf.value else { return nil }
    switch leaf.unit {
    case nil, .px: return value
    case .percent: return value / 100 * whole
    default: return nil
    }
  }

  /// Returns the points of a line's ends, of a list, or of a path's absolute segments.
  private func pairs(of element: SceneRecord.Element) -> [(Literal, Literal)] {
    guard let file = facts[element.whole.file] else { return [] }
    let named = element.properties.filter {
      [.from, .to, .points].contains($0.property) && $0.value.file == element.whole.file
        && $0.motions.isEmpty
    }.map(\.value)
    return pairs(in: named.map { own($0, file) } + segments(of: element, file), file)
      .map { (moved($0, element.whole.file), moved($1, element.whole.file)) }
  }

  private func segments(of element: SceneRecord.Element, _ file: FileFacts) -> [SourceSpan] {
    guard element.kind == "path" else { return [] }
    let (tree, whole) = (file.tree, own(element.whole, file))
    return tree.nodes.indices.filter { tree.nodes[$0].kind == .segment }.flatMap { node in
      let span = tree.span(of: node)
      guard whole.start <= span.start, span.end <= whole.end else { return [SourceSpan]() }
      // Coordinates after `by` are relative to the previous point, and the first pair of an arc is
      // not a point.
      let words = file.source.text(span).split(whereSeparator: { $0 == "(" || $0.isWhitespace })
      guard words.dropFirst().first != "by" else { return [] }
      return Array(
        tree.children(of: node).map(tree.span(of:)).dropFirst(words.first == "arc" ? 1 : 0))
    }
  }

  private func pairs(in spans: [SourceSpan], _ file: FileFacts) -> [(Literal, Literal)] {
    let tree = file.tree
    return spans.flatMap { span in
      tree.nodes.indices.filter { node in
        let own = tree.span(of: node)
        return tree.nodes[node].kind == .pair && span.start <= own.start && own.end <= span.end
      }.compactMap { node -> (Literal, Literal)? in
        guard case .pair(let x, let y) = tree.expression(of: node).kind,
          let x = alone(x, tree), let y = alone(y, tree)
        else { return nil }
        return (x, y)
      }
    }
  }

  private func alone(_ it: Expression, _ tree: SyntaxTree) -> Literal? {
    guard let found = tree.literals(in: it.span).first, found.span == it.span,
      case .number = found.value
    else { return nil }
    return found
  }
}
