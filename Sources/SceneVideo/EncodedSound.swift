// SPDX-License-Identifier: MIT
import SceneAV
import SceneSystem

/// The packets of a sound track, each with the number of samples that the encoder had by then: so they
/// can be handed on as they came.
package struct EncodedSound: Sendable {
  /// Bytes beyond which a track is not kept: an hour of AAC.
  private static let limit = 90 << 20

  package private(set) var bytes: [UInt8] = []
  /// Whether it was too long.
  private(set) var isCut = false

  init() {}

  package init(bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

  mutating func append(_ packet: Packet, at position: Int) {
    guard !isCut else { return }
    bytes += message(position) + packet.bytes
    isCut = bytes.count > EncodedSound.limit
    if isCut { bytes = [] }
  }

  /// Hands the packets out in their order. Used by one thread.
  struct Reader {
    private var rest: MessageReader
    private var position: Int?

    init(_ sound: EncodedSound) {
      rest = MessageReader(sound.bytes)
      advance()
    }

    private mutating func advance() { position = rest.isAtEnd ? nil : rest.number() }

    /// The next packet, if it came by the time that the encoder had so many samples.
    mutating func next(by samples: Int) throws(VideoFault) -> Packet? {
      guard let position, position <= samples else { return nil }
      guard let packet = try Packet(&rest) else {
        throw VideoFault(
          action: "read the sound of an earlier build", reason: "it is damaged", code: 0)
      }
      advance()
      return packet
    }
  }
}
