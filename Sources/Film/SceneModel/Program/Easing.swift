// SPDX-License-Identifier: MIT
package import SceneGraphics

/// A timing function: maps the progress of a change, usually from `0...1` to `0...1`.
package enum Easing: Hashable, Sendable, Encodable {
  case linear
  /// A Bézier curve (CSS Easing 2 section 3.2); `x1` and `x2` are in `0...1`.
  case cubicBezier(Double, Double, Double, Double)
  case steps(Int, StepPosition)
  /// CSS `linear()`: at least one point, with ascending inputs.
  case piecewise([Point])
  case penner(PennerFamily, PennerSide)
  case hold
  /// Measured values at 0, 1, 2 and so on, with linear interpolation; the first and last values
  /// extend outward.
  case samples([Float])
  /// A damped spring that has settled at 1; `damping` is the ratio to critical damping.
  case spring(damping: Double)

  /// The position of the jumps of `steps` (CSS Easing Functions Level 1).
  package enum StepPosition: String, Hashable, Sendable, Encodable, CaseIterable {
    case jumpStart = "jump-start"
    case jumpEnd = "jump-end"
    case jumpNone = "jump-none"
    case jumpBoth = "jump-both"
    case start, end
  }

  /// The formulas of Robert Penner's easings.
  package enum PennerFamily: String, Hashable, Sendable, Encodable, CaseIterable {
    case quad, cubic, quart, quint, sine, expo, circ, back, elastic, bounce
  }

  /// The end of a motion that an easing affects.
  package enum PennerSide: String, Hashable, Sendable, Encodable, CaseIterable {
    case easeIn = "ease-in"
    case easeOut = "ease-out"
    case easeInOut = "ease-in-out"
  }

  /// The named easings.
  package static let named: [String: Easing] = {
    var table: [String: Easing] = [
      "linear": .linear, "ease": .cubicBezier(0.25, 0.1, 0.25, 1),
      "ease-in": .cubicBezier(0.42, 0, 1, 1), "ease-out": .cubicBezier(0, 0, 0.58, 1),
      "ease-in-out": .cubicBezier(0.42, 0, 0.58, 1), "hold": .hold,
      "step-start": .steps(1, .jumpStart), "step-end": .steps(1, .jumpEnd),
    ]
    for family in PennerFamily.allCases {
      for side in PennerSide.allCases {
        table["\(side.rawValue)-\(family.rawValue)"] = .penner(family, side)
      }
    }
    return table
  }()

  /// Returns the eased progress. The CSS functions follow CSS for inputs outside `0...1`.
  package func value(at x: Double) -> Double {
    switch self {
    case .linear: return x
    case .cubicBezier(let x1, let y1, let x2, let y2):
      return CubicBezierEasing(x1: x1, y1: y1, x2: x2, y2: y2).value(at: x)
    case .steps(let count, let position): return Easing.step(x, count: count, position: position)
    case .piecewise(let points): return Easing.piecewise(x, points)
    case .penner(let family, let side): return side.apply(family, max(0, min(1, x)))
    case .hold: return x >= 1 ? 1 : 0
    case .samples(let values): return Easing.sample(x, values)
    case .spring(let damping): return Spring(damping: damping).value(at: x)
    }
  }

  /// Evaluates CSS Easing 2 section 3.3, without the "before" flag, which only delays need.
  private static func step(_ x: Double, count: Int, position: StepPosition) -> Double {
    var step = (x * Double(count)).rounded(.down)
    if [.jumpStart, .jumpBoth, .start].contains(position) { step += 1 }
    if x >= 0, step < 0 { step = 0 }
    let jumps: Int
    switch position {
    case .jumpNone: jumps = count - 1
    case .jumpBoth: jumps = count + 1
    default: jumps = count
    }
    if x <= 1, step > Double(jumps) { step = Double(jumps) }
    return step / Double(jumps)
  }

  private static func sample(_ x: Double, _ values: [Float]) -> Double {
    guard let last = values.indices.last, x.isFinite else { return 0 }
    let place = max(0, min(Double(last), x))
    let index = min(Int(place), max(0, last - 1))
    let next = Double(values[min(index + 1, last)])
    return Double(values[index]) + (next - Double(values[index])) * (place - Double(index))
  }

  /// Interpolates linearly between points, and extrapolates beyond the outer ones (CSS Easing 2
  /// section 3.1).
  private static func piecewise(_ x: Double, _ points: [Point]) -> Double {
    guard points.count > 1 else { return points.first?.y ?? x }
    // The last point at or before the input, by bisection.
    var (index, end) = (0, points.count)
    while end - index > 1 {
      let middle = (index + end) / 2
      if points[middle].x <= x { index = middle } else { end = middle }
    }
    index = min(index, points.count - 2)
    // At a jump, the last point with the same input wins.
    let a = points[index]
    let b = points[index + 1]
    if a.x == b.x { return b.y }
    return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
  }
}

extension Easing.PennerSide {
  /// Evaluates a Penner easing (R. Penner, Programming Macromedia Flash MX, 2002, chapter 7, with
  /// its constants).
  func apply(_ family: Easing.PennerFamily, _ x: Double) -> Double {
    switch self {
    case .easeIn: return family.easeIn(x)
    case .easeOut: return 1 - family.easeIn(1 - x)
    case .easeInOut:
      if family == .back { return backInOut(x) }
      if family == .elastic { return elasticInOut(x) }
      return x < 0.5 ? family.easeIn(2 * x) / 2 : 1 - family.easeIn(2 - 2 * x) / 2
    }
  }

  private func backInOut(_ x: Double) -> Double {
    let c = 1.70158 * 1.525
    if x < 0.5 { return (2 * x) * (2 * x) * ((c + 1) * 2 * x - c) / 2 }
    let y = 2 * x - 2
    return (y * y * ((c + 1) * y + c) + 2) / 2
  }

  private func elasticInOut(_ x: Double) -> Double {
    if x == 0 || x == 1 { return x }
    let c = Math.tau / 4.5
    if x < 0.5 { return -(Math.pow(2, 20 * x - 10) * Math.sin((20 * x - 11.125) * c)) / 2 }
    return Math.pow(2, -20 * x + 10) * Math.sin((20 * x - 11.125) * c) / 2 + 1
  }
}

extension Easing.PennerFamily {
  func easeIn(_ x: Double) -> Double {
    switch self {
    case .quad: return x * x
    case .cubic: return x * x * x
    case .quart: return x * x * x * x
    case .quint: return x * x * x * x * x
    case .sine: return x == 1 ? 1 : 1 - Math.cos(x * .pi / 2)
    case .expo: return x == 0 ? 0 : Math.pow(2, 10 * x - 10)
    case .circ: return 1 - (1 - x * x).squareRoot()
    case .back: return x * x * (2.70158 * x - 1.70158)
    case .elastic:
      if x == 0 || x == 1 { return x }
      return -Math.pow(2, 10 * x - 10) * Math.sin((10 * x - 10.75) * Math.tau / 3)
    case .bounce: return 1 - bounceOut(1 - x)
    }
  }

  private func bounceOut(_ x: Double) -> Double {
    let (n, d) = (7.5625, 2.75)
    if x < 1 / d { return n * x * x }
    if x < 2 / d { return n * (x - 1.5 / d) * (x - 1.5 / d) + 0.75 }
    if x < 2.5 / d { return n * (x - 2.25 / d) * (x - 2.25 / d) + 0.9375 }
    return n * (x - 2.625 / d) * (x - 2.625 / d) + 0.984375
  }
}

/// The `cubic-bezier()` curve through (0, 0) and (1, 1), evaluated as y over x.
struct CubicBezierEasing {
  let x1, y1, x2, y2: Double

  init(x1: Double, y1: Double, x2: Double, y2: Double) {
    (self.x1, self.y1, self.x2, self.y2) = (x1, y1, x2, y2)
  }

  func value(at x: Double) -> Double {
    if x <= 0 { return extended(x, fromEnd: false) }
    if x >= 1 { return extended(x, fromEnd: true) }
    let u = parameter(forX: x)
    return bezier(y1, y2, at: u)
  }

  private func bezier(_ a: Double, _ b: Double, at u: Double) -> Double {
    ((1 - 3 * b + 3 * a) * u + (3 * b - 6 * a)) * u * u + 3 * a * u
  }

  /// Solves for the curve parameter with Newton's method, and with bisection where the slope is too
  /// flat.
  private func parameter(forX x: Double) -> Double {
    var u = x
    for _ in 0..<8 {
      let error = bezier(x1, x2, at: u) - x
      if abs(error) < 1e-12 { return u }
      let slope = 3 * (1 - 3 * x2 + 3 * x1) * u * u + 2 * (3 * x2 - 6 * x1) * u + 3 * x1
      if abs(slope) < 1e-6 { break }
      u -= error / slope
    }
    if u >= 0, u <= 1, abs(bezier(x1, x2, at: u) - x) < 1e-9 { return u }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      u = (low + high) / 2
      if bezier(x1, x2, at: u) < x { low = u } else { high = u }
    }
    return u
  }

  /// Extends the curve outside `0...1` along the tangent at its end (CSS Easing 2).
  private func extended(_ x: Double, fromEnd: Bool) -> Double {
    if !fromEnd {
      if x1 > 0 { return x * y1 / x1 }
      if y1 == 0, x2 > 0 { return x * y2 / x2 }
      return x1 == 0 && y1 == 0 && x2 == 0 && y2 == 0 ? x : 0
    }
    if x2 < 1 { return 1 + (x - 1) * (y2 - 1) / (x2 - 1) }
    if y2 == 1, x1 < 1 { return 1 + (x - 1) * (y1 - 1) / (x1 - 1) }
    return x1 == 1 && y1 == 1 && x2 == 1 && y2 == 1 ? x : 1
  }
}

/// A damped harmonic oscillator from 0 to 1, scaled to settle within 0.001 at time 1.
package struct Spring: Hashable, Sendable {
  /// The ratio to critical damping, above 0.
  package let damping: Double
  /// The undamped angular frequency at which the spring settles at time 1.
  package let frequency: Double

  package init(damping: Double) {
    self.damping = max(0.01, min(20, damping))
    // The slowest component decays as exp(-rate * frequency * time).
    if self.damping < 1 {
      frequency = Math.log(1000) / self.damping
    } else if self.damping == 1 {
      frequency = 9.2334  // the root of (1 + w) * exp(-w) = 0.001
    } else {
      let root = (self.damping * self.damping - 1).squareRoot()
      frequency = (Math.log(1000) + 0.3) / (self.damping - root)
    }
  }

  package func value(at x: Double) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    // Distributes the remaining 0.001 over the curve, so that it ends exactly at 1.
    return 1 - rest(x) + rest(1) * x
  }

  private func rest(_ x: Double) -> Double {
    let t = frequency * x
    if damping < 1 {
      let w = (1 - damping * damping).squareRoot()
      return Math.exp(-damping * t) * (Math.cos(w * t) + damping / w * Math.sin(w * t))
    }
    if damping == 1 { return (1 + t) * Math.exp(-t) }
    let w = (damping * damping - 1).squareRoot()
    let slow = Math.exp((w - damping) * t)
    let fast = Math.exp((-w - damping) * t)
    return ((damping + w) * slow - (damping - w) * fast) / (2 * w)
  }
}
