// SPDX-License-Identifier: MIT
package import SceneText

/// The audio descriptions of a scene: texts that describe the images, for viewers who cannot see
/// them.
package struct DescriptionModel: Hashable, Sendable {
  /// The texts of all descriptions, in the time of the video.
  package let track: CaptionTrack
  /// The mix of the scene, lowered under each description, with the voices of the descriptions. It
  /// has no voices unless an output requests them.
  package let sound: SoundModel
  /// The source locations of the descriptions without a sound.
  package let unspoken: [SourceSpan]

  package init(track: CaptionTrack, sound: SoundModel, unspoken: [SourceSpan]) {
    self.track = track
    self.sound = sound
    self.unspoken = unspoken
  }

  /// The settings for lowering the mix under descriptions.
  package static let ducking = SoundLevels.Ducking(
    gain: -12, attack: 0.25, release: 0.8, threshold: -40)

  /// The number of letters read per second, including spaces. Voices at 170 words a minute read 12
  /// to 18.
  package static let lettersPerSecond = 15

  /// Returns the time that reading a text takes.
  package static func duration(of text: String) -> Ticks {
    Ticks(Int64(text.count) * (Ticks.perSecond / Int64(lettersPerSecond)))
  }

  /// The title of a described audio track in players.
  package static let title = "Audio description"
}

extension SceneModel {
  /// The model with the described mix as its sound.
  package var described: SceneModel {
    var model = self
    if let descriptions { model.sound = descriptions.sound }
    return model
  }
}
