// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneTypes

extension BuiltIn {
  static let chance: [BuiltIn] = [
    BuiltIn(
      "wave", taking: .value("period", .time), .optional(.number("phase"), or: .zero),
      gives: .number, moves: true,
      cost: .constant,
      summary:
        "Returns a sine wave over time, from 0 to 1, to -1 and back in each period; a `phase` of 0.25 begins at 1."
    ) { it, given, phase throws(Reported) in
      let period = try it.need(it.checker.asTime(given.value, given.span))
      if let known = period.constantValue, known <= 0 {
        throw it.report(.outOfRange, "the period of a wave must be above 0", at: given.span)
      }
      let local = try it.local()
      it.context.recorder?.note(period.constantValue ?? 0)
      let turns = it.builder.add(it.builder.divide(local, period), phase)
      return .number(it.builder.make(.sine, a: it.builder.scaled(turns, 360)))
    },
    BuiltIn(
      "noise", taking: .value("x"), .optional(.number("seed"), or: .zero), gives: .number,
      reads: .seed,
      cost: .constant, summary: "Returns smooth noise at a number or a point, from -1 to 1."
    ) { it, x, seed throws(Reported) in
      if case .pair = x.value {
        let (across, down) = try it.numbers(x)
        return .number(it.builder.make(.planeNoise, a: across, b: down, c: it.seeded(seed)))
      }
      let at = try it.need(it.checker.asNumber(x.value, x.span))
      return .number(it.builder.make(.noise, a: at, b: it.seeded(seed)))
    },
    BuiltIn(
      "random", taking: .value("seed"), .optional(.value("range", .range)), gives: .value,
      reads: .seed,
      cost: .constant,
      summary: "Returns a random number that is always the same for the same number or point."
    ) { it, seed, range throws(Reported) in
      let sceneSeed = Scalar.constant(it.checker.scene(of: it.context.owner).seed)
      let share: Scalar
      if case .pair = seed.value {
        let (x, y) = try it.numbers(seed)
        share = it.builder.make(.planeRandom, a: x, b: y, c: sceneSeed)
      } else {
        let number = try it.need(it.checker.asNumber(seed.value, seed.span))
        share = it.builder.make(.random, a: number, b: sceneSeed)
      }
      guard let range else { return .number(share) }
      guard case .range(let low, let high) = range.value else {
        throw it.report(.typeMismatch, "expected a range such as 10..20", at: range.span)
      }
      return it.checker.blend(low, high, by: .mix(share, .oklab), at: it.call.span, in: it.context)
    },
    BuiltIn(
      "wiggle", taking: .value("rate", .rate), .value("amount"),
      .optional(.number("seed"), or: .zero),
      gives: .value, moves: true,
      cost: .constant,
      summary: "Returns smooth random values around 0, at a given rate and with a given amplitude."
    ) { it, rate, amount, seed throws(Reported) in
      guard case .quantity(let often, .rate) = rate.value else {
        throw it.checker.report(Site.expectedRate(rate, it.checker.text(at: rate.span)))
      }
      let at = it.builder.multiply(try it.local(), often)
      let noise = it.builder.make(.noise, a: at, b: it.seeded(seed))
      guard let value = it.checker.result(of: .multiply, amount.value, .number(noise)) else {
        throw it.report(.typeMismatch, "the amount of 'wiggle' must be a number or a length")
      }
      return value
    },
  ]
}

extension Site {
  /// Returns the error for a value in place of a rate, with a fix for a number.
  fileprivate static func expectedRate(_ given: Given, _ source: String) -> Diagnostic {
    let diagnostic = Diagnostic(.typeMismatch, "expected a rate such as 2Hz", at: given.span)
    guard case .quantity(_, .none) = given.value, Double(source) != nil else { return diagnostic }
    return diagnostic.fixing(
      "write \(source)Hz", replacing: given.span, with: "\(source)Hz")
  }

  /// Combines a noise seed with that of the scene. Scene seeds are far apart, so that small seeds
  /// do not collide.
  fileprivate func seeded(_ seed: Scalar) -> Scalar {
    builder.add(seed, .constant(checker.scene(of: context.owner).seed * 1_000_003))
  }
}
