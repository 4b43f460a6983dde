// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneSyntax
import SceneText
import SceneTypes

// Items for a `change` of a component's parameters.
extension Workspace {
  /// Returns the items of the `change` around an offset: its timing, and the properties and
  /// parameters that it can animate.
  func changeItems(_ given: [String], at offset: Int, in file: String) -> [CompletionItem] {
    let facts = files[file]
    let component = changedComponent(at: offset, in: file)
    let kind =
      component == nil
      ? facts?.changedKind(at: offset).flatMap { facts?.builtInKind($0) } : .group
    let timing: [Property] = [.at, .for, .easing, .style]
    var items = timing.map { Workspace.item($0, of: .group) }
    if let component {
      items += parameterItems(of: component).filter { Workspace.mayChange($0.detail) }
    }
    for property in kind.map(Property.all) ?? [] {
      guard let kind, !property.declaration.isConstant(in: kind), !timing.contains(property) else {
        continue
      }
      items.append(Workspace.item(property, of: kind))
    }
    return items.filter { !given.contains($0.label) }
      + body(of: .change, given: given, at: offset, in: file)
  }

  /// Returns the parameters of a component as properties of its uses.
  func parameterItems(of component: NameLinks.Target) -> [CompletionItem] {
    parameters(of: component).map { parameter in
      CompletionItem(
        parameter.name, .property, detail: parameter.type, insert: parameter.name + ": ",
        snippet: "\(parameter.name): \(Snippet.place(1, Snippet.example(ofType: parameter.type)))",
        group: parameter.isRequired ? 0 : 1)
    }
  }

  /// Returns the component whose parameters the `change` around an offset can animate, or `nil`.
  func changedComponent(at offset: Int, in file: String) -> NameLinks.Target? {
    guard let facts = files[file], let word = facts.changedKind(at: offset),
      facts.builtInKind(word) == nil, let found = component(word, at: offset, in: file),
      declared(found)?.kind == .component
    else { return nil }
    return found
  }

  /// Returns whether a `change` can animate a parameter of a declared type. Functions, easings and
  /// words are constant.
  static func mayChange(_ type: String) -> Bool {
    !type.hasPrefix("fn(") && !type.contains("|") && !["easing", "image"].contains(type)
  }
}

extension FileFacts {
  /// Returns the kind of the element that the `change` around an offset animates, or `nil`.
  func changedKind(at offset: Int) -> String? {
    let elements = around(offset).filter { tree.nodes[$0].kind == .element }
    guard let change = elements.last, words(atHeadOf: change).first?.text == "change" else {
      return nil
    }
    guard let target = tree.children(of: change).first(where: { tree.nodes[$0].kind == .target })
    else { return elements.dropLast().last.flatMap { words(atHeadOf: $0).first?.text } }
    if refersToPart(target) { return ElementKind.part.rawValue }
    let span = tree.span(of: target)
    let use = index.uses.last { span.start <= $0.span.start && $0.span.end <= span.end }
    guard case .symbol(let symbol)? = use?.meaning, index.symbols[symbol].kind == .element else {
      return nil
    }
    return tree.path(at: index.symbols[symbol].name.span.start)
      .last { tree.nodes[$0].kind == .element }.flatMap { words(atHeadOf: $0).first?.text }
  }

  /// Returns whether the place of a target is a part of an element, as in `logo["wheel"]`.
  private func refersToPart(_ target: Int) -> Bool {
    guard let place = tree.children(of: target).first, tree.nodes[place].kind == .index,
      let index = tree.children(of: place).last
    else { return false }
    return tree.nodes[index].kind == .string
  }
}
