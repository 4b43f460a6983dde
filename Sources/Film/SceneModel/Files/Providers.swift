// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
package import SceneMath

/// The extent of a text layout, in pixels.
package struct TextExtent: Hashable, Sendable {
  package var width: Double
  package var height: Double
  /// The distance from the top of the box to the baseline of the first line.
  package var baseline: Double

  package init(width: Double, height: Double, baseline: Double) {
    self.width = width
    self.height = height
    self.baseline = baseline
  }
}

extension TextMetrics {
  package func axes(of family: String) -> [FontAxisRange] { [] }
  package func hasWidths(_ family: String) -> Bool { false }

  package func outline(of block: TextBlock, along line: TextLine) -> Path {
    box(of: block, along: line)
  }

  /// Returns the box of the runs in a single line.
  package func box(ofRuns runs: Range<Int>, in block: TextBlock) -> Rect {
    func width(_ runs: Range<Int>) -> Double {
      var part = block
      (part.runs, part.width) = (Array(block.runs[runs]), nil)
      return measure(part).width
    }
    return Rect(
      x: width(0..<runs.lowerBound), y: 0, width: width(runs), height: measure(block).height)
  }

  /// Returns the layout box of the whole text.
  package func lineBoxes(of block: TextBlock) -> [Rect] {
    let extent = measure(block)
    let box = Rect(x: 0, y: 0, width: extent.width, height: extent.height)
    return box.isEmpty ? [] : [box]
  }
}

/// The interface through which the front end accesses fonts.
package protocol TextMetrics: Sendable {
  /// Returns the extent of a text as it will be drawn; the width is `block.width` if that is set.
  func measure(_ block: TextBlock) -> TextExtent
  /// Returns the box of each line with visible glyphs, relative to the top left of the text: from
  /// the first to the last visible glyph, and from the ascent to the descent of the line's largest
  /// font.
  func lineBoxes(of block: TextBlock) -> [Rect]
  /// Returns the union of the boxes of the glyphs of some runs, relative to the top left of the
  /// text. Each is as wide as the advance and as high as the line. The union is empty if the runs
  /// have no glyphs.
  func box(ofRuns runs: Range<Int>, in block: TextBlock) -> Rect
  /// Returns the number of units of a kind in the text.
  func count(_ kind: TextUnitKind, in block: TextBlock) -> Int
  /// Returns the outlines of all glyphs that have outlines, relative to the top left of the text.
  func outline(of block: TextBlock) -> Path
  /// Returns the outlines of the glyphs of a text on a path, in the coordinates of the path.
  func outline(of block: TextBlock, along line: TextLine) -> Path
  /// Returns the outlines of the glyphs of a text, as in `outline(of:)`.
  func glyphs(of block: TextBlock) -> [GlyphOutline]
  /// Returns the outlines of the glyphs of a text on a path, in the coordinates of the path.
  func glyphs(of block: TextBlock, along line: TextLine) -> [GlyphOutline]
  /// Returns the font families that the text uses by fallback, except color emoji fonts.
  func fallbackFamilies(of block: TextBlock) -> [String]
  /// Returns the number of characters that no installed font can draw.
  func unknownGlyphCount(_ block: TextBlock) -> Int
  /// Returns whether a family exists; accepts generic families such as `sans-serif`.
  func hasFamily(_ name: String) -> Bool
  /// Returns the axes of the variable fonts of a family; empty if there are none.
  func axes(of family: String) -> [FontAxisRange]
  /// Returns whether a family has faces of several widths, such as condensed ones.
  func hasWidths(_ family: String) -> Bool
  /// All font families, for suggestions.
  var families: [String] { get }
  /// Returns the regular face of a family; `nil` if it cannot typeset formulas.
  func formulaFont(_ family: String) -> (any MathFont)?
}

/// The reason why a file cannot be read.
package enum AssetError: Error, Hashable, Sendable {
  case notFound
  /// The resolved path is outside the root, or the file is named by an absolute path or URL.
  case outsideRoot
  /// The file is a folder, a device or a pipe.
  case notRegular
  /// The file exceeds a limit; the text names the limit and its value.
  case tooLarge(String)
  /// The content is invalid, with the message of the decoder.
  case undecodable(String)
  /// A clip in a known format that is not supported; the text names the format.
  case unsupported(String)
  case unreadable(String)

  /// The reason, phrased to follow a colon.
  package var reason: String {
    switch self {
    case .tooLarge(let reason), .undecodable(let reason), .unreadable(let reason): reason
    case .unsupported(let format): "\(format) is not supported"
    case .notFound, .outsideRoot, .notRegular: "the file cannot be read"
    }
  }
}

/// A frame of an animated image, and its duration.
package struct ImageFrame: Hashable, Sendable {
  package let image: ImageReference
  package let seconds: Double

  package init(_ image: ImageReference, seconds: Double) {
    self.image = image
    self.seconds = seconds
  }
}

/// The interface through which the front end accesses files next to the scene.
package protocol AssetProvider: Sendable {
  /// Returns the identity and pixel size of an image after verifying that the image is complete.
  func image(_ path: String) throws(AssetError) -> ImageReference
  /// Returns the frames of an animated image, or the only frame of a still image.
  func frames(_ path: String) throws(AssetError) -> [ImageFrame]
  /// Returns the parts of an SVG file.
  func vector(_ path: String) throws(AssetError) -> VectorDrawing
  /// Returns the properties of a clip without decoding it.
  func clip(_ path: String) throws(AssetError) -> ClipInfo
  /// Returns audio levels of a clip, 100 per second from its first sample on.
  func levels(_ path: String, _ measure: SoundMeasure) throws(AssetError) -> [Float]
  /// Returns the defects of an image that can still be shown, once its frames are known.
  func remarks(on path: String) -> [String]
  /// Returns the names of the files that match a pattern such as `walk-*.png`, ordered by the
  /// numbers in them.
  func files(matching pattern: String) -> [String]
  /// Loads a font file and returns the family name under which its face is available from then on.
  func font(_ path: String) throws(AssetError) -> String
  /// Returns the bytes of another scene file or a data file.
  func source(_ path: String) throws(AssetError) -> [UInt8]
  /// Returns the value of a JSON file.
  func json(_ path: String) throws(AssetError) -> DataValue
  /// Splits code into highlighted pieces; their concatenation equals `code`.
  func pieces(of code: String, in language: CodeLanguage) throws(AssetError) -> [CodePiece]
  /// The names of the files next to the scene, for suggestions.
  var names: [String] { get }
}

extension AssetProvider {
  package func remarks(on path: String) -> [String] { [] }

  package func vector(_ path: String) throws(AssetError) -> VectorDrawing {
    throw .undecodable("not an SVG file")
  }

  package func pieces(of code: String, in language: CodeLanguage) throws(AssetError) -> [CodePiece]
  {
    [CodePiece(code, .plain)]
  }
}
