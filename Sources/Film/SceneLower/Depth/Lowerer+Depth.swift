// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

/// The planes of a space that are sorted together.
private struct Space {
  /// The projection of the space to the coordinates of the ops.
  let eye: SpaceMap
  var planes: [DepthPlane] = []
  var ops: [DrawOp] = []

  /// Sorts the collected planes and appends their ops.
  mutating func flush() {
    if planes.isEmpty { return }
    for fragment in DepthOrder(planes.map(\.polygon)).fragments {
      ops += planes[fragment.plane].projected(fragment.isCut ? fragment.polygon : nil)
    }
    planes = []
  }
}

/// The place of elements in a space.
private struct SpacePlace {
  /// The map to the coordinates of the space.
  let map: SpaceMap
  /// The same map as long as no ancestor in the space has a depth. Flat elements are then painted in
  /// document order, and they do not intersect others.
  let flat: Affine?

  func concat(_ inner: Affine) -> SpacePlace {
    SpacePlace(map: map.concat(SpaceMap(inner)), flat: flat?.concat(inner))
  }
}

// Elements in space.
extension Lowerer {
  /// Lowers elements of which some have a depth.
  func spatialOps(of elements: [ElementModel], in view: View) -> [DrawOp] {
    var space = Space(eye: view.eye)
    walk(
      elements, SpacePlace(map: .identity, flat: .identity), at: view.time, into: &space)
    space.flush()
    return space.ops
  }

  private func walk(
    _ elements: [ElementModel], _ place: SpacePlace, at time: Ticks, into space: inout Space
  ) {
    for element in painted(elements) {
      let isIsolated = !element.style.isPlain || evaluator(element.opacity) < 1
      let isFlat = !element.hasDepth || place.flat != nil && element.depth == nil && isIsolated
      if isFlat {
        addFlat(element, place, at: time, into: &space)
      } else if isShown(element, at: time) {
        addSpatial(element, place, isIsolated: isIsolated, at: time, into: &space)
      }
    }
  }

  /// Adds an element that is drawn as a part of its parent's plane.
  private func addFlat(
    _ element: ElementModel, _ place: SpacePlace, at time: Ticks, into space: inout Space
  ) {
    var ops: [DrawOp] = []
    append(element, in: View(time: time, eye: space.eye).seen(through: place.flat), to: &ops)
    if ops.isEmpty { return }
    guard let flat = place.flat else { return add(ops, place.map, to: &space) }
    space.flush()
    if flat == .identity {
      space.ops += ops
    } else {
      space.ops.append(.transformed(flat, body: ops))
    }
  }

  private func addSpatial(
    _ element: ElementModel, _ outer: SpacePlace, isIsolated: Bool, at time: Ticks,
    into space: inout Space
  ) {
    let map = outer.map.concat(evaluator.space(of: element))
    let flat =
      element.depth == nil ? outer.flat?.concat(evaluator.affine(element.transform)) : nil
    let place = SpacePlace(map: map, flat: flat)
    if element.depth?.isBackHidden == true, space.eye.concat(map).showsBack { return }
    guard map.isFinite else { return }
    let isRoot = element.perspective != nil || !element.children.contains(where: \.hasDepth)
    let view = View(time: time, eye: space.eye.seen(from: map))
    if isRoot { return add(body(of: element, in: view), map, to: &space) }
    let content = evaluator.affine(element.content)
    guard content.isDrawable else { return }
    guard isIsolated else {
      add(drawing(element.drawing, eye: view.eye), map, to: &space)
      return walk(element.children, place.concat(content), at: time, into: &space)
    }
    // The contents keep their depth, and are composited once, in the plane of the element.
    guard let back = space.eye.concat(map).projection.inverted else { return }
    var inner = Space(eye: space.eye)
    add(drawing(element.drawing, eye: view.eye), map, to: &inner)
    walk(element.children, SpacePlace(map: map, flat: nil).concat(content), at: time, into: &inner)
    inner.flush()
    if inner.ops.isEmpty { return }
    let styled = styled(
      [.projected(back, body: inner.ops)], as: element, opacity: evaluator(element.opacity),
      in: view)
    add(styled, map, to: &space)
  }

  /// Adds ops in a plane, to the last plane if it is the same one.
  private func add(_ ops: [DrawOp], _ map: SpaceMap, to space: inout Space) {
    if ops.isEmpty { return }
    let whole = space.eye.concat(map)
    let bounds = bounds(of: ops)
    if let last = space.planes.last, last.map == whole,
      let plane = DepthPlane(last.ops + ops, bounds: last.bounds.union(bounds), under: whole)
    {
      space.planes[space.planes.count - 1] = plane
    } else if let plane = DepthPlane(ops, bounds: bounds, under: whole) {
      space.planes.append(plane)
    }
  }

  // MARK: Bounds

  /// Returns a box that contains everything that ops draw.
  private func bounds(of ops: [DrawOp]) -> Rect {
    ops.reduce(.empty) { $0.union(bounds(of: $1)) }
  }

  private func bounds(of op: DrawOp) -> Rect {
    switch op {
    case .fill(let outline, _), .backdrop(_, let outline): return outline.bounds
    case .stroke(let outline, let style, _):
      let reach = style.join == .miter ? max(1.5, style.miterLimit) : 1.5
      return outline.bounds.insetBy(-style.width / 2 * reach)
    case .text(let block, let paints, let at, let units):
      return box(of: block, paints: paints, at: at, units: units)
    case .image(_, _, let destination): return destination
    case .transformed(let map, let body): return map.apply(bounds(of: body))
    case .projected(let projection, let body): return projection.apply(bounds(of: body))
    case .clipped(let outline, let body): return outline.bounds.intersection(bounds(of: body))
    case .layer(let style, let body):
      let inner = bounds(of: body)
      return style.extent(of: inner)
    case .masked(_, _, let body): return bounds(of: body)
    case .averaged(let bodies): return bodies.reduce(.empty) { $0.union(bounds(of: $1)) }
    }
  }

  /// Returns the box of a text, enlarged by half a font size for swashes and accents.
  private func box(
    of block: TextBlock, paints: [TextPaint], at: Point, units: TextUnits?
  ) -> Rect {
    if let path = units?.along?.path {
      let size = block.runs.map(\.font.size).max() ?? 0
      return path.controlBounds.insetBy(-2 * size)
    }
    let extent = metrics.measure(block)
    let size = block.runs.map(\.font.size).max() ?? 0
    let stroke = paints.map { $0.stroke == nil ? 0 : $0.strokeStyle.width * 2 }.max() ?? 0
    let styles = (units?.styles ?? []) + (units?.spans.map(\.style) ?? [])
    let moved = styles.map { 2 * size + Math.hypot($0.map.e, $0.map.f) + 3 * $0.blur }.max() ?? 0
    return Rect(x: at.x, y: at.y, width: extent.width, height: extent.height)
      .insetBy(-size / 2 - stroke - moved)
  }
}

extension SpaceMap {
  /// Returns the eye in the coordinates of a plane whose ops are projected afterwards.
  fileprivate func seen(from plane: SpaceMap) -> SpaceMap {
    let whole = concat(plane)
    guard self != .identity || plane != .identity, let back = whole.projection.inverted else {
      return self
    }
    return SpaceMap(back).concat(whole)
  }
}

/// The time of the drawn frame, and the eye that looks at it.
struct View {
  let time: Ticks
  /// The perspective in the coordinates of the drawn elements.
  let eye: SpaceMap

  /// Returns the view in the coordinates of a map's source.
  func seen(through map: Affine?) -> View {
    guard let map, eye != .identity, map != .identity, let back = map.inverted else { return self }
    return View(time: time, eye: SpaceMap(back).concat(eye).concat(SpaceMap(map)))
  }
}
