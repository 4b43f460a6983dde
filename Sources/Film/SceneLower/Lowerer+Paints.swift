// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

extension Lowerer {
  func paint(_ model: PaintModel) -> Paint {
    switch model {
    case .color(let color): return .color(evaluator.color(color))
    case .linear(let from, let to, let stops, let space):
      return .linear(
        from: evaluator.point(from), to: evaluator.point(to), stops: self.stops(stops, space))
    case .radial(let center, let radius, let stops, let space):
      return .radial(
        center: evaluator.point(center), radius: max(0, evaluator(radius)),
        stops: self.stops(stops, space))
    case .conic(let center, let angle, let stops, let space):
      let turn = evaluator(angle)
      return .conic(
        center: evaluator.point(center), angle: turn.isFinite ? turn : 0,
        stops: self.stops(stops, space))
    case .pattern(let image, let x, let y, let width, let height):
      return .pattern(image, tile: rect([x, y, width, height]), opacity: 1)
    case .pixels(let model): return .pixels(function(model), opacity: 1)
    }
  }

  /// The maximum distance at which a pixel filter draws, in pixels.
  private static let farthestReach = 1000.0

  /// Returns a pixel function with the numbers of the frame.
  func function(_ model: PixelModel) -> PixelFunction {
    let reach = evaluator(model.reach)
    return PixelFunction(
      model.program, variables: model.variables.map { evaluator($0) }, box: rect(model.box),
      reach: reach > 0 ? min(reach, Lowerer.farthestReach) : 0)
  }

  /// Returns stops dense enough that interpolation in sRGB approximates interpolation in `space`.
  private func stops(_ models: [StopModel], _ space: ColorSpace) -> [GradientStop] {
    var result: [GradientStop] = []
    var last: GradientStop?
    for model in models {
      let offset = max(last?.offset ?? 0, min(1, max(0, evaluator(model.offset))))
      let stop = GradientStop(evaluator.color(model.color), at: offset)
      if let last, offset > last.offset, last.color != stop.color,
        space != .srgb || last.color.alpha != stop.color.alpha
      {
        let steps = 16
        for step in 1..<steps {
          let u = Double(step) / Double(steps)
          result.append(
            GradientStop(
              space.mix(last.color, stop.color, at: u),
              at: last.offset + (offset - last.offset) * u))
        }
      }
      result.append(stop)
      last = stop
    }
    return result
  }
}

extension Paint {
  func translated(by shift: Point) -> Paint {
    switch self {
    case .color: self
    case .linear(let from, let to, let stops):
      .linear(from: from + shift, to: to + shift, stops: stops)
    case .radial(let center, let radius, let stops):
      .radial(center: center + shift, radius: radius, stops: stops)
    case .conic(let center, let angle, let stops):
      .conic(center: center + shift, angle: angle, stops: stops)
    case .pattern(let image, let tile, let opacity):
      .pattern(
        image,
        tile: Rect(
          x: tile.x + shift.x, y: tile.y + shift.y, width: tile.width, height: tile.height),
        opacity: opacity)
    case .pixels(let function, let opacity):
      .pixels(function.translated(by: shift), opacity: opacity)
    }
  }
}
