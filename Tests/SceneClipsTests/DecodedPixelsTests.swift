// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel
import ScenePixels
import Testing

/// Samples of decoded pictures to pixels, beside the same in doubles.
@Suite("Decoded pixels") struct DecodedPixelsTests {
  private static let size = PixelSize(37, 11)

  /// Planes of samples, rows without padding.
  private struct Samples {
    let format: PictureFormat
    var planes: [[Int]] = []
    var columns: [Int] = []

    init(_ format: PictureFormat, _ generator: inout Generator) {
      self.format = format
      let layout = PictureLayout(format, DecodedPixelsTests.size)
      for plane in layout.planes {
        let width = plane.width / (format.depth > 8 ? 2 : 1)
        columns.append(width)
        planes.append(
          (0..<width * plane.rows).map { _ in
            Int.random(in: 0..<(1 << format.depth), using: &generator)
          })
      }
    }

    /// As they lie in memory.
    var bytes: [UInt8] {
      let layout = PictureLayout(format, DecodedPixelsTests.size)
      var bytes = [UInt8](repeating: 0, count: layout.byteCount)
      for (number, plane) in layout.planes.enumerated() {
        for (at, sample) in planes[number].enumerated() {
          let (row, column) = at.quotientAndRemainder(dividingBy: columns[number])
          let place = plane.offset + row * plane.stride
          if format.depth > 8 {
            bytes[place + column * 2] = UInt8(sample & 255)
            bytes[place + column * 2 + 1] = UInt8(sample >> 8)
          } else {
            bytes[place + column] = UInt8(sample)
          }
        }
      }
      return bytes
    }

    private func sample(_ plane: Int, _ x: Int, _ y: Int) -> Double {
      let width = columns[plane]
      let rows = planes[plane].count / width
      return Double(planes[plane][min(max(y, 0), rows - 1) * width + min(max(x, 0), width - 1)])
    }

    /// Chroma at a pixel, straight lines between samples.
    private func chroma(_ plane: Int, _ x: Int, _ y: Int) -> Double {
      var (u, v) = (Double(x), Double(y))
      if format.layout != .yuv444 { u = format.siting == .center ? (u - 0.5) / 2 : u / 2 }
      if format.layout == .yuv420 { v = format.siting == .topLeft ? v / 2 : (v - 0.5) / 2 }
      let (left, top) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
      let (a, b) = (u - Double(left), v - Double(top))
      func row(_ y: Int) -> Double {
        sample(plane, left, y) * (1 - a) + sample(plane, left + 1, y) * a
      }
      return row(top) * (1 - b) + row(top + 1) * b
    }

    /// Blue, green, red and alpha of a pixel, before rounding.
    func pixel(_ x: Int, _ y: Int) -> [Double] {
      let (red, blue) =
        switch format.matrix {
        case .bt601: (0.299, 0.114)
        case .bt709: (0.2126, 0.0722)
        case .bt2020: (0.2627, 0.0593)
        }
      let unit = Double(1 << (format.depth - 8))
      let full = Double(1 << format.depth) - 1
      let middle = 128 * unit
      let luma =
        format.isFullRange ? sample(0, x, y) / full : (sample(0, x, y) - 16 * unit) / (219 * unit)
      let range = format.isFullRange ? full : 224 * unit
      let (u, v) = ((chroma(1, x, y) - middle) / range, (chroma(2, x, y) - middle) / range)
      let r = luma + 2 * (1 - red) * v
      let b = luma + 2 * (1 - blue) * u
      let g = (luma - red * r - blue * b) / (1 - red - blue)
      let color = [b, g, r].map { min(max($0, 0), 1) * 255 }
      guard format.hasAlpha else { return color + [255] }
      let alpha = sample(3, x, y) / full
      return color.map { $0.rounded() * (alpha * 255).rounded() / 255 } + [alpha * 255]
    }
  }

  private static let formats: [PictureFormat] = [
    PictureFormat(.yuv420), PictureFormat(.yuv422), PictureFormat(.yuv444),
  ].flatMap { format in
    [PictureFormat.Siting.left, .center, .topLeft].flatMap { siting in
      [PictureFormat.Matrix.bt601, .bt709, .bt2020].flatMap { matrix in
        [8, 10].flatMap { depth in
          [false, true].map { isFullRange in
            PictureFormat(
              format.layout, depth: depth, hasAlpha: matrix == .bt709, isFullRange: isFullRange,
              matrix: matrix, siting: siting)
          }
        }
      }
    }
  }

  @Test func pixelsAreExactToRounding() {
    var generator = Generator(seed: 3)
    for format in Self.formats {
      let samples = Samples(format, &generator)
      let layout = PictureLayout(format, Self.size)
      let bytes = samples.bytes
      let picture = unsafe PixelBuffer(decoded: bytes.span.bytes, format, Self.size, layout)
      var worst = 0.0
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          let (b, g, r, a) = picture.pixel(x, y)
          for (found, exact) in zip([b, g, r, a], samples.pixel(x, y)) {
            worst = max(worst, abs(Double(found) - exact))
          }
        }
      }
      // Colours are rounded before alpha is put on them.
      #expect(worst <= (format.hasAlpha ? 1.51 : 0.51), "\(format): \(worst)")
      #expect(picture.isOpaque != format.hasAlpha)
    }
  }

  @Test func picturesAreTurned() {
    let picture = PixelBuffer(PixelSize(3, 2))
    picture.withBytes { bytes in
      for pixel in 0..<6 { bytes[pixel * 4] = UInt8(pixel) }
    }
    func blue(_ turns: Int, _ isMirrored: Bool = false) -> [[UInt8]] {
      let it = picture.turned(ClipOrientation(quarterTurns: turns, isMirrored: isMirrored))
      return (0..<it.size.height).map { y in (0..<it.size.width).map { it.pixel($0, y).0 } }
    }
    #expect(blue(0) == [[0, 1, 2], [3, 4, 5]])
    #expect(blue(1) == [[3, 0], [4, 1], [5, 2]])
    #expect(blue(2) == [[5, 4, 3], [2, 1, 0]])
    #expect(blue(3) == [[2, 5], [1, 4], [0, 3]])
    #expect(blue(0, true) == [[2, 1, 0], [5, 4, 3]])
    #expect(blue(1, true) == [[5, 2], [4, 1], [3, 0]])
    #expect(blue(2, true) == [[3, 4, 5], [0, 1, 2]])
    #expect(blue(3, true) == [[0, 3], [1, 4], [2, 5]])
  }
}
