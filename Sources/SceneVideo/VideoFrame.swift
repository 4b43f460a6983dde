// SPDX-License-Identifier: MIT
import CAV
package import SceneAV
package import SceneGraphics

/// One picture of planar YUV that the encoder reads.
///
/// Handed from the worker that draws it to the one thread that encodes it, never used by both.
// Safe: ownership passes under the lock of the pipeline.
package final class VideoFrame: @unchecked Sendable {
  let frame: Frame
  private let height: Int
  private let chromaHeight: Int

  package init(_ size: PixelSize, isSubsampled: Bool) throws(VideoFault) {
    frame = try Frame()
    height = size.height
    chromaHeight = isSubsampled ? size.height / 2 : size.height
    frame.format = Int32((isSubsampled ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_YUV444P).rawValue)
    frame.width = Int32(size.width)
    frame.height = Int32(size.height)
    frame.color_range = AVCOL_RANGE_MPEG
    frame.colorspace = AVCOL_SPC_BT709
    frame.color_primaries = AVCOL_PRI_BT709
    frame.color_trc = AVCOL_TRC_BT709
    let status = frame.allocate()
    if status < 0 { throw VideoFault("make a picture", status) }
  }

  /// Lends the planes for writing, with their bytes a row.
  package func withPlanes(
    _ body: (
      inout MutableSpan<UInt8>, inout MutableSpan<UInt8>, inout MutableSpan<UInt8>, (Int, Int, Int)
    ) -> Void
  ) throws(VideoFault) {
    // The encoder may still read the last picture that was in it.
    let status = frame.makeWritable()
    if status < 0 { throw VideoFault("write a picture", status) }
    let strides = (frame.stride(0), frame.stride(1), frame.stride(2))
    frame.withPlane(0, rows: height) { y in
      frame.withPlane(1, rows: chromaHeight) { u in
        frame.withPlane(2, rows: chromaHeight) { v in body(&y, &u, &v, strides) }
      }
    }
  }
}
