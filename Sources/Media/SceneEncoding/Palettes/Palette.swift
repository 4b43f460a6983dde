// SPDX-License-Identifier: MIT

/// An opaque color of a palette.
package struct PaletteColor: Hashable, Sendable {
  package let red: UInt8
  package let green: UInt8
  package let blue: UInt8
}

/// A palette for GIF frames, with a lookup table of nearest colors. Its last entry is transparent.
package struct Palette: Sendable {
  /// The index of the transparent entry.
  static let clear = 255
  private let colors: [PaletteColor]
  /// The nearest palette entry of each color with 6 bits per component.
  private let nearest: [UInt8]
  /// Half of the mean distance between neighboring colors, which sets the strength of dithering.
  private let reach: Int

  package init(_ histogram: ColorHistogram) {
    colors = histogram.palette(limit: Palette.clear)
    var nearest = [UInt8](repeating: 0, count: 1 << 18)
    for index in nearest.indices {
      let (r, g, b) = (index >> 12, index >> 6 & 63, index & 63)
      nearest[index] = Palette.nearest(
        in: colors, red: r << 2 | r >> 4, green: g << 2 | g >> 4, blue: b << 2 | b >> 4)
    }
    self.nearest = nearest
    reach = Palette.reach(of: colors)
  }

  private static func nearest(
    in colors: [PaletteColor], red r: Int, green g: Int, blue b: Int
  ) -> UInt8 {
    var (best, found) = (Int.max, 0)
    for (index, color) in colors.enumerated() {
      let (x, y, z) = (r - Int(color.red), g - Int(color.green), b - Int(color.blue))
      let distance = 2 * x * x + 4 * y * y + 3 * z * z
      if distance < best { (best, found) = (distance, index) }
    }
    return UInt8(found)
  }

  /// Returns half of the mean distance from a color to its nearest neighbor, at most 24.
  private static func reach(of colors: [PaletteColor]) -> Int {
    guard colors.count > 1 else { return 0 }
    var sum = 0.0
    for (index, color) in colors.enumerated() {
      var best = Double.infinity
      for (other, it) in colors.enumerated() where other != index {
        let parts = [
          Double(color.red) - Double(it.red), Double(color.green) - Double(it.green),
          Double(color.blue) - Double(it.blue),
        ]
        best = min(best, parts.reduce(0) { $0 + $1 * $1 })
      }
      sum += best.squareRoot()
    }
    return min(24, Int((sum / Double(colors.count)).rounded()))
  }

  /// The 256 entries in libav's format: alpha, red, green and blue from the most significant byte
  /// down.
  var entries: [UInt32] {
    var list = colors.map {
      UInt32(255) << 24 | UInt32($0.red) << 16 | UInt32($0.green) << 8 | UInt32($0.blue)
    }
    while list.count < 256 { list.append(list.count == Palette.clear ? 0 : 0xFF00_0000) }
    return list
  }

  /// Writes the palette indices of straight RGBA pixels into rows of `stride` bytes.
  ///
  /// Colors that are not in the palette are dithered with a fixed 8x8 pattern (Bayer 1973), so that
  /// static areas do not flicker. Palette colors are not changed.
  func write(_ rgba: [UInt8], width: Int, into plane: inout MutableSpan<UInt8>, stride: Int) {
    // The last color that was not dithered, and its index. Neighboring pixels are often equal.
    var (last, lastIndex) = (-1, UInt8(Palette.clear))
    for y in 0..<(rgba.count / 4 / max(1, width)) {
      for x in 0..<width {
        let at = (y * width + x) * 4
        guard rgba[at + 3] >= 128 else {
          plane[y * stride + x] = UInt8(Palette.clear)
          continue
        }
        let (r, g, b) = (Int(rgba[at]), Int(rgba[at + 1]), Int(rgba[at + 2]))
        let packed = r << 16 | g << 8 | b
        if packed == last {
          plane[y * stride + x] = lastIndex
          continue
        }
        let own = nearest[(r >> 2) << 12 | (g >> 2) << 6 | b >> 2]
        let color = colors[Int(own)]
        if abs(Int(color.red) - r) + abs(Int(color.green) - g) + abs(Int(color.blue) - b) <= 3 {
          (last, lastIndex) = (packed, own)
          plane[y * stride + x] = own
          continue
        }
        let shift = (Palette.bayer[(y & 7) << 3 | x & 7] * 2 - 63) * reach / 128
        func moved(_ part: Int) -> Int { max(0, min(255, part + shift)) >> 2 }
        plane[y * stride + x] = nearest[moved(r) << 12 | moved(g) << 6 | moved(b)]
      }
    }
  }

  /// The 8x8 Bayer matrix: the values 0...63 with maximum distance between similar values.
  private static let bayer: [Int] = (0..<64).map { place in
    var (x, y, value) = (place & 7, place >> 3, 0)
    for _ in 0..<3 {
      value = value << 2 | ((x ^ y) & 1) << 1 | y & 1
      (x, y) = (x >> 1, y >> 1)
    }
    return value
  }
}
