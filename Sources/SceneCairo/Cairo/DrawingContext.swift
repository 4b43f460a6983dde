// SPDX-License-Identifier: MIT
import CCairo
public import SceneGraphics
public import SceneIR
import SceneSystem

/// Owner of one `cairo_t`, which draws on a surface. Used by one thread.
///
/// Lengths are pixels, y grows downwards, colors are straight-alpha sRGB in `0...1`.
@safe public final class DrawingContext {
  @safe let handle: Owned<OpaquePointer>
  package let surface: Surface

  package init(_ surface: Surface) {
    self.surface = surface
    // Safe: Cairo never answers null; what failed is a context in an error state.
    unsafe handle = Owned(always: cairo_create(surface.handle.pointer), cairo_destroy)
  }

  /// What Cairo says of the state it is in, when that is an error.
  package var fault: String? { Surface.message(cairo_status(handle.pointer)) }

  // MARK: State

  /// Puts map, clip, source and styles back after `body`.
  public func saved(_ body: () throws -> Void) rethrows {
    cairo_save(handle.pointer)
    defer { cairo_restore(handle.pointer) }
    try body()
  }

  /// Lends the `cairo_t` itself, for all that Cairo can do; it must not be kept.
  public func withPointer<T>(_ body: (OpaquePointer) throws -> T) rethrows -> T {
    try unsafe body(handle.pointer)
  }

  /// From the coordinates of drawing to those of the device.
  public var map: Affine {
    get {
      let m = scene_matrix(handle.pointer)
      return Affine(m.xx, m.yx, m.xy, m.yy, m.x0, m.y0)
    }
    set { scene_set_matrix(handle.pointer, cairo_matrix_t(newValue)) }
  }

  /// Draws through a map, before that which is there.
  public func concat(_ map: Affine) { scene_transform(handle.pointer, cairo_matrix_t(map)) }

  /// Moves what is drawn from here on.
  public func translate(_ x: Double, _ y: Double) { concat(.translation(x, y)) }

  /// Stretches what is drawn from here on.
  public func scale(_ x: Double, _ y: Double) { concat(.scale(x, y)) }

  /// A box around the clip, on the device.
  package var deviceClip: Rect {
    let own = map
    map = .identity
    defer { map = own }
    let box = scene_clip_extents(handle.pointer)
    return Rect(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0)
  }

  /// How pixels are put on those that are there.
  package func compose(_ way: Composition) { cairo_set_operator(handle.pointer, way.number) }

  // MARK: Paths

  func move(to p: Point) { cairo_move_to(handle.pointer, p.x, p.y) }

  /// Forgets the path.
  public func newPath() { cairo_new_path(handle.pointer) }

  /// Adds to the path.
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

  /// Adds a rectangle to the path.
  public func trace(_ r: Rect) {
    cairo_rectangle(handle.pointer, r.x, r.y, r.width, r.height)
  }

  /// The same path is there after `body` as before.
  package func keepingPath(_ body: () -> Void) {
    // Safe: Cairo never answers null; what failed is a path without points.
    let kept = unsafe Owned(always: cairo_copy_path(handle.pointer), cairo_path_destroy)
    body()
    cairo_append_path(handle.pointer, kept.pointer)
  }

  /// The path, moved; a point that nothing follows is left out.
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
        path.cubic(point(part.x1, part.y1), point(part.x2, part.y2), point(part.x3, part.y3))
      default: path.close()
      }
      index += part.step
    }
    if case .move = path.elements.last { path.elements.removeLast() }
    return path
  }

  /// Cuts with the path what is drawn from here on.
  public func clip() { cairo_clip(handle.pointer) }

  /// Cuts with a rectangle what is drawn from here on.
  public func clip(to rect: Rect) {
    trace(rect)
    clip()
  }

  // MARK: Drawing

  /// Fills the path with the source by the nonzero rule, and forgets it.
  public func fill() {
    fillKeepingPath()
    newPath()
  }

  /// Fills the path, which stays.
  public func fillKeepingPath() { cairo_fill_preserve(handle.pointer) }

  /// Strokes the path with the source, and forgets it.
  public func stroke(_ style: StrokeStyle) {
    cairo_set_line_width(handle.pointer, style.width)
    cairo_set_line_cap(handle.pointer, style.cap.number)
    cairo_set_line_join(handle.pointer, style.join.number)
    cairo_set_miter_limit(handle.pointer, style.miterLimit)
    unsafe cairo_set_dash(handle.pointer, style.dash, Int32(style.dash.count), style.dashOffset)
    cairo_stroke(handle.pointer)
  }

  /// Puts the source everywhere inside the clip.
  public func paint(opacity: Double = 1) { cairo_paint_with_alpha(handle.pointer, opacity) }

  /// What `body` draws becomes the source.
  package func asSource(_ body: () -> Void) {
    cairo_push_group(handle.pointer)
    body()
    cairo_pop_group_to_source(handle.pointer)
  }

  package func showPage() { cairo_show_page(handle.pointer) }
}

// MARK: Sources

extension DrawingContext {
  /// What is outside a picture.
  package enum Edge { case clear, nearest, tiled }

  /// Draws in one color from here on.
  public func setSource(_ c: Color) {
    cairo_set_source_rgba(handle.pointer, c.red, c.green, c.blue, c.alpha)
  }

  /// Nothing at all, so that no picture is held.
  package func clearSource() { setSource(Color(0, 0, 0, 0)) }

  /// The pixels of a surface, with their origin at a point; scaled smoothly, if at all.
  package func setSource(
    _ picture: Surface, at place: Point = .zero, edge: Edge = .clear, isSmooth: Bool = true
  ) {
    // Between half and full size GOOD is exact for what is made smaller and bilinear for the rest.
    let filter = isSmooth ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST
    scene_set_source_surface(
      handle.pointer, picture.handle.pointer, place.x, place.y, edge.number, filter)
  }

  /// A gradient along a line, which stays one in a document of vectors.
  public func setLinear(from: Point, to: Point, _ stops: [GradientStop]) {
    unsafe set(cairo_pattern_create_linear(from.x, from.y, to.x, to.y), stops)
  }

  /// A gradient from a point outwards.
  public func setRadial(center c: Point, radius: Double, _ stops: [GradientStop]) {
    unsafe set(cairo_pattern_create_radial(c.x, c.y, 0, c.x, c.y, radius), stops)
  }

  // Safe: Cairo never answers null; what failed is a pattern in an error state.
  private func set(_ made: OpaquePointer?, _ stops: [GradientStop]) {
    let pattern = unsafe Owned(always: made, cairo_pattern_destroy)
    for stop in stops {
      let c = stop.color
      cairo_pattern_add_color_stop_rgba(
        pattern.pointer, stop.offset, c.red, c.green, c.blue, c.alpha)
    }
    cairo_set_source(handle.pointer, pattern.pointer)
  }
}

/// How pixels are put on those that are there.
package enum Composition {
  /// They take their place.
  case source
  case blend(BlendMode)

  package static let over = Composition.blend(.normal)
}
