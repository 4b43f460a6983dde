// SPDX-License-Identifier: MIT
import SceneText

/// Returns the declarations of a file. Nodes with syntax errors are omitted.
package func declarations(of tree: SyntaxTree) -> [Declaration] {
  TreeReader(tree: tree).declarations()
}

extension SyntaxTree {
  /// Returns the expression of a node.
  package func expression(of node: Int) -> Expression { TreeReader(tree: self).expression(node) }
}

struct TreeReader {
  let tree: SyntaxTree

  func declarations() -> [Declaration] {
    guard !tree.nodes.isEmpty else { return [] }
    return tree.children(of: tree.root).compactMap(declaration)
  }

  func kind(_ node: Int) -> SyntaxKind { tree.nodes[node].kind }

  /// Returns the text of the first token of a node.
  func firstText(_ node: Int) -> String { tree.text(ofToken: Int(tree.nodes[node].firstToken)) }

  /// Returns the bytes of the first token of a node.
  func firstBytes(_ node: Int) -> ArraySlice<UInt8> {
    tree.file.bytes[tree.range(ofToken: Int(tree.nodes[node].firstToken))]
  }

  func name(_ node: Int) -> Name { Name(tree.file.text(tree.span(of: node)), tree.span(of: node)) }

  private func declaration(_ node: Int) -> Declaration? {
    let children = tree.children(of: node)
    let span = tree.span(of: node)
    let first = children.first { kind($0) == .name }.map(name)
    switch kind(node) {
    case .importDecl:
      guard let path = children.first(where: { kind($0) == .string }) else { return nil }
      return .importDecl(path: expression(path), name: first, span)
    case .paramDecl:
      guard let first else { return nil }
      return .param(
        name: first, type: type(in: children), value: initializer(children),
        bound: bound(children), span)
    case .letDecl: return letDecl(children).map(Declaration.letDecl)
    case .fnDecl:
      guard let first else { return nil }
      return .fn(
        FunctionSyntax(
          name: first, parameters: parameters(children), result: type(in: children),
          value: initializer(children),
          body: tree.reach(of: node, from: first.span.end)))
    case .filterDecl, .paintDecl:
      guard let first else { return nil }
      let body = child(.body, children)
      return .fn(
        FunctionSyntax(
          name: first, parameters: parameters(children), result: nil, value: nil,
          body: body.map(tree.reach),
          pixels: PixelSyntax(
            kind(node) == .filterDecl ? .filter : .paint, items: body.map(items) ?? [])))
    case .componentDecl, .styleDecl, .effectDecl, .transitionDecl:
      guard let first, let kind = DefinitionSyntax.Kind(rawValue: firstText(node)) else {
        return nil
      }
      return .definition(
        DefinitionSyntax(
          kind: kind, name: first, parameters: parameters(children),
          items: child(.body, children).map(items) ?? [],
          body: child(.body, children).map(tree.reach)))
    case .element:
      let element = element(node)
      switch element.kindText {
      case "scene": return .scene(element)
      case "project": return .project(element)
      default: return nil
      }
    default: return nil
    }
  }

  private func child(_ wanted: SyntaxKind, _ children: [Int]) -> Int? {
    children.first { kind($0) == wanted }
  }

  func initializer(_ children: [Int]) -> Expression? {
    child(.initializer, children).flatMap { tree.children(of: $0).first }.map(expression)
  }

  func type(in children: [Int]) -> TypeSyntax? { child(.type, children).map(type) }

  private func type(_ node: Int) -> TypeSyntax {
    let children = tree.children(of: node)
    let taken = child(.parameterList, children).map { list in
      tree.children(of: list).filter { kind($0) == .type }.map(type)
    }
    return TypeSyntax(
      names: children.filter { kind($0) == .name }.map(name), element: type(in: children),
      parameters: taken, span: tree.span(of: node))
  }

  func parameters(_ children: [Int]) -> [ParameterSyntax] {
    guard let list = child(.parameterList, children) else { return [] }
    return tree.children(of: list).compactMap { node in
      let parts = tree.children(of: node)
      guard let first = child(.name, parts) else { return nil }
      return ParameterSyntax(
        name: name(first), type: type(in: parts), value: initializer(parts))
    }
  }

  private func letDecl(_ children: [Int]) -> LetSyntax? {
    guard let first = child(.name, children), let value = initializer(children) else { return nil }
    return LetSyntax(name: name(first), type: type(in: children), value: value)
  }

  private func items(_ body: Int) -> [Item] { tree.children(of: body).compactMap(item) }

  private func item(_ node: Int) -> Item? {
    let children = tree.children(of: node)
    switch kind(node) {
    case .property:
      guard children.count == 2 else { return nil }
      return .property(PropertySyntax(name: name(children[0]), value: expression(children[1])))
    case .element: return .element(element(node))
    case .letDecl: return letDecl(children).map(Item.letDecl)
    case .forItem: return forItem(children)
    case .ifItem:
      guard let condition = children.first else { return nil }
      let bodies = children.dropFirst()
      let otherwise = bodies.dropFirst().first
      return .ifItem(
        IfSyntax(
          condition: expression(condition), items: bodies.first.map(items) ?? [],
          otherwise: otherwise.map {
            kind($0) == .ifItem ? [item($0)].compactMap { $0 } : items($0)
          } ?? [], bodies: bodies.map(tree.reach)))
    case .segment: return .segment(segment(node, children))
    case .expectation: return children.first.map { .expectation(expression($0)) }
    default: return nil
    }
  }

  private func forItem(_ children: [Int]) -> Item? {
    let head = loopHead(children)
    guard let variable = head.variable, let list = head.rest.first else { return nil }
    // The body of an outer loop is the inner loop.
    let body = head.rest.dropFirst().first { [.body, .forItem].contains(kind($0)) }
    var items = body.map { kind($0) == .body ? self.items($0) : [item($0)].compactMap { $0 } } ?? []
    if let condition = bound(head.rest) {
      items = [
        .ifItem(
          IfSyntax(
            condition: condition, items: items, otherwise: [],
            bodies: body.map { [tree.reach(of: $0)] } ?? []))
      ]
    }
    return .forItem(
      ForSyntax(
        variable: variable, index: head.index, list: expression(list), items: items,
        body: body.map(tree.reach)))
  }

  /// Returns the condition in the head of a loop, or the range of a `param`; `nil` if there is
  /// none.
  func bound(_ children: [Int]) -> Expression? {
    child(.bound, children).flatMap { tree.children(of: $0).first }.map(expression)
  }

  /// The head of a loop: the loop variable, the index variable, and the remaining nodes.
  struct LoopHead {
    let variable: Name?
    let index: Name?
    let rest: [Int]
  }

  func loopHead(_ children: [Int]) -> LoopHead {
    let names = children.prefix { kind($0) == .name }
    return LoopHead(
      variable: names.first.map(name), index: names.dropFirst().first.map(name),
      rest: Array(children.dropFirst(names.count)))
  }

  private func segment(_ node: Int, _ children: [Int]) -> SegmentSyntax {
    let first = Int(tree.nodes[node].firstToken)
    var next = first + 1
    while next < tree.nodes[node].endToken, tree.tokens[next].kind.isTrivia { next += 1 }
    let argumentStart = children.first.map { Int(tree.nodes[$0].firstToken) } ?? first
    return SegmentSyntax(
      word: Name(tree.text(ofToken: first), tree.span(ofToken: first)),
      isRelative: next < argumentStart && tree.text(ofToken: next) == "by",
      arguments: children.map(argument), span: tree.span(of: node))
  }

  func element(_ node: Int) -> ElementSyntax {
    let children = tree.children(of: node)
    let qualified = child(.qualifiedName, children).map { tree.children(of: $0).map(name) } ?? []
    return ElementSyntax(
      kind: qualified, name: child(.name, children).map(name),
      target: child(.target, children).flatMap { tree.children(of: $0).first }.map(expression),
      subject: child(.string, children).map(expression),
      items: child(.body, children).map(items) ?? [], span: tree.span(of: node),
      body: child(.body, children).map(tree.reach))
  }

  func argument(_ node: Int) -> Argument {
    let parts = tree.children(of: node)
    guard let last = parts.last else {
      return Argument(name: nil, value: Expression(.error, tree.span(of: node)))
    }
    return Argument(name: parts.count == 2 ? name(parts[0]) : nil, value: expression(last))
  }
}
