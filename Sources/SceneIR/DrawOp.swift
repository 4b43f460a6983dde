// SPDX-License-Identifier: MIT
public import SceneGraphics

/// One step of drawing a frame: pure data, no fonts, files or pointers.
///
/// Lengths are pixels, y grows downwards, colors are straight-alpha sRGB in `0...1`.
package indirect enum DrawOp: Hashable, Sendable {
  /// Filled with the nonzero rule.
  case fill(Outline, Paint)
  case stroke(Outline, StrokeStyle, Paint)
  /// `paints` has one entry for each run of the block; the block's top left stands at `at`.
  case text(TextBlock, paints: [TextPaint], at: Point, units: TextUnits? = nil)
  /// The part `source` (image pixels) of an image, stretched over `destination`.
  case image(ImageReference, source: Rect, destination: Rect)
  case transformed(Affine, body: [DrawOp])
  /// Only what lies inside the outline is drawn.
  case clipped(Outline, body: [DrawOp])
  /// `body` is drawn apart on transparent black, filtered, then blended once.
  case layer(LayerStyle, body: [DrawOp])
  /// `body` is drawn apart and multiplied with what `mask` draws.
  case masked(MaskStyle, mask: [DrawOp], body: [DrawOp])
  /// The mean of several drawings in linear light: what moved while a shutter was open.
  case averaged([[DrawOp]])
  /// What is below, through filters, takes its place inside an outline.
  case backdrop([Filter], Outline)

  package static func layer(opacity: Double, body: [DrawOp]) -> DrawOp {
    var style = LayerStyle(opacity: opacity)
    style.seesBelow = body.contains(where: \.readsBackdrop)
    return .layer(style, body: body)
  }

  /// Whether it reads the pixels below it, as glass does.
  package var readsBackdrop: Bool {
    switch self {
    case .fill, .stroke, .text, .image: false
    case .backdrop: true
    case .layer(let style, _): style.seesBelow
    case .transformed(_, let body), .clipped(_, let body), .masked(_, _, let body):
      body.contains(where: \.readsBackdrop)
    case .averaged(let bodies): bodies.contains { $0.contains(where: \.readsBackdrop) }
    }
  }

  /// Whether what it draws depends on what is behind in more than by its alpha.
  package var blendsWithBackdrop: Bool {
    switch self {
    case .fill, .stroke, .text, .image, .masked, .backdrop: false
    case .layer(let style, _): style.blend != .normal
    case .transformed(_, let body), .clipped(_, let body):
      body.contains(where: \.blendsWithBackdrop)
    case .averaged(let bodies): bodies.contains { $0.contains(where: \.blendsWithBackdrop) }
    }
  }
}

/// How a mask is read.
package struct MaskStyle: Hashable, Sendable, Encodable {
  /// Which channel of a mask counts.
  package enum Source: String, Hashable, Sendable, Encodable { case alpha, luminance }

  package var source: Source
  /// What is left to 1.
  package var isInverted: Bool

  package init(_ source: Source = .alpha, isInverted: Bool = false) {
    self.source = source
    self.isInverted = isInverted
  }
}

/// How a layer meets what lies below: the modes of CSS (Compositing and Blending Level 1).
public enum BlendMode: String, Hashable, Sendable, Encodable, CaseIterable {
  case normal, multiply, screen, overlay, darken, lighten, difference, exclusion, hue, saturation
  case color, luminosity
  case colorDodge = "color-dodge"
  case colorBurn = "color-burn"
  case hardLight = "hard-light"
  case softLight = "soft-light"
  /// Colors and alphas are added.
  case plusLighter = "plus-lighter"
}

/// The form of a fill or stroke. The simple ones are kept apart because they are cheap to compare.
public enum Outline: Hashable, Sendable {
  case rect(Rect, radius: Double)
  case ellipse(center: Point, rx: Double, ry: Double)
  case path(Path)

  public var path: Path {
    switch self {
    case .rect(let rect, let radius): .rect(rect, radius: radius)
    case .ellipse(let center, let rx, let ry): .ellipse(center: center, rx, ry)
    case .path(let path): path
    }
  }

  /// A box that holds it, by control points.
  public var bounds: Rect {
    switch self {
    case .rect(let rect, _): rect
    case .ellipse(let c, let rx, let ry): Rect(c.x - rx, c.y - ry, 2 * rx, 2 * ry)
    case .path(let path): path.controlBounds
    }
  }
}

/// How a stroke is drawn; names and meanings as in SVG 2 section 13.5.
public struct StrokeStyle: Hashable, Sendable {
  /// How an open line ends (SVG `stroke-linecap`).
  public enum Cap: String, Hashable, Sendable, Encodable, CaseIterable { case butt, round, square }
  /// How two sides of a line meet (SVG `stroke-linejoin`).
  public enum Join: String, Hashable, Sendable, Encodable, CaseIterable {
    case miter, round, bevel
  }

  public var width: Double
  public var cap: Cap
  public var join: Join
  public var miterLimit: Double
  /// Lengths of dashes and gaps in turn; empty for a whole line.
  public var dash: [Double]
  public var dashOffset: Double
  /// Whether it is as wide in the scene as it says; no frame program that is finished has such a one.
  package var isSteady = false

  public init(
    width: Double, cap: Cap = .butt, join: Join = .miter, miterLimit: Double = 4,
    dash: [Double] = [], dashOffset: Double = 0
  ) {
    self.width = width
    self.cap = cap
    self.join = join
    self.miterLimit = miterLimit
    self.dash = dash
    self.dashOffset = dashOffset
  }
}

/// Whether a stroke grows with what it is in.
package enum StrokeScale: String, Hashable, Sendable, CaseIterable { case auto, none }

/// What a blur sees beyond the box of an element.
package enum EdgeMode: String, Hashable, Sendable, CaseIterable {
  /// Nothing, so that edges become soft.
  case clear
  /// The pixels at the edges again and again, so that the box stays full.
  case extend
}

/// What covers a fill or stroke.
public enum Paint: Hashable, Sendable {
  case color(Color)
  case linear(from: Point, to: Point, stops: [GradientStop])
  case radial(center: Point, radius: Double, stops: [GradientStop])
  /// Around a point, clockwise from `angle` (degrees, 0 is right).
  case conic(center: Point, angle: Double, stops: [GradientStop])
  /// An image that repeats, one of it in `tile`.
  case pattern(ImageReference, tile: Rect, opacity: Double)

  /// The same paint with its alpha multiplied.
  public func faded(_ opacity: Double) -> Paint {
    if opacity == 1 { return self }
    func fade(_ c: Color) -> Color { Color(c.red, c.green, c.blue, c.alpha * opacity) }
    func fade(_ stops: [GradientStop]) -> [GradientStop] {
      stops.map { GradientStop(fade($0.color), at: $0.offset) }
    }
    switch self {
    case .color(let color): return .color(fade(color))
    case .linear(let from, let to, let stops):
      return .linear(from: from, to: to, stops: fade(stops))
    case .radial(let center, let radius, let stops):
      return .radial(center: center, radius: radius, stops: fade(stops))
    case .conic(let center, let angle, let stops):
      return .conic(center: center, angle: angle, stops: fade(stops))
    case .pattern(let image, let tile, let own):
      return .pattern(image, tile: tile, opacity: own * opacity)
    }
  }

  package var isInvisible: Bool {
    switch self {
    case .color(let color): color.alpha <= 0
    case .linear(_, _, let stops), .radial(_, _, let stops), .conic(_, _, let stops):
      stops.allSatisfy { $0.color.alpha <= 0 }
    case .pattern(_, _, let opacity): opacity <= 0
    }
  }
}

/// A color at a share of the way, `0...1`; between two stops sRGB is mixed premultiplied.
public struct GradientStop: Hashable, Sendable {
  public let color: Color
  public let offset: Double

  public init(_ color: Color, at offset: Double) {
    self.color = color
    self.offset = offset
  }
}

/// How the pictures of a clip are read.
package struct ClipReading: Hashable, Sendable, Encodable {
  /// What colors mean where they are partly transparent.
  package enum Alpha: String, CaseIterable, Hashable, Sendable, Encodable {
    /// They are whole.
    case straight
    /// They are multiplied by alpha.
    case premultiplied
    /// Alpha is left out.
    case none
  }

  /// What a frame that cannot be decoded is.
  package enum Damage: String, CaseIterable, Hashable, Sendable, Encodable {
    /// The nearest good one is shown in its place: the last one before it, if there is one.
    case hold
    case error
  }

  package let alpha: Alpha
  package let damage: Damage

  package init(alpha: Alpha = .straight, damage: Damage = .hold) {
    self.alpha = alpha
    self.damage = damage
  }
}

/// A picture of an image or a clip of the scene, known by its path and what was in the file.
public struct ImageReference: Hashable, Sendable, Encodable {
  /// What kind of file a picture is from.
  package enum Kind: Hashable, Sendable, Encodable {
    case raster
    /// A drawing, sharp at every size.
    case vector
    /// A clip of 128 bits of digest, the upper ones here.
    case clip(UInt64, ClipReading = ClipReading())
  }

  /// Relative to the root, as the loader wants it.
  package let path: String
  /// Of the file's bytes; the lower half of a clip's digest.
  package let digest: UInt64
  /// Pixels as shown: after the EXIF orientation, or the turn and the pixel aspect of a clip.
  package let size: PixelSize
  /// Which picture of an animation or a clip it is.
  package let frame: Int
  package let kind: Kind

  package init(
    path: String, digest: UInt64, size: PixelSize, frame: Int = 0, kind: Kind = .raster
  ) {
    self.path = path
    self.digest = digest
    self.size = size
    self.frame = frame
    self.kind = kind
  }

  package var isVector: Bool { kind == .vector }

  /// Some of the layers that a drawing was taken apart into, in one picture.
  package func showing(layers: Range<Int>) -> ImageReference {
    ImageReference(
      path: path, digest: digest, size: size, frame: (layers.lowerBound + 1) << 24 | layers.count,
      kind: kind)
  }

  /// Those that it shows; empty for all that is in the file.
  package var layers: Range<Int> {
    guard isVector, frame > 0 else { return 0..<0 }
    let first = (frame >> 24) - 1
    return first..<(first + frame & 0xFF_FFFF)
  }

  package var isClip: Bool { if case .clip = kind { true } else { false } }
}
