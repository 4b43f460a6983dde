// SPDX-License-Identifier: MIT
import SceneModel

/// The encoded parts of elements that contain no computed numbers. These parts are the same in all
/// segments, so they are not encoded again while successive segments show the element.
final class ConstantParts {
  /// A part of an element.
  enum Part { case transform, settings, drawing, style }

  /// A part with its fonts and decoders.
  struct Encoded {
    let bytes: [UInt8]
    let surroundings: Set<String>
  }

  private struct Key: Hashable {
    let part: Part
    let element: ObjectIdentifier
  }

  /// The parts that this segment and the previous one show.
  private var shown: [Key: Encoded] = [:]
  private var previous: [Key: Encoded] = [:]

  /// Starts a segment. Parts that the last segment did not show are removed.
  func begin() {
    swap(&previous, &shown)
    shown.removeAll(keepingCapacity: true)
  }

  subscript(part: Part, of element: ElementModel) -> Encoded? {
    get {
      let key = Key(part: part, element: ObjectIdentifier(element))
      if let known = shown[key] { return known }
      guard let known = previous[key] else { return nil }
      shown[key] = known
      return known
    }
    set { shown[Key(part: part, element: ObjectIdentifier(element))] = newValue }
  }
}
