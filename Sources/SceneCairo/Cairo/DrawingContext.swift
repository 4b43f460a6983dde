// SPDX-License-Identifier: MIT
import CCairo
public import SceneGraphics
public import SceneIR
import SceneSystem

/// Owner of one `cairo_t`, which draws on a surface. Used by one thread.
///
/// Lengths are pixels, y grows downwards, colours are straight-alpha sRGB in `0...1`.
@safe public final class DrawingContext {
  let handle: Owned<OpaquePointer>
  package let surface: Surface

  package init(_ surface: Surface) {
    self.surface = surface
    // Safe: Cairo never answers null; what failed is a context in an error state.
    unsafe handle = Owned(always: cairo_create(surface.handle.pointer), cairo_destroy)
  }

  /// What Cairo says of the state it is in, when that is an error.
  package var fault: String? { Surface.message(unsafe cairo_status(handle.pointer)) }

  // MARK: State

  /// Puts map, clip, source and styles back after `body`.
  public func saved(_ body: () throws -> Void) rethrows {
    unsafe cairo_save(handle.pointer)
    defer { unsafe cairo_restore(handle.pointer) }
    try body()
  }

  /// Lends the `cairo_t` itself, for all that Cairo can do; it must not be kept.
  public func withPointer<T>(_ body: (OpaquePointer) throws -> T) rethrows -> T {
    try unsafe body(handle.pointer)
  }

  /// From the coordinates of drawing to those of the device.
  public var map: Affine {
    get {
      var m = cairo_matrix_t()
      unsafe cairo_get_matrix(handle.pointer, &m)
      return Affine(m.xx, m.yx, m.xy, m.yy, m.x0, m.y0)
    }
    set {
      var matrix = cairo_matrix_t(newValue)
      unsafe cairo_set_matrix(handle.pointer, &matrix)
    }
  }

  /// Draws through a map, before that which is there.
  public func concat(_ map: Affine) {
    var matrix = cairo_matrix_t(map)
    unsafe cairo_transform(handle.pointer, &matrix)
  }

  /// Moves what is drawn from here on.
  public func translate(_ x: Double, _ y: Double) { concat(.translation(x, y)) }

  /// Stretches what is drawn from here on.
  public func scale(_ x: Double, _ y: Double) { concat(.scale(x, y)) }

  /// A box around the clip, on the device.
  package var deviceClip: Rect {
    let own = map
    map = .identity
    defer { map = own }
    var (x0, y0, x1, y1) = (0.0, 0.0, 0.0, 0.0)
    unsafe cairo_clip_extents(handle.pointer, &x0, &y0, &x1, &y1)
    return Rect(x0, y0, x1 - x0, y1 - y0)
  }

  /// How pixels are put on those that are there.
  package func compose(_ way: Composition) { unsafe cairo_set_operator(handle.pointer, way.number) }

  // MARK: Paths

  func move(to p: Point) { unsafe cairo_move_to(handle.pointer, p.x, p.y) }

  /// Forgets the path.
  public func newPath() { unsafe cairo_new_path(handle.pointer) }

  /// Adds to the path.
  public func trace(_ path: Path) {
    for element in path.elements {
      switch element {
      case .move(let p): move(to: p)
      case .line(let p): unsafe cairo_line_to(handle.pointer, p.x, p.y)
      case .cubic(let a, let b, let p):
        unsafe cairo_curve_to(handle.pointer, a.x, a.y, b.x, b.y, p.x, p.y)
      case .close: unsafe cairo_close_path(handle.pointer)
      }
    }
  }

  /// Adds a rectangle to the path.
  public func trace(_ r: Rect) {
    unsafe cairo_rectangle(handle.pointer, r.x, r.y, r.width, r.height)
  }

  /// The same path is there after `body` as before.
  package func keepingPath(_ body: () -> Void) {
    // Safe: Cairo never answers null; what failed is a path without points.
    let kept = unsafe Owned(always: cairo_copy_path(handle.pointer), cairo_path_destroy)
    body()
    unsafe cairo_append_path(handle.pointer, kept.pointer)
  }

  /// The path, moved; a point that nothing follows is left out.
  func path(movedBy offset: Point) -> Path {
    guard let data = unsafe Owned(cairo_copy_path(handle.pointer), cairo_path_destroy) else {
      return Path()
    }
    func point(_ index: Int32) -> Point {
      unsafe Point(
        scene_path_x(data.pointer, index) + offset.x,
        scene_path_y(data.pointer, index) + offset.y)
    }
    var path = Path()
    var index: Int32 = 0
    while unsafe index < data.pointer.pointee.num_data {
      switch unsafe UInt32(scene_path_type(data.pointer, index)) {
      case CAIRO_PATH_MOVE_TO.rawValue: path.move(point(index + 1))
      case CAIRO_PATH_LINE_TO.rawValue: path.line(point(index + 1))
      case CAIRO_PATH_CURVE_TO.rawValue:
        path.cubic(point(index + 1), point(index + 2), point(index + 3))
      default: path.close()
      }
      index += unsafe Int32(scene_path_step(data.pointer, index))
    }
    if case .move = path.elements.last { path.elements.removeLast() }
    return path
  }

  /// Cuts with the path what is drawn from here on.
  public func clip() { unsafe cairo_clip(handle.pointer) }

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
  public func fillKeepingPath() { unsafe cairo_fill_preserve(handle.pointer) }

  /// Strokes the path with the source, and forgets it.
  public func stroke(_ style: StrokeStyle) {
    unsafe cairo_set_line_width(handle.pointer, style.width)
    unsafe cairo_set_line_cap(handle.pointer, style.cap.number)
    unsafe cairo_set_line_join(handle.pointer, style.join.number)
    unsafe cairo_set_miter_limit(handle.pointer, style.miterLimit)
    unsafe cairo_set_dash(handle.pointer, style.dash, Int32(style.dash.count), style.dashOffset)
    unsafe cairo_stroke(handle.pointer)
  }

  /// Puts the source everywhere inside the clip.
  public func paint(opacity: Double = 1) { unsafe cairo_paint_with_alpha(handle.pointer, opacity) }

  /// What `body` draws becomes the source.
  package func asSource(_ body: () -> Void) {
    unsafe cairo_push_group(handle.pointer)
    body()
    unsafe cairo_pop_group_to_source(handle.pointer)
  }

  package func showPage() { unsafe cairo_show_page(handle.pointer) }
}

// MARK: Sources

extension DrawingContext {
  /// What is outside a picture.
  package enum Edge { case clear, nearest, tiled }

  /// Draws in one colour from here on.
  public func setSource(_ c: Color) {
    unsafe cairo_set_source_rgba(handle.pointer, c.red, c.green, c.blue, c.alpha)
  }

  /// Nothing at all, so that no picture is held.
  package func clearSource() { setSource(Color(0, 0, 0, 0)) }

  /// The pixels of a surface, with their origin at a point; scaled smoothly, if at all.
  package func setSource(
    _ picture: Surface, at place: Point = .zero, edge: Edge = .clear, isSmooth: Bool = true
  ) {
    unsafe cairo_set_source_surface(handle.pointer, picture.handle.pointer, place.x, place.y)
    let pattern = unsafe cairo_get_source(handle.pointer)
    unsafe cairo_pattern_set_extend(pattern, edge.number)
    // Between half and full size GOOD is exact for what is made smaller and bilinear for the rest.
    unsafe cairo_pattern_set_filter(pattern, isSmooth ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST)
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
      unsafe cairo_pattern_add_color_stop_rgba(
        pattern.pointer, stop.offset, c.red, c.green, c.blue, c.alpha)
    }
    unsafe cairo_set_source(handle.pointer, pattern.pointer)
  }
}

/// How pixels are put on those that are there.
package enum Composition {
  /// They take their place.
  case source
  case blend(BlendMode)

  package static let over = Composition.blend(.normal)
}
