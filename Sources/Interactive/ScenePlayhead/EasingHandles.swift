// SPDX-License-Identifier: MIT
package import SceneModel

/// The control points of the curve that shows an easing, relative to the start and the change of a
/// motion.
package struct EasingHandles: Hashable, Sendable {
  package let x1, y1, x2, y2: Double
  /// Whether the easing is this curve; otherwise the curve only approximates it.
  package let isExact: Bool

  package init(_ easing: Easing) {
    self = EasingHandles.exact(easing) ?? EasingHandles.near(easing)
  }

  /// Returns the curve of an easing that is a single cubic curve, or `nil` for other easings.
  static func exact(_ easing: Easing) -> EasingHandles? {
    let third = 1.0 / 3
    switch easing {
    case .linear: return EasingHandles([third, third, 2 * third, 2 * third])
    case .cubicBezier(let x1, let y1, let x2, let y2): return EasingHandles([x1, y1, x2, y2])
    // Polynomials of the progress, whose control points are a third apart.
    case .penner(.quad, .easeIn): return EasingHandles([third, 0, 2 * third, third])
    case .penner(.quad, .easeOut): return EasingHandles([third, 2 * third, 2 * third, 1])
    case .penner(.cubic, .easeIn): return EasingHandles([third, 0, 2 * third, 0])
    case .penner(.cubic, .easeOut): return EasingHandles([third, 1, 2 * third, 1])
    default: return nil
    }
  }

  private static func near(_ easing: Easing) -> EasingHandles {
    switch easing {
    case .penner(.elastic, _), .penner(.bounce, _), .hold, .steps, .samples, .piecewise:
      EasingHandles([1.0 / 3, 1.0 / 3, 2.0 / 3, 2.0 / 3], isExact: false)
    default: fitted(to: easing)
    }
  }

  private init(_ four: [Double], isExact: Bool = true) {
    (x1, y1, x2, y2) = (four[0], four[1], four[2], four[3])
    self.isExact = isExact
  }

  /// Returns the curve with the least squared distance at evenly spaced inputs, by a search along
  /// each coordinate with steps that become smaller.
  private static func fitted(to easing: Easing) -> EasingHandles {
    let inputs = (1..<24).map { Double($0) / 24 }
    let wanted = inputs.map { easing.value(at: $0) }
    func distance(_ four: [Double]) -> Double {
      let curve = Easing.cubicBezier(four[0], four[1], four[2], four[3])
      return zip(inputs, wanted).reduce(0) { sum, it in
        let error = curve.value(at: it.0) - it.1
        return sum + error * error
      }
    }
    /// Searches from a curve, and returns the best one with its distance.
    func search(from start: [Double]) -> (four: [Double], distance: Double) {
      var best = start
      var least = distance(best)
      var step = 0.25
      while step > 0.002 {
        var isBetter = false
        for coordinate in best.indices {
          for sign in [-step, step] {
            var other = best
            let (low, high) = coordinate % 2 == 0 ? (0.0, 1.0) : (-2.0, 3.0)
            other[coordinate] = max(low, min(high, other[coordinate] + sign))
            let found = distance(other)
            if found < least { (best, least, isBetter) = (other, found, true) }
          }
        }
        if !isBetter { step /= 2 }
      }
      return (best, least)
    }
    let starts: [[Double]] = [
      [1.0 / 3, 1.0 / 3, 2.0 / 3, 2.0 / 3], [0.8, 0, 0.2, 1], [0.5, 0, 0.5, 1],
    ]
    let all = starts.map(search)
    let best = all.min { $0.distance < $1.distance } ?? all[0]
    return EasingHandles(best.four, isExact: false)
  }
}
