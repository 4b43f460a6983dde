// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

extension BuiltIn {
  /// Constructors of paths, and operations on paths.
  static let outlines: [BuiltIn] = [
    combination("union", .union, summary: "Returns the union of several paths."),
    combination("intersect", .intersect, summary: "Returns the intersection of several paths."),
    combination(
      "subtract", .subtract, summary: "Returns the first path without the area of the others."),
    combination(
      "exclude", .exclude, summary: "Returns the area covered by an odd number of the paths."),
    BuiltIn(
      "offset", taking: .value("path", .path), .number("distance"),
      .optional(.value("join", .word, words: Set(OffsetJoin.allCases.map(\.rawValue)))),
      gives: .path,
      cost: .counted,
      summary:
        "Returns a path whose outline is moved outward by a distance, or inward if the distance is negative."
    ) { it, path, distance, join throws(Reported) in
      var corners = OffsetJoin.round
      if let join {
        guard case .word(let word) = join.value, let known = OffsetJoin(rawValue: word) else {
          it.checker.mismatch("round or miter", join.value, at: join.span)
          throw it.checker.reports.expected(join.span)
        }
        corners = known
      }
      return .path(
        try it.derived(.offset(by: distance, corners), [try it.placed(path.value, path.span)]))
    },
    BuiltIn(
      "circle", taking: .point("center"), .number("radius"), gives: .path,
      cost: .constant, summary: "Returns the path of a circle."
    ) { _, center, radius in
      .path(PathModel([.outline(.ellipse(center: center, rx: radius, ry: radius))]))
    },
    BuiltIn(
      "ellipse", taking: .point("center"), .point("radius"), gives: .path,
      cost: .constant, summary: "Returns the path of an ellipse."
    ) { _, center, radius in
      .path(PathModel([.outline(.ellipse(center: center, rx: radius.x, ry: radius.y))]))
    },
    BuiltIn(
      "rect", taking: .point("corner"), .point("size"),
      .optional(.number("corner-radius"), or: .zero),
      gives: .path, cost: .constant,
      summary: "Returns the path of a rectangle, from its top left corner."
    ) { _, corner, size, radius in
      .path(
        PathModel([
          .outline(.rect(x: corner.x, y: corner.y, width: size.x, height: size.y, radius: radius))
        ]))
    },
    BuiltIn(
      "polygon", taking: .list("points"), gives: .path,
      cost: .linear, summary: "Returns the closed path of straight lines through a list of points."
    ) { it, points throws(Reported) in
      let (width, height) = it.size
      var segments: [PathModel.Segment] = []
      for point in points {
        let place = try it.need(
          it.checker.asPoint(point, it.call.span, in: it.context, width: width, height: height))
        segments.append(segments.isEmpty ? .move(place) : .line(place))
      }
      if !segments.isEmpty { segments.append(.close) }
      return .path(PathModel(segments))
    },
  ]

  private static func combination(_ name: String, _ operation: PathOperation, summary: String)
    -> BuiltIn
  {
    BuiltIn(name, taking: .many("paths", .path), gives: .path, cost: .counted, summary: summary) {
      it, arguments throws(Reported) in
      var paths: [PathModel] = []
      for argument in arguments {
        let value = try it.evaluate(argument, pathUse: .placed)
        if case .list(let items) = value {
          for item in items { paths.append(try it.placed(item, argument.span)) }
        } else {
          paths.append(try it.placed(value, argument.span))
        }
      }
      return .path(try it.derived(.combine(operation), paths))
    }
  }
}

extension Site {
  /// The reference size for percentages of points: the element's own box for its clip, otherwise
  /// the box of its parent.
  var size: (Scalar, Scalar) {
    if context.space === context.owner, let box = checker.box(of: context.owner, now: context.now) {
      return (box.width, box.height)
    }
    return checker.parentSize(context.owner, now: context.now)
  }

  /// Returns a path. The path of an element is transformed to its position.
  fileprivate func placed(_ value: Value, _ span: SourceSpan) throws(Reported) -> PathModel {
    if case .text = value { return try need(checker.pathValue(value, span)) }
    return try need(checker.asPlacedPath(value, span, in: context))
  }

  fileprivate func derived(_ operation: DerivedPath.Operation, _ paths: [PathModel])
    throws(Reported) -> PathModel
  {
    try need(checker.derivedPath(operation, of: paths, at: call.span))
  }
}

extension Checker {
  private static let stepsOfDerived = 4
  /// The steps per point of a path that is derived at each frame.
  private static let stepsOfMovingDerived = 10
  /// The maximum depth of nested path operations.
  private static let greatestDerivation = 64

  /// Returns the result of a path operation. Constant results are computed immediately. Returns
  /// `nil` after an error.
  func derivedPath(
    _ operation: DerivedPath.Operation, of paths: [PathModel], at span: SourceSpan
  ) -> PathModel? {
    var paths = paths
    // Nested combinations with the same operation are flattened into one.
    if let segment = paths.first?.segments.first, paths[0].segments.count == 1,
      case .derived(let first) = segment, case .combine = operation, first.operation == operation
    {
      paths = first.paths + paths.dropFirst()
    }
    if paths.isEmpty { return PathModel([]) }
    let model = PathModel([.derived(DerivedPath(operation, paths))])
    guard isAffordable(model, span) else { return nil }
    guard model.depth <= Checker.greatestDerivation else {
      exceeded(
        "depth",
        "paths are derived from each other more than \(Checker.greatestDerivation) levels deep",
        at: span, raisedTo: nil)
      return nil
    }
    let isFixed = model.isConstant
    let steps = isFixed ? Checker.stepsOfDerived : Checker.stepsOfMovingDerived
    guard spend(model.size(atMost: options.limits.path) * steps, span) else { return nil }
    if !isFixed { return model }
    guard let path = Evaluator(Program(), metrics: metrics).made(DerivedPath(operation, paths))
    else {
      _ = report(
        .limitExceeded, "the lines of the paths may cross more than 1,000,000 times", at: span)
      return nil
    }
    guard reservePath(path.elements.count, span) else { return nil }
    return PathModel([.fixed(path)])
  }
}
