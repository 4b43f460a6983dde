// SPDX-License-Identifier: MIT
import SceneModel

/// Where and when an expression is computed.
struct Context {
  var scope: Scope
  /// Whose clock `t` is.
  var owner: Instance
  /// The time at which it is computed, in ticks of the built scene.
  var now: Scalar
  /// In whose content coordinates points of other elements are given.
  var space: Instance?
  /// Whether points without an element are those of the parent's box, as in `position`.
  var standsInParent = false
  /// The camera whose view is being made: what lies outside it keeps its coordinates.
  var view: Instance?
  /// What must not change over time, such as "'at'"; `nil` where it may.
  var constantFor: String?
  /// Whether elements stand for their outlines, not for their middles.
  var wantsPath = false
  /// Which instant lives of other elements are counted from.
  var timeBase: Instance?
  /// Notes how long the motions in an expression take.
  var recorder: MotionRecorder?
  /// What the value is for: names that are offered for one that is not there have to fit.
  var wanted = Wanted.any
  var depth = 0

  func with(_ change: (inout Context) -> Void) -> Context {
    var it = self
    change(&it)
    return it
  }
}

/// The latest end of a motion in an expression, in ticks since the owner began.
final class MotionRecorder {
  var end: Double = 0

  func note(_ time: Double) { end = max(end, time) }
}
