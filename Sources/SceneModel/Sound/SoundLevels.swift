// SPDX-License-Identifier: MIT
import SceneGraphics

/// What is measured of a sound, 100 times a second.
package enum SoundMeasure: Hashable, Sendable {
  /// The mean power of each hundredth of a second, of both sides; 0 dB is that of a full-scale square.
  case power
  /// The power between two frequencies in Hz; 0 dB is that of a full-scale sine.
  case band(low: Double, high: Double)
  /// How much louder the frequencies get, each octave counting as much.
  case onsets

  /// Measurements a second.
  package static let rate = 100
}

/// What becomes of measured levels: pure computations on lists of 100 numbers a second.
package enum SoundLevels {
  /// From decibels to `0...1`: 1 is as loud as the loudest hundredth part, 0 is 40 dB below that or
  /// less. It rises at once; in `smooth` seconds it falls to 1/e.
  package static func shares(_ decibels: [Float], smooth: Double) -> [Float] {
    guard !decibels.isEmpty else { return [] }
    let loud = decibels.sorted()[min(decibels.count - 1, decibels.count * 99 / 100)]
    let kept = smooth > 0 ? Float(Math.exp(-1 / (smooth * Double(SoundMeasure.rate)))) : 0
    var last: Float = 0
    return decibels.map { level in
      // What is nearly silent all the time has no loud part.
      let share = loud < -80 ? 0 : max(0, min(1, (level - loud + 40) / 40))
      last = max(share, last * kept)
      return last
    }
  }

  /// How a voice turns something else down.
  package struct Ducking: Hashable, Sendable {
    /// Decibels, below 0.
    package var gain: Double
    /// Seconds that it takes to go down before the voice, and up behind it.
    package var attack: Double
    package var release: Double
    /// The decibels from which a sound counts as the voice.
    package var threshold: Double

    package init(gain: Double, attack: Double, release: Double, threshold: Double) {
      self.gain = gain
      self.attack = attack
      self.release = release
      self.threshold = threshold
    }
  }

  /// Where a voice speaks: stretches of hundredths of a second, which begin at the threshold, end 6 dB
  /// below it, and are widened by a fifth of a second at both ends.
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

  /// The gain in decibels, 100 times a second, for voices that speak in `speech`, until `end`.
  ///
  /// It is down when a range of `speech` begins and goes up when it ends, in a cosine. Between two ranges
  /// less than `attack`, `release` and a second apart it stays down, and so it does when less than two
  /// seconds are left.
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
