// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// Lines between points or elements, and elements as paths.
extension Checker {
  /// Returns the path of an arrow. Between elements, it connects their outlines. Returns `nil`
  /// after an error.
  func arrowPath(_ i: ElementNode, now: Scalar) -> PathModel? {
    var ends: [LinkModel.End] = []
    for property in [Property.from, .to] {
      guard let (value, span) = value(property, of: i, now: now) else {
        missing(property, i)
        return nil
      }
      guard let end = linkEnd(value, at: span, of: i, now: now) else { return nil }
      ends.append(end)
    }
    let gap = length(.gap, of: i, now: now)
    let route: Link.Route = word(.route, of: i)
    return PathModel([.link(LinkModel(from: ends[0], to: ends[1], gap: gap, route: route))])
  }

  private func linkEnd(_ value: Value, at span: SourceSpan, of i: ElementNode, now: Scalar)
    -> LinkModel.End?
  {
    let c = context(of: i, now: now)
    if case .element(let other) = value {
      guard let center = namedPoint("center", of: other, in: c, at: span),
        let path = outlinePath(of: other, in: c, at: span)
      else { return nil }
      return .outline(path, center: center)
    }
    return asPoint(
      value, span, in: c, width: pathReference(i, now: now).width,
      height: pathReference(i, now: now).height
    ).map(LinkModel.End.point)
  }

  /// Returns the path of an arrow or a line from `from` to `to`; `nil` after an error.
  func linePath(_ i: ElementNode, now: Scalar) -> PathModel? {
    guard let path = arrowPath(i, now: now) else { return nil }
    // A line between two points uses plain segments, so that it can be blended with other paths.
    guard case .link(let link) = path.segments[0], case .point(let p) = link.from,
      case .point(let q) = link.to
    else { return path }
    return PathModel([.move(p), .line(q)])
  }

  func arrowDrawing(_ i: ElementNode) -> ElementModel.Drawing {
    guard let path = pathOf(i, now: now) else { return .nothing }
    let ink = i.properties[.stroke] == nil ? self.ink(for: i, now: now) : nil
    guard let stroke = stroke(of: i, now: now, box: box(of: i, now: now), fallback: ink) else {
      return .nothing
    }
    let arrow = ArrowModel(
      head: word(.head, of: i), tail: word(.tail, of: i))
    return .arrow(path, stroke, arrow, trim: trim(of: i, isLine: true))
  }

  // MARK: Elements as paths

  /// Returns the outline of an element at its position, in the coordinates of the context; `nil`
  /// after an error.
  func outlinePath(of i: ElementNode, in c: Context, at span: SourceSpan) -> PathModel? {
    let own: PathModel
    if i.kind.standsByCoordinates, i.kind != .part, i.kind != .particles {
      guard let path = pathOf(i, now: c.now) else { return nil }
      own = path
    } else {
      guard let outline = ownOutline(of: i, now: c.now) else { return nil }
      own = PathModel([.outline(outline)])
    }
    return placedPath(own, of: i, in: c)
  }

  /// Converts a path from the coordinates of an element to those of the context; returns `nil`
  /// after an error.
  func placedPath(_ own: PathModel, of i: ElementNode, in c: Context) -> PathModel? {
    if crossesSpace(from: i, in: c) {
      return quad(of: i, in: c).map { PathModel([.projected($0, own)]) }
    }
    guard let map = map(from: i, to: c) else { return nil }
    return map == .identity ? own : PathModel([.mapped(map, own)])
  }

  /// Returns the path of a shape, path or text in its own coordinates, or `nil` for other elements.
  func ownPath(of i: ElementNode, now: Scalar) -> PathModel? {
    elaborate(i)
    if i.kind == .text { return textModel(of: i, now: now).map { glyphs(of: i, $0, now: now) } }
    if isVectorPart(i) { return vectorPath(of: i, now: now) }
    if i.kind == .math || i.kind == .part { return formulaPath(of: i, now: now) }
    if i.kind.standsByCoordinates { return pathOf(i, now: now) }
    return outline(of: i, now: now).map { PathModel([.outline($0)]) }
  }

  /// Returns the map from the coordinates of an element to those of the context; `nil` after an
  /// error.
  private func map(from i: ElementNode, to c: Context) -> AffineModel? {
    func place(_ x: Scalar, _ y: Scalar) -> PointModel? {
      transport(PointModel(x, y), from: i, in: c)
    }
    guard let o = place(.zero, .zero), let p = place(.one, .zero), let q = place(.zero, .one) else {
      return nil
    }
    return AffineModel(
      a: builder.subtract(p.x, o.x), b: builder.subtract(p.y, o.y), c: builder.subtract(q.x, o.x),
      d: builder.subtract(q.y, o.y), e: o.x, f: o.y)
  }
}
