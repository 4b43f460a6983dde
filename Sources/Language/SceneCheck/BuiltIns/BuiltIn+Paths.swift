// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneText
import SceneTypes

extension BuiltIn {
  static let paths: [BuiltIn] = [
    BuiltIn(
      "path", taking: .value("data", .text), gives: .path, reads: .nothing,
      cost: .counted, summary: "Returns a path from SVG path data."
    ) {
      it, data throws(Reported) in .path(try it.need(it.checker.pathValue(data.value, data.span)))
    },
    BuiltIn(
      "point-at", taking: .value("path", .path), .number("share"), gives: .pair, reads: .nothing,
      cost: .counted, summary: "Returns the point at a fraction of the length of a path."
    ) { it, path, share throws(Reported) in
      let base = try it.measured(path)
      return .pair(
        it.builder.make(.pathPoint, a: share, index: base),
        it.builder.make(.pathPoint, a: share, index: base + 1))
    },
    BuiltIn(
      "angle-at", taking: .value("path", .path), .number("share"), gives: .angle, reads: .nothing,
      cost: .counted, summary: "Returns the direction at a fraction of the length of a path."
    ) { it, path, share throws(Reported) in
      .quantity(it.builder.make(.pathPoint, a: share, index: try it.measured(path) + 2), .angle)
    },
    BuiltIn(
      "length-of", taking: .value("path", .path, pathUse: .own), gives: .number, reads: .nothing,
      cost: .counted, summary: "Returns the length of a path."
    ) {
      it, path throws(Reported) in
      let own = try it.need(it.checker.asPath(path.value, path.span))
      let index = try it.need(it.checker.measured(own, path.span))
      return .number(it.builder.make(.pathPoint, index: index * 4 + 3))
    },
    BuiltIn(
      "distance", taking: .point("a"), .point("b"), gives: .number,
      cost: .constant, summary: "Returns the distance between two points, in pixels."
    ) { it, a, b in
      let x = it.builder.subtract(b.x, a.x)
      let y = it.builder.subtract(b.y, a.y)
      let square = it.builder.add(it.builder.multiply(x, x), it.builder.multiply(y, y))
      return .number(it.builder.make(.squareRoot, a: square))
    },
  ]
}

extension Site {
  /// Registers a path for measurement, and returns the index of its first measurement. The path of
  /// an element is transformed to its position.
  fileprivate func measured(_ path: Given) throws(Reported) -> Int32 {
    let placed = try need(checker.asPlacedPath(path.value, path.span, in: context))
    return try need(checker.measured(placed, path.span)) * 4
  }
}

extension Checker {
  /// Registers a path for measuring and returns its index; `nil` if it exceeds a limit.
  fileprivate func measured(_ path: PathModel, _ span: SourceSpan) -> Int32? {
    guard isAffordable(path, span) else { return nil }
    let count = builder.program.paths.count
    let index = builder.register(path)
    let isNew = builder.program.paths.count > count
    let size = isNew ? path.size(atMost: options.limits.path) : 0
    let steps = Checker.stepsOfPlace + size * Checker.stepsOfMeasure
    return spend(steps, span) ? index : nil
  }

  /// Returns the path of a value: a path, the outline of an element, or parsed constant SVG path
  /// data; `nil` after an error.
  func pathValue(_ value: Value, _ span: SourceSpan) -> PathModel? {
    if case .path(let path) = value { return path }
    if case .element = value { return asPath(value, span) }
    guard let data = asConstantText(value, span) else { return nil }
    do {
      let path = try SVGPathData.parse(data)
      guard path.elements.count <= options.limits.path else {
        report(
          .limitExceeded, "a path has \(path.elements.count) points, more than the limit", at: span,
          label: "the limit 'path' is \(options.limits.path)")
        return nil
      }
      guard reservePath(path.elements.count, span) else { return nil }
      return PathModel([.fixed(path)])
    } catch {
      // In a literal, the span of the erroneous byte is known: its offset after the opening quote.
      let start = span.start + 1 + error.offset
      let exact =
        span.end - span.start == data.utf8.count + 2
        ? SourceSpan(file: span.file, start: start, end: min(start + 1, span.end)) : span
      report(
        .invalidPathData, "invalid path data: \(error.message)", at: exact,
        label: "at byte offset \(error.offset)")
      return nil
    }
  }
}
