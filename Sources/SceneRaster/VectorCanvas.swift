// SPDX-License-Identifier: MIT
import CCairo
import SceneGraphics
package import SceneIR
import ScenePixels

/// Draws a frame program as vectors.
package enum VectorCanvas {
  /// An SVG 1.1 document; a pixel is a user unit.
  package static func svg(_ program: FrameProgram, resources: DrawingResources)
    throws(DrawingFault) -> [UInt8]
  {
    try unsafe draw(program, resources) { write, sink, width, height in
      let surface = unsafe cairo_svg_surface_create_for_stream(write, sink, width, height)
      unsafe cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX)
      return unsafe surface
    }
  }

  /// A PDF of one page; a pixel is a point.
  package static func pdf(_ program: FrameProgram, resources: DrawingResources)
    throws(DrawingFault) -> [UInt8]
  {
    try unsafe draw(program, resources) { write, sink, width, height in
      let surface = unsafe cairo_pdf_surface_create_for_stream(write, sink, width, height)
      // A date would make two equal builds differ.
      unsafe cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "")
      return unsafe surface
    }
  }

  private static func draw(
    _ program: FrameProgram, _ resources: DrawingResources,
    _ make: (cairo_write_func_t, UnsafeMutableRawPointer, Double, Double) -> OpaquePointer?
  ) throws(DrawingFault) -> [UInt8] {
    let sink = ByteSink()
    let size = Size(Double(program.size.width), Double(program.size.height))
    // Safe: the sink lives until the surface is destroyed below.
    let pointer = unsafe Unmanaged.passUnretained(sink).toOpaque()
    guard let surface = unsafe make(ByteSink.write, pointer, size.width, size.height),
      let context = unsafe cairo_create(surface)
    else { throw .cairo("no memory") }
    let images = VectorImages(resources.images)
    let painter = unsafe Painter(
      context: context, engine: LayoutEngine(resources.fonts), pool: PixelPool(), pixels: nil,
      isRaster: false,
      surface: { unsafe images.surface($0, $1) })
    if let background = program.background {
      painter.setSource(background, within: .everything)
      unsafe cairo_paint(context)
    }
    for op in program.ops { painter.draw(op) }
    unsafe cairo_show_page(context)
    unsafe cairo_destroy(context)
    unsafe cairo_surface_finish(surface)
    let status = unsafe cairo_surface_status(surface)
    unsafe cairo_surface_destroy(surface)
    images.release()
    if status != CAIRO_STATUS_SUCCESS {
      throw .cairo(unsafe String(cString: cairo_status_to_string(status)))
    }
    return sink.bytes
  }
}

/// The images of one vector drawing, whole, since a viewer may zoom in.
@safe private final class VectorImages {
  private let store: ImageStore
  private var held: [(OpaquePointer, PixelBuffer)] = unsafe []

  init(_ store: ImageStore) { self.store = store }

  func surface(_ image: ImageReference, _ scale: Double) -> (OpaquePointer, Int)? {
    guard let (buffer, level) = store.level(of: image, scale: max(1, scale)),
      let made = unsafe cairo_image_surface_create_for_data(
        buffer.bytes.baseAddress, CAIRO_FORMAT_ARGB32, Int32(buffer.size.width),
        Int32(buffer.size.height), Int32(buffer.stride))
    else { return nil }
    unsafe held.append((made, buffer))
    return unsafe (made, level)
  }

  func release() {
    unsafe held.forEach { unsafe cairo_surface_destroy($0.0) }
    unsafe held = []
  }
}
