// SPDX-License-Identifier: MIT
import SceneGraphics
import ScenePixels
import SceneTestSupport
import Testing

/// Tests the color conversion for encoders.
@Suite("Chroma", .cpuBudget(seconds: 1)) struct ChromaTests {
  /// The output is BT.709 in limited range, with chroma at the left of two columns: [1 2 1]/4
  /// horizontally, the mean of two lines vertically.
  @Test func chromaIsOnTheLeftPixel() {
    let size = PixelSize(22, 6)
    let memory = PixelMemory(count: size.width * size.height * 4)
    var random = SeededGenerator(1)
    var pixels: [[Double]] = []
    memory.withBytes { bytes in
      for at in stride(from: 0, to: size.width * size.height * 4, by: 4) {
        for part in 0..<4 {
          bytes[at + part] = part == 3 ? 255 : UInt8.random(in: 0...255, using: &random)
        }
        pixels.append([2, 1, 0].map { Double(bytes[at + $0]) / 255 })
      }
    }
    var y = [UInt8](repeating: 0, count: size.width * size.height)
    var u = [UInt8](repeating: 0, count: y.count / 4)
    var v = u
    memory.withRows(size) { rows in
      var ySpan = y.mutableSpan
      var uSpan = u.mutableSpan
      var vSpan = v.mutableSpan
      rows.writeYUV(
        y: &ySpan, u: &uSpan, v: &vSpan, strides: PlaneStrides(y: 22, u: 11, v: 11),
        isSubsampled: true)
    }
    func luma(_ c: [Double]) -> Double { 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] }
    for (at, color) in pixels.enumerated() {
      #expect(abs(Double(y[at]) - (16 + 219 * luma(color))) <= 0.52, "\(at)")
    }
    for row in 0..<3 {
      for column in 0..<11 {
        var mean = [0.0, 0.0, 0.0]
        for (step, weight) in [(-1, 0.125), (0, 0.25), (1, 0.125)] {
          for line in 0..<2 {
            let color = pixels[(2 * row + line) * size.width + max(0, 2 * column + step)]
            for part in 0..<3 { mean[part] += weight * color[part] }
          }
        }
        let (blue, red) = ((mean[2] - luma(mean)) / 1.8556, (mean[0] - luma(mean)) / 1.5748)
        let at = row * 11 + column
        #expect(abs(Double(u[at]) - (128 + 224 * blue)) <= 0.52, "\(at)")
        #expect(abs(Double(v[at]) - (128 + 224 * red)) <= 0.52, "\(at)")
      }
    }
  }
}
