// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
package import SceneModel
package import ScenePixels
import Synchronization

/// An error from decoding a frame or the audio of a clip.
package struct ClipError: Error, Hashable, Sendable, CustomStringConvertible {
  package let path: String
  /// The number of the frame; `nil` for audio.
  package let picture: Int?
  package let time: Ticks
  package let reason: String
  /// Whether the decoder exceeded its CPU limit. Other frames may still be decodable.
  let isTimeout: Bool

  init(path: String, picture: Int?, time: Ticks, reason: String, isTimeout: Bool = false) {
    self.path = path
    self.picture = picture
    self.time = time
    self.reason = reason
    self.isTimeout = isTimeout
  }

  static let noClip = ClipError(path: "", picture: nil, time: .zero, reason: "the clip is not open")

  package var description: String {
    let what = picture.map { "frame \($0)" } ?? "the audio"
    return "\(what) of '\(path)', at \(time.description), cannot be decoded: \(reason)"
  }

  /// Returns the warning about a clip with undecodable frames.
  package static func remark(count: Int, first: Ticks) -> String {
    count == 1
      ? "the frame at \(first.description) is damaged"
      : "\(count) frames are damaged, the first at \(first.description)"
  }
}

/// A decoded, immutable frame of a clip. Its memory is reused after the last reference is released.
package final class ClipPicture: Sendable {
  private let slots: PictureSlots
  private let slot: Int

  init(_ slots: PictureSlots, slot: Int) {
    self.slots = slots
    self.slot = slot
  }

  deinit { slots.give(slot) }

  package var format: PictureFormat { slots.format }
  package var storedSize: PixelSize { slots.storedSize }
  package var orientation: ClipOrientation { slots.orientation }

  /// The display size before correction of the pixel aspect ratio. A quarter turn swaps the sides.
  package var size: PixelSize { orientation.applied(to: storedSize) }

  package var byteCount: Int { slots.layout.byteCount }

  /// Converts the frame to a new, upright BGRA buffer.
  package func draw(_ alpha: ClipReading.Alpha = .straight) -> PixelBuffer {
    let bytes = slot * byteCount..<(slot + 1) * byteCount
    return slots.memory.withBytes(bytes) {
      PixelBuffer(decoded: $0, format: format, size: storedSize, layout: slots.layout, alpha: alpha)
        .turned(orientation)
    }
  }

  /// Provides the decoded samples of a plane: rows of `plane.width` bytes with a stride of
  /// `plane.stride`.
  package func withPlane<T>(_ number: Int, _ body: (RawSpan, PictureLayout.Plane) -> T) -> T {
    let plane = slots.layout.planes[number]
    let start = slot * byteCount + plane.offset
    return slots.memory.withBytes(start..<(start + plane.stride * plane.rows)) { body($0, plane) }
  }
}

/// The memory for the frames of one clip, divided into slots of one frame each.
final class PictureSlots: Sendable {
  private struct State {
    /// A stack: the most recently used slot is last, since its pages are likely still mapped.
    var free: [Int] = []
    var used = 0
  }

  let memory: SharedMemory
  let layout: PictureLayout
  let format: PictureFormat
  let storedSize: PixelSize
  let orientation: ClipOrientation
  private let count: Int
  private let state = Mutex(State())
  /// The number of free slots whose pages stay mapped.
  private static let kept = 2

  /// Allocates some more slots than `byteLimit` holds, for frames that are still in use after they
  /// left the cache.
  init?(_ track: ClipIndex.PictureTrack, byteLimit: Int) {
    layout = PictureLayout(track.format, track.storedSize)
    count = byteLimit / layout.byteCount + 64
    (format, storedSize) = (track.format, track.storedSize)
    orientation = track.orientation
    guard let memory = SharedMemory(byteCount: layout.byteCount * count) else { return nil }
    self.memory = memory
  }

  func take() -> Int? {
    state.withLock { state in
      if let slot = state.free.popLast() { return slot }
      guard state.used < count else { return nil }
      state.used += 1
      return state.used - 1
    }
  }

  /// Returns the pages of free slots to the system.
  func empty() {
    state.withLock { state in
      for slot in state.free.suffix(PictureSlots.kept) {
        memory.empty(slot * layout.byteCount..<(slot + 1) * layout.byteCount)
      }
    }
  }

  func give(_ slot: Int) {
    let isSurplus = state.withLock { state in
      state.free.append(slot)
      guard state.free.count > PictureSlots.kept else { return -1 }
      // The slot is emptied before it can be taken again. The slots below it have already returned
      // their pages.
      return state.free.remove(at: state.free.count - 1 - PictureSlots.kept)
    }
    guard isSurplus >= 0 else { return }
    memory.empty(isSurplus * layout.byteCount..<(isSurplus + 1) * layout.byteCount)
    state.withLock { $0.free.insert(isSurplus, at: 0) }
  }
}
