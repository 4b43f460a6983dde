// SPDX-License-Identifier: MIT
import SceneGraphics

/// The frequency bins of a sound, derived from its sample rate.
package struct SpectrumShape: Hashable, Sendable {
  /// The base-2 logarithm of the window length in samples.
  package let bits: Int
  private let rate: Int

  /// Creates bins for a window of about 43 ms.
  package init(rate: Int) {
    var bits = 6
    while 1 << bits < rate / 24 { bits += 1 }
    self.bits = bits
    self.rate = rate
  }

  package var windowLength: Int { 1 << bits }
  package var binCount: Int { windowLength / 2 }

  /// Returns the bins of a frequency band. Bin 0 holds the DC component and is not part of any
  /// band.
  package func bins(low: Double, high: Double) -> ClosedRange<Int> {
    let step = Double(rate) / Double(windowLength)
    let bins = max(1, Int((low / step).rounded()))...max(1, Int((high / step).rounded()))
    return bins.clamped(to: 1...(binCount - 1))
  }

  /// Returns the level of a band in decibels, from the sum of its bins' powers.
  package func decibels(ofBand sum: Double) -> Float {
    // A full-scale sine wave fills three bins of a Hann window with 3/8 N² / 4 of power.
    let full = 0.09375 * Double(windowLength) * Double(windowLength)
    return SoundMeasure.decibels(sum / full)
  }
}

extension SoundMeasure {
  /// Returns a power in decibels, rounded to hundredths, so that invisible differences do not
  /// change the output.
  package static func decibels(_ power: Double) -> Float {
    Float((1000 * Math.log(max(1e-12, power)) / Math.log(10)).rounded() / 100)
  }
}

extension ClipSound {
  /// The number of level measurements.
  package var levelCount: Int { (sampleCount * SoundMeasure.rate + rate - 1) / max(1, rate) }

  /// Whether the powers of all bins fit in memory, so that one pass over the sound serves any
  /// number of bands. The limit is about eleven minutes at 48 kHz.
  package var hasSpectra: Bool { spectraByteCount <= ClipSound.mostSpectraBytes }
  package var spectraByteCount: Int { levelCount * SpectrumShape(rate: rate).binCount * 4 }

  /// The limit for all sounds together.
  package static let mostSpectraBytes = 256 << 20
}
