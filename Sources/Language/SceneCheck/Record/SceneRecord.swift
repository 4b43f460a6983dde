// SPDX-License-Identifier: MIT
package import SceneLanguage
package import SceneModel
package import SceneSyntax
package import SceneText

/// The elements of the built scene with the places that made them: what a preview shows, and what an
/// editor says about a place. Kept with `CheckOptions.recordsElements`, also of a scene with errors.
package struct SceneRecord: Sendable {
  /// One element of the unrolled scene: each round of a loop and each use of a component has its own.
  package struct Element: Sendable {
    /// Says which element is meant from one check to the next: `intro/Dot#2/circle`.
    package let key: String
    /// `rect`; a component by its name.
    package let kind: String
    package let name: String?
    /// Kind and name; of a transition what asks for it.
    package let head: SourceSpan
    /// With the body.
    package let whole: SourceSpan
    /// The place of its parent among the elements; `nil` for the scene.
    package let parent: Int?
    /// Which one it is of the elements that its parent has from the same place, from 0.
    package let round: Int
    /// The name of the component, the scene or the transition that it shows.
    package let definition: SourceSpan?
    /// The time that its own times count in: that of the frame, but in a scene that is shown at
    /// another time or speed.
    package let clock: Scalar
    /// Whether it is how one clip of a sequence gives way to the next.
    package let isTransition: Bool
    /// In ticks of its clock; `nil` where nothing asks for it, or because of an error.
    package let start: Ticks?
    package let end: Ticks?
    /// In its own coordinates; `nil` for what has no place.
    package let box: BoxModel?
    /// By name.
    package let properties: [Property]
    /// What a component is given, in the order of its parameters.
    package let arguments: [Argument]
    /// The places of its voices among those of the model: several where a scene is played again.
    package let voices: [Int]
    /// What it is in the model: nothing if it is not drawn, several for a clip in transitions.
    package fileprivate(set) var drawn: [ElementModel] = []
  }

  /// A property that an element is given.
  package struct Property: Sendable {
    /// Where a value is written.
    package enum Origin: Sendable {
      /// In the body of the element.
      case body
      /// After the kind and the name.
      case subject
      /// In the component that the element is a use of.
      case definition
      case style
      /// Nowhere: it is what a `change` begins with.
      case initial
    }

    package let property: SceneLanguage.Property
    package let type: PropertyType?
    package let origin: Origin
    package let name: SourceSpan
    package let value: SourceSpan
    /// The numbers of the value, which is text, a word and the like if there are none.
    package let scalars: [Scalar]
    package let motions: [Motion]
  }

  /// A value that a use gives to a parameter.
  package struct Argument: Sendable {
    package let name: Name
    package let value: SourceSpan
  }

  /// A tween, keyframes, an `enter` or an `exit`.
  package struct Motion: Sendable {
    /// A leg of a tween, or the way to a key.
    package struct Step: Sendable {
      /// The value that it starts from; `nil` for a first key and for effects.
      package var start: SourceSpan?
      /// In ticks of the motion's clock. The first key has no way: both are its time.
      package let from: Double
      package let to: Double
      package let easing: Easing
      /// What is reached.
      package let value: SourceSpan
      /// The time of a key.
      package let time: SourceSpan?
      package let clauses: [Clause]
    }

    package let span: SourceSpan
    /// That of its element, if nothing like `delay` or `loop` is around it.
    package let clock: Scalar
    package let steps: [Step]
  }

  /// A `param` of the file.
  package struct Parameter: Sendable {
    package let name: Name
    package let type: TypeSyntax?
    package let value: SourceSpan?
    package let range: SourceSpan?
    package let span: SourceSpan
    /// What the caller sets it to.
    package let given: String?
  }

  /// The scene first, every other one after its parent, in the order of the file.
  package let elements: [Element]
  package let parameters: [Parameter]
  /// The SVGs whose parts the scene may name, by their paths.
  package internal(set) var vectors: [String: VectorDrawing] = [:]
  private let places: [ObjectIdentifier: Int]

  /// `made` knows which element each part of the model was made from, by its place.
  init(
    _ elements: [Element], parameters: [Parameter], model: [ElementModel],
    made: (ElementModel) -> Int?
  ) {
    var elements = elements
    var places: [ObjectIdentifier: Int] = [:]
    ElementModel.visit(model) { it in
      guard let place = made(it) else { return }
      places[ObjectIdentifier(it)] = place
      elements[place].drawn.append(it)
    }
    self.elements = elements
    self.parameters = parameters
    self.places = places
  }

  /// The element that a part of the model was made from.
  package func element(of model: ElementModel) -> Int? { places[ObjectIdentifier(model)] }

  /// The elements of the innermost body or head at an offset of a file.
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
