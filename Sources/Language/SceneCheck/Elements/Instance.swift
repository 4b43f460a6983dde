// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// An expression with the place where it is written.
final class Source {
  let value: Expression
  let scope: Scope
  let nameSpan: SourceSpan
  /// What counts in place of the expression, which then is only a place.
  let made: Made?

  /// A value that no scene writes.
  enum Made {
    case value(Value)
    /// The color that stands out where the element is.
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

/// One element of the unrolled scene: the third round of a loop has its own.
final class Instance {
  /// The built-in kind that it is drawn as; a component is a `group`.
  let kind: ElementKind
  /// How an element of its kind has the properties, by their numbers.
  let uses: [Property.Use?]
  let syntax: ElementSyntax
  let parent: Instance?
  /// The scope of its body.
  let scope: Scope
  let definition: DefinitionSyntax?
  /// Where a component is used: its arguments are written there.
  var useScope: Scope?
  /// What the use of a component holds, for its `slot`.
  var slotItems: [Item] = []
  var slotScope: Scope?
  var isSlotFilled = false
  /// The scene that it shows, when it is one as an element.
  var shown: Instance?
  /// What part of it, once that was asked for.
  var playing: Playing?
  /// The clip that it shows, once that was looked for.
  var clipFile: (found: Footage?, Void)?
  /// Beats a minute, of a scene; once that was asked for.
  var tempo: Double?
  /// What a scene adds to all chance in it.
  var seed = 0.0
  var properties = PropertyMap<Source>()
  var children: [Instance] = []
  /// The length of the steps that `time-step` holds the clock in.
  var timeStep: Ticks?
  /// What `enter` and `exit` name, once that was asked for.
  var effects: [EffectUse]?
  /// The element that a `change of` moves, once that was looked for.
  var target: Instance?
  /// The others, where it names a list.
  var otherTargets: [Instance] = []
  /// The parts of a formula that an index asked for, by what they are written as.
  var indexed: [String: Instance] = [:]
  /// Which of the places of its text a part of a formula is; `nil` for all of them.
  var place: Int?
  /// What its file is, of an SVG; once that was asked for.
  var vector: (file: VectorFile?, Void)?
  /// The texts of a `captions` element, once they were made.
  var captionPlan: CaptionPlan?
  /// Its place among the captions of its parent.
  var caption: CaptionPart?
  /// Where it is in its SVG, of a part; once that was asked for.
  var vectorPlace: (place: VectorPlace?, Void)?
  /// The parts of a text, of an `each`, as far as they were made.
  var parts: [Instance] = []
  /// In which round it begins, of the parts of an SVG that `each part` makes.
  var rank: Int?
  /// Which copy it is, of what a `repeat` draws.
  var copy: Int?
  /// The `change`s that move a property, by its name.
  var changes: [Property: [Instance]] = [:]
  var segments: [(SegmentSyntax, Scope)] = []
  var isElaborated = false
  /// What its body names as properties that it does not have.
  var unknownProperties: [String] = []
  /// The place of each drawn child among them, by its id; made when `stagger` asks.
  var drawnOrder: [Int: Int] = [:]
  /// What others may stand on, once that was asked for.
  var grounds: Grounds?
  /// Its steps in order, of `steps`, found when it had this many children.
  var steps: (list: [Instance], childCount: Int)?
  /// Its place among them, of a step.
  var stepIndex = 0
  /// When its clips are there, of a sequence; once that was asked for.
  var plan: SequencePlan?
  /// Whether its sound was looked for.
  var isHeard = false
  /// The transitions that it made, of a sequence.
  var crossings: [Instance] = []
  /// The clips that it shows, of a transition.
  var crossing: Crossing?
  /// The clip that it shows, of a `from` or `to`.
  var clip: Instance?
  /// What a clip of a sequence was made into, in the clock that counted then.
  var emitted: (now: Scalar, model: ElementModel?)?
  /// Its place among all instances: a stable key.
  let id: Int

  /// Filled in when first asked for.
  var startTime: Ticks?
  var endTime: Ticks?
  var values = TimeMap<PropertyMap<Value>>()
  var boxes = TimeMap<BoxModel>()
  var placements = TimeMap<AffineModel>()
  var layouts = TimeMap<LayoutModel>()
  /// The lengths of children that are stretched, by their ids.
  var stretched = TimeMap<[Int: Scalar]>()
  /// What its children get of what is left, by their ids.
  var grown = TimeMap<[Int: Scalar]>()

  init(
    kind: ElementKind, syntax: ElementSyntax, parent: Instance?, scope: Scope,
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

  /// Lets go of all that it holds: elements hold each other, and scopes hold elements.
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
    effects = nil
    target = nil
    otherTargets = []
    parts = []
    indexed = [:]
    segments = []
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

  /// The element that a `change` moves: the one around it, or that which it names; `nil` where that
  /// is not there.
  var host: Instance? { syntax.target == nil ? parent : target }

  var displayName: String { syntax.name?.text ?? syntax.kindText }

  /// What it is called in messages: a component by its name, a `from` so though it is a group.
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

/// Children that may cover others, as indices that rise, and the index of each child by its id.
struct Grounds {
  var indices: [Int] = []
  var places: [Int: Int] = [:]

  /// Those below an index.
  func before(_ position: Int) -> ArraySlice<Int> {
    var (low, high) = (0, indices.count)
    while low < high {
      let middle = (low + high) / 2
      if indices[middle] < position { low = middle + 1 } else { high = middle }
    }
    return indices[..<low]
  }
}
