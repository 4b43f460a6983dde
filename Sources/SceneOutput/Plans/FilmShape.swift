// SPDX-License-Identifier: MIT
package import SceneDiagnostics
package import SceneGraphics
package import SceneLanguage
package import SceneModel

/// What is shown and heard in a film: all that the settings of its files are checked against.
package struct FilmShape: Sendable {
  package var size: PixelSize
  package var rate: FrameRate
  /// Whether the background lets something through that never changes.
  package var isTransparent = false
  /// Whether something sounds.
  package var isHeard = false
  /// Without chapters, which depend on the frames that are made.
  package var notes = FileNotes()
  /// Where faults of settings are.
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
    notes.title = model.title
    notes.author = model.author
    notes.comment = model.comment
  }
}

extension SceneModel {
  /// Whether the background lets something through that never changes.
  fileprivate var isTransparent: Bool {
    if case .color(let color)? = background, let alpha = color.alpha.constantValue {
      return alpha < 1
    }
    return background == nil
  }
}

/// What a call asks of all its files, whatever the scene says.
package struct CallSettings: Sendable {
  package var codec: VideoCodec?
  package var rate: VideoSettings.Rate?
  package var preset: String?
  package var scale: PictureScale?

  package init() {}
}

/// Why nothing can be written: the call or the scene is wrong.
package enum PlanFault: Error {
  case call(String)
  case scene(Diagnostic)
}

/// `--scale` or `--width`: the same picture with more or fewer pixels.
package enum PictureScale: Sendable {
  case factor(Double)
  case width(Int)

  /// The size of the scaled picture; with `isEven`, both sides are rounded to even numbers.
  package func size(of size: PixelSize, isEven: Bool) throws(PlanFault) -> PixelSize {
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
