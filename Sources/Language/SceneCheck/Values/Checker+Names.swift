// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

extension Checker {
  func reference(
    _ name: Identifier, at span: SourceSpan, in c: Context, words: Set<String>
  ) -> Value {
    if !words.isEmpty, words.contains(name.text) { return .word(name.text) }
    if let (binding, scope) = c.scope.lookup(name) {
      note(span, binding)
      return value(of: binding, named: name.text, scope: scope, at: span, in: c)
    }
    switch KnownName.all[name] {
    case .word(let word): return value(of: word, at: span, in: c)
    case .origin: return point(named: name.text, of: c.owner, at: span, in: c)
    case .point:
      // Where a word is expected, the name of a point is unknown.
      if typed?.invalidNames.contains(span) == true { return poison(span) }
      return point(name.text, at: span, in: c)
    case .ink: return inkValue(of: c.owner, now: c.now)
    case .number(let number): return .number(number)
    case .color(let color): return .color(color)
    case .easing(let easing): return .easing(easing, length: nil)
    case nil: return unknown(name.text, span)
    }
  }

  /// Records the declaration of a name, if requested.
  func note(_ use: SourceSpan, _ binding: Scope.Binding) {
    if options.recordsNames { note(use, binding.nameSpan) }
  }

  func note(_ use: SourceSpan, _ declared: SourceSpan?) {
    if options.recordsNames, let declared { foundNames[use] = declared }
  }

  private func value(
    of binding: Scope.Binding, named name: String, scope: Scope, at span: SourceSpan, in c: Context
  ) -> Value {
    switch binding {
    case .value(let value, _): return value
    case .spoken(let range?, _):
      let length = Double(max(1, range.upperBound - range.lowerBound))
      return .quantity(
        builder.make(
          .progress, a: c.now, b: .constant(Double(range.lowerBound)), c: .constant(length)), .none)
    case .spoken(nil, _):
      return report(
        .unknownName, "'spoken' is unknown, since the captions have no word timestamps", at: span,
        help: "use the JSON of a speech recognizer with word timestamps, or WebVTT with timestamps")
    case .element(let instance): return referred(instance)
    case .elements(let list): return .list(list.map(referred))
    case .expression(let binding): return value(of: binding, scope: scope, at: span, in: c)
    case .ambiguous(let first, let second):
      return report(
        .nameTwice, "ambiguous name '\(name)': two elements in 'steps' have this name", at: span,
        notes: [Note("first element", at: first), Note("second element", at: second)],
        help: "rename one of them, or name its step and write STEP.\(name)")
    case .function, .builtIn:
      return report(
        .typeMismatch, "'\(name)' is a function", at: span, help: "call it: \(name)(…)")
    case .definition(let definition, _):
      return report(
        .typeMismatch,
        "'\(name)' is \(definition.kind.description), not a value",
        at: span,
        help: definition.kind == .component ? "use it as an element: \(name) { }" : nil)
    case .scene:
      return report(
        .typeMismatch, "'\(name)' is a scene, not a value", at: span,
        help: "use it as an element: \(name) { }")
    case .module(let module):
      return report(
        .typeMismatch, "'\(name)' is the file '\(module.path)', not a value", at: span,
        help: "use a name from it: \(name).…")
    }
  }

  /// Returns an element as a value and records the reference, since a hidden element may serve as a
  /// reference.
  private func referred(_ instance: ElementNode) -> Value {
    referredElements.insert(instance.span)
    return .element(instance)
  }

  /// Evaluates a word such as `t` or `end` for the element that determines the clock.
  private func value(of word: ElementWord, at span: SourceSpan, in c: Context) -> Value {
    switch word {
    case .t:
      if let what = c.constantFor { return movingIn(what, span) }
      guard let begin = start(of: c.owner, span) else { return poison(span) }
      return .quantity(
        builder.subtract(c.now, .constant(Double(begin.rawValue))), .time)
    case .sceneTime:
      if let what = c.constantFor { return movingIn(what, span) }
      guard let begin = start(of: scene(of: c.owner), span) else { return poison(span) }
      return .quantity(builder.subtract(c.now, .constant(Double(begin.rawValue))), .time)
    case .start: return .quantity(.zero, .time)
    case .end, .duration:
      guard let length = lifeLength(c, span) else { return poison(span) }
      return .quantity(.constant(length), .time)
    case .progress:
      if let what = c.constantFor { return movingIn(what, span) }
      guard let begin = start(of: c.owner, span), let length = lifeLength(c, span) else {
        return poison(span)
      }
      let local = builder.subtract(c.now, .constant(Double(begin.rawValue)))
      let share = length > 0 ? builder.scaled(local, 1 / length) : .zero
      // The progress of a step remains 1 after its end.
      let stays = c.owner.kind == .step || c.owner.kind == .steps
      return .number(stays ? builder.make(.minimum, a: .one, b: share) : share)
    }
  }

  /// Evaluates a named point such as `left` for the element that determines the box.
  private func point(_ name: String, at span: SourceSpan, in c: Context) -> Value {
    guard c.standsInParent, let share = Words.points[name] else {
      return point(named: name, of: c.owner, at: span, in: c)
    }
    // In a `change`, points refer to the animated element.
    let element = c.owner.kind == .change ? c.owner.host ?? c.owner : c.owner
    let (width, height) = parentSize(element, now: c.now)
    return .pair(builder.scaled(width, share.x), builder.scaled(height, share.y))
  }

  private func point(
    named name: String, of instance: ElementNode, at span: SourceSpan, in c: Context
  ) -> Value {
    namedPoint(name, of: instance, in: c, at: span).map { .pair($0.x, $0.y) } ?? poison(span)
  }

  /// Returns the scene that lexically contains an element.
  func scene(of instance: ElementNode) -> ElementNode {
    var it = instance
    while it.kind != .scene, let parent = it.parent { it = parent }
    return it
  }

  // MARK: Members

  func member(_ base: Expression, _ name: Name, at span: SourceSpan, in c: Context) -> Value {
    if case .reference(let file) = base.kind, case .module(let module)? = c.scope.lookup(file)?.0 {
      guard let binding = publicName(name, of: module) else { return poison(span) }
      return value(of: binding, named: name.text, scope: module.scope, at: span, in: c)
    }
    if case .reference(Checker.sceneName) = base.kind, c.scope.lookup(Checker.sceneName) == nil {
      return sceneMember(name, in: c)
    }
    if let value = effectMember(base, name, at: span, in: c) { return value }
    // Counted as depth, since a chain of members recurses once per member.
    switch deeper(span, { named(base, in: c) }) ?? poison(span) {
    case .element(let instance): return member(of: instance, name, in: c)
    case .box(let instance):
      guard let box = self.box(of: instance, now: c.now) else { return poison(span) }
      switch BoxMember(rawValue: name.text) {
      case .width: return .number(box.width)
      case .height: return .number(box.height)
      case .size: return .pair(box.width, box.height)
      case nil: return noMember(name, of: "a box", known: BoxMember.allCases.map(\.rawValue))
      }
    case .pair(let x, let y):
      switch name.text {
      case "x", "width": return x
      case "y", "height": return y
      default: return noMember(name, of: "a pair", known: ["x", "y", "width", "height"])
      }
    case .color(let color):
      switch ColorMember(rawValue: name.text) {
      case .red: return .number(color.red)
      case .green: return .number(color.green)
      case .blue: return .number(color.blue)
      case .alpha: return .number(color.alpha)
      case nil: return noMember(name, of: "a color", known: ColorMember.allCases.map(\.rawValue))
      }
    case .record(let fields):
      return fields.first { $0.0 == name.text }?.1
        ?? noMember(name, of: "a record", known: fields.map { $0.0 })
    case .poison: return poison(span)
    case let value:
      if let error = listMember(of: value, base: base, name: name, at: span) { return error }
      return noMember(name, of: value.description, known: [])
    }
  }

  private static let sceneName: Identifier = "scene"

  /// Reports the length of a list or a text, or a field of the records of a list, as a member.
  /// Returns `nil` for other members and values.
  private func listMember(of value: Value, base: Expression, name: Name, at span: SourceSpan)
    -> Value?
  {
    let (owner, base) = (value.description, text(at: base.span))
    switch value {
    case .list(let items) where Checker.haveField(name.text, items):
      return .poison(
        report(Mismatch.column(name.text, of: owner, base: base, at: name.span, in: span)))
    case .list, .text:
      let length = Mismatch.length(name.text, of: owner, base: base, at: name.span, in: span)
      return length.map { .poison(report($0)) }
    default: return nil
    }
  }

  /// Evaluates a member of `scene`: the canvas of the scene that lexically contains the expression.
  private func sceneMember(_ name: Name, in c: Context) -> Value {
    guard let member = CanvasMember(rawValue: name.text) else {
      return noMember(name, of: "'scene'", known: CanvasMember.allCases.map(\.rawValue))
    }
    guard let box = scene(of: c.owner).boxes[.node(0)] else {
      return report(
        .cycle, "the size of the scene is unknown here", at: name.span,
        label: "the size depends on this")
    }
    switch member {
    case .width: return .number(box.width)
    case .height: return .number(box.height)
    case .size: return .pair(box.width, box.height)
    case .aspect: return .number(builder.divide(box.width, box.height))
    case .duration:
      guard let end = end(of: scene(of: c.owner), name.span),
        let start = start(of: scene(of: c.owner), name.span)
      else { return poison(name.span) }
      return .quantity(.constant(Double((end - start).rawValue)), .time)
    }
  }

  private func noMember(
    _ name: Name, of owner: String, known: [String], note: String? = nil
  ) -> Value {
    guard reports.isNew(name.span) else { return poison(name.span) }
    report(Mismatch.member(name.text, of: owner, known: known, at: name.span, note: note))
    return poison(name.span)
  }

  private func member(of instance: ElementNode, _ name: Name, in c: Context) -> Value {
    elaborate(instance)
    if instance.definition == nil, let binding = instance.scope.bindings[name] {
      note(name.span, binding)
      switch binding {
      case .element(let child): return referred(child)
      case .elements(let list): return .list(list.map(referred))
      default: break
      }
    }
    let isPlace =
      name.text == "box" || Words.points[name.text] != nil
      || Words.baselinePoints[name.text] != nil
    if isPlace, instance.kind == .span, let text = text(around: instance), followsPath(text) {
      return report(
        .unknownMember, "a span of a text on a path has no box", at: name.span,
        label: "its letters follow the path")
    }
    switch name.text {
    case "box": return .box(instance)
    // Relative to the same instant as `start` and `end`.
    case "at" where instance.properties[.at] != nil:
      return lifeMember(of: instance, Name("start", name.span), in: c)
    case "start", "end", "duration": return lifeMember(of: instance, name, in: c)
    case "tempo" where [.audio, .video].contains(instance.kind):
      do throws(Reported) {
        return .number(.constant(try heardTempo(of: instance, name.span)))
      } catch {
        return .poison(error)
      }
    case "origin": return point(named: name.text, of: instance, at: name.span, in: c)
    default: break
    }
    if isPlace { return point(named: name.text, of: instance, at: name.span, in: c) }
    return propertyMember(of: instance, name, in: c)
  }

  /// Evaluates `card.enter.end`: the times of an `enter` or `exit`. Returns `nil` for other
  /// members.
  private func effectMember(_ base: Expression, _ name: Name, at span: SourceSpan, in c: Context)
    -> Value?
  {
    let word: String
    var instance = c.owner
    switch base.kind {
    case .reference(let it) where c.scope.lookup(it) == nil: word = it.text
    case .member(let owner, let it):
      guard let property = KnownWords.properties[it],
        [.enter, .exit].contains(property),
        case .element(let element) = named(owner, in: c)
      else { return nil }
      elaborate(element)
      // An element in the body may have the same name.
      if element.definition == nil, element.scope.bindings[it] != nil { return nil }
      (word, instance) = (it.text, element)
    default: return nil
    }
    guard let property = Property.named(word), [.enter, .exit].contains(property) else {
      return nil
    }
    guard ["start", "end", "duration"].contains(name.text) else {
      return noMember(name, of: "'\(word)'", known: ["start", "end", "duration"])
    }
    guard let found = effectSpan(of: instance, property, name.span) else {
      if let source = instance.properties[property] { return poison(source.value.span) }
      return report(
        .unknownMember, "'\(instance.displayName)' has no '\(word)'", at: span,
        label: "not set on the element")
    }
    var ticks = found.end - found.start
    if name.text != "duration" {
      guard let zero = self.start(of: c.timeBase ?? c.owner, name.span) else {
        return poison(name.span)
      }
      ticks = (name.text == "start" ? found.start : found.end) - zero
    }
    return .quantity(.constant(Double(ticks.rawValue)), .time)
  }

  /// Returns whether the body of a component contains an element with a name, at any depth.
  private func holds(_ items: [Item], _ name: String) -> Bool {
    items.contains { item in
      switch item {
      case .element(let it): it.name?.text == name || holds(it.items, name)
      case .forItem(let it): holds(it.items, name)
      case .ifItem(let it): holds(it.items, name) || holds(it.otherwise, name)
      default: false
      }
    }
  }

  private func lifeMember(of instance: ElementNode, _ name: Name, in c: Context) -> Value {
    let base = c.timeBase ?? c.owner
    func time(_ ticks: Ticks) -> Value { .quantity(.constant(Double(ticks.rawValue)), .time) }
    if name.text == "start" {
      guard let start = self.start(of: instance, name.span),
        let zero = self.start(of: base, name.span)
      else { return poison(name.span) }
      return time(start - zero)
    }
    if name.text == "duration", [.video, .audio].contains(instance.kind) {
      return materialLength(of: instance, name.span).map(time) ?? poison(name.span)
    }
    guard let end = self.end(of: instance, name.span) else { return poison(name.span) }
    let from = name.text == "end" ? base : instance
    guard let zero = start(of: from, name.span) else { return poison(name.span) }
    return time(end - zero)
  }

  /// Evaluates a property as a member. Lengths that depend on the parent are in pixels.
  private func propertyMember(of instance: ElementNode, _ name: Name, in c: Context) -> Value {
    if let definition = instance.definition,
      let parameter = definition.parameters.first(where: { $0.name.text == name.text })
    {
      note(name.span, parameter.name.span)
      return reference(
        name.identifier, at: name.span,
        in: context(of: instance, now: c.now).with { $0.scope = instance.scope },
        words: [])
    }
    guard let property = KnownWords.properties[name],
      property.declaration.use(in: instance.kind) != nil
    else {
      if let size = Mismatch.size(name.text, of: instance.displayName, at: name.span) {
        if reports.isNew(name.span) { report(size) }
        return poison(name.span)
      }
      if let definition = instance.definition, holds(definition.items, name.text) {
        return report(
          .unknownMember, "'\(name.text)' is private to the component '\(definition.name.text)'",
          at: name.span, label: "the content of a component is private",
          help: "to read or set the value from outside, add a parameter to the component")
      }
      return noMember(
        name, of: "'\(instance.displayName)'",
        known: instance.kind.members + instance.scope.bindings.keys.sorted(),
        note: Mismatch.elementMembers)
    }
    if let what = c.constantFor, what != "" {
      let value = readProperty(property, of: instance, now: c.now, at: name.span)
      return value.isConstant ? value : movingIn(what, name.span)
    }
    return readProperty(property, of: instance, now: c.now, at: name.span)
  }
}
