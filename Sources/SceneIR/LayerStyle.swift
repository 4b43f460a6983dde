// SPDX-License-Identifier: MIT
public import SceneGraphics

/// What happens to a layer before it meets what lies below: filters, shadow, opacity, blend, in this
/// order.
public struct LayerStyle: Hashable, Sendable {
  /// `0...1`
  public var opacity: Double
  public var blend: BlendMode
  public var filters: [Filter]
  public var shadow: Shadow?
  /// The box whose edges go on for ever in what filters see; in the layer's own coordinates.
  package var extended: Rect?
  /// Whether it is drawn on what is below it rather than apart, so that glass in it sees that. Such a
  /// one has an opacity and nothing else.
  package var seesBelow = false

  public init(
    opacity: Double = 1, blend: BlendMode = .normal, filters: [Filter] = [], shadow: Shadow? = nil
  ) {
    self.opacity = opacity
    self.blend = blend
    self.filters = filters
    self.shadow = shadow
  }

  /// How far it draws beyond the layer, in pixels of the layer's own coordinates.
  package var reach: Double {
    let blurs = filters.reach
    guard let shadow else { return blurs }
    return blurs + 3 * shadow.deviation + max(abs(shadow.offset.x), abs(shadow.offset.y))
  }
}

/// What lies under a layer in the form of its alpha.
public struct Shadow: Hashable, Sendable {
  public var offset: Point
  /// The standard deviation of its blur, in pixels.
  public var deviation: Double
  public var color: Color

  public init(offset: Point, deviation: Double, color: Color) {
    self.offset = offset
    self.deviation = deviation
    self.color = color
  }
}

/// One step over all pixels of a layer; names and formulas are those of Filter Effects Level 1.
public enum Filter: Hashable, Sendable {
  /// The standard deviation of a Gaussian, in pixels of the layer's own coordinates.
  case blur(Double)
  /// On straight sRGB.
  case matrix(ColorMatrix)
  case table(ColorTable)
  /// Makes pixels near a color transparent. Distances are in chroma, `0...1`.
  case chromaKey(Color, tolerance: Double, softness: Double)

  package var isIdentity: Bool {
    switch self {
    case .blur(let deviation): !(deviation > 0.01)
    case .matrix(let matrix): matrix == .identity
    case .table, .chromaKey: false
    }
  }
}

extension [Filter] {
  /// How far off a pixel may be that changes another, in pixels of the layer's own coordinates.
  package var reach: Double {
    // Variances of blurs add up.
    let variance = reduce(0) { sum, filter in
      if case .blur(let deviation) = filter { sum + deviation * deviation } else { sum }
    }
    return 3 * variance.squareRoot()
  }
}

/// Rows for red, green, blue and alpha with factors of those and a constant.
public struct ColorMatrix: Hashable, Sendable {
  /// 20 numbers.
  package let rows: [Double]

  private init(_ rows: [Double]) { self.rows = rows }

  /// Changes nothing.
  public static let identity = ColorMatrix([
    1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0,
  ])

  /// A 3x3 matrix.
  private static func linear(_ m: [Double]) -> ColorMatrix {
    ColorMatrix([
      m[0], m[1], m[2], 0, 0, m[3], m[4], m[5], 0, 0, m[6], m[7], m[8], 0, 0, 0, 0, 0, 1, 0,
    ])
  }

  /// Each channel times `slope`, plus `intercept`.
  private static func transfer(_ slope: Double, _ intercept: Double) -> ColorMatrix {
    ColorMatrix([
      slope, 0, 0, 0, intercept, 0, slope, 0, 0, intercept, 0, 0, slope, 0, intercept, 0, 0, 0, 1,
      0,
    ])
  }

  /// As the CSS filters of the same names: of 1 it changes nothing, of 0 all is black.
  public static func brightness(_ k: Double) -> ColorMatrix { transfer(max(0, k), 0) }
  /// 0 is gray, 1 changes nothing.
  public static func contrast(_ k: Double) -> ColorMatrix {
    transfer(max(0, k), 0.5 - 0.5 * max(0, k))
  }
  /// 1 is the negative.
  public static func invert(_ k: Double) -> ColorMatrix {
    let it = max(0, min(1, k))
    return transfer(1 - 2 * it, it)
  }

  /// 0 is gray, 1 changes nothing.
  public static func saturate(_ k: Double) -> ColorMatrix {
    let s = max(0, k)
    return linear([
      0.213 + 0.787 * s, 0.715 - 0.715 * s, 0.072 - 0.072 * s, 0.213 - 0.213 * s,
      0.715 + 0.285 * s, 0.072 - 0.072 * s, 0.213 - 0.213 * s, 0.715 - 0.715 * s,
      0.072 + 0.928 * s,
    ])
  }

  /// 1 is gray.
  public static func grayscale(_ k: Double) -> ColorMatrix { saturate(1 - max(0, min(1, k))) }

  /// 1 is brown, as old photographs are.
  public static func sepia(_ k: Double) -> ColorMatrix {
    let s = 1 - max(0, min(1, k))
    return linear([
      0.393 + 0.607 * s, 0.769 - 0.769 * s, 0.189 - 0.189 * s, 0.349 - 0.349 * s,
      0.686 + 0.314 * s, 0.168 - 0.168 * s, 0.272 - 0.272 * s, 0.534 - 0.534 * s,
      0.131 + 0.869 * s,
    ])
  }

  /// Turns the hue.
  public static func hueRotate(_ degrees: Double) -> ColorMatrix {
    let c = Math.cosDegrees(degrees)
    let s = Math.sinDegrees(degrees)
    return linear([
      0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715,
      0.072 - c * 0.072 + s * 0.928, 0.213 - c * 0.213 + s * 0.143,
      0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283,
      0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715,
      0.072 + c * 0.928 + s * 0.072,
    ])
  }
}

/// A cube of colors for each step of red, green and blue.
public struct ColorTable: Hashable, Sendable, Encodable {
  /// FNV-1a of the file: equal tables have equal ones.
  package let digest: UInt64
  /// Steps of a side, at least 2.
  package let size: Int
  /// `3 * size³` numbers, red running fastest.
  package let values: [Float]

  package init(digest: UInt64, size: Int, values: [Float]) {
    self.digest = digest
    self.size = size
    self.values = values
  }

  public static func == (a: ColorTable, b: ColorTable) -> Bool { a.digest == b.digest }
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  private enum CodingKeys: CodingKey { case digest }
}
