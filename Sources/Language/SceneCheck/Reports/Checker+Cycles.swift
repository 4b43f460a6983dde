// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneModel

// Evaluations that depend on themselves, and advice about boxes and paths that do.
extension Checker {
  /// An evaluation during which others can begin.
  enum StepKey: Hashable {
    case start(Int)
    case end(Int)
    case property(Int, Property)
    case binding(Int)
    case box(Int)
    /// The lengths of stretched children.
    case stretch(Int)
    case placement(Int)
    case depth(Int)
    case path(Int)
    case file(Int)
    case view(Int)
    case plan(Int)

    /// The id of the element that the evaluation concerns; `nil` for a binding.
    var element: Int? {
      switch self {
      case .start(let id), .end(let id), .property(let id, _), .box(let id), .stretch(let id),
        .placement(let id), .depth(let id), .path(let id), .file(let id), .view(let id),
        .plan(let id):
        id
      case .binding: nil
      }
    }

    var isBox: Bool {
      switch self {
      case .box, .stretch: true
      default: false
      }
    }

    var isSpeed: Bool { if case .property(_, .speed) = self { true } else { false } }
  }

  /// Returns the size of the parent's box, to which the points of a path are relative, and records
  /// that the path depends on it.
  func pathReference(_ i: ElementNode, now: Scalar) -> (width: Scalar, height: Scalar) {
    if let parent = i.parent { relativePaths[.path(i.id)] = .box(parent.id) }
    let (width, height) = parentSize(i, now: now)
    return (width, height)
  }

  /// Returns the advice about a cycle of boxes and paths; `nil` for other cycles.
  func advice(onCycle ring: [Dependencies<StepKey>.Step]) -> String? {
    let next = ring.dropFirst() + ring.prefix(1)
    if zip(ring, next).contains(where: { relativePaths[$0.key] == $1.key }) {
      return
        "write the points in pixels, or set 'size' on the parent: percentages in a path refer to its box"
    }
    guard ring.allSatisfy(\.key.isBox) else { return nil }
    // A text has no size, so its percentages or its path cause the cycle.
    guard ring.contains(where: { textBoxes.contains($0.key) }) else {
      return ring.contains { fillingBoxes.contains($0.key) }
        ? "a group without a size fills its containing box: set 'size: fit' on the inner group"
        : "a percentage cannot refer to a box that fits its content: set 'size' on the outer element, or write the length in pixels"
    }
    return ring.count == 1
      ? "a text cannot follow its own outline: set 'along' to a different element"
      : "a percentage cannot refer to a width that depends on it: use the scene, such as scene.width * 0.8, or set 'size' on the outer element"
  }
}
