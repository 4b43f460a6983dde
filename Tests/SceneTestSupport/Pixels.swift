// SPDX-License-Identifier: MIT

/// Loops over the bytes of pictures. This target is always optimized, unlike the tests.
package enum Pixels {
  /// The numbers of pixels inside and outside a box.
  package struct Count: Sendable {
    package var inside = 0
    package var outside = 0
  }

  /// Counts the pixels of another color than the given gray, in rows of `width` RGBA pixels.
  package static func count(
    unlike gray: UInt8, in rgba: [UInt8], width: Int, columns: Range<Int>, rows: Range<Int>
  ) -> Count {
    var count = Count()
    for index in 0..<rgba.count / 4 {
      let at = index * 4
      if rgba[at] == gray, rgba[at + 1] == gray, rgba[at + 2] == gray { continue }
      if columns.contains(index % width), rows.contains(index / width) {
        count.inside += 1
      } else {
        count.outside += 1
      }
    }
    return count
  }

  /// Returns the colors of RGBA pixels as 0xRRGGBB.
  package static func colors(_ rgba: [UInt8]) -> [UInt32] {
    (0..<rgba.count / 4).map { index in
      let at = index * 4
      return UInt32(rgba[at]) << 16 | UInt32(rgba[at + 1]) << 8 | UInt32(rgba[at + 2])
    }
  }

  /// Returns the columns from the first to the last pixel of a color, 0xRRGGBB, for each row of
  /// `width` RGBA pixels; `nil` for a row without this color.
  package static func columns(of color: UInt32, in rgba: [UInt8], width: Int) -> [ClosedRange<Int>?]
  {
    let colors = colors(rgba)
    return stride(from: 0, to: colors.count, by: width).map { start in
      let row = colors[start..<start + width]
      guard let first = row.firstIndex(of: color), let last = row.lastIndex(of: color) else {
        return nil
      }
      return first - start...last - start
    }
  }

  /// Returns the number of colors that differ at the same place.
  package static func differences(_ a: [UInt32], _ b: [UInt32]) -> Int {
    zip(a, b).count { $0 != $1 }
  }

  /// Returns the colors two pixels to the right of a fill, where another color begins. The pixel
  /// between them is antialiased.
  package static func colors(beside fill: UInt32, in colors: [UInt32], width: Int) -> [UInt32] {
    colors.indices.filter {
      $0 % width < width - 2 && colors[$0] == fill && colors[$0 + 1] != fill
        && colors[$0 + 2] != fill
    }.map { colors[$0 + 2] }
  }

  /// Compares RGBA pixels with premultiplied BGRA pixels, both composited over white. Returns the
  /// mean difference of the colors, and the number of pixels of which a color differs by more than
  /// the limit.
  package static func differenceOverWhite(
    _ rgba: [UInt8], premultiplied bgra: [UInt8], limit: Double
  ) -> Difference {
    var (sum, far) = (0.0, 0)
    for at in stride(from: 0, to: rgba.count, by: 4) {
      let (alpha, otherAlpha) = (Double(rgba[at + 3]), Double(bgra[at + 3]))
      var worst = 0.0
      for channel in 0..<3 {
        let color = Double(rgba[at + channel]) * alpha / 255 + 255 - alpha
        let other = Double(bgra[at + 2 - channel]) + 255 - otherAlpha
        sum += abs(color - other)
        worst = max(worst, abs(color - other))
      }
      if worst > limit { far += 1 }
    }
    return Difference(mean: sum / Double(rgba.count / 4 * 3), far: far)
  }

  /// Returns the sum of the first channel of RGBA pixels.
  package static func sumOfRed(_ rgba: [UInt8]) -> Double {
    stride(from: 0, to: rgba.count, by: 4).reduce(0) { $0 + Double(rgba[$1]) }
  }

  /// The mean difference of two pictures, and the number of bytes or pixels that differ by more
  /// than a limit.
  package struct Difference: Sendable {
    package var mean = 0.0
    package var far = 0
  }

  /// Returns the mean of the squares of the differences of bytes.
  package static func meanSquare(of a: [UInt8], and b: [UInt8]) -> Double {
    guard a.count == b.count else { return .infinity }
    let sum = zip(a, b).reduce(0) { sum, pair in
      let difference = Int(pair.0) - Int(pair.1)
      return sum + difference * difference
    }
    return Double(sum) / Double(a.count)
  }

  /// Returns a copy of the bytes.
  package static func array(_ bytes: borrowing MutableSpan<UInt8>) -> [UInt8] {
    bytes.indices.map { bytes[$0] }
  }

  /// Returns the greatest difference of bytes, 256 if their numbers differ.
  package static func greatestDifference(_ a: [UInt8], _ b: [UInt8]) -> Int {
    guard a.count == b.count else { return 256 }
    return zip(a, b).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
  }

  /// Returns the mean difference of bytes and the number of those that differ by more than the
  /// limit.
  package static func difference(_ a: [UInt8], _ b: [UInt8], limit: Int) -> Difference {
    guard a.count == b.count else { return Difference(mean: .infinity, far: max(a.count, b.count)) }
    var (sum, far) = (0, 0)
    for (p, q) in zip(a, b) {
      let difference = abs(Int(p) - Int(q))
      sum += difference
      if difference > limit { far += 1 }
    }
    return Difference(mean: Double(sum) / Double(a.count), far: far)
  }
}
