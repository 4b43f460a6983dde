// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneText
import SceneTypes

/// The places at which the particles of a field are born, with their motion.
struct Emitter {
  var places: [ParticleField.Place]
  /// The displacements of the places at times that are `ParticleField.step` apart.
  var route: [Point] = []
  /// The time of the first displacement, in seconds since the start of the emitter.
  var start = 0.0
  /// An additional displacement, which depends on the particle.
  var offset = PointModel.zero
}

// The times and places at which particles are born.
extension Checker {
  /// The maximum number of samples of a moving emitter or of a changing rate.
  private static let greatestSampleCount = 150_000

  // MARK: Times

  func births(of i: ElementNode, _ plan: ParticlePlan) -> ParticleField.Births? {
    if let burst = i.properties[.burst] {
      if i.properties[.rate] != nil {
        _ = report(
          .propertyElsewhere, "'burst' cannot be combined with 'rate'", at: burst.nameSpan,
          label: "use two 'particles' elements")
      }
      return .burst(wholeNumber(.burst, of: i, in: 0...Int(Checker.greatestParticleCount), or: 0))
    }
    let prewarm = prewarm(of: i, plan)
    let until = seconds(.emitFor, of: i) ?? plan.duration
    guard let (value, span) = value(.rate, of: plan.newborn, now: now) else {
      missing(.rate, i)
      return nil
    }
    guard case .quantity(let rate, .rate) = value else {
      mismatch("a rate", value, at: span, help: "write the number per second, such as 100Hz")
      return nil
    }
    if let why = dependence(of: [value]) {
      _ = report(.notConstant, "'rate' \(why)", at: span)
      return nil
    }
    let perSecond = Double(Ticks.perSecond)
    if let constant = rate.constantValue {
      guard constant >= 0 else {
        _ = report(.outOfRange, "'rate' cannot be negative", at: span)
        return nil
      }
      return .steady(rate: constant * perSecond, from: -prewarm, until: until)
    }
    var count = 0.0
    var counts = [0.0]
    guard
      sample(
        [rate], from: -prewarm, until: until, of: plan, at: span,
        { evaluator in
          count += max(0, min(1e9, evaluator(rate) * perSecond)) * ParticleField.step
          counts.append(count)
        })
    else { return nil }
    return .counted(counts, from: -prewarm)
  }

  /// Returns `prewarm` in seconds, limited to the longest lifetime of a particle.
  private func prewarm(of i: ElementNode, _ plan: ParticlePlan) -> Double {
    min(seconds(.prewarm, of: i) ?? 0, plan.life.upperBound)
  }

  private func seconds(_ property: Property, of i: ElementNode) -> Double? {
    guard let (value, span) = value(property, of: i, now: now),
      let ticks = asConstantTime(value, span)
    else { return nil }
    if ticks < 0 { _ = report(.outOfRange, "'\(property.name)' cannot be negative", at: span) }
    return max(0, ticks) / Double(Ticks.perSecond)
  }

  /// Calls `body` at each sampled time of an interval, in seconds since the start of the emitter,
  /// after evaluating scalars. Returns `false` after reporting too many samples.
  private func sample(
    _ scalars: [Scalar], from start: Double, until end: Double, of plan: ParticlePlan,
    at span: SourceSpan, _ body: (Evaluator) -> Void
  ) -> Bool {
    let count = ((end - start) / ParticleField.step).rounded(.up)
    guard count < Double(Checker.greatestSampleCount) else {
      let longest = Double(Checker.greatestSampleCount) * ParticleField.step
      _ = report(
        .limitExceeded, "the emitter changes for \(NumberFormat.seconds(plan.end - plan.start))",
        at: span, label: "the limit is \(NumberFormat().text(longest))s")
      return false
    }
    var evaluator = Evaluator(builder.program, metrics: metrics)
    let nodes = evaluator.nodes(of: scalars)
    for index in 0...max(0, Int(count)) {
      let time = start + Double(index) * ParticleField.step
      let ticks = plan.start.rawValue + Int64((time * Double(Ticks.perSecond)).rounded())
      evaluator.evaluate(nodes: nodes, at: Ticks(ticks))
      body(evaluator)
    }
    return true
  }

  // MARK: Places

  func emitter(of i: ElementNode, _ plan: ParticlePlan) -> Emitter? {
    guard let (value, span) = value(.from, of: plan.newborn, now: now) else {
      let (width, height) = parentSize(i, now: now)
      let center = PointModel(builder.scaled(width, 0.5), builder.scaled(height, 0.5))
      return emitter(at: center, size: .zero, plan, at: i.span)
    }
    switch value {
    case .element(let other) where other.kind == .particles:
      _ = report(
        .typeMismatch, "particles cannot start at other particles", at: span,
        label: "expected a point, a path or an element with an outline")
      return nil
    case .element(let other):
      guard let path = emittingPath(of: other, plan, at: span) else { return nil }
      return emitter(on: path, of: i, plan, at: span)
    case .path(let path): return emitter(on: path, of: i, plan, at: span)
    case .pair(let x, let y): return emitter(in: (x, y), of: i, plan, at: span)
    default:
      let (width, height) = parentSize(i, now: now)
      let context = context(of: plan.newborn, now: now)
      guard let point = asPoint(value, span, in: context, width: width, height: height) else {
        return nil
      }
      return emitter(at: point, size: .zero, plan, at: span)
    }
  }

  /// Returns the outline of an element in the coordinates of the particles: the glyphs of a text,
  /// or the box of an element without an outline; `nil` after an error.
  private func emittingPath(of other: ElementNode, _ plan: ParticlePlan, at span: SourceSpan)
    -> PathModel?
  {
    let context = context(of: plan.newborn, now: now)
    if let own = ownPath(of: other, now: now) { return placedPath(own, of: other, in: context) }
    return outlinePath(of: other, in: context, at: span)
  }

  /// Returns an emitter whose coordinates are numbers or ranges; `nil` after an error.
  private func emitter(
    in point: (x: Value, y: Value), of i: ElementNode, _ plan: ParticlePlan, at span: SourceSpan
  ) -> Emitter? {
    let (width, height) = parentSize(i, now: now)
    func sides(_ value: Value, _ whole: Scalar) -> (low: Scalar, length: Scalar)? {
      guard case .range(let low, let high) = value else {
        return asLength(value, span, of: whole).map { ($0, .zero) }
      }
      guard let a = asLength(low, span, of: whole), let b = asLength(high, span, of: whole) else {
        return nil
      }
      return (a, builder.subtract(b, a))
    }
    guard let x = sides(point.x, width), let y = sides(point.y, height) else { return nil }
    if dependence(of: [.number(x.low), .number(y.low)]) != nil {
      return emitterOfParticle(of: i, plan)
    }
    return emitter(
      at: PointModel(x.low, y.low), size: PointModel(x.length, y.length), plan, at: span)
  }

  /// Returns an emitter at a point that depends on the number of the particle; `nil` after an
  /// error.
  private func emitterOfParticle(of i: ElementNode, _ plan: ParticlePlan) -> Emitter? {
    guard case (.pair(let x, let y), let span)? = value(.from, of: plan.newborn, now: plan.birth)
    else { return nil }
    let (width, height) = parentSize(i, now: now)
    guard let left = asLength(x, span, of: width), let top = asLength(y, span, of: height) else {
      return nil
    }
    return Emitter(
      places: [ParticleField.Place(origin: .zero, total: 1)], offset: PointModel(left, top))
  }

  private func emitter(
    at point: PointModel, size: PointModel, _ plan: ParticlePlan, at span: SourceSpan
  ) -> Emitter? {
    let scalars = [point.x, point.y, size.x, size.y]
    if let why = dependence(of: scalars.map(Value.number)) {
      _ = report(.notConstant, "a range in 'from' \(why)", at: span)
      return nil
    }
    var evaluator = Evaluator(builder.program, metrics: metrics)
    evaluator.evaluate(only: scalars, at: plan.start)
    let origin = evaluator.point(point)
    let place = ParticleField.Place(
      origin: origin, along: Point(evaluator(size.x), 0), across: Point(0, evaluator(size.y)),
      total: 1)
    guard [point.x, point.y].contains(where: { $0.constantValue == nil }) else {
      return Emitter(places: [place])
    }
    return moved(Emitter(places: [place]), of: plan, reading: [point.x, point.y], at: span) {
      $0.point(point) - origin
    }
  }

  /// Returns an emitter that moves by the displacement that `place` returns at each time; `nil`
  /// after reporting too many samples.
  private func moved(
    _ emitter: Emitter, of plan: ParticlePlan, reading scalars: [Scalar], at span: SourceSpan,
    _ place: (Evaluator) -> Point
  ) -> Emitter? {
    var emitter = emitter
    emitter.start = -prewarm(of: plan.newborn, plan)
    let isSampled = sample(scalars, from: emitter.start, until: plan.duration, of: plan, at: span) {
      let point = place($0)
      emitter.route.append(point.x.isFinite && point.y.isFinite ? point : .zero)
    }
    return isSampled ? emitter : nil
  }

  // MARK: Outlines

  /// Returns an emitter in or on an outline. An outline that moves is displaced with the center of
  /// its bounds. Returns `nil` after an error.
  private func emitter(
    on model: PathModel, of i: ElementNode, _ plan: ParticlePlan, at span: SourceSpan
  ) -> Emitter? {
    var scalars: [Scalar] = []
    model.forEachScalar { scalars.append($0) }
    if let why = dependence(of: scalars.map(Value.number)) {
      _ = report(.notConstant, "a path in 'from' \(why)", at: span)
      return nil
    }
    var evaluator = Evaluator(builder.program, metrics: metrics)
    evaluator.evaluate(only: scalars, at: plan.start)
    let path = evaluator.path(model)
    let isOutline = word(.emit, of: i) == ParticleEmission.outline
    var places = isOutline ? [] : ParticleField.Place.inside(path)
    if places.isEmpty { places = ParticleField.Place.along(path) }
    guard !places.isEmpty else {
      _ = report(.outOfRange, "'from' has an empty outline", at: span)
      return nil
    }
    let emitter = Emitter(places: places)
    if model.isConstant { return emitter }
    let center = path.bounds.center
    return moved(emitter, of: plan, reading: scalars, at: span) {
      $0.path(model).bounds.center - center
    }
  }

  // MARK: Estimates

  /// Returns a field with estimates of its bounds and of the area of its particles, based on
  /// samples at eight times.
  func estimated(
    _ field: ParticleField, of plan: ParticlePlan, _ variables: [Scalar], hasDrawing: Bool
  ) -> ParticleField {
    var evaluator = Evaluator(builder.program, metrics: metrics)
    evaluator.evaluate(only: variables, at: plan.start)
    let values = variables.map { evaluator($0) }
    var box = Rect.empty
    var (area, count) = (0.0, 0.0)
    let last = min(plan.duration, plan.life.upperBound * 4)
    for step in 1...8 {
      let inputs = field.living(at: last * (Double(step) - 0.5) / 8)
      let stride = max(1, inputs[0].count / 16)
      for index in Swift.stride(from: 0, to: inputs[0].count, by: stride) {
        let it = field.program.outputs(
          for: inputs.map { Double($0[index]) }, variables: values)
        guard it[0..<8].allSatisfy(\.isFinite) else { continue }
        let (width, height) = (abs(it[4]), abs(it[5]))
        let trail = Math.hypot(it[2], it[3]) * 0.1
        box = box.union(
          Rect(x: it[0] - width, y: it[1] - height, width: 2 * width + 1, height: 2 * height + 1))
        area += min(1e8, hasDrawing ? it[7] * it[7] : (width + trail) * height)
        count += 1
      }
    }
    return field.estimated(
      extent: box.isEmpty ? box : box.insetBy(-0.1 * max(box.width, box.height)),
      area: count > 0 ? area / count : 0)
  }
}

extension ParticleField.Place {
  /// The number of rows or points into which an outline is divided.
  private static let rowCount = 400
  private static let pointCount = 4096

  /// Returns strips that cover the area of a path.
  static func inside(_ path: Path) -> [ParticleField.Place] {
    guard let area = Path.combined(.union, [path]) else { return [] }
    let box = area.bounds
    guard box.width > 0, box.height > 0, box.isFinite else { return [] }
    var edges: [(Point, Point)] = []
    var (start, current) = (Point.zero, Point.zero)
    for element in area.elements {
      switch element {
      case .move(let p): (start, current) = (p, p)
      case .line(let p), .cubic(_, _, let p):
        edges.append((current, p))
        current = p
      case .close:
        edges.append((current, start))
        current = start
      }
    }
    let height = box.height / Double(rowCount)
    var places: [ParticleField.Place] = []
    var total = 0.0
    for row in 0..<rowCount {
      let y = box.y + (Double(row) + 0.5) * height
      let crossings = edges.compactMap { a, b -> Double? in
        guard (a.y <= y) != (b.y <= y) else { return nil }
        return a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)
      }.sorted()
      // The outlines of a union do not overlap.
      for index in stride(from: 0, to: crossings.count - 1, by: 2) {
        let width = crossings[index + 1] - crossings[index]
        guard width > 0 else { continue }
        total += width
        places.append(
          ParticleField.Place(
            origin: Point(crossings[index], y - height / 2), along: Point(width, 0),
            across: Point(0, height), total: total))
      }
    }
    return places
  }

  /// Returns points at equal distances along a path.
  static func along(_ path: Path) -> [ParticleField.Place] {
    let line = MeasuredPath(path)
    return (0..<pointCount).compactMap { index in
      let share = (Double(index) + 0.5) / Double(pointCount)
      return line.location(at: share).map {
        ParticleField.Place(origin: $0.point, total: Double(index + 1))
      }
    }
  }
}
