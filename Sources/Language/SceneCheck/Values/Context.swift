// SPDX-License-Identifier: MIT
import SceneModel

/// The scope, element, clock and purpose of an expression under evaluation.
///
/// Nested expressions usually change only the scope. All other fields are stored in a shared
/// object, so that a context is cheap to copy and to change.
@dynamicMemberLookup
struct Context {
  var scope: Scope
  private var shared: Shared

  /// The fields that nested expressions usually share.
  struct Surroundings {
    /// The element that determines the clock `t`.
    var owner: ElementNode
    /// The time of the evaluation, in ticks of the built scene.
    var now: Scalar
    /// The element in whose content coordinates points of other elements are expressed.
    var space: ElementNode?
    /// Whether unqualified points refer to the parent's box, as in `position`.
    var standsInParent = false
    /// The camera whose view is being computed. Elements outside it keep their coordinates.
    var view: ElementNode?
    /// The property that must be constant, such as "'at'", or `nil` if the value may change over
    /// time.
    var constantFor: String?
    /// The coordinates in which elements evaluate to their outlines, or `nil` if they evaluate to
    /// their centers.
    var pathUse: PathUse?
    /// The element whose start is the origin for times of other elements.
    var timeBase: ElementNode?
    /// The pixel function whose color is being computed.
    var pixels: PixelSpace?
    /// Whether the expression is a condition of an `expect`, which may read the finished video.
    var isExpectation = false
    /// Records the durations of motions in the expression.
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

  /// Accesses a shared field. A change copies the object if it is not uniquely referenced.
  @inline(__always)
  subscript<T>(dynamicMember part: WritableKeyPath<Surroundings, T>) -> T {
    get { shared.value[keyPath: part] }
    set {
      if !isKnownUniquelyReferenced(&shared) { shared = Shared(shared.value) }
      shared.value[keyPath: part] = newValue
    }
  }

  /// Returns the context with a change, in place if it is uniquely referenced.
  consuming func with(_ change: (inout Context) -> Void) -> Context {
    var it = self
    change(&it)
    return it
  }
}

/// The coordinates of an element's outline as a path.
enum PathUse {
  /// The coordinates of the element itself, as in `data`.
  case own
  /// The coordinates of the context, in which the outline is at the position of the element.
  case placed
}

/// The latest end of a motion in an expression, in ticks since the start of the owner.
final class MotionRecorder {
  var end: Double = 0

  func note(_ time: Double) { end = max(end, time) }
}
