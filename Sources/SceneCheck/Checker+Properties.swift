// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneModel
import SceneSyntax
import SceneText

extension Checker {
  /// Where the properties of an element are computed; times of lives ask for no steps, since these
  /// count from its beginning.
  func context(of instance: Instance, now: Scalar, hasSteps: Bool = true) -> Context {
    Context(
      scope: instance.scope, owner: instance, now: hasSteps ? stepped(now, instance) : now,
      space: instance.parent ?? instance,
      constantFor: nil, timeBase: nil, recorder: nil)
  }

  /// The time as the `time-step` of the element, or of the nearest around it, holds it.
  private func stepped(_ now: Scalar, _ instance: Instance) -> Scalar {
    guard usesTimeSteps else { return now }
    var next: Instance? = instance
    while let it = next, it.properties["time-step"] == nil { next = it.parent }
    guard let owner = next, let step = timeStep(of: owner), step > .zero,
      let begin = start(of: owner, owner.span)
    else { return now }
    let origin = Scalar.constant(Double(begin.rawValue))
    let length = Double(step.rawValue)
    let count = builder.make(.floor, builder.scaled(builder.subtract(now, origin), 1 / length))
    return builder.add(origin, builder.scaled(count, length))
  }

  private func timeStep(of owner: Instance) -> Ticks? {
    if let known = owner.timeStep { return known }
    // Its own expression has no steps.
    owner.timeStep = .zero
    owner.timeStep = owner.properties["time-step"].flatMap { time($0, of: owner, "'time-step'") }
    if let step = owner.timeStep, step <= .zero, let source = owner.properties["time-step"] {
      _ = fault(.outOfRange, "a step of time is longer than 0s", at: source.value.span)
    }
    return owner.timeStep
  }

  private func words(for type: PropertyType) -> Set<String> {
    switch type {
    case .word(let words): return Set(words)
    case .point: return Set(namedPoints.keys)
    case .ownPoint: return Set(namedPoints.keys).union(baselinePoints.keys)
    case .easing: return Set(Easing.named.keys)
    case .weight: return Set(Checker.weights.keys)
    case .fonts: return Checker.genericFamilies
    case .size: return ["fit"]
    default: return []
    }
  }

  /// Properties that say where an element stands in the box of its parent.
  static let placing: Set<String> = ["position", "from", "to", "points"]

  static let weights: [String: Double] = [
    "thin": 100, "extra-light": 200, "light": 300, "normal": 400, "regular": 400, "medium": 500,
    "semibold": 600, "semi-bold": 600, "bold": 700, "extra-bold": 800, "black": 900,
  ]

  static let genericFamilies: Set<String> = ["sans-serif", "serif", "monospace"]

  func evaluateProperty(
    _ source: Source, of owner: Instance, now: Scalar, words: Set<String>,
    constantFor: String? = nil, wantsPath: Bool = false, isView: Bool = false,
    standsInParent: Bool = false, wanted: Wanted = .any
  ) -> Value {
    let context = context(of: owner, now: now).with {
      $0.scope = source.scope
      $0.wanted = wanted
      if isView { ($0.space, $0.view) = (owner, owner) }
      $0.standsInParent = standsInParent
      $0.constantFor = constantFor
      $0.wantsPath = wantsPath
    }
    return evaluate(source.value, context, words: words)
  }

  /// The value that is given for a property, or `nil` when none is.
  func value(_ name: String, of instance: Instance, now: Scalar) -> (Value, SourceSpan)? {
    elaborate(instance)
    guard let source = instance.properties[name] else { return nil }
    return (memo(name, source, instance, now), source.value.span)
  }

  private func memo(_ name: String, _ source: Source, _ instance: Instance, _ now: Scalar)
    -> Value
  {
    if let known = instance.values[now]?[name] { return known }
    let kind = instance.kind == .change ? checkedKind(instance, name) : instance.kind
    let type = PropertyTable.all[name]?.type(for: kind) ?? .number
    let computed = step(
      .property(instance.id, name), "'\(name)' of '\(instance.displayName)'", source.nameSpan
    ) {
      let words = words(for: type)
      let constantFor = ["easing", "mixing"].contains(name) ? "'\(name)'" : nil
      let value = evaluateProperty(
        source, of: instance, now: now, words: words, constantFor: constantFor,
        wantsPath: type == .path, isView: name == "look-at",
        standsInParent: Checker.placing.contains(name), wanted: .property(type))
      return changed(value, name, of: instance, now: now, words: words)
    }
    let value = computed ?? .poison
    var known = instance.values[now] ?? NameMap()
    instance.values[now] = nil
    known[name] = value
    instance.values[now] = known
    return value
  }

  /// Where an inherited property is given: by the element or the nearest around it.
  func inherited(_ name: String, _ instance: Instance) -> (source: Source, owner: Instance)? {
    var next: Instance? = instance
    while let it = next {
      elaborate(it)
      if let source = it.properties[name] { return (source, it) }
      next = it.parent
    }
    return nil
  }

  func inheritedValue(_ name: String, of instance: Instance, now: Scalar)
    -> (Value, SourceSpan, Instance)?
  {
    guard let (source, owner) = inherited(name, instance) else { return nil }
    return (memo(name, source, owner, now), source.value.span, owner)
  }

  // MARK: Typed

  func number(_ name: String, of i: Instance, now: Scalar, or fallback: Double) -> Scalar {
    guard let (value, span) = self.value(name, of: i, now: now) else { return .constant(fallback) }
    return asNumber(value, span) ?? .constant(fallback)
  }

  /// A length in pixels; percent is of the smaller side of the parent's box.
  func length(_ name: String, of i: Instance, now: Scalar, or fallback: Double) -> Scalar {
    guard let (value, span) = self.value(name, of: i, now: now) else { return .constant(fallback) }
    return asLength(value, span, of: smallerSide(i, now)) ?? .constant(fallback)
  }

  func smallerSide(_ i: Instance, _ now: Scalar) -> Scalar {
    let (width, height) = parentSize(i, now)
    return builder.make(.minimum, width, height)
  }

  func word<T: RawRepresentable & CaseIterable>(
    _ name: String, of i: Instance, or fallback: T
  ) -> T where T.RawValue == String {
    guard let (value, span) = self.value(name, of: i, now: now) else { return fallback }
    return asWord(value, span, T.allCases.map(\.rawValue)).flatMap(T.init) ?? fallback
  }

  /// A constant number within bounds.
  func constantNumber(
    _ name: String, of i: Instance, in range: ClosedRange<Double>, or fallback: Double
  ) -> Double {
    guard let (value, span) = self.value(name, of: i, now: now) else { return fallback }
    guard let scalar = asNumber(value, span) else { return fallback }
    guard let number = scalar.constantValue else {
      _ = fault(.notConstant, "'\(name)' cannot change over time", at: span)
      return fallback
    }
    guard range.contains(number) else {
      let format = NumberFormat()
      _ = fault(
        .outOfRange, "'\(name)' is \(format.text(number))", at: span,
        label: "expected \(format.text(range.lowerBound)) to \(format.text(range.upperBound))")
      return fallback
    }
    return number
  }

  /// A constant whole number within bounds.
  func wholeNumber(_ name: String, of i: Instance, in range: ClosedRange<Int>, or fallback: Int)
    -> Int
  {
    let bounds = Double(range.lowerBound)...Double(range.upperBound)
    let number = constantNumber(name, of: i, in: bounds, or: Double(fallback))
    if number != number.rounded(), let (_, span) = value(name, of: i, now: now) {
      _ = fault(
        .outOfRange, "'\(name)' is \(NumberFormat().text(number))", at: span,
        label: "expected a whole number")
    }
    return Int(number)
  }

  /// The value of a property for `a.p`; lengths and points in pixels.
  func readProperty(
    _ spec: PropertySpec, of i: Instance, now: Scalar, _ span: SourceSpan
  ) -> Value {
    switch spec.name {
    case "size":
      guard let box = self.box(of: i, now: now) else { return .poison }
      return .pair(box.width, box.height)
    case "radius" where i.kind != .ellipse:
      return .number(length("radius", of: i, now: now, or: 50))
    case "opacity": return .number(number("opacity", of: i, now: now, or: 1))
    case "z": return .number(number("z", of: i, now: now, or: 0))
    case "position":
      guard let placement = self.placement(of: i, now: now), let box = self.box(of: i, now: now)
      else {
        return .poison
      }
      let center = apply(
        placement,
        PointModel(
          builder.add(box.x, builder.scaled(box.width, 0.5)),
          builder.add(box.y, builder.scaled(box.height, 0.5))))
      guard i.properties["position"] != nil else { return .pair(center.x, center.y) }
    default: break
    }
    guard let (value, at) = value(spec.name, of: i, now: now) else {
      if let (value, _, _) = PropertyTable.inherited.contains(spec.name)
        ? inheritedValue(spec.name, of: i, now: now) : nil
      {
        return value
      }
      return readDefault(spec, of: i, span)
    }
    let (width, height) = parentSize(i, now)
    switch spec.type {
    case .point:
      return asPoint(value, at, context(of: i, now: now), width: width, height: height)
        .map { .pair($0.x, $0.y) } ?? .poison
    case .lengthX: return asLength(value, at, of: width).map(Value.number) ?? .poison
    case .lengthY: return asLength(value, at, of: height).map(Value.number) ?? .poison
    case .length:
      return asLength(value, at, of: smallerSide(i, now)).map(Value.number) ?? .poison
    default: return value
    }
  }

  private func readDefault(_ spec: PropertySpec, of i: Instance, _ span: SourceSpan) -> Value {
    switch spec.name {
    case "rotate": return .quantity(.zero, .angle)
    case "scale": return .pair(.one, .one)
    case "translate": return .pair(.zero, .zero)
    case "visible": return .bool(.one)
    case "font-size": return .number(Checker.defaultFontSize)
    case "stroke-width": return .number(i.kind.isOpenLine ? 4 : 1)
    case "corner-radius", "dash-offset", "letter-spacing": return .number(0)
    case "fill", "stroke": return .none
    default:
      return fault(
        .unknownMember, "'\(i.displayName)' has no '\(spec.name)' to read", at: span,
        label: "it is not given there")
    }
  }

  static let defaultFontSize = 64.0
}
