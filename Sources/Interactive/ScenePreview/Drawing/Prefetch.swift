// SPDX-License-Identifier: MIT
import SceneModel

/// The frames to render ahead of requests: those after the last viewed frame, wrapping around at
/// the end.
struct Prefetch: Sendable {
  private static let greatestCount = 300

  private var request: FrameRequest
  /// The number of frames taken after the current one.
  private var taken = 0

  init(after request: FrameRequest) { self.request = request }

  private var frameCount: Int { max(1, request.revision.model.frameCount) }

  /// Continues from a new request. Progress is kept if both requests have the same settings.
  mutating func follow(_ next: FrameRequest) {
    let isSame =
      request.revision === next.revision && request.width == next.width
      && request.ground == next.ground
    let step = (next.frame - request.frame + frameCount) % frameCount
    taken = isSame && step <= taken ? taken - step : 0
    request = next
  }

  /// Returns the next frame in playback order; `nil` when enough frames have been taken.
  mutating func next() -> FrameRequest? {
    guard taken < min(Prefetch.greatestCount, frameCount - 1) else { return nil }
    taken += 1
    return request.played((request.frame + taken) % frameCount)
  }
}
