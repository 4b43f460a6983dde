// SPDX-License-Identifier: MIT

/// How an output file contains captions.
public enum CaptionUse: String, CaseIterable, Hashable, Sendable, Encodable {
  /// Drawn into the frames.
  case burned
  /// As text tracks.
  case track
  /// Drawn into the frames, and as text tracks.
  case both
  case none

  package var isDrawn: Bool { self == .burned || self == .both }
  package var hasTracks: Bool { self == .track || self == .both }
}

/// The purpose of a caption track, named as in HTML.
package enum CaptionKind: String, CaseIterable, Hashable, Sendable {
  /// Speech and other sounds, for people who cannot hear them.
  case captions
  /// A translation of the speech.
  case subtitles
}
