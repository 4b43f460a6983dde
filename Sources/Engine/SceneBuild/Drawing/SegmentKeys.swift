// SPDX-License-Identifier: MIT
import SceneDigest
import SceneEncoding
import SceneIR
import SceneLanguage
import SceneLower
import SceneModel
import SceneOutput
import SceneRaster
import SceneSystem
import SceneWriting

/// The cache key of one segment's packets.
struct SegmentKey {
  /// The digest of everything that determines the packets.
  let packets: SHA256
  /// The digest of the scene and the settings. Equal on every machine.
  let wanted: SHA256
  let maker: Maker
}

/// The parts of a cache key that depend on the machine: the program and its environment.
struct Maker: Hashable {
  let code: SHA256
  /// The digest of the fonts and decoders.
  let surroundings: SHA256

  var bytes: [UInt8] { code.bytes + surroundings.bytes }
}

/// The cache keys of one segment.
struct SegmentKeySet {
  /// The key of the packets of each file.
  let files: [SegmentKey]
  /// The key of the grids that are judged for flashes.
  let grids: SHA256
}

/// Computes the cache keys of a video's segments. All threads share the encoded parts of the model.
final class SegmentKeys: Sendable {
  private let film: Film
  private let settings: [VideoSettings]
  /// A `Monitor`, because a contended `Mutex` spins, and the workers of an unchanged build mostly
  /// wait here.
  private let content: Monitor<SegmentContent>
  /// The encoded settings of each file that determine its packets, in addition to the frames.
  private let files: [[UInt8]]
  /// The encoded view of the grids.
  private let grids: [UInt8]

  /// Encodes the settings in `settings`, which has an element for each file of the `Film`.
  init(_ film: Film, _ settings: [VideoSettings]) throws {
    self.film = film
    self.settings = settings
    content = Monitor(
      SegmentContent(
        film.model, metrics: film.metrics, size: film.model.size,
        FilmSurroundings(metrics: film.metrics, resources: film.resources)))
    files = try zip(film.plans, settings).enumerated().map { number, file in
      let encoder = CanonicalEncoder()
      try encoder.encode(file.1.ofPictures)
      try encoder.encode(file.0.fit)
      // Blending with the background differs between opaque canvases and canvases with alpha.
      let view = film.drawing.forms[film.drawing.formOfFile[number]].view
      try encoder.encode(film.drawing.isOpaque(view))
      return encoder.bytes
    }
    let encoder = CanonicalEncoder()
    encoder.write("flash grids 3")
    if let view = film.drawing.views.first {
      try encoder.encode(view.size)
      try encoder.encode(view.fit)
      try encoder.encode(film.drawing.isOpaque(0))
    }
    grids = encoder.bytes
  }

  /// The digest of the loaded code, the clip decoder and the instruction sets of the encoders.
  static let code: SHA256 = {
    let encoder = CanonicalEncoder()
    for identity in LoadedCode.ofProcess { encoder.write(identity) }
    encoder.write(
      OwnProcess.neighbour("scenec-clip").map { LoadedCode.identity(ofFile: $0) } ?? "")
    encoder.write(encoderInstructions)
    return SHA256(of: encoder.bytes)
  }()

  /// Returns the keys of a segment.
  func keys(of segment: Segment) throws -> SegmentKeySet {
    let content = try content.update { try $0.content(of: segment) }
    let pictures = SHA256(of: content.scene).bytes
    let maker = Maker(
      code: SegmentKeys.code, surroundings: SHA256(of: content.surroundings))
    let endsVideo = segment.frames.upperBound == film.frames.upperBound
    let keys = zip(files, settings).map { file, settings in
      let wanted = SHA256(of: file + pictures + [endsVideo && settings.isVariable ? 1 : 0])
      return SegmentKey(
        packets: SHA256(of: wanted.bytes + maker.bytes), wanted: wanted, maker: maker)
    }
    return SegmentKeySet(files: keys, grids: SHA256(of: grids + pictures + maker.bytes))
  }
}

/// The fonts and decoders of this machine.
private struct FilmSurroundings: Surroundings {
  let metrics: PangoMetrics
  let resources: DrawingResources

  func faces(of block: TextBlock, wholeFamilies: Bool) -> [String] {
    metrics.faces(of: block, wholeFamilies: wholeFamilies)
  }

  /// Returns the decoder of an image and, for an SVG, all fonts, since it may contain text in any
  /// font.
  func decoder(of image: ImageReference) -> [String] {
    resources.images.decoderCode + (image.isVector ? metrics.allFonts : [])
  }
}
