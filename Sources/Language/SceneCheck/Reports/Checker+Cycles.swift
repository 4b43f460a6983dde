// SPDX-License-Identifier: MIT
import SceneModel

// Advice about boxes and paths that depend on themselves.
extension Checker {
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
      return "a group without a size fills its containing box: set 'size: fit' on the inner group"
    }
    return ring.count == 1
      ? "a text cannot follow its own outline: set 'along' to a different element"
      : "a percentage cannot refer to a width that depends on it: use the scene, such as scene.width * 0.8, or set 'size' on the outer element"
  }
}
