// SPDX-License-Identifier: MIT
package import SceneGraphics

/// An image in perspective with 64 samples per pixel, interpolated between the pixels of the image.
package struct Supersampler {
  private let values: [Double]
  private let width: Int
  private let height: Int

  /// Creates the samples of an image from rows of `width` pixels with four bytes each.
  package init(_ bytes: [UInt8], width: Int) {
    values = bytes.map { Double($0) }
    self.width = width
    height = bytes.count / 4 / width
  }

  private func value(_ column: Int, _ row: Int, channel: Int) -> Double {
    let (x, y) = (max(0, min(width - 1, column)), max(0, min(height - 1, row)))
    return values[(y * width + x) * 4 + channel]
  }

  private func sample(_ point: Point, channel: Int) -> Double {
    let (x, y) = (point.x - 0.5, point.y - 0.5)
    let (i, j) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    let (fx, fy) = (x - Double(i), y - Double(j))
    let upper =
      value(i, j, channel: channel) * (1 - fx) + value(i + 1, j, channel: channel) * fx
    let lower =
      value(i, j + 1, channel: channel) * (1 - fx) + value(i + 1, j + 1, channel: channel) * fx
    return upper * (1 - fy) + lower * fy
  }

  /// Returns the mean of the squares of the differences between a picture of the same size and the
  /// image in perspective. The first and third channel of the given pixels are compared.
  package func meanSquare(
    of picture: [UInt8], inverse: Projection, columns: Range<Int>, rows: StrideTo<Int>
  ) -> Double {
    var (sum, count) = (0.0, 0.0)
    for y in rows {
      for x in columns {
        for channel in [0, 2] {
          var mean = 0.0
          for k in 0..<64 {
            let at = Point(
              Double(x) + (Double(k % 8) + 0.5) / 8, Double(y) + (Double(k / 8) + 0.5) / 8)
            mean += sample(inverse.apply(at), channel: channel)
          }
          let difference = mean / 64 - Double(picture[(y * width + x) * 4 + channel])
          sum += difference * difference
          count += 1
        }
      }
    }
    return sum / count
  }
}
