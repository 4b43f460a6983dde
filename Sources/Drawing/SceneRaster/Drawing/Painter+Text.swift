// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import SceneModel
import ScenePixels

// Text, drawn as a whole or cluster by cluster.
extension Painter {
  func text(_ block: TextBlock, paints: [TextPaint], at: Point) {
    let layout = engine.layout(block)
    context.saved {
      context.translate(at.x, at.y)
      let box = context.map.apply(layout.inkBounds)
      for piece in layout.pieces {
        let paint = paints[piece.run]
        if let bitmap = piece.bitmap {
          show(bitmap, paint)
        } else {
          glyphs(piece.path, underline: piece.underline, paint: paint, within: box)
        }
      }
    }
  }

  /// Fills and strokes glyph outlines in the order that the paint specifies.
  private func glyphs(
    _ path: Path, underline: Path?, pen: Path? = nil, paint: TextPaint, within box: Rect
  ) {
    // Drawn separately, because a line and a glyph with opposite directions would cancel each
    // other.
    if let underline { glyphs(underline, underline: nil, paint: paint, within: box) }
    context.newPath()
    context.trace(path)
    let reach = paint.strokeStyle.width * 4 * context.map.maximumStretch
    func stroked() {
      guard let color = paint.stroke else { return }
      context.keepingPath {
        if let pen {
          context.newPath()
          context.trace(pen)
        }
        stroke(paint.strokeStyle, color, within: box.insetBy(-reach))
      }
    }
    if paint.strokeIsFirst { stroked() }
    if let fill = paint.fill {
      draw(with: fill, within: box) { context.fillKeepingPath() }
    }
    if !paint.strokeIsFirst { stroked() }
    context.newPath()
  }

  /// Draws a text with animated units, cluster by cluster.
  func units(
    _ block: TextBlock, paints: [TextPaint], at: Point, units: TextUnits
  ) {
    let layout = engine.layout(block)
    let moved = MovedText(layout, units)
    let line = letterLine(units, layout)
    let writing = TextWriting(layout, units, paints: paints)
    context.saved {
      context.translate(at.x, at.y)
      for (index, plain) in layout.clusters.enumerated() {
        if let shown = units.shown, plain.glyph >= shown { continue }
        let style = moved.style(of: plain)
        guard style.opacity > 0, let map = line.map(of: plain, style: style), map.isFinite,
          abs(map.determinant) > 1e-12
        else { continue }
        let isStroked = (style.stroke ?? paints[plain.run].stroke) != nil
        let cluster = line.shaped(plain, isStroked: isStroked || writing != nil)
        let whole = WrittenCluster(cluster: cluster, paint: paints[cluster.run], style: style)
        let parts = writing?.parts(of: index, whole) ?? [whole]
        let place = place(of: cluster, in: units, style: style, map)
        let window = moved.window(of: cluster)
        if let place, cluster.bitmap == nil, style.blur <= 0.01 {
          for part in parts {
            projected(
              part.cluster, paint: part.paint, style: part.style, under: place, window: window)
          }
          continue
        }
        context.saved {
          context.concat(place?.tangent(at: cluster.box.center) ?? map)
          for part in parts { draw(part, window: window) }
        }
      }
    }
  }

  /// Draws a cluster in the window that clips it, with its blur.
  private func draw(_ part: WrittenCluster, window: (window: Rect, offset: Point)?) {
    if let (window, offset) = window {
      return clipped(to: .rect(window, radius: 0)) { inner in
        context.translate(offset.x, offset.y)
        inner.draw(part, window: nil)
      }
    }
    context.saved {
      // The ink bounds in device coordinates, computed here because a blur draws in a context with
      // a different map.
      let box = context.map.apply(part.cluster.ink)
      guard part.style.blur > 0.01 else {
        return draw(part.cluster, paint: part.paint, style: part.style, within: box)
      }
      blurred(by: part.style.blur, part.cluster) { inner in
        inner.draw(part.cluster, paint: part.paint, style: part.style, within: box)
      }
    }
  }

  /// Returns the projection of a cluster in space; `nil` for a flat one.
  func place(
    of cluster: TextCluster, in units: TextUnits, style: TextUnitStyle, _ map: Affine
  ) -> Projection? {
    guard let space = style.space, let back = style.map.inverted else { return nil }
    // The map without the transform of the unit.
    let line = SpaceMap(map.concat(back))
    return units.eye.concat(line).concat(space).projection
  }

  /// Returns the baseline of a text's clusters.
  func letterLine(_ units: TextUnits, _ layout: TextLayout) -> ClusterLine {
    ClusterLine(units, layout, line: units.along.map { engine.line(under: layout, along: $0) })
  }

  private func draw(
    _ cluster: TextCluster, paint: TextPaint, style: TextUnitStyle, within box: Rect
  ) {
    if let bitmap = cluster.bitmap {
      setSource(.color(.black), within: box)
      context.asSource { bitmap.show(on: context) }
      return context.paint(opacity: style.opacity)
    }
    var own = paint
    own.fill = (style.fill ?? paint.fill)?.faded(style.opacity)
    own.stroke = (style.stroke ?? paint.stroke)?.faded(style.opacity)
    if case .color(let color)? = own.fill, own.stroke == nil, cluster.underline == nil,
      fillSmall(cluster.flat, color, under: context.map, within: box)
    {
      return
    }
    glyphs(
      cluster.path, underline: cluster.underline, pen: cluster.pen, paint: own, within: box)
  }

  /// Returns the ink bounds of a text with all units in place.
  func ink(_ block: TextBlock, _ units: TextUnits?) -> Rect {
    let layout = engine.layout(block)
    guard let units else { return layout.inkBounds }
    let reach = units.rough.map { RoughPen.reach($0.amount) } ?? 0
    guard !units.styles.isEmpty || !units.spans.isEmpty || units.along != nil else {
      return layout.inkBounds.insetBy(-reach)
    }
    let moved = MovedText(layout, units)
    let line = letterLine(units, layout)
    var whole = units.along == nil ? layout.inkBounds : .empty
    for cluster in layout.clusters {
      let style = moved.style(of: cluster)
      guard let map = line.map(of: cluster, style: style), map.isFinite else { continue }
      let ink = units.along?.isBent == true ? line.bent(cluster).ink : cluster.ink
      let box = ink.insetBy(-3 * style.blur - reach)
      let place = place(of: cluster, in: units, style: style, map)
      whole = whole.union(place?.apply(box) ?? map.apply(box))
    }
    return whole
  }

  /// Draws color glyphs. They use only the alpha of the paint.
  private func show(_ bitmap: GlyphBitmap, _ paint: TextPaint) {
    var alpha = 1.0
    if case .color(let color)? = paint.fill { alpha = color.alpha }
    setSource(.color(.black), within: .everything)
    guard alpha < 1 else { return bitmap.show(on: context) }
    context.asSource { bitmap.show(on: context) }
    context.paint(opacity: alpha)
  }
}
