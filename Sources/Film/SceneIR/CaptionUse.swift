// SPDX-License-Identifier: MIT

/// The form in which an output file contains captions.
public enum CaptionUse: String, CaseIterable, Hashable, Sendable, Encodable {
  /// Drawn into the frames.
  case burned
  /// Contained as text tracks.
  case track
  /// Drawn into the frames, and contained as text tracks.
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
  /// Audio descriptions: texts that describe the images, for viewers who cannot see them.
  case descriptions

  /// The kinds of captions in scenes.
  package static let written: [CaptionKind] = [.captions, .subtitles]
}

/// The form in which an output file contains the spoken descriptions of a scene.
package enum DescribedUse: String, CaseIterable, Hashable, Sendable {
  case none
  /// Contained as a second audio track, mixed with the sound of the scene.
  case track
  /// Mixed into the only audio track.
  case mix
  /// Contained as a second audio track, and mixed into the only audio track of another file.
  case both
}
