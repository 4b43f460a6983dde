// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

// `stroke-scale: none`: the stroke width in the scene is unaffected by scaling.
extension DrawOp {
  /// Returns the op with steady strokes converted to ordinary strokes; `map` is the map from the
  /// op's coordinates to the scene's.
  func settled(_ map: Affine) -> DrawOp {
    func all(_ body: [DrawOp]) -> [DrawOp] { body.map { $0.settled(map) } }
    switch self {
    case .stroke(let outline, let style, let paint):
      return style.isSteady ? DrawOp.stroke(outline, style: style, paint: paint, under: map) : self
    case .transformed(let inner, let body):
      let map = map.concat(inner)
      return .transformed(inner, body: body.map { $0.settled(map) })
    case .clipped(let outline, let body): return .clipped(outline, body: all(body))
    case .layer(let style, let body): return .layer(style, body: all(body))
    case .masked(let style, let mask, let body):
      return .masked(style, mask: all(mask), body: all(body))
    case .crossed(let function, let from, let to):
      return .crossed(function, from: all(from), to: all(to))
    case .averaged(let bodies): return .averaged(bodies.map(all))
    case .particles(var frame):
      // A stroke is as wide as on a particle with a scale of 1.
      frame.sprite = frame.sprite.map { $0.settled(.identity) }
      return .particles(frame)
    // The strokes inside have been converted to outlines.
    case .fill, .text, .image, .backdrop, .projected: return self
    }
  }

  private static func stroke(
    _ outline: Outline, style: StrokeStyle, paint: Paint, under map: Affine
  ) -> DrawOp {
    var style = style
    style.isSteady = false
    let scale = abs(map.determinant).squareRoot()
    if let back = map.evenInverse(scale) {
      // Stroke in the coordinates of the scene, where the pen is round.
      return .transformed(
        back, body: [.stroke(.path(outline.path.transformed(by: map)), style, paint.moved(by: map))]
      )
    }
    guard scale > 1e-9 else { return .stroke(outline, style, paint) }
    style.width /= scale
    style.dash = style.dash.map { $0 / scale }
    style.dashOffset /= scale
    return .stroke(outline, style, paint)
  }
}

extension Affine {
  /// Returns the inverse of a map that scales unevenly; `nil` for other maps.
  fileprivate func evenInverse(_ scale: Double) -> Affine? {
    let uneven = Math.hypot(a * a + b * b - c * c - d * d, 2 * (a * c + b * d))
    return uneven > 1e-6 * scale * scale ? inverted : nil
  }
}

extension Paint {
  /// Returns the paint transformed by `map`: exactly for solid colors, linear gradients and pixel
  /// functions, approximately for other paints.
  fileprivate func moved(by map: Affine) -> Paint {
    switch self {
    case .color: return self
    case .linear(let from, let to, let stops):
      // Lines of equal color remain parallel lines; the gradient direction is made perpendicular to
      // them again.
      let (start, end) = (map.apply(from), map.apply(to))
      let along = map.apply(Point(from.x - (to.y - from.y), from.y + (to.x - from.x))) - start
      let across = Point(-along.y, along.x)
      let square = across.x * across.x + across.y * across.y
      guard square > 0 else { return self }
      let way = end - start
      let share = (way.x * across.x + way.y * across.y) / square
      return .linear(from: start, to: start + across * share, stops: stops)
    case .radial(let center, let radius, let stops):
      let scale = abs(map.determinant).squareRoot()
      return .radial(center: map.apply(center), radius: radius * scale, stops: stops)
    case .conic(let center, let angle, let stops):
      return .conic(center: map.apply(center), angle: angle, stops: stops)
    case .pattern(let image, let tile, let opacity):
      let corner = map.apply(Point(tile.x, tile.y))
      let end = map.apply(Point(tile.x + tile.width, tile.y + tile.height))
      return .pattern(
        image,
        tile: Rect(
          x: corner.x, y: corner.y, width: abs(end.x - corner.x), height: abs(end.y - corner.y)),
        opacity: opacity)
    case .pixels(let function, let opacity):
      return .pixels(function.placed(by: Projection(map)), opacity: opacity)
    }
  }
}
