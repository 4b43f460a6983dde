// SPDX-License-Identifier: MIT
import CLinux
import SceneModel
import ScenePixels
import SceneSystem
import Synchronization

/// A clip that was indexed, and what is needed to read more of it.
final class OpenClip: Sendable {
  /// The clip as it was opened: what takes its name later is another one.
  let file: Int32
  /// For messages.
  let path: String
  let info: ClipInfo
  /// The index as it is sent.
  let bytes: [UInt8]
  /// What the index says of its pictures, but for the table of packets.
  let track: ClipIndex.PictureTrack?
  let order: PictureOrder?
  private let slots = Mutex<PictureSlots?>(nil)

  /// Shares the open file; `nil` when the system has no more descriptors.
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

  /// The memory for its pictures, made when first asked for.
  func slots(_ track: ClipIndex.PictureTrack, byteLimit: Int) -> PictureSlots? {
    slots.withLock { slots in
      if slots == nil { slots = PictureSlots(track, byteLimit: byteLimit) }
      return slots
    }
  }

  /// What one of its pictures takes.
  var pictureByteCount: Int {
    track.map { PictureLayout($0.format, $0.storedSize).byteCount } ?? 0
  }

  /// Gives back the memory of pictures that nobody holds.
  func emptySlots() { slots.withLock { $0?.empty() } }

  func fault(_ picture: Int, _ reason: String, isTimeout: Bool = false) -> ClipFault {
    let times = info.pictures?.times
    let time = times.map { $0.start(of: max(0, min(picture, $0.count - 1))) }
    return ClipFault(
      path: path, picture: picture, time: time ?? .zero, reason: reason, isTimeout: isTimeout)
  }
}
