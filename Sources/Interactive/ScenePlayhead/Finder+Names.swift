// SPDX-License-Identifier: MIT
import SceneCheck
import SceneEditing
import SceneLanguage
import SceneSyntax
import SceneText
import SceneTypes

// The values of names.
extension Finder {
  /// Returns whether an expression is a name to which an offset can be added: a point or an
  /// element, or a sum that contains one.
  func isNamed(_ e: Expression, in file: FileID) -> Bool {
    switch e.kind {
    case .reference:
      switch symbol(at: e.span, in: file)?.kind {
      case .parameter, .param, .round, .constant: false
      default: true
      }
    case .member(let base, _): isNamed(base, in: file)
    case .binary(.plus, let a, let b), .binary(.minus, let a, let b):
      isNamed(a, in: file) || isNamed(b, in: file)
    default: false
    }
  }

  private func symbol(at use: SourceSpan, in file: FileID) -> NameIndex.Symbol? {
    guard let facts = playhead.files[file],
      case .symbol(let symbol)? = facts.index.uses.first(where: {
        $0.span.start == use.start && $0.span.end == use.end
      })?.meaning
    else { return nil }
    return facts.index.symbols[symbol]
  }

  /// Returns the expression behind a name, or behind a part of a record, a pair or a list. Returns
  /// `nil` if it is unknown without evaluation.
  func resolved(_ e: Expression, in file: FileID) -> (Expression, FileID)? {
    switch e.kind {
    case .reference(let name): return value(of: name.text, at: e.span, in: file)
    case .member(let base, let name):
      guard let (value, home) = resolved(base, in: file) else { return nil }
      switch value.kind {
      case .record(let fields):
        return fields.first { $0.name?.text == name.text }.map { ($0.value, home) }
      case .pair(let x, let y):
        return name.text == "x" ? (x, home) : name.text == "y" ? (y, home) : nil
      default: return nil
      }
    case .index(let base, let place):
      guard let (value, home) = resolved(base, in: file), case .list(let items) = value.kind,
        case .number(let number, nil) = place.kind, let index = Int(exactly: number),
        items.indices.contains(index)
      else { return nil }
      return (items[index], home)
    default: return nil
    }
  }

  /// Returns the value of a name: that of a `let`, of an argument of a component's use, or of an
  /// item in the list of a loop.
  private func value(of name: String, at use: SourceSpan, in file: FileID) -> (Expression, FileID)?
  {
    guard let declared = symbol(at: use, in: file), let facts = playhead.files[file] else {
      return nil
    }
    switch declared.kind {
    case .constant:
      let tree = facts.tree
      let node = tree.nodes.indices.first { node in
        tree.nodes[node].kind == .letDecl
          && tree.children(of: node).contains { tree.span(of: $0) == declared.name.span }
      }
      guard var value = node.flatMap({ tree.children(of: $0).last }) else { return nil }
      if tree.nodes[value].kind == .initializer, let inner = tree.children(of: value).last {
        value = inner
      }
      return (tree.expression(of: value), file)
    case .parameter: return argument(at: use, in: file).flatMap { expression(at: $0.value) }
    case .round: return item(of: declared.name.span, at: use, in: file, facts.tree)
    default: return nil
    }
  }

  /// Returns the argument of a component's use that a name refers to, or `nil`.
  func argument(at use: SourceSpan, in file: FileID) -> SceneRecord.Argument? {
    guard let declared = symbol(at: use, in: file), declared.kind == .parameter,
      let facts = playhead.files[file]
    else { return nil }
    let definition = declared.container.map { facts.index.symbols[$0].name.span }
    let user = edit.elements.first { it in
      it.definition?.file == file && it.definition?.start == definition?.start
    }
    return user?.arguments.first { $0.name.text == declared.name.text }
  }

  // MARK: Loops

  /// A loop around an element.
  fileprivate struct Loop {
    let variable: SourceSpan
    let list: Expression
    let span: SourceSpan
  }

  /// Returns the item of a loop's list in the round of the element, or of its ancestor in the loop.
  private func item(
    of variable: SourceSpan, at use: SourceSpan, in file: FileID, _ tree: SyntaxTree
  ) -> (Expression, FileID)? {
    let loops = loops(in: tree)
    guard let own = loops.first(where: { $0.variable == variable }),
      own.span.start <= use.start, use.end <= own.span.end,
      let element = edit.elements.last(where: { $0.head.file == file && own.contains($0.head) })
    else { return nil }
    let outer = element.parent.flatMap { _ in
      edit.elements.drop { $0.key != element.key }.dropFirst().first
    }
    // The innermost loop counts fastest.
    let around = loops.filter { loop in
      loop.contains(element.head)
        && !(outer.map { $0.head.file == file && loop.contains($0.head) } ?? false)
    }.sorted { $0.span.start > $1.span.start }
    var round = element.round
    for loop in around {
      let (items, count) = items(of: loop.list, in: file)
      if loop.variable == variable {
        guard let (all, home) = items, !all.isEmpty else { return nil }
        return (all[round % all.count], home)
      }
      guard let count, count > 0 else { return nil }
      round /= count
    }
    return nil
  }

  private func loops(in tree: SyntaxTree) -> [Loop] {
    tree.nodes.indices.filter { tree.nodes[$0].kind == .forItem }.compactMap { node in
      let children = tree.children(of: node)
      guard let variable = children.first, tree.nodes[variable].kind == .name,
        let list = children.first(where: { tree.nodes[$0].kind != .name })
      else { return nil }
      return Loop(
        variable: tree.span(of: variable), list: tree.expression(of: list),
        span: tree.span(of: node)
      )
    }
  }

  /// Returns the expressions in a list literal, and the number of items in any list. Both are `nil`
  /// if unknown.
  private func items(of list: Expression, in file: FileID) -> (
    all: ([Expression], FileID)?, count: Int?
  ) {
    switch list.kind {
    case .list(let items): return ((items, file), items.count)
    case .range(let a, let b):
      guard case .number(let from, nil) = a.kind, case .number(let to, nil) = b.kind,
        let count = Int(exactly: (to - from).rounded(.up))
      else { return (nil, nil) }
      return (nil, count)
    default:
      guard let (value, home) = resolved(list, in: file), case .list = value.kind else {
        return (nil, nil)
      }
      return items(of: value, in: home)
    }
  }
}

extension Finder.Loop {
  fileprivate func contains(_ place: SourceSpan) -> Bool {
    span.start <= place.start && place.end <= span.end
  }
}
