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
  private var evaluator: Evaluator
  private let canvas: Rect
  private var steps = 0.0
  /// The font sizes encountered so far; fontconfig looks up fonts again for each size.
  private var fontSizes: Set<Double> = []
  /// The pairs of paths encountered so far, which are matched at each time.
  private var matched: Set<PathPair> = []
  /// The number of elements in space, whose planes are compared with each other.
  private var planeCount = 0.0
  /// Whether an ancestor or the element itself is in space, so that images are projected.
  private var isInSpace = false
  private static let stepsOfFontSize = 8e6
  private static let stepsOfPlanePair = 1000.0
  /// Steps per letter of a text on a path.
  private static let stepsOfPlace = 100_000.0
  /// The most expensive single element.
  private var heaviest: (steps: Double, span: SourceSpan)?

  /// Creates an estimator. Once `isCancelled` returns `true`, the estimates are too low.
  package init(
    _ model: SceneModel, metrics: any TextMetrics, isCancelled: (() -> Bool)? = nil
  ) {
    self.model = model
    evaluator = Evaluator(model.program, metrics: metrics)
    evaluator.interrupt(if: isCancelled)
    canvas = Rect(x: 0, y: 0, width: Double(model.size.width), height: Double(model.size.height))
  }

  /// Returns an error if a frame exceeds the limit of steps.
  package mutating func excess(over limit: Double) -> Diagnostic? {
    let count = model.elements.reduce(0) { $0 + $1.drawingCount } + model.program.nodes.count / 4
    let programWork = model.program.work
    let samples = count > 20_000 || programWork > 1e8 ? 1 : 3
    for index in 0..<samples {
      let time = Ticks(model.duration.rawValue / Int64(2 * samples) * Int64(2 * index + 1))
      heaviest = nil
      measure(at: time)
      guard steps > limit, evaluator.mayGoOn() else { continue }
      let element = heaviest.flatMap { $0.steps > programWork ? $0.span : nil }
      let most = element == nil ? "mostly by positions on paths and sizes of texts" : "mostly here"
      return Diagnostic(
        .limitExceeded,
        "the frame at \(NumberFormat.seconds(time)) takes too long to draw",
        at: element ?? model.places.scene, label: "exceeds the limit 'drawing', \(most)",
        notes: [Note(help: "raise it with --limit drawing=\(Int(min(1e15, steps * 1.1)))")])
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
    add(model.elements, .identity, at: time)
    steps += min(planeCount, 256) * min(planeCount, 256) * DrawingWork.stepsOfPlanePair
    steps *= Double(model.motionBlur?.samples ?? 1)
  }

  /// Adds the steps of elements and returns their bounds on the canvas.
  @discardableResult
  private mutating func add(_ list: [ElementModel], _ outer: Affine, at time: Ticks) -> Rect {
    var whole = Rect.empty
    for element in list
    where element.start <= time && time < element.end && evaluator(element.visible) != 0
      && evaluator(element.opacity) > 0
    {
      let map = outer.concat(evaluator.affine(of: element))
      guard map.isFinite else { continue }
      let before = steps
      let wasInSpace = isInSpace
      defer { isInSpace = wasInSpace }
      if element.depth != nil {
        isInSpace = true
        planeCount += 1
      }
      var box = draw(element.drawing, map)
      let own = steps - before
      if !element.children.isEmpty {
        let inner = map.concat(evaluator.affine(element.content))
        box = box.union(add(element.children, inner, at: time))
      }
      let asLayer = layerSteps(of: element, area: area(box), under: map, at: time)
      steps += asLayer
      if own + asLayer > heaviest?.steps ?? 0 { heaviest = (own + asLayer, element.span) }
      whole = whole.union(box)
    }
    return whole
  }

  /// Returns the number of pixels of a box that are on the canvas.
  private func area(_ box: Rect) -> Double {
    let seen = box.intersection(canvas)
    return seen.isEmpty ? 0 : seen.area
  }

  // MARK: Layers

  private mutating func layerSteps(
    of element: ElementModel, area: Double, under map: Affine, at time: Ticks
  ) -> Double {
    let style = element.style
    guard !style.isPlain else { return 0 }
    var each = 0.0
    for filter in style.filters { each += filter.work }
    if let glass = style.backdrop {
      let pixels = self.area(map.apply(evaluator.bounds(glass.outline)))
      for filter in glass.filters { steps += filter.work * pixels }
    }
    if style.extended != nil { each += 4 }
    if style.shadow != nil { each += 12 }
    if style.blend != .normal { each += 16 }
    if let mask = style.mask {
      each += 6
      add(mask.elements, map.concat(evaluator.affine(element.content)), at: time)
    }
    return each * area
  }

  // MARK: Drawings

  private mutating func draw(_ drawing: ElementModel.Drawing, _ map: Affine) -> Rect {
    switch drawing {
    case .nothing: return .empty
    case .outline(let outline, let fill, let stroke, _, _):
      let box = map.apply(evaluator.bounds(outline))
      guard box.isFinite else { return .empty }
      if let fill { steps += area(box) * steps(ofPixelIn: fill) }
      if case .path(let path) = outline {
        steps += path.work(&matched)
        addEdges(of: evaluator.path(path), isFilled: fill != nil, stroke: stroke, under: map)
      } else if let stroke {
        addEdges(of: Path([]), isFilled: false, stroke: stroke, under: map)
      }
      return box
    case .arrow(let path, let stroke, _, _):
      let path = evaluator.path(path)
      addEdges(of: path, isFilled: false, stroke: stroke, under: map)
      return map.apply(path.controlBounds)
    case .text(let text, let paints, _, let units):
      for run in text.runs where fontSizes.insert(evaluator(run.size)).inserted {
        steps += DrawingWork.stepsOfFontSize
      }
      let length = text.letterCount
      let isStroked = paints.contains { $0.stroke != nil }
      // Wrapped text is shaped again for each line.
      let plain = text.width == nil ? 4000.0 : 32_000
      steps += Double(length) * (isStroked ? 120_000 : units == nil ? plain : max(plain, 20_000))
      if units?.along != nil { steps += Double(length) * DrawingWork.stepsOfPlace }
      return .empty
    case .image(_, _, _, let to), .clip(_, _, let to):
      let box = map.apply(
        Rect(
          x: evaluator(to[0]), y: evaluator(to[1]), width: evaluator(to[2]),
          height: evaluator(to[3])))
      guard box.isFinite else { return .empty }
      steps += area(box) * (isInSpace ? 24 : 8)
      return box
    }
  }

  private func steps(ofPixelIn paint: PaintModel) -> Double {
    switch paint {
    case .color: 0.6
    case .linear, .pattern: 8
    case .radial: 12
    case .conic: 24
    case .pixels(let model): 4 + model.program.work
    }
  }

  /// Adds the cost of edges. Edges are sorted in each pixel row, so the cost per edge grows with
  /// their number in a row.
  private mutating func addEdges(
    of path: Path, isFilled: Bool, stroke: StrokeModel?, under map: Affine
  ) {
    var rows = 0.0
    var count = 0.0
    var last = Point.zero
    var first = Point.zero
    func height(_ a: Double, _ b: Double) -> Double {
      let low = max(0, min(a, b))
      return max(0, min(canvas.height, max(a, b)) - low)
    }
    func line(to p: Point) {
      rows += height(last.y, p.y)
      count += 1
      last = p
    }
    for element in path.elements {
      switch element {
      case .move(let p):
        last = map.apply(p)
        first = last
      case .line(let p): line(to: map.apply(p))
      case .cubic(let a, let b, let p): for point in [a, b, p] { line(to: map.apply(point)) }
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
    let width = min(canvas.height, evaluator(stroke.width) * map.maximumStretch)
    steps += (rows * 1000 + count * (4000 + 100 * width)) * crowd
  }
}

extension FilterModel {
  /// The steps per pixel.
  fileprivate var work: Double {
    switch self {
    case .blur: 12
    case .color, .table, .chromaKey: 14
    case .pixels(let model): 4 + model.program.work
    }
  }
}
