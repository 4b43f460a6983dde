// SPDX-License-Identifier: MIT
package import SceneGraphics

/// The memory layout of a decoded frame: consecutive planes, with rows padded to 64 bytes.
package struct PictureLayout: Hashable, Sendable {
  /// One plane.
  package struct Plane: Hashable, Sendable {
    package let offset: Int
    /// The number of bytes from one row to the next.
    package let stride: Int
    /// The number of bytes of samples per row, without padding.
    package let width: Int
    package let rows: Int
  }

  /// The planes Y, Cb, Cr and alpha, or one plane of BGRA pixels.
  package let planes: [Plane]
  /// The size in bytes, rounded up to whole pages.
  package let byteCount: Int

  package init(_ format: PictureFormat, _ size: PixelSize) {
    let bytes = format.depth > 8 ? 2 : 1
    let half = PixelSize((size.width + 1) / 2, (size.height + 1) / 2)
    let chroma =
      switch format.layout {
      case .yuv420: half
      case .yuv422: PixelSize(half.width, size.height)
      default: size
      }
    var widths =
      format.layout == .bgra
      ? [PixelSize(size.width * 4, size.height)]
      : [size, chroma, chroma].map { PixelSize($0.width * bytes, $0.height) }
    if format.layout != .bgra, format.hasAlpha {
      widths.append(PixelSize(size.width * bytes, size.height))
    }
    var (planes, end): ([Plane], Int) = ([], 0)
    for part in widths {
      let stride = (part.width + 63) / 64 * 64
      planes.append(Plane(offset: end, stride: stride, width: part.width, rows: part.height))
      end += stride * part.height
    }
    self.planes = planes
    byteCount = (end + 4095) / 4096 * 4096
  }
}
