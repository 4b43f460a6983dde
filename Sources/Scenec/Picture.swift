// SPDX-License-Identifier: MIT
import SceneClips
import SceneFiles
import SceneModel
import ScenePixels
import SceneRaster
import Synchronization

/// A picture that can be drawn, and whose pixels can be read. It never changes.
public final class Picture: Sendable {
  private enum Content: Sendable {
    case pixels(PixelBuffer, number: UInt64)
    /// The clip stays open.
    case clip(ClipReader, ClipDigest, number: Int)
  }

  /// As it is shown.
  public let size: PixelSize
  /// Of what `withPixels` lends: another one where the pixels of a clip are no squares.
  public let pixelSize: PixelSize
  private let content: Content
  private let known = Mutex<ImageReference?>(nil)

  /// Decodes an image file: PNG, JPEG, WebP, GIF or SVG, upright.
  ///
  /// `scenec-decode` does it, a process with limits and fences, which is beside this program or in `PATH`.
  public convenience init(_ path: String) throws(FilmFault) {
    let bytes: [UInt8]
    do throws(FileFault) { bytes = try SceneFile.read(path) } catch { throw FilmFault(error) }
    do throws(AssetFault) {
      self.init(try Shared.decoder.picture(of: bytes))
    } catch {
      throw FilmFault(error, path)
    }
  }

  /// Takes rows of premultiplied BGRA from the top down, one each `bytesPerRow` bytes, by default without
  /// padding.
  public convenience init(_ size: PixelSize, _ pixels: Span<UInt8>, bytesPerRow: Int? = nil) {
    let buffer = PixelBuffer(size)
    buffer.withRows { $0.take(pixels, stride: bytesPerRow ?? size.width * 4) }
    self.init(buffer)
  }

  private init(_ pixels: PixelBuffer) {
    (size, pixelSize) = (pixels.size, pixels.size)
    content = .pixels(pixels, number: Shared.number())
  }

  init(_ clip: ClipReader, _ digest: ClipDigest, _ pictures: ClipPictures, _ number: Int) {
    size = pictures.size
    pixelSize = pictures.orientation.applied(to: pictures.storedSize)
    content = .clip(clip, digest, number: number)
  }

  deinit {
    if case .pixels = content, let image = known.withLock({ $0 }) { Shared.images.forget([image]) }
  }

  /// Lends the pixels: premultiplied BGRA, rows of `pixelSize.width * 4` bytes from the top down. Those of a
  /// clip are made from its samples each time.
  public func withPixels<T>(_ body: (Span<UInt8>) throws -> T) throws -> T {
    try pixels().withBytes { try body($0.span) }
  }

  private func pixels() throws(FilmFault) -> PixelBuffer {
    switch content {
    case .pixels(let buffer, _): return buffer
    case .clip(_, let digest, let number):
      do throws(ClipFault) {
        return try Shared.clips.picture(digest, number).draw()
      } catch {
        throw FilmFault(error)
      }
    }
  }

  /// What it is drawn by.
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
