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
  package var sound = SoundModel()
  package var title = ""
  package var author = ""
  package var comment = ""
  package var chapters: [Chapter] = []
  /// The files that it asks for.
  package var outputs: [OutputSettings] = []
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

  /// Half the time that the shutter is open, in ticks: so long before and after its own time a frame
  /// sees.
  package var halfShutter: Int64 {
    let open = motionBlur.map { frameRate.frameTicks * $0.angle / 360 } ?? 0
    return Int64((open / 2).rounded(.up))
  }
}

/// Where what a scene says of its video is written: its own settings, or else the head of the scene.
package struct ScenePlaces: Hashable, Sendable {
  package let scene: SourceSpan
  package let size: SourceSpan
  /// Whether the size is that of the call, not of the scene.
  package let isSizeGiven: Bool
  package let background: SourceSpan
  /// The codes of warnings that `// scenec: allow` silences in the line of the scene, for those that only
  /// come to light while it is built.
  package let allowed: Set<String>

  package init(
    scene: SourceSpan, size: SourceSpan?, isSizeGiven: Bool, background: SourceSpan?,
    allowed: Set<String> = []
  ) {
    self.allowed = allowed
    self.scene = scene
    self.size = size ?? scene
    self.isSizeGiven = isSizeGiven
    self.background = background ?? scene
  }
}

/// A shutter that stays open around each frame.
package struct MotionBlur: Hashable, Sendable, Encodable {
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

/// One drawn thing and what is placed in its box.
///
/// A class that never changes: elements are walked through for every frame, and there are many.
package final class ElementModel: Hashable, Sendable {
  package let kind: String
  package let name: String?
  package let span: SourceSpan
  /// Shown while `start <= time < end`, both counted from the start of the built scene.
  package let start: Ticks
  package let end: Ticks
  /// From own coordinates to those of the parent's content.
  package let transform: AffineModel
  /// From the coordinates of the children to own ones: their (0, 0) is the top left of the box.
  package let content: AffineModel
  package let opacity: Scalar
  package let visible: Scalar
  package let z: Scalar
  package let drawing: Drawing
  /// What happens to its drawing as a whole, the children included.
  package let style: StyleModel
  package let children: [ElementModel]
  /// Whether nothing in it changes while it lives: it can be drawn once.
  package let isStatic: Bool
  /// The number of drawings in it, its own included. An element that is shown in two places, such as
  /// a clip between two transitions, counts twice; the count stops at `Int32.max`.
  package let drawingCount: Int
  /// Whether it or an element in it has a stroke with `stroke-scale: none`.
  package let hasSteadyStroke: Bool

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
    drawingCount = children.reduce(own) { min($0 + $1.drawingCount, Int(Int32.max)) }
    let inner = children + (style.mask?.elements ?? [])
    var isSteadyStroke = false
    if case .outline(_, _, let stroke?, _, _) = drawing { isSteadyStroke = stroke.isSteady }
    hasSteadyStroke = isSteadyStroke || inner.contains(where: \.hasSteadyStroke)
    let isSteady = inner.allSatisfy {
      $0.isStatic && $0.start <= start && $0.end >= end
    }
    isStatic =
      isSteady && drawing.isConstant && style.isConstant && transform.isConstant
      && content.isConstant && [opacity, visible, z].allSatisfy { $0.constantValue != nil }
  }

  /// Calls `body` for the element and everything in it, masks included, from the outside in. An element
  /// that is shown in several places, such as a clip between two transitions, comes once.
  package static func visit(_ elements: [ElementModel], _ body: (ElementModel) -> Void) {
    var visited: Set<ObjectIdentifier> = []
    func visit(_ element: ElementModel) {
      guard visited.insert(ObjectIdentifier(element)).inserted else { return }
      body(element)
      for inner in element.children + (element.style.mask?.elements ?? []) { visit(inner) }
    }
    for element in elements { visit(element) }
  }

  /// The same element with another life or other parts.
  package func with(
    start: Ticks? = nil, end: Ticks? = nil, visible: Scalar? = nil, style: StyleModel? = nil,
    children: [ElementModel]? = nil
  ) -> ElementModel {
    ElementModel(
      kind: kind, name: name, span: span, start: start ?? self.start, end: end ?? self.end,
      transform: transform, content: content, opacity: opacity, visible: visible ?? self.visible,
      z: z, drawing: drawing, style: style ?? self.style, children: children ?? self.children)
  }

  package static func == (a: ElementModel, b: ElementModel) -> Bool {
    a === b
      || (a.kind, a.name, a.span, a.start, a.end) == (b.kind, b.name, b.span, b.start, b.end)
        && (a.transform, a.content, a.opacity, a.visible, a.z)
          == (b.transform, b.content, b.opacity, b.visible, b.z)
        && (a.drawing, a.style, a.children) == (b.drawing, b.style, b.children)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(span)
    hasher.combine(start)
    hasher.combine(drawing)
  }

  /// What the element itself paints, below its children.
  package indirect enum Drawing: Hashable, Sendable, Encodable {
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
    /// The same of a clip, whose time says which picture is shown.
    case clip(ClipModel, source: [Scalar], destination: [Scalar])
  }
}

/// How the parts of a text move.
package struct TextUnitsModel: Hashable, Sendable, Encodable {
  package var kind = TextUnitKind.glyph
  package var units: [Unit] = []
  /// The share of the glyphs that is shown.
  package var shown: Scalar?
  /// The line that the text stands on, and the share of its length where it is held.
  package var along: PathModel?
  package var alongStart = Scalar.zero

  /// The parts of it that live or move by themselves, outer ones first.
  package var spans: [Span] = []

  /// Some runs of the text, moved about their middle.
  package struct Span: Hashable, Sendable, Encodable {
    package var runs: Range<Int>
    package var unit: Unit

    package init(runs: Range<Int>, unit: Unit) {
      self.runs = runs
      self.unit = unit
    }
  }

  /// How one glyph, word or line differs from how the text is laid out.
  package struct Unit: Hashable, Sendable, Encodable {
    package var opacity: Scalar
    package var map: AffineModel
    package var fill: PaintModel?
    package var stroke: PaintModel?
    package var blur = Scalar.zero
    /// How far it is moved within its own box, in shares of the width and height.
    package var shift = PointModel.zero

    package init(opacity: Scalar, map: AffineModel, fill: PaintModel?) {
      self.opacity = opacity
      self.map = map
      self.fill = fill
    }
  }

  package init() {}
}

/// The part of an outline that is drawn, as shares of its length.
package struct TrimModel: Hashable, Sendable, Encodable {
  package var from: Scalar
  package var to: Scalar

  package init(from: Scalar, to: Scalar) {
    self.from = from
    self.to = to
  }
}

/// What one run of a text is painted with.
package struct TextPaintModel: Hashable, Sendable, Encodable {
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
package indirect enum OutlineModel: Hashable, Sendable, Encodable {
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
