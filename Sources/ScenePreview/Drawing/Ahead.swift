// SPDX-License-Identifier: MIT
import SceneModel

/// The frames that are drawn before anyone asks: those that follow what a page looked at last, around
/// the end to the beginning.
struct Ahead: Sendable {
  private static let greatestCount = 300

  private var wish: Wish
  /// How many frames after that of the wish were taken.
  private var taken = 0

  init(after wish: Wish) { self.wish = wish }

  private var frameCount: Int { max(1, wish.revision.model.frameCount) }

  /// Goes on from another wish; what was taken stays so where both are of one kind.
  mutating func follow(_ next: Wish) {
    let isSame =
      wish.revision === next.revision && wish.width == next.width && wish.ground == next.ground
    let step = (next.frame - wish.frame + frameCount) % frameCount
    taken = isSame && step <= taken ? taken - step : 0
    wish = next
  }

  /// The next one, as it would be played; `nil` when enough is there.
  mutating func next() -> Wish? {
    guard taken < min(Ahead.greatestCount, frameCount - 1) else { return nil }
    taken += 1
    return wish.played((wish.frame + taken) % frameCount)
  }
}
