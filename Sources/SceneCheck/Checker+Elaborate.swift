// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneModel
import SceneSyntax
import SceneText

// Bodies to instances: loops unrolled, conditions decided, names bound.
extension Checker {
  func newID() -> Int {
    lastBindingID += 1
    return lastBindingID
  }

  /// Makes the children of an element; once.
  func elaborate(_ instance: Instance) {
    if instance.isElaborated { return }
    instance.isElaborated = true
    if let definition = instance.definition {
      bindArguments(of: instance, definition)
      process(definition.items, instance.scope, instance)
    } else {
      process(instance.syntax.items, instance.scope, instance)
    }
    applyStyles(instance)
    if let limit = instance.parent?.depth, limit + 1 > options.limits.nesting {
      report(
        Diagnostic(
          .limitExceeded, "elements nested deeper than \(options.limits.nesting) levels",
          at: instance.span, label: "the limit 'nesting'",
          notes: [Note("raise it with --limit nesting=\(options.limits.nesting * 2)")]))
      instance.children = []
    }
  }

  /// The items of a body in two rounds: first what has a name, then loops and conditions.
  private func process(_ items: [Item], _ scope: Scope, _ instance: Instance) {
    var made: [Int: Instance] = [:]
    for (index, item) in items.enumerated() {
      switch item {
      case .letDecl(let it):
        declare(it.name, scope)
        scope.bind(
          it.name.text,
          .expression(LetBinding(name: it.name, type: it.type, value: it.value, id: newID())))
      case .element(let syntax):
        guard let child = makeInstance(syntax, parent: instance, scope) else { continue }
        made[index] = child
        if let name = syntax.name {
          declare(name, scope)
          scope.bind(name.text, .element(child))
        }
      case .property(let property): add(property, to: instance, scope)
      case .forItem, .ifItem, .segment: break
      }
    }
    for (index, item) in items.enumerated() {
      switch item {
      case .element:
        if let child = made[index] { instance.children.append(child) }
      case .forItem(let loop): unroll(loop, scope, instance)
      case .ifItem(let it): decide(it, scope, instance)
      case .segment(let segment): instance.segments.append((segment, scope))
      case .letDecl, .property: break
      }
    }
  }

  private func declare(_ name: Name, _ scope: Scope) {
    guard scope.bindings[name.text] != nil else { return }
    report(
      Diagnostic(
        .nameTwice, "'\(name.text)' is declared twice in this body", at: name.span,
        label: "give it another name"))
  }

  private func unroll(_ loop: ForSyntax, _ scope: Scope, _ instance: Instance) {
    let context = context(of: instance, now: now).with { $0.scope = scope }
    guard let rounds = rounds(of: loop.list, context) else { return }
    var lists: [String: [Instance]] = [:]
    for (number, value) in rounds.enumerated() {
      if elementLimitReported { return }
      let round = Scope(parent: scope, owner: instance)
      round.bind(loop.variable.text, .value(value, loop.variable.span))
      if let index = loop.index {
        round.bind(index.text, .value(.number(Double(number)), index.span))
      }
      process(loop.items, round, instance)
      for (name, binding) in round.bindings {
        switch binding {
        case .element(let child): lists[name, default: []].append(child)
        case .elements(let children): lists[name, default: []] += children
        default: break
        }
      }
    }
    for (name, children) in lists where scope.bindings[name] == nil {
      scope.bind(name, .elements(children))
    }
  }

  private func decide(_ it: IfSyntax, _ scope: Scope, _ instance: Instance) {
    let context = context(of: instance, now: now).with { $0.scope = scope }
    guard let truth = truth(evaluate(it.condition, context), it.condition.span) else { return }
    guard let known = truth.constantValue else {
      report(
        Diagnostic(
          .notConstant, "which elements there are cannot change over time",
          at: it.condition.span, label: "this does",
          notes: [Note("give the elements 'visible: …' with this condition instead of 'if'")]))
      return
    }
    let branch = Scope(parent: scope, owner: instance)
    process(known != 0 ? it.items : it.otherwise, branch, instance)
    for (name, binding) in branch.bindings where scope.bindings[name] == nil {
      switch binding {
      case .element, .elements: scope.bind(name, binding)
      default: break
      }
    }
  }

  // MARK: Instances

  func makeInstance(_ syntax: ElementSyntax, parent: Instance, _ scope: Scope) -> Instance? {
    instanceCount += 1
    guard instanceCount <= options.limits.elements else {
      if !elementLimitReported {
        elementLimitReported = true
        report(
          Diagnostic(
            .limitExceeded, "more than \(options.limits.elements) elements",
            at: syntax.headSpan, label: "the limit 'elements' is reached here",
            notes: [Note("raise it with --limit elements=\(options.limits.elements * 10)")]))
      }
      return nil
    }
    guard syntax.kind.count == 1, let kindName = syntax.kind.first else {
      _ = notBuilt("'\(syntax.kindText)': a name of an imported file", syntax.headSpan)
      return nil
    }
    if let kind = ElementKind(rawValue: kindName.text) {
      guard let kind = accepted(kind, syntax, in: parent) else { return nil }
      let body = OwnerScope(parent: scope)
      let instance = Instance(
        kind: kind, syntax: syntax, parent: parent, scope: body, definition: nil,
        id: instanceCount)
      body.instance = instance
      addSubject(instance)
      return instance
    }
    if let (binding, home) = scope.lookup(kindName.text),
      case .definition(let definition, _) = binding
    {
      guard definition.kind == "component" else {
        report(
          Diagnostic(
            .unknownElement, "'\(kindName.text)' is a \(definition.kind), not a component",
            at: kindName.span))
        return nil
      }
      return makeComponent(definition, home, syntax, parent, scope)
    }
    unknownElement(kindName, scope)
    return nil
  }

  private func makeComponent(
    _ definition: DefinitionSyntax, _ home: Scope, _ syntax: ElementSyntax, _ parent: Instance,
    _ scope: Scope
  ) -> Instance? {
    if parent.depth > options.limits.nesting {
      report(
        Diagnostic(
          .recursion, "the component '\(definition.name.text)' holds itself",
          at: syntax.headSpan))
      return nil
    }
    let inner = OwnerScope(parent: home)
    let instance = Instance(
      kind: .group, syntax: syntax, parent: parent, scope: inner, definition: definition,
      id: instanceCount)
    inner.instance = instance
    instance.useScope = scope
    return instance
  }

  private func bindArguments(of instance: Instance, _ definition: DefinitionSyntax) {
    guard let inner = instance.scope as? OwnerScope else { return }
    let use = OwnerScope(parent: instance.useScope ?? fileScope)
    use.instance = instance
    var given: [String: Expression] = [:]
    if let subject = instance.syntax.subject, let first = definition.parameters.first {
      given[first.name.text] = subject
    }
    for item in instance.syntax.items {
      switch item {
      case .letDecl(let it):
        use.bind(
          it.name.text,
          .expression(LetBinding(name: it.name, type: it.type, value: it.value, id: newID())))
      case .property(let property):
        if definition.parameters.contains(where: { $0.name.text == property.name.text }) {
          given[property.name.text] = property.value
        } else {
          add(property, to: instance, use)
        }
      case .element(let it): _ = notBuilt("children of a component ('slot')", it.headSpan)
      case .forItem, .ifItem, .segment:
        _ = notBuilt("'for' and 'if' in the use of a component", instance.span)
      }
    }
    for parameter in definition.parameters {
      guard let value = given[parameter.name.text] ?? parameter.value else {
        report(
          Diagnostic(
            .missingProperty,
            "'\(definition.name.text)' needs '\(parameter.name.text)'", at: instance.span,
            label: "add '\(parameter.name.text): …'"))
        inner.bind(parameter.name.text, .value(.poison, parameter.name.span))
        continue
      }
      let home = given[parameter.name.text] == nil ? nil : use
      inner.bind(
        parameter.name.text,
        .expression(
          LetBinding(
            name: parameter.name, type: parameter.type, value: value, id: newID(), home: home)))
    }
  }

  private func accepted(
    _ kind: ElementKind, _ syntax: ElementSyntax, in parent: Instance
  ) -> ElementKind? {
    guard kind.isBuilt else {
      _ = notBuilt("'\(kind.rawValue)'", syntax.headSpan)
      return nil
    }
    let wrong: String?
    switch kind {
    case .scene: wrong = "a scene stands at the level of the file"
    case .span: wrong = [.text, .span].contains(parent.kind) ? nil : "a 'span' stands in a 'text'"
    case .marker, .output:
      wrong = parent.kind == .scene ? nil : "'\(kind.rawValue)' stands right in a scene"
    default:
      wrong =
        [.span, .marker, .output].contains(parent.kind)
        ? "'\(parent.kind.rawValue)' holds no '\(kind.rawValue)'" : nil
    }
    guard let wrong else { return kind }
    report(Diagnostic(.misplacedElement, wrong, at: syntax.headSpan))
    return nil
  }

  private func unknownElement(_ name: Name, _ scope: Scope) {
    let kinds = ElementKind.allCases.filter { ![.scene, .slot].contains($0) }.map(\.rawValue)
    var fault = Diagnostic(
      .unknownElement, "there is no element '\(name.text)'", at: name.span
    ).suggesting(nearest(name.text, in: kinds + scope.visibleNames))
    let other = [
      "rectangle": "rect", "square": "rect", "box": "rect", "oval": "ellipse", "img": "image",
      "label": "text", "title": "text", "g": "group", "p": "text", "div": "group",
      "bezier": "path", "curve": "path",
    ]
    if fault.fixIts.isEmpty { fault = fault.suggesting(other[name.text.lowercased()]) }
    if fault.fixIts.isEmpty {
      fault.notes = [Note("elements are \(kinds.joined(separator: ", "))")]
    }
    report(fault)
  }

  // MARK: Properties

  private func addSubject(_ instance: Instance) {
    guard let subject = instance.syntax.subject else { return }
    guard let name = instance.kind.subjectProperty else {
      report(
        Diagnostic(
          .unexpectedToken, "'\(instance.kind.rawValue)' takes no text", at: subject.span,
          label: "remove it, or put 'text \"…\"' in its body"))
      return
    }
    instance.properties[name] = Source(
      value: subject, scope: instance.scope, nameSpan: subject.span)
  }

  func add(_ property: PropertySyntax, to instance: Instance, _ scope: Scope) {
    let name = property.name
    guard let spec = PropertyTable.all[name.text] else { return unknownProperty(name, instance) }
    guard spec.kinds.contains(instance.kind) else { return misplaced(spec, name, instance) }
    let roundImage = name.text == "corner-radius" && instance.kind != .rect
    if !spec.isBuilt || roundImage {
      _ = notBuilt("the property '\(name.text)'", name.span)
      return
    }
    if let first = instance.properties[name.text] {
      var fault = Diagnostic(
        .propertyTwice, "'\(name.text)' is given twice", at: name.span,
        label: "remove one of them")
      fault.notes = [Note("first given here", at: first.nameSpan)]
      return report(fault)
    }
    instance.properties[name.text] = Source(
      value: property.value, scope: scope, nameSpan: name.span)
  }

  private func unknownProperty(_ name: Name, _ instance: Instance) {
    var known = PropertyTable.names(of: instance.kind)
    known += instance.definition?.parameters.map(\.name.text) ?? []
    var fault = Diagnostic(
      .unknownProperty,
      "'\(instance.definition?.name.text ?? instance.kind.rawValue)' has no property '\(name.text)'",
      at: name.span
    ).suggesting(nearest(name.text, in: known))
    let other: [String: String] = [
      "color": "fill", "colour": "fill", "duration": "for", "start": "at", "begin": "at",
      "x": "position", "y": "position", "pos": "position", "alpha": "opacity",
      "rotation": "rotate", "z-index": "z", "border-radius": "corner-radius",
      "border": "stroke", "font-family": "font", "text-align": "align", "delay": "at",
      "stroke-linecap": "cap", "stroke-linejoin": "join", "stroke-dasharray": "dash",
      "weight": "font-weight", "bold": "font-weight", "width": "size", "height": "size",
      "background-color": "background", "framerate": "fps", "length": "for",
    ]
    if fault.fixIts.isEmpty, let near = other[name.text.lowercased()], known.contains(near) {
      if ["x", "y", "width", "height", "bold"].contains(name.text) {
        fault.notes = [Note("use '\(near)'")]
      } else {
        fault = fault.suggesting(near)
      }
    }
    report(fault)
  }

  private func misplaced(_ spec: PropertySpec, _ name: Name, _ instance: Instance) {
    let kinds = spec.kinds.map(\.rawValue).sorted()
    let shown = kinds.count > 10 ? "most drawn elements" : kinds.joined(separator: ", ")
    var fault = Diagnostic(
      .propertyElsewhere, "'\(instance.kind.rawValue)' has no property '\(name.text)'",
      at: name.span, notes: [Note("'\(name.text)' belongs to \(shown)")])
    let swaps: [(ElementKind, String, String)] = [
      (.rect, "width", "give a rect its 'size', as in 300x200"),
      (.image, "width", "give an image its 'size', as in 300x200"),
      (.circle, "size", "give a circle its 'radius'"),
      (.rect, "radius", "give a rect its 'corner-radius', or use 'circle'"),
      (.text, "size", "give a text its 'font-size' or 'width'"),
      (.scene, "fill", "give a scene its 'background'"),
      (.group, "fill", "a group paints nothing; put a 'rect' in it"),
    ]
    for (kind, property, mend) in swaps where kind == instance.kind && property == name.text {
      fault.notes = [Note(mend)]
    }
    report(fault)
  }

  /// Properties of styles, where the element gives none itself; later styles win.
  private func applyStyles(_ instance: Instance) {
    guard let source = instance.properties["style"] else { return }
    let names: [Expression]
    if case .list(let items) = source.value.kind { names = items } else { names = [source.value] }
    for e in names.reversed() {
      guard case .reference(let name) = e.kind else {
        _ = fault(.typeMismatch, "expected the name of a style", at: e.span)
        continue
      }
      guard let (binding, home) = source.scope.lookup(name),
        case .definition(let definition, _) = binding, definition.kind == "style"
      else {
        report(
          Diagnostic(.unknownName, "there is no style '\(name)'", at: e.span)
            .suggesting(nearest(name, in: source.scope.visibleNames)))
        continue
      }
      let scope = Scope(parent: home, owner: nil)
      for case .property(let property) in definition.items
      where instance.properties[property.name.text] == nil {
        add(property, to: instance, scope)
      }
    }
  }
}

/// The scope of a body, which knows its element once that is made.
final class OwnerScope: Scope {
  weak var instance: Instance?

  init(parent: Scope) { super.init(parent: parent, owner: nil) }

  override var owner: Instance? { instance }
}
