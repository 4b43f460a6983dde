// SPDX-License-Identifier: MIT
import SceneModel

/// The frames to render ahead of requests: those after the last viewed frame, wrapping around at
/// the end.
struct Ahead: Sendable {
  private static let greatestCount = 300

  private var wish: Wish
  /// The number of frames taken after the current one.
  private var taken = 0

  init(after wish: Wish) { self.wish = wish }

  private var frameCount: Int { max(1, wish.revision.model.frameCount) }

  /// Continues from a new request. Progress is kept if both requests have the same settings.
  mutating func follow(_ next: Wish) {
    let isSame =
      wish.revision === next.revision && wish.width == next.width && wish.ground == next.ground
    let step = (next.frame - wish.frame + frameCount) % frameCount
    taken = isSame && step <= taken ? taken - step : 0
    wish = next
  }

  /// Returns the next frame in playback order; `nil` when enough frames have been taken.
  mutating func next() -> Wish? {
    guard taken < min(Ahead.greatestCount, frameCount - 1) else { return nil }
    taken += 1
    return wish.played((wish.frame + taken) % frameCount)
  }
}
