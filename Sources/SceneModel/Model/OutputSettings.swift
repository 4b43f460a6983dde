// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
package import SceneText

/// One file that a scene asks for, by what `output name { … }` says of it; `nil` where it is silent.
package struct OutputSettings: Hashable, Sendable {
  package let name: String?
  /// Where it begins.
  package let span: SourceSpan
  /// Where its properties are given, by their names.
  private let places: [String: SourceSpan]
  /// Where it differs from that of the scene.
  package var size: PixelSize?
  package var fit = FrameFit.contain
  /// Whether the scene is laid out anew for that size.
  package var hasOwnLayout = false
  package var codec: String?
  package var quality: Double?
  /// Bits a second.
  package var bitrate: Double?
  package var profile: String?
  package var level: String?
  package var preset: String?
  package var pixelFormat: String?
  /// How often an animated image plays; 0 without end.
  package var plays: Int?
  /// Whether a picture lasts until the next one that differs.
  package var isVariable = false
  /// Whether packets of clips are copied where they can be.
  package var copies = false
  package var sound = SoundOutput()

  package init(_ name: String?, _ span: SourceSpan, places: [String: SourceSpan]) {
    self.name = name
    self.span = span
    self.places = places
  }

  /// Where it gives a property; its head where it does not.
  package func place(of property: String) -> SourceSpan { places[property] ?? span }
}

/// What `output { audio … }` says; `nil` where it is silent.
package struct SoundOutput: Hashable, Sendable {
  /// Whether the file has a sound track: `false` for `audio: none`, `true` where there is a block, also
  /// when nothing sounds.
  package var isWanted: Bool?
  package var codec: String?
  /// Bits a second.
  package var bitrate: Double?
  /// LUFS.
  package var loudness: Double?
  /// dBTP.
  package var peak: Double?
  package var channels: Int?
  /// Samples a second.
  package var rate: Int?
  /// Of a sample.
  package var bits: Int?

  package init() {}
}
