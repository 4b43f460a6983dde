// SPDX-License-Identifier: MIT

/// A part of the model that reads scalars; the source of `Program.needed`.
package protocol HoldsScalars {
  func forEachScalar(_ use: (Scalar) -> Void)
}

extension HoldsScalars {
  /// Whether all scalars are constants.
  package var isConstant: Bool {
    var isConstant = true
    forEachScalar { if $0.constantValue == nil { isConstant = false } }
    return isConstant
  }
}

extension PointModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    use(x)
    use(y)
  }
}

extension ColorModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    use(red)
    use(green)
    use(blue)
    use(alpha)
  }
}

extension PaintModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    func all(_ stops: [StopModel]) {
      for stop in stops {
        stop.color.forEachScalar(use)
        use(stop.offset)
      }
    }
    switch self {
    case .color(let color): color.forEachScalar(use)
    case .linear(let from, let to, let stops, _):
      from.forEachScalar(use)
      to.forEachScalar(use)
      all(stops)
    case .radial(let center, let radius, let stops, _),
      .conic(let center, let radius, let stops, _):
      center.forEachScalar(use)
      use(radius)
      all(stops)
    case .pattern(_, let x, let y, let width, let height):
      for scalar in [x, y, width, height] { use(scalar) }
    case .pixels(let model): model.forEachScalar(use)
    }
  }
}

extension StrokeModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    paint.forEachScalar(use)
    for scalar in [width, miterLimit, dashOffset] + dash { use(scalar) }
    if let profile {
      profile.taper.forEachScalar(use)
      profile.factors.forEach(use)
    }
    if let brush {
      for scalar in [brush.spacing, brush.isTurned, brush.angle, brush.jitter, brush.seed] {
        use(scalar)
      }
    }
  }
}

extension RoughModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    use(amount)
    use(seed)
    if let fontSize { use(fontSize) }
  }
}

extension PathModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    for segment in segments {
      switch segment {
      case .move(let p), .line(let p): p.forEachScalar(use)
      case .cubic(let c1, let c2, let p):
        for point in [c1, c2, p] { point.forEachScalar(use) }
      case .quad(let c, let p):
        c.forEachScalar(use)
        p.forEachScalar(use)
      case .arc(let radii, let rotation, let large, let sweep, let p):
        radii.forEachScalar(use)
        for scalar in [rotation, large, sweep] { use(scalar) }
        p.forEachScalar(use)
      case .through(let points): for point in points { point.forEachScalar(use) }
      case .outline(let outline): outline.forEachScalar(use)
      case .text(let text): text.forEachScalar(use)
      case .letters(let it):
        it.text.forEachScalar(use)
        it.path.forEachScalar(use)
        use(it.start)
      case .mapped(let map, let path):
        map.forEachScalar(use)
        path.forEachScalar(use)
      case .projected(let quad, let path):
        quad.forEachScalar(use)
        path.forEachScalar(use)
      case .morph(let a, let b, let scalar), .choice(let scalar, let a, let b):
        a.forEachScalar(use)
        b.forEachScalar(use)
        use(scalar)
      case .mixed(_, _, let share): use(share)
      case .link(let link):
        for end in [link.from, link.to] { end.forEachScalar(use) }
        use(link.gap)
      case .derived(let it):
        for path in it.paths { path.forEachScalar(use) }
        if let scalar = it.scalar { use(scalar) }
      case .close, .fixed, .glyphs: break
      }
    }
  }
}

extension LinkModel.End {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    switch self {
    case .point(let p): p.forEachScalar(use)
    case .outline(let path, let center):
      path.forEachScalar(use)
      center.forEachScalar(use)
    }
  }
}

extension AffineModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    use(a)
    use(b)
    use(c)
    use(d)
    use(e)
    use(f)
  }
}

extension TextExpression: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    switch self {
    case .literal: break
    case .number(let scalar, _): use(scalar)
    case .join(let parts): for part in parts { part.forEachScalar(use) }
    case .choose(let condition, let a, let b), .typed(let a, let b, let condition):
      use(condition)
      a.forEachScalar(use)
      b.forEachScalar(use)
    }
  }
}

extension TextMeasure: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) { text.forEachScalar(use) }
}

extension TextModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    for run in runs {
      run.text.forEachScalar(use)
      for scalar in [
        run.size, run.weight, run.italic, run.letterSpacing, run.underline, run.rise,
      ] {
        use(scalar)
      }
      run.axes.forEachScalar(use)
    }
    if let width { use(width) }
    if let fitWidth { use(fitWidth) }
    use(lineHeight)
  }
}

extension ElementModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    // The marks of seams depend on the order.
    transform.forEachScalar(use)
    content.forEachScalar(use)
    if hasRareParts {
      depth?.forEachScalar(use)
      perspective?.forEachScalar(use)
    }
    use(opacity)
    use(visible)
    use(z)
    if hasRareParts { style.forEachScalar(use) }
    drawing.forEachScalar(use)
    if hasRareParts {
      rough?.forEachScalar(use)
      lineBoxes?.forEachScalar(use)
    }
  }
}

extension ElementModel.Drawing: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    switch self {
    case .nothing: break
    case .outline(let outline, let fill, let stroke, let trim, _, let writing):
      outline.forEachScalar(use)
      fill?.forEachScalar(use)
      stroke?.forEachScalar(use)
      trim?.forEachScalar(use)
      writing?.forEachScalar(use)
    case .arrow(let path, let stroke, _, let trim):
      path.forEachScalar(use)
      stroke.forEachScalar(use)
      trim?.forEachScalar(use)
    case .text(let text, let paints, let origin, let units):
      if let shown = units?.shown { use(shown) }
      units?.writing?.forEachScalar(use)
      for unit in (units?.units ?? []) + (units?.spans ?? []).map(\.unit) {
        use(unit.opacity)
        unit.map.forEachScalar(use)
        unit.depth?.forEachScalar(use)
        unit.fill?.forEachScalar(use)
        unit.stroke?.forEachScalar(use)
        use(unit.blur)
        unit.shift.forEachScalar(use)
        unit.writing?.forEachScalar(use)
      }
      units?.along?.forEachScalar(use)
      if let units { use(units.alongStart) }
      text.forEachScalar(use)
      origin.forEachScalar(use)
      for paint in paints {
        paint.fill?.forEachScalar(use)
        paint.stroke?.forEachScalar(use)
      }
    case .image(_, let frame, let source, let destination):
      for s in [frame] + source + destination { use(s) }
    case .clip(let clip, let source, let destination):
      for s in [clip.time] + source + destination { use(s) }
    case .particles(let particles): particles.forEachScalar(use)
    }
  }
}

extension TrimModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    use(from)
    use(to)
  }
}

extension OutlineModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    switch self {
    case .rect(let x, let y, let width, let height, let radius):
      for scalar in [x, y, width, height, radius] { use(scalar) }
    case .smoothRect(let x, let y, let width, let height, let radius, let smoothing):
      for scalar in [x, y, width, height, radius, smoothing] { use(scalar) }
    case .ellipse(let center, let rx, let ry):
      center.forEachScalar(use)
      use(rx)
      use(ry)
    case .star(let center, _, let outer, let inner):
      center.forEachScalar(use)
      use(outer)
      use(inner)
    case .arc(let center, let radius, let inner, let start, let sweep, let closed):
      center.forEachScalar(use)
      for scalar in [radius, inner, start, sweep, closed] { use(scalar) }
    case .path(let path): path.forEachScalar(use)
    }
  }
}
