// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// `repeat`: a drawing again and again, each copy a step further than the one before it.
//
// The step is counted, not chained: copy `n` is moved by `n` times the way, turned by `n` times the angle
// and scaled by the power `n`, as Lottie and After Effects do it. So `step-offset` may be between two
// copies, and a copy does not depend on those before it.
extension Checker {
  /// What a `repeat` has itself; all else in its body is in each copy.
  private static let ownKinds: Set<String> = ["change", "clip", "mask"]

  /// Makes the copies, each with the body's elements, `index` and `count`.
  func makeCopies(in i: Instance) {
    var own: [Item] = []
    var drawn: [Item] = []
    for item in i.syntax.items {
      switch item {
      case .property: own.append(item)
      // A value may be for the step, or follow from `index`.
      case .letDecl:
        own.append(item)
        drawn.append(item)
      case .element(let it) where it.target == nil && Checker.ownKinds.contains(it.kindText):
        own.append(item)
      default: drawn.append(item)
      }
    }
    process(own, i.scope, i)
    applyStyles(i)
    guard let count = countOfCopies(in: i, of: drawn), reserveRounds(count, i.span) else { return }
    if count == 0 {
      let none = Scope(parent: i.scope, owner: i)
      for name: Identifier in ["index", "count"] {
        // Only what is tried reads it, and that there are no copies is no error.
        let (unknown, _) = reports.trying { poison(i.span) }
        none.bind(name, .value(unknown, i.span))
      }
      leave(.items(drawn, none, i), i.span)
    } else {
      take(i.span)
    }
    let body = ElementSyntax(
      kind: i.syntax.kind, name: i.syntax.name, subject: nil, items: drawn, span: i.syntax.span)
    var lists: [Identifier: [Instance]] = [:]
    for index in 0..<count {
      guard !reports.isClosed, let copy = makeCopy(index, of: count, body, in: i) else { return }
      gather(namesOf: copy.scope, &lists)
    }
    for (name, children) in lists where i.scope.bindings[name] == nil {
      i.scope.bind(name, .elements(children))
    }
  }

  /// `nil` for more than there may be elements.
  private func countOfCopies(in i: Instance, of drawn: [Item]) -> Int? {
    let limit = options.limits.elements
    if let (value, span) = value(.copies, of: i, now: now),
      let wanted = asNumber(value, span)?.constantValue, wanted > Double(limit)
    {
      let each = 1 + Checker.count(drawn)
      _ = report(
        .limitExceeded,
        "\(wanted < 1e15 ? NumberFormat().text(wanted) : "too many") copies exceed the limit of \(limit) elements",
        at: span, label: "each copy counts as \(NumberFormat.count(each, of: "element"))",
        help: Limits.raising(
          "elements", to: Double(instanceCount) + wanted * Double(each)))
      return nil
    }
    return wholeNumber(.copies, of: i, in: 0...limit)
  }

  /// How many elements are written in a body, those in loops once.
  private static func count(_ items: [Item]) -> Int {
    items.reduce(0) { sum, item in
      switch item {
      case .element(let it): sum + 1 + count(it.items)
      case .forItem(let it): sum + count(it.items)
      case .ifItem(let it): sum + count(it.items)
      case .property, .letDecl, .segment: sum
      }
    }
  }

  private func makeCopy(_ index: Int, of count: Int, _ body: ElementSyntax, in i: Instance)
    -> Instance?
  {
    guard reserveElement(i.span) else { return nil }
    let round = Scope(parent: i.scope, owner: nil)
    round.bind("index", .value(.number(Double(index)), i.span))
    round.bind("count", .value(.number(Double(count)), i.span))
    let scope = ownerScope(in: round)
    let copy = Instance(
      kind: .group, syntax: body, parent: i, scope: scope, definition: nil, id: instanceCount)
    scope.instance = copy
    copy.copy = index
    i.children.append(copy)
    elaborate(copy)
    return copy
  }

  /// What a copy's steps from the first one give to a property; `nil` for what is no copy.
  func stepOfCopy(_ property: EffectProperty, _ copy: Instance, now: Scalar)
    -> (Value, SourceSpan)?
  {
    guard let index = copy.copy, let host = copy.parent, let step = property.step,
      let (value, span) = self.value(step, of: host, now: now)
    else { return nil }
    let count = builder.add(.constant(Double(index)), number(.stepOffset, of: host, now: now))
    if count == .zero { return nil }
    switch step {
    case .stepTranslate:
      let box = self.box(of: host, now: now)
      let c = context(of: copy, now: now)
      guard
        let by = asPoint(value, span, c, width: box?.width ?? .one, height: box?.height ?? .one)
      else { return nil }
      return (.pair(builder.multiply(by.x, count), builder.multiply(by.y, count)), span)
    case .stepRotate:
      guard let angle = asAngle(value, span) else { return nil }
      return (.quantity(builder.multiply(angle, count), .angle), span)
    case .stepScale:
      guard let by = asFactors(value, span), let x = factor(by.x, step, span),
        let y = factor(by.y, step, span)
      else { return nil }
      return (.pair(builder.make(.power, x, count), builder.make(.power, y, count)), span)
    default:
      guard let share = asNumber(value, span), let share = factor(share, step, span) else {
        return nil
      }
      return (.number(builder.make(.power, share, count)), span)
    }
  }

  /// A scale of 0: what was given, or what many steps from a copy to the next come to.
  func reportScaleOfZero(_ i: Instance, _ span: SourceSpan) {
    var it = Diagnostic(
      .notInvertible, "a scale of 0 hides the element", at: span,
      label: "use 'visible: false' to hide it")
    if let copy = i.copy, i.parent?.properties[.stepScale]?.value.span == span {
      it = Diagnostic(
        .notInvertible, "the copies from index \(copy) on have a scale of 0", at: span,
        label: "to the power of \(copy), this is 0",
        notes: [Note(help: "reduce 'copies', or increase 'step-scale'")])
    }
    report(it)
  }

  /// A factor that has powers of all numbers; `nil` after an error.
  private func factor(_ factor: Scalar, _ property: Property, _ span: SourceSpan) -> Scalar? {
    let least = property == .stepScale ? 0.001 : 0
    let range = least...(property == .stepScale ? 1000 : 1)
    guard let known = factor.constantValue else {
      return builder.make(
        .maximum, .constant(least), builder.make(.minimum, .constant(range.upperBound), factor))
    }
    return isInside(range, known, property, span) ? factor : nil
  }
}

extension EffectProperty {
  /// What a `repeat` adds to it from one copy to the next.
  fileprivate var step: Property? {
    switch self {
    case .translate: .stepTranslate
    case .rotate: .stepRotate
    case .scale: .stepScale
    case .opacity: .stepOpacity
    default: nil
    }
  }
}
