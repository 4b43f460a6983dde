// SPDX-License-Identifier: MIT
package import SceneGraphics

// Operations on colors with variable channels.
extension ProgramBuilder {
  /// Mixes two colors in `space`, weighted by their alpha, as `ColorSpace.mix` does for constants.
  package mutating func mix(
    _ x: ColorModel, _ y: ColorModel, at u: Scalar, in space: ColorSpace
  ) -> ColorModel {
    if x == y { return x }
    let alpha = mix(x.alpha, y.alpha, at: u)
    let base = Int32(ColorSpace.allCases.firstIndex(of: space) ?? 0) * 4
    // Two colors with equal alpha need no weighting.
    let weighed = x.alpha != y.alpha
    let safe = weighed ? select(if: make(.less, a: .zero, b: alpha), then: alpha, else: .one) : .one
    let p = weighed ? divide(multiply(x.alpha, subtract(.one, u)), safe) : .zero
    let q = weighed ? divide(multiply(y.alpha, u), safe) : .zero
    var mixed: [Scalar] = []
    for i in base..<(base + 3) {
      let m = make(.toSpace, a: x.red, b: x.green, c: x.blue, index: i)
      let n = make(.toSpace, a: y.red, b: y.green, c: y.blue, index: i)
      mixed.append(weighed ? add(multiply(m, p), multiply(n, q)) : mix(m, n, at: u))
    }
    func back(_ channel: Int32) -> Scalar {
      make(.fromSpace, a: mixed[0], b: mixed[1], c: mixed[2], index: base + channel)
    }
    return ColorModel(red: back(0), green: back(1), blue: back(2), alpha: alpha)
  }

  /// Returns `x` where `condition` is nonzero, else `y`.
  package mutating func select(
    if condition: Scalar, then x: ColorModel, else y: ColorModel
  ) -> ColorModel {
    ColorModel(
      red: select(if: condition, then: x.red, else: y.red),
      green: select(if: condition, then: x.green, else: y.green),
      blue: select(if: condition, then: x.blue, else: y.blue),
      alpha: select(if: condition, then: x.alpha, else: y.alpha))
  }
}
