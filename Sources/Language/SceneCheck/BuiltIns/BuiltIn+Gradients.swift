// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneIR
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

extension BuiltIn {
  private static let places = Set(Words.points.keys)

  static let gradients: [BuiltIn] = [
    BuiltIn(
      "linear-gradient", taking: .many("stops", .color),
      .optional(.value("from", .pair, words: places)),
      .optional(.value("to", .pair, words: places)), .optional(.value("angle", .angle)),
      gives: .paint, cost: .linear, summary: "Returns a gradient along a line."
    ) { it, stops, from, to, angle throws(Reported) in
      if angle != nil, from != nil || to != nil {
        throw it.report(.wrongArguments, "a gradient cannot combine 'angle' with 'from' and 'to'")
      }
      return .gradient(
        GradientValue(
          kind: .linear, stops: try it.stops(stops), from: from?.value, to: to?.value,
          angle: angle?.value))
    },
    BuiltIn(
      "radial-gradient", taking: .many("stops", .color),
      .optional(.value("center", .pair, words: places)), .optional(.value("radius", .length)),
      gives: .paint, cost: .linear, summary: "Returns a gradient from a center outward."
    ) { it, stops, center, radius throws(Reported) in
      .gradient(
        GradientValue(
          kind: .radial, stops: try it.stops(stops), from: center?.value, radius: radius?.value))
    },
    BuiltIn(
      "conic-gradient", taking: .many("stops", .color),
      .optional(.value("center", .pair, words: places)), .optional(.value("angle", .angle)),
      gives: .paint, cost: .linear, summary: "Returns a gradient around a center."
    ) { it, stops, center, angle throws(Reported) in
      .gradient(
        GradientValue(
          kind: .conic, stops: try it.stops(stops), from: center?.value, angle: angle?.value))
    },
    // In `linear(…)`, a stop is a number, and the easing parses the call itself.
    BuiltIn(
      "stop", taking: .color("color"), .optional(.number("at")), gives: .stop,
      cost: .constant, summary: "Returns a color at an offset of a gradient."
    ) { _, color, offset in .stop(color, offset) },
    BuiltIn(
      "pattern", taking: .value("source", .text), .optional(.value("size", .pair)),
      .optional(.value("offset", .pair)), gives: .paint,
      cost: .linear, summary: "Returns a paint that repeats an image."
    ) { it, source, size, offset throws(Reported) in
      let path = try it.need(it.checker.asConstantText(source.value, source.span))
      guard
        let image = it.checker.reading(path, at: source.span, { try it.checker.assets.image(path) })
      else { throw it.checker.reports.expected(source.span) }
      it.checker.warnOfRemarks(on: path, source.span)
      return .pattern(PatternValue(image: image, size: size?.value, offset: offset?.value))
    },
    BuiltIn(
      "brush", taking: .many("sources", .image), .optional(.value("spacing", .length)),
      .optional(.bool("rotate"), or: .one), .optional(.angle("angle"), or: .zero),
      .optional(.number("jitter"), or: .zero), .optional(.number("seed"), or: .zero),
      .optional(.value("color", .paint)), gives: .paint,
      cost: .counted, summary: "Returns a stroke that repeats images along the outline."
    ) { it, sources, spacing, turned, angle, jitter, seed, color throws(Reported) in
      var brush = BrushValue(images: try it.images(of: sources), spacing: spacing?.value)
      (brush.isTurned, brush.angle, brush.jitter) = (turned, angle, jitter)
      (brush.seed, brush.color) = (seed, color?.value)
      let range = ValueRange.between(0, 1)
      if let wrong = it.checker.valueOutside(range, of: jitter) {
        throw it.report(
          .outOfRange,
          "'jitter' of 'brush' must be \(range.description), found \(NumberFormat().text(wrong))",
          at: it.call["jitter"]?.span,
          help: "write a share of the spacing and of the width, such as 20%")
      }
      return .brush(brush)
    },
  ]
}

extension Site {
  private static let mostStops = 1000
  private static let mostBrushImages = 100

  /// Returns the images of a brush, which are the positional arguments or lists of them.
  fileprivate func images(of sources: [Expression]) throws(Reported) -> [ImageReference] {
    var images: [ImageReference] = []
    for e in sources {
      for value in checker.asList(try evaluate(e)) {
        let path = try need(checker.asConstantText(value, e.span))
        guard let image = checker.reading(path, at: e.span, { try checker.assets.image(path) })
        else { throw checker.reports.expected(e.span) }
        checker.warnOfRemarks(on: path, e.span)
        images.append(image)
      }
    }
    guard !images.isEmpty else {
      throw report(
        .wrongArguments, "a brush must have at least one image",
        label: "write brush(\"leaf.svg\")")
    }
    guard images.count <= Site.mostBrushImages else {
      throw report(
        .limitExceeded,
        "a brush has \(images.count) images, more than the limit of \(Site.mostBrushImages)",
        label: Limits.fixed)
    }
    return images
  }

  fileprivate func stops(_ expressions: [Expression]) throws(Reported) -> [GradientValue.Stop] {
    if let moving = loneMotion(in: expressions) { throw loneStop(moving) }
    var stops: [GradientValue.Stop] = []
    for e in expressions {
      for value in checker.asList(try evaluate(e)) {
        if case .quantity(_, .angle) = value { throw direction(e) }
        if case .stop(let color, let offset) = value {
          stops.append(.init(color: color, offset: offset))
        } else {
          stops.append(.init(color: try need(checker.asColor(value, e.span)), offset: nil))
        }
      }
    }
    guard !stops.isEmpty else {
      throw report(
        .outOfRange, "a gradient must have at least one color",
        label: "the list is empty")
    }
    guard stops.count <= Site.mostStops else {
      throw report(
        .limitExceeded,
        "a gradient has \(stops.count) stops, more than the limit of \(Site.mostStops)",
        label: Limits.fixed)
    }
    return stops
  }

  /// Reports an angle in place of a color, as in `linear-gradient(90deg, red, blue)`. In CSS, 0deg
  /// points up.
  private func direction(_ e: Expression) -> Reported {
    let diagnostic = Diagnostic(
      .typeMismatch, "expected a color, found an angle", at: e.span)
    guard call["angle"] == nil, call.name != "radial-gradient" else {
      return checker.report(diagnostic)
    }
    let source = checker.text(at: e.span)
    var angle = "\(source) - 90deg"
    var degrees: Double?
    if source.hasSuffix("deg") { degrees = Double(source.dropLast(3)) }
    if source.hasSuffix("turn") { degrees = Double(source.dropLast(4)).map { $0 * 360 } }
    if let degrees {
      let turned = (degrees - 90).truncatingRemainder(dividingBy: 360)
      angle = NumberFormat().text(turned < 0 ? turned + 360 : turned) + "deg"
    }
    return checker.report(
      diagnostic.advising(
        "write the direction as 'angle'; 0deg points right, and in CSS it points up"
      ).fixing("write angle: \(angle)", replacing: e.span, with: "angle: \(angle)", isSafe: false))
  }

  /// Returns a motion such as `red -> blue` if it is the only stop, and therefore a uniform color;
  /// otherwise, `nil`.
  private func loneMotion(in expressions: [Expression]) -> Expression? {
    guard expressions.count == 1 else { return nil }
    switch expressions[0].kind {
    case .list(let items): return loneMotion(in: items)
    case .tween(let start, _):
      // A motion between lists of colors is an animation of several stops.
      if case .list = start.kind { return nil }
      return expressions[0]
    default: return nil
    }
  }

  private func loneStop(_ e: Expression) -> Reported {
    guard case .tween(let start, let legs) = e.kind else { return checker.reports.expected(e.span) }
    let colors = ([start] + legs.map(\.value)).map { checker.text(at: $0.span) }
    let list = colors.joined(separator: ", ")
    let diagnostic = Diagnostic(
      .wrongArguments, "a gradient must have at least two colors, found one that changes over time",
      at: e.span,
      label: "a single color at any time"
    ).fixing(
      "separate the colors with a comma: \(list)", replacing: e.span, with: list,
      isSafe: legs.allSatisfy(\.clauses.isEmpty))
    return checker.report(diagnostic)
  }
}
