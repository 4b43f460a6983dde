// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax

// Outlines drawn by hand.
extension Checker {
  /// The seeds of frames with `boil`, of siblings and of scenes differ by multiples of these.
  private static let seedOfDrawing = 7919.0
  private static let seedOfSibling = 1009.0
  static let seedOfScene = 1_000_003.0

  /// Returns whether the outline of an element is drawn by hand.
  func isRough(_ i: ElementNode, now: Scalar) -> Bool {
    let isLetters = i.kind == .text || isFormula(i)
    guard i.kind.isShape || i.kind.isLayout || isLetters,
      let (value, span) = inheritedValue(.rough, of: i, now: now)
    else { return false }
    return asNumber(value, span) != .zero
  }

  /// Returns whether an element is a formula or a part of one.
  private func isFormula(_ i: ElementNode) -> Bool {
    i.kind == .math || i.kind == .part && formulaHost(of: i) != nil
  }

  /// Returns the deviations of an element's outline; `nil` for an exact one.
  func rough(of i: ElementNode, now: Scalar) -> RoughModel? {
    guard isRough(i, now: now), let (value, span) = inheritedValue(.rough, of: i, now: now),
      let amount = asNumber(value, span)
    else { return nil }
    let isValid = check(
      [amount], "'rough'", in: .between(0, 100), at: span,
      help: "write the deviation of the lines in pixels, such as 3")
    guard isValid else { return nil }
    var seed = Scalar.constant(scene(of: i).seed * Checker.seedOfScene)
    if let (source, owner) = inherited(.roughSeed, i) {
      let value = memo(.roughSeed, from: source, of: owner, now: now)
      if let own = asNumber(value, source.value.span) { seed = builder.add(seed, own) }
      if owner !== i { seed = builder.add(seed, .constant(place(of: i, in: owner))) }
    } else {
      seed = builder.add(seed, .constant(place(of: i, in: nil)))
    }
    if let count = drawingCount(of: i, now: now) {
      seed = builder.add(seed, builder.scaled(count, Checker.seedOfDrawing))
    }
    let font = isFormula(i) ? formulaHost(of: i) : i.kind == .text ? i : nil
    return RoughModel(
      amount: amount, seed: seed, fontSize: font.map { fontSize(of: $0, now: now) })
  }

  /// Returns a seed from the positions of an element and its ancestors among their siblings, so
  /// that equal shapes next to each other differ.
  private func place(of i: ElementNode, in owner: ElementNode?) -> Double {
    var seed = 0.0
    var factor = Checker.seedOfSibling
    var next: ElementNode? = i
    while let it = next, it !== owner, factor < 1e12 {
      seed += factor * Double(drawnIndex(of: it))
      factor *= 37
      next = it.parent
    }
    return seed
  }

  /// Returns the number of times that an outline with `boil` has been redrawn, or `nil` without
  /// `boil`.
  private func drawingCount(of i: ElementNode, now: Scalar) -> Scalar? {
    guard let (source, owner) = inherited(.boil, i),
      let step = time(source, of: owner, "'boil'")
    else { return nil }
    if step <= .zero {
      _ = report(.outOfRange, "'boil' must be above 0s", at: source.value.span)
      return nil
    }
    // An extra tick compensates for rounded frame times.
    let passed = builder.add(now, .one)
    return builder.make(.floor, a: builder.divide(passed, .constant(Double(step.rawValue))))
  }

  /// Returns whether an element or one of its descendants sets a property.
  func isGiven(_ property: Property, inside i: ElementNode) -> Bool {
    elaborate(i)
    return i.properties[property] != nil
      || i.children.contains { isGiven(property, inside: $0) }
  }
}
