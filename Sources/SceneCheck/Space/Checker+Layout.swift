// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// Where a row, column or grid puts its children.
struct LayoutModel {
  /// With the padding.
  var width: Scalar
  var height: Scalar
  /// The top left of each child's box by its id, in the coordinates of the children.
  var places: [Int: PointModel] = [:]
}

// `row`, `column`, `grid`, boxes that fit what they hold, and `camera`.
extension Checker {
  /// The children that take part in the layout of a container: those without a place of their own.
  func laidOut(in i: Instance) -> [Instance] {
    elaborate(i)
    return i.children.filter { child in
      guard child.kind.isDrawn else { return false }
      elaborate(child)
      return child.properties[.position] == nil
        && (!child.kind.standsByCoordinates || child.kind == .path || child.kind == .polygon
          || child.kind == .polyline)
    }
  }

  func layout(of i: Instance, _ now: Scalar) -> LayoutModel? {
    if let known = i.layouts[now] { return known }
    let children = laidOut(in: i)
    var boxes: [BoxModel] = []
    for child in children {
      guard let box = box(of: child, now: now) else { return nil }
      boxes.append(box)
    }
    let layout = grid(of: i, children, boxes, now)
    i.layouts[now] = layout
    return layout
  }

  /// A row is a grid of one line, a column one of one cell a line.
  private func grid(_ count: Int, _ i: Instance) -> Int {
    switch i.kind {
    case .row: return max(1, count)
    case .column: return 1
    default:
      let square = Double(count).squareRoot().rounded(.up)
      return wholeNumber(.columns, of: i, in: 1...10_000, or: max(1, Int(square)))
    }
  }

  private func grid(of i: Instance, _ children: [Instance], _ boxes: [BoxModel], _ now: Scalar)
    -> LayoutModel
  {
    let columns = grid(children.count, i)
    let rows = (children.count + columns - 1) / columns
    let gap = lengths(.gap, of: i, now)
    let padding = lengths(.padding, of: i, now)
    func greatest(_ list: [Scalar]) -> Scalar {
      guard let first = list.first else { return .zero }
      return list.dropFirst().reduce(first) { builder.make(.maximum, $0, $1) }
    }
    let widths = (0..<min(columns, children.count)).map { column in
      greatest(stride(from: column, to: boxes.count, by: columns).map { boxes[$0].width })
    }
    let heights = (0..<rows).map { row in
      greatest(boxes[(row * columns)..<min(boxes.count, (row + 1) * columns)].map(\.height))
    }
    func sums(_ sizes: [Scalar], _ gap: Scalar) -> (starts: [Scalar], whole: Scalar) {
      var at = Scalar.zero
      var starts: [Scalar] = []
      for (index, size) in sizes.enumerated() {
        if index > 0 { at = builder.add(at, gap) }
        starts.append(at)
        at = builder.add(at, size)
      }
      return (starts, at)
    }
    let (lefts, contentWidth) = sums(widths, gap.x)
    let (tops, contentHeight) = sums(heights, gap.y)
    var layout = LayoutModel(
      width: builder.add(contentWidth, builder.scaled(padding.x, 2)),
      height: builder.add(contentHeight, builder.scaled(padding.y, 2)))
    // With a size of its own, what it holds is in the middle.
    var originX = padding.x
    var originY = padding.y
    func middle(_ side: BoxSide, _ content: Scalar, _ whole: Scalar, _ origin: Scalar) -> Scalar {
      if let own = ownLength(of: side, i, now) {
        return builder.scaled(builder.subtract(own, content), 0.5)
      }
      guard i.properties[side.least] != nil || i.properties[side.greatest] != nil else {
        return origin
      }
      return builder.scaled(builder.subtract(limited(whole, side, of: i, now), content), 0.5)
    }
    originX = middle(.width, contentWidth, layout.width, originX)
    originY = middle(.height, contentHeight, layout.height, originY)
    let share = alignment(of: i)
    for (index, (child, box)) in zip(children, boxes).enumerated() {
      let (column, row) = (index % columns, index / columns)
      let restX = builder.subtract(widths[column], box.width)
      let restY = builder.subtract(heights[row], box.height)
      layout.places[child.id] = PointModel(
        builder.add(
          builder.add(originX, lefts[column]), builder.multiply(restX, .constant(share.x))),
        builder.add(
          builder.add(originY, tops[row]), builder.multiply(restY, .constant(share.y))))
    }
    return layout
  }

  /// One length for both directions, or a pair.
  func lengths(_ property: Property, of i: Instance, _ now: Scalar) -> PointModel {
    guard let (value, span) = self.value(property, of: i, now: now) else { return .zero }
    let side = { self.smallerSide(i, now) }
    if case .pair(let x, let y) = value {
      return PointModel(
        asLength(x, span, of: side()) ?? .zero, asLength(y, span, of: side()) ?? .zero)
    }
    let both = asLength(value, span, of: side()) ?? .zero
    return PointModel(both, both)
  }

  private func alignment(of i: Instance) -> Point {
    let words: [String: Point] = [
      "left": Point(0, 0.5), "center": Point(0.5, 0.5), "right": Point(1, 0.5),
      "top": Point(0.5, 0), "bottom": Point(0.5, 1), "stretch": Point(0.5, 0.5),
    ]
    guard let (value, span) = self.value(.align, of: i, now: now) else { return Point(0.5, 0.5) }
    let known = i.kind.alignments.map(\.rawValue)
    return asWord(value, span, known).flatMap { words[$0] } ?? Point(0.5, 0.5)
  }

  // MARK: Boxes that fit

  /// Whether the box of a group is that of what it holds: with `size: fit`, and by itself in a row,
  /// column or grid.
  func fits(_ i: Instance) -> Bool {
    if i.copy != nil, let parent = i.parent { return fits(parent) }
    guard i.kind.isGroup, i.shown == nil else { return false }
    if let (value, _) = value(.size, of: i, now: now) {
      if case .word("fit") = value { return true }
      return false
    }
    guard i.parent?.kind.isLayout == true else { return false }
    return growingSide(of: i) == nil && stretchedSide(of: i) == nil
  }

  /// Around the boxes of all children where they stand, in their coordinates.
  func fittedBox(of i: Instance, _ now: Scalar) -> BoxModel? {
    elaborate(i)
    var edges: (left: Scalar, top: Scalar, right: Scalar, bottom: Scalar)?
    for child in i.children where child.kind.isDrawn {
      guard let box = box(of: child, now: now), let shift = standing(of: child, now) else {
        return nil
      }
      let left = builder.add(box.x, shift.x)
      let top = builder.add(box.y, shift.y)
      let right = builder.add(left, box.width)
      let bottom = builder.add(top, box.height)
      guard let known = edges else {
        edges = (left, top, right, bottom)
        continue
      }
      edges = (
        builder.make(.minimum, known.left, left), builder.make(.minimum, known.top, top),
        builder.make(.maximum, known.right, right), builder.make(.maximum, known.bottom, bottom)
      )
    }
    guard let it = edges else { return BoxModel(x: .zero, y: .zero, width: .zero, height: .zero) }
    return BoxModel(
      x: it.left, y: it.top, width: builder.subtract(it.right, it.left),
      height: builder.subtract(it.bottom, it.top))
  }

  // MARK: Content

  /// The map from the coordinates of an element's children to its own.
  func contentMap(of i: Instance, now: Scalar) -> AffineModel? {
    if i.kind == .camera {
      return step(.view(i.id), "the view of '\(i.displayName)'", i.span) { cameraMap(of: i, now) }
        ?? nil
    }
    // A box that fits is made in the coordinates of the children.
    if fits(i) { return .identity }
    return box(of: i, now: now).map { .translation(PointModel($0.x, $0.y)) }
  }

  /// What the camera looks at comes to stand in the middle of its box.
  private func cameraMap(of i: Instance, _ now: Scalar) -> AffineModel? {
    guard let box = box(of: i, now: now) else { return nil }
    let middle = PointModel(
      builder.add(box.x, builder.scaled(box.width, 0.5)),
      builder.add(box.y, builder.scaled(box.height, 0.5)))
    var target = middle
    if let (value, span) = value(.lookAt, of: i, now: now) {
      let c = context(of: i, now: now).with { ($0.space, $0.view) = (i, i) }
      guard let point = asPoint(value, span, c, width: box.width, height: box.height) else {
        return nil
      }
      target = point
    }
    var view = AffineModel.identity
    if let (value, span) = value(.rotate, of: i, now: now), let angle = asAngle(value, span) {
      let cos = builder.make(.cosine, angle)
      let sin = builder.make(.sine, angle)
      // The picture turns against the camera.
      view = AffineModel(cos, builder.make(.negate, sin), sin, cos, .zero, .zero)
    }
    let zoom = number(.zoom, of: i, now: now)
    if let known = zoom.constantValue, known <= 0, let (_, span) = value(.zoom, of: i, now: now) {
      _ = fault(
        .outOfRange, "the zoom is \(NumberFormat().text(known))", at: span,
        label: "it must be above 0")
    }
    let scale = AffineModel(zoom, .zero, .zero, zoom, .zero, .zero)
    let back = PointModel(builder.make(.negate, target.x), builder.make(.negate, target.y))
    return builder.concat(
      builder.concat(builder.concat(.translation(middle), scale), view), .translation(back))
  }
}
