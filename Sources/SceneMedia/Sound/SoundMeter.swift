// SPDX-License-Identifier: MIT
import CAV
import SceneAV
import SceneClips
import SceneGraphics
import SceneModel
import ScenePixels

/// Answers with what is asked to be measured of one clip's sound, from end to end.
func serveLevels(
  _ clip: FileStore, _ index: [UInt8], _ memory: SharedMemory, _ channel: MessageChannel
) {
  guard let track = ClipIndex(index)?.sound,
    let request = channel.next().flatMap({ LevelsRequest($0) })
  else { return }
  var reply: ClipReply
  do throws(AssetFault) {
    // What moves pictures must not depend on the processor.
    av_force_cpu_flags(0)
    let levels = try levels(clip, track, request.measure, most: memory.byteCount / 4)
    unsafe memory.withWritableBytes(0..<levels.count * 4) { bytes in
      unsafe levels.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
    }
    reply = .done(levels.count)
  } catch {
    reply = .refused(error)
  }
  _ = channel.send(reply.bytes)
}

private func levels(
  _ clip: FileStore, _ track: ClipIndex.SoundTrack, _ measure: SoundMeasure, most: Int
) throws(AssetFault) -> [Float] {
  var cursor = try SoundCursor(clip, track)
  var meter = SoundMeter(measure, rate: track.rate, channels: track.channels)
  let count = min(most, (track.sampleCount * SoundMeasure.rate + track.rate - 1) / track.rate)
  func start(_ level: Int) -> Int { level * track.rate / SoundMeasure.rate }
  // The window reaches beyond the hundredth of a second that it stands for.
  var read = 0
  var levels: [Float] = []
  levels.reserveCapacity(count)
  for level in 0..<count {
    let wanted = start(level + 1) + meter.reach
    if wanted > read {
      meter.add(try cursor.samples(read, wanted - read))
      read = wanted
    }
    levels.append(meter.next(start(level)..<start(level + 1)))
  }
  return levels
}

/// Measures a sound that is given to it piece by piece.
struct SoundMeter {
  private let measure: SoundMeasure
  private let rate: Int
  private let channels: Int
  private let spectrum: SoundSpectrum?
  private let window: [Float]
  /// Interleaved samples from `first` on.
  private var held: [Float]
  private var first: Int
  /// The logarithms of the last window, silence before the first.
  private var last: [Float]

  /// Samples on both sides of a window's middle.
  private var half: Int { window.count / 2 }
  /// How many samples it needs behind those that it measures.
  var reach: Int { half }

  init(_ measure: SoundMeasure, rate: Int, channels: Int) {
    self.measure = measure
    self.rate = rate
    self.channels = channels
    // About 43 ms, whatever the rate is.
    var bits = 6
    while 1 << bits < rate / 24 { bits += 1 }
    let size = measure == .power ? 0 : 1 << bits
    spectrum = size > 0 ? SoundSpectrum(bits: bits) : nil
    window = (0..<size).map { Float(0.5 - 0.5 * Math.cos(Math.tau * Double($0) / Double(size))) }
    held = [Float](repeating: 0, count: size / 2 * channels)
    first = -size / 2
    last = [Float](repeating: 0, count: size / 2)
  }

  mutating func add(_ samples: [Float]) { held += samples }

  /// The level of some samples, in decibels or the measure's own unit; ranges come in order.
  mutating func next(_ range: Range<Int>) -> Float {
    switch measure {
    case .power:
      defer { drop(before: range.upperBound) }
      let from = (range.lowerBound - first) * channels
      let to = min(held.count, (range.upperBound - first) * channels)
      var sum = 0.0
      for index in from..<max(from, to) { sum += Double(held[index]) * Double(held[index]) }
      return decibels(sum / Double(max(1, range.count * channels)))
    case .band(let low, let high):
      let powers = windowed(around: (range.lowerBound + range.upperBound) / 2)
      let step = Double(rate) / Double(window.count)
      let bins = max(1, Int((low / step).rounded()))...max(1, Int((high / step).rounded()))
      let sum = bins.clamped(to: 1...(window.count / 2 - 1)).reduce(0.0) {
        $0 + Double(powers[$1])
      }
      // A sine of full scale fills three bins of a Hann window with 3/8 N² / 4 of power.
      let full = 0.09375 * Double(window.count) * Double(window.count)
      return decibels(sum / full)
    case .onsets:
      let powers = windowed(around: (range.lowerBound + range.upperBound) / 2)
      let logs = powers.map { Float(Math.log(1 + 100 * Double($0).squareRoot())) }
      defer { last = logs }
      // Each octave counts as much as another, so that a drum is more than a cymbal.
      var sum: Float = 0
      for (bin, (now, before)) in zip(logs, last).enumerated().dropFirst() {
        sum += max(0, now - before) / Float(bin)
      }
      return sum
    }
  }

  /// In steps of a hundredth, so that nothing moves by less than can be seen.
  private func decibels(_ power: Double) -> Float {
    Float((1000 * Math.log(max(1e-12, power)) / Math.log(10)).rounded() / 100)
  }

  /// The power at each frequency around a sample, of the first two channels on average.
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

/// A Fourier transform of real numbers, of one size.
@safe private final class SoundSpectrum {
  private let context: OpaquePointer

  init?(bits: Int) {
    guard let made = unsafe av_rdft_init(Int32(bits), DFT_R2C) else { return nil }
    unsafe context = made
  }

  deinit { unsafe av_rdft_end(context) }

  /// In place: pairs of real and imaginary parts; the first pair holds those of 0 and of the highest
  /// frequency.
  func transform(_ block: inout [Float]) {
    unsafe block.withUnsafeMutableBufferPointer {
      unsafe av_rdft_calc(context, $0.baseAddress)
    }
  }
}
