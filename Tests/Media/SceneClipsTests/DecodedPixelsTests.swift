// SPDX-License-Identifier: MIT
import Foundation
import SceneGraphics
import SceneIR
import SceneModel
import ScenePixels
import SceneTestSupport
import Testing

/// The conversion of decoded samples to pixels, compared to the same calculation in double
/// precision.
@Suite("Decoded pixels", .cpuBudget(seconds: 1)) struct DecodedPixelsTests {
  private static let size = PixelSize(37, 11)

  /// Planes of samples, with rows without padding.
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

    /// The samples as they are stored in memory.
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

    /// Returns the chroma at a pixel, interpolated linearly between samples.
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

    /// Returns blue, green, red and alpha of a pixel, before rounding.
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
      let picture = unsafe PixelBuffer(
        decoded: bytes.span.bytes, format: format, size: Self.size, layout: layout)
      var worst = 0.0
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          let pixel = picture.pixel(x, y)
          let channels = [pixel.blue, pixel.green, pixel.red, pixel.alpha]
          for (found, exact) in zip(channels, samples.pixel(x, y)) {
            worst = max(worst, abs(Double(found) - exact))
          }
        }
      }
      // Colors are rounded before they are multiplied by alpha.
      #expect(worst <= (format.hasAlpha ? 1.51 : 0.51), "\(format): \(worst)")
      #expect(picture.isOpaque != format.hasAlpha)
    }
  }

  /// The formulas of ITU-R BT.2100-2, BT.2390-10 and BT.2087-0 in double precision.
  private struct Display {
    let format: PictureFormat

    private func pq(_ value: Double) -> Double {
      let p = pow(value, 1 / 78.84375)
      return 10000 * pow(max(p - 0.8359375, 0) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125)
    }

    private func inversePQ(_ light: Double) -> Double {
      let y = pow(light / 10000, 0.1593017578125)
      return pow((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375)
    }

    private func hlg(_ value: Double) -> Double {
      value <= 0.5 ? value * value / 3 : (exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }

    private func rollOff(_ light: Double, from peak: Double) -> Double {
      guard peak > 203 else { return min(light, 203) }
      let (top, white) = (inversePQ(peak), inversePQ(203) / inversePQ(peak))
      let (value, knee) = (min(1, inversePQ(light) / top), 1.5 * white - 0.5)
      guard value > knee else { return light }
      let t = (value - knee) / (1 - knee)
      let (a, b, c) = (
        2 * t * t * t - 3 * t * t + 1, t * t * t - 2 * t * t + t, 3 * t * t - 2 * t * t * t
      )
      return pq((a * knee + b * (1 - knee) + c * white) * top)
    }

    /// Returns blue, green and red as an SDR display shows them.
    func shown(_ color: [Double]) -> [Double] {
      var (b, g, r) = (color[0] / 255, color[1] / 255, color[2] / 255)
      if format.transfer == .hlg {
        (b, g, r) = (hlg(b), hlg(g), hlg(r))
        let system = 1000 * pow(0.2627 * r + 0.6780 * g + 0.0593 * b, 0.2)
        (b, g, r) = (b * system, g * system, r * system)
      } else {
        (b, g, r) = (pq(b), pq(g), pq(r))
      }
      let brightest = max(b, g, r, 1e-6)
      let gain =
        rollOff(brightest, from: Double(format.transfer == .hlg ? 1000 : format.peak)) / brightest
      (b, g, r) = (b * gain / 203, g * gain / 203, r * gain / 203)
      let grey = 0.2627 * r + 0.6780 * g + 0.0593 * b
      let wide = [
        -0.0182 * r - 0.1006 * g + 1.1187 * b, -0.1246 * r + 1.1329 * g - 0.0083 * b,
        1.6605 * r - 0.5876 * g - 0.0728 * b,
      ]
      let share =
        wide.map { value in
          value < 0 ? grey / (grey - value) : value > 1 ? (1 - grey) / (value - grey) : 1
        }.min() ?? 1
      return wide.map { pow(max(0, min(1, grey + ($0 - grey) * share)), 1 / 2.4) * 255 }
    }
  }

  @Test func highDynamicRangeIsMapped() {
    var generator = Generator(seed: 5)
    for (transfer, peak) in [
      (PictureFormat.Transfer.pq, 1000), (.pq, 4000), (.pq, 150), (.hlg, 1000),
    ] {
      var format = PictureFormat(.yuv420, depth: 10, matrix: .bt2020, transfer: transfer)
      format.peak = peak
      let samples = Samples(format, &generator)
      let bytes = samples.bytes
      let picture = unsafe PixelBuffer(
        decoded: bytes.span.bytes, format: format, size: Self.size,
        layout: PictureLayout(format, Self.size))
      let display = Display(format: format)
      var errors: [Double] = []
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          let pixel = picture.pixel(x, y)
          let exact = display.shown(Array(samples.pixel(x, y)[0..<3]))
          for (found, exact) in zip([pixel.blue, pixel.green, pixel.red], exact) {
            errors.append(abs(Double(found) - exact))
          }
        }
      }
      errors.sort()
      // Near black, one level is very little light, so that the steps of the tables are measurable.
      #expect(errors[errors.count * 98 / 100] <= 1.5, "\(transfer) \(peak)")
      #expect(errors.last ?? 0 <= 12, "\(transfer) \(peak)")
      #expect(errors.reduce(0, +) / Double(errors.count) < 0.5, "\(transfer) \(peak)")
    }
  }

  @Test func transparencyAsItIsMeant() {
    for layout in [PictureFormat.Layout.yuv444, .bgra] {
      let format = PictureFormat(layout, hasAlpha: true, isFullRange: true)
      let size = PixelSize(1, 1)
      let places = PictureLayout(format, size)
      var bytes = [UInt8](repeating: 0, count: places.byteCount)
      // A gray of 200 at an alpha of 128.
      let samples: [UInt8] = layout == .bgra ? [200, 200, 200, 128] : [200, 128, 128, 128]
      for (number, sample) in samples.enumerated() {
        bytes[layout == .bgra ? number : places.planes[number].offset] = sample
      }
      func pixel(_ alpha: ClipReading.Alpha) -> [UInt8] {
        let it = unsafe PixelBuffer(
          decoded: bytes.span.bytes, format: format, size: size, layout: places, alpha: alpha)
        #expect(it.isOpaque == (alpha == .none))
        return [it.pixel(0, 0).blue, it.pixel(0, 0).alpha]
      }
      #expect(pixel(.straight) == [100, 128])
      #expect(pixel(.premultiplied) == [128, 128])
      #expect(pixel(.none) == [200, 255])
    }
  }

  @Test func picturesAreTurned() {
    let picture = PixelBuffer(PixelSize(3, 2))
    picture.withBytes { bytes in
      for pixel in 0..<6 { bytes[pixel * 4] = UInt8(pixel) }
    }
    func blue(_ turns: Int, _ isMirrored: Bool = false) -> [[UInt8]] {
      let it = picture.turned(ClipOrientation(quarterTurns: turns, isMirrored: isMirrored))
      return (0..<it.size.height).map { y in (0..<it.size.width).map { it.pixel($0, y).blue } }
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
