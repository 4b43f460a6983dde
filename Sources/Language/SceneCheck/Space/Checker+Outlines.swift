// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

extension Checker {
  /// Returns the outline of a shape in its own coordinates; `nil` for other elements.
  func outline(of i: ElementNode, now: Scalar) -> OutlineModel? {
    guard i.kind.isShape else { return nil }
    if i.kind.standsByCoordinates { return pathOf(i, now: now).map(OutlineModel.path) }
    guard let box = box(of: i, now: now) else { return nil }
    let half = PointModel(builder.scaled(box.width, 0.5), builder.scaled(box.height, 0.5))
    switch i.kind {
    case .rect: return roundedBox(box, of: i, now: now)
    case .circle, .ellipse: return .ellipse(center: half, rx: half.x, ry: half.y)
    case .star:
      let points = wholeNumber(.points, of: i, in: 2...1000)
      let radius = length(.radius, of: i, now: now)
      let inner =
        i.properties[.innerRadius] == nil
        ? builder.scaled(radius, 0.5) : partLength(.innerRadius, of: i, now: now, whole: radius)
      let star = OutlineModel.star(center: half, points: points, outer: radius, inner: inner)
      if i.properties[.cornerRadius] == nil { return star }
      return rounded(PathModel([.outline(star)]), of: i, now: now).map(OutlineModel.path)
    case .arc: return arcOutline(i, center: half, now: now)
    default: return nil
    }
  }

  /// Returns the outline of a box with the corners of an element.
  func roundedBox(_ box: BoxModel, of i: ElementNode, now: Scalar) -> OutlineModel {
    let radius = length(.cornerRadius, of: i, now: now)
    guard i.properties[.cornerSmoothing] != nil else {
      return .rect(x: box.x, y: box.y, width: box.width, height: box.height, radius: radius)
    }
    return .smoothRect(
      x: box.x, y: box.y, width: box.width, height: box.height, radius: radius,
      smoothing: number(.cornerSmoothing, of: i, now: now))
  }

  /// Returns a length inside a shape. Percentages are relative to the radius of the shape.
  private func partLength(_ property: Property, of i: ElementNode, now: Scalar, whole: Scalar)
    -> Scalar
  {
    guard let (value, span) = value(property, of: i, now: now) else { return .zero }
    return asLength(value, span, of: whole) ?? .zero
  }

  private func arcOutline(_ i: ElementNode, center: PointModel, now: Scalar) -> OutlineModel {
    let radius = length(.radius, of: i, now: now)
    return .arc(
      center: center, radius: radius,
      inner: partLength(.innerRadius, of: i, now: now, whole: radius),
      start: angle(.start, of: i, now: now),
      sweep: angle(.sweep, of: i, now: now), closed: bool(.closed, of: i, now: now))
  }

  /// Returns the path of a line, polyline, polygon or path, or `nil` for other elements and after
  /// errors.
  func pathOf(_ i: ElementNode, now: Scalar) -> PathModel? {
    elaborate(i)
    guard i.kind.standsByCoordinates else { return nil }
    return step(.path(i.id), "the path of '\(i.displayName)'", at: i.span) {
      makePath(of: i, now: now).flatMap { rounded($0, of: i, now: now) }
    } ?? nil
  }

  /// Returns a path with the rounded corners of its element; `nil` after an error.
  private func rounded(_ path: PathModel, of i: ElementNode, now: Scalar) -> PathModel? {
    guard let source = i.properties[.cornerRadius] else { return path }
    let radius = length(.cornerRadius, of: i, now: now)
    return derivedPath(.round(radius: radius), of: [path], at: source.value.span)
  }

  private func makePath(of i: ElementNode, now: Scalar) -> PathModel? {
    switch i.kind {
    case .line: return linePath(i, now: now)
    case .arrow: return arrowPath(i, now: now)
    case .polyline, .polygon: return pointsPath(i, now: now)
    case .path: return segmentsPath(i, now: now)
    default: return nil
    }
  }

  private func asPoint(_ value: Value, _ span: SourceSpan, of i: ElementNode, in c: Context)
    -> PointModel?
  {
    asPoint(
      value, span, in: c, width: pathReference(i, now: c.now).width,
      height: pathReference(i, now: c.now).height)
  }

  private func pointsPath(_ i: ElementNode, now: Scalar) -> PathModel? {
    guard let (value, span) = value(.points, of: i, now: now) else {
      missing(.points, i)
      return nil
    }
    guard case .list(let items) = value else {
      if !value.isPoison {
        mismatch(
          "a list", value, at: span, help: "write a list such as [(0, 0), (100, 50), (200, 0)]")
      }
      return nil
    }
    // The model stores the path.
    memory.cached += items.count * ValueMemory.point
    guard reserve(0, span) else { return nil }
    var segments: [PathModel.Segment] = []
    for item in items {
      guard let point = asPoint(item, span, of: i, in: context(of: i, now: now)) else { return nil }
      segments.append(segments.isEmpty ? .move(point) : .line(point))
    }
    if i.kind == .polygon, !segments.isEmpty { segments.append(.close) }
    return PathModel(segments)
  }

  func missing(_ property: Property, _ i: ElementNode) {
    missing("'\(property.name)'", label: "set '\(property.name)'", of: i)
  }

  // MARK: Segments

  /// The state during the evaluation of path segments.
  private struct Pen {
    var segments: [PathModel.Segment] = []
    var current = PointModel.zero
    var start = PointModel.zero
    /// The control point that `smooth` mirrors.
    var control: PointModel?
    /// The span of the last segment.
    var place: SourceSpan?
  }

  private func segmentsPath(_ i: ElementNode, now: Scalar) -> PathModel? {
    var pen = Pen()
    if let (value, span) = value(.data, of: i, now: now) {
      guard let path = pathValue(value, span) else { return nil }
      if i.segments.isEmpty { return path }
      pen.segments = path.segments
    }
    guard i.segments.count <= options.limits.path else {
      report(
        Diagnostic(
          .limitExceeded, "a path has \(i.segments.count) segments, more than the limit",
          at: i.span,
          label: "the limit 'path' is \(options.limits.path)"))
      return nil
    }
    for (segment, scope) in i.segments {
      let c = context(of: i, now: now).with {
        $0.scope = scope
        $0.standsInParent = true
      }
      guard add(segment, to: &pen, of: i, in: c) else { return nil }
      pen.place = segment.word.span
    }
    if pen.segments.isEmpty {
      // An unknown property may be a misspelling of a segment.
      if !i.unknownProperties.isEmpty { return nil }
      report(
        Diagnostic(
          .missingProperty, "the path has no segments", at: i.span,
          label: "add segments, such as 'move p', 'line p' or 'curve c1, c2, p'"))
      return nil
    }
    return PathModel(pen.segments)
  }

  private func add(_ segment: SegmentSyntax, to pen: inout Pen, of i: ElementNode, in c: Context)
    -> Bool
  {
    let word = segment.word.text
    if word == "close" {
      pen.segments.append(.close)
      pen.current = pen.start
      pen.control = nil
      return true
    }
    if pen.segments.isEmpty, word != "move" {
      report(
        Diagnostic(
          .invalidPathData, "a path must begin with 'move', not '\(word)'", at: segment.word.span,
          label: "add the start point first: 'move (x, y)'"))
      return false
    }
    var points: [PointModel] = []
    let positional = segment.arguments.filter { $0.name == nil }
    for (index, argument) in positional.enumerated() {
      let value = releasing { evaluate(argument.value, c) }
      for value in word == "through" ? asList(value) : [value] {
        guard var p = asPoint(value, argument.value.span, of: i, in: c) else { return false }
        let isRadii = word == "arc" && index == 0
        if segment.isRelative, !isRadii {
          p = PointModel(builder.add(pen.current.x, p.x), builder.add(pen.current.y, p.y))
        }
        points.append(p)
      }
    }
    if points.isEmpty { return word == "through" }
    return append(word, points: points, for: segment, to: &pen, in: c)
  }

  private func append(
    _ word: String, points: [PointModel], for segment: SegmentSyntax, to pen: inout Pen,
    in c: Context
  ) -> Bool {
    var control: PointModel?
    switch (word, points.count) {
    case ("move", 1):
      pen.segments.append(.move(points[0]))
      pen.start = points[0]
    case ("line", 1): pen.segments.append(.line(points[0]))
    case ("curve", 3):
      pen.segments.append(.cubic(points[0], points[1], points[2]))
      control = points[1]
    case ("smooth", 2):
      pen.segments.append(.cubic(mirrored(pen), points[0], points[1]))
      control = points[0]
    case ("quad", 2): pen.segments.append(.quad(points[0], points[1]))
    case ("through", 1...):
      // The rounds of a loop form one spline.
      if pen.place == segment.word.span, case .through? = pen.segments.last,
        case .through(var whole) = pen.segments.removeLast()
      {
        // Only `whole` refers to the points, so they are not copied.
        whole += points
        pen.segments.append(.through(whole))
      } else {
        pen.segments.append(.through(points))
      }
    case ("arc", 2):
      guard let arc = arcSegment(points, for: segment, in: c) else { return false }
      pen.segments.append(arc)
    default: return false
    }
    pen.current = points[points.count - 1]
    pen.control = control
    return true
  }

  private func mirrored(_ pen: Pen) -> PointModel {
    guard let control = pen.control else { return pen.current }
    return PointModel(
      builder.subtract(builder.scaled(pen.current.x, 2), control.x),
      builder.subtract(builder.scaled(pen.current.y, 2), control.y))
  }

  private func arcSegment(_ points: [PointModel], for segment: SegmentSyntax, in c: Context)
    -> PathModel.Segment?
  {
    var rotation = Scalar.zero
    var large = Scalar.zero
    var sweep = Scalar.one
    for argument in segment.arguments {
      guard let name = argument.name else { continue }
      let value = releasing { evaluate(argument.value, c) }
      switch name.text {
      case "rotation":
        guard let angle = asAngle(value, argument.value.span) else { return nil }
        rotation = angle
      case "large", "sweep":
        guard let truth = asBool(value, argument.value.span) else { return nil }
        if name.text == "large" { large = truth } else { sweep = truth }
      default:
        report(
          Diagnostic(.wrongArguments, "unknown argument '\(name.text)' of 'arc'", at: name.span)
            .suggesting(nearestTo: name.text, in: ["rotation", "large", "sweep"]))
        return nil
      }
    }
    return .arc(
      radii: points[0], rotation: rotation, large: large, sweep: sweep, to: points[1])
  }
}
