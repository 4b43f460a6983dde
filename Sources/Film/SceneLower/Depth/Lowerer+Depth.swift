// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

/// The planes of a space that are sorted together.
private struct Space {
  /// The projection of the space to the coordinates of the ops.
  let eye: SpaceMap
  /// The focus of the camera; `nil` if everything is in focus.
  var focus: Focus?
  var planes: [DepthPlane] = []
  var ops: [DrawOp] = []

  /// Sorts the collected planes and appends their ops.
  mutating func flush() {
    if planes.isEmpty { return }
    let seen = planes.compactMap { plane in plane.polygon.map { (plane, $0) } }
    for fragment in DepthOrder(seen.map(\.1)).fragments {
      let (plane, whole) = seen[fragment.plane]
      var body = plane.projected
      if let focus, !plane.isBlurred { body = focus.blurred(body, on: whole) }
      ops += fragment.isCut ? [.clipped(.path(fragment.polygon.outline), body: body)] : body
    }
    planes = []
  }

  /// Adds ops in a plane, to the last plane if it is the same one.
  mutating func add(_ ops: [DrawOp], in map: SpaceMap, bounds: Rect, isBlurred: Bool) {
    let whole = eye.concat(map)
    if let last = planes.last, last.map == whole, last.isBlurred == isBlurred {
      planes[planes.count - 1].add(ops, bounds: bounds)
    } else {
      planes.append(DepthPlane(ops, bounds: bounds, under: whole, isBlurred: isBlurred))
    }
  }
}

/// The place of elements in a space.
struct SpacePlace {
  /// The map to the coordinates of the space.
  let map: SpaceMap
  /// The same map as long as no ancestor in the space has a depth. Flat elements are then painted
  /// in document order, and they do not intersect others.
  let flat: Affine?

  func concat(_ inner: Affine) -> SpacePlace {
    SpacePlace(map: map.concat(SpaceMap(inner)), flat: flat?.concat(inner))
  }
}

// Elements in space.
extension Lowerer {
  /// Lowers elements in the space at which the view's eye looks.
  func ops(
    of elements: [ElementModel], in view: View, from place: SpacePlace, focus: Focus? = nil
  ) -> [DrawOp] {
    guard place.map.isFinite else { return [] }
    var space = Space(eye: view.eye, focus: focus)
    walk(elements, place, at: view.time, into: &space)
    space.flush()
    return space.ops
  }

  private func walk(
    _ elements: [ElementModel], _ place: SpacePlace, at time: Ticks, into space: inout Space
  ) {
    for element in painted(elements) {
      // Decided for the whole lifetime, so that the order does not change at the end of a fade.
      let isIsolated = !element.isPlain || element.opacity.constantValue != 1
      let isFlat =
        !element.hasDepth || place.flat != nil && element.depth == nil && isIsolated
        || element.depth?.isInPlane == true && !element.children.contains(where: \.hasDepth)
      if isFlat {
        if element.depth?.isBackHidden == true, space.eye.concat(place.map).showsBack { continue }
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
    let eye = place.flat == nil ? space.eye.seen(from: place.map) : space.eye
    append(element, in: View(time: time, eye: eye).seen(through: place.flat), to: &ops)
    if ops.isEmpty { return }
    guard let flat = place.flat else { return add(ops, place.map, to: &space) }
    guard flat.isDrawable else { return }
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
    let isInPlane = element.depth?.isInPlane ?? true
    let flat = isInPlane ? outer.flat?.concat(evaluator.affine(element.transform)) : nil
    let place = SpacePlace(map: map, flat: flat)
    if element.depth?.isBackHidden == true, space.eye.concat(map).showsBack { return }
    guard map.isFinite else { return }
    let isRoot =
      element.perspective != nil || element.style.crossing != nil
      || !element.children.contains(where: \.hasDepth)
    let view = View(time: time, eye: space.eye.seen(from: map))
    if isRoot { return add(body(of: element, in: view), map, to: &space) }
    let content = evaluator.affine(element.content)
    guard content.isDrawable else { return }
    guard isIsolated else {
      add(drawing(of: element, eye: view.eye), map, to: &space)
      return walk(element.children, place.concat(content), at: time, into: &space)
    }
    var inner = Space(eye: space.eye, focus: space.focus)
    add(drawing(of: element, eye: view.eye), map, to: &inner)
    walk(element.children, SpacePlace(map: map, flat: nil).concat(content), at: time, into: &inner)
    addComposited(inner, as: element, map, in: view, to: &space)
  }

  /// Adds the contents of an element, which keep their depth, as one image in the element's plane.
  private func addComposited(
    _ content: Space, as element: ElementModel, _ map: SpaceMap, in view: View,
    to space: inout Space
  ) {
    var content = content
    let depths = content.planes.compactMap(\.polygon?.middleDepth)
    content.flush()
    if content.ops.isEmpty { return }
    let opacity = evaluator(element.opacity)
    let seen = bounds(of: content.ops)
    if let back = space.eye.concat(map).projection.inverted, back.isInFront(seen) {
      let styled = styled(
        [.projected(back, body: content.ops)], as: element, opacity: opacity, in: view)
      return add(styled, map, isBlurred: space.focus != nil, to: &space)
    }
    // The plane is seen edge-on, or some of the contents are beyond its horizon.
    let isCut = !element.style.clips.isEmpty || element.style.mask != nil
    guard !isCut, let nearest = depths.max(),
      let plane = DepthPlane(
        styled(content.ops, as: element, opacity: opacity, in: view), seenAt: nearest,
        bounds: seen)
    else { return }
    space.planes.append(plane)
  }

  private func add(
    _ ops: [DrawOp], _ map: SpaceMap, isBlurred: Bool = false, to space: inout Space
  ) {
    if ops.isEmpty { return }
    let bounds = bounds(of: ops, under: space.eye.concat(map).projection)
    space.add(ops, in: map, bounds: bounds, isBlurred: isBlurred)
  }

  // MARK: Bounds

  /// Returns a box that contains everything that ops draw. `projection` maps their coordinates to
  /// the frame.
  func bounds(of ops: [DrawOp], under projection: Projection = Projection(.identity))
    -> Rect
  {
    ops.reduce(.empty) { $0.union(bounds(of: $1, under: projection)) }
  }

  private func bounds(of op: DrawOp, under projection: Projection) -> Rect {
    func inside(_ body: [DrawOp]) -> Rect { bounds(of: body, under: projection) }
    switch op {
    case .fill(let outline, _), .backdrop(_, let outline): return outline.bounds
    case .stroke(let outline, let style, _):
      let reach = style.join == .miter ? max(1.5, style.miterLimit) : 1.5
      let box = outline.bounds
      let shrink = style.isSteady ? max(1e-6, min(1, projection.minimumStretch(in: box))) : 1
      return box.insetBy(-style.width / shrink / 2 * reach)
    case .text(let block, let paints, let at, let units):
      return box(of: block, paints: paints, at: at, units: units)
    case .image(_, _, let destination): return destination
    case .particles(let frame): return frame.field.extent
    case .transformed(let map, let body):
      return map.apply(bounds(of: body, under: projection.concat(map)))
    case .projected(let map, let body):
      return map.apply(bounds(of: body, under: projection.concat(map)))
    case .clipped(let outline, let body): return outline.bounds.intersection(inside(body))
    case .layer(let style, let body): return style.extent(of: inside(body))
    case .masked(_, _, let body): return inside(body)
    case .crossed(let function, _, _): return function.box
    case .averaged(let bodies): return bodies.reduce(.empty) { $0.union(inside($1)) }
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
    let moved =
      styles.map { style -> Double in
        2 * size + Math.hypot(style.map.e, style.map.f) + 3 * style.blur
      }.max() ?? 0
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
