// SPDX-License-Identifier: MIT
package import SceneDiagnostics
import SceneGraphics
import SceneIR
package import SceneModel
package import SceneText

/// Estimates the cost of drawing a frame, so that a small scene cannot keep a machine busy for
/// minutes.
///
/// A step is about a nanosecond on one core. The estimate counts pixels by kind of paint. For
/// outlines it also counts the pixel rows that edges cross, since edges are sorted in each row.
package struct DrawingWork {
  /// The cost of a frame.
  package struct Frame {
    /// The cost without any caching.
    package let steps: Double
    /// The most expensive single element.
    package let heaviest: SourceSpan?
  }

  private let model: SceneModel
  private let metrics: any TextMetrics
  private var evaluator: Evaluator
  private let canvas: Rect
  private var steps = 0.0
  /// The font sizes encountered so far; fontconfig looks up fonts again for each size.
  private var fontSizes: Set<Double> = []
  /// The pairs of paths encountered so far, which are matched at each time.
  private var matched: Set<PathPair> = []
  /// The number of elements in space, whose planes are compared with each other.
  private var planeCount = 0.0
  /// Whether an effect of an ancestor depends on the bounds of its contents.
  private var needsBoxes = false
  private static let stepsOfFontSize = 8e6
  private static let stepsOfPlanePair = 1000.0
  private static let stepsOfStamp = 40_000.0
  /// The steps to compute a particle, and to composite one of its pixels.
  private static let stepsOfParticle = 350.0
  private static let stepsOfParticlePixel = 7.0
  /// The number of pixels in a run, the unit in which pixel functions compute rows.
  private static let leastWidth = 32.0
  /// The maximum scale at which the planes of elements in space are drawn.
  private static let largestScale = 2.0
  /// The steps per point of an outline drawn by hand.
  private static let stepsOfRoughPoint = 300.0
  /// The steps per letter drawn by hand.
  private static let stepsOfRoughLetter = 60_000.0
  /// The steps per letter of a text on a path.
  private static let stepsOfPlace = 100_000.0
  /// The focus of the camera around the elements; `nil` if everything is in focus.
  private var focus: Focus?
  /// The first brush with too many stamps.
  private var crowded: CrowdedBrush?
  /// The most expensive single element.
  private var heaviest: (steps: Double, span: SourceSpan)?

  /// Creates an estimator. Once `isCancelled` returns `true`, the estimates are too low.
  package init(
    _ model: SceneModel, metrics: any TextMetrics, isCancelled: (() -> Bool)? = nil
  ) {
    (self.model, self.metrics) = (model, metrics)
    evaluator = Evaluator(model.program, metrics: metrics)
    evaluator.interrupt(if: isCancelled)
    canvas = Rect(x: 0, y: 0, width: Double(model.size.width), height: Double(model.size.height))
  }

  /// Returns an error if a frame exceeds the limit of steps; otherwise, `nil`.
  package mutating func excess(over limit: Double) -> Diagnostic? {
    let count = model.elements.reduce(0) { $0 + $1.drawingCount } + model.program.nodes.count / 4
    let programWork = model.program.work
    let samples = count > 20_000 || programWork > 1e8 ? 1 : 3
    for index in 0..<samples {
      let time = Ticks(model.duration.rawValue / Int64(2 * samples) * Int64(2 * index + 1))
      heaviest = nil
      measure(at: time)
      if let crowded { return crowded.diagnostic }
      guard steps > limit, evaluator.mayGoOn() else { continue }
      let element = heaviest.flatMap { $0.steps > programWork ? $0.span : nil }
      let most = element == nil ? "mostly due to positions on paths and text sizes" : "mostly here"
      return Diagnostic(
        .limitExceeded,
        "the frame at \(NumberFormat.seconds(time)) takes too long to draw",
        at: element ?? model.places.scene, label: "exceeds the limit 'drawing', \(most)",
        notes: [Note(help: "raise the limit with --limit drawing=\(Int(min(1e15, steps * 1.1)))")])
    }
    return nil
  }

  /// Returns the cost of the frame at a time.
  package mutating func frame(at time: Ticks) -> Frame {
    heaviest = nil
    measure(at: time)
    return Frame(steps: steps, heaviest: heaviest?.span)
  }

  private mutating func measure(at time: Ticks) {
    steps = model.program.work
    fontSizes = []
    matched = []
    evaluator.evaluate(at: time)
    planeCount = 0
    add(model.elements, FramePlace(model, evaluator), at: time)
    steps += min(planeCount, 256) * min(planeCount, 256) * DrawingWork.stepsOfPlanePair
    steps *= Double(model.motionBlur?.samples ?? 1)
  }

  /// Adds the steps of elements and returns their bounds on the canvas.
  @discardableResult
  private mutating func add(_ list: [ElementModel], _ outer: FramePlace, at time: Ticks) -> Rect {
    var whole = Rect.empty
    for element in list
    where element.start <= time && time < element.end && evaluator(element.visible) != 0
      && evaluator(element.opacity) > 0
    {
      let projection = outer.of(element, evaluator).projection
      guard projection.isFinite else { continue }
      let before = steps
      let neededBoxes = needsBoxes
      defer { needsBoxes = neededBoxes }
      needsBoxes = needsBoxes || !element.isPlain
      var box = draw(element, projection)
      if element.hasRareParts { addRareParts(of: element, &box, projection) }
      let own = steps - before
      let asLayer = addInner(of: element, &box, in: outer, projection, at: time)
      steps += asLayer
      if own + asLayer > heaviest?.steps ?? 0 { heaviest = (own + asLayer, element.span) }
      whole = whole.union(box)
    }
    return whole
  }

  /// Adds the steps of the boxes behind the lines of a text and of the blur by depth. Extends `box`,
  /// the bounds of the drawing on the canvas, by those of the boxes.
  private mutating func addRareParts(
    of element: ElementModel, _ box: inout Rect, _ projection: Projection
  ) {
    if let boxes = element.lineBoxes, let own = evaluator.bounds(boxes).map(projection.apply) {
      paint(own, with: boxes.paint)
      box = box.union(own)
    }
    guard element.depth != nil else { return }
    planeCount += 1
    if let focus { steps += focus.steps(on: box, under: projection, canvas) }
  }

  /// Adds the steps of the children and returns those of the effects on the element. Extends `box`,
  /// the bounds of the drawing on the canvas, by those of the children.
  private mutating func addInner(
    of element: ElementModel, _ box: inout Rect, in outer: FramePlace, _ projection: Projection,
    at time: Ticks
  ) -> Double {
    if !element.hasRareParts {
      if !element.children.isEmpty { addChildren(of: element, &box, in: outer, at: time) }
      return 0
    }
    let outerFocus = focus
    defer { focus = outerFocus }
    // Masks are seen by the same eye as the children.
    if let eye = element.perspective { focus = Focus(eye, within: canvas, evaluator) }
    if !element.children.isEmpty { addChildren(of: element, &box, in: outer, at: time) }
    return layerSteps(of: element, box, in: outer, projection, at: time)
  }

  private mutating func addChildren(
    of element: ElementModel, _ box: inout Rect, in outer: FramePlace, at time: Ticks
  ) {
    let inner = add(element.children, outer.inside(element, evaluator), at: time)
    if case .particles(let model) = element.drawing {
      addSprites(of: inner, model.field, shownIn: box)
    } else {
      box = box.union(inner)
    }
  }

  /// Returns the number of pixels of a box that are on the canvas.
  private func area(_ box: Rect) -> Double {
    let seen = box.intersection(canvas)
    return seen.isEmpty ? 0 : seen.area
  }

  /// Returns the number of pixels that a pixel function computes for a box of the canvas.
  private func widenedArea(_ box: Rect) -> Double {
    let seen = box.intersection(canvas)
    return seen.isEmpty ? 0 : max(DrawingWork.leastWidth, seen.width) * max(1, seen.height)
  }

  // MARK: Layers

  /// Returns the steps of the effects on an element, whose contents have bounds on the canvas.
  private mutating func layerSteps(
    of element: ElementModel, _ box: Rect, in outer: FramePlace, _ projection: Projection,
    at time: Ticks
  ) -> Double {
    guard !element.isPlain else { return 0 }
    let style = element.style
    if let glass = style.backdrop {
      let pixels = widenedArea(projection.apply(evaluator.bounds(glass.outline)))
      for filter in glass.filters { steps += filter.work * pixels }
    }
    if let mask = style.mask { add(mask.elements, outer.inside(element, evaluator), at: time) }
    if let crossing = style.crossing {
      let own = projection.apply(rect(crossing.box))
      // Both clips are drawn and combined.
      let work = 16 + crossing.program.work
      steps += work * layerArea(own, under: projection, isWide: true)
    }
    var extent = box
    var each = 0.0
    var total = 0.0
    for filter in style.filters {
      guard case .pixels(let function) = filter else {
        each += filter.work
        continue
      }
      let own = rect(function.box)
      if function.program.drawsOutside { extent = extent.union(projection.apply(own)) }
      let stretch = projection.affine?.maximumStretch ?? projection.maximumStretch(in: own)
      extent = extent.insetBy(-max(0, evaluator(function.reach)) * min(stretch, 1e6))
      total += filter.work * layerArea(extent, under: projection, isWide: true)
      // A function that reads other pixels needs up to 3000 pixels around the canvas.
      if function.program.readsAround {
        let sight = canvas.insetBy(-3000).intersection(extent)
        total += sight.isEmpty ? 0 : 6 * sight.area
      }
    }
    if style.extended != nil { each += 4 }
    if style.shadow != nil { each += 12 }
    if style.blend != .normal { each += 16 }
    if style.light == .linear { each += 24 }
    if style.mask != nil { each += 6 }
    return total + each * layerArea(extent, under: projection, isWide: false)
  }

  private func rect(_ box: [Scalar]) -> Rect {
    Rect(
      x: evaluator(box[0]), y: evaluator(box[1]), width: evaluator(box[2]),
      height: evaluator(box[3]))
  }

  /// Returns the number of pixels of the layer for a box of the canvas. Elements in space are drawn
  /// in their plane first.
  private func layerArea(_ box: Rect, under projection: Projection, isWide: Bool) -> Double {
    let flat = isWide ? widenedArea(box) : area(box)
    guard flat > 0, projection.affine == nil, let back = projection.inverted else { return flat }
    let plane = back.apply(box.intersection(canvas))
    let scale = min(DrawingWork.largestScale, projection.maximumStretch(in: plane))
    return max(flat, min(4096 * 4096, plane.area * scale * scale))
  }

  // MARK: Drawings

  private mutating func draw(_ element: ElementModel, _ map: Projection) -> Rect {
    let pen = element.hasRareParts ? evaluator.roughPen(element.rough) : nil
    let reach = pen.map { RoughPen.reach($0.amount) } ?? 0
    switch element.drawing {
    case .nothing: return .empty
    case .outline(let outline, let fill, var stroke, _, _, let writing):
      if let writing, let fill { stroke = stroke ?? .outlining(fill, width: writing.lineWidth) }
      let own = evaluator.bounds(outline).insetBy(-reach)
      let box = map.apply(own)
      guard box.isFinite else { return .empty }
      if let fill { paint(box, with: fill) }
      if case .path(let path) = outline { steps += path.work(&matched) }
      if let stroke { paint(strokeBox(own, stroke, under: map), with: stroke.paint) }
      if let brush = stroke?.brush, let form = evaluator.outline(outline) {
        addStamps(of: brush, stroke, along: form.path, under: map, at: element.span)
        if fill != nil { addEdges(of: form.path, isFilled: true, stroke: nil, under: map) }
        return box
      }
      if let pen, let form = evaluator.outline(outline) {
        addRough(form.path, pen, isFilled: fill != nil, stroke: stroke, under: map)
      } else if case .path(let path) = outline {
        addEdges(of: evaluator.path(path), isFilled: fill != nil, stroke: stroke, under: map)
      } else if let stroke {
        addEdges(of: Path([]), isFilled: false, stroke: stroke, under: map)
      }
      return box
    case .arrow(let path, let stroke, _, _):
      let path = evaluator.path(path)
      if let brush = stroke.brush {
        addStamps(of: brush, stroke, along: path, under: map, at: element.span)
      } else if let pen {
        addRough(path, pen, isFilled: false, stroke: stroke, under: map)
      } else {
        addEdges(of: path, isFilled: false, stroke: stroke, under: map)
      }
      let box = path.controlBounds.insetBy(-reach)
      paint(strokeBox(box, stroke, under: map), with: stroke.paint)
      return map.apply(box)
    case .text(let text, let paints, let origin, let units):
      for run in text.runs where fontSizes.insert(evaluator(run.size)).inserted {
        steps += DrawingWork.stepsOfFontSize
      }
      let length = text.letterCount
      let isStroked = paints.contains { $0.stroke != nil } || units?.isWritten == true
      // Wrapped text is shaped again for each line.
      let plain = text.width == nil ? 4000.0 : 32_000
      steps += Double(length) * (isStroked ? 120_000 : units == nil ? plain : max(plain, 20_000))
      steps += Double(length) * outlineSteps(units, isRough: pen != nil)
      let computed = paints.flatMap { [$0.fill, $0.stroke?.paint] }.compactMap { $0 }
        .filter(\.isComputed)
      guard needsBoxes || !computed.isEmpty else { return .empty }
      let extent = metrics.measure(evaluator.block(text))
      let at = evaluator.point(origin)
      var box = map.apply(Rect(x: at.x, y: at.y, width: extent.width, height: extent.height))
      // Letters that move separately may be anywhere.
      if units != nil, needsBoxes { box = box.union(canvas) }
      guard box.isFinite else { return .empty }
      for paint in computed { self.paint(box, with: paint) }
      return box
    case .image(_, _, _, let to), .clip(_, _, let to):
      let box = map.apply(
        Rect(
          x: evaluator(to[0]), y: evaluator(to[1]), width: evaluator(to[2]),
          height: evaluator(to[3])))
      guard box.isFinite else { return .empty }
      steps += area(box) * (map.affine == nil ? 24 : 8)
      return box
    case .particles(let model): return particles(model.field, map)
    }
  }

  /// Returns the steps per letter of a text on a path or by hand.
  private func outlineSteps(_ units: TextUnitsModel?, isRough: Bool) -> Double {
    let place = units?.along == nil ? 0 : DrawingWork.stepsOfPlace
    return place * (units?.isBent == true ? 3 : 1) + (isRough ? DrawingWork.stepsOfRoughLetter : 0)
  }

  private mutating func particles(_ field: ParticleField, _ map: Projection) -> Rect {
    let box = map.apply(field.extent)
    let count = field.greatestCount
    guard box.isFinite, count > 0 else { return .empty }
    let shown = area(box) / max(1, box.area)
    let stretch = min(map.maximumStretch(in: field.extent), 1e3)
    let pixels = min(field.area * stretch * stretch + 4, area(box))
    steps +=
      count
      * (DrawingWork.stepsOfParticle + field.program.work
        + shown * pixels * DrawingWork.stepsOfParticlePixel)
    return box
  }

  /// Adds the steps of drawing an image with the bounds `sprite` for each particle of a field.
  private mutating func addSprites(of sprite: Rect, _ field: ParticleField, shownIn box: Rect) {
    let pixels = min(sprite.area * field.area, area(canvas))
    guard pixels.isFinite, !box.isEmpty else { return }
    let shown = area(box) / max(1, box.area)
    steps += field.greatestCount * shown * pixels * DrawingWork.stepsOfParticlePixel
  }

  /// Adds the steps of painting a box of the canvas.
  private mutating func paint(_ box: Rect, with paint: PaintModel) {
    let pixels = paint.isComputed ? widenedArea(box) : area(box)
    steps += pixels * paint.work
  }

  /// Returns the bounds of a stroke on the canvas.
  private func strokeBox(_ box: Rect, _ stroke: StrokeModel, under map: Projection) -> Rect {
    let width = max(0, evaluator(stroke.width))
    let seen = map.apply(box.insetBy(-width / 2))
    return width > 0 && seen.isFinite ? seen : .empty
  }

  /// Adds the steps of drawing each stamp of a brush.
  private mutating func addStamps(
    of brush: BrushModel, _ stroke: StrokeModel?, along path: Path, under map: Projection,
    at span: SourceSpan
  ) {
    let width = stroke.map { max(0, min(evaluator($0.width), 20_000)) } ?? 0
    let bounds = path.controlBounds
    guard width > 0, bounds.isFinite, map.isFinite else { return }
    let count = BrushStamps.count(along: path, spacing: evaluator(brush.spacing))
    if count > Double(BrushStamps.greatestCount), crowded == nil {
      crowded = CrowdedBrush(span: span, count: count, length: path.length)
    }
    let stretch = map.affine?.maximumStretch ?? map.maximumStretch(in: bounds)
    let most = brush.images.map { Double($0.size.width) / Double(max(1, $0.size.height)) }.max()
    let side = width * min(stretch, 1e4)
    let area = min(side * side * (most ?? 1), canvas.area)
    steps +=
      min(count, Double(BrushStamps.greatestCount))
      * (DrawingWork.stepsOfStamp + area * (map.affine == nil ? 40 : 26))
  }

  /// Adds the cost of outlines drawn by hand: one line for the fill, and two for the stroke.
  private mutating func addRough(
    _ path: Path, _ pen: RoughPen, isFilled: Bool, stroke: StrokeModel?, under map: Projection
  ) {
    guard Outline.path(path).bounds.isDrawable else { return }
    let line = pen.line(along: path, pass: 0, ends: .free)
    steps += Double(line.elements.count) * DrawingWork.stepsOfRoughPoint * 3
    if isFilled { addEdges(of: line, isFilled: true, stroke: nil, under: map) }
    guard let stroke else { return }
    for _ in 0..<2 { addEdges(of: line, isFilled: false, stroke: stroke, under: map) }
  }

  /// Adds the cost of edges. Edges are sorted in each pixel row, so the cost per edge grows with
  /// their number in a row.
  private mutating func addEdges(
    of path: Path, isFilled: Bool, stroke: StrokeModel?, under map: Projection
  ) {
    var rows = 0.0
    var count = 0.0
    var last = Point.zero
    var first = Point.zero
    func height(_ a: Double, _ b: Double) -> Double {
      let low = max(0, min(a, b))
      return max(0, min(canvas.height, max(a, b)) - low)
    }
    // Points behind the eye are at the far end of the canvas.
    func seen(_ p: Point) -> Point {
      map.weight(at: p) >= Projection.near ? map.apply(p) : Point(0, canvas.height)
    }
    func line(to p: Point) {
      rows += height(last.y, p.y)
      count += 1
      last = p
    }
    for element in path.elements {
      switch element {
      case .move(let p):
        last = seen(p)
        first = last
      case .line(let p): line(to: seen(p))
      case .cubic(let a, let b, let p): for point in [a, b, p] { line(to: seen(point)) }
      case .close: line(to: first)
      }
    }
    let crowd = 1 + rows / max(1, canvas.height) / 10_000
    if isFilled { steps += (rows * 400 + count * 1000) * crowd }
    guard let stroke, evaluator(stroke.width) > 0 else { return }
    let dashes = stroke.dash.map { evaluator($0) }.reduce(0, +)
    if dashes > 0, path.elements.count > 0 {
      // Strokes with more dashes are drawn solid.
      let pieces = path.length / dashes * Double(stroke.dash.count)
      if pieces <= 100_000 { count += pieces }
    }
    let stretch = map.affine?.maximumStretch ?? map.maximumStretch(in: path.controlBounds)
    let width = min(canvas.height, evaluator(stroke.width) * stretch)
    steps += (rows * 1000 + count * (4000 + 100 * width)) * crowd
  }
}
