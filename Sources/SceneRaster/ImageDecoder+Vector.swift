// SPDX-License-Identifier: MIT
import CCairo
import SceneGraphics
import SceneModel

// SVG, drawn by librsvg at the size that is needed. Nothing outside of the file is read.
extension ImageDecoder {
  static func looksLikeSVG(_ bytes: [UInt8]) -> Bool {
    let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
    return start.contains("<svg")
  }

  private static func withHandle<T>(
    _ bytes: [UInt8], _ body: (OpaquePointer) throws(AssetFault) -> T
  ) throws(AssetFault) -> T {
    var fault: UnsafeMutablePointer<GError>?
    let handle = unsafe bytes.withUnsafeBufferPointer {
      unsafe rsvg_handle_new_from_data($0.baseAddress, gsize($0.count), &fault)
    }
    guard let handle = unsafe handle else {
      let why = unsafe fault?.pointee.message.map { unsafe String(cString: $0) } ?? "it is damaged"
      unsafe g_clear_error(&fault)
      throw .undecodable("the SVG cannot be read: \(why)")
    }
    let owned = UnsafeMutableRawPointer(handle)
    defer { unsafe g_object_unref(owned) }
    unsafe rsvg_handle_set_dpi(handle, 96)
    return try unsafe body(OpaquePointer(owned))
  }

  /// Its own size in pixels; that of the view box when it has none.
  static func svgSize(_ bytes: [UInt8]) throws(AssetFault) -> PixelSize {
    try unsafe withHandle(bytes) { (handle) throws(AssetFault) in
      let it = unsafe UnsafeMutablePointer<RsvgHandle>(handle)
      var (width, height) = (0.0, 0.0)
      if unsafe rsvg_handle_get_intrinsic_size_in_pixels(it, &width, &height) == 0 {
        var (hasWidth, hasHeight, hasBox): (gboolean, gboolean, gboolean) = (0, 0, 0)
        var (w, h) = (RsvgLength(), RsvgLength())
        var box = RsvgRectangle()
        unsafe rsvg_handle_get_intrinsic_dimensions(
          it, &hasWidth, &w, &hasHeight, &h, &hasBox, &box)
        (width, height) = hasBox != 0 ? (box.width, box.height) : (300, 150)
      }
      guard width.isFinite, height.isFinite, width > 0, height > 0 else {
        throw .undecodable("the SVG has no size")
      }
      guard width < 32_000, height < 32_000 else { throw .tooLarge("the SVG is over 32000 pixels") }
      return PixelSize(Int(width.rounded(.up)), Int(height.rounded(.up)))
    }
  }

  /// The drawing at a multiple of its size.
  func decodeSVG(scale: Double) throws(AssetFault) -> PixelBuffer {
    let size = PixelSize(
      max(1, Int((Double(stored.width) * scale).rounded())),
      max(1, Int((Double(stored.height) * scale).rounded())))
    let buffer = PixelBuffer(size)
    try unsafe ImageDecoder.withHandle(bytes) { (handle) throws(AssetFault) in
      // Safe: Cairo never returns null, and the buffer outlives the surface.
      let surface = unsafe cairo_image_surface_create_for_data(
        buffer.bytes.baseAddress, CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height),
        Int32(buffer.stride))!
      let context = unsafe cairo_create(surface)!
      defer {
        unsafe cairo_destroy(context)
        unsafe cairo_surface_destroy(surface)
      }
      var room = RsvgRectangle(
        x: 0, y: 0, width: Double(size.width), height: Double(size.height))
      let it = unsafe UnsafeMutablePointer<RsvgHandle>(handle)
      guard unsafe rsvg_handle_render_document(it, context, &room, nil) != 0 else {
        throw .undecodable("the SVG cannot be drawn")
      }
      unsafe cairo_surface_flush(surface)
    }
    return buffer
  }
}
