// SPDX-License-Identifier: MIT
import SceneCLI
import SceneDigest
import SceneIR
import SceneLanguage
import SceneLower
import SceneModel
import SceneRaster
import SceneSystem
import SceneVideo

/// What the packets of segments are known by: the digest of all that they follow from.
struct SegmentKeys {
  private let film: Film
  private let settings: [VideoSettings]
  private var content: SegmentContent
  /// For each file what its packets follow from beside the pictures.
  private let files: [[UInt8]]

  /// `settings` are those of the files of the film.
  init(_ film: Film, _ settings: [VideoSettings]) throws {
    self.film = film
    self.settings = settings
    content = SegmentContent(
      film.model, metrics: film.metrics, size: film.model.size,
      FilmSurroundings(metrics: film.metrics, resources: film.resources))
    files = try zip(film.plans, settings).enumerated().map { number, file in
      let encoder = CanonicalEncoder()
      for identity in SegmentKeys.code { encoder.write(identity) }
      try encoder.encode(file.1.ofPictures)
      try encoder.encode(file.0.fit)
      // What is blended with the ground of a frame that may be clear looks different.
      try encoder.encode(
        film.drawing.isOpaque(film.drawing.forms[film.drawing.formOfFile[number]].view))
      return encoder.bytes
    }
  }

  /// What runs here, and what decodes clips.
  static let code =
    LoadedCode.ofProcess
    + [OwnProcess.neighbour("scenec-clip").map { LoadedCode.identity(ofFile: $0) } ?? ""]
    + [encoderInstructions]

  /// The key of a segment for each file.
  mutating func keys(of segment: Segment) throws -> [SHA256] {
    let pictures = SHA256(of: try content.bytes(of: segment)).bytes
    let endsVideo = segment.frames.upperBound == film.frames.upperBound
    return zip(files, settings).map { file, settings in
      SHA256(of: file + pictures + [endsVideo && settings.isVariable ? 1 : 0])
    }
  }
}

/// The fonts and the decoder of this machine.
private struct FilmSurroundings: Surroundings {
  let metrics: PangoMetrics
  let resources: DrawingResources

  func faces(of block: TextBlock, wholeFamilies: Bool) -> [String] {
    metrics.faces(of: block, wholeFamilies: wholeFamilies)
  }

  /// Texts in a drawing may be in any font.
  func decoder(of image: ImageReference) -> [String] {
    resources.images.decoderCode + (image.isVector ? metrics.allFonts : [])
  }
}
