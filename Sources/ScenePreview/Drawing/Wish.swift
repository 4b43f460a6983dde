// SPDX-License-Identifier: MIT
import SceneJSON
import SceneModel
import SceneWeb

/// A picture that a page asks for.
struct Wish: QueuedPicture {
  /// What a picture is for, as the page says it.
  enum Purpose: String, Sendable { case rest, scrub, play }

  typealias Ground = KeptFrames.Ground

  let tab: WebClient
  /// The number of the request; 0 where nobody asked.
  let id: JSON
  var revision: Revision
  let frame: Int
  /// In pixels.
  let width: Int
  let purpose: Purpose
  let ground: Ground
  /// The digest of the picture that the page has.
  let have: String?
  let asked: ContinuousClock.Instant

  var isPlayed: Bool { purpose == .play }

  /// Another frame of the same, as it is played.
  func played(_ frame: Int) -> Wish {
    Wish(
      tab: tab, id: 0, revision: revision, frame: frame, width: width, purpose: .play,
      ground: ground, have: nil, asked: asked)
  }

  /// The same frame of a later revision, for a page that did not ask for it yet.
  func pushed(_ revision: Revision, have: String?, asked: ContinuousClock.Instant) -> Wish {
    Wish(
      tab: tab, id: 0, revision: revision, frame: min(frame, revision.model.frameCount - 1),
      width: width, purpose: .rest, ground: ground, have: have, asked: asked)
  }
}
