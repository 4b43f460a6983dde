// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneText
import SceneTypes

/// A combination of two values: an interpolation, or a selection by a condition.
enum Blend {
  /// An interpolation, from the first value at 0 to the second at 1.
  case mix(Scalar, ColorSpace)
  /// The first value if the condition is true, otherwise the second.
  case choose(Scalar)
}

extension Checker {
  /// Returns the blend of two values, or reports that they cannot be mixed.
  func blend(_ a: Value, _ b: Value, by how: Blend, at span: SourceSpan, in c: Context) -> Value {
    if a.isPoison || b.isPoison || !spend(1, span) { return poison(span) }
    if let (p, q) = points(a, b) { return blend(p, q, by: how, at: span, in: c) }
    if let flat = flatFilters(a) { return blend(flat, b, by: how, at: span, in: c) }
    if let flat = flatFilters(b) { return blend(a, flat, by: how, at: span, in: c) }
    func scalar(_ x: Scalar, _ y: Scalar) -> Scalar { blend(x, y, by: how) }
    func number(_ a: Value, _ b: Value, kind: Amount) -> Value? {
      if kind == .mixed, let (p, s) = a.lengthParts, let (q, r) = b.lengthParts {
        return .length(pixels: scalar(p, q), share: scalar(s, r))
      }
      guard let x = a.factor, let y = b.factor else { return nil }
      return kind == .percent
        ? .percent(scalar(x, y)) : .quantity(scalar(x, y), kind.dimension)
    }
    if let x = a.amount, let y = b.amount {
      if let kind = Operator.blend.result(of: x, y), let it = number(a, b, kind: kind) { return it }
    } else if Operator.blend.combinesPairs(a, b) {
      let (left, right) = (a.parts, b.parts)
      return .pair(
        blend(left.0, right.0, by: how, at: span, in: c),
        blend(left.1, right.1, by: how, at: span, in: c))
    }
    switch (a, b) {
    case (.bool(let x), .bool(let y)):
      switch how {
      case .choose: return .bool(scalar(x, y))
      case .mix(let u, _):
        return .bool(
          builder.select(if: builder.make(.lessOrEqual, a: .one, b: u), then: y, else: x))
      }
    case (.range(let x, let y), .range(let u, let v)):
      return .range(blend(x, u, by: how, at: span, in: c), blend(y, v, by: how, at: span, in: c))
    case (.list(let x), .list(let y)) where x.count == y.count:
      return list(zip(x, y).map { blend($0, $1, by: how, at: span, in: c) }, span)
    case (.color(let x), .color(let y)): return .color(blend(x, y, by: how))
    case (.text(let x), .text(let y)):
      guard isAffordable(x, span), isAffordable(y, span) else { return poison(span) }
      if x == y { return a }
      switch how {
      case .choose(let s): return .text(.choose(s, x, y))
      case .mix(let u, _): return .text(.typed(from: x, to: y, u))
      }
    case (.path(let x), .path(let y)): return blend(x, y, by: how, at: span)
    case (.pair, .element(let it)):
      guard let p = namedPoint("center", of: it, in: c, at: span) else { return poison(span) }
      return blend(a, .pair(p.x, p.y), by: how, at: span, in: c)
    case (.element(let it), .pair):
      guard let p = namedPoint("center", of: it, in: c, at: span) else { return poison(span) }
      return blend(.pair(p.x, p.y), b, by: how, at: span, in: c)
    case (.element, .element), (.element, .path), (.path, .element):
      if let value = blendElements(a, b, by: how, at: span, in: c) { return value }
    default: break
    }
    if let value = blendFilters(a, b, by: how, at: span, in: c) { return value }
    if let paint = blendPaints(a, b, by: how, at: span, in: c) { return paint }
    return blendOther(a, b, by: how, at: span)
  }

  /// Returns both values as points if at least one is a named point of a box; otherwise, `nil`.
  private func points(_ a: Value, _ b: Value) -> (Value, Value)? {
    switch (a, b) {
    case (.word(let x), .word(let y)) where x == y: return nil
    case (.word, _), (_, .word): break
    default: return nil
    }
    guard let p = point(a), let q = point(b) else { return nil }
    return (p, q)
  }

  /// Returns the filters of a list that contains lists of filters, or `nil` for other values.
  private func flatFilters(_ value: Value) -> Value? {
    guard case .list(let items) = value,
      items.contains(where: { if case .list = $0 { true } else { false } })
    else { return nil }
    func filters(_ value: Value) -> [Value]? {
      switch value {
      case .filter: return [value]
      case .list(let items):
        var all: [Value] = []
        for item in items {
          guard let inner = filters(item) else { return nil }
          all += inner
        }
        return all
      default: return nil
      }
    }
    return filters(value).map { .list($0) }
  }

  private func point(_ value: Value) -> Value? {
    switch value {
    case .pair, .element: return value
    case .word(let name):
      return Words.points[name].map {
        .pair(.percent(.constant($0.x)), .percent(.constant($0.y)))
      }
    default: return nil
    }
  }

  /// Blends values that cannot be interpolated, such as words and easings. Only equal values are
  /// valid.
  private func blendOther(_ a: Value, _ b: Value, by how: Blend, at span: SourceSpan) -> Value {
    if case .word(let x) = a, case .word(let y) = b, x == y { return a }
    if case .none = a, case .none = b { return a }
    if case .list(let x) = a, case .list(let y) = b, x.count != y.count {
      return report(
        .notMixable, "lists of \(x.count) and \(y.count) items cannot be mixed", at: span,
        label: "expected lists with the same number of items")
    }
    let what = a.description == b.description ? "another" : b.description
    if case .quantity = a, case .quantity = b {
      let isGain = [a, b].contains { if case .quantity(_, .gain) = $0 { true } else { false } }
      return report(
        .notMixable, "\(a.description) cannot change over time to \(what)", at: span,
        label: isGain
          ? "use factors for both values, such as 0 -> 1, or decibels, such as -60dB -> 0dB"
          : "expected two values of the same type")
    }
    let help: String? =
      switch (a, b) {
      case (.record, _):
        "make a list of each field and index it: let xs = [for s in states: s.x], then xs[k]"
      case (.range, .quantity), (.range, .percent):
        "put the motion of one end in parentheses: 0% .. (0% -> 100% over 1s)"
      default: nil
      }
    return report(
      .notMixable, "\(a.description) cannot change over time to \(what)", at: span,
      label:
        "expected numbers, lengths, times, angles, pairs, colors, gradients, paths, lists or texts",
      help: help)
  }

  /// Blends elements: their outlines where a path is expected, otherwise their centers.
  private func blendElements(
    _ a: Value, _ b: Value, by how: Blend, at span: SourceSpan, in c: Context
  ) -> Value? {
    if case .element(let x) = a, case .element(let y) = b, x === y { return a }
    if case .element(let x) = a, case .element(let y) = b, c.pathUse == nil {
      guard let p = namedPoint("center", of: x, in: c, at: span),
        let q = namedPoint("center", of: y, in: c, at: span)
      else { return poison(span) }
      return blend(.pair(p.x, p.y), .pair(q.x, q.y), by: how, at: span, in: c)
    }
    func path(_ value: Value) -> PathModel? {
      c.pathUse == .own
        ? asPath(value, span, now: c.now) : asPlacedPath(value, span, in: c)
    }
    guard let x = path(a), let y = path(b) else { return poison(span) }
    return blend(x, y, by: how, at: span)
  }

  func blend(_ x: Scalar, _ y: Scalar, by how: Blend) -> Scalar {
    switch how {
    case .mix(let u, _): builder.mix(x, y, at: u)
    case .choose(let s): builder.select(if: s, then: x, else: y)
    }
  }

  func blend(_ x: ColorModel, _ y: ColorModel, by how: Blend) -> ColorModel {
    switch how {
    case .mix(let u, let space): builder.mix(x, y, at: u, in: space)
    case .choose(let s): builder.select(if: s, then: x, else: y)
    }
  }

  /// Blends colors, gradients and `none`, which is transparent.
  private func blendPaints(
    _ a: Value, _ b: Value, by how: Blend, at span: SourceSpan, in c: Context
  ) -> Value? {
    switch (a, b) {
    case (.none, .color(let y)):
      return .color(blend(clear(like: y), y, by: how))
    case (.color(let x), .none): return .color(blend(x, clear(like: x), by: how))
    case (.none, .gradient(let y)):
      return blendPaints(.gradient(faded(y)), b, by: how, at: span, in: c)
    case (.gradient(let x), .none):
      return blendPaints(a, .gradient(faded(x)), by: how, at: span, in: c)
    case (.color(let x), .gradient(let y)):
      return blendPaints(.gradient(plain(x, like: y)), b, by: how, at: span, in: c)
    case (.gradient(let x), .color(let y)):
      return blendPaints(a, .gradient(plain(y, like: x)), by: how, at: span, in: c)
    case (.gradient(let x), .gradient(let y)):
      guard x.kind == y.kind, x.stops.count == y.stops.count else {
        return report(
          .notMixable, "gradients of different kinds cannot be mixed", at: span,
          label: "expected two gradients of the same kind with the same number of colors")
      }
      var mixed = x
      mixed.stops = zip(x.stops, y.stops).map { p, q in
        GradientValue.Stop(
          color: blend(p.color, q.color, by: how),
          offset: p.offset.flatMap { m in q.offset.map { blend(m, $0, by: how) } })
      }
      mixed.from = blendOptional(x.from, y.from, by: how, at: span, in: c)
      mixed.to = blendOptional(x.to, y.to, by: how, at: span, in: c)
      mixed.radius = blendOptional(x.radius, y.radius, by: how, at: span, in: c)
      mixed.angle = blendOptional(x.angle, y.angle, by: how, at: span, in: c)
      return .gradient(mixed)
    case (.pixels(let x), .pixels(let y)):
      return .pixels(blend(x, y, by: how, at: span, in: c))
    case (.pixels(let x), .color(let y)): return .pixels(.blend(x, .color(y), by: how))
    case (.color(let x), .pixels(let y)): return .pixels(.blend(.color(x), y, by: how))
    case (.pixels(let x), .none):
      return .pixels(.blend(x, .color(ColorModel(.transparent)), by: how))
    case (.none, .pixels(let y)):
      return .pixels(.blend(.color(ColorModel(.transparent)), y, by: how))
    default: return nil
    }
  }

  private func clear(like c: ColorModel) -> ColorModel {
    ColorModel(red: c.red, green: c.green, blue: c.blue, alpha: .zero)
  }

  private func faded(_ gradient: GradientValue) -> GradientValue {
    var it = gradient
    for index in it.stops.indices { it.stops[index].color.alpha = .zero }
    return it
  }

  private func plain(_ color: ColorModel, like gradient: GradientValue) -> GradientValue {
    var it = gradient
    for index in it.stops.indices { it.stops[index].color = color }
    return it
  }

  private func blendOptional(
    _ a: Value?, _ b: Value?, by how: Blend, at span: SourceSpan, in c: Context
  ) -> Value? {
    guard let a, let b else { return a ?? b }
    return blend(a, b, by: how, at: span, in: c)
  }

  /// Blends the points of two paths. Paths with different commands are matched.
  private func blend(
    _ x: PathModel, _ y: PathModel, by how: Blend, at span: SourceSpan
  ) -> Value {
    if x == y { return .path(x) }
    let a = exploded(x)
    let b = exploded(y)
    guard a.count == b.count else { return unlike(x, y, by: how, at: span) }
    guard reservePath(PathModel(a).ownPoints, span) else { return poison(span) }
    func point(_ p: PointModel, _ q: PointModel) -> PointModel {
      PointModel(blend(p.x, q.x, by: how), blend(p.y, q.y, by: how))
    }
    var segments: [PathModel.Segment] = []
    for pair in zip(a, b) {
      switch pair {
      case (.move(let p), .move(let q)): segments.append(.move(point(p, q)))
      case (.line(let p), .line(let q)): segments.append(.line(point(p, q)))
      case (.quad(let c, let p), .quad(let d, let q)):
        segments.append(.quad(point(c, d), point(p, q)))
      case (.cubic(let c1, let c2, let p), .cubic(let d1, let d2, let q)):
        segments.append(.cubic(point(c1, d1), point(c2, d2), point(p, q)))
      case (.through(let p), .through(let q)) where p.count == q.count:
        segments.append(.through(zip(p, q).map(point)))
      case (.arc(let r, let phi, let large, let sweep, let p), .arc(let s, let psi, _, _, let q)):
        segments.append(
          .arc(
            radii: point(r, s), rotation: blend(phi, psi, by: how), large: large, sweep: sweep,
            to: point(p, q)))
      case (.close, .close): segments.append(.close)
      default: return unlike(x, y, by: how, at: span)
      }
    }
    return .path(PathModel(segments))
  }

  /// The maximum number of points in two matched paths.
  static let greatestMorph = 20_000

  /// Blends paths with different commands. Constant paths are matched once, others at each frame.
  private func unlike(_ x: PathModel, _ y: PathModel, by how: Blend, at span: SourceSpan) -> Value {
    guard isAffordable(x, span), isAffordable(y, span) else { return poison(span) }
    let share: Scalar
    switch how {
    // A selection by a condition requires no intermediate paths.
    case .choose(let condition): return .path(PathModel([.choice(condition, x, y)]))
    case .mix(let u, _): share = u
    }
    let evaluator = Evaluator(Program(), metrics: metrics)
    let areFixed = x.isConstant && y.isConstant
    let paths = areFixed ? (evaluator.path(x), evaluator.path(y)) : (Path(), Path())
    let count =
      areFixed
      ? paths.0.elements.count + paths.1.elements.count
      : x.size(atMost: Checker.greatestMorph) + y.size(atMost: Checker.greatestMorph)
    guard count <= Checker.greatestMorph else {
      return report(
        .limitExceeded,
        "paths with more than \(Checker.greatestMorph) points cannot be mixed",
        at: span, label: "\(areFixed ? "" : "at least ")\(count) points")
    }
    let pair = PathPair(x, y)
    if matchedPaths[pair] == nil {
      guard spend(count * (areFixed ? Checker.stepsOfMatch : Checker.stepsOfMorph), span) else {
        return poison(span)
      }
      matchedPaths[pair] = areFixed ? evaluator.matching(x, y) : (Path(), Path())
    }
    guard areFixed, let (p, q) = matchedPaths[pair] else {
      return .path(PathModel([.morph(x, y, share)]))
    }
    if p.isEmpty { return .path(x) }
    return blend(PathModel([.fixed(p)]), PathModel([.fixed(q)]), by: how, at: span)
  }

  /// Returns the segments of a path, with constant parts split into single segments.
  func exploded(_ path: PathModel) -> [PathModel.Segment] {
    func point(_ p: Point) -> PointModel { PointModel(.constant(p.x), .constant(p.y)) }
    return path.segments.flatMap { segment -> [PathModel.Segment] in
      guard case .fixed(let part) = segment else { return [segment] }
      return part.elements.map { element in
        switch element {
        case .move(let p): .move(point(p))
        case .line(let p): .line(point(p))
        case .cubic(let c1, let c2, let p): .cubic(point(c1), point(c2), point(p))
        case .close: .close
        }
      }
    }
  }
}
