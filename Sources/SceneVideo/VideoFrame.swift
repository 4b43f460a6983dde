// SPDX-License-Identifier: MIT
import CAV
package import SceneGraphics

/// One picture of planar YUV that the encoder reads.
///
/// Handed from the worker that draws it to the one thread that encodes it, never used by both.
// Safe: ownership passes under the lock of the pipeline.
@safe package final class VideoFrame: @unchecked Sendable {
  let frame: UnsafeMutablePointer<AVFrame>
  private let height: Int
  private let chromaHeight: Int

  package init(_ size: PixelSize, isSubsampled: Bool) throws(VideoFault) {
    guard let made = unsafe av_frame_alloc() else {
      throw VideoFault(action: "make a picture", reason: "no memory", code: ENOMEM)
    }
    unsafe frame = made
    height = size.height
    chromaHeight = isSubsampled ? size.height / 2 : size.height
    unsafe frame.pointee.format = Int32(
      (isSubsampled ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_YUV444P).rawValue)
    unsafe frame.pointee.width = Int32(size.width)
    unsafe frame.pointee.height = Int32(size.height)
    unsafe frame.pointee.color_range = AVCOL_RANGE_MPEG
    unsafe frame.pointee.colorspace = AVCOL_SPC_BT709
    unsafe frame.pointee.color_primaries = AVCOL_PRI_BT709
    unsafe frame.pointee.color_trc = AVCOL_TRC_BT709
    let status = unsafe av_frame_get_buffer(frame, 0)
    if status < 0 { throw VideoFault("make a picture", status) }
  }

  deinit {
    var it: UnsafeMutablePointer<AVFrame>? = unsafe frame
    unsafe av_frame_free(&it)
  }

  /// Lends the planes for writing, with their bytes a row.
  package func withPlanes(
    _ body: (
      inout MutableSpan<UInt8>, inout MutableSpan<UInt8>, inout MutableSpan<UInt8>, (Int, Int, Int)
    ) -> Void
  ) throws(VideoFault) {
    // The encoder may still read the last picture that was in it.
    let status = unsafe av_frame_make_writable(frame)
    if status < 0 { throw VideoFault("write a picture", status) }
    let strides = unsafe (
      Int(scene_frame_stride(frame, 0)), Int(scene_frame_stride(frame, 1)),
      Int(scene_frame_stride(frame, 2))
    )
    let planes = unsafe (
      UnsafeMutableBufferPointer(start: scene_frame_plane(frame, 0), count: strides.0 * height),
      UnsafeMutableBufferPointer(
        start: scene_frame_plane(frame, 1), count: strides.1 * chromaHeight),
      UnsafeMutableBufferPointer(
        start: scene_frame_plane(frame, 2), count: strides.2 * chromaHeight)
    )
    var y = unsafe planes.0.mutableSpan
    var u = unsafe planes.1.mutableSpan
    var v = unsafe planes.2.mutableSpan
    body(&y, &u, &v, strides)
  }
}

extension VideoFault {
  init(_ action: String, _ status: Int32) {
    var text = [CChar](repeating: 0, count: 256)
    let known = unsafe av_strerror(status, &text, text.count)
    let reason =
      known == 0
      ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      : "error \(status)"
    self.init(action: action, reason: reason, code: status > -1000 ? -status : 0)
  }
}
