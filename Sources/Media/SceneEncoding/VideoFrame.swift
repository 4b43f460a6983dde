// SPDX-License-Identifier: MIT
import CAV
package import SceneAV
package import SceneGraphics
package import SceneLanguage

/// A frame in the format that the encoder reads.
///
/// Passed from the drawing worker to the encoding thread and never used by both at once.
// Safe: ownership passes under the lock of the pipeline.
package final class VideoFrame: @unchecked Sendable {
  let frame: Frame
  package let format: PixelFormat
  private let size: PixelSize
  /// The converter from straight RGBA; `nil` for formats whose planes are written directly.
  private let scaler: PictureScaler?

  package init(_ size: PixelSize, _ format: PixelFormat) throws(VideoError) {
    self.size = size
    self.format = format
    frame = try Frame(format, size)
    scaler = format.isPlanar8 || format == .pal8 ? nil : try PictureScaler(size, to: format)
  }

  /// Whether the format has 8-bit planes that `withPlanes` provides. Other formats are filled by
  /// `take`.
  package var isWrittenDirectly: Bool { format.isPlanar8 }

  /// Provides the planes for writing, with their strides in bytes.
  package func withPlanes(
    _ body: (
      inout MutableSpan<UInt8>, inout MutableSpan<UInt8>, inout MutableSpan<UInt8>, PlaneStrides
    ) -> Void
  ) throws(VideoError) {
    try becomeWritable()
    let strides = PlaneStrides(y: frame.stride(0), u: frame.stride(1), v: frame.stride(2))
    let chromaRows = size.height / format.sharing.down
    frame.withPlane(0, rows: size.height) { y in
      frame.withPlane(1, rows: chromaRows) { u in
        frame.withPlane(2, rows: chromaRows) { v in body(&y, &u, &v, strides) }
      }
    }
  }

  /// Prepares the frame for `copy`.
  package func beginCopy() throws(VideoError) { try becomeWritable() }

  /// Copies rows of samples of the same format, with a stride of `stride` bytes, into a plane.
  package func copy(_ rows: Int, of samples: RawSpan, stride: Int, width: Int, to plane: Int) {
    frame.copy(rows, of: samples, stride: stride, width: width, to: Int32(plane))
  }

  /// Converts straight RGBA without row padding.
  package func take(_ rgba: [UInt8]) throws(VideoError) {
    try becomeWritable()
    try scaler?.convert(rgba, into: frame)
  }

  /// Converts straight RGBA without row padding to palette indices.
  package func take(_ rgba: [UInt8], _ palette: Palette) throws(VideoError) {
    try becomeWritable()
    let stride = frame.stride(0)
    frame.withPlane(0, rows: size.height) {
      palette.write(rgba, width: size.width, into: &$0, stride: stride)
    }
    frame.setPalette(palette.entries)
  }

  private func becomeWritable() throws(VideoError) {
    // The encoder may still be reading the previous content.
    let status = frame.makeWritable()
    if status < 0 { throw VideoError("write to a frame", status) }
  }
}

extension PixelFormat {
  /// Whether the canvas writes the format directly.
  fileprivate var isPlanar8: Bool { self == .yuv420p || self == .yuv444p }

  /// The number of the format in libav.
  var number: AVPixelFormat {
    switch self {
    case .yuv420p: AV_PIX_FMT_YUV420P
    case .yuv422p: AV_PIX_FMT_YUV422P
    case .yuv444p: AV_PIX_FMT_YUV444P
    case .yuv420p10: AV_PIX_FMT_YUV420P10LE
    case .yuv422p10: AV_PIX_FMT_YUV422P10LE
    case .yuv444p10: AV_PIX_FMT_YUV444P10LE
    case .yuva420p: AV_PIX_FMT_YUVA420P
    case .yuva444p10: AV_PIX_FMT_YUVA444P10LE
    case .rgb24: AV_PIX_FMT_RGB24
    case .rgba: AV_PIX_FMT_RGBA
    case .argb: AV_PIX_FMT_ARGB
    case .bgr0: AV_PIX_FMT_BGR0
    case .bgra: AV_PIX_FMT_BGRA
    case .pal8: AV_PIX_FMT_PAL8
    }
  }

  /// Whether the format is Y'CbCr in BT.709 with limited range; other formats are sRGB.
  var isYUV: Bool { rawValue.hasPrefix("yuv") }
}

extension Frame {
  /// Sets the palette from ARGB entries.
  fileprivate func setPalette(_ entries: [UInt32]) {
    for (index, entry) in entries.prefix(256).enumerated() {
      scene_set_palette(pointer, Int32(index), entry)
    }
  }

  /// Allocates a frame with its own memory.
  convenience init(_ format: PixelFormat, _ size: PixelSize) throws(VideoError) {
    try self.init()
    self.format = Int32(format.number.rawValue)
    self.width = Int32(size.width)
    self.height = Int32(size.height)
    self.color_range = format.isYUV ? AVCOL_RANGE_MPEG : AVCOL_RANGE_JPEG
    self.colorspace = format.isYUV ? AVCOL_SPC_BT709 : AVCOL_SPC_RGB
    self.color_primaries = AVCOL_PRI_BT709
    self.color_trc = format.isYUV ? AVCOL_TRC_BT709 : AVCOL_TRC_IEC61966_2_1
    let status = allocate()
    if status < 0 { throw VideoError("allocate a frame", status) }
  }
}
