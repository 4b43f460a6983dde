// SPDX-License-Identifier: MIT
package import SceneDiagnostics
package import SceneModel
import SceneText

/// A timeline of a video: the tracks of its elements, the intervals in which frames change, and its
/// audio. Exported as text, JSON and SVG.
package struct Timeline: Encodable, Sendable {
  package let scene: String?
  /// The size in pixels, such as `1920x1080`.
  package let size: String
  package let framesPerSecond: Double
  package let duration: Time
  package let frameCount: Int
  package let tracks: [Track]
  package let picture: [Stretch]
  /// The audio mix; `nil` if the scene is silent or the audio was not mixed.
  package let sound: Mix?
  /// The segment boundaries of the video.
  package let cuts: [Time]
  package let warnings: [Warning]
  /// The number of intervals for which levels are given.
  package let columns: Int

  /// A time of the video, as an exact fraction and a decimal number.
  package struct Time: Encodable, Equatable, Sendable {
    package let seconds: Double
    /// A fraction in lowest terms, such as `1/30`.
    package let exact: String

    package init(_ ticks: Ticks) {
      seconds = ticks.seconds
      var (a, b) = (ticks.rawValue.magnitude, UInt64(Ticks.perSecond))
      while b != 0 { (a, b) = (b, a % b) }
      let divisor = Int64(max(1, a))
      exact = "\(ticks.rawValue / divisor)/\(Ticks.perSecond / divisor)"
    }
  }

  /// The track of one element, or of several that a loop creates from one source location.
  package struct Track: Encodable, Sendable {
    package let kind: String
    package let name: String?
    /// The text for viewers who cannot see the element: its `alt`, or that of a description.
    package let alternative: String?
    package let file: String
    /// The line number, from 1.
    package let line: Int
    /// The number of ancestors with tracks.
    package let depth: Int
    /// The number of elements on the track.
    package let count: Int
    package let start: Time
    package let end: Time
    /// The transitions between the clips of a sequence.
    package let transitions: [Interval]
    package let ramps: [Ramp]
    package let clip: Clip?
    package let sound: Sound?
    /// The `enter` and `exit` effects in source syntax.
    package let effects: [String]
    /// The visibility or loudness from 0 to 1, in equal intervals of the video; `nil` outside the
    /// lifetime.
    package let levels: [Double?]
  }

  /// An interval of the video.
  package struct Interval: Encodable, Equatable, Sendable {
    package let start: Time
    package let end: Time
  }

  /// A leg of a tween, or an effect.
  package struct Ramp: Encodable, Sendable {
    package let property: String
    /// The initial value in source syntax; `nil` for an effect.
    package let from: String?
    /// The final value in source syntax.
    package let to: String
    package let start: Time
    package let end: Time
    /// The easing in source syntax or by name; `nil` if it has no name.
    package let easing: String?

    /// The text of the ramp, such as `rotate: 0deg -> 90deg with ease-in` or `enter: fade`.
    package var text: String {
      guard let from else { return "\(property): \(to)" }
      return "\(property): \(from) -> \(to)" + (easing.map { " with \($0)" } ?? "")
    }
  }

  /// The part of a file that is played.
  package struct Clip: Encodable, Sendable {
    package let file: String
    package let from: Time
    package let to: Time
    /// The numbers of the first and last frame shown; `nil` for audio only.
    package let pictures: [Int]?
    package let picturesPerSecond: Double?
    package let length: Time
  }

  /// The sound of a voice.
  package struct Sound: Encodable, Sendable {
    /// Pairs of a time in seconds and the gain in decibels of the louder channel, without fades;
    /// the gain is `nil` for silence.
    package let gain: [[Double?]]
    /// The intervals in which the voice is ducked, in seconds of the video.
    package let ducked: [[Double]]
    package let fadeIn: Time?
    package let fadeOut: Time?
    package let speed: Double?
  }

  /// The complete audio mix as written to a file.
  package struct Mix: Encodable, Sendable {
    /// The integrated loudness in LUFS; `nil` for silence.
    package let lufs: Double?
    /// The true peak in dBTP.
    package let peak: Double?
    /// The strongest gain reduction by the limiter.
    package let limited: Limit?
    /// The peak amplitude in equal intervals of the video, in decibels; `nil` for silence.
    package let peaks: [Double?]

    /// A gain reduction by the limiter, with its time.
    package struct Limit: Encodable, Sendable {
      package let time: Time
      package let decibels: Double

      package init(time: Time, decibels: Double) {
        self.time = time
        self.decibels = decibels
      }

      /// Returns a warning at the head of the scene if the reduction exceeds 1 dB; `nil` if it is
      /// smaller or that line allows the warning.
      ///
      /// - Parameter isNormalized: Whether an output sets a loudness.
      package func warning(at places: ScenePlaces, isNormalized: Bool) -> Diagnostic? {
        guard decibels > 1, !places.allowed.contains(Code.limitedSound.rawValue) else { return nil }
        let format = NumberFormat()
        let (lost, place) = (
          format.text((decibels * 10).rounded() / 10),
          format.text((time.seconds * 100).rounded() / 100)
        )
        return Diagnostic(
          .limitedSound, "the mix exceeds its peak limit", at: places.scene,
          label: "the limiter reduced it, by up to \(lost) dB at \(place)s",
          notes: [
            Note(
              help: isNormalized
                ? "reduce 'loudness' of the output to avoid it" : "reduce 'volume' to avoid it")
          ])
      }
    }

    package init(lufs: Double?, peak: Double?, limited: Limit?, peaks: [Double?]) {
      self.lufs = lufs
      self.peak = peak
      self.limited = limited
      self.peaks = peaks
    }
  }

  /// An interval of frames of the same kind.
  package struct Stretch: Encodable, Equatable, Sendable {
    /// The relation of a frame to the previous one, or its source.
    package enum Kind: String, Encodable, Sendable {
      case changing, still
      /// A frame of a clip alone, which is passed to the encoder as decoded, or copied as encoded.
      case passed, copied
      /// The background alone.
      case empty
    }

    package let kind: Kind
    package let start: Time
    package let end: Time
    /// The clip that is shown.
    package let clip: String?
    /// The reason why clip frames are drawn or not copied.
    package let reason: String?
  }

  /// A warning of `scenec check`.
  package struct Warning: Encodable, Equatable, Sendable {
    package let code: String
    package let message: String
    package let file: String
    package let line: Int
  }
}
