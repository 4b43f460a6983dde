// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// An expression with its scope and span.
final class Source {
  let value: Expression
  let scope: Scope
  let nameSpan: SourceSpan
  /// A synthesized value that replaces the expression. The expression then supplies only a span.
  let made: Made?

  /// A value that has no notation in scenes.
  enum Made {
    case value(Value)
    /// The color that contrasts with the background of the element.
    case ink
    /// A property of a caption that follows from its lines and the captions before it.
    case caption(Property)
  }

  init(value: Expression, scope: Scope, nameSpan: SourceSpan, made: Made? = nil) {
    self.value = value
    self.scope = scope
    self.nameSpan = nameSpan
    self.made = made
  }

  convenience init(_ made: Made, scope: Scope, at span: SourceSpan) {
    self.init(value: Expression(.none, span), scope: scope, nameSpan: span, made: made)
  }
}

/// An element of the unrolled scene. Each round of a loop creates its own instances.
final class ElementNode {
  /// The built-in kind. A component is a `group`.
  let kind: ElementKind
  /// The declarations of properties for this kind, indexed by the raw values of properties.
  let uses: [Property.Use?]
  let syntax: ElementSyntax
  let parent: ElementNode?
  /// The scope of the body.
  let scope: Scope
  let definition: DefinitionSyntax?
  /// The scope of a component's use, in which its arguments are evaluated.
  var useScope: Scope?
  /// The children of a component's use, for its `slot`.
  var slotItems: [Item] = []
  var slotScope: Scope?
  var isSlotFilled = false
  /// The scene that is used as this element, if any.
  var shown: ElementNode?
  /// The played part of the scene. Computed lazily.
  var playing: Playing?
  /// Whether `speed` is being evaluated, which must not require the duration of the material.
  var isReadingSpeed = false
  /// The video file of the element. Loaded lazily.
  var clipFile: (found: Footage?, Void)?
  /// The tempo of a scene in beats per minute. Computed lazily.
  var tempo: Double?
  /// The seed that a scene adds to all random values.
  var seed = 0.0
  var properties = PropertyMap<Source>()
  var children: [ElementNode] = []
  /// The quantization of the clock by `time-step`.
  var timeStep: Ticks?
  /// The effects of `enter` and `exit`. Resolved lazily.
  var effects: [EffectUse]?
  /// The element that a `change of` animates. Resolved lazily.
  var target: ElementNode?
  /// The other elements, if the target is a list.
  var otherTargets: [ElementNode] = []
  /// The parts of a formula that an index expression selects, by their source text.
  var indexed: [String: ElementNode] = [:]
  /// The index of a formula part among the occurrences of its text, or `nil` for all of them.
  var place: Int?
  /// The file of an SVG. Loaded lazily.
  var vector: (file: VectorFile?, Void)?
  /// The texts of a `captions` element. Created lazily.
  var captionPlan: CaptionPlan?
  /// The caption and column of a text that a `captions` element created.
  var caption: CaptionPart?
  /// The position of a part in its SVG. Resolved lazily.
  var vectorPlace: (place: VectorPlace?, Void)?
  /// The units that an `each` has created so far.
  var parts: [ElementNode] = []
  /// The units of formula glyphs that appear with a later change, by number. Created lazily.
  var lateParts: [Int: ElementNode] = [:]
  /// The position in the order of starts, for the parts of an SVG that `each part` creates.
  var rank: Int?
  /// Whether this is a particle, which has its own clock and `index`.
  var isParticle = false
  /// The index of a copy in a `repeat`.
  var copy: Int?
  /// The `change`s of each property.
  var changes: [Property: [ElementNode]] = [:]
  /// The new values of parameters, for a `change` of a component's use.
  var arguments: [Identifier: Source] = [:]
  var segments: [(SegmentSyntax, Scope)] = []
  /// The conditions of an `expect`.
  var conditions: [(Expression, Scope)] = []
  var isElaborated = false
  /// The unknown properties in the body.
  var unknownProperties: [String] = []
  /// The index of each drawn child by id. Computed lazily for `stagger`.
  var drawnOrder: [Int: Int] = [:]
  /// The children that can be the background of others. Computed lazily.
  var grounds: Grounds?
  /// The index among the children of the parent. Set when the parent has grounds; `nil` for an
  /// element that is not one of its children.
  var childIndex: Int?
  /// The steps of a `steps` element in order. Valid while the number of children is `childCount`.
  var steps: (list: [ElementNode], childCount: Int)?
  /// The index of a step among its siblings.
  var stepIndex = 0
  /// The times of a sequence's clips. Computed lazily.
  var plan: SequencePlan?
  /// Whether the audio of the element was collected.
  var isHeard = false
  /// The transitions that a sequence created.
  var crossings: [ElementNode] = []
  /// The clips of a transition.
  var crossing: Crossing?
  /// The clip that a `from` or `to` shows.
  var clip: ElementNode?
  /// The model of a sequence's clip, for the clock at which it was generated.
  var emitted: (now: Scalar, model: ElementModel?)?
  /// A unique and stable key: the index among all instances.
  let id: Int

  /// Values that are computed lazily and cached.
  var startTime: Ticks?
  var endTime: Ticks?
  var values = TimeMap<PropertyMap<Value>>()
  var sizes = TimeMap<PointModel>()
  var boxes = TimeMap<BoxModel>()
  var placements = TimeMap<AffineModel>()
  var layouts = TimeMap<LayoutModel>()
  /// The lengths of stretched children by id.
  var stretched = TimeMap<[Int: Scalar]>()
  /// The lengths of growing children by id.
  var grown = TimeMap<[Int: Scalar]>()

  init(
    kind: ElementKind, syntax: ElementSyntax, parent: ElementNode?, scope: Scope,
    definition: DefinitionSyntax?, id: Int
  ) {
    self.kind = kind
    uses = Property.uses(in: kind)
    self.syntax = syntax
    self.parent = parent
    self.scope = scope
    self.definition = definition
    self.id = id
  }

  /// Breaks the reference cycles between elements and scopes.
  func dismantle() {
    children = []
    crossings = []
    crossing = nil
    clip = nil
    plan = nil
    captionPlan = nil
    emitted = nil
    values = TimeMap()
    properties = PropertyMap()
    changes = [:]
    arguments = [:]
    effects = nil
    target = nil
    otherTargets = []
    parts = []
    lateParts = [:]
    indexed = [:]
    segments = []
    conditions = []
    steps = nil
    var next: Scope? = scope
    while let it = next, !it.isFile {
      it.removeAll()
      next = it.parent
    }
    slotScope?.removeAll()
    useScope = nil
    slotScope = nil
    shown = nil
  }

  /// The element that a `change` animates: its parent or its target. `nil` if the target does not
  /// exist.
  var host: ElementNode? { syntax.target == nil ? parent : target }

  var displayName: String { syntax.name?.text ?? syntax.kindText }

  /// The name of the kind in messages: that of a component, or `from` for the group that shows a
  /// clip.
  var kindName: String {
    if let definition { return definition.name.text }
    if copy != nil { return ElementKind.repeat.rawValue }
    let isNamedOtherwise =
      syntax.kindText == "from" || syntax.kindText == "to" || kind == .soundTrack
    return isNamedOtherwise ? syntax.kindText : kind.rawValue
  }

  var span: SourceSpan { syntax.headSpan }

  var depth: Int {
    var count = 0
    var next = parent
    while let it = next {
      count += 1
      next = it.parent
    }
    return count
  }
}

/// The children that can cover others.
struct Grounds {
  /// The number of children, which grows while the parent is elaborated.
  let childCount: Int
  /// Descending, since the first children are usually removed first.
  var indices: [Int] = []
  /// The shapes without paints among the children that are already elaborated, ascending.
  private var inked: [Int] = []

  init(childCount: Int) { self.childCount = childCount }

  var isEmpty: Bool { indices.isEmpty && inked.isEmpty }

  /// Returns the last index below a position, or `nil`.
  func last(before position: Int, includesInked: Bool) -> Int? {
    let place = place(below: position)
    let found = place < indices.count ? indices[place] : nil
    guard includesInked, let last = inked.last(where: { $0 < position }) else { return found }
    return max(last, found ?? last)
  }

  /// Separates a shape without paints from the other candidates.
  mutating func setInked(_ index: Int) {
    remove(index)
    let place = inked.lastIndex { $0 <= index }
    if let place, inked[place] == index { return }
    inked.insert(index, at: place.map { $0 + 1 } ?? 0)
  }

  /// Removes an index.
  mutating func remove(_ index: Int) {
    let place = place(below: index + 1)
    if place < indices.count, indices[place] == index { indices.remove(at: place) }
  }

  /// Returns the place of the first index below a position.
  private func place(below position: Int) -> Int {
    var (low, high) = (0, indices.count)
    while low < high {
      let middle = (low + high) / 2
      if indices[middle] >= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
