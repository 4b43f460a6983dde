// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
package import SceneText

/// The settings of one output file from `output name { … }`; unspecified settings are `nil`.
package struct OutputSettings: Hashable, Sendable {
  package let name: String?
  /// The source location of the block's head.
  package let span: SourceSpan
  /// The source locations of the specified properties, by name.
  private let places: [String: SourceSpan]
  /// The size, if it differs from the scene's.
  package var size: PixelSize?
  package var fit = FrameFit.contain
  /// Whether the scene is laid out again for `size`.
  package var hasOwnLayout = false
  /// The frame rate, if the output specifies one.
  package var frameRate: FrameRate?
  package var codec: String?
  package var quality: Double?
  /// The bit rate in bits per second.
  package var bitrate: Double?
  package var profile: String?
  package var level: String?
  package var preset: String?
  package var pixelFormat: String?
  /// The number of times an animated image plays; 0 loops forever.
  package var plays: Int?
  /// Whether the frame rate is variable: identical consecutive frames are merged into one.
  package var isVariable = false
  /// The interval of the scene that the file contains; by default, from its start to its end.
  package var from: Ticks?
  package var to: Ticks?
  /// Whether packets of clips are copied where possible.
  package var copies = false
  package var captions = CaptionUse.burned
  package var described = DescribedUse.none
  package var sound = SoundOutput()

  package init(_ name: String?, _ span: SourceSpan, places: [String: SourceSpan]) {
    self.name = name
    self.span = span
    self.places = places
  }

  /// Returns the source location of a property, or of the block's head if the property is
  /// unspecified.
  package func place(of property: String) -> SourceSpan { places[property] ?? span }
}

/// Another evaluation of a scene, which an output requires: with its own size, its own frame rate,
/// or both.
package struct SceneVariant: Hashable, Sendable {
  package let size: PixelSize
  package let frameRate: FrameRate

  /// Creates the variant that an output of a scene requires. Returns `nil` if the output shows the
  /// scene as it is.
  ///
  /// - Parameters:
  ///   - size: The size of the scene.
  ///   - frameRate: The frame rate of the scene.
  package init?(of output: OutputSettings, size: PixelSize, frameRate: FrameRate) {
    self.size = output.hasOwnLayout ? output.size ?? size : size
    self.frameRate = output.frameRate ?? frameRate
    if self.size == size, self.frameRate == frameRate { return nil }
  }

  /// Returns the properties in which the variant differs from the scene, such as `1080x1080 60
  /// fps`.
  package func description(beside scene: SceneModel) -> String {
    let size = size == scene.size ? nil : size.description
    let rate = frameRate == scene.frameRate ? nil : "\(frameRate.description) fps"
    return [size, rate].compactMap { $0 }.joined(separator: " ")
  }
}

extension SceneModel {
  /// Whether an output sets a loudness.
  package var isNormalized: Bool { outputs.contains { $0.sound.loudness != nil } }

  /// The variants that the outputs of the scene require, each once, in document order.
  package var variants: [SceneVariant] {
    var seen: Set<SceneVariant> = []
    return outputs.compactMap { SceneVariant(of: $0, size: size, frameRate: frameRate) }
      .filter { seen.insert($0).inserted }
  }
}

/// The settings of `output { audio … }`; unspecified settings are `nil`.
package struct SoundOutput: Hashable, Sendable {
  /// Whether the file has an audio track: `false` for `audio: none`, `true` for an `audio` block,
  /// even if the scene is silent.
  package var isWanted: Bool?
  package var codec: String?
  /// The bit rate in bits per second.
  package var bitrate: Double?
  /// The integrated loudness in LUFS.
  package var loudness: Double?
  /// The maximum true peak in dBTP.
  package var peak: Double?
  package var channels: Int?
  /// The sample rate in Hz.
  package var rate: Int?
  /// The number of bits per sample.
  package var bits: Int?

  package init() {}
}
