// SPDX-License-Identifier: MIT
package import SceneLanguage
package import SceneModel
package import SceneSyntax
package import SceneText

/// The elements of the built scene with their source spans, for previews and editors. Created with
/// `CheckOptions.recordsElements`, even for scenes with errors.
package struct SceneRecord: Sendable {
  /// An element of the unrolled scene. Each round of a loop and each use of a component creates its
  /// own.
  package struct Element: Sendable {
    /// A stable identifier across checks: `intro/Dot#2/circle`.
    package let key: String
    /// The name of the built-in kind or component, such as `rect`.
    package let kind: String
    package let name: String?
    /// The span of the kind and the name, or the use of a transition.
    package let head: SourceSpan
    /// The span including the body.
    package let whole: SourceSpan
    /// The index of the parent, or `nil` for the scene.
    package let parent: Int?
    /// The index among the children of the parent with the same span.
    package let round: Int
    /// The name of the component, scene or transition that the element instantiates.
    package let definition: SourceSpan?
    /// The clock of the element's times. It differs from the frame time in a scene with another
    /// start or speed.
    package let clock: Scalar
    /// Whether the element is a transition between two clips of a sequence.
    package let isTransition: Bool
    /// The lifetime in ticks of the clock, or `nil` if it was not evaluated or is invalid.
    package let start: Ticks?
    package let end: Ticks?
    /// The box in the element's own coordinates, or `nil` for an element without a box.
    package let box: BoxModel?
    /// The properties in alphabetical order.
    package let properties: [Property]
    /// The arguments of a component, in the order of its parameters.
    package let arguments: [Argument]
    /// The indices of the element's voices in the model. A repeated scene has several for one
    /// element.
    package let voices: [Int]
    /// The text for viewers who cannot see the element: its `alt`, or that of a description.
    package let alternative: String?
    /// The model elements. Empty if the element is not drawn; several for a clip in transitions.
    package fileprivate(set) var drawn: [ElementModel] = []
  }

  /// A property that is set on an element.
  package struct Property: Sendable {
    /// The location of a value.
    package enum Origin: Sendable {
      /// The body of the element.
      case body
      /// The subject, after the kind and the name.
      case subject
      /// The component that the element instantiates.
      case definition
      case style
      /// No location: the value before the first `change`.
      case initial
    }

    package let property: SceneLanguage.Property
    package let type: PropertyType?
    package let origin: Origin
    package let name: SourceSpan
    package let value: SourceSpan
    /// The numbers in the value. Empty for texts, words and similar values.
    package let scalars: [Scalar]
    /// The value as one or two numbers. Empty for all other values.
    package let numbers: [Number]
    package let motions: [Motion]
    /// The changes of the value, in the order in which they apply.
    package let changes: [Change]
  }

  /// A number, or a length that is the sum of pixels and a fraction of a box.
  package struct Number: Sendable {
    package let own: Scalar
    package let share: Scalar?
  }

  /// The new value that a `change` gives a property.
  package struct Change: Sendable {
    package let value: SourceSpan
    /// The clock of the property.
    package let clock: Scalar
    /// The interval in ticks of the clock.
    package let from: Double
    package let to: Double
    package let easing: Easing
  }

  /// An argument of a use.
  package struct Argument: Sendable {
    package let name: Name
    package let value: SourceSpan
    /// The changes of the parameter, in the order in which they apply.
    package let changes: [Change]
  }

  /// A tween, keyframes, an `enter` or an `exit`.
  package struct Motion: Sendable {
    /// A leg of a tween, or the interval before a keyframe.
    package struct Step: Sendable {
      /// The start value, or `nil` for the first keyframe and for effects.
      package var start: SourceSpan?
      /// The interval in ticks of the motion's clock. It is empty for the first keyframe.
      package let from: Double
      package let to: Double
      package let easing: Easing
      /// The end value.
      package let value: SourceSpan
      /// The time of a keyframe.
      package let time: SourceSpan?
      package let clauses: [Clause]
    }

    package let span: SourceSpan
    /// The clock of the motion. It differs from that of the element inside functions such as
    /// `delay` or `loop`.
    package let clock: Scalar
    /// The start of the element whose time the motion counts, in ticks of the clock.
    package let origin: Double
    package let steps: [Step]
  }

  /// A `param` of the file.
  package struct Parameter: Sendable {
    package let name: Name
    package let type: TypeSyntax?
    package let value: SourceSpan?
    package let range: SourceSpan?
    package let span: SourceSpan
    /// The value that the caller sets.
    package let given: String?
  }

  /// The elements in preorder and source order. The first is the scene.
  package private(set) var elements: [Element]
  package let parameters: [Parameter]
  /// The SVG files whose parts the scene can refer to, by path.
  package internal(set) var vectors: [String: VectorDrawing] = [:]
  /// The tempo that the scene sets, in beats per minute.
  package internal(set) var tempo: Double?
  private var places: [ObjectIdentifier: Int]

  /// Creates a record. `made` returns the index of the element that a model element originates
  /// from.
  init(
    _ elements: [Element], parameters: [Parameter], model: [ElementModel],
    made: (ElementModel) -> Int?
  ) {
    self.elements = elements
    self.parameters = parameters
    places = [:]
    add(model, made: made)
  }

  private mutating func add(_ model: [ElementModel], made: (ElementModel) -> Int?) {
    ElementModel.visit(model) { it in
      guard let place = made(it) else { return }
      places[ObjectIdentifier(it)] = place
      elements[place].drawn.append(it)
    }
  }

  /// Returns the record of copies of the model's elements, which have the same children and masks.
  package func following(_ copies: [ElementModel], of originals: [ElementModel]) -> SceneRecord {
    var origins: [ObjectIdentifier: Int] = [:]
    var visited: Set<ObjectIdentifier> = []
    func pair(_ copies: [ElementModel], _ originals: [ElementModel]) {
      for (copy, original) in zip(copies, originals)
      where visited.insert(ObjectIdentifier(copy)).inserted {
        origins[ObjectIdentifier(copy)] = element(of: original)
        pair(copy.children, original.children)
      }
    }
    pair(copies, originals)
    var record = self
    record.places = [:]
    for index in record.elements.indices { record.elements[index].drawn = [] }
    record.add(copies) { origins[ObjectIdentifier($0)] ?? element(of: $0) }
    return record
  }

  /// Returns the index of the element that a model element originates from, or `nil`.
  package func element(of model: ElementModel) -> Int? { places[ObjectIdentifier(model)] }

  /// Returns the elements of the innermost body or head at an offset of a file.
  package func elements(at offset: Int, in file: FileID) -> [Int] {
    let around = elements.indices.filter {
      let whole = elements[$0].whole
      return whole.file == file && whole.start <= offset && offset <= whole.end
    }
    guard let shortest = around.map({ elements[$0].whole.length }).min() else { return [] }
    return around.filter { elements[$0].whole.length == shortest }
  }
}

extension SourceSpan {
  fileprivate var length: Int { end - start }
}
