// SPDX-License-Identifier: MIT

/// Builds the palettes of a GIF from its frames: one for each interval between hard cuts, so that
/// few colors suffice.
package struct PaletteMaker {
  private var histogram = ColorHistogram()
  private var last: [UInt8] = []
  private var start: Int
  /// The minimum length of an interval in frames: one second.
  private let least: Int

  /// The mean difference between frames that counts as a cut, from 0 to 255.
  private static let cut = 12.0

  /// `first` is the first frame of the first interval.
  package init(_ rate: Double, from first: Int) {
    least = Int(rate)
    start = first
  }

  /// Adds a frame that differs from the previous one, as straight RGBA. If the frame starts a new
  /// interval, returns the palette of the previous interval.
  package mutating func add(_ rgba: [UInt8], frame: Int) -> Palette? {
    defer {
      histogram.add(rgba)
      last = rgba
    }
    guard frame - start >= least, ColorHistogram.difference(last, rgba) > PaletteMaker.cut else {
      return nil
    }
    defer { (start, histogram) = (frame, ColorHistogram()) }
    return palette
  }

  /// The palette of the current interval.
  package var palette: Palette { Palette(histogram) }
}
