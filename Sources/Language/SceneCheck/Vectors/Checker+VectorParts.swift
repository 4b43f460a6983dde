// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// `each part { … }` in an `svg`: all its parts, with or without ids, each with its own clock.
extension Checker {
  /// Returns whether an item of `each part` applies to all parts together, and not to each part.
  static func isOfEach(_ item: Item) -> Bool {
    switch item {
    case .property(let it):
      [Property.stagger, .order].contains { $0.name == it.name.text }
    case .letDecl: true
    default: false
    }
  }

  /// Creates a part for each top-level node of an SVG without one.
  func makeParts(in svg: ElementNode) {
    let blocks = svg.children.filter { $0.kind == .each }
    guard let each = blocks.first else { return }
    if blocks.count > 1 {
      report(
        Diagnostic(
          .misplacedElement, "an svg can have only one 'each'", at: blocks[1].span,
          notes: [Note("first 'each'", at: each.span)]))
    }
    elaborate(each)
    guard let file = vectorFile(of: svg) else { return }
    let nodes = file.drawing.mainNodes
    guard !nodes.isEmpty else {
      _ = report(
        .indexOutOfRange, "'\(file.path)' has no parts; it is drawn as a whole", at: each.span)
      return
    }
    let written = Set(
      svg.children.filter { $0.kind == .part }.compactMap { vectorPlace(of: $0)?.node })
    let body = ElementSyntax(
      kind: [Name(ElementKind.part.rawValue, each.span)], name: nil, subject: nil,
      items: each.syntax.items.filter { item in
        if case .letDecl = item { return true }
        return !Checker.isOfEach(item)
      }, span: each.syntax.span)
    let ranks = Checker.ranks(word(.order, of: each), nodes.count)
    for (index, node) in nodes.enumerated() where !written.contains(node) {
      guard !reports.isClosed, reserveElement(each.span) else { return }
      let round = Scope(parent: svg.scope, owner: nil)
      round.bind("index", .value(.number(Double(index)), each.span))
      round.bind("count", .value(.number(Double(nodes.count)), each.span))
      let scope = ownerScope(in: round)
      let part = ElementNode(
        kind: .part, syntax: body, parent: svg, scope: scope, definition: nil, id: instanceCount)
      scope.instance = part
      part.vectorPlace = (VectorPlace(file: file, node: node), ())
      part.rank = ranks[index]
      if let id = file.drawing.nodes[node].id {
        part.properties[.content] = Source(.value(.literal(id)), scope: svg.scope, at: each.span)
      }
      svg.children.append(part)
    }
  }
}
