// SPDX-License-Identifier: MIT
import SceneClips
import SceneFiles
import SceneModel
import ScenePixels
import SceneRaster
import Synchronization

/// An immutable image that can be drawn and whose pixels can be read.
public final class Image: Sendable {
  private enum Content: Sendable {
    case pixels(PixelBuffer, number: UInt64)
    /// Retains the reader so that the clip stays open.
    case clip(ClipReader, ClipDigest, number: Int)
  }

  /// The display size.
  public let size: PixelSize
  /// The size of the image that `withPixels` provides. Differs from `size` for clips with
  /// non-square pixels.
  public let pixelSize: PixelSize
  private let content: Content
  private let known = Mutex<ImageReference?>(nil)

  /// Decodes an image file (PNG, JPEG, WebP, GIF or SVG) and applies its orientation.
  ///
  /// Decoding runs in the sandboxed worker process `scenec-decode`, whose executable must be beside
  /// this program or in `PATH`.
  public convenience init(_ path: String) throws(FilmError) {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try SceneFile.read(path) } catch { throw FilmError(error) }
    do throws(AssetError) {
      self.init(try Shared.decoder.picture(of: bytes))
    } catch {
      throw FilmError(error, path)
    }
  }

  /// Copies rows of premultiplied BGRA, top row first. The stride is `bytesPerRow` bytes; by
  /// default, rows have no padding.
  public convenience init(_ size: PixelSize, _ pixels: Span<UInt8>, bytesPerRow: Int? = nil) {
    let buffer = PixelBuffer(size)
    buffer.withRows { $0.take(pixels, stride: bytesPerRow ?? size.width * 4) }
    self.init(buffer)
  }

  private init(_ pixels: PixelBuffer) {
    (size, pixelSize) = (pixels.size, pixels.size)
    content = .pixels(pixels, number: Shared.number())
  }

  init(_ clip: ClipReader, digest: ClipDigest, pictures: ClipPictures, number: Int) {
    size = pictures.size
    pixelSize = pictures.orientation.applied(to: pictures.storedSize)
    content = .clip(clip, digest, number: number)
  }

  deinit {
    if case .pixels = content, let image = known.withLock({ $0 }) { Shared.images.forget([image]) }
  }

  /// Provides the pixels as premultiplied BGRA, in rows of `pixelSize.width * 4` bytes, top row
  /// first. Frames of a clip are converted on each call.
  public func withPixels<T>(_ body: (Span<UInt8>) throws -> T) throws -> T {
    try pixels().withBytes { try body($0.span) }
  }

  private func pixels() throws(FilmError) -> PixelBuffer {
    switch content {
    case .pixels(let buffer, _): return buffer
    case .clip(_, let digest, let number):
      do throws(ClipError) {
        return try Shared.clips.picture(digest, number).draw()
      } catch {
        throw FilmError(error)
      }
    }
  }

  /// The reference that drawing ops use.
  var reference: ImageReference? {
    switch content {
    case .pixels(let buffer, let number):
      known.withLock { known in
        if known == nil { known = Shared.images.hold(buffer, number: number) }
        return known
      }
    case .clip(let clip, let digest, let number):
      ImageReference(clip: digest, size, picture: number, path: clip.path)
    }
  }
}
