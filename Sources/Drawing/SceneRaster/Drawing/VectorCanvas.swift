// SPDX-License-Identifier: MIT
import SceneCairo
import SceneClips
import SceneGraphics
import SceneModel
import ScenePixels
package import SceneIR

/// Renders frame programs to vector formats.
package enum VectorCanvas {
  /// Returns an SVG 1.1 document in which one pixel is one user unit.
  package static func svg(_ program: FrameProgram, resources: DrawingResources)
    throws(DrawingError) -> [UInt8]
  {
    let sink = ByteSink()
    try draw(program, resources, on: .svg(size(of: program), to: sink))
    return sink.bytes
  }

  /// Returns a PDF of one page in which one pixel is one point.
  package static func pdf(_ program: FrameProgram, resources: DrawingResources)
    throws(DrawingError) -> [UInt8]
  {
    let sink = ByteSink()
    try draw(program, resources, on: .pdf(size(of: program), to: sink))
    return sink.bytes
  }

  /// Rasterizes all ops up to the last backdrop filter, which vector formats do not support.
  /// Returns the number of rasterized ops.
  private static func ground(_ program: FrameProgram, _ painter: Painter) throws(DrawingError)
    -> Int
  {
    guard let last = program.ops.lastIndex(where: \.readsBackdrop) else { return 0 }
    let size = size(of: program)
    guard
      let layer = RasterLayer(
        Rect(x: 0, y: 0, width: size.width, height: size.height), painter.pool)
    else {
      throw .cairo("out of memory for the backdrop")
    }
    let below = FrameProgram(
      size: program.size, background: program.background, ops: Array(program.ops[...last]))
    painter.draw(below.opsWithBackground, on: layer, .identity)
    painter.context.setSource(layer.surface, isSmooth: false)
    painter.context.paint()
    painter.context.clearSource()
    return last + 1
  }

  private static func size(of program: FrameProgram) -> Size {
    Size(Double(program.size.width), Double(program.size.height))
  }

  private static func draw(
    _ program: FrameProgram, _ resources: DrawingResources, on surface: Surface
  ) throws(DrawingError) {
    let context = DrawingContext(surface)
    let clips = ClipFrames(resources.images.clips)
    var failure: DrawingError?
    let painter = Painter(
      context: context, engine: LayoutEngine(resources.fonts), pool: PixelPool(), pixels: nil,
      isRaster: false,
      // Images have full size, since a viewer can zoom in.
      picture: { image, scale in
        if let clip = image.clip {
          do throws(ClipError) {
            return try clips.picture(image, of: clip, scale: max(1, scale))
          } catch {
            failure = .clip(image.path, error)
            return nil
          }
        }
        return resources.images.level(of: image, scale: max(1, scale)).map { buffer, level in
          ScaledPicture(Surface(buffer, isOpaque: false), level: level)
        }
      })
    let below = try ground(program, painter)
    if below == 0, let background = program.background {
      painter.setSource(background, within: .everything)
      context.paint()
    }
    for op in program.ops.dropFirst(below) { painter.draw(op) }
    context.showPage()
    surface.finish()
    if let failure { throw failure }
    if let failure = surface.failure { throw .cairo(failure) }
  }
}
