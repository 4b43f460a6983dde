// SPDX-License-Identifier: MIT
import SceneAV
import SceneEncoding
import SceneGraphics
import SceneLanguage
import SceneSound
import SceneSystem

/// The true peak of encoded audio.
struct EncodedPeak: Hashable, Sendable {
  /// The level in dBTP; negative infinity for silence.
  var decibels = -Double.infinity
  /// The index of a sample near the peak.
  var sample = 0
}

/// Measures the true peak of an audio track after decoding. Used by one thread.
struct EncodedPeakMeter {
  private let decoder: SoundDecoder
  private let channels: Int
  private let rate: Int
  /// The threshold amplitude. If all samples of a part are below it, the true peak of the part is
  /// below the limit.
  private let floor: Float
  /// Whether the loudness is measured, too.
  private let isWhole: Bool
  private var meter: LoudnessMeter?
  private var waiting: [Float] = []
  /// The samples of the previous part.
  private var before: [Float] = []
  private var wasLoud = false
  /// The index of the first sample that has not been measured.
  private var position: Int
  private(set) var peak = EncodedPeak()
  /// The loudness in LUFS; `nil` if it was not measured.
  private(set) var loudness: Double?

  private static let part = 4096

  /// Peaks far below `limit`, in dBTP, may be missed. Returns `nil` for a lossless codec.
  init?(_ pieces: SoundPieces, limit: Double) throws(VideoError) {
    guard let decoder = try SoundDecoder(pieces) else { return nil }
    self.decoder = decoder
    (channels, rate) = (pieces.settings.channels, pieces.settings.rate)
    floor = Float(Math.pow(10, limit / 20) / 2)
    // The loudness of a mono track differs from that of the stereo mix.
    isWhole = pieces.settings.loudness != nil && channels == 2
    if isWhole { meter = LoudnessMeter(rate: rate, channels: channels) }
    position = pieces.start(of: 0)
  }

  mutating func add(_ piece: SoundPiece) throws(VideoError) {
    var reader = MessageReader(piece.packets)
    while !reader.isAtEnd {
      guard let packet = try Packet(&reader) else { return }
      measure(decoder.samples(after: packet))
    }
  }

  /// Measures the remaining samples.
  mutating func finish() {
    measure(decoder.samples(after: nil))
    if isWhole { loudness = meter?.reading.loudness }
    let rest = EncodedPeakMeter.part * channels - waiting.count
    measure([Float](repeating: 0, count: rest))
  }

  private mutating func measure(_ samples: [Float]) {
    waiting += samples
    let size = EncodedPeakMeter.part * channels
    while waiting.count >= size {
      measure(part: Array(waiting.prefix(size)))
      waiting.removeFirst(size)
    }
  }

  /// Measures a part. Quiet parts skip the measurement between samples.
  private mutating func measure(part: [Float]) {
    let isLoud = isWhole || part.contains { abs($0) > floor }
    if isLoud && meter == nil {
      meter = LoudnessMeter(rate: rate, channels: channels)
      meter?.add(before)
    }
    if isLoud || wasLoud, let meter {
      meter.add(part)
      let decibels = meter.latestPeak
      if decibels > peak.decibels {
        let loudest = part.indices.max { abs(part[$0]) < abs(part[$1]) } ?? 0
        peak = EncodedPeak(decibels: decibels, sample: max(0, position + loudest / channels))
      }
    } else {
      meter = nil
    }
    position += EncodedPeakMeter.part
    (before, wasLoud) = (part, isLoud)
  }
}
