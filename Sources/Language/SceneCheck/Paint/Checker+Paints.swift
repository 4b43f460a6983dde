// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

extension Checker {
  /// Returns a paint with points in the coordinates of the box, or `nil` for `none` and after
  /// errors.
  func paint(
    _ value: Value, at span: SourceSpan, in box: @autoclosure () -> BoxModel?, of i: ElementNode,
    now: Scalar
  ) -> PaintModel? {
    switch opened(value) {
    case .color(let color): return .color(color)
    case .none, .poison: return nil
    case .gradient(let gradient):
      guard let box = box() else { return nil }
      return gradientModel(gradient, at: span, in: box, of: i, now: now)
    case .pattern(let pattern):
      return box().flatMap { patternModel(pattern, at: span, in: $0, of: i, now: now) }
    case .brush:
      _ = report(
        .typeMismatch, "a brush can only be the 'stroke' of an element", at: span,
        label: "expected a color, gradient or pattern",
        help: "set 'stroke' to the brush and 'stroke-width' to the height of its copies")
      return nil
    case .pixels(let pixels):
      return box().flatMap { pixelModel(pixels, .paint, in: $0, of: i) }.map { .pixels($0) }
    default:
      mismatch("a paint", value, at: span)
      return nil
    }
  }

  private func gradientModel(
    _ g: GradientValue, at span: SourceSpan, in box: BoxModel, of i: ElementNode, now: Scalar
  ) -> PaintModel? {
    let c = context(of: i, now: now)
    let stops = spreadStops(g.stops)
    let space = mixingSpace(c)
    func point(_ value: Value?, or share: Point) -> PointModel? {
      guard let value else {
        return PointModel(
          builder.add(box.x, builder.scaled(box.width, share.x)),
          builder.add(box.y, builder.scaled(box.height, share.y)))
      }
      return asPoint(value, span, in: c, width: box.width, height: box.height).map {
        PointModel(builder.add(box.x, $0.x), builder.add(box.y, $0.y))
      }
    }
    if g.kind == .conic {
      guard let center = point(g.from, or: Point(0.5, 0.5)) else { return nil }
      // By default, the gradient starts at the top, as in CSS.
      guard let value = g.angle else {
        return .conic(center: center, angle: .constant(-90), stops: stops, space: space)
      }
      return asAngle(value, span).map {
        .conic(center: center, angle: $0, stops: stops, space: space)
      }
    }
    if g.kind == .radial {
      guard let center = point(g.from, or: Point(0.5, 0.5)) else { return nil }
      let radius: Scalar?
      if let value = g.radius {
        radius = asLength(
          value, span, of: builder.make(.minimum, a: box.width, b: box.height))
      } else {
        radius =
          [.circle, .ellipse].contains(i.kind)
          ? farthestEdge(center, box) : farthestCorner(center, box)
      }
      if let radius { check([radius], "the radius of a gradient", in: .atLeast(0), at: span) }
      return radius.map { .radial(center: center, radius: $0, stops: stops, space: space) }
    }
    if let value = g.angle {
      guard let angle = asAngle(value, span) else { return nil }
      return angled(angle, in: box, stops: stops, space: space)
    }
    guard let from = point(g.from, or: Point(0.5, 0)), let to = point(g.to, or: Point(0.5, 1))
    else { return nil }
    return .linear(from: from, to: to, stops: stops, space: space)
  }

  private func patternModel(
    _ pattern: PatternValue, at span: SourceSpan, in box: BoxModel, of i: ElementNode, now: Scalar
  ) -> PaintModel? {
    let image = pattern.image.rendered(imageRendering(of: i))
    var size = PointModel(
      .constant(Double(image.size.width)), .constant(Double(image.size.height)))
    let c = context(of: i, now: now)
    if let value = pattern.size {
      let both = value.amount != nil ? Value.pair(value, value) : value
      guard let given = asPoint(both, span, in: c, width: box.width, height: box.height) else {
        return nil
      }
      size = given
    }
    var offset = PointModel.zero
    if let value = pattern.offset {
      guard let given = asPoint(value, span, in: c, width: box.width, height: box.height) else {
        return nil
      }
      offset = given
    }
    return .pattern(
      image, x: builder.add(box.x, offset.x), y: builder.add(box.y, offset.y), width: size.x,
      height: size.y)
  }

  /// Returns the distance from a point to the farthest edge of a circle.
  private func farthestEdge(_ p: PointModel, _ box: BoxModel) -> Scalar {
    let x = builder.subtract(p.x, builder.add(box.x, builder.scaled(box.width, 0.5)))
    let y = builder.subtract(p.y, builder.add(box.y, builder.scaled(box.height, 0.5)))
    let away = builder.make(
      .squareRoot, a: builder.add(builder.multiply(x, x), builder.multiply(y, y)))
    let half = builder.scaled(builder.make(.maximum, a: box.width, b: box.height), 0.5)
    return builder.add(half, away)
  }

  private func farthestCorner(_ p: PointModel, _ box: BoxModel) -> Scalar {
    func reach(_ at: Scalar, low: Scalar, extent: Scalar) -> Scalar {
      let before = builder.subtract(at, low)
      return builder.make(.maximum, a: before, b: builder.subtract(extent, before))
    }
    let x = reach(p.x, low: box.x, extent: box.width)
    let y = reach(p.y, low: box.y, extent: box.height)
    return builder.make(
      .squareRoot, a: builder.add(builder.multiply(x, x), builder.multiply(y, y)))
  }

  /// Returns a linear gradient with the gradient line of CSS, which passes through the center. The
  /// perpendiculars at its ends pass through corners of the box. An angle of 0 points to the right.
  private func angled(
    _ angle: Scalar, in box: BoxModel, stops: [StopModel], space: ColorSpace
  ) -> PaintModel {
    let cos = builder.make(.cosine, a: angle)
    let sin = builder.make(.sine, a: angle)
    let reach = builder.scaled(
      builder.add(
        builder.multiply(box.width, builder.make(.absolute, a: cos)),
        builder.multiply(box.height, builder.make(.absolute, a: sin))), 0.5)
    let x = builder.add(box.x, builder.scaled(box.width, 0.5))
    let y = builder.add(box.y, builder.scaled(box.height, 0.5))
    let dx = builder.multiply(cos, reach)
    let dy = builder.multiply(sin, reach)
    return .linear(
      from: PointModel(builder.subtract(x, dx), builder.subtract(y, dy)),
      to: PointModel(builder.add(x, dx), builder.add(y, dy)), stops: stops, space: space)
  }

  /// Returns the stops; those without an offset are distributed between their neighbors.
  private func spreadStops(_ stops: [GradientValue.Stop]) -> [StopModel] {
    if stops.count == 1 {
      return [StopModel(stops[0].color, at: .zero), StopModel(stops[0].color, at: .one)]
    }
    var offsets = stops.map(\.offset)
    let last = offsets.count - 1
    offsets[0] = offsets[0] ?? .zero
    offsets[last] = offsets[last] ?? .one
    var index = 1
    while index < last {
      guard offsets[index] == nil, let from = offsets[index - 1] else {
        index += 1
        continue
      }
      let next = offsets[index...].firstIndex { $0 != nil } ?? last
      let to = offsets[next] ?? .one
      for k in index..<next {
        let share = Double(k - index + 1) / Double(next - index + 1)
        offsets[k] = builder.mix(from, to, at: .constant(share))
      }
      index = next
    }
    return zip(stops, offsets).map { StopModel($0.color, at: $1 ?? .zero) }
  }

  // MARK: Fill and stroke

  func fill(of i: ElementNode, now: Scalar, box: @autoclosure () -> BoxModel?) -> PaintModel? {
    guard let (value, span) = self.value(.fill, of: i, now: now) else { return nil }
    return paint(value, at: span, in: box(), of: i, now: now)
  }

  func stroke(
    of i: ElementNode, now: Scalar, box: @autoclosure () -> BoxModel?, fallback: PaintModel? = nil
  ) -> StrokeModel? {
    var paint = fallback
    var brush: BrushModel?
    if let (value, span) = self.value(.stroke, of: i, now: now) {
      if case .brush(let given) = opened(value) {
        let line = paint ?? ink(for: i, now: now)
        guard let its = brushStroke(given, at: span, in: box(), of: i, now: now) else { return nil }
        (brush, paint) = (its.brush, its.paint ?? line)
      } else {
        paint = self.paint(value, at: span, in: box(), of: i, now: now)
      }
    }
    guard let paint else { return nil }
    var dash: [Scalar] = []
    if let (value, span) = self.value(.dash, of: i, now: now) {
      if case .none = value {
        dash = []
      } else {
        dash = asList(value).compactMap { asLength($0, span, of: smallerSide(i, now: now)) }
        if !dash.isEmpty, dash.allSatisfy({ $0.constantValue == 0 }) {
          _ = report(
            .outOfRange, "the dash pattern has a length of 0", at: span,
            help: "write lengths above 0, such as [10, 6], or 'none' for a solid line")
        }
      }
      guard dash.count <= 1000 else {
        _ = report(
          .limitExceeded, "the dash pattern has more than 1000 dashes", at: span,
          label: Limits.fixed)
        return nil
      }
    }
    var stroke = StrokeModel(
      paint: paint,
      width: length(.strokeWidth, of: i, now: now),
      // Hand-drawn strokes cross at corners, so they have round caps and joins by default.
      cap: i.properties[.cap] == nil && isRough(i, now: now) ? .round : word(.cap, of: i),
      join: i.properties[.join] == nil && isRough(i, now: now) ? .round : word(.join, of: i),
      miterLimit: number(.miterLimit, of: i, now: now), dash: dash,
      dashOffset: length(.dashOffset, of: i, now: now))
    if i.properties[.strokeScale] != nil {
      let scale: StrokeScale = word(.strokeScale, of: i)
      stroke.isSteady = scale == .none
    }
    stroke.profile = profile(of: i, now: now)
    stroke.brush = brush
    return stroke
  }

  /// Returns the variation of a stroke's width; `nil` for a constant width.
  private func profile(of i: ElementNode, now: Scalar) -> StrokeProfileModel? {
    let taper = value(.taper, of: i, now: now).flatMap { value, span in
      let shares = asFactors(value, span)
      if let shares {
        check(
          [shares.x, shares.y], "a share of the taper", in: .between(0, 1), at: span,
          help: "write a fraction of the length, such as 20%")
      }
      return shares
    }
    var factors: [Scalar] = []
    if let (value, span) = value(.strokeProfile, of: i, now: now) {
      factors = asList(value).compactMap { asNumber($0, span) }
      check(factors, "a factor of the stroke profile", in: .between(0, 1000), at: span)
      if case .list(let items) = value, items.isEmpty {
        _ = report(
          .outOfRange, "the stroke profile is empty", at: span,
          help: "write the factors of the width, such as [0, 1, 0]")
      }
      guard factors.count <= 1000 else {
        _ = report(
          .limitExceeded, "the stroke profile has more than 1000 factors", at: span,
          label: Limits.fixed)
        return nil
      }
    }
    if taper == nil, factors.isEmpty { return nil }
    var model = StrokeProfileModel(taper: taper ?? PointModel(.zero, .zero), factors: factors)
    if i.properties[.profileOf] != nil {
      let span: ProfileSpan = word(.profileOf, of: i)
      model.isOfPart = span == .trim
    }
    return model
  }
}
