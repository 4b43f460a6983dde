// SPDX-License-Identifier: MIT
import SceneEditing
import SceneSyntax
import SceneText

/// The part of a value that an edit changes.
enum Place: Hashable {
  case value
  case whole
  /// Times in ticks of the scene.
  case key(Double)
  case leg(Double)
  case change(Double)
  case newKey(Double)

  var isMoving: Bool { self != .value }

  /// Returns a description of the part; `text` formats times.
  func words(_ text: (Double) -> String) -> String {
    switch self {
    case .value: "value"
    case .whole: "whole motion"
    case .key(let time): "key at \(text(time))"
    case .leg(let time): "value at \(text(time))"
    case .change(let time): "change at \(text(time))"
    case .newKey(let time): "new key at \(text(time))"
    }
  }
}

/// A number in the source that determines a component of a value at the playhead.
struct Grip {
  enum Target {
    /// A literal. `part` is the index of the number in a literal such as `200x100`.
    case literal(Literal, part: Int? = nil)
    /// An offset that is added after a name, such as `center + (12, 8)`.
    case offset(Offset)
  }

  let target: Target
  /// The change of the component per unit of the number.
  let factor: Double
  /// The factor with which the literal's value contributes to the frame; see `Finder`.
  let weight: Double
  let place: Place

  /// Whether the number is a percentage.
  var isShare: Bool {
    if case .literal(let literal, _) = target { literal.unit == .percent } else { false }
  }
}

/// The location of an offset that an edit adds to a name.
struct Offset: Hashable {
  /// The end of the name, as an empty span.
  let span: SourceSpan
  /// Whether the offset is a pair.
  let isPair: Bool
  /// The unit of the offset in source syntax.
  let unit: String
}

/// A position for a new key between two keys, or before or after all keys.
struct Gap: Hashable {
  let file: FileID
  /// The location at which the key is inserted.
  let start: Int
  /// The bytes between two keys, which also separate the new key.
  let separator: Range<Int>
  /// Whether the new key is after all others.
  let isLast: Bool
  /// The time of the new key in ticks since the start of the element.
  let time: Double
  /// The time of the new key in ticks of the scene.
  let sceneTime: Double
  /// The easing of the new key in source syntax, or `nil` for the default.
  let easing: String?
  /// The easing of the next key after the insertion, if it changes.
  let rest: TextEdit.Piece?
}

/// A component of a new key.
struct GapValue {
  let gap: Gap
  /// The value of the component at the playhead.
  let value: Double
  /// The unit of the component in the keys on both sides, and the component's change per unit.
  let unit: NumberUnit?
  let factor: Double
  /// The factor with which the keyframes contribute to the frame; see `Finder`.
  let weight: Double
  /// Whether the keys on both sides are single numbers.
  let isSingle: Bool
}

/// The target of an edit of one component.
enum Found {
  case grips([Grip])
  case gap(GapValue)

  var grips: [Grip] { if case .grips(let all) = self { all } else { [] } }
}
