// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR

extension [DrawOp] {
  /// Returns the ops as a projection shows them.
  ///
  /// Outlines, strokes and clips are projected exactly. Text, images, gradients, patterns, blurs
  /// and shadows remain inside a `projected` op.
  func projected(by projection: Projection) -> [DrawOp] {
    if projection.isIdentity { return self }
    if let map = projection.affine {
      return map.isDrawable ? [.transformed(map, body: self)] : []
    }
    return flatMap { $0.projected(by: projection) }
  }
}

extension DrawOp {
  fileprivate func projected(by projection: Projection) -> [DrawOp] {
    switch self {
    case .fill(let outline, .color(let color)):
      return filled(outline.path.projected(by: projection), .color(color))
    case .fill, .text, .image, .crossed, .particles:
      return [.projected(projection, body: [self])]
    case .stroke(let outline, let style, let paint):
      if style.isSteady, case .color = paint {
        let path = outline.path.projected(by: projection, isLine: true)
        return path.isEmpty ? [] : [.stroke(.path(path), style, paint)]
      }
      let path = Stroker.outline(of: outline.path, style: style)
      return path.isEmpty ? [] : DrawOp.fill(.path(path), paint).projected(by: projection)
    case .transformed(let map, let body): return body.projected(by: projection.concat(map))
    case .projected(let inner, let body): return body.projected(by: projection.concat(inner))
    case .clipped(let outline, let body):
      let path = outline.path.projected(by: projection)
      let inner = body.projected(by: projection)
      return path.isEmpty || inner.isEmpty ? [] : [.clipped(.path(path), body: inner)]
    case .layer(let style, let body): return layer(style, body, under: projection)
    case .masked(let style, let mask, let body):
      let inner = body.projected(by: projection)
      let stencil = mask.projected(by: projection)
      return inner.isEmpty ? [] : [.masked(style, mask: stencil, body: inner)]
    case .averaged(let bodies): return [.averaged(bodies.map { $0.projected(by: projection) })]
    case .backdrop(let filters, let outline):
      let path = outline.path.projected(by: projection)
      let center = outline.bounds.center
      guard !path.isEmpty, projection.weight(at: center) >= Projection.near else { return [] }
      let scale = abs(projection.tangent(at: center).determinant).squareRoot()
      return [.backdrop(filters.map { $0.projected(by: projection, scale) }, .path(path))]
    }
  }

  private func filled(_ path: Path, _ paint: Paint) -> [DrawOp] {
    path.isEmpty || !Outline.path(path).bounds.isDrawable ? [] : [.fill(.path(path), paint)]
  }

  /// Returns a layer under a projection. Opacity, blend modes and color filters are independent of
  /// it. Blurs and shadows are drawn in the plane.
  private func layer(_ style: LayerStyle, _ body: [DrawOp], under projection: Projection)
    -> [DrawOp]
  {
    guard
      style.filters.contains(where: \.dependsOnPosition) || style.shadow != nil
        || style.extended != nil
    else {
      let inner = body.projected(by: projection)
      return inner.isEmpty ? [] : [.layer(style, body: inner)]
    }
    var own = style
    (own.opacity, own.blend) = (1, .normal)
    let inner = DrawOp.projected(projection, body: [.layer(own, body: body)])
    var outer = LayerStyle(opacity: style.opacity, blend: style.blend)
    outer.light = style.light
    return outer == LayerStyle() ? [inner] : [.layer(outer, body: [inner])]
  }
}

extension Filter {
  /// Returns a filter of the backdrop under a projection that scales by `scale` at the center.
  fileprivate func projected(by projection: Projection, _ scale: Double) -> Filter {
    switch self {
    case .blur(let deviation): .blur(deviation * scale)
    case .pixels(let function): .pixels(function.placed(by: projection))
    default: self
    }
  }
}
