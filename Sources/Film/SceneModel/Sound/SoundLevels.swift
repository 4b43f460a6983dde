// SPDX-License-Identifier: MIT
import SceneGraphics

/// An audio measurement, taken 100 times per second.
package enum SoundMeasure: Hashable, Sendable {
  /// The mean power of each hundredth of a second, over all channels; 0 dB is a full-scale square
  /// wave.
  case power
  /// The power between two frequencies in Hz; 0 dB is a full-scale sine wave.
  case band(low: Double, high: Double)
  /// The onset strength: the increase in level over all frequencies, with equal weight for each
  /// octave.
  case onsets

  /// The number of measurements per second.
  package static let rate = 100
}

/// Pure functions on lists of measured levels at 100 values per second.
package enum SoundLevels {
  /// Converts decibels to `0...1`: 1 is the 99th percentile, 0 is 40 dB below it or less. Values
  /// rise immediately and decay to 1/e within `smooth` seconds.
  package static func shares(_ decibels: [Float], smooth: Double) -> [Float] {
    guard !decibels.isEmpty else { return [] }
    let loud = decibels.sorted()[min(decibels.count - 1, decibels.count * 99 / 100)]
    let kept = smooth > 0 ? Float(Math.exp(-1 / (smooth * Double(SoundMeasure.rate)))) : 0
    var last: Float = 0
    return decibels.map { level in
      // A sound that is nearly silent throughout has no loud parts.
      let share = loud < -80 ? 0 : max(0, min(1, (level - loud + 40) / 40))
      last = max(share, last * kept)
      return last
    }
  }

  /// The parameters of ducking, which lowers a sound while a voice speaks.
  package struct Ducking: Hashable, Sendable {
    /// The gain in decibels, below 0.
    package var gain: Double
    /// The duration of the fade before the voice, and of the rise after it, in seconds.
    package var attack: Double
    package var release: Double
    /// The level in decibels above which a sound counts as the voice.
    package var threshold: Double

    package init(gain: Double, attack: Double, release: Double, threshold: Double) {
      self.gain = gain
      self.attack = attack
      self.release = release
      self.threshold = threshold
    }
  }

  /// Returns the intervals of speech in hundredths of a second. They start at the threshold, end 6
  /// dB below it, and are extended by a fifth of a second at both ends.
  package static func speech(_ decibels: [Float], threshold: Double) -> [Range<Int>] {
    var stretches: [Range<Int>] = []
    var start: Int?
    for (index, level) in decibels.enumerated() {
      if start == nil, Double(level) >= threshold { start = index }
      if let begin = start, Double(level) < threshold - 6 {
        stretches.append(begin..<index)
        start = nil
      }
    }
    if let start { stretches.append(start..<decibels.count) }
    let margin = SoundMeasure.rate / 5
    return stretches.map { ($0.lowerBound - margin)..<($0.upperBound + margin) }
  }

  /// Returns the gain in decibels, 100 values per second, for voices that speak in `speech`, until
  /// `end`.
  ///
  /// The gain is fully reduced at the start of each range and recovers after its end, along a
  /// cosine. It stays reduced between ranges whose distance is less than `attack`, `release` and
  /// one second together, and if less than two seconds remain.
  package static func ducked(_ speech: [Range<Int>], until end: Int, _ it: Ducking) -> [Float] {
    var gains = [Float](repeating: 0, count: max(0, end) + 1)
    let rate = Double(SoundMeasure.rate)
    let (attack, release) = (Int(it.attack * rate), Int(it.release * rate))
    var joined: [Range<Int>] = []
    for stretch in speech.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last,
        stretch.lowerBound - last.upperBound < release + attack + SoundMeasure.rate
      {
        joined[joined.count - 1] =
          last.lowerBound..<max(last.upperBound, stretch.upperBound)
      } else {
        joined.append(stretch)
      }
    }
    for stretch in joined {
      let isLast = end - stretch.upperBound < 2 * SoundMeasure.rate
      let stop = isLast ? end + 1 : stretch.upperBound + release
      for index in max(0, stretch.lowerBound - attack)..<max(0, min(end + 1, stop)) {
        var share = 1.0
        if index < stretch.lowerBound {
          share = 1 - Double(stretch.lowerBound - index) / Double(max(1, attack))
        } else if index > stretch.upperBound, !isLast {
          share = 1 - Double(index - stretch.upperBound) / Double(max(1, release))
        }
        let depth = Float(it.gain * (1 - Math.cosDegrees(180 * share)) / 2)
        gains[index] = min(gains[index], depth)
      }
    }
    return gains
  }
}
