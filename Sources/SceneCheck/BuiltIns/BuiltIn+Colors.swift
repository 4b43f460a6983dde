// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneModel
import SceneSyntax
import SceneText

extension BuiltIn {
  static let colors: [BuiltIn] = [
    BuiltIn(
      "rgb", .value("red", "number"), .value("green", "number"), .value("blue", "number"),
      .optional(.number("alpha"), or: .one), gives: "color", "A colour of sRGB."
    ) { it, red, green, blue, alpha throws(Reported) in
      it.warnOfShares()
      let channels = [
        try it.channel(red, "red"), try it.channel(green, "green"), try it.channel(blue, "blue"),
      ]
      return .color(ColorModel(channels[0], channels[1], channels[2], it.clamped(alpha)))
    },
    BuiltIn(
      "hsl", .value("hue", "angle"), .value("saturation", "percent"),
      .value("lightness", "percent"), .optional(.number("alpha"), or: .one), gives: "color",
      "A colour by hue, saturation and lightness, as in CSS."
    ) { it, hue, saturation, lightness, alpha throws(Reported) in
      it.hsl(
        try it.hue(hue), try it.share(saturation, "saturation"),
        try it.share(lightness, "lightness"), alpha)
    },
    BuiltIn(
      "oklch", .value("lightness", "percent"), .value("chroma", "number"), .value("hue", "angle"),
      .optional(.number("alpha"), or: .one), gives: "color",
      "A colour whose lightness is that which eyes see."
    ) { it, lightness, chroma, hue, alpha throws(Reported) in
      let light = try it.need(it.checker.asNumber(lightness.value, lightness.span))
      if !it.isShare(lightness) { it.warnOfRange("lightness", light, in: 0...1, lightness) }
      var strength = try it.need(it.checker.asNumber(chroma.value, chroma.span))
      // As in CSS, where 40% of its chroma is 0.16.
      if it.isShare(chroma) { strength = it.builder.scaled(strength, 0.4) }
      return it.oklch(light, strength, try it.hue(hue), alpha)
    },
    BuiltIn(
      "mix", .value("a", "color"), .value("b", "color"), .number("share"), gives: "color",
      "What lies between two colours, or other values."
    ) { it, a, b, share in
      let space = it.checker.mixingSpace(it.context)
      return it.checker.blend(a.value, b.value, .mix(share, space), it.call.span, it.context)
    },
    BuiltIn("lighten", .color("color"), .number("amount"), gives: "color", "A lighter colour.") {
      it, color, amount in it.shaded(color, toward: .white, amount)
    },
    BuiltIn("darken", .color("color"), .number("amount"), gives: "color", "A darker colour.") {
      it, color, amount in it.shaded(color, toward: .black, amount)
    },
    BuiltIn("alpha", .color("color"), .number("value"), gives: "color", "A colour, more clear.") {
      _, color, value in
      var clear = color
      clear.alpha = value
      return .color(clear)
    },
  ]
}

extension Site {
  fileprivate func clamped(_ s: Scalar) -> Scalar {
    builder.make(.maximum, .zero, builder.make(.minimum, .one, s))
  }

  fileprivate func shaded(_ color: ColorModel, toward end: Color, _ amount: Scalar) -> Value {
    var other = ColorModel(end)
    other.alpha = color.alpha
    return .color(checker.blend(color, other, .mix(amount, .oklab)))
  }

  /// Channels are 0 to 255 or 0% to 100%.
  fileprivate func channel(_ given: Given, _ name: String) throws(Reported) -> Scalar {
    switch given.value {
    case .percent(let s): return clamped(s)
    case .quantity(let s, .none):
      warnOfRange(name, s, in: 0...255, given)
      return clamped(builder.scaled(s, 1.0 / 255))
    default:
      checker.mismatch("a number", given.value, given.span)
      throw checker.faults.expected(given.span)
    }
  }

  /// Fractions where 0 to 255 is due, as other programs have them: a colour that is all but black.
  fileprivate func warnOfShares() {
    let channels = call.named.filter { $0.key != "alpha" }.values.sorted {
      $0.span.start < $1.span.start
    }
    var shares: [Double] = []
    for e in channels {
      guard case .number(let value, nil) = e.kind, (0...1).contains(value) else { return }
      shares.append(value)
    }
    // 0 and 1 alone may be meant; a fraction is not.
    let isFraction = shares.contains { $0 != $0.rounded() }
    let isWritten = channels.contains { checker.text(at: $0.span).contains(".") }
    guard shares.count == 3, isFraction || isWritten else { return }
    let list = shares.map { NumberFormat().text(($0 * 1000).rounded() / 10) + "%" }
    _ = fault(
      .shareOutOfRange, "the channels of 'rgb' go from 0 to 255", label: "this is nearly black",
      help: "shares have a percent sign: rgb(\(list.joined(separator: ", ")))")
  }

  fileprivate func warnOfRange(
    _ name: String, _ value: Scalar, in range: ClosedRange<Double>, _ given: Given
  ) {
    guard let number = value.constantValue, !range.contains(number) else { return }
    let format = NumberFormat()
    _ = fault(
      .shareOutOfRange, "'\(name)' of '\(call.name)' is \(format.text(number))", at: given.span,
      label: "it goes from \(format.text(range.lowerBound)) to \(format.text(range.upperBound))")
  }

  // MARK: Hues

  /// Degrees.
  fileprivate func hue(_ given: Given) throws(Reported) -> Scalar {
    if case .quantity(let degrees, .angle) = given.value { return degrees }
    return try need(checker.asNumber(given.value, given.span))
  }

  fileprivate func isShare(_ given: Given) -> Bool {
    if case .percent = checker.opened(given.value) { true } else { false }
  }

  /// As in CSS: numbers are percents.
  fileprivate func share(_ given: Given, _ name: String) throws(Reported) -> Scalar {
    let number = try need(checker.asNumber(given.value, given.span))
    if isShare(given) { return number }
    warnOfRange(name, number, in: 0...100, given)
    if let known = number.constantValue, known > 0, known < 1 {
      let percent = NumberFormat().text((known * 1000).rounded() / 10)
      _ = fault(
        .shareOutOfRange, "'\(name)' of 'hsl' is \(NumberFormat().text(known)) of 100",
        at: given.span, label: "as in CSS, a number counts percents",
        help: "a share has a percent sign: \(percent)%")
    }
    return builder.scaled(number, 0.01)
  }

  fileprivate func hsl(_ hue: Scalar, _ saturation: Scalar, _ light: Scalar, _ alpha: Scalar)
    -> Value
  {
    if let h = hue.constantValue, let s = saturation.constantValue, let l = light.constantValue,
      let a = alpha.constantValue
    {
      return .color(
        ColorModel(Color(hue: h, saturation: s, lightness: l, alpha: max(0, min(1, a)))))
    }
    // CSS Color 4 section 7.1, as in `Color(hue:saturation:lightness:)`.
    let reach = builder.multiply(
      clamped(saturation), builder.make(.minimum, light, builder.subtract(.one, light)))
    let channels = [0.0, 8, 4].map { n -> Scalar in
      let k = builder.make(
        .modulo, builder.add(.constant(n), builder.scaled(hue, 1.0 / 30)), .constant(12))
      let rise = builder.make(
        .minimum, builder.subtract(k, .constant(3)), builder.subtract(.constant(9), k))
      let bounded = builder.make(.maximum, .constant(-1), builder.make(.minimum, rise, .one))
      return builder.subtract(light, builder.multiply(reach, bounded))
    }
    return .color(ColorModel(channels[0], channels[1], channels[2], clamped(alpha)))
  }

  fileprivate func oklch(_ light: Scalar, _ chroma: Scalar, _ hue: Scalar, _ alpha: Scalar) -> Value
  {
    if let l = light.constantValue, let c = chroma.constantValue, let h = hue.constantValue,
      let a = alpha.constantValue
    {
      return .color(
        ColorModel(Color(oklchLightness: l, chroma: c, hue: h, alpha: max(0, min(1, a)))))
    }
    let a = builder.multiply(chroma, builder.make(.cosine, hue))
    let b = builder.multiply(chroma, builder.make(.sine, hue))
    let channels = (0..<3).map { builder.make(.fromSpace, light, a, b, index: Int32($0)) }
    return .color(ColorModel(channels[0], channels[1], channels[2], clamped(alpha)))
  }
}
