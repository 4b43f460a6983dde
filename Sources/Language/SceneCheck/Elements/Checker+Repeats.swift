// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// `repeat`: copies of a drawing, each transformed by one more step than its predecessor.
//
// Steps are multiplied, not accumulated: copy `n` is translated by `n` times the step, rotated by
// `n` times the angle and scaled by the power `n`, as in Lottie and After Effects. Therefore
// `step-offset` can be fractional, and a copy does not depend on its predecessors.
extension Checker {
  /// Children of the `repeat` itself. All other items of its body are in each copy.
  private static let ownKinds: Set<String> = ["change", "clip", "mask"]

  /// Creates the copies, each with the body's elements, `index` and `count`.
  func makeCopies(in i: ElementNode) {
    var own: [Item] = []
    var drawn: [Item] = []
    for item in i.syntax.items {
      switch item {
      case .property: own.append(item)
      // A `let` may be used by a step or depend on `index`.
      case .letDecl:
        own.append(item)
        drawn.append(item)
      case .element(let it) where it.target == nil && Checker.ownKinds.contains(it.kindText):
        own.append(item)
      default: drawn.append(item)
      }
    }
    process(own, in: i.scope, of: i)
    applyStyles(i)
    guard let count = countOfCopies(in: i, of: drawn), reserveRounds(count, i.span) else { return }
    let body = ElementSyntax(
      kind: i.syntax.kind, name: i.syntax.name, subject: nil, items: drawn, span: i.syntax.span)
    var lists: [Identifier: [ElementNode]] = [:]
    for index in 0..<count {
      guard !reports.isClosed, let copy = makeCopy(index, of: count, body, in: i) else { return }
      gather(namesOf: copy.scope, &lists)
    }
    for (name, children) in lists where i.scope.bindings[name] == nil {
      i.scope.bind(name, .elements(children))
    }
  }

  /// Returns the number of copies, or `nil` if it exceeds the limit of elements.
  private func countOfCopies(in i: ElementNode, of drawn: [Item]) -> Int? {
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

  /// Returns the number of elements in a body. Loop bodies count once.
  private static func count(_ items: [Item]) -> Int {
    items.reduce(0) { sum, item in
      switch item {
      case .element(let it): sum + 1 + count(it.items)
      case .forItem(let it): sum + count(it.items)
      case .ifItem(let it): sum + count(it.items)
      case .property, .letDecl, .segment, .expectation: sum
      }
    }
  }

  private func makeCopy(_ index: Int, of count: Int, _ body: ElementSyntax, in i: ElementNode)
    -> ElementNode?
  {
    guard reserveElement(i.span) else { return nil }
    let round = Scope(parent: i.scope, owner: nil)
    round.bind("index", .value(.number(Double(index)), i.span))
    round.bind("count", .value(.number(Double(count)), i.span))
    let scope = ownerScope(in: round)
    let copy = ElementNode(
      kind: .group, syntax: body, parent: i, scope: scope, definition: nil, id: instanceCount)
    scope.instance = copy
    copy.copy = index
    i.children.append(copy)
    elaborate(copy)
    return copy
  }

  /// Returns the value that a copy's steps contribute to a property, or `nil` for other elements.
  func stepOfCopy(_ property: EffectProperty, _ copy: ElementNode, now: Scalar)
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
        let by = asPoint(value, span, in: c, width: box?.width ?? .one, height: box?.height ?? .one)
      else { return nil }
      return (.pair(builder.multiply(by.x, count), builder.multiply(by.y, count)), span)
    case .stepRotate, .stepRotateX, .stepRotateY:
      guard let angle = asAngle(value, span) else { return nil }
      return (.quantity(builder.multiply(angle, count), .angle), span)
    case .stepTranslateZ:
      guard let by = asLength(value, span, of: smallerSide(copy, now: now)) else { return nil }
      return (.number(builder.multiply(by, count)), span)
    case .stepScale:
      guard let by = asFactors(value, span), let x = factor(by.x, of: step, at: span),
        let y = factor(by.y, of: step, at: span)
      else { return nil }
      return (
        .pair(builder.make(.power, a: x, b: count), builder.make(.power, a: y, b: count)), span
      )
    default:
      guard let share = asNumber(value, span), let share = factor(share, of: step, at: span) else {
        return nil
      }
      return (.number(builder.make(.power, a: share, b: count)), span)
    }
  }

  /// Reports a scale of 0, either set directly or resulting from the power of a step.
  func reportScaleOfZero(_ i: ElementNode, _ span: SourceSpan) {
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

  /// Returns a factor in the range in which all its powers are valid, or `nil` after an error.
  private func factor(_ factor: Scalar, of property: Property, at span: SourceSpan) -> Scalar? {
    let least = property == .stepScale ? 0.001 : 0
    let range = least...(property == .stepScale ? 1000 : 1)
    guard let known = factor.constantValue else {
      return builder.make(
        .maximum, a: .constant(least),
        b: builder.make(.minimum, a: .constant(range.upperBound), b: factor))
    }
    return isInside(range, known, of: property, at: span) ? factor : nil
  }
}

extension EffectProperty {
  /// The property of `repeat` for the difference between two copies; `nil` if none.
  fileprivate var step: Property? {
    switch self {
    case .translate: .stepTranslate
    case .rotate: .stepRotate
    case .rotateX: .stepRotateX
    case .rotateY: .stepRotateY
    case .translateZ: .stepTranslateZ
    case .scale: .stepScale
    case .opacity: .stepOpacity
    default: nil
    }
  }
}
