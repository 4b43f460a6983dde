// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
package import SceneText

/// A scene with names, units, defaults and loops resolved to lifetimes and numbers.
package struct SceneModel: Hashable, Sendable {
  package var name: String?
  package var size: PixelSize
  package var frameRate: FrameRate
  package var duration: Ticks
  package var background: PaintModel?
  /// The elements in painting order, before `z` is applied.
  package var elements: [ElementModel]
  package var program: Program
  package var sound = SoundModel()
  package var title = ""
  package var author = ""
  package var comment = ""
  package var chapters: [Chapter] = []
  /// The times of the markers by their names.
  package var markers: [String: Ticks] = [:]
  package var captions: [CaptionTrack] = []
  /// The descriptions of the scene; `nil` if it has none.
  package var descriptions: DescriptionModel?
  /// Facts about the files of the scene that a build reports, such as estimated times.
  package var remarks: [String] = []
  /// The output files that the scene declares.
  package var outputs: [OutputSettings] = []
  package var motionBlur: MotionBlur?
  package var flashLimit = FlashLimit.web
  /// The eye that looks at the elements; `nil` if none of them is in space.
  package var perspective: PerspectiveModel?
  package var places: ScenePlaces
  package var expectations = ExpectationsModel()

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

  /// Half the shutter time in ticks. A frame covers this much time before and after its own time.
  package var halfShutter: Int64 {
    let open = motionBlur.map { frameRate.frameTicks * $0.angle / 360 } ?? 0
    return Int64((open / 2).rounded(.up))
  }
}

/// The source locations of a scene's video settings: each setting's own location, or else the head
/// of the scene.
package struct ScenePlaces: Hashable, Sendable {
  package let scene: SourceSpan
  package let size: SourceSpan
  /// Whether the caller sets the size, instead of the scene.
  package let isSizeGiven: Bool
  package let background: SourceSpan
  /// The warning codes that `// scenec: allow` on the scene's line suppresses, for warnings that
  /// only occur during a build.
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

/// The motion blur of a virtual camera, whose shutter is open around the time of each frame.
package struct MotionBlur: Hashable, Sendable, Encodable {
  /// The shutter angle in degrees; 360° is the duration of a frame.
  package let angle: Double
  /// The number of samples per frame.
  package let samples: Int

  package init(angle: Double, samples: Int) {
    self.angle = angle
    self.samples = samples
  }
}

/// A chapter of the video.
package struct Chapter: Hashable, Sendable {
  package let start: Ticks
  package let title: String

  package init(start: Ticks, title: String) {
    self.start = start
    self.title = title
  }
}

/// A drawn element and its children.
///
/// An immutable class instead of a struct: every frame traverses all elements, and scenes have
/// many.
package final class ElementModel: Hashable, Sendable {
  package let kind: String
  package let name: String?
  package let span: SourceSpan
  /// The lifetime is `start <= time < end`, relative to the start of the built scene.
  package let start: Ticks
  package let end: Ticks
  /// The map from the element's coordinates to the content coordinates of its parent.
  package let transform: AffineModel
  /// The map from the coordinates of the children, whose origin is the top left of the box, to the
  /// element's coordinates.
  package let content: AffineModel
  package let opacity: Scalar
  package let visible: Scalar
  package let z: Scalar
  package let drawing: Drawing
  private let rare: RareParts?
  package let children: [ElementModel]
  /// Whether no effects apply to the element as a whole: `style` has its initial values.
  package let isPlain: Bool
  /// Whether the element does not change during its lifetime, so that it can be drawn once.
  package let isStatic: Bool
  /// The number of drawings in the element, including its own. An element that occurs in two
  /// places, such as a clip between two transitions, counts twice. The count saturates at
  /// `Int32.max`.
  package let drawingCount: Int
  /// Whether the element or a descendant in the same space has a depth.
  package let hasDepth: Bool
  /// Whether the element or a descendant depends on the eye: it has a depth, or is a text with a
  /// unit that has a depth.
  package let dependsOnEye: Bool
  /// Whether the element or a descendant has a stroke with `stroke-scale: none`.
  package let hasSteadyStroke: Bool
  /// Whether the element shows captions, which a file can contain as a text track instead.
  package let isCaptions: Bool
  /// Whether the element or a descendant shows captions.
  package let hasCaptions: Bool

  package init(
    kind: String, name: String?, span: SourceSpan, start: Ticks, end: Ticks,
    transform: AffineModel = .identity, content: AffineModel = .identity,
    depth: DepthModel? = nil, perspective: PerspectiveModel? = nil, opacity: Scalar = .one,
    visible: Scalar = .one, z: Scalar = .zero, drawing: Drawing, rough: RoughModel? = nil,
    lineBoxes: LineBoxesModel? = nil, style: StyleModel = StyleModel(),
    children: [ElementModel] = [], isCaptions: Bool = false
  ) {
    self.isCaptions = isCaptions
    hasCaptions = isCaptions || children.contains(where: \.hasCaptions)
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
    let own = (drawing.isNothing ? 0 : 1) + (lineBoxes == nil ? 0 : 1)
    isPlain = style.isPlain
    rare =
      isPlain && depth == nil && perspective == nil && rough == nil && lineBoxes == nil
      ? nil
      : RareParts(
        depth: depth, perspective: perspective, rough: rough, lineBoxes: lineBoxes, style: style)
    drawingCount = children.reduce(own) { min($0 + $1.drawingCount, Int(Int32.max)) }
    hasDepth =
      depth != nil
      || perspective == nil && !drawing.isParticles && children.contains(where: \.hasDepth)
    var inner = children
    if let mask = style.mask { inner += mask.elements }
    dependsOnEye =
      depth != nil || drawing.hasUnitsInSpace
      || perspective == nil && inner.contains(where: \.dependsOnEye)
    var isSteadyStroke = false
    if case .outline(_, _, let stroke?, _, _, _) = drawing { isSteadyStroke = stroke.isSteady }
    hasSteadyStroke = isSteadyStroke || inner.contains(where: \.hasSteadyStroke)
    let isSteady = inner.allSatisfy {
      $0.isStatic && $0.start <= start && $0.end >= end
    }
    isStatic =
      isSteady && drawing.isConstant && rough?.isConstant != false
      && lineBoxes?.isConstant != false && (isPlain || style.isConstant) && transform.isConstant
      && content.isConstant && depth?.isConstant != false && perspective?.isConstant != false
      && opacity.constantValue != nil && visible.constantValue != nil && z.constantValue != nil
  }

  /// Calls `body` for each element and its descendants, including masks, in preorder. An element
  /// that occurs in several places, such as a clip between two transitions, is visited once.
  package static func visit(_ elements: [ElementModel], _ body: (ElementModel) -> Void) {
    var visited: Set<ObjectIdentifier> = []
    func visit(_ element: ElementModel) {
      guard visited.insert(ObjectIdentifier(element)).inserted else { return }
      body(element)
      for inner in element.children + (element.style.mask?.elements ?? []) { visit(inner) }
    }
    for element in elements { visit(element) }
  }

  /// Returns a copy of the element with the given values replaced.
  package func with(
    start: Ticks? = nil, end: Ticks? = nil, opacity: Scalar? = nil, visible: Scalar? = nil,
    drawing: Drawing? = nil, style: StyleModel? = nil, children: [ElementModel]? = nil
  ) -> ElementModel {
    ElementModel(
      kind: kind, name: name, span: span, start: start ?? self.start, end: end ?? self.end,
      transform: transform, content: content, depth: depth, perspective: perspective,
      opacity: opacity ?? self.opacity, visible: visible ?? self.visible, z: z,
      drawing: drawing ?? self.drawing, rough: rough, lineBoxes: lineBoxes,
      style: style ?? self.style, children: children ?? self.children, isCaptions: isCaptions)
  }

  package static func == (a: ElementModel, b: ElementModel) -> Bool {
    a === b
      || (a.kind, a.name, a.span, a.start, a.end) == (b.kind, b.name, b.span, b.start, b.end)
        && (a.transform, a.content, a.opacity, a.visible, a.z)
          == (b.transform, b.content, b.opacity, b.visible, b.z)
        && (a.drawing, a.style, a.children) == (b.drawing, b.style, b.children)
        && (a.depth, a.perspective, a.rough) == (b.depth, b.perspective, b.rough)
        && (a.lineBoxes, a.isCaptions) == (b.lineBoxes, b.isCaptions)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(span)
    hasher.combine(start)
    hasher.combine(drawing)
  }

  /// The parts that few elements have. They are stored separately, since small elements make
  /// traversals of many elements faster.
  private final class RareParts: Sendable {
    let depth: DepthModel?
    let perspective: PerspectiveModel?
    let rough: RoughModel?
    let lineBoxes: LineBoxesModel?
    let style: StyleModel

    init(
      depth: DepthModel?, perspective: PerspectiveModel?, rough: RoughModel?,
      lineBoxes: LineBoxesModel?, style: StyleModel
    ) {
      (self.depth, self.perspective) = (depth, perspective)
      (self.rough, self.lineBoxes) = (rough, lineBoxes)
      self.style = style
    }
  }

  /// Whether the element has a depth, a perspective, rough outlines, boxes behind lines or effects.
  package var hasRareParts: Bool { rare != nil }
  /// The position and orientation in space; `nil` for a flat element.
  package var depth: DepthModel? { rare?.depth }
  /// The eye that looks at the children. The element is then drawn as a plane, on which the
  /// children are projected; otherwise, they are in the same space as the element.
  package var perspective: PerspectiveModel? { rare?.perspective }
  /// The deviations of the outlines in the drawing; `nil` for exact outlines.
  package var rough: RoughModel? { rare?.rough }
  /// The boxes behind the lines of a text, which are painted below the drawing.
  package var lineBoxes: LineBoxesModel? { rare?.lineBoxes }
  /// The effects applied to the element as a whole, including its children.
  package var style: StyleModel { rare?.style ?? StyleModel() }

  /// The element's own drawing, which is painted below its children.
  package indirect enum Drawing: Hashable, Sendable, Encodable {
    case nothing
    case outline(
      OutlineModel, fill: PaintModel?, stroke: StrokeModel?, trim: TrimModel?,
      strokeIsFirst: Bool = false, writing: WritingModel? = nil)
    case arrow(PathModel, StrokeModel, ArrowModel, trim: TrimModel?)
    /// A text with one paint per run; `origin` is the position of its top left.
    case text(
      TextModel, paints: [TextPaintModel], origin: PointModel, units: TextUnitsModel? = nil)
    /// An image. `source` (in image pixels) and `destination` are x, y, width, height. For an
    /// animated image, `frame` is the index.
    case image([ImageReference], frame: Scalar, source: [Scalar], destination: [Scalar])
    /// A frame of a clip, selected by the clip's media time; `source` and `destination` as for an
    /// image.
    case clip(ClipModel, source: [Scalar], destination: [Scalar])
    /// Particles; the children of the element are the drawing of each particle.
    case particles(ParticleModel)
  }
}

extension ElementModel.Drawing {
  /// Whether the drawing consists of particles.
  package var isParticles: Bool { if case .particles = self { true } else { false } }
  /// Whether nothing is drawn.
  package var isNothing: Bool { if case .nothing = self { true } else { false } }
  package var isOutline: Bool { if case .outline = self { true } else { false } }

  /// Whether the drawing is a text with a unit that has a depth.
  fileprivate var hasUnitsInSpace: Bool {
    guard case .text(_, _, _, let units?) = self else { return false }
    return (units.units + units.spans.map(\.unit)).contains { $0.depth != nil }
  }
}

/// The individual motion of the units of a text.
package struct TextUnitsModel: Hashable, Sendable, Encodable {
  package var kind = TextUnitKind.glyph
  package var units: [Unit] = []
  /// The fraction of the glyphs that is visible.
  package var shown: Scalar?
  /// The progress of drawing and filling the glyphs.
  package var writing: WritingModel?
  /// The path that the text follows, and the text's start as a fraction of the path's length.
  package var along: PathModel?
  package var alongStart = Scalar.zero
  /// Whether the glyphs bend with the path.
  package var isBent = false

  /// The spans of the text with lifetimes or motions of their own, outer ones first.
  package var spans: [Span] = []

  /// A range of runs that is transformed about its center.
  package struct Span: Hashable, Sendable, Encodable {
    package var runs: Range<Int>
    package var unit: Unit

    package init(runs: Range<Int>, unit: Unit) {
      self.runs = runs
      self.unit = unit
    }
  }

  /// The style and transform of a glyph, word or line, relative to its position in the text layout.
  package struct Unit: Hashable, Sendable, Encodable {
    package var opacity: Scalar
    package var map: AffineModel
    /// The orientation in space; its pivot is relative to the center of the unit.
    package var depth: DepthModel?
    package var fill: PaintModel?
    package var stroke: PaintModel?
    package var blur = Scalar.zero
    /// The displacement, as fractions of the unit's own width and height.
    package var shift = PointModel.zero
    package var writing: WritingModel?

    package init(opacity: Scalar, map: AffineModel, fill: PaintModel?) {
      self.opacity = opacity
      self.map = map
      self.fill = fill
    }
  }

  package init() {}

  /// Returns the outlines or the box of a text that follows a path; `nil` for a straight text.
  package func letters(of text: TextModel, _ part: LetterPathModel.Part) -> LetterPathModel? {
    along.map { LetterPathModel(text, on: $0, start: alongStart, isBent: isBent, part: part) }
  }
}

/// The part of an outline that is drawn, as fractions of its length.
package struct TrimModel: Hashable, Sendable, Encodable {
  package var from: Scalar
  package var to: Scalar

  package init(from: Scalar, to: Scalar) {
    self.from = from
    self.to = to
  }
}

/// The fill and stroke of one text run.
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

/// The outline of a shape with variable numbers.
package indirect enum OutlineModel: Hashable, Sendable, Encodable {
  case rect(x: Scalar, y: Scalar, width: Scalar, height: Scalar, radius: Scalar)
  /// A rectangle with continuous corners: `smoothing` is from 0 (circular) to 1.
  case smoothRect(
    x: Scalar, y: Scalar, width: Scalar, height: Scalar, radius: Scalar, smoothing: Scalar)
  case ellipse(center: PointModel, rx: Scalar, ry: Scalar)
  case star(center: PointModel, points: Int, outer: Scalar, inner: Scalar)
  case arc(
    center: PointModel, radius: Scalar, inner: Scalar, start: Scalar, sweep: Scalar,
    closed: Scalar)
  case path(PathModel)
}
