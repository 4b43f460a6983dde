// SPDX-License-Identifier: MIT
import CAV
import SceneAV
import SceneClips
import SceneGraphics
import SceneModel
import ScenePixels
import SceneSystem

/// Serves one request to measure the whole audio of a clip.
func serveLevels(
  of clip: FileStore, index: [UInt8], memory: SharedMemory, channel: MessageChannel
) {
  guard let track = ClipIndex(index)?.sound,
    let request = channel.next().flatMap({ LevelsRequest($0) })
  else { return }
  var reply: ClipReply
  do throws(AssetError) {
    // Levels that drive animation must not depend on the processor.
    av_force_cpu_flags(0)
    let room = memory.byteCount / 4
    var count = 0
    let width = request == .spectra ? SpectrumShape(rate: track.rate).binCount : 1
    try measure(clip, track: track, request: request, most: room / width) { floats in
      memory.store(floats, at: count)
      count += floats.count
    }
    reply = .done(count)
  } catch {
    reply = .refused(error)
  }
  _ = channel.send(reply.bytes)
}

/// Measures the audio in a single pass and calls `take` with each result, at most `most` times.
private func measure(
  _ clip: FileStore, track: ClipIndex.SoundTrack, request: LevelsRequest, most: Int,
  take: ([Float]) -> Void
) throws(AssetError) {
  var cursor = try SoundCursor(clip, track)
  var meter = SoundMeter(request, rate: track.rate, channels: track.channels)
  let count = min(most, (track.sampleCount * SoundMeasure.rate + track.rate - 1) / track.rate)
  func start(_ level: Int) -> Int { level * track.rate / SoundMeasure.rate }
  // The window extends beyond the hundredth of a second that it represents.
  var read = 0
  for level in 0..<count {
    let wanted = start(level + 1) + meter.reach
    if wanted > read {
      meter.add(try cursor.samples(read, wanted - read))
      read = wanted
    }
    take(meter.next(start(level)..<start(level + 1)))
  }
}

/// Measures audio that is passed in incrementally.
struct SoundMeter {
  private let request: LevelsRequest
  private let channels: Int
  private let shape: SpectrumShape
  private let spectrum: SoundSpectrum?
  private let window: [Float]
  /// Interleaved samples from `first` on.
  private var held: [Float]
  private var first: Int
  /// The logarithmic powers of the previous window; zero before the first.
  private var last: [Float]

  /// The number of samples on each side of the window's center.
  private var half: Int { window.count / 2 }
  /// The number of samples required after the measured ones.
  var reach: Int { half }

  init(_ request: LevelsRequest, rate: Int, channels: Int) {
    self.request = request
    self.channels = channels
    shape = SpectrumShape(rate: rate)
    let size = request == .measure(.power) ? 0 : shape.windowLength
    spectrum = size > 0 ? SoundSpectrum(bits: shape.bits) : nil
    window = (0..<size).map { Float(0.5 - 0.5 * Math.cos(Math.tau * Double($0) / Double(size))) }
    held = [Float](repeating: 0, count: size / 2 * channels)
    first = -size / 2
    last = [Float](repeating: 0, count: size / 2)
  }

  mutating func add(_ samples: [Float]) { held += samples }

  /// Returns the measurement of a range of samples. Ranges must be ascending.
  mutating func next(_ range: Range<Int>) -> [Float] {
    switch request {
    case .spectra: powers(range)
    case .measure(let measure): [level(measure, range)]
    }
  }

  /// Returns a level in decibels or in the unit of the measure.
  private mutating func level(_ measure: SoundMeasure, _ range: Range<Int>) -> Float {
    switch measure {
    case .power:
      defer { drop(before: range.upperBound) }
      let from = (range.lowerBound - first) * channels
      let to = min(held.count, (range.upperBound - first) * channels)
      var sum = 0.0
      for index in from..<max(from, to) { sum += Double(held[index]) * Double(held[index]) }
      return SoundMeasure.decibels(sum / Double(max(1, range.count * channels)))
    case .band(let low, let high):
      let powers = self.powers(range)
      let sum = shape.bins(low: low, high: high).reduce(0.0) { $0 + Double(powers[$1]) }
      return shape.decibels(ofBand: sum)
    case .onsets:
      let logs = powers(range).map { Float(Math.log(1 + 100 * Double($0).squareRoot())) }
      defer { last = logs }
      // Equal weights per octave make a drum count more than a cymbal.
      var sum: Float = 0
      for (bin, (now, before)) in zip(logs, last).enumerated().dropFirst() {
        sum += max(0, now - before) / Float(bin)
      }
      return sum
    }
  }

  /// Returns the power of each bin around the center of a range.
  private mutating func powers(_ range: Range<Int>) -> [Float] {
    windowed(around: (range.lowerBound + range.upperBound) / 2)
  }

  /// Returns the power of each bin around a sample, averaged over the first two channels.
  private mutating func windowed(around middle: Int) -> [Float] {
    drop(before: middle - half)
    var sums = [Float](repeating: 0, count: window.count / 2)
    let used = min(2, channels)
    for channel in 0..<used {
      var block = window
      for index in block.indices {
        let at = (middle - half - first + index) * channels + channel
        block[index] *= held.indices.contains(at) ? held[at] : 0
      }
      spectrum?.transform(&block)
      for bin in 1..<sums.count {
        let (real, imaginary) = (block[2 * bin], block[2 * bin + 1])
        sums[bin] += (real * real + imaginary * imaginary) / Float(used)
      }
    }
    return sums
  }

  private mutating func drop(before sample: Int) {
    let count = min(held.count, max(0, (sample - first) * channels))
    held.removeFirst(count)
    first += count / channels
  }
}

/// A real Fourier transform of a fixed size.
@safe private final class SoundSpectrum {
  @safe private let context: Owned<OpaquePointer>

  init?(bits: Int) {
    let made = unsafe Owned(av_rdft_init(Int32(bits), DFT_R2C), av_rdft_end)
    guard let made = unsafe made else { return nil }
    unsafe context = made
  }

  /// Transforms in place to pairs of real and imaginary parts. The first pair holds the real parts
  /// of zero and of the highest frequency.
  func transform(_ block: inout [Float]) {
    unsafe av_rdft_calc(context.pointer, &block)
  }
}
