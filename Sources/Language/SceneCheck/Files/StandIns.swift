// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

/// An asset provider that replaces missing clips and images of another provider.
struct StandIns: AssetProvider {
  /// The duration of stand-ins, long enough that times that depend on it are positive.
  private static let seconds = 100

  private let files: any AssetProvider

  init(for files: any AssetProvider) { self.files = files }

  func image(_ path: String) throws(AssetError) -> ImageReference {
    do throws(AssetError) {
      return try files.image(path)
    } catch {
      guard error == .notFound else { throw error }
      return ImageReference(path: path, digest: 0, size: PixelSize(1920, 1080))
    }
  }

  func clip(_ path: String) throws(AssetError) -> ClipInfo {
    do throws(AssetError) {
      return try files.clip(path)
    } catch {
      guard error == .notFound else { throw error }
      let size = PixelSize(1920, 1080)
      return ClipInfo(
        digest: ClipDigest(high: 0, low: 0),
        pictures: ClipPictures(
          codec: "h264",
          times: ClipTimes(rate: FrameRate(25, 1), count: 25 * StandIns.seconds), size: size,
          storedSize: size, orientation: ClipOrientation(), format: PictureFormat(.yuv420),
          keys: [0], copying: ClipCopying(sets: [], groups: [], delay: 0)),
        sound: ClipSound(
          codec: "aac", rate: 48_000, channels: 2, start: .zero,
          sampleCount: 48_000 * StandIns.seconds))
    }
  }

  func levels(_ path: String, _ measure: SoundMeasure) throws(AssetError) -> [Float] {
    do throws(AssetError) {
      return try files.levels(path, measure)
    } catch {
      guard error == .notFound else { throw error }
      return [Float](repeating: -20, count: 100 * StandIns.seconds)
    }
  }

  func frames(_ path: String) throws(AssetError) -> [ImageFrame] {
    do throws(AssetError) {
      return try files.frames(path)
    } catch {
      guard error == .notFound else { throw error }
      return [ImageFrame(try image(path), seconds: 0)]
    }
  }

  func vector(_ path: String) throws(AssetError) -> VectorDrawing { try files.vector(path) }
  func remarks(on path: String) -> [String] { files.remarks(on: path) }
  func files(matching pattern: String) -> [String] { files.files(matching: pattern) }
  func font(_ path: String) throws(AssetError) -> String { try files.font(path) }
  func source(_ path: String) throws(AssetError) -> [UInt8] { try files.source(path) }
  func json(_ path: String) throws(AssetError) -> DataValue { try files.json(path) }
  func pieces(of code: String, in language: CodeLanguage) throws(AssetError) -> [CodePiece] {
    try files.pieces(of: code, in: language)
  }
  var names: [String] { files.names }
}
