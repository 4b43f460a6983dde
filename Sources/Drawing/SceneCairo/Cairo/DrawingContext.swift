// SPDX-License-Identifier: MIT
import CCairo
public import SceneGraphics
public import SceneIR
import SceneSystem

/// An owned `cairo_t` that draws on a surface. Used by one thread.
///
/// Lengths are in pixels, y grows downward, and colors are straight-alpha sRGB in `0...1`.
@safe public final class DrawingContext {
  @safe let handle: Owned<OpaquePointer>
  package let surface: Surface

  package init(_ surface: Surface) {
    self.surface = surface
    // Safe: Cairo never returns null; on failure it returns a context in an error state.
    unsafe handle = Owned(always: cairo_create(surface.handle.pointer), cairo_destroy)
  }

  /// The message of Cairo's error status, or `nil`.
  package var failure: String? { Surface.message(cairo_status(handle.pointer)) }

  // MARK: State

  /// Runs `body` and then restores the transformation, clip, source and styles.
  public func saved(_ body: () throws -> Void) rethrows {
    cairo_save(handle.pointer)
    defer { cairo_restore(handle.pointer) }
    try body()
  }

  /// Provides the underlying `cairo_t` for direct use. The pointer must not escape `body`.
  public func withPointer<T>(_ body: (OpaquePointer) throws -> T) rethrows -> T {
    try unsafe body(handle.pointer)
  }

  /// The transformation from drawing coordinates to device coordinates.
  public var map: Affine {
    get {
      let m = scene_matrix(handle.pointer)
      return Affine(a: m.xx, b: m.yx, c: m.xy, d: m.yy, e: m.x0, f: m.y0)
    }
    set { scene_set_matrix(handle.pointer, cairo_matrix_t(newValue)) }
  }

  /// Applies a transformation before the current one.
  public func concat(_ map: Affine) { scene_transform(handle.pointer, cairo_matrix_t(map)) }

  /// Moves subsequent drawing.
  public func translate(_ x: Double, _ y: Double) { concat(.translation(x, y)) }

  /// Scales subsequent drawing.
  public func scale(_ x: Double, _ y: Double) { concat(.scale(x, y)) }

  /// The bounds of the clip in device coordinates.
  package var deviceClip: Rect {
    let own = map
    map = .identity
    defer { map = own }
    let box = scene_clip_extents(handle.pointer)
    return Rect(x: box.x0, y: box.y0, width: box.x1 - box.x0, height: box.y1 - box.y0)
  }

  /// Sets the operator that combines new with existing pixels.
  package func compose(_ way: Composition) { cairo_set_operator(handle.pointer, way.number) }

  // MARK: Paths

  func move(to p: Point) { cairo_move_to(handle.pointer, p.x, p.y) }

  /// Clears the path.
  public func newPath() { cairo_new_path(handle.pointer) }

  /// Adds a path to the current path.
  public func trace(_ path: Path) {
    for element in path.elements {
      switch element {
      case .move(let p): move(to: p)
      case .line(let p): cairo_line_to(handle.pointer, p.x, p.y)
      case .cubic(let a, let b, let p):
        cairo_curve_to(handle.pointer, a.x, a.y, b.x, b.y, p.x, p.y)
      case .close: cairo_close_path(handle.pointer)
      }
    }
  }

  /// Adds a rectangle to the current path.
  public func trace(_ r: Rect) {
    cairo_rectangle(handle.pointer, r.x, r.y, r.width, r.height)
  }

  /// Runs `body` and restores the current path.
  package func keepingPath(_ body: () -> Void) {
    // Safe: Cairo never returns null; on failure it returns an empty path.
    let kept = unsafe Owned(always: cairo_copy_path(handle.pointer), cairo_path_destroy)
    body()
    cairo_append_path(handle.pointer, kept.pointer)
  }

  /// Returns the current path, moved by an offset. Trailing single points are omitted.
  func path(movedBy offset: Point) -> Path {
    guard let data = unsafe Owned(cairo_copy_path(handle.pointer), cairo_path_destroy) else {
      return Path()
    }
    var path = Path()
    var index: Int32 = 0
    while index < scene_path_count(data.pointer) {
      let part = scene_path_part(data.pointer, index)
      func point(_ x: Double, _ y: Double) -> Point { Point(x + offset.x, y + offset.y) }
      switch part.kind {
      case CAIRO_PATH_MOVE_TO: path.move(point(part.x1, part.y1))
      case CAIRO_PATH_LINE_TO: path.line(point(part.x1, part.y1))
      case CAIRO_PATH_CURVE_TO:
        path.cubic(point(part.x1, part.y1), point(part.x2, part.y2), to: point(part.x3, part.y3))
      default: path.close()
      }
      index += part.step
    }
    if case .move = path.elements.last { path.elements.removeLast() }
    return path
  }

  /// Clips subsequent drawing to the current path.
  public func clip() { cairo_clip(handle.pointer) }

  /// Clips subsequent drawing to a rectangle.
  public func clip(to rect: Rect) {
    trace(rect)
    clip()
  }

  // MARK: Drawing

  /// Fills the path with the source by the nonzero rule and clears it.
  public func fill() {
    fillKeepingPath()
    newPath()
  }

  /// Fills the path without clearing it.
  public func fillKeepingPath() { cairo_fill_preserve(handle.pointer) }

  /// Strokes the path with the source and clears it.
  public func stroke(_ style: StrokeStyle) {
    cairo_set_line_width(handle.pointer, style.width)
    cairo_set_line_cap(handle.pointer, style.cap.number)
    cairo_set_line_join(handle.pointer, style.join.number)
    cairo_set_miter_limit(handle.pointer, style.miterLimit)
    unsafe cairo_set_dash(handle.pointer, style.dash, Int32(style.dash.count), style.dashOffset)
    cairo_stroke(handle.pointer)
  }

  /// Paints the source everywhere inside the clip.
  public func paint(opacity: Double = 1) { cairo_paint_with_alpha(handle.pointer, opacity) }

  /// Sets the content that `body` draws as the source.
  package func asSource(_ body: () -> Void) {
    cairo_push_group(handle.pointer)
    body()
    cairo_pop_group_to_source(handle.pointer)
  }

  package func showPage() { cairo_show_page(handle.pointer) }
}

// MARK: Sources

extension DrawingContext {
  /// The content outside an image source.
  package enum Edge { case clear, nearest, tiled }

  /// Sets a color as the source.
  public func setSource(_ c: Color) {
    cairo_set_source_rgba(handle.pointer, c.red, c.green, c.blue, c.alpha)
  }

  /// Sets a transparent source, which releases any image.
  package func clearSource() { setSource(Color(red: 0, green: 0, blue: 0, alpha: 0)) }

  /// Sets a surface as the source, with its origin at a point. Scaling is smooth if `isSmooth`.
  package func setSource(
    _ picture: Surface, at place: Point = .zero, edge: Edge = .clear, isSmooth: Bool = true
  ) {
    // For scales between 0.5 and 1, GOOD filters exactly; for enlargement it is bilinear.
    let filter = isSmooth ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST
    scene_set_source_surface(
      handle.pointer, picture.handle.pointer, place.x, place.y, edge.number, filter)
  }

  /// Sets a linear gradient as the source. Vector output preserves gradients.
  public func setLinear(from: Point, to: Point, _ stops: [GradientStop]) {
    set(cairo_pattern_create_linear(from.x, from.y, to.x, to.y), stops)
  }

  /// Sets a radial gradient around a point as the source.
  public func setRadial(center c: Point, radius: Double, _ stops: [GradientStop]) {
    set(cairo_pattern_create_radial(c.x, c.y, 0, c.x, c.y, radius), stops)
  }

  // Safe: Cairo never returns null; on failure it returns a pattern in an error state.
  @safe private func set(_ made: OpaquePointer?, _ stops: [GradientStop]) {
    let pattern = unsafe Owned(always: made, cairo_pattern_destroy)
    for stop in stops {
      let c = stop.color
      cairo_pattern_add_color_stop_rgba(
        pattern.pointer, stop.offset, c.red, c.green, c.blue, c.alpha)
    }
    cairo_set_source(handle.pointer, pattern.pointer)
  }
}

/// The compositing operator for new pixels.
package enum Composition {
  /// New pixels replace existing ones.
  case source
  case blend(BlendMode)

  package static let over = Composition.blend(.normal)
}
