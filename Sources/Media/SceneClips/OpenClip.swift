// SPDX-License-Identifier: MIT
import CLinux
import SceneModel
import ScenePixels
import SceneSystem
import Synchronization

/// An indexed clip and the state for reading more of it.
final class OpenClip: Sendable {
  /// The descriptor from when the clip was opened. It stays valid if the path later refers to
  /// another file.
  let file: Int32
  /// The path in messages.
  let path: String
  let info: ClipInfo
  /// The encoded index for worker processes.
  let bytes: [UInt8]
  /// The video track of the index, without its packets.
  let track: ClipIndex.PictureTrack?
  let order: PictureOrder?
  private let slots = Mutex<PictureSlots?>(nil)

  /// Duplicates the file descriptor. Returns `nil` if the system has no free descriptors.
  init?(_ file: Int32, path: String, info: ClipInfo, index: ClipIndex, _ bytes: [UInt8]) {
    let own = Files.duplicate(file)
    guard own >= 0 else { return nil }
    self.file = own
    self.path = path
    self.info = info
    self.bytes = bytes
    order = index.pictures.map { PictureOrder($0) }
    var track = index.pictures
    track?.packets = []
    self.track = track
  }

  deinit { close(file) }

  /// Returns the memory for decoded frames, which is allocated on first use; `nil` if that fails.
  func slots(_ track: ClipIndex.PictureTrack, byteLimit: Int) -> PictureSlots? {
    slots.withLock { slots in
      if slots == nil { slots = PictureSlots(track, byteLimit: byteLimit) }
      return slots
    }
  }

  /// The size of a decoded frame in bytes.
  var pictureByteCount: Int {
    track.map { PictureLayout($0.format, $0.storedSize).byteCount } ?? 0
  }

  /// Returns the memory of unused frames to the system.
  func emptySlots() { slots.withLock { $0?.empty() } }

  func failure(_ picture: Int, _ reason: String, isTimeout: Bool = false) -> ClipError {
    let times = info.pictures?.times
    let time = times.map { $0.start(of: max(0, min(picture, $0.count - 1))) }
    return ClipError(
      path: path, picture: picture, time: time ?? .zero, reason: reason, isTimeout: isTimeout)
  }
}
