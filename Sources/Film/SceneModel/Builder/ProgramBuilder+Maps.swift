// SPDX-License-Identifier: MIT

// Operations on affine maps with variable coefficients.
extension ProgramBuilder {
  package mutating func apply(_ m: AffineModel, _ p: PointModel) -> PointModel {
    let x = add(multiply(m.a, p.x), multiply(m.c, p.y))
    let y = add(multiply(m.b, p.x), multiply(m.d, p.y))
    return PointModel(add(x, m.e), add(y, m.f))
  }

  /// Returns the point that `m` maps to `p`.
  package mutating func applyInverse(_ m: AffineModel, _ p: PointModel) -> PointModel {
    let x = subtract(p.x, m.e)
    let y = subtract(p.y, m.f)
    if m.a == .one, m.b == .zero, m.c == .zero, m.d == .one { return PointModel(x, y) }
    let determinant = subtract(multiply(m.a, m.d), multiply(m.b, m.c))
    let u = subtract(multiply(m.d, x), multiply(m.c, y))
    let v = subtract(multiply(m.a, y), multiply(m.b, x))
    return PointModel(divide(u, determinant), divide(v, determinant))
  }

  /// Returns the inverse of `m`.
  package mutating func inverse(_ m: AffineModel) -> AffineModel {
    let o = applyInverse(m, .zero)
    let p = applyInverse(m, PointModel(.one, .zero))
    let q = applyInverse(m, PointModel(.zero, .one))
    return AffineModel(
      a: subtract(p.x, o.x), b: subtract(p.y, o.y), c: subtract(q.x, o.x), d: subtract(q.y, o.y),
      e: o.x, f: o.y)
  }

  /// Returns the map that applies `n` first, then `m`.
  package mutating func concat(_ m: AffineModel, _ n: AffineModel) -> AffineModel {
    AffineModel(
      a: sum(m.a, times: n.a, plus: m.c, times: n.b),
      b: sum(m.b, times: n.a, plus: m.d, times: n.b),
      c: sum(m.a, times: n.c, plus: m.c, times: n.d),
      d: sum(m.b, times: n.c, plus: m.d, times: n.d),
      e: add(sum(m.a, times: n.e, plus: m.c, times: n.f), m.e),
      f: add(sum(m.b, times: n.e, plus: m.d, times: n.f), m.f))
  }

  private mutating func sum(_ p: Scalar, times q: Scalar, plus r: Scalar, times s: Scalar) -> Scalar
  {
    add(multiply(p, q), multiply(r, s))
  }
}
