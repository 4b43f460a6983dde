// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR

/// Evaluates a program at one time.
package struct Evaluator {
  private let program: Program
  let metrics: any TextMetrics
  private var slots: [Double]
  private var time: Double = 0
  private var paths = PathCache()
  private let shared: (any DerivedPaths)?
  private var interruption: Interruption?
  /// The time for which all needed nodes are computed, if any.
  private var whole: Ticks?
  /// The values of measurements, by number.
  package var measurements: [Double] = []

  package init(
    _ program: Program, metrics: any TextMetrics, sharing shared: (any DerivedPaths)? = nil
  ) {
    self.program = program
    self.shared = shared
    self.metrics = metrics
    slots = [Double](repeating: 0, count: program.nodes.count)
  }

  // MARK: Interruption

  /// Sets a callback that is called before each step that may take long; `nil` removes it. Once the
  /// callback returns `true`, paths are empty and `isInterrupted` is `true`.
  package mutating func interrupt(if isUnwanted: (() -> Bool)?) {
    interruption = isUnwanted.map(Interruption.init)
  }

  /// Whether the results since `interrupt` are incomplete.
  package var isInterrupted: Bool { interruption?.isOver == true }

  /// Calls the callback and returns whether evaluation may continue.
  package func mayGoOn() -> Bool { interruption?.ask() != true }

  // MARK: Values

  /// Computes all nodes that live elements need, in time linear in their number. Does nothing if
  /// `time` is the time of the last call.
  package mutating func evaluate(at time: Ticks) {
    if whole == time { return }
    begin(at: time)
    let now = time.rawValue
    for index in program.nodes.indices {
      let needed = program.needed[index]
      guard needed.lowerBound <= now, now < needed.upperBound else { continue }
      slots[index] = value(of: program.nodes[index])
    }
    if !isInterrupted { whole = time }
  }

  private mutating func begin(at time: Ticks) {
    self.time = Double(time.rawValue)
    paths = PathCache(after: paths)
    whole = nil
  }

  /// Computes all nodes, including those that are not needed at this time; the program may be
  /// unfinished.
  package mutating func evaluateAll(at time: Ticks) {
    begin(at: time)
    for index in program.nodes.indices { slots[index] = value(of: program.nodes[index]) }
  }

  /// Computes the nodes of some scalars; the program may be unfinished.
  package mutating func evaluate(only scalars: [Scalar], at time: Ticks) {
    evaluate(nodes: nodes(of: scalars), at: time)
  }

  /// Returns the nodes that scalars depend on, each after its operands.
  package func nodes(of scalars: [Scalar]) -> [Int32] { program.nodes(of: scalars).sorted() }

  /// Computes the nodes that `nodes(of:)` returned, for callers that evaluate the same nodes at
  /// several times.
  package mutating func evaluate(nodes: [Int32], at time: Ticks) {
    begin(at: time)
    for index in nodes { slots[Int(index)] = value(of: program.nodes[Int(index)]) }
  }

  package func callAsFunction(_ scalar: Scalar) -> Double {
    switch scalar {
    case .constant(let value): value
    case .node(let index): slots[Int(index)]
    }
  }

  private func path(ofNode index: Int32) -> MeasuredPath {
    if let known = paths.measured(index) { return known }
    let model = program.paths[Int(index)]
    let path = MeasuredPath(path(model))
    if !isInterrupted { paths.keep(path, index, isFixed: model.isConstant) }
    return path
  }

  /// Matches two paths for interpolation and caches the result, since several elements may
  /// interpolate between the same paths.
  private func matched(_ a: PathModel, _ b: PathModel) -> (Path, Path) {
    let pair = PathPair(a, b)
    if let known = paths.matched(pair) { return known }
    guard mayGoOn() else { return (Path(), Path()) }
    let paths = matching(a, b)
    if !isInterrupted { self.paths.keep(paths, pair) }
    return paths
  }

  /// Derives a path and caches the result, since several elements, such as a drawing and a clip,
  /// may share it.
  private func derived(_ model: DerivedPath) -> Path {
    if let known = paths.known(model) { return known }
    if let known = shared?.path(model, at: time) {
      paths.keep(known, model)
      return known
    }
    guard mayGoOn() else { return Path() }
    // A path with too many crossings is empty, like any path that cannot be drawn.
    let made = made(model) ?? Path()
    if !isInterrupted {
      paths.keep(made, model)
      shared?.keep(made, model, at: time)
    }
    return made
  }

  /// Returns the derived path, or `nil` if the paths have too many crossings.
  package func made(_ model: DerivedPath) -> Path? {
    switch model.operation {
    case .combine(let operation): Path.combined(operation, model.paths.map { path($0) })
    case .offset(let distance, let join): path(model.paths[0]).offset(by: self(distance), join)
    case .round(let radius): path(model.paths[0]).rounded(radius: self(radius))
    }
  }

  private func value(of node: ProgramNode) -> Double {
    switch node.operation {
    case .now: return time
    case .measured:
      let number = Int(node.index)
      return number < measurements.count ? measurements[number] : .nan
    case .ease: return program.easings[Int(node.index)].value(at: self(node.a))
    case .textExtent:
      guard mayGoOn() else { return 0 }
      let measure = program.texts[Int(node.index / 4)]
      let part = Int(node.index % 4)
      if let runs = measure.runs {
        let box = metrics.box(ofRuns: runs, in: block(measure.text))
        return box.isEmpty ? 0 : [box.x, box.y, box.width, box.height][part]
      }
      let extent = metrics.measure(block(measure.text))
      return [extent.width, extent.height, extent.baseline, 0][part]
    case .pathBox:
      let box = path(ofNode: node.index / 4).path.bounds
      if box.isEmpty { return 0 }
      return [box.x, box.y, box.width, box.height][Int(node.index % 4)]
    case .pathPoint:
      let path = path(ofNode: node.index / 4)
      if node.index % 4 == 3 { return path.length }
      guard let at = paths.location(on: path, node.index / 4, at: self(node.a)) else { return 0 }
      return [at.point.x, at.point.y, at.degrees][Int(node.index % 4)]
    default:
      return Program.apply(
        node.operation, a: self(node.a), b: self(node.b), c: self(node.c), index: node.index,
        easing: nil)
    }
  }

  package func point(_ p: PointModel) -> Point { Point(self(p.x), self(p.y)) }

  package func color(_ c: ColorModel) -> Color {
    Color(red: self(c.red), green: self(c.green), blue: self(c.blue), alpha: self(c.alpha)).clamped
  }

  package func affine(_ m: AffineModel) -> Affine {
    Affine(a: self(m.a), b: self(m.b), c: self(m.c), d: self(m.d), e: self(m.e), f: self(m.f))
  }

  /// Returns the path at this time, with cubics and lines only.
  package func path(_ model: PathModel) -> Path {
    if model.segments.count == 1, case .fixed(let path) = model.segments[0] { return path }
    var path = Path()
    path.elements.reserveCapacity(model.segments.count)
    var current = Point.zero
    var start = Point.zero
    for segment in model.segments {
      switch segment {
      case .move(let p):
        current = point(p)
        start = current
        path.move(current)
      case .line(let p):
        current = point(p)
        path.line(current)
      case .cubic(let c1, let c2, let p):
        current = point(p)
        path.cubic(point(c1), point(c2), to: current)
      case .quad(let c, let p):
        let end = point(p)
        path.quad(from: current, point(c), end)
        current = end
      case .arc(let radii, let rotation, let large, let sweep, let p):
        let end = point(p)
        path.ellipticalArc(
          from: current, radii: point(radii), rotation: self(rotation), large: self(large) != 0,
          sweep: self(sweep) != 0, to: end)
        current = end
      case .through(let points):
        let ends = points.map(point)
        path.spline(from: current, through: ends)
        current = ends.last ?? current
      case .close:
        path.close()
        current = start
      case .fixed(let part): path.elements += part.elements
      case .glyphs(let glyphs): path.elements += glyphs.flatMap(\.outline.elements)
      case .outline(let form): path.elements += outline(form)?.path.elements ?? []
      case .text(let text): path.elements += metrics.outline(of: block(text)).elements
      case .letters(let model): path.elements += letters(model).elements
      case .mapped(let map, let inner):
        path.elements += self.path(inner).transformed(by: affine(map)).elements
      case .projected(let quad, let inner):
        if let projection = projection(quad) {
          path.elements += self.path(inner).projected(by: projection).elements
        }
      case .morph(let a, let b, let share):
        let (p, q) = matched(a, b)
        path.elements += Path.mixed(p, q, at: self(share)).elements
      case .mixed(let a, let b, let share):
        path.elements += Path.mixed(a, b, at: self(share)).elements
      case .choice(let condition, let a, let b):
        path.elements += self.path(self(condition) != 0 ? a : b).elements
      case .link(let it):
        path.elements +=
          Link.path(
            from: end(it.from), to: end(it.to), gap: self(it.gap), route: it.route
          ).elements
      case .derived(let model): path.elements += derived(model).elements
      }
    }
    return path
  }

  private func end(_ model: LinkModel.End) -> Link.End {
    switch model {
    case .point(let p): .point(point(p))
    case .outline(let path, let center): .outline(self.path(path), center: point(center))
    }
  }

  /// Returns the outline at this time; `nil` if it is empty.
  package func outline(_ outline: OutlineModel) -> Outline? {
    switch outline {
    case .rect(let x, let y, let width, let height, let radius):
      let rect = Rect(x: self(x), y: self(y), width: self(width), height: self(height))
      guard rect.width > 0, rect.height > 0 else { return nil }
      return .rect(rect, radius: max(0, min(self(radius), rect.width / 2, rect.height / 2)))
    case .smoothRect(let x, let y, let width, let height, let radius, let smoothing):
      let rect = Rect(x: self(x), y: self(y), width: self(width), height: self(height))
      guard rect.width > 0, rect.height > 0 else { return nil }
      return .path(.rect(rect, radius: self(radius), smoothing: self(smoothing)))
    case .ellipse(let center, let rx, let ry):
      let (x, y) = (self(rx), self(ry))
      guard x > 0, y > 0 else { return nil }
      return .ellipse(center: point(center), rx: x, ry: y)
    case .star(let center, let points, let outer, let inner):
      return .path(
        .star(center: point(center), points: points, outer: self(outer), inner: self(inner)))
    case .arc(let center, let radius, let inner, let start, let sweep, let closed):
      guard self(radius) > 0 else { return nil }
      return .path(
        .arc(
          center: point(center), radius: self(radius), inner: self(inner), start: self(start),
          sweep: self(sweep), closed: self(closed) != 0))
    case .path(let path): return .path(self.path(path))
    }
  }

  /// Returns the text at this time, ready for layout. Font sizes are clamped to `0...10000`.
  package func block(_ model: TextModel) -> TextBlock {
    let runs = model.runs.map { run in
      var font = FontSpec(
        families: run.families, size: bounded(self(run.size), from: 0, to: 10_000),
        weight: Int(bounded(self(run.weight), from: 1, to: 1000).rounded()),
        italic: self(run.italic) != 0)
      apply(run.axes, to: &font)
      return TextRun(
        text(run.text, minus: NumberFormat.minusSign), font: font,
        letterSpacing: bounded(self(run.letterSpacing), from: -10_000, to: 10_000),
        features: run.features,
        underline: self(run.underline) != 0, language: run.language,
        rise: bounded(self(run.rise), from: -10_000, to: 10_000))
    }
    var block = TextBlock(
      runs: runs, width: model.width.map { bounded(self($0), from: 0, to: 1_000_000) },
      align: model.align,
      lineHeight: bounded(self(model.lineHeight), from: 0, to: 100), direction: model.direction,
      wrap: model.wrap)
    if let width = model.fitWidth {
      block = fitted(block, to: bounded(self(width), from: 1, to: 1_000_000))
    }
    if let lines = model.maxLines { block = fitted(block, lines: lines) }
    return block
  }

  /// Returns the text with its fonts scaled down so that no line is wider than `width`.
  private func fitted(_ block: TextBlock, to width: Double) -> TextBlock {
    var free = block
    free.width = nil
    let natural = metrics.measure(free).width
    return natural > width ? scaled(block, by: width / natural) : block
  }

  /// Returns the text with its fonts scaled down, in 256 steps, until it has at most `lines` lines
  /// at its width. A text that exceeds `lines` by its explicit line breaks alone is unchanged.
  private func fitted(_ block: TextBlock, lines: Int) -> TextBlock {
    guard block.width != nil, block.string.count(where: \.isNewline) < lines,
      metrics.count(.line, in: block) > lines
    else { return block }
    // Balanced wrapping does not change the number of lines.
    var plain = block
    plain.wrap = .auto
    var (fits, fitsNot) = (1, 256)
    while fitsNot - fits > 1 {
      let step = (fits + fitsNot) / 2
      if metrics.count(.line, in: scaled(plain, by: Double(step) / 256)) > lines {
        fitsNot = step
      } else {
        fits = step
      }
    }
    return scaled(block, by: Double(fits) / 256)
  }

  private func scaled(_ block: TextBlock, by share: Double) -> TextBlock {
    var scaled = block
    for index in scaled.runs.indices {
      scaled.runs[index].font.size *= share
      scaled.runs[index].letterSpacing *= share
      scaled.runs[index].rise *= share
    }
    return scaled
  }

  private func bounded(_ x: Double, from low: Double, to high: Double) -> Double {
    x > low ? min(x, high) : low
  }

  /// Returns a text at the time of the last evaluation.
  ///
  /// `minus` is the sign of negative numbers: `-` for file names, path data and other text that
  /// programs read, or `NumberFormat.minusSign` for text that is drawn.
  package func text(_ expression: TextExpression, minus: String = "-") -> String {
    func text(_ expression: TextExpression) -> String { self.text(expression, minus: minus) }
    switch expression {
    case .literal(let text): return text
    case .number(let scalar, let format): return format.text(self(scalar), minus: minus)
    case .join(let parts): return parts.map(text).joined()
    case .choose(let condition, let a, let b): return text(self(condition) != 0 ? a : b)
    case .typed(let from, let to, let share):
      return Evaluator.typed(from: text(from), to: text(to), at: self(share))
    }
  }

  /// Deletes the end of `from` that differs from `to`, then types the rest of `to`.
  private static func typed(from: String, to: String, at share: Double) -> String {
    let a = Array(from)
    let b = Array(to)
    let common = zip(a, b).prefix { $0 == $1 }.count
    let steps = (a.count - common) + (b.count - common)
    let done = Int((Double(steps) * max(0, min(1, share.isFinite ? share : 0))).rounded(.down))
    let back = min(done, a.count - common)
    if back < a.count - common { return String(a.prefix(a.count - back)) }
    return String(b.prefix(common + done - back))
  }
}

extension Evaluator {
  /// Returns the bounds of an outline, computed from its control points.
  package func bounds(_ outline: OutlineModel) -> Rect {
    switch outline {
    case .rect(let x, let y, let width, let height, _),
      .smoothRect(let x, let y, let width, let height, _, _):
      return Rect(x: self(x), y: self(y), width: self(width), height: self(height))
    case .ellipse(let center, let rx, let ry):
      return Rect(
        x: self(center.x) - self(rx), y: self(center.y) - self(ry), width: 2 * self(rx),
        height: 2 * self(ry))
    case .star(let center, _, let outer, _), .arc(let center, let outer, _, _, _, _):
      let radius = self(outer)
      return Rect(
        x: self(center.x) - radius, y: self(center.y) - radius, width: 2 * radius,
        height: 2 * radius)
    case .path(let path): return self.path(path).controlBounds
    }
  }

  /// Returns bounds that contain an outline, without expensive computations such as path
  /// intersections.
  package func reach(_ outline: OutlineModel) -> Rect {
    if case .path(let path) = outline { reach(path) } else { bounds(outline) }
  }

  /// Returns the projection that maps a box to a quadrilateral; `nil` if it is degenerate.
  private func projection(_ quad: QuadModel) -> Projection? {
    let box = Rect(
      x: self(quad.x), y: self(quad.y), width: self(quad.width), height: self(quad.height))
    return Projection(box, to: quad.corners.map(point))
  }

  private func reach(_ model: PathModel) -> Rect {
    guard model.segments.count == 1 else { return path(model).controlBounds }
    switch model.segments[0] {
    case .derived(let it): return reach(it)
    case .mapped(let map, let inner): return affine(map).apply(reach(inner))
    case .projected(let quad, let inner): return projection(quad)?.apply(reach(inner)) ?? .empty
    default: return path(model).controlBounds
    }
  }

  private func reach(_ model: DerivedPath) -> Rect {
    if let known = paths.known(model) { return known.controlBounds }
    let first = reach(model.paths[0])
    switch model.operation {
    case .combine(.union), .combine(.exclude):
      return model.paths.dropFirst().reduce(first) { $0.union(reach($1)) }
    case .combine(.intersect), .combine(.subtract), .round: return first
    case .offset(let distance, let join):
      // A miter join extends up to four times as far.
      return first.insetBy(-abs(self(distance)) * (join == .miter ? 4 : 1))
    }
  }
}
