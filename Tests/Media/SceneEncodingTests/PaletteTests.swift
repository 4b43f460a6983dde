// SPDX-License-Identifier: MIT
import SceneEncoding
import SceneTestSupport
import Testing

/// Colors of GIFs: histograms, palettes, and where a new palette starts.
@Suite("Palettes", .cpuBudget(seconds: 1)) struct PaletteTests {
  private func image(_ colors: [(Int, Int, Int)], alpha: UInt8 = 255, repeated: Int = 1) -> [UInt8]
  {
    colors.flatMap { color in
      Array(repeating: [UInt8(color.0), UInt8(color.1), UInt8(color.2), alpha], count: repeated)
        .flatMap { $0 }
    }
  }

  private func palette(_ image: [UInt8], limit: Int = 255) -> [[Int]] {
    var histogram = ColorHistogram()
    histogram.add(image)
    return histogram.palette(limit: limit).map { [Int($0.red), Int($0.green), Int($0.blue)] }
  }

  private func random(_ count: Int, seed: UInt64) -> [(Int, Int, Int)] {
    var random = Generator(seed: seed)
    func part() -> Int { Int.random(in: 0...255, using: &random) }
    return (0..<count).map { _ in (part(), part(), part()) }
  }

  /// Colors in different cells are kept exactly.
  @Test func fewColorsAreKept() {
    let colors = [(0, 0, 0), (255, 255, 255), (200, 30, 40), (30, 200, 40), (30, 40, 200)]
    let found = palette(image(colors, repeated: 7))
    #expect(Set(found) == Set(colors.map { [$0.0, $0.1, $0.2] }))
  }

  @Test(arguments: [1, 2, 3, 16, 255], [UInt64(1), 2, 3])
  func theLimitIsKept(_ limit: Int, _ seed: UInt64) {
    let found = palette(image(random(2000, seed: seed)), limit: limit)
    #expect(found.count == limit && Set(found).count == limit)
  }

  /// A palette of one color contains the mean.
  @Test(arguments: [UInt64(1), 2, 3]) func aSingleColorIsTheMean(_ seed: UInt64) {
    let colors = random(500, seed: seed)
    let found = palette(image(colors), limit: 1)[0]
    for (own, parts) in zip(found, [colors.map(\.0), colors.map(\.1), colors.map(\.2)]) {
      #expect(abs(Double(own) - Double(parts.reduce(0, +)) / 500) <= 0.5)
    }
  }

  /// More colors never increase the distance to the pixels.
  @Test(arguments: [UInt64(4), 5]) func moreColorsAreNearer(_ seed: UInt64) {
    let colors = random(1000, seed: seed)
    func error(_ limit: Int) -> Int {
      let palette = palette(image(colors), limit: limit)
      return colors.reduce(0) { sum, color in
        sum
          + (palette.map {
            let (x, y, z) = ($0[0] - color.0, $0[1] - color.1, $0[2] - color.2)
            return x * x + y * y + z * z
          }.min() ?? 0)
      }
    }
    let errors = [1, 4, 16, 64, 255].map(error)
    #expect(zip(errors, errors.dropFirst()).allSatisfy { $0 > $1 }, "\(errors)")
  }

  @Test func transparentPixelsDoNotCount() {
    #expect(palette(image([(255, 0, 0)], alpha: 127)) == [[0, 0, 0]])
    #expect(palette(image([(255, 0, 0)], alpha: 128)) == [[255, 0, 0]])
    #expect(palette([]) == [[0, 0, 0]])
  }

  @Test func differencesAreMeans() {
    #expect(ColorHistogram.difference([1, 2, 3, 4], [1, 2, 3, 4]) == 0)
    #expect(ColorHistogram.difference([0, 0, 0, 0], [0, 10, 0, 10]) == 5)
    #expect(ColorHistogram.difference([], []) == 255)
    #expect(ColorHistogram.difference([1], [1, 2]) == 255)
  }

  /// A cut starts a new palette, but not within a second of the previous one.
  @Test(arguments: [(0, [Int]()), (5, []), (10, [10]), (25, [25])])
  func aCutBeginsAPalette(_ cut: Int, _ wanted: [Int]) {
    let (dark, bright) = (image(random(64, seed: 1)), image([(255, 255, 255)], repeated: 64))
    var maker = PaletteMaker(10, from: 0)
    var found: [Int] = []
    for frame in 0..<40 {
      if maker.add(frame < cut ? dark : bright, frame: frame) != nil { found.append(frame) }
    }
    #expect(found == wanted)
  }

  @Test func slowChangesAreNoCuts() {
    var maker = PaletteMaker(10, from: 0)
    for frame in 0..<100 {
      let shade = min(255, frame * 3)
      #expect(maker.add(image([(shade, shade, shade)], repeated: 64), frame: frame) == nil)
    }
  }
}
