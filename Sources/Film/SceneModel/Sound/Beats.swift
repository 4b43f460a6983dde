// SPDX-License-Identifier: MIT
import SceneGraphics

/// The beats of a piece of music, after D. Ellis, Beat Tracking by Dynamic Programming (2007).
///
/// Computed from `SoundMeasure.onsets` at 100 values per second.
package struct Beats: Equatable, Sendable {
  /// The times of the beats, in seconds from the first sample.
  package let times: [Double]
  /// The tempo in beats per minute.
  package let tempo: Double
  /// The autocorrelation of the onsets at this tempo, from 0 to 1.
  package let confidence: Double

  /// The confidence below which the music has no steady beat.
  package static let leastConfidence = 0.3
  /// The weight of an even tempo relative to strong onsets.
  private static let tightness = 100.0
  /// The time by which a beat precedes the middle of its window, in hundredths of a second.
  private static let lead = 1.0

  package init(onsets: [Float]) {
    let rate = Double(SoundMeasure.rate)
    let strengths = Beats.normalized(onsets)
    guard let (period, confidence) = Beats.period(strengths) else {
      (times, tempo, self.confidence) = ([], 0, 0)
      return
    }
    self.confidence = confidence
    let found = Beats.path(strengths, period)
    times = found.map { max(0, (Double($0) + 0.5 + Beats.lead) / rate) }
    // Averaging over all beats is more precise than whole hundredths.
    if let first = times.first, let last = times.last, times.count > 1 {
      tempo = 60 * Double(times.count - 1) / (last - first)
    } else {
      tempo = 60 * rate / Double(period)
    }
  }

  /// Smooths the onsets, removes their trend, and scales them to unit standard deviation.
  private static func normalized(_ onsets: [Float]) -> [Double] {
    let weights = [0.1, 0.25, 0.3, 0.25, 0.1]
    var smooth = [Double](repeating: 0, count: onsets.count)
    for index in onsets.indices {
      // Extends the values beyond both ends, so that the ends are not onsets.
      for (offset, weight) in weights.enumerated() {
        let at = max(0, min(onsets.count - 1, index + offset - 2))
        smooth[index] += weight * Double(onsets[at])
      }
    }
    var sums = [0.0]
    for value in smooth { sums.append(sums[sums.count - 1] + value) }
    let reach = 100
    for index in smooth.indices {
      let (low, high) = (max(0, index - reach), min(smooth.count, index + reach + 1))
      smooth[index] = max(0, smooth[index] - (sums[high] - sums[low]) / Double(high - low))
    }
    let square = smooth.reduce(0) { $0 + $1 * $1 } / Double(max(1, smooth.count))
    let deviation = square.squareRoot()
    return deviation > 1e-9 ? smooth.map { $0 / deviation } : []
  }

  /// Returns the lag with the highest autocorrelation, weighted toward two beats per second, and
  /// that correlation; `nil` if there is no periodicity or the music is too short.
  private static func period(_ strengths: [Double]) -> (Int, confidence: Double)? {
    let lags = 25...200
    guard strengths.count > 2 * lags.upperBound else { return nil }
    func correlation(_ lag: Int) -> Double {
      var sum = 0.0
      for index in 0..<strengths.count - lag { sum += strengths[index] * strengths[index + lag] }
      return sum / Double(strengths.count - lag)
    }
    // The strengths have unit standard deviation, so the autocorrelation at lag 0 is 1.
    let mean = strengths.reduce(0, +) / Double(strengths.count)
    let all = lags.map { correlation($0) - mean * mean }
    let weighted = zip(lags, all).map { lag, value -> Double in
      let octaves = Math.log(Double(lag) / 50) / Math.log(2)
      return value * Math.exp(-0.5 * (octaves / 0.9) * (octaves / 0.9))
    }
    guard let best = weighted.indices.max(by: { weighted[$0] < weighted[$1] }), weighted[best] > 0
    else { return nil }
    return (lags.lowerBound + best, min(1, max(0, all[best] / max(1e-9, 1 - mean * mean))))
  }

  /// Returns the positions with strong onsets whose distances are close to the period.
  private static func path(_ strengths: [Double], _ period: Int) -> [Int] {
    var scores = strengths
    var before = [Int](repeating: -1, count: strengths.count)
    let steps = (max(1, period / 2))...(2 * period)
    let penalties = steps.map { step -> Double in
      let off = Math.log(Double(step) / Double(period))
      return -tightness * off * off
    }
    for index in strengths.indices {
      var best = 0.0
      for step in steps where index - step >= 0 {
        let score = scores[index - step] + penalties[step - steps.lowerBound]
        if score > best { (best, before[index]) = (score, index - step) }
      }
      scores[index] = strengths[index] + best
    }
    guard let end = scores.indices.suffix(2 * period).max(by: { scores[$0] < scores[$1] }) else {
      return []
    }
    var places: [Int] = []
    var next = end
    while next >= 0 {
      places.append(next)
      next = before[next]
    }
    // Drops positions before the first onset.
    return places.reversed().drop { strengths[$0] < 0.5 }.map { $0 }
  }
}
