// SPDX-License-Identifier: MIT
import CAV
package import SceneAV
import SceneLanguage

/// Decodes the packets of an audio track in order, as a player does. Used by one thread.
package final class SoundDecoder {
  private let decoder: DecodingContext
  private let frame: Frame
  private let channels: Int

  /// Opens the decoder of a track; returns `nil` for lossless codecs and if libav has no decoder.
  package init?(_ pieces: SoundPieces) throws(VideoError) {
    guard let name = pieces.settings.codec.decoder,
      let decoder = try DecodingContext(decoder: name, of: pieces.encoder(from: 0).codec)
    else { return nil }
    self.decoder = decoder
    frame = try Frame()
    channels = pieces.settings.channels
  }

  /// Returns the samples that become available after a packet, interleaved and including the
  /// encoder's priming. `nil` flushes the decoder.
  package func samples(after packet: Packet?) -> [Float] {
    _ = decoder.send(packet)
    var samples: [Float] = []
    while decoder.receive(frame) >= 0 { samples += frame.samples(channels: channels) }
    return samples
  }
}

extension SoundCodec {
  /// The name of the decoder in libav; `nil` for lossless codecs.
  fileprivate var decoder: String? {
    switch self {
    case .aac, .opus: rawValue
    case .mp3: "mp3float"
    case .flac, .pcm: nil
    }
  }
}
