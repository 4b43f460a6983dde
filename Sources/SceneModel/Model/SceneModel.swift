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
  package var motionBlur: MotionBlur?
  package var places: ScenePlaces

  package init(
    name: String?, places: ScenePlaces, size: PixelSize, frameRate: FrameRate, duration: Ticks,
    background: PaintModel?, elements: [ElementModel], program: Program
  ) {
    self.name = name
    self.places = places
    self.size = size
    self.frameRate = frameRate
    self.duration = duration
    self.background = background
    self.elements = elements
    self.program = program
  }

  package var frameCount: Int { frameRate.frames(before: duration) }
}

/// Where what a scene says of its video is written: its own settings, or else the head of the scene.
package struct ScenePlaces: Hashable, Sendable {
  package let scene: SourceSpan
  package let size: SourceSpan
  package let background: SourceSpan
  package let profile: SourceSpan
  package let level: SourceSpan

  package init(
    scene: SourceSpan, size: SourceSpan?, background: SourceSpan?, profile: SourceSpan?,
    level: SourceSpan?
  ) {
    self.scene = scene
    self.size = size ?? scene
    self.background = background ?? scene
    self.profile = profile ?? scene
    self.level = level ?? scene
  }
}

/// A shutter that stays open around each frame.
package struct MotionBlur: Hashable, Sendable {
  /// Degrees of a whole turn of the shutter, which takes the time of a frame.
  package let angle: Double
  /// How many times of it are drawn.
  package let samples: Int

  package init(angle: Double, samples: Int) {
    self.angle = angle
    self.samples = samples
  }
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
  /// From the coordinates of the children to own ones: their (0, 0) is the top left of the box.
  package var content: AffineModel
  package var opacity: Scalar
  package var visible: Scalar
  package var z: Scalar
  package var drawing: Drawing
  /// What happens to its drawing as a whole, the children included.
  package var style: StyleModel
  package var children: [ElementModel]
  /// Whether nothing in it changes while it lives: it can be drawn once.
  package private(set) var isStatic: Bool
  /// How many drawings it holds, its own included.
  package let drawingCount: Int

  package init(
    kind: String, name: String?, span: SourceSpan, start: Ticks, end: Ticks,
    transform: AffineModel = .identity, content: AffineModel = .identity, opacity: Scalar = .one,
    visible: Scalar = .one, z: Scalar = .zero, drawing: Drawing, style: StyleModel = StyleModel(),
    children: [ElementModel] = []
  ) {
    self.style = style
    self.kind = kind
    self.name = name
    self.span = span
    self.start = start
    self.end = end
    self.transform = transform
    self.content = content
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

  /// With what follows from its parts computed again, after they were changed.
  package func refreshed() -> ElementModel {
    var it = self
    it.isStatic = ElementModel.isStatic(self)
    return it
  }

  private static func isStatic(_ element: ElementModel) -> Bool {
    element.isConstant
      && (element.children + (element.style.mask?.elements ?? [])).allSatisfy {
        $0.isStatic && $0.start <= element.start && $0.end >= element.end
      }
  }

  /// What the element itself paints, below its children.
  package enum Drawing: Hashable, Sendable {
    case nothing
    case outline(
      OutlineModel, fill: PaintModel?, stroke: StrokeModel?, trim: TrimModel?,
      strokeIsFirst: Bool = false)
    case arrow(PathModel, StrokeModel, ArrowModel, trim: TrimModel?)
    /// One paint for each run; the top left of the text stands at `origin`.
    case text(
      TextModel, paints: [TextPaintModel], origin: PointModel, units: TextUnitsModel? = nil)
    /// `source` (image pixels) and `destination` as x, y, width, height. Of several frames `frame`
    /// is the number.
    case image([ImageReference], frame: Scalar, source: [Scalar], destination: [Scalar])
  }
}

/// How the parts of a text move.
package struct TextUnitsModel: Hashable, Sendable {
  package var kind = TextUnitKind.glyph
  package var units: [Unit] = []
  /// The share of the glyphs that is shown.
  package var shown: Scalar?
  /// The line that the text stands on, and the share of its length where it is held.
  package var along: PathModel?
  package var alongStart = Scalar.zero

  package struct Unit: Hashable, Sendable {
    package var opacity: Scalar
    package var map: AffineModel
    package var fill: PaintModel?
    package var stroke: PaintModel?
    package var blur = Scalar.zero

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
  package var strokeIsFirst: Bool

  package init(fill: PaintModel?, stroke: StrokeModel?, strokeIsFirst: Bool = false) {
    self.fill = fill
    self.stroke = stroke
    self.strokeIsFirst = strokeIsFirst
  }
}

/// The form of a shape whose numbers may change.
package indirect enum OutlineModel: Hashable, Sendable {
  case rect(x: Scalar, y: Scalar, width: Scalar, height: Scalar, radius: Scalar)
  /// With corners that the sides turn into gently: by 0, not at all, to 1.
  case smoothRect(
    x: Scalar, y: Scalar, width: Scalar, height: Scalar, radius: Scalar, smoothing: Scalar)
  case ellipse(center: PointModel, rx: Scalar, ry: Scalar)
  case star(center: PointModel, points: Int, outer: Scalar, inner: Scalar)
  case arc(
    center: PointModel, radius: Scalar, inner: Scalar, start: Scalar, sweep: Scalar,
    closed: Scalar)
  case path(PathModel)
}
