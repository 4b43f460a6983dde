// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel
import SceneTestSupport
import Testing

/// Maps and colors of scalars, compared with those of numbers.
@Suite("Building programs", .cpuBudget(seconds: 1)) struct ProgramBuilderTests {
  private static func map(_ m: Affine) -> AffineModel {
    func scalar(_ x: Double) -> Scalar { .constant(x) }
    return AffineModel(
      a: scalar(m.a), b: scalar(m.b), c: scalar(m.c), d: scalar(m.d), e: scalar(m.e), f: scalar(m.f)
    )
  }

  private static func values(_ m: AffineModel) -> [Double?] {
    [m.a, m.b, m.c, m.d, m.e, m.f].map(\.constantValue)
  }

  private static func near(_ a: [Double?], _ b: [Double]) -> Bool {
    zip(a, b).allSatisfy { abs(($0 ?? .nan) - $1) < 1e-9 }
  }

  @Test func mapsOfConstantsAreMapsOfNumbers() {
    var random = SeededGenerator(5)
    func number() -> Double { Double.random(in: -3...3, using: &random) }
    for _ in 0..<200 {
      let m = Affine(a: number(), b: number(), c: number(), d: number(), e: number(), f: number())
      let n = Affine(a: number(), b: number(), c: number(), d: number(), e: number(), f: number())
      var builder = ProgramBuilder()
      let both = m.concat(n)
      #expect(
        Self.near(
          Self.values(builder.concat(Self.map(m), Self.map(n))),
          [both.a, both.b, both.c, both.d, both.e, both.f]))
      let p = Point(number(), number())
      let model = PointModel(.constant(p.x), .constant(p.y))
      let applied = builder.apply(Self.map(m), model)
      #expect(
        Self.near(
          [applied.x.constantValue, applied.y.constantValue], [m.apply(p).x, m.apply(p).y]))
      guard abs(m.determinant) > 0.01 else { continue }
      let back = builder.applyInverse(Self.map(m), applied)
      #expect(Self.near([back.x.constantValue, back.y.constantValue], [p.x, p.y]))
      let inverse = builder.inverse(Self.map(m))
      #expect(Self.near(Self.values(builder.concat(Self.map(m), inverse)), [1, 0, 0, 1, 0, 0]))
      #expect(builder.program.nodes.isEmpty)
    }
  }

  @Test func mixesOfConstantsAreThoseOfTheColorSpace() {
    let colors = ["red", "navy", "white", "teal", "transparent"].compactMap { Color(name: $0) }
    for space in ColorSpace.allCases {
      for x in colors {
        for y in colors {
          var builder = ProgramBuilder()
          let mixed = builder.mix(ColorModel(x), ColorModel(y), at: .constant(0.3), in: space)
          // Equal colors are returned unchanged, without a conversion.
          let wanted = x == y ? x : space.mix(x, y, at: 0.3)
          #expect(
            Self.near(
              [mixed.red, mixed.green, mixed.blue, mixed.alpha].map(\.constantValue),
              [wanted.red, wanted.green, wanted.blue, wanted.alpha]), "\(space) \(x) \(y)")
        }
      }
    }
  }

  @Test func equalComputationsAreOneNode() {
    var builder = ProgramBuilder()
    let now = builder.make(.now)
    let map = AffineModel(a: now, b: .zero, c: .zero, d: .one, e: .zero, f: .zero)
    let first = builder.concat(map, Self.map(Affine(a: 2, b: 0, c: 0, d: 1, e: 0, f: 0)))
    let count = builder.program.nodes.count
    #expect(builder.concat(map, Self.map(Affine(a: 2, b: 0, c: 0, d: 1, e: 0, f: 0))) == first)
    #expect(builder.program.nodes.count == count && count > 1)
    #expect(
      builder.select(if: .zero, then: ColorModel(.white), else: ColorModel(.black))
        == ColorModel(.black))
  }

  @Test func computationsWithNaNAreSharedToo() {
    var builder = ProgramBuilder()
    let now = builder.make(.now)
    let first = builder.make(.add, a: now, b: .constant(.nan))
    #expect(builder.make(.add, a: now, b: .constant(-Double.nan)) == first)
    #expect(builder.make(.add, a: now, b: .constant(1)) != first)
  }

  // MARK: Ends

  @Test func endsOfMotionsAreKnown() {
    var builder = ProgramBuilder()
    let now = builder.make(.now)
    func motion(_ a: Scalar, _ b: Scalar, from start: Double) -> Scalar {
      let share = builder.make(.progress, a: now, b: .constant(start), c: .constant(10))
      return builder.mix(a, b, at: builder.ease(share, .spring(damping: 0.5)))
    }
    func number(_ x: Double) -> Scalar { .constant(x) }
    for (a, b) in [(2.0, -5.0), (0, 7), (7, 0), (1, -1), (-1, 1), (0, 1), (1, 0)] {
      let moving = motion(number(a), number(b), from: 3)
      #expect(Set(builder.endValues(of: moving)) == [a, b])
    }
    // Legs. Values that are computed from a motion have no known ends.
    let first = motion(number(2), number(4), from: 0)
    let second = motion(number(4), number(-6), from: 10)
    let both = builder.select(
      if: builder.make(.lessOrEqual, a: number(10), b: now), then: second, else: first)
    let scaled = builder.scaled(both, 10)
    let moved = builder.add(number(5), both)
    #expect(Set(builder.endValues(of: both)) == [2, 4, -6])
    #expect(builder.endValues(of: scaled).isEmpty)
    #expect(builder.endValues(of: moved).isEmpty)
    // A condition on the value may exclude an end.
    let limited = builder.select(
      if: builder.make(.lessOrEqual, a: number(3), b: first), then: number(3), else: first)
    #expect(builder.endValues(of: limited).isEmpty)
    // Other computations have no known ends.
    let wave = builder.make(.sine, a: now)
    let landing = motion(wave, number(3), from: 0)
    let product = builder.multiply(wave, first)
    #expect(builder.endValues(of: wave).isEmpty)
    #expect(builder.endValues(of: landing) == [3])
    #expect(builder.endValues(of: product).isEmpty)
    #expect(builder.endValues(of: number(8)) == [8])
  }
}
