// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR

/// A point with variable coordinates.
package struct PointModel: Hashable, Sendable, Encodable {
  package var x: Scalar
  package var y: Scalar

  package init(_ x: Scalar, _ y: Scalar) {
    self.x = x
    self.y = y
  }

  package static let zero = PointModel(.zero, .zero)
}

/// An affine map with variable coefficients, in the order of `Affine`.
package struct AffineModel: Hashable, Sendable, Encodable {
  package var a, b, c, d, e, f: Scalar

  package init(
    a: Scalar, b: Scalar, c: Scalar, d: Scalar, e: Scalar, f: Scalar
  ) {
    (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
  }

  package static let identity = AffineModel(
    a: .one, b: .zero, c: .zero, d: .one, e: .zero, f: .zero)

  package static func translation(_ p: PointModel) -> AffineModel {
    AffineModel(a: .one, b: .zero, c: .zero, d: .one, e: p.x, f: p.y)
  }
}

/// A color with variable channels in sRGB, not premultiplied.
package struct ColorModel: Hashable, Sendable, Encodable {
  package var red, green, blue, alpha: Scalar

  package init(red: Scalar, green: Scalar, blue: Scalar, alpha: Scalar) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  package init(_ color: Color) {
    self.init(
      red: .constant(color.red), green: .constant(color.green), blue: .constant(color.blue),
      alpha: .constant(color.alpha))
  }

  /// The color, if all channels are constant; otherwise, `nil`.
  package var constant: Color? {
    guard let r = red.constantValue, let g = green.constantValue, let b = blue.constantValue,
      let a = alpha.constantValue
    else { return nil }
    return Color(red: r, green: g, blue: b, alpha: a)
  }
}

/// A fill or stroke paint with variable numbers.
package enum PaintModel: Hashable, Sendable, Encodable {
  case color(ColorModel)
  case linear(from: PointModel, to: PointModel, stops: [StopModel], space: ColorSpace)
  case radial(center: PointModel, radius: Scalar, stops: [StopModel], space: ColorSpace)
  case conic(center: PointModel, angle: Scalar, stops: [StopModel], space: ColorSpace)
  indirect case pattern(ImageReference, x: Scalar, y: Scalar, width: Scalar, height: Scalar)
  indirect case pixels(PixelModel)
}

/// A gradient stop; its offset is from 0 to 1.
package struct StopModel: Hashable, Sendable, Encodable {
  package let color: ColorModel
  package let offset: Scalar

  package init(_ color: ColorModel, at offset: Scalar) {
    self.color = color
    self.offset = offset
  }
}

/// The stroke of an outline; lengths are in pixels.
package struct StrokeModel: Hashable, Sendable, Encodable {
  package var paint: PaintModel
  package var width: Scalar
  package var cap: StrokeStyle.Cap
  package var join: StrokeStyle.Join
  package var miterLimit: Scalar
  package var dash: [Scalar]
  package var dashOffset: Scalar
  /// Whether the stroke width is unaffected by scaling (`stroke-scale: none`).
  package var isSteady = false
  /// The variation of the width along the path; `nil` for a constant width.
  package var profile: StrokeProfileModel?
  /// The images that the stroke consists of, instead of a line.
  package var brush: BrushModel?

  package init(
    paint: PaintModel, width: Scalar, cap: StrokeStyle.Cap, join: StrokeStyle.Join,
    miterLimit: Scalar, dash: [Scalar], dashOffset: Scalar
  ) {
    self.paint = paint
    self.width = width
    self.cap = cap
    self.join = join
    self.miterLimit = miterLimit
    self.dash = dash
    self.dashOffset = dashOffset
  }
}

/// Images that are repeated along a stroke.
package struct BrushModel: Hashable, Sendable, Encodable {
  /// The images in their order, which repeats.
  package let images: [ImageReference]
  /// The distance between the centers of two stamps, in pixels.
  package let spacing: Scalar
  /// Whether the stamps turn with the path.
  package let isTurned: Scalar
  /// The rotation of each stamp, in degrees.
  package let angle: Scalar
  /// The fraction by which positions, sizes and angles vary.
  package let jitter: Scalar
  package let seed: Scalar
  /// Whether the paint of the stroke replaces the colors of the images.
  package var isTinted = false

  package init(
    _ images: [ImageReference], spacing: Scalar, isTurned: Scalar, angle: Scalar, jitter: Scalar,
    seed: Scalar
  ) {
    (self.images, self.spacing, self.isTurned) = (images, spacing, isTurned)
    (self.angle, self.jitter, self.seed) = (angle, jitter, seed)
  }
}

/// A `StrokeProfile` with variable numbers.
package struct StrokeProfileModel: Hashable, Sendable, Encodable {
  /// The fractions of the length over which the stroke grows and shrinks.
  package let taper: PointModel
  /// Factors of the width at equal distances.
  package let factors: [Scalar]
  /// Whether the profile extends over the trimmed part instead of the whole path.
  package var isOfPart = false

  package init(taper: PointModel, factors: [Scalar]) {
    self.taper = taper
    self.factors = factors
  }
}

/// The deviations of outlines that are drawn as if by hand.
package struct RoughModel: Hashable, Sendable, Encodable {
  /// The displacement, in pixels.
  package let amount: Scalar
  package var seed: Scalar
  /// The size of the font whose letters the outline consists of; `nil` for other outlines.
  package let fontSize: Scalar?

  package init(amount: Scalar, seed: Scalar, fontSize: Scalar? = nil) {
    self.amount = amount
    self.seed = seed
    self.fontSize = fontSize
  }
}

/// A path with variable points in absolute coordinates.
package struct PathModel: Hashable, Sendable, Encodable {
  /// A segment of a path with variable points.
  package indirect enum Segment: Hashable, Sendable, Encodable {
    case move(PointModel)
    case line(PointModel)
    case cubic(PointModel, PointModel, PointModel)
    case quad(PointModel, PointModel)
    case arc(
      radii: PointModel, rotation: Scalar, large: Scalar, sweep: Scalar, to: PointModel)
    case through([PointModel])
    case close
    /// A constant path.
    case fixed(Path)
    /// The constant glyphs of a formula.
    case glyphs([GlyphOutline])
    /// The outline of a shape.
    case outline(OutlineModel)
    /// The glyph outlines of a text, relative to its top left.
    case text(TextModel)
    /// A text on a path: its glyph outlines or its box.
    case letters(LetterPathModel)
    /// Another path, transformed by a map.
    case mapped(AffineModel, PathModel)
    /// Another path, as a perspective shows it.
    case projected(QuadModel, PathModel)
    /// The interpolation between two paths with different commands (`Path.matched`), by a fraction.
    case morph(PathModel, PathModel, Scalar)
    /// The interpolation between two constant paths with the same commands, by a fraction.
    case mixed(Path, Path, Scalar)
    /// The first path if the condition holds, else the second.
    case choice(Scalar, PathModel, PathModel)
    /// The connection between two points or outlines (`Link`).
    case link(LinkModel)
    /// A path derived from others: a boolean operation, an offset or rounded corners.
    case derived(DerivedPath)
  }

  package var segments: [Segment]

  package init(_ segments: [Segment]) { self.segments = segments }
}

/// The outlines or the box of a one-line text on a path, in the coordinates of the path.
package struct LetterPathModel: Hashable, Sendable, Encodable {
  /// The shapes that the outline consists of.
  package enum Part: Hashable, Sendable, Encodable {
    case glyphs
    /// The layout box of the text, bent along the path.
    case box
  }

  package var text: TextModel
  package var path: PathModel
  /// The anchor as a fraction of the path's length.
  package var start: Scalar
  /// Whether the glyphs bend with the path.
  package var isBent: Bool
  package var part: Part

  package init(_ text: TextModel, on path: PathModel, start: Scalar, isBent: Bool, part: Part) {
    self.text = text
    self.path = path
    self.start = start
    self.isBent = isBent
    self.part = part
  }
}

/// A path derived from other paths.
package struct DerivedPath: Hashable, Sendable, Encodable {
  /// The operation that derives the path.
  package enum Operation: Hashable, Sendable, Encodable {
    case combine(PathOperation)
    /// Offsets the outline of the only path.
    case offset(by: Scalar, OffsetJoin)
    /// Replaces the corners of the only path with arcs.
    case round(radius: Scalar)
  }

  package let operation: Operation
  package let paths: [PathModel]

  package init(_ operation: Operation, _ paths: [PathModel]) {
    self.operation = operation
    self.paths = paths
  }

  /// Whether the operation flattens curves to lines.
  package var isOfLines: Bool { if case .round = operation { false } else { true } }

  /// The numeric parameter of the operation, if any.
  package var scalar: Scalar? {
    switch operation {
    case .combine: nil
    case .offset(let scalar, _), .round(let scalar): scalar
    }
  }
}

/// A line between two ends, each a point or the outline of an element.
package struct LinkModel: Hashable, Sendable, Encodable {
  /// An end of an arrow.
  package enum End: Hashable, Sendable, Encodable {
    case point(PointModel)
    case outline(PathModel, center: PointModel)
  }

  package var from: End
  package var to: End
  /// The distance to an outline, in pixels.
  package var gap: Scalar
  package var route: Link.Route

  package init(from: End, to: End, gap: Scalar, route: Link.Route) {
    self.from = from
    self.to = to
    self.gap = gap
    self.route = route
  }
}

/// The arrowheads at both ends of an arrow.
package struct ArrowModel: Hashable, Sendable, Encodable {
  package var head: Link.Head
  package var tail: Link.Head

  package init(head: Link.Head, tail: Link.Head) {
    self.head = head
    self.tail = tail
  }
}

/// A text with variable content and attributes.
package struct TextModel: Hashable, Sendable, Encodable {
  /// A run of characters in one font.
  package struct Run: Hashable, Sendable, Encodable {
    package var text: TextExpression
    package var families: [String]
    package var size: Scalar
    package var weight: Scalar
    package var italic: Scalar
    package var letterSpacing: Scalar
    package var features: String
    package var underline: Scalar
    package var language: String
    /// The rise above the baseline, in pixels.
    package var rise = Scalar.zero
    /// The axis values of variable fonts.
    package var axes = FontAxesModel()

    package init(
      text: TextExpression, families: [String], size: Scalar, weight: Scalar, italic: Scalar,
      letterSpacing: Scalar, features: String, underline: Scalar, language: String
    ) {
      self.text = text
      self.families = families
      self.size = size
      self.weight = weight
      self.italic = italic
      self.letterSpacing = letterSpacing
      self.features = features
      self.underline = underline
      self.language = language
    }
  }

  package var runs: [Run]
  package var width: Scalar?
  package var align: TextAlign
  package var lineHeight: Scalar
  package var direction = TextDirection.auto
  package var wrap = TextWrap.auto
  /// The width that the longest line must not exceed; the font shrinks to fit.
  package var fitWidth: Scalar?
  /// The maximum number of lines at the given width; the font shrinks to fit.
  package var maxLines: Int?

  package init(runs: [Run], width: Scalar?, align: TextAlign, lineHeight: Scalar) {
    self.runs = runs
    self.width = width
    self.align = align
    self.lineHeight = lineHeight
  }
}

/// A text to measure as a whole, or in part.
package struct TextMeasure: Hashable, Sendable {
  package let text: TextModel
  /// The runs whose box is measured; `nil` for the extent of the whole text.
  package let runs: Range<Int>?
}

/// A text composed of variable parts.
package indirect enum TextExpression: Hashable, Sendable, Encodable {
  case literal(String)
  case number(Scalar, NumberFormat)
  case join([TextExpression])
  case choose(Scalar, TextExpression, TextExpression)
  /// A typing animation: the first text is deleted, then the second one typed. The scalar is the
  /// completed fraction of all these characters.
  case typed(from: TextExpression, to: TextExpression, Scalar)
}

/// The format of a number.
package struct NumberFormat: Hashable, Sendable, Encodable {
  /// The number of decimal places; `nil` for as many as needed, at most 6.
  package var decimals: Int?
  /// The separator between groups of three digits.
  package var group = ""
  /// The minimum number of digits before the decimal point.
  package var digits = 1
  /// Whether positive numbers have a `+`.
  package var sign = false
  /// The sign of negative numbers; `nil` for U+2212 in drawn text and `-` elsewhere.
  package var minus: String?
  /// A clock format for times, such as `mm:ss`; empty for plain numbers.
  package var clock = ""
  /// The frame rate in frames per second, for the `f` of a clock.
  package var frameRate = 30.0
  package var suffix = ""

  package init() {}

  /// Returns a time in seconds with at most two decimals, such as "1.25s".
  package static func seconds(_ time: Ticks) -> String {
    NumberFormat().text((time.seconds * 100).rounded() / 100) + "s"
  }
}
