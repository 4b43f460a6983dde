// SPDX-License-Identifier: MIT
package import SceneDiagnostics
package import SceneGraphics
package import SceneLanguage
package import SceneModel

/// The properties of a video against which the settings of its files are validated.
package struct FilmShape: Sendable {
  package var size: PixelSize
  package var rate: FrameRate
  /// Whether the background has a constant alpha below 1 or is missing.
  package var isTransparent = false
  /// Whether the video has audio.
  package var isHeard = false
  package var captions: [CaptionTrack] = []
  /// The descriptions of the scene; `nil` if it has none.
  package var descriptions: DescriptionModel?
  /// The metadata without chapters, which depend on the selected frames.
  package var notes = FileNotes()
  /// The source locations for errors in settings.
  package var places: ScenePlaces

  package init(size: PixelSize, rate: FrameRate, places: ScenePlaces) {
    self.size = size
    self.rate = rate
    self.places = places
  }

  package init(_ model: SceneModel) {
    self.init(size: model.size, rate: model.frameRate, places: model.places)
    isTransparent = model.isTransparent
    isHeard = !model.sound.voices.isEmpty
    captions = model.captions
    descriptions = model.descriptions
    notes.title = model.title
    notes.author = model.author
    notes.comment = model.comment
  }
}

extension SceneModel {
  /// Whether the background has a constant alpha below 1 or is missing.
  fileprivate var isTransparent: Bool {
    if case .color(let color)? = background, let alpha = color.alpha.constantValue {
      return alpha < 1
    }
    return background == nil
  }
}

/// The settings on the command line, which apply to all files and override those of the scene.
package struct CallSettings: Sendable {
  package var codec: VideoCodec?
  package var rate: VideoSettings.Rate?
  package var preset: String?
  package var scale: PictureScale?

  package init() {}
}

/// An error in the command line or in the scene that prevents any output.
package enum PlanError: Error {
  case call(String)
  case scene(Diagnostic)
}

/// The value of `--scale` or `--width`: a different number of pixels for the same layout.
package enum PictureScale: Sendable {
  case factor(Double)
  case width(Int)

  /// Returns the scaled size. With `isEven`, both sides are rounded to even numbers.
  package func size(of size: PixelSize, isEven: Bool) throws(PlanError) -> PixelSize {
    let factor =
      switch self {
      case .factor(let factor): factor
      case .width(let width): Double(width) / Double(size.width)
      }
    func side(_ length: Int) -> Int {
      let scaled = Double(length) * factor
      return isEven ? max(2, 2 * Int((scaled / 2).rounded())) : max(1, Int(scaled.rounded()))
    }
    let scaled = PixelSize(side(size.width), side(size.height))
    guard scaled.width <= 16_384, scaled.height <= 16_384 else {
      throw .call("the scaled frame size \(scaled) exceeds 16384 pixels per side")
    }
    return scaled
  }
}
