// SPDX-License-Identifier: MIT
import SceneModel

/// Where and when an expression is computed, and what for.
///
/// Most parts of an expression have the names and the use of another one around them, and all the rest in
/// common: that lies apart, so that a context is passed on and changed cheaply.
@dynamicMemberLookup
struct Context {
  var scope: Scope
  /// What the value is for: names that are offered for one that is not there have to fit.
  var wanted = Wanted.any
  private var shared: Shared

  /// What the parts of an expression have in common.
  struct Surroundings {
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
  }

  private final class Shared {
    var value: Surroundings

    init(_ value: Surroundings) { self.value = value }
  }

  init(scope: Scope, _ surroundings: Surroundings) {
    self.scope = scope
    shared = Shared(surroundings)
  }

  /// A part of the surroundings, which are copied where others have them too.
  @inline(__always)
  subscript<T>(dynamicMember part: WritableKeyPath<Surroundings, T>) -> T {
    get { shared.value[keyPath: part] }
    set {
      if !isKnownUniquelyReferenced(&shared) { shared = Shared(shared.value) }
      shared.value[keyPath: part] = newValue
    }
  }

  /// The same context with a change. One that nothing else holds is changed in its place.
  consuming func with(_ change: (inout Context) -> Void) -> Context {
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
