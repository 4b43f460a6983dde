// SPDX-License-Identifier: MIT
import SceneDigest
import SceneIR
import SceneLanguage
import SceneModel
import SceneVideo
import Synchronization

/// Encoded segments that several videos of one scene may have in common.
///
/// Equal content means equal pixels, and with equal settings equal packets: what a row of data does
/// not change is drawn and encoded once for all rows, wherever it is in them.
final class SegmentStore: Sendable {
  private struct State {
    var packets: [SHA256: [VideoPacket]] = [:]
    var bytes = 0
    var hits = 0
  }

  /// Bytes of packets that are kept; further ones are not.
  private static let byteLimit = 256 << 20

  private let state = Mutex(State())

  /// How many segments were taken from here.
  var hits: Int { state.withLock { $0.hits } }

  /// Copies of what is kept; whoever writes packets takes them over.
  func packets(_ key: SHA256) throws -> [VideoPacket]? {
    let known = state.withLock { state in
      let known = state.packets[key]
      if known != nil { state.hits += 1 }
      return known
    }
    return try known?.map { try $0.copy() }
  }

  func keep(_ packets: [VideoPacket], _ key: SHA256) throws {
    let bytes = packets.reduce(0) { $0 + $1.byteCount }
    let copies = try packets.map { try $0.copy() }
    state.withLock { state in
      guard state.bytes + bytes <= SegmentStore.byteLimit else { return }
      state.packets[key] = copies
      state.bytes += bytes
    }
  }

  /// What packets are known by: all that they follow from.
  static func key(
    _ content: [UInt8], _ settings: VideoSettings, _ fit: FrameFit, endsVideo: Bool
  ) throws -> SHA256 {
    let encoder = CanonicalEncoder()
    try encoder.encode(settings.ofPictures)
    try encoder.encode(fit)
    try encoder.encode(endsVideo && settings.isVariable)
    return SHA256(of: encoder.bytes + content)
  }
}
