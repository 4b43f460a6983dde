// SPDX-License-Identifier: MIT
import SceneGraphics

/// The frequency bins of a sound, which follow from its sample rate.
package struct SpectrumShape: Hashable, Sendable {
  /// The samples of one window are 2 to the power of this.
  package let bits: Int
  private let rate: Int

  /// About 43 ms at any rate.
  package init(rate: Int) {
    var bits = 6
    while 1 << bits < rate / 24 { bits += 1 }
    self.bits = bits
    self.rate = rate
  }

  package var windowLength: Int { 1 << bits }
  package var binCount: Int { windowLength / 2 }

  /// The bins of a band. Bin 0 holds the constant part and belongs to none.
  package func bins(low: Double, high: Double) -> ClosedRange<Int> {
    let step = Double(rate) / Double(windowLength)
    let bins = max(1, Int((low / step).rounded()))...max(1, Int((high / step).rounded()))
    return bins.clamped(to: 1...(binCount - 1))
  }

  /// The level of a band in decibels, from the sum of the powers of its bins.
  package func decibels(ofBand sum: Double) -> Float {
    // A sine of full scale fills three bins of a Hann window with 3/8 N² / 4 of power.
    let full = 0.09375 * Double(windowLength) * Double(windowLength)
    return SoundMeasure.decibels(sum / full)
  }
}

extension SoundMeasure {
  /// In steps of a hundredth, so that nothing moves by less than can be seen.
  package static func decibels(_ power: Double) -> Float {
    Float((1000 * Math.log(max(1e-12, power)) / Math.log(10)).rounded() / 100)
  }
}

extension ClipSound {
  /// How often its levels are measured.
  package var levelCount: Int { (sampleCount * SoundMeasure.rate + rate - 1) / max(1, rate) }

  /// Whether the powers of all its bins are few enough to be in memory, so that one pass over the sound
  /// serves any number of bands: those of eleven minutes at 48 kHz are.
  package var hasSpectra: Bool { spectraByteCount <= ClipSound.mostSpectraBytes }
  package var spectraByteCount: Int { levelCount * SpectrumShape(rate: rate).binCount * 4 }

  /// Of all sounds together.
  package static let mostSpectraBytes = 256 << 20
}
