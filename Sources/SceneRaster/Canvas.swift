// SPDX-License-Identifier: MIT
import CCairo
import CPNG
import CPixels
package import SceneGraphics
package import SceneIR
import ScenePixels

/// What all canvases of a scene share: fonts and decoded images.
package struct DrawingResources: Sendable {
  package let fonts: FontLibrary
  package let images: ImageStore

  package init(fonts: FontLibrary, images: ImageStore) {
    self.fonts = fonts
    self.images = images
  }
}

/// The world would not let a frame be drawn.
package enum DrawingFault: Error, Hashable, Sendable {
  /// What Cairo says of its error state.
  case cairo(String)
  /// An image that was there when the scene was checked.
  case imageGone(String)
}

/// Draws frame programs into its own pixels; each worker has one.
///
/// What the last frames had in common is kept, so that only what follows it is drawn again. The
/// pixels never depend on that: a kept picture is the very state of the canvas at that op.
@safe package final class Canvas {
  private let size: PixelSize
  private let isOpaque: Bool
  private let resources: DrawingResources
  private let engine: LayoutEngine
  private let surface: OpaquePointer
  private let context: OpaquePointer
  private var images: [ImageKey: OpaquePointer] = unsafe [:]
  private var fault: DrawingFault?
  private let layers = LayerCache()
  private let pool = PixelPool()
  private var last: FrameProgram?
  private var kept: Kept?

  private struct ImageKey: Hashable {
    let image: ImageReference
    let level: Int
  }

  /// The picture after a number of ops, and the rows that were changed since.
  @safe private struct Kept {
    var count: Int
    var background: Paint?
    var ops: ArraySlice<DrawOp>
    let pixels: UnsafeMutableBufferPointer<UInt8>
    var dirty: Range<Int>
  }

  /// Opaque canvases hold 32-bit RGB, others premultiplied ARGB.
  package init(_ size: PixelSize, isOpaque: Bool, resources: DrawingResources) throws(DrawingFault)
  {
    self.size = size
    self.isOpaque = isOpaque
    self.resources = resources
    engine = LayoutEngine(resources.fonts)
    let format = isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
    // Safe: Cairo never returns null; what failed is a surface in an error state.
    unsafe surface = cairo_image_surface_create(format, Int32(size.width), Int32(size.height))!
    unsafe context = cairo_create(surface)!
    let status = unsafe cairo_status(context)
    if status != CAIRO_STATUS_SUCCESS { throw .cairo(Canvas.message(status)) }
  }

  deinit {
    unsafe images.values.forEach { unsafe cairo_surface_destroy($0) }
    unsafe kept?.pixels.deallocate()
    unsafe cairo_destroy(context)
    unsafe cairo_surface_destroy(surface)
  }

  private static func message(_ status: cairo_status_t) -> String {
    unsafe String(cString: cairo_status_to_string(status))
  }

  // MARK: Frames

  /// Draws a whole frame over whatever was there.
  package func draw(_ program: FrameProgram) throws(DrawingFault) {
    layers.beginFrame()
    let common = last.map { commonPrefix($0, program) } ?? 0
    let start = restore(program, common: common)
    var dirty = Rect.empty
    let painter = self.painter
    for (index, op) in program.ops.enumerated().dropFirst(start) {
      if index == common, index > start, worthKeeping(program, common) { keep(program, common) }
      painter.draw(op)
      if index >= (kept?.count ?? 0) { dirty = dirty.union(painter.bounds(of: op, .identity)) }
    }
    if common == program.ops.count, common > start, worthKeeping(program, common) {
      keep(program, common)
      dirty = .empty
    }
    kept?.dirty = rows(dirty)
    last = program
    unsafe cairo_surface_flush(surface)
    let status = unsafe cairo_status(context)
    if status != CAIRO_STATUS_SUCCESS { throw .cairo(Canvas.message(status)) }
    if let fault { throw fault }
  }

  private var painter: Painter {
    unsafe Painter(
      context: context, engine: engine, layers: layers, pool: pool, pixels: surface, isRaster: true,
      surface: { [self] in unsafe imageSurface($0, $1) })
  }

  private func commonPrefix(_ a: FrameProgram, _ b: FrameProgram) -> Int {
    guard a.background == b.background, a.size == b.size else { return 0 }
    var count = 0
    while count < a.ops.count, count < b.ops.count, a.ops[count] == b.ops[count] { count += 1 }
    return count
  }

  /// Whether the ops before `count` cost more than copying the frame.
  private func worthKeeping(_ program: FrameProgram, _ count: Int) -> Bool {
    if let kept, kept.count == count, kept.background == program.background,
      kept.ops == program.ops[..<count]
    {
      return false
    }
    if case .color = program.background { return count > 0 }
    return program.background != nil || count > 0
  }

  /// Puts back what is kept, or the background; answers how many ops are drawn already.
  private func restore(_ program: FrameProgram, common: Int) -> Int {
    if let kept, kept.count <= program.ops.count, kept.background == program.background,
      kept.ops == program.ops[..<kept.count]
    {
      copyRows(kept.dirty, from: kept)
      return kept.count
    }
    unsafe kept?.pixels.deallocate()
    kept = nil
    unsafe cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
    if let background = program.background {
      painter.setSource(background, within: .everything)
    } else {
      unsafe cairo_set_source_rgba(context, 0, 0, 0, 0)
    }
    unsafe cairo_paint(context)
    unsafe cairo_set_operator(context, CAIRO_OPERATOR_OVER)
    // An expensive background alone is worth keeping, if the last frame had it too.
    if case .color? = program.background { return 0 }
    if program.background != nil, common == 0, last?.background == program.background {
      keep(program, 0)
    }
    return 0
  }

  private func keep(_ program: FrameProgram, _ count: Int) {
    unsafe cairo_surface_flush(surface)
    guard let data = unsafe cairo_image_surface_get_data(surface) else { return }
    let bytes = stride * size.height
    let pixels =
      unsafe kept?.pixels ?? UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes)
    unsafe pixels.baseAddress?.update(from: data, count: bytes)
    unsafe kept = Kept(
      count: count, background: program.background, ops: program.ops[..<count], pixels: pixels,
      dirty: 0..<0)
  }

  private func copyRows(_ rows: Range<Int>, from kept: Kept) {
    guard !rows.isEmpty, let data = unsafe cairo_image_surface_get_data(surface),
      let source = unsafe kept.pixels.baseAddress
    else { return }
    unsafe cairo_surface_flush(surface)
    let offset = rows.lowerBound * stride
    unsafe (data + offset).update(from: source + offset, count: rows.count * stride)
    unsafe cairo_surface_mark_dirty(surface)
  }

  private func rows(_ r: Rect) -> Range<Int> {
    if r.isEmpty { return 0..<0 }
    func row(_ y: Double) -> Int { Int(max(0, min(Double(size.height), y))) }
    return row(
      r.y.rounded(.down) - 1)..<max(row(r.y.rounded(.down) - 1), row(r.maxY.rounded(.up) + 1))
  }

  private var stride: Int { Int(unsafe cairo_image_surface_get_stride(surface)) }

  /// The Cairo surface of an image's copy for a scale; made once for each canvas.
  private func imageSurface(_ image: ImageReference, _ scale: Double) -> (OpaquePointer, Int)? {
    guard let (buffer, level) = resources.images.level(of: image, scale: scale) else {
      fault = .imageGone(image.path)
      return nil
    }
    let key = ImageKey(image: image, level: level)
    if let known = unsafe images[key] { return unsafe (known, level) }
    // What is opaque needs no blending.
    let format = buffer.isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
    // Safe: Cairo never returns null; the buffer is kept alive below.
    let made = unsafe cairo_image_surface_create_for_data(
      buffer.bytes.baseAddress, format, Int32(buffer.size.width),
      Int32(buffer.size.height), Int32(buffer.stride))!
    buffers.append(buffer)
    unsafe images[key] = made
    return unsafe (made, level)
  }

  /// The pixels under `images`.
  private var buffers: [PixelBuffer] = []

  // MARK: Pixels

  /// Converts the frame to planar YUV in BT.709 limited range.
  ///
  /// Rows have `strides` bytes. With `isSubsampled` it is 4:2:0, and width and height are even;
  /// else it is 4:4:4.
  package func writeYUV(
    _ y: inout MutableSpan<UInt8>, _ u: inout MutableSpan<UInt8>, _ v: inout MutableSpan<UInt8>,
    strides: (Int, Int, Int), isSubsampled: Bool
  ) {
    let chromaRows = isSubsampled ? size.height / 2 : size.height
    precondition(y.count >= strides.0 * size.height, "the luma plane is too small")
    precondition(u.count >= strides.1 * chromaRows, "the U plane is too small")
    precondition(v.count >= strides.2 * chromaRows, "the V plane is too small")
    guard let data = unsafe cairo_image_surface_get_data(surface) else { return }
    let convert = unsafe isSubsampled ? scene_bgra_to_yuv420_bt709 : scene_bgra_to_yuv444_bt709
    unsafe y.withUnsafeMutableBufferPointer { y in
      unsafe u.withUnsafeMutableBufferPointer { u in
        unsafe v.withUnsafeMutableBufferPointer { v in
          unsafe convert(
            data, Int32(stride), y.baseAddress, Int32(strides.0), u.baseAddress,
            Int32(strides.1), v.baseAddress, Int32(strides.2), Int32(size.width), 0,
            Int32(size.height))
        }
      }
    }
  }

  /// Straight red, green, blue, alpha, rows without padding.
  package func rgba() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size.width * size.height * 4)
    guard let data = unsafe cairo_image_surface_get_data(surface) else { return bytes }
    if isOpaque {
      // The fourth byte of each pixel means nothing there.
      for row in 0..<size.height {
        for x in 0..<size.width {
          let from = unsafe data + row * stride + x * 4
          let to = (row * size.width + x) * 4
          unsafe (bytes[to], bytes[to + 1], bytes[to + 2]) = (from[2], from[1], from[0])
          bytes[to + 3] = 255
        }
      }
      return bytes
    }
    for row in 0..<size.height {
      unsafe bytes.withUnsafeMutableBufferPointer { target in
        unsafe scene_unpremultiply_rgba(
          data + row * stride, target.baseAddress! + row * size.width * 4, Int64(size.width))
      }
    }
    return bytes
  }

  /// The frame as a PNG file; `isCompressed` takes several times as long for a third less.
  package func png(isCompressed: Bool = false) throws(DrawingFault) -> [UInt8] {
    let level: Int32 = isCompressed ? 9 : 2
    var file = unsafe scene_png_file()
    // Safe: libpng writes into memory of its own, which is copied and freed here.
    defer { unsafe free(file.bytes) }
    var isWritten: Int32 = 0
    if isOpaque {
      if let data = unsafe cairo_image_surface_get_data(surface) {
        unsafe isWritten = scene_png_write(
          data, stride, UInt32(size.width), UInt32(size.height), 1, level, &file)
      }
    } else {
      unsafe rgba().withUnsafeBufferPointer { pixels in
        unsafe isWritten = scene_png_write(
          pixels.baseAddress, size.width * 4, UInt32(size.width), UInt32(size.height), 0, level,
          &file)
      }
    }
    guard isWritten != 0 else { throw .cairo("no memory for the PNG file") }
    return unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}

/// Collects what a Cairo stream writes.
final class ByteSink {
  var bytes: [UInt8] = []

  static let write: cairo_write_func_t = { sink, data, count in
    guard let sink = unsafe sink, let data = unsafe data else { return CAIRO_STATUS_WRITE_ERROR }
    // Safe: the caller holds the sink as long as the stream.
    let it = unsafe Unmanaged<ByteSink>.fromOpaque(sink).takeUnretainedValue()
    unsafe it.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
    return CAIRO_STATUS_SUCCESS
  }
}

extension DrawingFault {
  package var message: String {
    switch self {
    case .cairo(let reason): "the frame cannot be drawn: \(reason)"
    case .imageGone(let path): "the image '\(path)' is gone or has changed while it was drawn"
    }
  }
}
