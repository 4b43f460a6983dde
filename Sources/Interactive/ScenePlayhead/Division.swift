// SPDX-License-Identifier: MIT
import SceneModel

/// An easing divided at a point, so that two motions follow the curve of one.
struct Division {
  /// The parts in source syntax, such as `cubic-bezier(0.2, 0, 0.5, 1)`.
  let left: String
  let right: String

  /// Divides an easing at a progress between 0 and 1. Returns `nil` if the parts are not easings of
  /// the language.
  init?(_ easing: Easing, at progress: Double) {
    guard progress > 0, progress < 1 else { return nil }
    switch easing {
    case .linear: (left, right) = ("linear", "linear")
    case .hold: (left, right) = ("hold", "hold")
    case .penner(.quad, .easeInOut) where abs(progress - 0.5) < 1e-9:
      (left, right) = ("ease-in-quad", "ease-out-quad")
    case .penner(.cubic, .easeInOut) where abs(progress - 0.5) < 1e-9:
      (left, right) = ("ease-in-cubic", "ease-out-cubic")
    default:
      guard let curve = Curve(easing), let parts = curve.divided(at: progress) else { return nil }
      (left, right) = parts
    }
  }

  /// The inner control points of a curve from (0, 0) to (1, 1).
  private struct Curve {
    let x: (Double, Double)
    let y: (Double, Double)

    /// Creates the curve of an easing; returns `nil` if the easing is not a single cubic curve.
    init?(_ easing: Easing) {
      guard let it = EasingHandles.exact(easing) else { return nil }
      (x, y) = ((it.x1, it.x2), (it.y1, it.y2))
    }

    private static func mix(_ a: Double, _ b: Double, at share: Double) -> Double {
      a + (b - a) * share
    }

    /// Returns the coordinates of de Casteljau's construction: those of the left inner points, of
    /// the division, and of the right inner points.
    private static func construct(_ inner: (Double, Double), _ t: Double) -> [Double] {
      let (a, b, c) = (mix(0, inner.0, at: t), mix(inner.0, inner.1, at: t), mix(inner.1, 1, at: t))
      let (d, e) = (mix(a, b, at: t), mix(b, c, at: t))
      return [a, d, mix(d, e, at: t), e, c]
    }

    func divided(at progress: Double) -> (String, String)? {
      var (low, high) = (0.0, 1.0)
      for _ in 0..<60 {
        let middle = (low + high) / 2
        if Curve.construct(x, middle)[2] < progress { low = middle } else { high = middle }
      }
      let (across, up) = (Curve.construct(x, low), Curve.construct(y, low))
      let (at, value) = (across[2], up[2])
      guard abs(value) > 1e-3, abs(1 - value) > 1e-3 else { return nil }
      return (
        Curve.text([across[0] / at, up[0] / value, across[1] / at, up[1] / value]),
        Curve.text([
          (across[3] - at) / (1 - at), (up[3] - value) / (1 - value),
          (across[4] - at) / (1 - at), (up[4] - value) / (1 - value),
        ])
      )
    }

    private static func text(_ four: [Double]) -> String {
      let rounded = four.enumerated().map { index, number in
        Numeral.text(index % 2 == 0 ? max(0, min(1, number)) : number, decimals: 4)
      }
      return "cubic-bezier(" + rounded.joined(separator: ", ") + ")"
    }
  }
}
