// SPDX-License-Identifier: MIT
import CAV
package import SceneAV
package import SceneLanguage

/// A sound track as pieces of eight seconds, of which each is encoded apart.
///
/// An encoder for a piece begins some frames before it and ends some after, so that its packets are those
/// of one that came from afar: windows meet at the seams as within a piece. Where an encoder needs all that
/// came before, pieces are a chain.
package struct SoundPieces: Sendable {
  package let settings: SoundSettings
  package let isChained: Bool
  private let file: FileFormat
  /// Samples that the encoder takes at once.
  private let frameSize: Int
  /// Samples that it puts in front of the first.
  private let padding: Int

  private static let seconds = 8
  /// Frames that an encoder hears before the first packet that counts, and behind the last.
  private static let lead = 16
  private static let tail = 4

  /// `isChained` where the samples are cheap in their order alone.
  package init(_ settings: SoundSettings, in file: FileFormat, isChained: Bool) throws(VideoFault) {
    let encoder = try SoundEncoder(settings, in: file)
    self.settings = settings
    self.file = file
    // Opus foretells from what it has sent, MP3 saves bits for later, FLAC numbers its frames.
    self.isChained = isChained || ![.aac, .pcm].contains(settings.codec)
    frameSize = encoder.frameSize
    padding = Int(encoder.codec.initial_padding)
  }

  private var length: Int {
    max(1, SoundPieces.seconds * settings.rate / frameSize) * frameSize
  }

  package var count: Int { max(1, (settings.sampleCount + length - 1) / length) }

  /// The samples of a piece.
  package func samples(of piece: Int) -> Range<Int> {
    let range = piece * length..<(piece + 1) * length
    return piece == count - 1
      ? min(range.lowerBound, settings.sampleCount)..<settings.sampleCount : range
  }

  /// The samples that the encoder of a piece hears, where it is not chained.
  package func reach(of piece: Int) -> Range<Int> {
    let own = samples(of: piece)
    guard padding > 0 else { return own }
    return max(
      0, own.lowerBound - SoundPieces.lead * frameSize)..<min(
        settings.sampleCount, own.upperBound + SoundPieces.tail * frameSize)
  }

  /// The time of its first packet.
  package func start(of piece: Int) -> Int { piece * length - padding }

  func encoder(from sample: Int) throws(VideoFault) -> SoundEncoder {
    try SoundEncoder(settings, in: file, from: sample)
  }

  /// Parts of samples that are encoded at once.
  fileprivate func frames(of samples: Range<Int>) -> [Range<Int>] {
    stride(from: samples.lowerBound, to: samples.upperBound, by: frameSize).map {
      $0..<min(samples.upperBound, $0 + frameSize)
    }
  }
}

/// Encodes pieces of a sound track. Used by one thread.
package final class SoundPieceEncoder {
  /// The samples of a part of a piece, left and right by turns.
  package typealias Samples = (_ piece: Int, Range<Int>) throws(VideoFault) -> [Float]

  private let pieces: SoundPieces
  /// The encoder of a chain, and the piece that comes next.
  private var chain: (encoder: SoundEncoder, next: Int)?

  package init(_ pieces: SoundPieces) { self.pieces = pieces }

  /// The packets of a piece, as bytes. Pieces of a chain that come before it are encoded too, if they were not.
  package func encode(_ piece: Int, _ samples: Samples) throws(VideoFault) -> [UInt8] {
    guard pieces.isChained else { return try encodeApart(piece, samples) }
    let known = chain.flatMap { $0.next <= piece ? $0 : nil }
    let encoder = if let known { known.encoder } else { try pieces.encoder(from: 0) }
    var next = known?.next ?? 0
    var bytes: [UInt8] = []
    while next <= piece {
      bytes = []
      for frame in pieces.frames(of: pieces.samples(of: next)) {
        for packet in try encoder.encode(samples(next, frame), count: frame.count) {
          bytes += packet.bytes
        }
      }
      next += 1
    }
    if next == pieces.count { for packet in try encoder.finish() { bytes += packet.bytes } }
    chain = next == pieces.count ? nil : (encoder, next)
    return bytes
  }

  private func encodeApart(_ piece: Int, _ samples: Samples) throws(VideoFault) -> [UInt8] {
    let reach = pieces.reach(of: piece)
    let isLast = piece == pieces.count - 1
    let start = piece == 0 ? Int64.min : Int64(pieces.start(of: piece))
    let end = isLast ? Int64.max : Int64(pieces.start(of: piece + 1))
    let encoder = try pieces.encoder(from: reach.lowerBound)
    var bytes: [UInt8] = []
    func take(_ packets: [Packet]) {
      for packet in packets where packet.pts >= start && packet.pts < end { bytes += packet.bytes }
    }
    for frame in pieces.frames(of: reach) {
      take(try encoder.encode(samples(piece, frame), count: frame.count))
    }
    // What it says of the end is for the last packet of all.
    take(try encoder.finish())
    return bytes
  }
}
