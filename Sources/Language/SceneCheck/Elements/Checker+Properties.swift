// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

extension Checker {
  /// Returns the context for properties of an element. Lifetimes are evaluated without time steps,
  /// since these begin at the start of the element.
  func context(of instance: ElementNode, now: Scalar, hasSteps: Bool = true) -> Context {
    Context(
      scope: instance.scope,
      Context.Surroundings(
        owner: instance, now: hasSteps ? stepped(now, instance) : now,
        // In a `change`, points are in the coordinates of the animated element.
        space: (instance.kind == .change ? instance.host?.parent : instance.parent) ?? instance))
  }

  /// Quantizes the time by the `time-step` of the element or of its closest ancestor with one.
  func stepped(_ now: Scalar, _ instance: ElementNode) -> Scalar {
    guard usesTimeSteps else { return now }
    var next: ElementNode? = instance
    while let it = next, it.properties[.timeStep] == nil { next = it.parent }
    guard let owner = next, let step = timeStep(of: owner), step > .zero,
      let begin = start(of: owner, owner.span)
    else { return now }
    let origin = Scalar.constant(Double(begin.rawValue))
    let length = Double(step.rawValue)
    // An extra tick compensates for rounded frame times, and has no effect on exact times.
    let passed = builder.add(builder.subtract(now, origin), .one)
    let count = builder.make(.floor, a: builder.divide(passed, .constant(length)))
    return builder.add(origin, builder.scaled(count, length))
  }

  private func timeStep(of owner: ElementNode) -> Ticks? {
    if let known = owner.timeStep { return known }
    // The expression of `time-step` itself is evaluated without time steps.
    owner.timeStep = .zero
    owner.timeStep = owner.properties[.timeStep].flatMap { time($0, of: owner, "'time-step'") }
    if let step = owner.timeStep, step <= .zero, let source = owner.properties[.timeStep] {
      _ = report(.outOfRange, "'time-step' must be above 0s", at: source.value.span)
    }
    return owner.timeStep
  }

  /// Returns whether a property is a position in the parent's box.
  static func isPlacing(_ property: Property) -> Bool {
    switch property {
    case .position, .from, .to, .points: true
    default: false
    }
  }

  /// Returns the coordinates in which a property reads the outlines of elements, or `nil` if it
  /// does not read outlines.
  static func pathUse(of property: Property) -> PathUse? {
    switch property {
    case .along, .clip: .placed
    case .data: .own
    default: nil
    }
  }

  func evaluateProperty(
    _ source: Source, of owner: ElementNode, now: Scalar, words: Set<String>,
    constantFor: String? = nil, pathUse: PathUse? = nil, isView: Bool = false,
    isInside: Bool = false,
    standsInParent: Bool = false, recorder: MotionRecorder? = nil
  ) -> Value {
    switch source.made {
    case .value(let value): return value
    case .ink: return inkValue(of: owner, now: now)
    case .caption(let property): return captionValue(property, of: owner, now: now)
    case nil: break
    }
    let context = context(of: owner, now: now).with {
      $0.scope = source.scope
      if isView { ($0.space, $0.view) = (owner, owner) }
      if isInside { $0.space = owner.kind == .change ? owner.host ?? owner : owner }
      $0.standsInParent = standsInParent
      $0.constantFor = constantFor
      $0.pathUse = pathUse
      $0.recorder = recorder
    }
    if case .text(let parts) = source.value.kind, case .formula(let tex)? = parts.first {
      seen?.note(source.value, .literal(tex), of: owner)
      return .literal(tex)
    }
    return releasing { evaluate(source.value, context, words: words) }
  }

  /// Returns the value that is set for a property; `nil` if it is not set.
  func value(_ property: Property, of instance: ElementNode, now: Scalar) -> (Value, SourceSpan)? {
    elaborate(instance)
    guard let source = instance.properties[property] else { return nil }
    return (memo(property, from: source, of: instance, now: now), source.value.span)
  }

  func memo(
    _ property: Property, from source: Source, of instance: ElementNode, now: Scalar
  ) -> Value {
    if let known = instance.values[now]?[property] { return known }
    let declared = use(of: property, in: instance)
    let type = declared?.type ?? .number
    recording?.begin()
    let before = memory.recent
    let computed = step(
      .property(instance.id, property), "'\(property.name)' of '\(instance.displayName)'",
      at: source.nameSpan
    ) {
      let words = Words.accepted(by: type)
      // A condition may select a word, if the result is constant.
      let isWord = if case .word = type { true } else { false }
      let isFixed = property.declaration.isConstant(in: checkedKind(instance, property)) && !isWord
      let value = evaluateProperty(
        source, of: instance, now: now, words: words,
        constantFor: isFixed ? "'\(property.name)'" : nil,
        pathUse: Checker.pathUse(of: property), isView: property == .lookAt,
        isInside: property == .clip,
        standsInParent: Checker.isPlacing(property),
        // The duration of a clip depends on its speed, so no motion is compared with it.
        recorder: property == .speed ? MotionRecorder() : nil)
      if let range = declared?.range {
        check(value, of: property, in: range, at: source.value.span)
      }
      return changed(value, property, of: instance, now: now, words: words)
    }
    recording?.end(.property(instance.id, property, now))
    let value = computed ?? poison(source.nameSpan)
    cache(value, since: before)
    instance.values.update(now) { known in
      if known == nil { known = PropertyMap() }
      known?[property] = value
    }
    return value
  }

  /// Returns the source of an inherited property, from the element or its closest ancestor; `nil`
  /// if none sets it.
  func inherited(_ property: Property, _ instance: ElementNode) -> (
    source: Source, owner: ElementNode
  )? {
    var next: ElementNode? = instance
    while let it = next {
      elaborate(it)
      if let source = it.properties[property] { return (source, it) }
      next = it.parent
    }
    return nil
  }

  func inheritedValue(_ property: Property, of instance: ElementNode, now: Scalar)
    -> (Value, SourceSpan)?
  {
    guard let (source, owner) = inherited(property, instance) else { return nil }
    return (memo(property, from: source, of: owner, now: now), source.value.span)
  }

  // MARK: Default values

  /// Returns the declaration of a property for an element, or `nil` if the element does not support
  /// it.
  func use(of property: Property, in i: ElementNode) -> Property.Use? {
    let kind = checkedKind(i, property)
    return kind == i.kind ? i.uses[property.rawValue] : property.declaration.use(in: kind)
  }

  /// Returns the default of a property for an element; `nil` if it has none.
  func initial(_ property: Property, of i: ElementNode) -> InitialValue? {
    (use(of: property, in: i) ?? property.declaration.uses[0]).initial
  }

  /// Converts a default to a value. Callers must resolve `ink`, since it depends on the position.
  func value(of initial: InitialValue, in i: ElementNode, now: Scalar) -> Value {
    switch initial {
    case .number(let x): .number(x)
    case .percent(let x): .percent(.constant(x / 100))
    case .angle(let x): .quantity(.constant(x), .angle)
    case .time(let x): .quantity(.constant(x * Double(Ticks.perSecond)), .time)
    case .decibels(let x): .quantity(.constant(x), .gain)
    case .pair(let x): .pair(.number(x), .number(x))
    case .percents(let x): .pair(.percent(.constant(x / 100)), .percent(.constant(x / 100)))
    case .percentPair(let x, let y):
      .pair(.percent(.constant(x / 100)), .percent(.constant(y / 100)))
    case .angles(let x):
      .pair(.quantity(.constant(x), .angle), .quantity(.constant(x), .angle))
    case .bool(let truth): .bool(.constant(truth ? 1 : 0))
    case .word(let word): .word(word)
    case .whole: .range(.percent(.zero), .percent(.one))
    case .none: .none()
    case .ink: isInked(i) ? inkValue(of: i, now: now) : .none()
    }
  }

  /// Returns whether an element without paints is drawn with `ink`. A shape with a backdrop filter
  /// is transparent.
  func isInked(_ i: ElementNode) -> Bool {
    i.properties[i.kind.isOpenLine ? .fill : .stroke] == nil
      && (i.properties[.backdropFilter] == nil || !i.kind.isShape)
  }

  /// Returns the color that contrasts with the background of an element.
  func inkValue(of i: ElementNode, now: Scalar) -> Value {
    if let value = fileValue(.fill, of: i) { return value }
    if case .color(let color) = ink(for: i, now: now) { return .color(color) }
    return .color(ColorModel(.white))
  }

  func initialNumber(_ property: Property, _ i: ElementNode) -> Double {
    guard let number = initial(property, of: i)?.number else {
      preconditionFailure("'\(property.name)' of '\(i.kind.rawValue)' has no numeric default")
    }
    return number
  }

  // MARK: Typed access

  func number(_ property: Property, of i: ElementNode, now: Scalar) -> Scalar {
    value(property, of: i, now: now).flatMap { asNumber($0.0, $0.1) }
      ?? .constant(initialNumber(property, i))
  }

  /// Returns a length in pixels. Percentages are relative to the smaller side of the parent's box.
  func length(_ property: Property, of i: ElementNode, now: Scalar) -> Scalar {
    value(property, of: i, now: now)
      .flatMap { asLength($0.0, $0.1, of: smallerSide(i, now: now)) }
      ?? .constant(initialNumber(property, i))
  }

  func angle(_ property: Property, of i: ElementNode, now: Scalar) -> Scalar {
    if let (value, span) = value(property, of: i, now: now), let angle = asAngle(value, span) {
      return angle
    }
    guard case .angle(let degrees)? = initial(property, of: i) else { return .zero }
    return .constant(degrees)
  }

  func bool(_ property: Property, of i: ElementNode, now: Scalar) -> Scalar {
    if let (value, span) = value(property, of: i, now: now) { return asBool(value, span) ?? .zero }
    return initial(property, of: i) == .bool(true) ? .one : .zero
  }

  func smallerSide(_ i: ElementNode, now: Scalar) -> Scalar {
    let (width, height) = parentSize(i, now: now)
    return builder.make(.minimum, a: width, b: height)
  }

  /// Returns a word of an enumeration.
  func word<T: RawRepresentable<String> & CaseIterable>(_ property: Property, of i: ElementNode)
    -> T
  {
    if let (value, span) = value(property, of: i, now: now),
      let word = asWord(value, span, from: T.allCases.map(\.rawValue)).flatMap(T.init)
    {
      return word
    }
    guard let word = initial(property, of: i)?.word.flatMap(T.init) else {
      preconditionFailure("'\(property.name)' of a \(i.kind.rawValue) has no initial word")
    }
    return word
  }

  /// Returns a constant number in a range. `fallback` replaces a default that depends on other
  /// properties.
  func constantNumber(
    _ property: Property, of i: ElementNode, in range: ClosedRange<Double>,
    or fallback: Double? = nil
  ) -> Double {
    var initial: Double { fallback ?? initialNumber(property, i) }
    guard let (value, span) = self.value(property, of: i, now: now),
      let scalar = asNumber(value, span)
    else { return initial }
    guard let number = scalar.constantValue else {
      _ = report(.notConstant, "'\(property.name)' cannot change over time", at: span)
      return initial
    }
    return isInside(range, number, of: property, at: span) ? number : initial
  }

  /// Returns whether a number is in the range of a property. Reports a number outside it.
  func isInside(
    _ range: ClosedRange<Double>, _ number: Double, of property: Property, at span: SourceSpan
  ) -> Bool {
    if range.contains(number) { return true }
    let format = NumberFormat()
    _ = report(
      .outOfRange, "'\(property.name)' is \(format.text(number))", at: span,
      label: "expected \(format.text(range.lowerBound)) to \(format.text(range.upperBound))")
    return false
  }

  /// Returns a constant integer in a range.
  func wholeNumber(
    _ property: Property, of i: ElementNode, in range: ClosedRange<Int>, or fallback: Int? = nil
  ) -> Int {
    let bounds = Double(range.lowerBound)...Double(range.upperBound)
    let number = constantNumber(property, of: i, in: bounds, or: fallback.map(Double.init))
    if number != number.rounded(), let (_, span) = value(property, of: i, now: now) {
      _ = report(
        .outOfRange, "'\(property.name)' is \(NumberFormat().text(number))", at: span,
        label: "expected a whole number")
    }
    return Int(number)
  }

  /// Evaluates a property for `a.p`. Lengths and points are in pixels.
  func readProperty(_ property: Property, of i: ElementNode, now: Scalar, at span: SourceSpan)
    -> Value
  {
    switch property {
    case .size:
      guard let box = self.box(of: i, now: now) else { return poison(span) }
      return .pair(box.width, box.height)
    case .position:
      guard let placement = self.placement(of: i, now: now), let box = self.box(of: i, now: now)
      else { return poison(span) }
      let center = builder.apply(
        placement,
        PointModel(
          builder.add(box.x, builder.scaled(box.width, 0.5)),
          builder.add(box.y, builder.scaled(box.height, 0.5))))
      guard i.properties[.position] != nil else { return .pair(center.x, center.y) }
    default: break
    }
    guard let (value, at) = value(property, of: i, now: now) else {
      return readInitial(property, of: i, now: now, at: span)
    }
    let (width, height) = parentSize(i, now: now)
    switch use(of: property, in: i)?.type {
    case .point:
      return asPoint(value, at, in: context(of: i, now: now), width: width, height: height)
        .map { .pair($0.x, $0.y) } ?? poison(span)
    case .lengthX: return asLength(value, at, of: width).map(Value.number) ?? poison(span)
    case .lengthY: return asLength(value, at, of: height).map(Value.number) ?? poison(span)
    case .length:
      return asLength(value, at, of: smallerSide(i, now: now)).map(Value.number) ?? poison(span)
    case .share, .number: return asNumber(value, at).map(Value.number) ?? poison(span)
    default: return value
    }
  }

  /// Evaluates a property that is not set on the element.
  private func readInitial(
    _ property: Property, of i: ElementNode, now: Scalar, at span: SourceSpan
  ) -> Value {
    if property.declaration.isInherited,
      let (value, _) = inheritedValue(property, of: i, now: now)
    {
      return value
    }
    if let initial = initial(property, of: i) { return value(of: initial, in: i, now: now) }
    return report(
      .unknownMember, "'\(i.displayName)' has no value for '\(property.name)'", at: span,
      label: "not set on the element",
      help: property == .width
        ? "use '\(i.displayName).box.width' for the computed width" : nil)
  }

  /// Returns whether a property is set in the body of an element, where a fix can edit it.
  func isSetInBody(_ source: Source, of i: ElementNode) -> Bool {
    source.made == nil
      && i.syntax.items.contains {
        if case .property(let it) = $0 { it.value.span == source.value.span } else { false }
      }
  }
}
