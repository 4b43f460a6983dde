// SPDX-License-Identifier: MIT
package import SceneGraphics
import SceneModel
import SceneSyntax

/// A CSS color function with constant arguments, and its formatting.
package enum ColorNotation: String, Hashable, Sendable, CaseIterable {
  case rgb, hsl, oklch

  /// Returns the notation and the color of a call; `nil` if it is not a color function or its
  /// arguments are not plain numbers.
  static func read(_ e: Expression) -> (notation: ColorNotation, color: Color)? {
    guard case .call(let callee, let arguments) = e.kind, case .reference(let name) = callee.kind,
      let notation = ColorNotation(rawValue: name.text), (3...4).contains(arguments.count)
    else { return nil }
    let parts = arguments.compactMap { argument -> Part? in
      guard argument.name == nil, case .number(let value, let unit) = argument.value.kind else {
        return nil
      }
      return Part(value: value, unit: unit)
    }
    guard parts.count == arguments.count, let color = notation.color(parts) else { return nil }
    return (notation, color)
  }

  /// A number in the argument list.
  private struct Part {
    let value: Double
    let unit: NumberUnit?

    /// Returns the number as a fraction; without a percent sign, it is relative to `whole`. Returns
    /// `nil` for other units.
    func share(of whole: Double) -> Double? {
      switch unit {
      case .percent: value / 100
      case nil: value / whole
      default: nil
      }
    }

    var degrees: Double? { unit == nil || unit == .deg ? value : nil }
  }

  private func color(_ parts: [Part]) -> Color? {
    guard let alpha = parts.count > 3 ? parts[3].share(of: 1) : 1 else { return nil }
    switch self {
    case .rgb:
      let shares = parts.prefix(3).compactMap { $0.share(of: 255) }
      guard shares.count == 3 else { return nil }
      return Color(red: shares[0], green: shares[1], blue: shares[2], alpha: alpha).clamped
    case .hsl:
      guard let hue = parts[0].degrees, let saturation = parts[1].share(of: 100),
        let lightness = parts[2].share(of: 100)
      else { return nil }
      return Color(hue: hue, saturation: saturation, lightness: lightness, alpha: alpha).clamped
    case .oklch:
      guard let lightness = parts[0].share(of: 1), let hue = parts[2].degrees,
        let chroma = parts[1].unit == .percent ? parts[1].value / 250 : parts[1].share(of: 1)
      else { return nil }
      return Color(oklchLightness: lightness, chroma: chroma, hue: hue, alpha: alpha).clamped
    }
  }

  /// Returns a color in this notation, with the fewest decimals that preserve the 8 bits of each
  /// channel.
  package func text(of color: Color) -> String {
    let color = color.clamped
    let bytes = ColorNotation.bytes(color)
    for decimals in 0...4 {
      let parts = parts(of: color, decimals)
      if let again = self.color(parts.map { Part(value: $0.value, unit: $0.unit) }),
        ColorNotation.bytes(again) == bytes
      {
        return "\(rawValue)(\(parts.map(\.text).joined(separator: ", ")))"
      }
    }
    return color.hexDescription
  }

  private static func bytes(_ color: Color) -> [Int] {
    [color.red, color.green, color.blue, color.alpha].map { Int(($0 * 255).rounded()) }
  }

  /// A rounded number of a notation, with its text.
  private struct WrittenPart {
    let value: Double
    let unit: NumberUnit?
    let text: String
  }

  private func parts(of color: Color, _ decimals: Int) -> [WrittenPart] {
    func part(_ value: Double, _ unit: NumberUnit?, decimals: Int) -> WrittenPart {
      let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
      let rounded = (value * scale).rounded() / scale
      return WrittenPart(
        value: rounded, unit: unit, text: NumberFormat().text(rounded) + (unit?.rawValue ?? ""))
    }
    let first: [WrittenPart]
    switch self {
    case .rgb:
      first = [color.red, color.green, color.blue].map {
        part(($0 * 255).rounded(), nil, decimals: 0)
      }
    case .hsl:
      let hsl = HSL(color)
      first = [
        part(hsl.hue, nil, decimals: decimals),
        part(hsl.saturation * 100, .percent, decimals: decimals),
        part(hsl.lightness * 100, .percent, decimals: decimals),
      ]
    case .oklch:
      let lab = OKLab(color)
      let chroma = (lab.a * lab.a + lab.b * lab.b).squareRoot()
      let hue = chroma < 1e-6 ? 0 : Math.mod(Math.atan2(lab.b, lab.a) * 180 / .pi, 360)
      first = [
        part(lab.l * 100, .percent, decimals: decimals), part(chroma, nil, decimals: decimals + 2),
        part(hue, nil, decimals: decimals),
      ]
    }
    return first + (color.alpha < 1 ? [part(color.alpha, nil, decimals: 3)] : [])
  }
}

/// The coordinates of a color in CSS `hsl()`: the hue in degrees, and saturation and lightness from
/// 0 to 1 (CSS Color 4 section 7.2).
private struct HSL {
  let hue: Double
  let saturation: Double
  let lightness: Double

  init(_ color: Color) {
    let high = max(color.red, color.green, color.blue)
    let low = min(color.red, color.green, color.blue)
    let range = high - low
    lightness = (high + low) / 2
    guard range > 0 else {
      (hue, saturation) = (0, 0)
      return
    }
    saturation = (high - lightness) / min(lightness, 1 - lightness)
    let sixth =
      high == color.red
      ? (color.green - color.blue) / range
      : high == color.green
        ? (color.blue - color.red) / range + 2 : (color.red - color.green) / range + 4
    hue = Math.mod(sixth * 60, 360)
  }
}
