// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneTestSupport
import Testing

/// The reach of layer filters, and the matrices of Filter Effects Level 1.
@Suite("Layer styles", .cpuBudget(seconds: 1)) struct LayerStyleTests {
  private func apply(_ matrix: ColorMatrix, _ color: [Double]) -> [Double] {
    (0..<4).map { row in
      let factors = matrix.rows[row * 5..<row * 5 + 5].map { $0 }
      return zip(factors, color + [1]).reduce(0) { $0 + $1.0 * $1.1 }
    }
  }

  private func expect(_ a: [Double], equals b: [Double], _ note: String) {
    #expect(zip(a, b).allSatisfy { abs($0 - $1) < 1e-9 } && a.count == b.count, "\(note): \(a)")
  }

  private func colors() -> [[Double]] {
    var random = Generator(seed: 3)
    return (0..<50).map { _ in (0..<4).map { _ in Double.random(in: 0...1, using: &random) } }
  }

  @Test(arguments: [
    ("brightness", ColorMatrix.brightness(1)), ("contrast", .contrast(1)), ("invert", .invert(0)),
    ("saturate", .saturate(1)), ("grayscale", .grayscale(0)), ("sepia", .sepia(0)),
    ("hue-rotate", .hueRotate(0)), ("hue-rotate", .hueRotate(360)),
  ]) func neutralValuesChangeNothing(_ name: String, _ matrix: ColorMatrix) {
    for color in colors() { expect(apply(matrix, color), equals: color, name) }
  }

  @Test func knownColors() {
    let red = [1.0, 0, 0, 1]
    expect(apply(.brightness(0.5), red), equals: [0.5, 0, 0, 1], "brightness")
    expect(apply(.contrast(0), red), equals: [0.5, 0.5, 0.5, 1], "contrast")
    expect(apply(.invert(1), red), equals: [0, 1, 1, 1], "invert")
    expect(apply(.grayscale(1), red), equals: [0.213, 0.213, 0.213, 1], "grayscale")
    expect(apply(.sepia(1), red), equals: [0.393, 0.349, 0.272, 1], "sepia")
  }

  @Test func grayStaysGray() {
    for gray in stride(from: 0.0, through: 1, by: 0.125) {
      let color = [gray, gray, gray, 1]
      for amount in [0, 0.3, 1, 2.5] { expect(apply(.saturate(amount), color), equals: color, "") }
      for angle in stride(from: -360.0, through: 360, by: 45) {
        expect(apply(.hueRotate(angle), color), equals: color, "\(angle)")
      }
    }
  }

  @Test func alphaStays() {
    for matrix in [
      ColorMatrix.brightness(2), .contrast(3), .invert(1), .saturate(0), .sepia(1), .hueRotate(77),
    ] {
      #expect(Array(matrix.rows[15...]) == [0, 0, 0, 1, 0])
    }
  }

  @Test func amountsAreClamped() {
    #expect(
      ColorMatrix.brightness(-1) == .brightness(0) && ColorMatrix.contrast(-1) == .contrast(0))
    #expect(ColorMatrix.saturate(-1) == .saturate(0) && ColorMatrix.grayscale(9) == .grayscale(1))
    #expect(ColorMatrix.invert(2) == .invert(1) && ColorMatrix.sepia(-1) == .sepia(0))
  }

  @Test func aFilterThatChangesNothingIsKnown() {
    let key = Filter.chromaKey(.black, tolerance: 0, softness: 0)
    let table = Filter.table(ColorTable(digest: 1, size: 2, values: []))
    let rows: [(Filter, Bool)] = [
      (.blur(0), true), (.blur(0.01), true), (.blur(0.02), false), (.blur(.nan), true),
      (.matrix(.identity), true), (.matrix(.brightness(1)), true), (.matrix(.invert(1)), false),
      (key, false), (table, false),
    ]
    for (filter, isIdentity) in rows { #expect(filter.isIdentity == isIdentity, "\(filter)") }
  }

  /// Two successive blurs equal one whose variance is the sum.
  @Test func blursAddUp() {
    #expect([Filter.blur(3), .matrix(.identity), .blur(4)].reach == [Filter.blur(5)].reach)
    #expect([Filter.blur(5)].reach == 15 && [Filter]().reach == 0)
  }

  @Test func shadowsReachBeyondTheirLayer() {
    var style = LayerStyle(filters: [.blur(2)])
    #expect(style.reach == 6)
    style.shadow = Shadow(offset: Point(-7, 3), deviation: 4, color: .black)
    #expect(style.reach == 6 + 12 + 7)
  }

  /// Comparing the 3 * size³ values of a table for each frame would cost more than drawing it.
  @Test func tablesAreKnownByTheirDigest() {
    let table = ColorTable(digest: 1, size: 2, values: [1, 2])
    let same = ColorTable(digest: 1, size: 2, values: [3])
    let other = ColorTable(digest: 2, size: 2, values: [1, 2])
    #expect(table == same && table.hashValue == same.hashValue && table != other)
  }
}
