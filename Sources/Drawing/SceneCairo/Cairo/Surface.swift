// SPDX-License-Identifier: MIT
import CCairo
package import SceneGraphics
package import ScenePixels
import SceneSystem

/// An owned reference to a `cairo_surface_t`: an image or a vector document.
@safe package final class Surface {
  @safe let handle: Owned<OpaquePointer>

  /// Takes over a reference. `kept` is the object that Cairo reads from or writes to, which is
  /// retained.
  // Safe: Cairo never returns null; on failure it returns a surface in an error state.
  @safe private init(_ made: OpaquePointer?, keeping kept: AnyObject? = nil) {
    unsafe handle = Owned(always: made, cairo_surface_destroy)
    guard let kept else { return }
    // Cairo releases the object with the last reference, which a pattern or a document may hold.
    unsafe cairo_surface_set_user_data(
      handle.pointer, Surface.key, Unmanaged.passRetained(kept).toOpaque()
    ) { kept in
      if let kept = unsafe kept { unsafe Unmanaged<AnyObject>.fromOpaque(kept).release() }
    }
  }

  // Safe: Cairo only compares the address and never reads the content.
  nonisolated(unsafe) private static let key = UnsafeMutablePointer<cairo_user_data_key_t>
    .allocate(capacity: 1)

  // MARK: Creation

  /// Creates transparent pixels: 32-bit RGB if opaque, otherwise premultiplied ARGB.
  package convenience init(_ size: PixelSize, isOpaque: Bool = false) {
    self.init(
      cairo_image_surface_create(
        Surface.format(isOpaque), Int32(size.width), Int32(size.height)))
  }

  /// Wraps the pixels of a buffer for reading.
  package convenience init(_ buffer: PixelBuffer, isOpaque: Bool) {
    unsafe self.init(
      cairo_image_surface_create_for_data(
        buffer.memory.bytes.baseAddress, Surface.format(isOpaque), Int32(buffer.size.width),
        Int32(buffer.size.height), Int32(buffer.stride)), keeping: buffer)
  }

  /// Wraps pixels in memory of a pool. `region` is their area on the device.
  package convenience init(_ memory: PixelMemory, region: Rect) {
    let (width, height) = (Int(region.width), Int(region.height))
    precondition(memory.count >= width * height * 4)
    unsafe self.init(
      cairo_image_surface_create_for_data(
        memory.bytes.baseAddress, CAIRO_FORMAT_ARGB32, Int32(width), Int32(height),
        Int32(width * 4)), keeping: memory)
    cairo_surface_set_device_offset(handle.pointer, -region.x, -region.y)
  }

  /// Creates a recording surface without bounds.
  package static func recording() -> Surface {
    unsafe Surface(cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, nil))
  }

  /// Creates an SVG 1.1 document that is written to `sink`. One pixel is one user unit.
  package static func svg(_ size: Size, to sink: ByteSink) -> Surface {
    let made = unsafe Surface(
      cairo_svg_surface_create_for_stream(ByteSink.write, sink.address, size.width, size.height),
      keeping: sink)
    cairo_svg_surface_set_document_unit(made.handle.pointer, CAIRO_SVG_UNIT_PX)
    return made
  }

  /// Creates a PDF that is written to `sink`. One pixel is one point.
  package static func pdf(_ size: Size, to sink: ByteSink) -> Surface {
    let made = unsafe Surface(
      cairo_pdf_surface_create_for_stream(ByteSink.write, sink.address, size.width, size.height),
      keeping: sink)
    scene_clear_date(made.handle.pointer)
    return made
  }

  private static func format(_ isOpaque: Bool) -> cairo_format_t {
    isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
  }

  // MARK: State

  /// The message of Cairo's error status, or `nil`.
  package var failure: String? { Surface.message(cairo_surface_status(handle.pointer)) }

  static func message(_ status: cairo_status_t) -> String? {
    status == CAIRO_STATUS_SUCCESS ? nil : unsafe String(cString: cairo_status_to_string(status))
  }

  /// Completes the drawing and releases its target, such as a file. The surface cannot be drawn on
  /// afterwards.
  package func finish() { cairo_surface_finish(handle.pointer) }

  /// The size of an image surface; 0x0 for others.
  package var size: PixelSize {
    PixelSize(
      Int(cairo_image_surface_get_width(handle.pointer)),
      Int(cairo_image_surface_get_height(handle.pointer)))
  }

  /// Whether the pixels have no alpha.
  package var isOpaque: Bool {
    cairo_image_surface_get_format(handle.pointer) == CAIRO_FORMAT_RGB24
  }

  /// The position of the device origin in the pixels.
  package var origin: Point {
    let offset = scene_device_offset(handle.pointer)
    return Point(offset.x, offset.y)
  }

  /// The area of the pixels in device coordinates; empty for other surfaces.
  package var region: Rect {
    let (size, origin) = (self.size, self.origin)
    return Rect(x: -origin.x, y: -origin.y, width: Double(size.width), height: Double(size.height))
  }

  /// Provides the pixels for reading and writing; returns `nil` for other surfaces.
  @discardableResult
  package func withPixels<T>(_ body: (borrowing PixelRows) throws -> T) rethrows -> T? {
    cairo_surface_flush(handle.pointer)
    guard let data = unsafe cairo_image_surface_get_data(handle.pointer) else { return nil }
    defer { cairo_surface_mark_dirty(handle.pointer) }
    let size = self.size
    // Safe: the surface owns the data and outlives the call.
    let rows = unsafe PixelRows(
      data, width: size.width, height: size.height,
      stride: Int(cairo_image_surface_get_stride(handle.pointer)))
    return try body(rows)
  }
}

/// A buffer for the output of a Cairo stream.
package final class ByteSink {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// The unretained address, for a surface that retains this object.
  fileprivate var address: UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  fileprivate static let write: cairo_write_func_t = { sink, data, count in
    guard let sink = unsafe sink, let data = unsafe data else { return CAIRO_STATUS_WRITE_ERROR }
    // Safe: the surface retains the sink as long as the stream exists.
    let it = unsafe Unmanaged<ByteSink>.fromOpaque(sink).takeUnretainedValue()
    unsafe it.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
    return CAIRO_STATUS_SUCCESS
  }
}
