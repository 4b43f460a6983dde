// SPDX-License-Identifier: MIT
package import SceneDiagnostics
package import SceneModel
import SceneText

/// What a film is over its time: the tracks of its elements, which pictures stand or move, and what
/// sounds. Its text, its JSON and its SVG are made of it.
package struct Timeline: Encodable, Sendable {
  package let scene: String?
  /// Pixels, as `1920x1080`.
  package let size: String
  package let framesPerSecond: Double
  package let duration: Time
  package let frameCount: Int
  package let tracks: [Track]
  package let picture: [Stretch]
  /// `nil` where nothing sounds, or it was not mixed.
  package let sound: Mix?
  /// Where the video is cut into segments.
  package let cuts: [Time]
  package let warnings: [Warning]
  /// In how many parts levels are given.
  package let columns: Int

  /// A time of the film: exact, and as a decimal number.
  package struct Time: Encodable, Equatable, Sendable {
    package let seconds: Double
    /// A fraction in lowest terms: `1/30`.
    package let exact: String

    package init(_ ticks: Ticks) {
      seconds = ticks.seconds
      var (a, b) = (ticks.rawValue.magnitude, UInt64(Ticks.perSecond))
      while b != 0 { (a, b) = (b, a % b) }
      let divisor = Int64(max(1, a))
      exact = "\(ticks.rawValue / divisor)/\(Ticks.perSecond / divisor)"
    }
  }

  /// One element, or several that a loop makes in one place.
  package struct Track: Encodable, Sendable {
    package let kind: String
    package let name: String?
    package let file: String
    /// From 1.
    package let line: Int
    /// How many elements around it have tracks.
    package let depth: Int
    /// How many elements it stands for.
    package let count: Int
    package let start: Time
    package let end: Time
    /// When the clips of a sequence give way to each other.
    package let transitions: [Interval]
    package let ramps: [Ramp]
    package let clip: Clip?
    package let sound: Sound?
    /// What `enter` and `exit` say, as it is written.
    package let effects: [String]
    /// How much is seen or heard of it, from 0 to 1, in equal parts of the film; `nil` where it is not
    /// there.
    package let levels: [Double?]
  }

  /// Some time of the film.
  package struct Interval: Encodable, Equatable, Sendable {
    package let start: Time
    package let end: Time
  }

  /// A way of a property to its next value.
  package struct Ramp: Encodable, Sendable {
    package let property: String
    /// What it begins with, as it is written; `nil` for what an effect does.
    package let from: String?
    /// What is reached, as it is written.
    package let to: String
    package let start: Time
    package let end: Time
    /// As it is written, or by its name; `nil` for one that has no name.
    package let easing: String?

    /// `rotate: 0deg -> 90deg with ease-in`, or `enter: fade`.
    package var text: String {
      guard let from else { return "\(property): \(to)" }
      return "\(property): \(from) -> \(to)" + (easing.map { " with \($0)" } ?? "")
    }
  }

  /// What is played of a file.
  package struct Clip: Encodable, Sendable {
    package let file: String
    package let from: Time
    package let to: Time
    /// The numbers of its first and last picture that are shown; `nil` for sound alone.
    package let pictures: [Int]?
    package let picturesPerSecond: Double?
    package let length: Time
  }

  /// How a voice sounds.
  package struct Sound: Encodable, Sendable {
    /// Seconds of the film, each with the decibels of the louder side without its fades there; `nil` for
    /// silence.
    package let gain: [[Double?]]
    /// When it is turned down under others, in seconds of the film.
    package let ducked: [[Double]]
    package let fadeIn: Time?
    package let fadeOut: Time?
    package let speed: Double?
  }

  /// All that sounds, as it goes into a file.
  package struct Mix: Encodable, Sendable {
    /// LUFS; `nil` for silence.
    package let lufs: Double?
    /// dBTP.
    package let peak: Double?
    /// Where the limiter takes most, and how many decibels.
    package let limited: Limit?
    /// The greatest amplitude in equal parts of the film, in decibels; `nil` for silence.
    package let peaks: [Double?]

    /// What the limiter takes at a time.
    package struct Limit: Encodable, Sendable {
      package let time: Time
      package let decibels: Double

      package init(time: Time, decibels: Double) {
        self.time = time
        self.decibels = decibels
      }

      /// What is worth a warning, beside the head of the scene; `nil` where that line allows it.
      package func warning(at places: ScenePlaces) -> Diagnostic? {
        guard decibels > 1, !places.allowed.contains(Code.limitedSound.rawValue) else { return nil }
        let format = NumberFormat()
        let (lost, place) = (
          format.text((decibels * 10).rounded() / 10),
          format.text((time.seconds * 100).rounded() / 100)
        )
        return Diagnostic(
          .limitedSound, "the mix exceeds its peak (clipping)", at: places.scene,
          label: "the limiter reduced it, by up to \(lost) dB at \(place)s",
          notes: [Note(help: "reduce 'volume', or change 'loudness' of the output, to avoid it")])
      }
    }

    package init(lufs: Double?, peak: Double?, limited: Limit?, peaks: [Double?]) {
      self.lufs = lufs
      self.peak = peak
      self.limited = limited
      self.peaks = peaks
    }
  }

  /// Some frames that are all alike in one way.
  package struct Stretch: Encodable, Equatable, Sendable {
    /// How a frame stands to the one before it.
    package enum Kind: String, Encodable, Sendable {
      case changing, still
      /// A picture of a clip and nothing else, which goes to the encoder as it was decoded, or is copied as it
      /// was encoded.
      case passed, copied
      /// Nothing is drawn but the background.
      case empty
    }

    package let kind: Kind
    package let start: Time
    package let end: Time
    /// The clip that is shown.
    package let clip: String?
    /// Why its pictures are drawn, or not copied.
    package let reason: String?
  }

  /// Something suspicious, as `scenec check` reports it.
  package struct Warning: Encodable, Equatable, Sendable {
    package let code: String
    package let message: String
    package let file: String
    package let line: Int
  }
}
