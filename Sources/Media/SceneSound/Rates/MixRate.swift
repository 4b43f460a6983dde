// SPDX-License-Identifier: MIT
package import SceneModel

/// The sample rate of a mix and the length of the steps in which gains are evaluated.
package struct MixRate: Hashable, Sendable {
  /// The sample rate in hertz. The duration of a sample is a whole number of ticks.
  package let samples: Int
  /// The number of samples per step: a power of 2 with a duration of 1 to 2 ms.
  let step: Int

  package static let usual = MixRate(for: SoundModel.rate)

  /// Creates the mix rate for the rate of a file. If a sample of the file is not a whole number of
  /// ticks, the mix uses the next common rate and is resampled.
  package init(for rate: Int) {
    let isExact = rate > 0 && Ticks.perSecond % Int64(rate) == 0
    samples = isExact ? rate : [48_000, 96_000].first { $0 >= rate } ?? 192_000
    var step = 16
    while samples > 1060 * step { step *= 2 }
    self.step = step
  }

  /// The duration of a sample in ticks.
  package var sampleTicks: Int64 { Ticks.perSecond / Int64(samples) }

  /// Returns the sample nearest to a time.
  package func sample(at time: Ticks) -> Int {
    Int((Double(time.rawValue) / Double(sampleTicks)).rounded())
  }
}
