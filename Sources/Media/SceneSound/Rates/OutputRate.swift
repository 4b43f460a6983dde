// SPDX-License-Identifier: MIT

/// A mix from a start sample on, converted to the sample rate of a file.
package struct OutputRate {
  private var mixer: Mixer
  private let first: Int
  private let rate: Int
  private let table: ResampleTable

  /// `first` is a sample number of the mix.
  package init(_ mixer: Mixer, from first: Int, rate: Int) {
    self.mixer = mixer
    self.first = first
    self.rate = rate
    table = ResampleTable(ratio: Double(mixer.rate.samples) / Double(rate))
  }

  /// The strongest reduction by the limiter.
  package var limited: Limited? {
    get { mixer.limited }
    set { mixer.limited = newValue }
  }

  /// Returns interleaved stereo samples at the output rate.
  package mutating func samples(from: Int, count: Int) throws -> [Float] {
    if rate == mixer.rate.samples || count == 0 {
      return try mixer.mix(from: first + from, count: count)
    }
    let places = (from..<from + count).map { number -> SamplePlace in
      let (whole, rest) = (number * mixer.rate.samples).quotientAndRemainder(dividingBy: rate)
      return (first + whole, Double(rest) / Double(rate))
    }
    let start = places[0].whole - table.reach
    let needed = places[count - 1].whole - start + table.taps
    let mix = try mixer.mix(from: start, count: needed)
    let samples = table.samples(
      ChannelFold.stereo(mix, channels: 2), isMono: false, from: start, at: places)
    return zip(samples.left, samples.right).flatMap { [$0, $1] }
  }
}
