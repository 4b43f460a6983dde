// SPDX-License-Identifier: MIT
import SceneIR
import SceneVideo
import Synchronization

/// Encoded segments that several videos of one scene may have in common.
///
/// Equal programs mean equal pixels, and with equal settings equal packets: what a row of data does
/// not change is drawn and encoded once for all rows.
final class SegmentStore: Sendable {
  /// What the packets of a segment follow from.
  struct Key: Hashable {
    let settings: VideoSettings
    /// Frames from the start of the video.
    let frames: Range<Int>
    let isStill: Bool
    /// Two hashes of the programs, each with a seed of its own.
    let digest: [Int]
  }

  private struct State {
    var packets: [Key: [VideoPacket]] = [:]
    var bytes = 0
    var hits = 0
  }

  /// Bytes of packets that are kept; further ones are not.
  private static let byteLimit = 256 << 20

  private let state = Mutex(State())

  /// How many segments were taken from here.
  var hits: Int { state.withLock { $0.hits } }

  /// Copies of what is kept; whoever writes packets takes them over.
  func packets(_ key: Key) throws -> [VideoPacket]? {
    let known = state.withLock { state in
      let known = state.packets[key]
      if known != nil { state.hits += 1 }
      return known
    }
    return try known?.map { try $0.copy() }
  }

  func keep(_ packets: [VideoPacket], _ key: Key) throws {
    let bytes = packets.reduce(0) { $0 + $1.byteCount }
    let copies = try packets.map { try $0.copy() }
    state.withLock { state in
      guard state.bytes + bytes <= SegmentStore.byteLimit else { return }
      state.packets[key] = copies
      state.bytes += bytes
    }
  }

  static func digest(_ programs: [FrameProgram]) -> [Int] {
    (0..<2).map { seed in
      var hasher = Hasher()
      hasher.combine(seed)
      hasher.combine(programs)
      return hasher.finalize()
    }
  }
}
