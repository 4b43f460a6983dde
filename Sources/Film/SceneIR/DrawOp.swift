// SPDX-License-Identifier: MIT
public import SceneGraphics

/// A drawing operation of a frame: pure data without fonts, files or pointers.
///
/// Lengths are in pixels, y grows downward, and colors are straight-alpha sRGB in `0...1`.
package indirect enum DrawOp: Hashable, Sendable {
  /// Fills an outline by the nonzero rule.
  case fill(Outline, Paint)
  case stroke(Outline, StrokeStyle, Paint)
  /// A text with one entry of `paints` per run; `at` is the top left of the block.
  case text(TextBlock, paints: [TextPaint], at: Point, units: TextUnits? = nil)
  /// The part `source` (in image pixels) of an image, scaled to `destination`.
  case image(ImageReference, source: Rect, destination: Rect)
  case transformed(Affine, body: [DrawOp])
  /// Draws `body` on a plane in space, which may be seen at an angle. Finished frame programs
  /// contain it only around ops whose pixels have to be computed for the projection: text, images,
  /// gradients, patterns, blurs and shadows.
  case projected(Projection, body: [DrawOp])
  /// Clips `body` to the outline.
  case clipped(Outline, body: [DrawOp])
  /// Draws `body` separately on transparent black, filters the result and blends it once.
  case layer(LayerStyle, body: [DrawOp])
  /// Draws both bodies separately and multiplies the alpha of `body` by the alpha or luminance of
  /// `mask`.
  case masked(MaskStyle, mask: [DrawOp], body: [DrawOp])
  /// Draws two bodies separately and computes the pixels of a box from both.
  case crossed(PixelFunction, from: [DrawOp], to: [DrawOp])
  /// The mean of several drawings in linear light, for motion blur.
  case averaged([[DrawOp]])
  /// Replaces the backdrop inside an outline with its filtered version.
  case backdrop([Filter], Outline)
  case particles(ParticleFrame)

  package static func layer(opacity: Double, body: [DrawOp]) -> DrawOp {
    var style = LayerStyle(opacity: opacity)
    style.seesBelow = body.contains(where: \.readsBackdrop)
    return .layer(style, body: body)
  }

  /// Whether the op reads the pixels of its backdrop, as a glass effect does.
  package var readsBackdrop: Bool {
    switch self {
    case .fill, .stroke, .text, .image, .crossed, .particles: false
    case .backdrop: true
    case .layer(let style, _): style.seesBelow
    case .transformed(_, let body), .projected(_, let body), .clipped(_, let body),
      .masked(_, _, let body):
      body.contains(where: \.readsBackdrop)
    case .averaged(let bodies): bodies.contains { $0.contains(where: \.readsBackdrop) }
    }
  }

  /// Whether the op draws gradients or wide blurs, whose rounding to 8 bits would show contours.
  package var hasGradations: Bool {
    switch self {
    case .fill(_, let paint), .stroke(_, _, let paint): !paint.stops.isEmpty
    case .text(_, let paints, _, _):
      paints.contains { paint in
        [paint.fill, paint.stroke].contains { !($0?.stops.isEmpty ?? true) }
      }
    case .image, .backdrop: false
    case .particles(let frame):
      frame.look.shape == .soft || frame.sprite.contains(where: \.hasGradations)
    case .layer(let style, let body):
      style.hasGradations || body.contains(where: \.hasGradations)
    case .transformed(_, let body), .projected(_, let body), .clipped(_, let body):
      body.contains(where: \.hasGradations)
    case .masked(_, let mask, let body): (mask + body).contains(where: \.hasGradations)
    case .crossed(_, let from, let to): (from + to).contains(where: \.hasGradations)
    case .averaged(let bodies): bodies.contains { $0.contains(where: \.hasGradations) }
    }
  }

  /// Whether the op draws text.
  package var hasText: Bool {
    switch self {
    case .text: true
    case .fill, .stroke, .image, .backdrop: false
    case .particles(let frame): frame.sprite.contains(where: \.hasText)
    case .layer(_, let body), .transformed(_, let body), .projected(_, let body),
      .clipped(_, let body):
      body.contains(where: \.hasText)
    case .masked(_, let mask, let body): (mask + body).contains(where: \.hasText)
    case .crossed(_, let from, let to): (from + to).contains(where: \.hasText)
    case .averaged(let bodies): bodies.contains { $0.contains(where: \.hasText) }
    }
  }

  /// Whether the op has a blend mode other than normal.
  package var blendsWithBackdrop: Bool {
    switch self {
    case .fill, .stroke, .text, .image, .masked, .crossed, .backdrop, .particles: false
    case .layer(let style, _): style.blend != .normal
    case .transformed(_, let body), .projected(_, let body), .clipped(_, let body):
      body.contains(where: \.blendsWithBackdrop)
    case .averaged(let bodies): bodies.contains { $0.contains(where: \.blendsWithBackdrop) }
    }
  }
}

/// The interpretation of a mask.
package struct MaskStyle: Hashable, Sendable, Encodable {
  /// The property of the mask that determines the opacity.
  package enum Source: String, Hashable, Sendable, Encodable { case alpha, luminance }

  package var source: Source
  /// Whether the mask value is subtracted from 1.
  package var isInverted: Bool

  package init(_ source: Source = .alpha, isInverted: Bool = false) {
    self.source = source
    self.isInverted = isInverted
  }
}

/// The blend modes of CSS (Compositing and Blending Level 1).
public enum BlendMode: String, Hashable, Sendable, Encodable, CaseIterable {
  case normal, multiply, screen, overlay, darken, lighten, difference, exclusion, hue, saturation
  case color, luminosity
  case colorDodge = "color-dodge"
  case colorBurn = "color-burn"
  case hardLight = "hard-light"
  case softLight = "soft-light"
  /// Adds colors and alphas.
  case plusLighter = "plus-lighter"
}

/// The outline of a fill or stroke. Simple shapes are separate cases because they are cheap to
/// compare.
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

  /// Bounds computed from the control points.
  public var bounds: Rect {
    switch self {
    case .rect(let rect, _): rect
    case .ellipse(let c, let rx, let ry):
      Rect(x: c.x - rx, y: c.y - ry, width: 2 * rx, height: 2 * ry)
    case .path(let path): path.controlBounds
    }
  }
}

/// The style of a stroke; names and meanings follow SVG 2 section 13.5.
public struct StrokeStyle: Hashable, Sendable {
  /// The shape of the ends of open lines (SVG `stroke-linecap`).
  public enum Cap: String, Hashable, Sendable, Encodable, CaseIterable { case butt, round, square }
  /// The shape of corners (SVG `stroke-linejoin`).
  public enum Join: String, Hashable, Sendable, Encodable, CaseIterable {
    case miter, round, bevel
  }

  public var width: Double
  public var cap: Cap
  public var join: Join
  public var miterLimit: Double
  /// The alternating lengths of dashes and gaps; empty for a solid line.
  public var dash: [Double]
  public var dashOffset: Double
  /// Whether the width is unaffected by scaling. False in all finished frame programs.
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

/// Whether the stroke width scales with the element.
package enum StrokeScale: String, Hashable, Sendable, CaseIterable { case auto, none }

/// The line over which the width of a stroke varies: the whole path, or its trimmed part.
package enum ProfileSpan: String, Hashable, Sendable, CaseIterable { case path, trim }

/// The input of a blur beyond the box of an element.
package enum EdgeMode: String, Hashable, Sendable, CaseIterable {
  /// Transparent pixels, which soften the edges.
  case clear
  /// Repeated edge pixels, which keep the box filled.
  case extend
}

/// The scaling method for an image (CSS `image-rendering`).
package enum ImageRendering: String, Hashable, Sendable, CaseIterable {
  /// Smooth interpolation between pixels.
  case auto
  /// Hard edges between the pixels of an enlarged image.
  case pixelated
}

/// The paint of a fill or stroke.
public enum Paint: Hashable, Sendable {
  case color(Color)
  case linear(from: Point, to: Point, stops: [GradientStop])
  case radial(center: Point, radius: Double, stops: [GradientStop])
  /// A gradient around a point, clockwise from `angle` (degrees, 0 is right).
  case conic(center: Point, angle: Double, stops: [GradientStop])
  /// A repeated image; `tile` is the rectangle of one copy.
  indirect case pattern(ImageReference, tile: Rect, opacity: Double)
  indirect case pixels(PixelFunction, opacity: Double)

  /// Returns the paint with its alpha multiplied by `opacity`.
  public func faded(_ opacity: Double) -> Paint {
    if opacity == 1 { return self }
    func fade(_ c: Color) -> Color {
      Color(red: c.red, green: c.green, blue: c.blue, alpha: c.alpha * opacity)
    }
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
    case .pixels(let function, let own): return .pixels(function, opacity: own * opacity)
    }
  }

  package var isInvisible: Bool {
    switch self {
    case .color(let color): color.alpha <= 0
    case .linear, .radial, .conic: stops.allSatisfy { $0.color.alpha <= 0 }
    case .pattern(_, _, let opacity), .pixels(_, let opacity): opacity <= 0
    }
  }

  /// The stops of a gradient; empty for other paints.
  package var stops: [GradientStop] {
    switch self {
    case .linear(_, _, let stops), .radial(_, _, let stops), .conic(_, _, let stops): stops
    case .color, .pattern, .pixels: []
    }
  }

  /// Whether each pixel of the device is computed from its position.
  package var isComputed: Bool {
    switch self {
    case .linear, .radial, .conic, .pixels: true
    case .color, .pattern: false
    }
  }

  /// Whether the paint is computed and has transparency. Its alpha changes smoothly, so rounding
  /// the composited pixels to 8 bits would show contours.
  package var isGradation: Bool {
    if case .pixels(let function, let opacity) = self {
      return opacity < 1 || !function.program.isOpaque
    }
    return stops.contains { $0.color.alpha < 1 }
  }
}

/// A gradient stop with an offset in `0...1`. Colors between stops are interpolated in
/// premultiplied sRGB.
public struct GradientStop: Hashable, Sendable {
  public let color: Color
  public let offset: Double

  public init(_ color: Color, at offset: Double) {
    self.color = color
    self.offset = offset
  }
}

/// The options for decoding a clip.
package struct ClipReading: Hashable, Sendable, Encodable {
  /// The interpretation of the alpha channel.
  package enum Alpha: String, CaseIterable, Hashable, Sendable, Encodable {
    /// Colors are not premultiplied.
    case straight
    /// Colors are premultiplied.
    case premultiplied
    /// Alpha is ignored.
    case none
  }

  /// The handling of frames that cannot be decoded.
  package enum Damage: String, CaseIterable, Hashable, Sendable, Encodable {
    /// Shows the nearest intact frame instead, preferably the last one before it.
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

/// A property that `==` and `hash(into:)` ignore, so that they can still be synthesized.
@propertyWrapper
package struct Incidental<Value: Encodable & Sendable>: Hashable, Sendable,
  Encodable
{
  package let wrappedValue: Value

  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package static func == (a: Incidental, b: Incidental) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}

  package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// An image or a clip frame of the scene.
public struct ImageReference: Hashable, Sendable, Encodable {
  /// The kind of the source file.
  package enum Kind: Hashable, Sendable, Encodable {
    case raster
    /// A vector drawing, sharp at every size.
    case vector
    /// A clip with a 128-bit digest, of which this case holds the upper half.
    case clip(UInt64, ClipReading = ClipReading())
  }

  /// The path for the loader, relative to the root. Renaming a file does not change a frame.
  @Incidental package var path: String
  /// The digest of the file's bytes, or the lower half of a clip's digest.
  package let digest: UInt64
  /// The display size in pixels: after the EXIF orientation, or the rotation and pixel aspect ratio
  /// of a clip.
  package let size: PixelSize
  /// The index of the frame in an animation or clip.
  package let frame: Int
  package let kind: Kind
  /// Whether the pixels of the image keep hard edges when it is enlarged. Always false for vector
  /// drawings, which have no pixels.
  package private(set) var isPixelated = false

  package init(
    path: String, digest: UInt64, size: PixelSize, frame: Int = 0, kind: Kind = .raster
  ) {
    _path = Incidental(wrappedValue: path)
    self.digest = digest
    self.size = size
    self.frame = frame
    self.kind = kind
  }

  package var isVector: Bool { kind == .vector }

  /// Returns the same image for another kind of scaling.
  package func rendered(_ rendering: ImageRendering) -> ImageReference {
    var image = self
    image.isPixelated = rendering == .pixelated && !isVector
    return image
  }

  /// Returns an image of some layers of a vector drawing.
  package func showing(layers: Range<Int>) -> ImageReference {
    ImageReference(
      path: path, digest: digest, size: size, frame: (layers.lowerBound + 1) << 24 | layers.count,
      kind: kind)
  }

  /// The layers that the image shows; empty for the whole file.
  package var layers: Range<Int> {
    guard isVector, frame > 0 else { return 0..<0 }
    let first = (frame >> 24) - 1
    return first..<(first + frame & 0xFF_FFFF)
  }

  package var isClip: Bool { if case .clip = kind { true } else { false } }
}
