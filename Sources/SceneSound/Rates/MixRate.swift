// SPDX-License-Identifier: MIT
package import SceneModel

/// The samples a second of a mix, and the steps in which its gains are evaluated.
package struct MixRate: Hashable, Sendable {
  /// Samples a second, of which each is a whole number of ticks.
  package let samples: Int
  /// Samples of a step, which lasts 1 to 2 ms; a power of 2.
  let step: Int

  package static let usual = MixRate(for: SoundModel.rate)

  /// The rate of a file. Rates whose samples are not a whole number of ticks get the next usual rate,
  /// from which the mix is resampled.
  package init(for rate: Int) {
    let isExact = rate > 0 && Ticks.perSecond % Int64(rate) == 0
    samples = isExact ? rate : [48_000, 96_000].first { $0 >= rate } ?? 192_000
    var step = 16
    while samples > 1060 * step { step *= 2 }
    self.step = step
  }

  /// Ticks of one sample.
  package var sampleTicks: Int64 { Ticks.perSecond / Int64(samples) }

  /// The sample nearest to a time.
  package func sample(at time: Ticks) -> Int {
    Int((Double(time.rawValue) / Double(sampleTicks)).rounded())
  }
}
