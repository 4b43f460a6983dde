// SPDX-License-Identifier: MIT
import SceneJSON
import SceneModel
import SceneWeb

/// A request for a frame.
struct FrameRequest: QueuedPicture {
  /// The purpose of a frame, named as in the protocol.
  enum Purpose: String, Sendable { case rest, scrub, play }

  typealias Ground = FrameCache.Ground

  let tab: WebClient
  /// The identifier of the request; 0 for frames rendered without a request.
  let id: JSON
  var revision: Revision
  let frame: Int
  /// The width in pixels.
  let width: Int
  let purpose: Purpose
  let ground: Ground
  /// The digest of the image that the page already has.
  let have: String?
  let asked: ContinuousClock.Instant

  var isPlayed: Bool { purpose == .play }

  /// Returns the request for a different frame during playback.
  func played(_ frame: Int) -> FrameRequest {
    FrameRequest(
      tab: tab, id: 0, revision: revision, frame: frame, width: width, purpose: .play,
      ground: ground, have: nil, asked: asked)
  }

  /// Returns the request for the same frame of a later revision, before the page asks for it.
  func pushed(_ revision: Revision, have: String?, asked: ContinuousClock.Instant) -> FrameRequest {
    FrameRequest(
      tab: tab, id: 0, revision: revision, frame: min(frame, revision.model.frameCount - 1),
      width: width, purpose: .rest, ground: ground, have: have, asked: asked)
  }
}
