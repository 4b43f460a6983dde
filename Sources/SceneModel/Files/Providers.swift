// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
package import SceneMath

/// The extent of a laid out text, in pixels.
package struct TextExtent: Hashable, Sendable {
  package var width: Double
  package var height: Double
  /// From the top of the box to the baseline of the first line.
  package var baseline: Double

  package init(width: Double, height: Double, baseline: Double) {
    self.width = width
    self.height = height
    self.baseline = baseline
  }
}

/// The only door of the front end to fonts.
package protocol TextMetrics: Sendable {
  /// The extent of a text as it will be drawn; `width` is `block.width` where that is given.
  func measure(_ block: TextBlock) -> TextExtent
  /// How many units of a kind the text has.
  func count(_ kind: TextUnitKind, in block: TextBlock) -> Int
  /// The outlines of all glyphs that have some, from the top left of the text.
  func outline(of block: TextBlock) -> Path
  /// Families that glyphs of the text are taken from though nobody named them, color emoji apart.
  func fallbackFamilies(of block: TextBlock) -> [String]
  /// Characters of a text that no font on this machine can draw.
  func unknownGlyphCount(_ block: TextBlock) -> Int
  /// Whether a family (or a generic one such as `sans-serif`) exists.
  func hasFamily(_ name: String) -> Bool
  /// All families, for suggestions.
  var families: [String] { get }
  /// The regular face of a family, where formulas can be set in it.
  func formulaFont(_ family: String) -> (any MathFont)?
}

/// Why a file cannot be read.
package enum AssetFault: Error, Hashable, Sendable {
  case notFound
  /// Behind links it lies outside the root, or is named by an absolute path or URL.
  case outsideRoot
  /// It is a folder, a device or a pipe.
  case notRegular
  /// It is larger than a limit: what, and the limit.
  case tooLarge(String)
  /// Its content is not what it should be, with what the decoder said.
  case undecodable(String)
  case unreadable(String)
}

/// One picture of an animated image, and how long it is shown.
package struct ImageFrame: Hashable, Sendable {
  package let image: ImageReference
  package let seconds: Double

  package init(_ image: ImageReference, seconds: Double) {
    self.image = image
    self.seconds = seconds
  }
}

/// The only door of the front end to files beside the scene.
package protocol AssetProvider: Sendable {
  /// An image's identity and size in pixels, once it is known to be whole.
  func image(_ path: String) throws(AssetFault) -> ImageReference
  /// The pictures of an animated image; one for a picture that stands.
  func frames(_ path: String) throws(AssetFault) -> [ImageFrame]
  /// An SVG taken apart.
  func vector(_ path: String) throws(AssetFault) -> VectorDrawing
  /// What is known of a clip before it is decoded.
  func clip(_ path: String) throws(AssetFault) -> ClipInfo
  /// What is measured of the sound of a clip, 100 times a second from its first sample on.
  func levels(_ path: String, _ measure: SoundMeasure) throws(AssetFault) -> [Float]
  /// What is missing in an image that is shown all the same, once its pictures are known.
  func remarks(on path: String) -> [String]
  /// The names of files that a pattern such as `walk-*.png` stands for, by the numbers in them.
  func files(matching pattern: String) -> [String]
  /// The name that the face in a font file can be used by from then on.
  func font(_ path: String) throws(AssetFault) -> String
  /// The bytes of another scene file or of data.
  func source(_ path: String) throws(AssetFault) -> [UInt8]
  /// What a JSON file holds.
  func json(_ path: String) throws(AssetFault) -> DataValue
  /// A program in pieces, which are its text again when they are put together.
  func pieces(of code: String, in language: CodeLanguage) throws(AssetFault) -> [CodePiece]
  /// The names of files beside the scene, for suggestions.
  var names: [String] { get }
}

extension AssetProvider {
  package func remarks(on path: String) -> [String] { [] }

  package func vector(_ path: String) throws(AssetFault) -> VectorDrawing {
    throw .undecodable("not an SVG file")
  }

  package func pieces(of code: String, in language: CodeLanguage) throws(AssetFault) -> [CodePiece]
  {
    [CodePiece(code, .plain)]
  }
}
