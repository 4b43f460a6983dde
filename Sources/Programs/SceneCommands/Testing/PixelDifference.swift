// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel
import ScenePixels

/// The pixels in which two images of the same size differ.
struct PixelDifference {
  /// The number of pixels with a channel that differs by more than the tolerance.
  private(set) var count = 0
  /// The maximum difference of a channel, from 0 to 255.
  private(set) var greatest = 0
  private var columns = (first: Int.max, last: Int.min)
  private var rows = (first: Int.max, last: Int.min)

  init(_ a: PixelBuffer, _ b: PixelBuffer, tolerance: Int) {
    for y in 0..<a.size.height {
      for x in 0..<a.size.width {
        let difference = a.pixel(x, y).distance(to: b.pixel(x, y))
        guard difference > tolerance else { continue }
        count += 1
        greatest = max(greatest, difference)
        columns = (min(columns.first, x), max(columns.last, x))
        rows = (min(rows.first, y), max(rows.last, y))
      }
    }
  }

  /// A description such as "1,200 pixels differ by at most 165 of 255, within 300x40 pixels at
  /// (170, 160)"; `nil` if no pixel differs.
  var description: String? {
    guard count > 0 else { return nil }
    let size = "\(columns.last - columns.first + 1)x\(rows.last - rows.first + 1)"
    let what = NumberFormat.count(count, of: "pixel") + (count == 1 ? " differs" : " differ")
    return "\(what) by at most \(greatest) of 255, within \(size) pixels at "
      + "(\(columns.first), \(rows.first))"
  }
}

extension PixelBuffer.Pixel {
  /// Returns the maximum difference of a channel.
  fileprivate func distance(to other: Self) -> Int {
    [(blue, other.blue), (green, other.green), (red, other.red), (alpha, other.alpha)]
      .reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
  }
}
