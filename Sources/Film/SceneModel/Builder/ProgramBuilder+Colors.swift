// SPDX-License-Identifier: MIT
package import SceneGraphics

// Operations on colors with variable channels.
extension ProgramBuilder {
  /// Mixes two colors in `space`, weighted by their alpha, as `ColorSpace.mix` does for constants.
  package mutating func mix(
    _ x: ColorModel, _ y: ColorModel, _ u: Scalar, in space: ColorSpace
  ) -> ColorModel {
    if x == y { return x }
    let alpha = mix(x.alpha, y.alpha, u)
    let base = Int32(ColorSpace.allCases.firstIndex(of: space) ?? 0) * 4
    // Two colors with equal alpha need no weighting.
    let weighed = x.alpha != y.alpha
    let safe = weighed ? select(make(.less, .zero, alpha), alpha, .one) : .one
    let p = weighed ? divide(multiply(x.alpha, subtract(.one, u)), safe) : .zero
    let q = weighed ? divide(multiply(y.alpha, u), safe) : .zero
    var mixed: [Scalar] = []
    for i in base..<(base + 3) {
      let m = make(.toSpace, x.red, x.green, x.blue, index: i)
      let n = make(.toSpace, y.red, y.green, y.blue, index: i)
      mixed.append(weighed ? add(multiply(m, p), multiply(n, q)) : mix(m, n, u))
    }
    func back(_ channel: Int32) -> Scalar {
      make(.fromSpace, mixed[0], mixed[1], mixed[2], index: base + channel)
    }
    return ColorModel(back(0), back(1), back(2), alpha)
  }

  /// Returns `x` where `condition` is nonzero, else `y`.
  package mutating func select(
    _ condition: Scalar, _ x: ColorModel, _ y: ColorModel
  ) -> ColorModel {
    ColorModel(
      select(condition, x.red, y.red), select(condition, x.green, y.green),
      select(condition, x.blue, y.blue), select(condition, x.alpha, y.alpha))
  }
}
