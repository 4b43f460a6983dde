// SPDX-License-Identifier: MIT

/// A color in gamma-encoded sRGB with straight (not premultiplied) alpha, all channels in `0...1`.
public struct Color: Hashable, Sendable {
  public var red: Double
  public var green: Double
  public var blue: Double
  public var alpha: Double

  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  public static let black = Color(red: 0, green: 0, blue: 0)
  public static let white = Color(red: 1, green: 1, blue: 1)
  public static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)

  /// Creates an opaque color from `0xRRGGBB`.
  public init(hex: UInt32) {
    self.init(
      red: Double(hex >> 16 & 255) / 255, green: Double(hex >> 8 & 255) / 255,
      blue: Double(hex & 255) / 255)
  }

  /// Creates a color from the digits of a hexadecimal notation without `#`: 3, 4, 6 or 8 of them;
  /// `nil` for other texts.
  public init?(hexDigits: some StringProtocol) {
    let digits = hexDigits.utf8.compactMap { byte -> UInt32? in
      switch byte {
      case 48...57: UInt32(byte - 48)
      case 65...70: UInt32(byte - 55)
      case 97...102: UInt32(byte - 87)
      default: nil
      }
    }
    guard digits.count == hexDigits.utf8.count else { return nil }
    let channels: [UInt32]
    switch digits.count {
    case 3, 4: channels = digits.map { $0 * 17 }
    case 6, 8:
      channels = stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
    default: return nil
    }
    self.init(
      red: Double(channels[0]) / 255, green: Double(channels[1]) / 255,
      blue: Double(channels[2]) / 255, alpha: channels.count == 4 ? Double(channels[3]) / 255 : 1)
  }

  public init?(name: String) {
    if name == "transparent" {
      self = .transparent
    } else if let hex = Color.named[name] {
      self.init(hex: hex)
    } else {
      return nil
    }
  }

  /// Creates a color from CSS `hsl()`: hue in degrees, saturation and lightness in `0...1` (CSS
  /// Color 4 section 7.1).
  public init(hue: Double, saturation: Double, lightness: Double, alpha: Double = 1) {
    let saturation = max(0, min(1, saturation))
    let lightness = max(0, min(1, lightness))
    func channel(_ n: Double) -> Double {
      let k = Math.mod(n + hue / 30, 12)
      let a = saturation * min(lightness, 1 - lightness)
      return lightness - a * max(-1, min(k - 3, 9 - k, 1))
    }
    self.init(red: channel(0), green: channel(8), blue: channel(4), alpha: alpha)
  }

  /// Creates a color from CSS `oklch()`: lightness in `0...1`, chroma from 0, hue in degrees;
  /// clipped to sRGB.
  public init(oklchLightness: Double, chroma: Double, hue: Double, alpha: Double = 1) {
    let lab = OKLab(
      l: max(0, min(1, oklchLightness)), a: max(0, chroma) * Math.cosDegrees(hue),
      b: max(0, chroma) * Math.sinDegrees(hue))
    self = lab.color(alpha: alpha)
  }

  public var clamped: Color {
    func cut(_ x: Double) -> Double { x > 0 ? min(x, 1) : 0 }
    return Color(red: cut(red), green: cut(green), blue: cut(blue), alpha: cut(alpha))
  }

  /// The relative luminance as defined by WCAG 2.2, in `0...1`.
  public var luminance: Double {
    0.2126 * Color.linear(red) + 0.7152 * Color.linear(green) + 0.0722 * Color.linear(blue)
  }

  /// Applies the inverse sRGB transfer function (IEC 61966-2-1), extended as an odd function.
  public static func linear(_ encoded: Double) -> Double {
    let x = abs(encoded)
    let y = x <= 0.04045 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4)
    return encoded < 0 ? -y : y
  }

  /// Applies the sRGB transfer function.
  public static func encoded(_ linear: Double) -> Double {
    let x = abs(linear)
    let y = x <= 0.0031308 ? x * 12.92 : 1.055 * Math.pow(x, 1 / 2.4) - 0.055
    return linear < 0 ? -y : y
  }

  /// The color as `#rrggbb`, with two more digits if it is not opaque.
  public var hexDescription: String {
    func digits(_ x: Double) -> String {
      let value = Int((max(0, min(1, x.isFinite ? x : 0)) * 255).rounded())
      return (value < 16 ? "0" : "") + String(value, radix: 16)
    }
    return "#" + digits(red) + digits(green) + digits(blue) + (alpha < 1 ? digits(alpha) : "")
  }
}

/// A color in OKLab (B. Ottosson 2020, matrices as in CSS Color 4 section 18).
package struct OKLab: Hashable, Sendable {
  package var l: Double
  package var a: Double
  package var b: Double

  package init(l: Double, a: Double, b: Double) {
    self.l = l
    self.a = a
    self.b = b
  }

  /// The matrices of the conversion from linear sRGB: to the responses of the cones, and from their
  /// cube roots to `l`, `a` and `b`.
  package static let conesOfLinear = [
    [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ]
  package static let labOfRoots = [
    [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
  ]
  /// The matrices of the conversion to linear sRGB.
  package static let rootsOfLab = [
    [1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728],
    [1, -0.0894841775, -1.2914855480],
  ]
  package static let linearOfCones = [
    [4.0767416621, -3.3077115913, 0.2309699292], [-1.2684380046, 2.6097574011, -0.3413193965],
    [-0.0041960863, -0.7034186147, 1.7076147010],
  ]

  private static func sum(_ row: [Double], x: Double, y: Double, z: Double) -> Double {
    row[0] * x + row[1] * y + row[2] * z
  }

  package init(_ color: Color) {
    let r = Color.linear(color.red)
    let g = Color.linear(color.green)
    let b = Color.linear(color.blue)
    func root(_ row: Int) -> Double {
      Math.cbrt(OKLab.sum(OKLab.conesOfLinear[row], x: r, y: g, z: b))
    }
    let (x, y, z) = (root(0), root(1), root(2))
    func part(_ row: Int) -> Double { OKLab.sum(OKLab.labOfRoots[row], x: x, y: y, z: z) }
    self.init(l: part(0), a: part(1), b: part(2))
  }

  /// Converts to sRGB; each channel is clipped to `0...1`.
  package func color(alpha: Double) -> Color {
    func cone(_ row: Int) -> Double {
      let root = OKLab.sum(OKLab.rootsOfLab[row], x: l, y: a, z: b)
      return root * root * root
    }
    let (x, y, z) = (cone(0), cone(1), cone(2))
    func channel(_ row: Int) -> Double {
      Color.encoded(OKLab.sum(OKLab.linearOfCones[row], x: x, y: y, z: z))
    }
    return Color(red: channel(0), green: channel(1), blue: channel(2), alpha: alpha).clamped
  }
}

/// The color space in which colors are interpolated.
package enum ColorSpace: String, Hashable, Sendable, Encodable, CaseIterable {
  case oklab, srgb, linear

  /// The coordinates of a color in a space: red, green and blue, or `l`, `a` and `b`.
  package struct Coordinates {
    package let x: Double
    package let y: Double
    package let z: Double

    package init(x: Double, y: Double, z: Double) {
      (self.x, self.y, self.z) = (x, y, z)
    }
  }

  /// Returns the coordinates of a color in this space.
  package func coordinates(_ c: Color) -> Coordinates {
    switch self {
    case .srgb: return Coordinates(x: c.red, y: c.green, z: c.blue)
    case .linear:
      return Coordinates(
        x: Color.linear(c.red), y: Color.linear(c.green), z: Color.linear(c.blue))
    case .oklab:
      let lab = OKLab(c)
      return Coordinates(x: lab.l, y: lab.a, z: lab.b)
    }
  }

  package func color(at place: Coordinates, alpha: Double) -> Color {
    let (x, y, z) = (place.x, place.y, place.z)
    switch self {
    case .srgb: return Color(red: x, green: y, blue: z, alpha: alpha).clamped
    case .linear:
      return Color(
        red: Color.encoded(x), green: Color.encoded(y), blue: Color.encoded(z), alpha: alpha
      ).clamped
    case .oklab: return OKLab(l: x, a: y, b: z).color(alpha: alpha)
    }
  }

  /// Mixes premultiplied colors as in CSS Color 4 section 12.3: a transparent color does not
  /// contribute a hue.
  package func mix(_ from: Color, _ to: Color, at u: Double) -> Color {
    if u <= 0 { return from }
    if u >= 1 { return to }
    let alpha = from.alpha + (to.alpha - from.alpha) * u
    if alpha <= 0 { return Color(red: to.red, green: to.green, blue: to.blue, alpha: 0) }
    let p = coordinates(from)
    let q = coordinates(to)
    func part(_ a: Double, _ b: Double) -> Double {
      (a * from.alpha * (1 - u) + b * to.alpha * u) / alpha
    }
    return color(
      at: Coordinates(x: part(p.x, q.x), y: part(p.y, q.y), z: part(p.z, q.z)), alpha: alpha)
  }
}
