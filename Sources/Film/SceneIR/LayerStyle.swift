// SPDX-License-Identifier: MIT
public import SceneGraphics

/// The effects of a layer before it is composited with its backdrop: filters, shadow, opacity and
/// blend mode, in this order.
public struct LayerStyle: Hashable, Sendable {
  /// The opacity in `0...1`.
  public var opacity: Double
  public var blend: BlendMode
  public var filters: [Filter]
  public var shadow: Shadow?
  /// The box whose edge pixels extend infinitely in the input of the filters; in the layer's own
  /// coordinates.
  package var extended: Rect?
  /// Whether the layer is drawn directly on its backdrop, so that glass effects inside can read the
  /// backdrop. The layer then has only an opacity.
  package var seesBelow = false
  /// The encoding of colors in which the layer is blurred and composited.
  package var light = Light.srgb

  public init(
    opacity: Double = 1, blend: BlendMode = .normal, filters: [Filter] = [], shadow: Shadow? = nil
  ) {
    self.opacity = opacity
    self.blend = blend
    self.filters = filters
    self.shadow = shadow
  }

  /// The largest deviation of a blur whose edges are too steep to show contours, in pixels.
  fileprivate static let steepBlur = 5.0

  /// Whether the effects change the alpha of the layer smoothly over many pixels.
  package var hasGradations: Bool {
    let isWide = filters.contains {
      if case .blur(let deviation) = $0 { deviation > LayerStyle.steepBlur } else { false }
    }
    return isWide || shadow?.isWide ?? false
  }

  /// The distance by which the effects extend beyond the layer, in pixels of the layer's own
  /// coordinates.
  package var reach: Double {
    let blurs = filters.reach
    guard let shadow else { return blurs }
    return blurs + 3 * shadow.deviation + max(abs(shadow.offset.x), abs(shadow.offset.y))
  }

  /// Returns the bounds of the layer with its effects. `body` is the bounds of its content after
  /// `map`, which maps the layer's own coordinates.
  package func extent(of body: Rect, under map: Affine = .identity) -> Rect {
    if body.isEmpty { return body }
    var extent = body
    for case .pixels(let function) in filters where function.program.drawsOutside {
      extent = extent.union(map.apply(function.box))
    }
    return extent.insetBy(-reach * map.maximumStretch)
  }
}

/// The encoding in which colors are added and averaged.
package enum Light: String, Hashable, Sendable, Encodable, CaseIterable {
  /// The values of sRGB, as in CSS.
  case srgb
  /// Linear light.
  case linear
}

extension BlendMode {
  /// Whether the mode is computed with more than 8 bits and in linear light. The formulas of the
  /// other modes refer to values of sRGB.
  package var isComputed: Bool {
    switch self {
    case .normal, .multiply, .screen, .plusLighter: true
    case .overlay, .darken, .lighten, .difference, .exclusion, .hue, .saturation, .color,
      .luminosity, .colorDodge, .colorBurn, .hardLight, .softLight:
      false
    }
  }
}

/// A drop shadow with the shape of a layer's alpha.
public struct Shadow: Hashable, Sendable {
  public var offset: Point
  /// The standard deviation of the blur, in pixels.
  public var deviation: Double
  public var color: Color

  public init(offset: Point, deviation: Double, color: Color) {
    self.offset = offset
    self.deviation = deviation
    self.color = color
  }

  /// Whether the edge is so wide that rounding it to 8 bits shows contours.
  package var isWide: Bool { deviation > LayerStyle.steepBlur }
}

/// A filter on all pixels of a layer; names and formulas follow Filter Effects Level 1.
public enum Filter: Hashable, Sendable {
  /// A Gaussian blur with its standard deviation in pixels of the layer's own coordinates.
  case blur(Double)
  /// A color matrix, applied to straight-alpha sRGB.
  case matrix(ColorMatrix)
  case table(ColorTable)
  /// Makes pixels near a color transparent. Distances are measured in chroma, `0...1`.
  case chromaKey(Color, tolerance: Double, softness: Double)
  case pixels(PixelFunction)

  package var isIdentity: Bool {
    switch self {
    case .blur(let deviation): !(deviation > 0.01)
    case .matrix(let matrix): matrix == .identity
    case .table, .chromaKey, .pixels: false
    }
  }

  /// Whether pixels are computed from the position or from other pixels.
  package var dependsOnPosition: Bool {
    switch self {
    case .blur, .pixels: true
    case .matrix, .table, .chromaKey: false
    }
  }

  /// Whether pixels may become visible where the input is transparent, at any distance.
  package var drawsOutside: Bool {
    if case .pixels(let function) = self { function.program.drawsOutside } else { false }
  }

  /// Whether the filter may read pixels at any distance.
  package var readsAround: Bool {
    if case .pixels(let function) = self { function.program.readsAround } else { false }
  }
}

extension [Filter] {
  /// The maximum distance at which one pixel affects another, in pixels of the layer's own
  /// coordinates.
  package var reach: Double {
    // The variances of successive blurs add up.
    var variance = 0.0
    var further = 0.0
    for filter in self {
      switch filter {
      case .blur(let deviation): variance += deviation * deviation
      case .pixels(let function): further += function.reach
      case .matrix, .table, .chromaKey: break
      }
    }
    return 3 * variance.squareRoot() + further
  }
}

/// A 4 × 5 color matrix: the rows for red, green, blue and alpha hold the factors of these channels
/// and a constant.
public struct ColorMatrix: Hashable, Sendable {
  /// The 20 coefficients in row order.
  package let rows: [Double]

  private init(_ rows: [Double]) { self.rows = rows }

  /// The identity matrix.
  public static let identity = ColorMatrix([
    1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0,
  ])

  /// Returns the color matrix of a 3 × 3 matrix.
  private static func linear(_ m: [Double]) -> ColorMatrix {
    ColorMatrix([
      m[0], m[1], m[2], 0, 0, m[3], m[4], m[5], 0, 0, m[6], m[7], m[8], 0, 0, 0, 0, 0, 1, 0,
    ])
  }

  /// Returns the matrix that multiplies each color channel by `slope` and adds `intercept`.
  private static func transfer(_ slope: Double, _ intercept: Double) -> ColorMatrix {
    ColorMatrix([
      slope, 0, 0, 0, intercept, 0, slope, 0, 0, intercept, 0, 0, slope, 0, intercept, 0, 0, 0, 1,
      0,
    ])
  }

  /// Returns the matrix of the CSS filter `brightness()`: 0 is black, 1 the identity.
  public static func brightness(_ k: Double) -> ColorMatrix { transfer(max(0, k), 0) }
  /// Returns the matrix of the CSS filter `contrast()`: 0 is gray, 1 the identity.
  public static func contrast(_ k: Double) -> ColorMatrix {
    transfer(max(0, k), 0.5 - 0.5 * max(0, k))
  }
  /// Returns the matrix of the CSS filter `invert()`: 0 is the identity, 1 the negative.
  public static func invert(_ k: Double) -> ColorMatrix {
    let it = max(0, min(1, k))
    return transfer(1 - 2 * it, it)
  }

  /// Returns the matrix of the CSS filter `saturate()`: 0 is gray, 1 the identity.
  public static func saturate(_ k: Double) -> ColorMatrix {
    let s = max(0, k)
    return linear([
      0.213 + 0.787 * s, 0.715 - 0.715 * s, 0.072 - 0.072 * s, 0.213 - 0.213 * s,
      0.715 + 0.285 * s, 0.072 - 0.072 * s, 0.213 - 0.213 * s, 0.715 - 0.715 * s,
      0.072 + 0.928 * s,
    ])
  }

  /// Returns the matrix of the CSS filter `grayscale()`: 0 is the identity, 1 is gray.
  public static func grayscale(_ k: Double) -> ColorMatrix { saturate(1 - max(0, min(1, k))) }

  /// Returns the matrix of the CSS filter `sepia()`: 0 is the identity, 1 is fully sepia-toned.
  public static func sepia(_ k: Double) -> ColorMatrix {
    let s = 1 - max(0, min(1, k))
    return linear([
      0.393 + 0.607 * s, 0.769 - 0.769 * s, 0.189 - 0.189 * s, 0.349 - 0.349 * s,
      0.686 + 0.314 * s, 0.168 - 0.168 * s, 0.272 - 0.272 * s, 0.534 - 0.534 * s,
      0.131 + 0.869 * s,
    ])
  }

  /// Returns the matrix of the CSS filter `hue-rotate()`.
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

/// A three-dimensional color lookup table (LUT).
public struct ColorTable: Hashable, Sendable, Encodable {
  /// The FNV-1a hash of the file; equal tables have equal digests.
  package let digest: UInt64
  /// The number of grid points per axis, at least 2.
  package let size: Int
  /// The table, `3 * size³` values in which red varies fastest.
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
