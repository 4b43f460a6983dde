// SPDX-License-Identifier: MIT
import CAV
package import SceneAV
import SceneLanguage

/// Decodes the packets of a sound track in their order, as a player does. Used by one thread.
package final class SoundDecoder {
  private let decoder: DecodingContext
  private let frame: Frame
  private let channels: Int

  /// `nil` where nothing is lost, or where this libav has no decoder.
  package init?(_ pieces: SoundPieces) throws(VideoFault) {
    guard let name = pieces.settings.codec.decoder,
      let decoder = try DecodingContext(decoder: name, of: pieces.encoder(from: 0).codec)
    else { return nil }
    self.decoder = decoder
    frame = try Frame()
    channels = pieces.settings.channels
  }

  /// The samples that are ready after a packet, interleaved; those that an encoder puts in front are among
  /// them. Without a packet, the rest.
  package func samples(after packet: Packet?) -> [Float] {
    _ = decoder.send(packet)
    var samples: [Float] = []
    while decoder.receive(frame) >= 0 { samples += frame.samples(channels: channels) }
    return samples
  }
}

extension SoundCodec {
  /// libav's name of the decoder, where decoded sound is not what was encoded.
  fileprivate var decoder: String? {
    switch self {
    case .aac, .opus: rawValue
    case .mp3: "mp3float"
    case .flac, .pcm: nil
    }
  }
}
