// SPDX-License-Identifier: MIT
import Scenec
import SceneCLI
import SceneDigest
import SceneIR
import SceneLanguage
import SceneLower
import SceneModel
import SceneOutput
import SceneRaster
import SceneSystem
import SceneVideo

/// What the packets of one segment are known by.
struct SegmentKey {
  /// All that they follow from.
  let packets: SHA256
  /// What the scene and the call say, which is the same on every machine.
  let wanted: SHA256
  let maker: Maker
}

/// What made a segment, beside the scene and the call.
struct Maker: Hashable {
  let code: SHA256
  /// The fonts and decoders.
  let surroundings: SHA256

  var bytes: [UInt8] { code.bytes + surroundings.bytes }
}

/// The keys of the segments of a film.
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
      try encoder.encode(file.1.ofPictures)
      try encoder.encode(file.0.fit)
      // What is blended with the ground of a frame that may be clear looks different.
      let view = film.drawing.forms[film.drawing.formOfFile[number]].view
      try encoder.encode(film.drawing.isOpaque(view))
      return encoder.bytes
    }
  }

  /// What runs here, and what decodes clips.
  static let code: SHA256 = {
    let encoder = CanonicalEncoder()
    for identity in LoadedCode.ofProcess { encoder.write(identity) }
    encoder.write(
      OwnProcess.neighbour("scenec-clip").map { LoadedCode.identity(ofFile: $0) } ?? "")
    encoder.write(encoderInstructions)
    return SHA256(of: encoder.bytes)
  }()

  /// The key of a segment for each file.
  mutating func keys(of segment: Segment) throws -> [SegmentKey] {
    let content = try content.content(of: segment)
    let pictures = SHA256(of: content.scene).bytes
    let maker = Maker(
      code: SegmentKeys.code, surroundings: SHA256(of: content.surroundings))
    let endsVideo = segment.frames.upperBound == film.frames.upperBound
    return zip(files, settings).map { file, settings in
      let wanted = SHA256(of: file + pictures + [endsVideo && settings.isVariable ? 1 : 0])
      return SegmentKey(
        packets: SHA256(of: wanted.bytes + maker.bytes), wanted: wanted, maker: maker)
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
