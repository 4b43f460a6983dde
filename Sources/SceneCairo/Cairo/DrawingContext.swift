// SPDX-License-Identifier: MIT
import CCairo
package import SceneGraphics
package import SceneIR

/// Owner of one `cairo_t`, which draws on a surface.
@safe package final class DrawingContext {
  let handle: OpaquePointer
  package let surface: Surface

  package init(_ surface: Surface) {
    self.surface = surface
    // Safe: Cairo never answers null; what failed is a context in an error state.
    unsafe handle = cairo_create(surface.handle)!
  }

  deinit { unsafe cairo_destroy(handle) }

  /// What Cairo says of the state it is in, when that is an error.
  package var fault: String? { Surface.message(unsafe cairo_status(handle)) }

  // MARK: State

  /// Puts map, clip, source and styles back after `body`.
  package func saved(_ body: () -> Void) {
    unsafe cairo_save(handle)
    body()
    unsafe cairo_restore(handle)
  }

  /// From the coordinates of drawing to those of the device.
  package var map: Affine {
    get {
      var m = cairo_matrix_t()
      unsafe cairo_get_matrix(handle, &m)
      return Affine(m.xx, m.yx, m.xy, m.yy, m.x0, m.y0)
    }
    set {
      var matrix = cairo_matrix_t(newValue)
      unsafe cairo_set_matrix(handle, &matrix)
    }
  }

  package func concat(_ map: Affine) {
    var matrix = cairo_matrix_t(map)
    unsafe cairo_transform(handle, &matrix)
  }

  package func translate(_ x: Double, _ y: Double) { unsafe cairo_translate(handle, x, y) }

  package func scale(_ x: Double, _ y: Double) { unsafe cairo_scale(handle, x, y) }

  /// A box around the clip, on the device.
  package var deviceClip: Rect {
    let own = map
    map = .identity
    defer { map = own }
    var (x0, y0, x1, y1) = (0.0, 0.0, 0.0, 0.0)
    unsafe cairo_clip_extents(handle, &x0, &y0, &x1, &y1)
    return Rect(x0, y0, x1 - x0, y1 - y0)
  }

  /// How pixels are put on those that are there.
  package func compose(_ way: Composition) { unsafe cairo_set_operator(handle, way.number) }

  // MARK: Paths

  package func newPath() { unsafe cairo_new_path(handle) }

  /// Adds to the path.
  package func trace(_ path: Path) {
    for element in path.elements {
      switch element {
      case .move(let p): unsafe cairo_move_to(handle, p.x, p.y)
      case .line(let p): unsafe cairo_line_to(handle, p.x, p.y)
      case .cubic(let a, let b, let p):
        unsafe cairo_curve_to(handle, a.x, a.y, b.x, b.y, p.x, p.y)
      case .close: unsafe cairo_close_path(handle)
      }
    }
  }

  package func trace(_ r: Rect) { unsafe cairo_rectangle(handle, r.x, r.y, r.width, r.height) }

  /// The same path is there after `body` as before.
  package func keepingPath(_ body: () -> Void) {
    let kept = unsafe cairo_copy_path(handle)
    body()
    unsafe cairo_append_path(handle, kept)
    unsafe cairo_path_destroy(kept)
  }

  /// The path, moved; a point that nothing follows is left out.
  func path(movedBy offset: Point) -> Path {
    guard let data = unsafe cairo_copy_path(handle) else { return Path() }
    defer { unsafe cairo_path_destroy(data) }
    func point(_ index: Int32) -> Point {
      unsafe Point(scene_path_x(data, index) + offset.x, scene_path_y(data, index) + offset.y)
    }
    var path = Path()
    var index: Int32 = 0
    while unsafe index < data.pointee.num_data {
      switch unsafe UInt32(scene_path_type(data, index)) {
      case CAIRO_PATH_MOVE_TO.rawValue: path.move(point(index + 1))
      case CAIRO_PATH_LINE_TO.rawValue: path.line(point(index + 1))
      case CAIRO_PATH_CURVE_TO.rawValue:
        path.cubic(point(index + 1), point(index + 2), point(index + 3))
      default: path.close()
      }
      index += unsafe Int32(scene_path_step(data, index))
    }
    if case .move = path.elements.last { path.elements.removeLast() }
    return path
  }

  /// Cuts with the path what is drawn from here on.
  package func clip() { unsafe cairo_clip(handle) }

  package func clip(to rect: Rect) {
    trace(rect)
    clip()
  }

  // MARK: Drawing

  package func fill() { unsafe cairo_fill(handle) }

  package func fillKeepingPath() { unsafe cairo_fill_preserve(handle) }

  package func stroke(_ style: StrokeStyle) {
    unsafe cairo_set_line_width(handle, style.width)
    unsafe cairo_set_line_cap(handle, style.cap.number)
    unsafe cairo_set_line_join(handle, style.join.number)
    unsafe cairo_set_miter_limit(handle, style.miterLimit)
    unsafe cairo_set_dash(handle, style.dash, Int32(style.dash.count), style.dashOffset)
    unsafe cairo_stroke(handle)
  }

  /// Puts the source everywhere inside the clip.
  package func paint() { unsafe cairo_paint(handle) }

  package func paint(opacity: Double) { unsafe cairo_paint_with_alpha(handle, opacity) }

  /// What `body` draws becomes the source.
  package func asSource(_ body: () -> Void) {
    unsafe cairo_push_group(handle)
    body()
    unsafe cairo_pop_group_to_source(handle)
  }

  package func showPage() { unsafe cairo_show_page(handle) }
}

// MARK: Sources

extension DrawingContext {
  /// What is outside of a picture.
  package enum Edge { case clear, nearest, tiled }

  package func setSource(_ c: Color) {
    unsafe cairo_set_source_rgba(handle, c.red, c.green, c.blue, c.alpha)
  }

  /// Nothing at all, so that no picture is held.
  package func clearSource() { unsafe cairo_set_source_rgba(handle, 0, 0, 0, 0) }

  /// The pixels of a surface, with their origin at a point; scaled smoothly, if at all.
  package func setSource(
    _ picture: Surface, at place: Point = .zero, edge: Edge = .clear, isSmooth: Bool = true
  ) {
    unsafe cairo_set_source_surface(handle, picture.handle, place.x, place.y)
    let pattern = unsafe cairo_get_source(handle)
    unsafe cairo_pattern_set_extend(pattern, edge.number)
    // Between half and full size GOOD is exact for what is made smaller and bilinear for the rest.
    unsafe cairo_pattern_set_filter(pattern, isSmooth ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST)
  }

  /// A gradient that stays one in a document of vectors.
  package func setLinear(from: Point, to: Point, _ stops: [GradientStop]) {
    unsafe set(cairo_pattern_create_linear(from.x, from.y, to.x, to.y), stops)
  }

  package func setRadial(center c: Point, radius: Double, _ stops: [GradientStop]) {
    unsafe set(cairo_pattern_create_radial(c.x, c.y, 0, c.x, c.y, radius), stops)
  }

  /// Takes over the pattern.
  private func set(_ pattern: OpaquePointer?, _ stops: [GradientStop]) {
    for stop in stops {
      let c = stop.color
      unsafe cairo_pattern_add_color_stop_rgba(
        pattern, stop.offset, c.red, c.green, c.blue, c.alpha)
    }
    unsafe cairo_set_source(handle, pattern)
    unsafe cairo_pattern_destroy(pattern)
  }
}

/// How pixels are put on those that are there.
package enum Composition {
  /// They take their place.
  case source
  case blend(BlendMode)

  package static let over = Composition.blend(.normal)
}
