// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// The layout of a row, column or grid.
struct LayoutModel {
  /// The size including padding.
  var width: Scalar
  var height: Scalar
  /// The top left corner of each child's box by id, in the coordinates of the children.
  var places: [Int: PointModel] = [:]
}

/// The space between the box of a layout and its content.
struct Insets {
  let starts: PointModel
  let ends: PointModel
  let sums: PointModel

  func start(_ side: BoxSide) -> Scalar { side.of(starts) }
  func sum(_ side: BoxSide) -> Scalar { side.of(sums) }
}

// `row`, `column`, `grid`, boxes that fit their content, and `camera`.
extension Checker {
  /// Returns the children that a container lays out: those without their own position.
  func laidOut(in i: ElementNode) -> [ElementNode] {
    elaborate(i)
    return i.children.filter { child in
      guard child.kind.isDrawn else { return false }
      elaborate(child)
      return child.properties[.position] == nil && !followsPath(child)
        && (!child.kind.standsByCoordinates || child.kind == .path || child.kind == .polygon
          || child.kind == .polyline)
    }
  }

  func layout(of i: ElementNode, now: Scalar) -> LayoutModel? {
    if let known = i.layouts[now] { return known }
    let children = laidOut(in: i)
    var boxes: [BoxModel] = []
    for child in children {
      guard let box = box(of: child, now: now) else { return nil }
      boxes.append(box)
    }
    let layout =
      i.kind == .grid
      ? grid(of: i, children: children, boxes: boxes, now: now)
      : lines(of: i, children: children, boxes: boxes, now: now)
    i.layouts[now] = layout
    return layout
  }

  private func columns(_ count: Int, of i: ElementNode) -> Int {
    let square = Double(count).squareRoot().rounded(.up)
    return wholeNumber(.columns, of: i, in: 1...10_000, or: max(1, Int(square)))
  }

  private func grid(of i: ElementNode, children: [ElementNode], boxes: [BoxModel], now: Scalar)
    -> LayoutModel
  {
    let columns = columns(children.count, of: i)
    let rows = (children.count + columns - 1) / columns
    let gap = lengths(.gap, of: i, now: now)
    let insets = insets(of: i, now: now)
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
      width: builder.add(contentWidth, insets.sum(.width)),
      height: builder.add(contentHeight, insets.sum(.height)))
    let share = shares(of: i)
    func origin(_ side: BoxSide, content: Scalar, share: Double) -> Scalar {
      guard let room = room(side, content: content, insets: insets, of: i, now: now) else {
        return insets.start(side)
      }
      let free = builder.make(.maximum, a: .zero, b: builder.subtract(room, content))
      return builder.add(insets.start(side), builder.scaled(free, share))
    }
    let originX = origin(.width, content: contentWidth, share: share.x)
    let originY = origin(.height, content: contentHeight, share: share.y)
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

  /// Returns the fractions of a cell's free space to the left of the element and above it.
  private func shares(of i: ElementNode) -> Point {
    switch alignment(of: i) {
    case .left: Point(0, 0.5)
    case .right: Point(1, 0.5)
    case .top: Point(0.5, 0)
    case .bottom: Point(0.5, 1)
    default: Point(0.5, 0.5)
    }
  }

  func greatest(_ list: [Scalar]) -> Scalar {
    guard let first = list.first else { return .zero }
    return list.dropFirst().reduce(first) { builder.make(.maximum, a: $0, b: $1) }
  }

  /// Returns `align` of a layout, or `nil` if it is not set.
  func alignment(of i: ElementNode) -> Alignment? {
    guard let (value, span) = value(.align, of: i, now: now) else { return nil }
    return asWord(value, span, from: i.kind.alignments.map(\.rawValue)).flatMap(Alignment.init)
  }

  // MARK: Available space

  /// Returns the padding of a layout.
  func insets(of i: ElementNode, now: Scalar) -> Insets {
    let both = lengths(.padding, of: i, now: now)
    func side(_ property: Property, _ given: Scalar) -> Scalar {
      i.properties[property] == nil ? given : length(property, of: i, now: now)
    }
    let starts = PointModel(side(.paddingLeft, both.x), side(.paddingTop, both.y))
    let ends = PointModel(side(.paddingRight, both.x), side(.paddingBottom, both.y))
    return Insets(
      starts: starts, ends: ends,
      sums: PointModel(builder.add(starts.x, ends.x), builder.add(starts.y, ends.y)))
  }

  /// Returns the length of a layout's box without its padding, or `nil` if it depends on the
  /// content.
  func room(_ side: BoxSide, content: Scalar, insets: Insets, of i: ElementNode, now: Scalar)
    -> Scalar?
  {
    let padding = insets.sum(side)
    if let own = ownLength(along: side, of: i, now: now) { return builder.subtract(own, padding) }
    guard i.properties[side.least] != nil || i.properties[side.greatest] != nil else { return nil }
    return builder.subtract(
      limited(builder.add(content, padding), along: side, of: i, now: now), padding)
  }

  /// Returns the lengths of both axes, from one length or a pair.
  func lengths(_ property: Property, of i: ElementNode, now: Scalar) -> PointModel {
    guard let (value, span) = self.value(property, of: i, now: now) else { return .zero }
    let side = { self.smallerSide(i, now: now) }
    switch opened(value) {
    case .pair(let x, let y):
      return PointModel(
        asLength(x, span, of: side()) ?? .zero, asLength(y, span, of: side()) ?? .zero)
    case .list:
      mismatch("a length or a pair", value, at: span)
      return .zero
    default: break
    }
    let both = asLength(value, span, of: side()) ?? .zero
    return PointModel(both, both)
  }

  // MARK: Fitting boxes

  /// Returns whether the box of a group fits its content: with `size: fit`, and by default in a
  /// row, column or grid.
  func fits(_ i: ElementNode) -> Bool {
    if i.copy != nil, let parent = i.parent { return fits(parent) }
    guard i.kind.isGroup, i.shown == nil else { return false }
    if let (value, _) = value(.size, of: i, now: now) {
      if case .word("fit") = value { return true }
      return false
    }
    guard i.parent?.kind.isLayout == true else { return false }
    return growingSide(of: i) == nil && stretchedSide(of: i) == nil
  }

  private struct Edges {
    let left: Scalar
    let top: Scalar
    let right: Scalar
    let bottom: Scalar
  }

  /// Returns the union of the children's boxes at their positions, in the coordinates of the
  /// children; `nil` after an error.
  func fittedBox(of i: ElementNode, now: Scalar) -> BoxModel? {
    elaborate(i)
    var edges: Edges?
    for child in i.children where child.kind.isDrawn {
      guard let box = box(of: child, now: now), let shift = standing(of: child, now: now) else {
        return nil
      }
      let left = builder.add(box.x, shift.x)
      let top = builder.add(box.y, shift.y)
      let right = builder.add(left, box.width)
      let bottom = builder.add(top, box.height)
      guard let known = edges else {
        edges = Edges(left: left, top: top, right: right, bottom: bottom)
        continue
      }
      edges = Edges(
        left: builder.make(.minimum, a: known.left, b: left),
        top: builder.make(.minimum, a: known.top, b: top),
        right: builder.make(.maximum, a: known.right, b: right),
        bottom: builder.make(.maximum, a: known.bottom, b: bottom))
    }
    guard let it = edges else { return BoxModel(x: .zero, y: .zero, width: .zero, height: .zero) }
    return BoxModel(
      x: it.left, y: it.top, width: builder.subtract(it.right, it.left),
      height: builder.subtract(it.bottom, it.top))
  }

  // MARK: Content

  /// Returns the map from the coordinates of an element's children to its own; `nil` after an
  /// error.
  func contentMap(of i: ElementNode, now: Scalar) -> AffineModel? {
    if i.kind == .camera {
      return step(.view(i.id), "the view of '\(i.displayName)'", at: i.span) {
        cameraMap(of: i, now: now)
      }
        ?? nil
    }
    // A fitting box is in the coordinates of the children.
    if fits(i) || i.kind == .span { return .identity }
    return box(of: i, now: now).map { .translation(PointModel($0.x, $0.y)) }
  }

  /// Returns the point that a camera looks at, in the coordinates of its children. Only an element
  /// inside the camera has a depth; other targets are in the plane z = 0. Returns `nil` after an
  /// error.
  func cameraTarget(of i: ElementNode, now: Scalar) -> CameraModel? {
    guard let box = box(of: i, now: now) else { return nil }
    guard let (value, span) = value(.lookAt, of: i, now: now) else {
      return CameraModel(
        target: PointModel(
          builder.add(box.x, builder.scaled(box.width, 0.5)),
          builder.add(box.y, builder.scaled(box.height, 0.5))))
    }
    if case .element(let other) = value, let target = target(other, of: i, now: now) {
      return target
    }
    let c = context(of: i, now: now).with { ($0.space, $0.view) = (i, i) }
    return asPoint(value, span, in: c, width: box.width, height: box.height)
      .map { CameraModel(target: $0) }
  }

  /// Returns the zoom of a camera. A variable zoom is clamped, since a negative one would mirror
  /// the contents.
  func zoom(of i: ElementNode, now: Scalar) -> Scalar {
    let zoom = number(.zoom, of: i, now: now)
    if let (_, span) = value(.zoom, of: i, now: now) {
      check(
        [zoom], "the zoom", in: .above(0), at: span,
        help: "write a factor, such as 2 to enlarge and 0.5 to reduce")
    }
    return builder.make(.maximum, a: .constant(Checker.leastZoom), b: zoom)
  }

  private static let leastZoom = 0.001

  /// Returns the map that moves the target of a camera to the center of its box; `nil` after an
  /// error.
  private func cameraMap(of i: ElementNode, now: Scalar) -> AffineModel? {
    guard let box = box(of: i, now: now) else { return nil }
    let middle = PointModel(
      builder.add(box.x, builder.scaled(box.width, 0.5)),
      builder.add(box.y, builder.scaled(box.height, 0.5)))
    guard let target = cameraTarget(of: i, now: now)?.target else { return nil }
    var view = AffineModel.identity
    if let (value, span) = value(.rotate, of: i, now: now), let angle = asAngle(value, span) {
      let cos = builder.make(.cosine, a: angle)
      let sin = builder.make(.sine, a: angle)
      // The content rotates in the opposite direction.
      view = AffineModel(
        a: cos, b: builder.make(.negate, a: sin), c: sin, d: cos, e: .zero, f: .zero)
    }
    let zoom = zoom(of: i, now: now)
    let scale = AffineModel(a: zoom, b: .zero, c: .zero, d: zoom, e: .zero, f: .zero)
    let back = PointModel(builder.make(.negate, a: target.x), builder.make(.negate, a: target.y))
    return builder.concat(
      builder.concat(builder.concat(.translation(middle), scale), view), .translation(back))
  }
}
