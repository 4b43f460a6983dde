// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
package import SceneModel

/// The translation of a scene to frame programs. Frames can be requested in any order.
package struct Lowerer {
  /// The minimum number of drawings in a static group that becomes a layer, which is drawn once and
  /// cached. Only the model decides, so that pixels do not depend on the state of the cache.
  private static let leastLayer = 6

  let model: SceneModel
  let metrics: any TextMetrics
  private let hasSteadyStrokes: Bool
  private(set) var evaluator: Evaluator
  let rough = RoughCache()
  /// The time of the current frame, independent of the motion blur sample: footage has motion blur
  /// of its own.
  private(set) var frameTime = Ticks.zero
  /// The size of the output frames.
  package let size: PixelSize

  /// Creates a lowerer. If `size` differs from the model's size, all drawings are scaled. Lowerers
  /// of the same model can share derived paths.
  package init(
    _ model: SceneModel, metrics: any TextMetrics, size: PixelSize? = nil,
    sharing paths: (any DerivedPaths)? = nil
  ) {
    self.model = model
    self.metrics = metrics
    self.size = size ?? model.size
    evaluator = Evaluator(model.program, metrics: metrics, sharing: paths)
    hasSteadyStrokes = model.elements.contains(where: \.hasSteadyStroke)
  }

  /// The divisor for the number of motion blur samples, to reduce the quality of short-lived
  /// frames.
  package var blurDivisor = 1

  /// Returns the program of frame `index` at the time `index / frameRate`. With motion blur, it
  /// covers the interval around this time in which the shutter is open.
  package mutating func lower(frame index: Int) -> FrameProgram {
    lower(at: model.frameRate.time(ofFrame: index))
  }

  /// Returns the program of frame `index`, or `nil` if `isUnwanted` returned `true`. The callback
  /// is called before each element and each expensive path.
  package mutating func lower(frame index: Int, isUnwanted: @escaping () -> Bool) -> FrameProgram? {
    unless(isUnwanted) { $0.lower(frame: index) }
  }

  /// Returns the result of `body`, or `nil` if it was interrupted.
  mutating func unless<T>(_ isUnwanted: @escaping () -> Bool, _ body: (inout Lowerer) -> T) -> T? {
    evaluator.interrupt(if: isUnwanted)
    defer { evaluator.interrupt(if: nil) }
    let result = body(&self)
    return evaluator.isInterrupted ? nil : result
  }

  package mutating func lower(at time: Ticks) -> FrameProgram {
    unscaled(at: time).scaled(to: size)
  }

  private mutating func unscaled(at time: Ticks) -> FrameProgram {
    frameTime = time
    let frame = sharp(at: time)
    guard let blur = model.motionBlur else { return frame }
    let open = model.frameRate.frameTicks * blur.angle / 360
    let last = model.duration.rawValue - 1
    let count = max(1, blur.samples / blurDivisor)
    let samples = (0..<count).map { sample -> FrameProgram in
      let share = (Double(sample) + 0.5) / Double(count) - 0.5
      let instant = time.rawValue + Int64((open * share).rounded())
      return sharp(at: Ticks(max(0, min(last, instant))))
    }
    return FrameProgram(
      size: frame.size, background: frame.background,
      ops: Lowerer.averaged(samples.map(\.ops)))
  }

  /// Evaluates everything needed for a frame at `time`.
  mutating func begin(at time: Ticks) {
    frameTime = time
    evaluator.evaluate(at: time)
  }

  private mutating func sharp(at time: Ticks) -> FrameProgram {
    evaluator.evaluate(at: time)
    let eye = model.perspective.map(evaluator.perspective) ?? .identity
    let ops = ops(of: model.elements, in: View(time: time, eye: eye))
    return FrameProgram(
      size: model.size, background: model.background.map(paint),
      ops: hasSteadyStrokes ? ops.map { $0.settled(.identity) } : ops)
  }

  /// Merges several samples of the same ops: only the differing parts are averaged.
  private static func averaged(_ samples: [[DrawOp]]) -> [DrawOp] {
    guard let first = samples.first else { return [] }
    if samples.allSatisfy({ $0 == first }) { return first }
    guard samples.allSatisfy({ $0.count == first.count }) else { return [.averaged(samples)] }
    return first.indices.flatMap { index -> [DrawOp] in
      let ops = samples.map { $0[index] }
      if ops.allSatisfy({ $0 == ops[0] }) { return [ops[0]] }
      if case .transformed(let map, let body) = ops[0], body.count > 1 {
        let bodies = ops.compactMap { op -> [DrawOp]? in
          if case .transformed(map, let body) = op { body } else { nil }
        }
        if bodies.count == ops.count { return [.transformed(map, body: averaged(bodies))] }
      }
      return [.averaged(ops.map { [$0] })]
    }
  }

  /// Lowers elements in the coordinates of the view.
  func ops(of elements: [ElementModel], in view: View) -> [DrawOp] {
    if elements.contains(where: \.hasDepth) {
      return ops(of: elements, in: view, from: SpacePlace(map: .identity, flat: .identity))
    }
    var ops: [DrawOp] = []
    for element in painted(elements) { append(element, in: view, to: &ops) }
    return ops
  }

  /// Returns elements in painting order.
  func painted(_ elements: [ElementModel]) -> [ElementModel] {
    guard elements.contains(where: { $0.z != .zero }) else { return elements }
    let order = elements.indices.map { (z: evaluator(elements[$0].z), index: $0) }
    return order.sorted { ($0.z, $0.index) < ($1.z, $1.index) }.map { elements[$0.index] }
  }

  /// Returns whether an element is drawn at a time.
  func isShown(_ element: ElementModel, at time: Ticks) -> Bool {
    element.start <= time && time < element.end && evaluator(element.visible) != 0
      && evaluator.mayGoOn() && evaluator(element.opacity) > 0
  }

  /// Appends an element that is flat, or whose depth is handled by the caller.
  func append(_ element: ElementModel, in view: View, to ops: inout [DrawOp]) {
    guard isShown(element, at: view.time) else { return }
    let map = evaluator.affine(element.transform)
    // Elements with a singular map are invisible.
    guard map.isDrawable else { return }
    if element.children.isEmpty, element.isPlain, !element.hasRareParts || element.lineBoxes == nil,
      map.isTranslation,
      let op = translated(
        element.drawing, rough: element.rough, by: Point(map.e, map.f),
        opacity: evaluator(element.opacity))
    {
      return ops.append(op)
    }
    let body = body(of: element, in: view.seen(through: map))
    if map == .identity || body.isEmpty {
      ops += body
    } else {
      ops.append(.transformed(map, body: body))
    }
  }

  /// Lowers an element in its own coordinates.
  func body(of element: ElementModel, in view: View) -> [DrawOp] {
    let opacity = evaluator(element.opacity)
    var body = drawing(of: element, eye: view.eye)
    if !element.isPlain, let crossing = element.style.crossing {
      let clips = element.children.map { inside(element, [$0], in: view) }
      if let from = clips.first, let to = clips.last {
        body = [.crossed(function(crossing), from: from, to: to)]
      }
    } else {
      let inner = element.children.isEmpty ? [] : inside(element, element.children, in: view)
      if case .particles(let model) = element.drawing {
        body = element.children.isEmpty || !inner.isEmpty ? particles(model, sprite: inner) : []
      } else {
        body += inner
      }
    }
    guard !body.isEmpty || !element.isPlain && element.style.backdrop != nil else { return [] }
    if element.isPlain {
      // An op that reads its backdrop changes with the backdrop, so it cannot be part of a layer.
      if element.isStatic, element.drawingCount >= Lowerer.leastLayer,
        !body.contains(where: \.readsBackdrop)
      {
        body = [.layer(opacity: opacity, body: body)]
      } else if opacity < 1 {
        body = faded(body, opacity)
      }
    } else {
      body = styled(body, as: element, opacity: opacity, in: view)
    }
    return body
  }

  /// Lowers elements in the coordinates of an element's children.
  func inside(_ element: ElementModel, _ children: [ElementModel], in view: View) -> [DrawOp] {
    let map = evaluator.affine(element.content)
    if let perspective = element.perspective, let camera = perspective.camera {
      guard map.isDrawable else { return [] }
      let box = element.style.clips.first.map(evaluator.bounds) ?? .empty
      return ops(
        of: children, in: View(time: view.time, eye: evaluator.perspective(perspective)),
        from: SpacePlace(
          map: evaluator.contentSpace(of: element), flat: camera.isFlat ? map : nil),
        focus: Focus(perspective, within: box, evaluator))
    }
    let own =
      element.perspective.map { View(time: view.time, eye: evaluator.perspective($0)) }
      ?? view.seen(through: map)
    let inner = ops(of: children, in: own)
    if map == .identity || inner.isEmpty { return inner }
    return map.isDrawable ? [.transformed(map, body: inner)] : []
  }
}

extension Affine {
  /// Whether the map is invertible and its coefficients are within Cairo's limits.
  var isDrawable: Bool {
    isFinite && (1e-12..<1e12).contains(abs(determinant))
      && max(abs(a), abs(b), abs(c), abs(d)) < 1e7 && max(abs(e), abs(f)) < 1e9
  }

  var isTranslation: Bool { a == 1 && b == 0 && c == 0 && d == 1 }
}

extension Rect {
  /// Whether the rectangle is finite and within the range of Cairo's fixed-point numbers.
  package var isDrawable: Bool {
    let bound = 4_000_000.0
    return abs(x) < bound && abs(y) < bound && width < bound && height < bound
  }
}

extension Point {
  var isFinite: Bool { x.isFinite && y.isFinite }
}
