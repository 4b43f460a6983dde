// SPDX-License-Identifier: MIT

/// Makes the palettes of a GIF from its pictures: one for each stretch between hard cuts, so that few
/// colors go a long way.
package struct PaletteMaker {
  private var histogram = ColorHistogram()
  private var last: [UInt8] = []
  private var start: Int
  /// Frames that a stretch lasts at least: a second.
  private let least: Int

  /// The mean change of a picture, of 255, that is a cut.
  private static let cut = 12.0

  /// `first` is the frame that all begins with.
  package init(_ rate: Double, from first: Int) {
    least = Int(rate)
    start = first
  }

  /// Adds a picture that differs from the one before, as rows of straight red, green, blue and alpha; the
  /// palette of the stretch that ended before it, where it begins another one.
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

  /// The palette of the stretch up to now.
  package var palette: Palette { Palette(histogram) }
}
