// SPDX-License-Identifier: MIT
import CAV
package import SceneAV
package import SceneLanguage

/// An audio track divided into pieces of eight seconds that are encoded independently.
///
/// The encoder of a piece starts some frames before it and ends some frames after it, so that its
/// packets equal those of a continuous encoding and windows overlap correctly at the joints. For
/// encoders that depend on all earlier samples, the pieces form a chain.
package struct SoundPieces: Sendable {
  package let settings: SoundSettings
  package let isChained: Bool
  private let file: FileFormat
  /// The number of samples per encoder frame.
  private let frameSize: Int
  /// The number of priming samples.
  private let padding: Int

  private static let seconds = 8
  /// The number of frames encoded before the first used packet and after the last.
  private static let lead = 16
  private static let tail = 4

  /// Divides a track. Set `isChained` if samples can be produced efficiently only in order.
  package init(_ settings: SoundSettings, in file: FileFormat, isChained: Bool) throws(VideoError) {
    let encoder = try SoundEncoder(settings, in: file)
    self.settings = settings
    self.file = file
    // Opus predicts from earlier packets, MP3 has a bit reservoir, and FLAC numbers its frames.
    self.isChained = isChained || ![.aac, .pcm].contains(settings.codec)
    frameSize = encoder.frameSize
    padding = Int(encoder.codec.initial_padding)
  }

  private var length: Int {
    max(1, SoundPieces.seconds * settings.rate / frameSize) * frameSize
  }

  package var count: Int { max(1, (settings.sampleCount + length - 1) / length) }

  /// Returns the samples of a piece.
  package func samples(of piece: Int) -> Range<Int> {
    let range = piece * length..<(piece + 1) * length
    return piece == count - 1
      ? min(range.lowerBound, settings.sampleCount)..<settings.sampleCount : range
  }

  /// Returns the samples that the encoder of an unchained piece requires.
  package func reach(of piece: Int) -> Range<Int> {
    let own = samples(of: piece)
    guard padding > 0 else { return own }
    return max(
      0, own.lowerBound - SoundPieces.lead * frameSize)..<min(
        settings.sampleCount, own.upperBound + SoundPieces.tail * frameSize)
  }

  /// Returns the timestamp of a piece's first packet.
  package func start(of piece: Int) -> Int { piece * length - padding }

  func encoder(from sample: Int) throws(VideoError) -> SoundEncoder {
    try SoundEncoder(settings, in: file, from: sample)
  }

  /// Divides a range of samples into encoder frames.
  fileprivate func frames(of samples: Range<Int>) -> [Range<Int>] {
    stride(from: samples.lowerBound, to: samples.upperBound, by: frameSize).map {
      $0..<min(samples.upperBound, $0 + frameSize)
    }
  }
}

/// Encodes the pieces of an audio track. Used by one thread.
package final class SoundPieceEncoder {
  /// Returns interleaved stereo samples for a range within or around a piece.
  package typealias Samples = (_ piece: Int, Range<Int>) throws(VideoError) -> [Float]

  private let pieces: SoundPieces
  /// The encoder of a chain, and the next piece.
  private var chain: (encoder: SoundEncoder, next: Int)?

  package init(_ pieces: SoundPieces) { self.pieces = pieces }

  /// Returns the packets of a piece, serialized. Encodes all earlier pieces of a chain as well,
  /// unless this was done before.
  package func encode(_ piece: Int, _ samples: Samples) throws(VideoError) -> [UInt8] {
    guard pieces.isChained else { return try encodeApart(piece, samples) }
    let known = chain.flatMap { $0.next <= piece ? $0 : nil }
    let encoder = if let known { known.encoder } else { try pieces.encoder(from: 0) }
    var next = known?.next ?? 0
    var bytes: [UInt8] = []
    while next <= piece {
      bytes = []
      for frame in pieces.frames(of: pieces.samples(of: next)) {
        for packet in try encoder.encode(samples(next, frame), count: frame.count) {
          packet.append(to: &bytes)
        }
      }
      next += 1
    }
    if next == pieces.count { for packet in try encoder.finish() { packet.append(to: &bytes) } }
    chain = next == pieces.count ? nil : (encoder, next)
    return bytes
  }

  private func encodeApart(_ piece: Int, _ samples: Samples) throws(VideoError) -> [UInt8] {
    let reach = pieces.reach(of: piece)
    let isLast = piece == pieces.count - 1
    let start = piece == 0 ? Int64.min : Int64(pieces.start(of: piece))
    let end = isLast ? Int64.max : Int64(pieces.start(of: piece + 1))
    let encoder = try pieces.encoder(from: reach.lowerBound)
    var bytes: [UInt8] = []
    func take(_ packets: [Packet]) {
      for packet in packets where packet.pts >= start && packet.pts < end {
        packet.append(to: &bytes)
      }
    }
    for frame in pieces.frames(of: reach) {
      take(try encoder.encode(samples(piece, frame), count: frame.count))
    }
    // The end trimming that the encoder signals applies to the last packet of the track only.
    take(try encoder.finish())
    return bytes
  }
}
