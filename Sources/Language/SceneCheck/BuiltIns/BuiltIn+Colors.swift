// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

extension BuiltIn {
  static let colors: [BuiltIn] = [
    BuiltIn(
      "rgb", taking: .channel("red"), .channel("green"), .channel("blue"),
      .optional(.alpha("alpha"), or: .one), gives: .color, reads: .nothing,
      cost: .constant, summary: "Returns a color in sRGB."
    ) { it, red, green, blue, alpha in
      it.warnOfShares()
      return .color(ColorModel(red: red, green: green, blue: blue, alpha: it.clamped(alpha)))
    },
    BuiltIn(
      "hsl", taking: .hue("hue"), .percentage("saturation"), .percentage("lightness"),
      .optional(.alpha("alpha"), or: .one), gives: .color, reads: .nothing,
      cost: .constant, summary: "Returns a color by hue, saturation and lightness, as in CSS."
    ) { it, hue, saturation, lightness, alpha in
      it.hsl(hue: hue, saturation: saturation, light: lightness, alpha: alpha)
    },
    BuiltIn(
      "oklch", taking: .lightness("lightness"), .chroma("chroma"), .hue("hue"),
      .optional(.alpha("alpha"), or: .one), gives: .color, reads: .nothing,
      cost: .constant,
      summary: "Returns a color by perceptual lightness, chroma and hue, as in CSS."
    ) { it, lightness, chroma, hue, alpha in
      it.oklch(light: lightness, chroma: chroma, hue: hue, alpha: alpha)
    },
    BuiltIn(
      "mix", taking: .value("a", .color), .value("b", .color), .number("share"), gives: .color,
      cost: .linear,
      summary: "Returns a value between two others, such as colors, interpolated by a share."
    ) { it, a, b, share in
      let space = it.checker.mixingSpace(it.context)
      return it.checker.blend(
        a.value, b.value, by: .mix(share, space), at: it.call.span, in: it.context)
    },
    BuiltIn(
      "lighten", taking: .color("color"), .number("amount"), gives: .color, reads: .nothing,
      cost: .constant, summary: "Returns a lighter color."
    ) {
      it, color, amount in it.shaded(color, toward: .white, amount)
    },
    BuiltIn(
      "darken", taking: .color("color"), .number("amount"), gives: .color, reads: .nothing,
      cost: .constant, summary: "Returns a darker color."
    ) {
      it, color, amount in it.shaded(color, toward: .black, amount)
    },
    BuiltIn(
      "alpha", taking: .color("color"), .alpha("value"), gives: .color, reads: .nothing,
      cost: .constant, summary: "Returns the color with a different alpha."
    ) {
      _, color, value in
      var clear = color
      clear.alpha = value
      return .color(clear)
    },
  ]
}

extension Parameter<Scalar> {
  /// Returns a parameter that accepts a channel from 0 to 255 or from 0% to 100%, and converts it
  /// to `0...1`.
  fileprivate static func channel(_ name: String) -> Parameter {
    of(name, .number) { site, it throws(Reported) in
      switch it.value {
      case .percent(let s):
        site.warnOfRange(name, s, in: 0...1, for: it)
        return site.clamped(s)
      case .quantity(let s, .none):
        site.warnOfRange(name, s, in: 0...255, for: it)
        return site.clamped(site.builder.scaled(s, 1.0 / 255))
      default:
        site.checker.mismatch("a number", it.value, at: it.span)
        throw site.checker.reports.expected(it.span)
      }
    }
  }

  /// Returns a parameter that accepts an angle, or a number of degrees.
  fileprivate static func hue(_ name: String) -> Parameter {
    of(name, .angle) { site, it throws(Reported) in
      if case .quantity(let degrees, .angle) = it.value { return degrees }
      return try site.need(site.checker.asNumber(it.value, it.span))
    }
  }

  /// Returns a parameter that accepts a percentage. Numbers are percentages as well, as in CSS.
  fileprivate static func percentage(_ name: String) -> Parameter {
    of(name, .percent) { site, it throws(Reported) in
      let number = try site.need(site.checker.asNumber(it.value, it.span))
      let isShare = site.isShare(it.value)
      site.warnOfRange(name, number, in: isShare ? 0...1 : 0...100, for: it)
      if isShare { return number }
      site.warnOfShare(name, number, for: it)
      return site.builder.scaled(number, 0.01)
    }
  }

  /// Returns a parameter that accepts a percentage, or a number from 0 to 1.
  fileprivate static func lightness(_ name: String) -> Parameter {
    of(name, .percent) { site, it throws(Reported) in
      let number = try site.need(site.checker.asNumber(it.value, it.span))
      site.warnOfRange(name, number, in: 0...1, for: it)
      return number
    }
  }

  /// Returns a parameter that accepts an opacity: a percentage, or a number from 0 to 1.
  fileprivate static func alpha(_ name: String) -> Parameter {
    of(name, .number) { site, it throws(Reported) in
      let number = try site.need(site.checker.asNumber(it.value, it.span))
      site.warnOfRange(name, number, in: 0...1, for: it)
      return number
    }
  }

  /// Returns a parameter that accepts a number of at least 0. Percentages are relative to 0.4, as
  /// in CSS.
  fileprivate static func chroma(_ name: String) -> Parameter {
    of(name, .number) { site, it throws(Reported) in
      let number = try site.need(site.checker.asNumber(it.value, it.span))
      site.warnOfRange(name, number, in: 0...Double.infinity, for: it)
      return site.isShare(it.value) ? site.builder.scaled(number, 0.4) : number
    }
  }
}

extension Site {
  fileprivate func clamped(_ s: Scalar) -> Scalar {
    builder.make(.maximum, a: .zero, b: builder.make(.minimum, a: .one, b: s))
  }

  fileprivate func shaded(_ color: ColorModel, toward end: Color, _ amount: Scalar) -> Value {
    var other = ColorModel(end)
    other.alpha = color.alpha
    return .color(checker.blend(color, other, by: .mix(amount, .oklab)))
  }

  /// Warns about fractions as channels of `rgb`, which result in a nearly black color.
  fileprivate func warnOfShares() {
    let channels = (0..<3).compactMap { call[$0] }.sorted { $0.span.start < $1.span.start }
    var shares: [Double] = []
    for e in channels {
      guard case .number(let value, nil) = e.kind, (0...1).contains(value) else { return }
      shares.append(value)
    }
    // 0 and 1 are also plausible channels from 0 to 255; fractions are not.
    let isFraction = shares.contains { $0 != $0.rounded() }
    let isWritten = channels.contains { checker.text(at: $0.span).contains(".") }
    guard shares.count == 3, isFraction || isWritten else { return }
    let list = shares.map { NumberFormat().text(($0 * 1000).rounded() / 10) + "%" }
    _ = report(
      .shareOutOfRange, "the channels of 'rgb' are numbers from 0 to 255",
      label: "this is nearly black",
      help: "write fractions as percentages: rgb(\(list.joined(separator: ", ")))")
  }

  /// Warns about a constant argument outside a range. For a percentage, the range is one of shares.
  fileprivate func warnOfRange(
    _ name: String, _ value: Scalar, in range: ClosedRange<Double>, for given: Given
  ) {
    guard let number = value.constantValue, !range.contains(number) else { return }
    let isShare = isShare(given.value)
    func text(_ number: Double) -> String {
      let format = NumberFormat()
      return isShare ? format.text(number * 100) + "%" : format.text(number)
    }
    let (least, most) = (text(range.lowerBound), range.upperBound)
    _ = report(
      .shareOutOfRange, "'\(name)' of '\(call.name)' is \(text(number))", at: given.span,
      label: most.isFinite ? "expected \(least) to \(text(most))" : "expected at least \(least)")
  }

  fileprivate func isShare(_ value: Value) -> Bool {
    if case .percent = checker.opened(value) { true } else { false }
  }

  /// Warns about a fraction, such as 0.8, in place of a percentage.
  fileprivate func warnOfShare(_ name: String, _ value: Scalar, for given: Given) {
    guard let known = value.constantValue, known > 0, known < 1 else { return }
    let percent = NumberFormat().text((known * 1000).rounded() / 10)
    _ = report(
      .shareOutOfRange, "'\(name)' of '\(call.name)' is \(NumberFormat().text(known)) of 100",
      at: given.span, label: "a plain number is a percentage, as in CSS",
      help: "write a fraction as a percentage: \(percent)%")
  }

  // MARK: Hues

  fileprivate func hsl(hue: Scalar, saturation: Scalar, light: Scalar, alpha: Scalar)
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
      clamped(saturation), builder.make(.minimum, a: light, b: builder.subtract(.one, light)))
    let channels = [0.0, 8, 4].map { n -> Scalar in
      let k = builder.make(
        .modulo, a: builder.add(.constant(n), builder.scaled(hue, 1.0 / 30)), b: .constant(12))
      let rise = builder.make(
        .minimum, a: builder.subtract(k, .constant(3)), b: builder.subtract(.constant(9), k))
      let bounded = builder.make(
        .maximum, a: .constant(-1), b: builder.make(.minimum, a: rise, b: .one))
      return builder.subtract(light, builder.multiply(reach, bounded))
    }
    return .color(
      ColorModel(red: channels[0], green: channels[1], blue: channels[2], alpha: clamped(alpha)))
  }

  fileprivate func oklch(light: Scalar, chroma: Scalar, hue: Scalar, alpha: Scalar) -> Value {
    if let l = light.constantValue, let c = chroma.constantValue, let h = hue.constantValue,
      let a = alpha.constantValue
    {
      return .color(
        ColorModel(Color(oklchLightness: l, chroma: c, hue: h, alpha: max(0, min(1, a)))))
    }
    let a = builder.multiply(chroma, builder.make(.cosine, a: hue))
    let b = builder.multiply(chroma, builder.make(.sine, a: hue))
    let channels = (0..<3).map { builder.make(.fromSpace, a: light, b: a, c: b, index: Int32($0)) }
    return .color(
      ColorModel(red: channels[0], green: channels[1], blue: channels[2], alpha: clamped(alpha)))
  }
}
