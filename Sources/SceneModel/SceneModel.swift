// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
package import SceneText

/// A scene with names, units, defaults and loops resolved: what is left is lives and numbers.
package struct SceneModel: Hashable, Sendable {
  package var name: String?
  package var size: PixelSize
  package var frameRate: FrameRate
  package var duration: Ticks
  package var background: PaintModel?
  /// In the order in which they are painted, apart from `z`.
  package var elements: [ElementModel]
  package var program: Program
  package var title = ""
  package var author = ""
  package var comment = ""
  package var chapters: [Chapter] = []
  package var output = OutputSettings()

  package init(
    name: String?, size: PixelSize, frameRate: FrameRate, duration: Ticks,
    background: PaintModel?, elements: [ElementModel], program: Program
  ) {
    self.name = name
    self.size = size
    self.frameRate = frameRate
    self.duration = duration
    self.background = background
    self.elements = elements
    self.program = program
  }

  package var frameCount: Int { frameRate.frames(before: duration) }
}

/// A time that the file names: a chapter of the video.
package struct Chapter: Hashable, Sendable {
  package let start: Ticks
  package let title: String

  package init(start: Ticks, title: String) {
    self.start = start
    self.title = title
  }
}

/// What `output { … }` says; `nil` where it is silent.
package struct OutputSettings: Hashable, Sendable {
  package var codec: String?
  package var quality: Double?
  /// Bits a second.
  package var bitrate: Double?
  package var profile: String?
  package var level: String?
  package var preset: String?
  package var pixelFormat: String?

  package init() {}
}

/// One drawn thing and what is placed in its box.
package struct ElementModel: Hashable, Sendable {
  package var kind: String
  package var name: String?
  package var span: SourceSpan
  /// Shown while `start <= time < end`, both counted from the start of the built scene.
  package var start: Ticks
  package var end: Ticks
  /// From own coordinates to those of the parent's content.
  package var transform: AffineModel
  /// Where the children's (0, 0) stands in own coordinates: the top left of the box.
  package var contentOrigin: PointModel
  package var opacity: Scalar
  package var visible: Scalar
  package var z: Scalar
  package var drawing: Drawing
  /// Only what lies inside it is drawn, the children included; in own coordinates.
  package var clip: OutlineModel?
  package var blend = BlendMode.normal
  package var children: [ElementModel]
  /// Whether nothing in it changes while it lives: it can be drawn once.
  package private(set) var isStatic: Bool
  /// How many drawings it holds, its own included.
  package let drawingCount: Int

  package init(
    kind: String, name: String?, span: SourceSpan, start: Ticks, end: Ticks,
    transform: AffineModel, contentOrigin: PointModel, opacity: Scalar, visible: Scalar,
    z: Scalar, drawing: Drawing, clip: OutlineModel? = nil, children: [ElementModel]
  ) {
    self.clip = clip
    self.kind = kind
    self.name = name
    self.span = span
    self.start = start
    self.end = end
    self.transform = transform
    self.contentOrigin = contentOrigin
    self.opacity = opacity
    self.visible = visible
    self.z = z
    self.drawing = drawing
    self.children = children
    let own = drawing == .nothing ? 0 : 1
    drawingCount = children.reduce(own) { $0 + $1.drawingCount }
    isStatic = false
    isStatic = ElementModel.isStatic(self)
  }

  private static func isStatic(_ element: ElementModel) -> Bool {
    var isConstant = true
    element.forEachScalar { if $0.constantValue == nil { isConstant = false } }
    return isConstant
      && element.children.allSatisfy {
        $0.isStatic && $0.start <= element.start && $0.end >= element.end
      }
  }

  /// What the element itself paints, below its children.
  package enum Drawing: Hashable, Sendable {
    case nothing
    case outline(OutlineModel, fill: PaintModel?, stroke: StrokeModel?, trim: TrimModel?)
    /// One paint for each run; the top left of the text stands at `origin`.
    case text(
      TextModel, paints: [TextPaintModel], origin: PointModel, units: TextUnitsModel? = nil)
    /// `source` (image pixels) and `destination` as x, y, width, height.
    case image(ImageReference, source: [Scalar], destination: [Scalar])
  }
}

/// How the parts of a text move.
package struct TextUnitsModel: Hashable, Sendable {
  package var kind = TextUnitKind.glyph
  package var units: [Unit] = []
  /// The share of the glyphs that is shown.
  package var shown: Scalar?

  package struct Unit: Hashable, Sendable {
    package var opacity: Scalar
    package var map: AffineModel
    package var fill: PaintModel?

    package init(opacity: Scalar, map: AffineModel, fill: PaintModel?) {
      self.opacity = opacity
      self.map = map
      self.fill = fill
    }
  }

  package init() {}
}

package struct TrimModel: Hashable, Sendable {
  package var from: Scalar
  package var to: Scalar

  package init(from: Scalar, to: Scalar) {
    self.from = from
    self.to = to
  }
}

package struct TextPaintModel: Hashable, Sendable {
  package var fill: PaintModel?
  package var stroke: StrokeModel?

  package init(fill: PaintModel?, stroke: StrokeModel?) {
    self.fill = fill
    self.stroke = stroke
  }
}

/// The form of a shape whose numbers may change.
package enum OutlineModel: Hashable, Sendable {
  case rect(x: Scalar, y: Scalar, width: Scalar, height: Scalar, radius: Scalar)
  case ellipse(center: PointModel, rx: Scalar, ry: Scalar)
  case star(center: PointModel, points: Int, outer: Scalar, inner: Scalar)
  case arc(
    center: PointModel, radius: Scalar, inner: Scalar, start: Scalar, sweep: Scalar,
    closed: Scalar)
  case path(PathModel)
}
