// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

/// The depth of field of a camera: planes that are not at the focus distance are blurred.
///
/// A thin lens spreads a point at the distance `D` over a disc with the diameter
/// `aperture · |1/focus - 1/D| · perspective` on the plane z = 0, where the perspective is the
/// distance from the eye. The disc becomes a Gaussian blur with the same variance. On the screen,
/// `1/D` is an affine function of the point of a plane.
struct Focus {
  /// The deviations that are drawn on planes with a varying blur, in pixels. Deviations between
  /// them are mixed.
  private static let ladder = [0, 0.6, 1, 1.6, 2.5, 4, 6.5, 10, 16, 25, 40, 65, 100]
  /// The smallest visible deviation, in pixels.
  private static let least = 0.2

  /// The perspective divided by the focus distance.
  private let nearness: Double
  /// The deviation for a difference of 1 in nearness, in pixels.
  private let strength: Double
  /// The part of the screen from which a blur can reach the box of the camera.
  private let view: DepthPolygon

  /// Creates the focus of a camera; `nil` if everything is in focus. `box` is the camera's box.
  init?(_ perspective: PerspectiveModel, within box: Rect, _ evaluator: Evaluator) {
    guard let focus = perspective.camera?.focus, let distance = perspective.distance,
      let view = DepthPolygon(box.insetBy(-3 * (Focus.ladder.last ?? 0)), at: 0)
    else { return nil }
    self.view = view
    let aperture = evaluator(focus.aperture) * abs(evaluator(focus.zoom))
    guard aperture.isFinite, aperture > 0 else { return nil }
    // A disc with the diameter c has a deviation of c / 4 along each axis.
    strength = aperture / 4
    nearness = max(1, evaluator(distance)) / max(1, evaluator(focus.distance))
  }

  /// Returns ops on a visible polygon, blurred by its distances from the eye.
  func blurred(_ ops: [DrawOp], on polygon: DepthPolygon) -> [DrawOp] {
    // A backdrop inside a layer would be empty.
    if ops.isEmpty || ops.contains(where: \.readsBackdrop) { return ops }
    var scratch = DepthPolygon.Scratch()
    polygon.overlap(with: view, &scratch)
    if scratch.points.count < 3 { return [] }
    let range = polygon.nearness.range(over: scratch.points)
    let (first, last) = (deviation(at: range.lowerBound), deviation(at: range.upperBound))
    let isCrossed = range.contains(nearness)
    let (least, most) = (isCrossed ? 0 : min(first, last), max(first, last))
    if most < Focus.least { return ops }
    // The blur extends beyond the polygon.
    let reach = 3 * min(most, Focus.ladder.last ?? 0) + 2
    let box = Rect(around: scratch.points).insetBy(-reach)
    return Focus.split(ops).flatMap { style, body in
      let blurred =
        most - least < 0.1 + 0.05 * most
        ? Focus.blurred(body, by: (least + most) / 2)
        : mixture(body, from: least, to: most, as: polygon.nearness, in: box)
      return style.map { [.layer($0, body: blurred)] } ?? blurred
    }
  }

  /// Divides ops into parts that are blurred together. A layer that is composited in a special way
  /// is blurred alone, with the compositing after the blur.
  private static func split(_ ops: [DrawOp]) -> [(style: LayerStyle?, body: [DrawOp])] {
    var parts: [(style: LayerStyle?, body: [DrawOp])] = []
    func add(_ ops: [DrawOp]) {
      if let last = parts.last, last.style == nil {
        parts[parts.count - 1].body += ops
      } else {
        parts.append((nil, ops))
      }
    }
    for op in ops {
      if case .transformed(let map, let body) = op {
        for part in split(body) {
          let moved = [DrawOp.transformed(map, body: part.body)]
          if part.style == nil { add(moved) } else { parts.append((part.style, moved)) }
        }
      } else if case .layer(let style, let body) = op,
        style.blend != .normal || style.light != .srgb
      {
        var (outer, inner) = (LayerStyle(opacity: style.opacity, blend: style.blend), style)
        outer.light = style.light
        (inner.opacity, inner.blend) = (1, .normal)
        parts.append((outer, [.layer(inner, body: body)]))
      } else {
        add([op])
      }
    }
    return parts
  }

  private static func blurred(_ ops: [DrawOp], by deviation: Double) -> [DrawOp] {
    let limited = min(deviation, ladder.last ?? 0)
    return limited < least ? ops : [.layer(LayerStyle(filters: [.blur(limited)]), body: ops)]
  }

  // MARK: Cost

  /// The nanoseconds per pixel of a blur, and of its mixture with the next one.
  private static let stepsOfBlur = 14.0
  private static let stepsOfMixture = 18.0

  /// Returns the steps of blurring a plane that covers a box of the canvas.
  func steps(on box: Rect, under projection: Projection, _ canvas: Rect) -> Double {
    let seen = box.intersection(canvas)
    guard !seen.isEmpty, seen.area > 0, let back = projection.inverted else { return 0 }
    let corners = [
      Point(seen.x, seen.y), Point(seen.maxX, seen.y), Point(seen.maxX, seen.maxY),
      Point(seen.x, seen.maxY),
    ]
    let values = corners.map { corner in
      1 / max(Projection.near, projection.weight(at: back.apply(corner)))
    }
    guard let lowest = values.min(), let highest = values.max() else { return 0 }
    let ends = [deviation(at: lowest), deviation(at: highest)]
    let least = (lowest...highest).contains(nearness) ? 0 : min(ends[0], ends[1])
    let most = max(ends[0], ends[1])
    if most < Focus.least { return 0 }
    let reach = 3 * min(most, Focus.ladder.last ?? 0)
    let area = seen.insetBy(-reach).intersection(canvas).area
    if most - least < 0.1 + 0.05 * most { return area * Focus.stepsOfBlur }
    let levels = Focus.ladder.count { least < $0 && $0 <= most } + 1
    return area * Double(levels) * Focus.stepsOfMixture
  }

  private func deviation(at value: Double) -> Double { strength * abs(value - nearness) }

  /// Returns ops as a mixture of blurs that has the right variance at each pixel. `function` is the
  /// nearness of their plane.
  private func mixture(
    _ ops: [DrawOp], from least: Double, to most: Double, as function: AffineFunction, in box: Rect
  ) -> [DrawOp] {
    let ladder = Focus.ladder
    let first = ladder.lastIndex { $0 <= least } ?? 0
    let last = ladder.firstIndex { $0 >= most } ?? ladder.count - 1
    let corner = function(Point(box.x, box.y))
    let slope = function.slope
    var result = Focus.blurred(ops, by: ladder[first])
    for index in ladder.indices where first < index && index <= last {
      let (low, high) = (ladder[index - 1], ladder[index])
      let share = PixelFunction(
        Focus.mixing,
        variables: [
          strength * slope.x, strength * slope.y, strength * (corner - nearness), low * low,
          1 / (high * high - low * low),
        ], box: box)
      result = [.crossed(share, from: result, to: Focus.blurred(ops, by: high))]
    }
    return result
  }

  /// The mixture of two layers by the variance of the blur at each pixel. The deviation is
  /// `x · v0 + y · v1 + v2`, and the weight of the second layer is `(deviation² - v3) · v4`.
  private static let mixing: PixelProgram = {
    var (instructions, next) = ([PixelProgram.Instruction](), 0)
    func add(
      _ operation: PixelProgram.Operation, _ operands: PixelProgram.Operand..., index: Int = 0
    ) -> PixelProgram.Operand {
      instructions.append(
        PixelProgram.Instruction(operation, target: next, operands: operands, index: index))
      next += operation.resultCount
      return .register(next - operation.resultCount)
    }
    let (zero, one, least) = (
      PixelProgram.Operand.number(0), PixelProgram.Operand.number(1), PixelProgram.Operand.number(2)
    )
    let variables = (3..<8).map(PixelProgram.Operand.number)
    let along = add(.multiply, add(.x), variables[0])
    let down = add(.multiply, add(.y), variables[1])
    let deviation = add(.add, add(.add, along, down), variables[2])
    let excess = add(.subtract, add(.multiply, deviation, deviation), variables[3])
    let share = add(
      .minimum, one, add(.maximum, zero, add(.multiply, excess, variables[4])))
    let layers = (0..<2).map { layer in
      _ = add(.load, index: layer)
      return (next - 4..<next).map(PixelProgram.Operand.register)
    }
    // Colors are straight, so they are weighted by their alpha.
    let first = add(.multiply, layers[0][3], add(.subtract, one, share))
    let second = add(.multiply, layers[1][3], share)
    let alpha = add(.add, first, second)
    let whole = add(.maximum, least, alpha)
    let color = (0..<3).map { channel in
      let sum = add(
        .add, add(.multiply, layers[0][channel], first),
        add(.multiply, layers[1][channel], second))
      return add(.divide, sum, whole)
    }
    return PixelProgram(
      instructions, rowCount: 0, registerCount: next, constants: [0, 1, 1e-6],
      variableCount: variables.count, tables: [], images: [], sourceCount: 2,
      color: color + [alpha])
  }()
}
