// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
package import SceneModel
package import ScenePixels
import Synchronization

/// Why a picture of a clip cannot be shown, or its sound not be heard.
package struct ClipFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let path: String
  /// `nil` for sound.
  package let picture: Int?
  package let time: Ticks
  package let reason: String
  /// Whether its decoder took too much CPU, which says nothing of other frames.
  let isTimeout: Bool

  init(path: String, picture: Int?, time: Ticks, reason: String, isTimeout: Bool = false) {
    self.path = path
    self.picture = picture
    self.time = time
    self.reason = reason
    self.isTimeout = isTimeout
  }

  static let noClip = ClipFault(path: "", picture: nil, time: .zero, reason: "the clip is not open")

  package var description: String {
    let what = picture.map { "frame \($0)" } ?? "the audio"
    return "\(what) of '\(path)', at \(time.description), cannot be decoded: \(reason)"
  }

  /// What a warning says of a clip in which some frames cannot be decoded.
  package static func remark(count: Int, first: Ticks) -> String {
    count == 1
      ? "the frame at \(first.description) is damaged"
      : "\(count) frames are damaged, the first at \(first.description)"
  }
}

/// One decoded picture of a clip, which nobody changes any more; its memory is used again when the
/// last one lets go of it.
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

  /// As it is shown, but for the aspect of its pixels: sides are swapped by a quarter turn.
  package var size: PixelSize { orientation.applied(to: storedSize) }

  package var byteCount: Int { slots.layout.byteCount }

  /// A new picture of BGRA, upright.
  package func draw(_ alpha: ClipReading.Alpha = .straight) -> PixelBuffer {
    let bytes = slot * byteCount..<(slot + 1) * byteCount
    return slots.memory.withBytes(bytes) {
      PixelBuffer(decoded: $0, format, storedSize, slots.layout, alpha).turned(orientation)
    }
  }

  /// Lends the samples of a plane as they were decoded: rows of `plane.width` bytes, one each
  /// `plane.stride`.
  package func withPlane<T>(_ number: Int, _ body: (RawSpan, PictureLayout.Plane) -> T) -> T {
    let plane = slots.layout.planes[number]
    let start = slot * byteCount + plane.offset
    return slots.memory.withBytes(start..<(start + plane.stride * plane.rows)) { body($0, plane) }
  }
}

/// The memory for pictures of one clip, in parts that each hold one.
final class PictureSlots: Sendable {
  private struct State {
    /// The last one was used last, so that its pages are there.
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
  /// Free ones that keep their pages.
  private static let kept = 2

  /// For pictures of a track, some more than `byteLimit` holds: those that are drawn after they left
  /// the cache.
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

  /// Gives the pages of free ones back to the system.
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
      // Emptied before anybody takes it: those below have no pages any more.
      return state.free.remove(at: state.free.count - 1 - PictureSlots.kept)
    }
    guard isSurplus >= 0 else { return }
    memory.empty(isSurplus * layout.byteCount..<(isSurplus + 1) * layout.byteCount)
    state.withLock { $0.free.insert(isSurplus, at: 0) }
  }
}
