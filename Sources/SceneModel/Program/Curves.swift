// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR

/// A point whose coordinates may change.
package struct PointModel: Hashable, Sendable, Encodable {
  package var x: Scalar
  package var y: Scalar

  package init(_ x: Scalar, _ y: Scalar) {
    self.x = x
    self.y = y
  }

  package static let zero = PointModel(.zero, .zero)
}

/// An affine map whose coefficients may change, in the order of `Affine`.
package struct AffineModel: Hashable, Sendable, Encodable {
  package var a, b, c, d, e, f: Scalar

  package init(
    _ a: Scalar, _ b: Scalar, _ c: Scalar, _ d: Scalar, _ e: Scalar, _ f: Scalar
  ) {
    (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
  }

  package static let identity = AffineModel(.one, .zero, .zero, .one, .zero, .zero)

  package static func translation(_ p: PointModel) -> AffineModel {
    AffineModel(.one, .zero, .zero, .one, p.x, p.y)
  }
}

/// A color whose channels may change: straight sRGB.
package struct ColorModel: Hashable, Sendable, Encodable {
  package var red, green, blue, alpha: Scalar

  package init(_ red: Scalar, _ green: Scalar, _ blue: Scalar, _ alpha: Scalar) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  package init(_ color: Color) {
    self.init(
      .constant(color.red), .constant(color.green), .constant(color.blue),
      .constant(color.alpha))
  }

  /// The color, if it never changes.
  package var constant: Color? {
    guard let r = red.constantValue, let g = green.constantValue, let b = blue.constantValue,
      let a = alpha.constantValue
    else { return nil }
    return Color(r, g, b, a)
  }
}

/// A fill or stroke whose numbers may change.
package enum PaintModel: Hashable, Sendable, Encodable {
  case color(ColorModel)
  case linear(from: PointModel, to: PointModel, stops: [StopModel], space: ColorSpace)
  case radial(center: PointModel, radius: Scalar, stops: [StopModel], space: ColorSpace)
  case conic(center: PointModel, angle: Scalar, stops: [StopModel], space: ColorSpace)
  case pattern(ImageReference, x: Scalar, y: Scalar, width: Scalar, height: Scalar)
}

/// A color of a gradient and its offset, from 0 to 1.
package struct StopModel: Hashable, Sendable, Encodable {
  package let color: ColorModel
  package let offset: Scalar

  package init(_ color: ColorModel, at offset: Scalar) {
    self.color = color
    self.offset = offset
  }
}

/// How an outline is stroked; lengths in pixels.
package struct StrokeModel: Hashable, Sendable, Encodable {
  package var paint: PaintModel
  package var width: Scalar
  package var cap: StrokeStyle.Cap
  package var join: StrokeStyle.Join
  package var miterLimit: Scalar
  package var dash: [Scalar]
  package var dashOffset: Scalar
  /// Whether it is as wide, whatever is scaled around it.
  package var isSteady = false

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

/// A path whose points may change; all of them absolute.
package struct PathModel: Hashable, Sendable, Encodable {
  /// A step of a path whose points may change.
  package indirect enum Segment: Hashable, Sendable, Encodable {
    case move(PointModel)
    case line(PointModel)
    case cubic(PointModel, PointModel, PointModel)
    case quad(PointModel, PointModel)
    case arc(
      radii: PointModel, rotation: Scalar, large: Scalar, sweep: Scalar, to: PointModel)
    case through([PointModel])
    case close
    /// A part that never changes.
    case fixed(Path)
    /// The form of a shape.
    case outline(OutlineModel)
    /// The outlines of the glyphs of a text, from its top left.
    case text(TextModel)
    /// Another path, moved by a map.
    case mapped(AffineModel, PathModel)
    /// A share of the way from one path to another of other commands (`Path.matched`).
    case morph(PathModel, PathModel, Scalar)
    /// The first path where the condition holds, else the second.
    case choice(Scalar, PathModel, PathModel)
    /// The way from one place to another (`Link`).
    case link(LinkModel)
    /// What is made of other paths by what they enclose, or by their corners.
    case derived(DerivedPath)
  }

  package var segments: [Segment]

  package init(_ segments: [Segment]) { self.segments = segments }
}

/// A path that is made of others.
package struct DerivedPath: Hashable, Sendable, Encodable {
  /// What is done to them.
  package enum Operation: Hashable, Sendable, Encodable {
    case combine(PathOperation)
    /// The border of the only one is moved outwards.
    case offset(by: Scalar, OffsetJoin)
    /// The corners of the only one become arcs.
    case round(radius: Scalar)
  }

  package let operation: Operation
  package let paths: [PathModel]

  package init(_ operation: Operation, _ paths: [PathModel]) {
    self.operation = operation
    self.paths = paths
  }

  /// Whether curves become straight lines in it.
  package var isOfLines: Bool { if case .round = operation { false } else { true } }

  /// The number that it depends on.
  package var scalar: Scalar? {
    switch operation {
    case .combine: nil
    case .offset(let scalar, _), .round(let scalar): scalar
    }
  }
}

/// A line between two places, each a point or the outline of an element.
package struct LinkModel: Hashable, Sendable, Encodable {
  /// What an arrow begins or ends at.
  package enum End: Hashable, Sendable, Encodable {
    case point(PointModel)
    case outline(PathModel, center: PointModel)
  }

  package var from: End
  package var to: End
  /// Pixels that are left free before an outline.
  package var gap: Scalar
  package var route: Link.Route

  package init(from: End, to: End, gap: Scalar, route: Link.Route) {
    self.from = from
    self.to = to
    self.gap = gap
    self.route = route
  }
}

/// What is drawn at the ends of an arrow.
package struct ArrowModel: Hashable, Sendable, Encodable {
  package var head: Link.Head
  package var tail: Link.Head

  package init(head: Link.Head, tail: Link.Head) {
    self.head = head
    self.tail = tail
  }
}

/// A text whose content and attributes may change.
package struct TextModel: Hashable, Sendable, Encodable {
  /// Characters of a text in one font.
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
    /// Pixels above the line.
    package var rise = Scalar.zero

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
  /// The font becomes smaller until the longest line is no wider.
  package var fitWidth: Scalar?
  /// The font becomes smaller until the width breaks the text into no more lines.
  package var maxLines: Int?

  package init(runs: [Run], width: Scalar?, align: TextAlign, lineHeight: Scalar) {
    self.runs = runs
    self.width = width
    self.align = align
    self.lineHeight = lineHeight
  }
}

/// A text made of parts that may change.
package indirect enum TextExpression: Hashable, Sendable, Encodable {
  case literal(String)
  case number(Scalar, NumberFormat)
  case join([TextExpression])
  case choose(Scalar, TextExpression, TextExpression)
  /// The first text is taken back, then the second typed: a share of all those characters.
  case typed(from: TextExpression, to: TextExpression, Scalar)
}

/// How a number is written.
package struct NumberFormat: Hashable, Sendable, Encodable {
  /// Digits behind the point; `nil` for as many as are needed, at most 6.
  package var decimals: Int?
  /// What stands between groups of three digits.
  package var group = ""
  /// At least so many digits before the point.
  package var digits = 1
  /// Whether `+` stands before what is above zero.
  package var sign = false
  /// The sign of a number below zero; `nil` for U+2212 in a drawn text and `-` elsewhere.
  package var minus: String?
  /// A clock such as `mm:ss`, for times; empty for a plain number.
  package var clock = ""
  /// Frames a second, for the `f` of a clock.
  package var frameRate = 30.0
  package var suffix = ""

  package init() {}
}
