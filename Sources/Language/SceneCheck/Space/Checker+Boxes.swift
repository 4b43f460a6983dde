// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Positions of elements: boxes, maps to the parent, and points of other elements.
extension Checker {
  /// Returns the size of the parent's box in pixels, the reference size for percentages.
  func parentSize(_ i: ElementNode, now: Scalar) -> (Scalar, Scalar) {
    let parent = i.kind == .span ? text(around: i) : i.parent
    guard let box = self.box(of: parent ?? i, now: now) else { return (.one, .one) }
    return (box.width, box.height)
  }

  /// Returns one side of the reference size. That of a layout may be known before its children are.
  func parentLength(_ side: BoxSide, of i: ElementNode, now: Scalar) -> Scalar {
    if let parent = i.parent, parent.kind.isLayout,
      let own = ownLength(along: side, of: parent, now: now)
    {
      return own
    }
    let (width, height) = parentSize(i, now: now)
    return side == .width ? width : height
  }

  func box(of i: ElementNode, now: Scalar) -> BoxModel? {
    if let known = i.boxes[now] { return known }
    if i.kind == .text || i.kind == .math { textBoxes.insert(.box(i.id)) }
    let computed = step(.box(i.id), "the box of '\(i.displayName)'", at: i.span) {
      () -> BoxModel? in
      elaborate(i)
      guard let box = makeBox(of: i, now: now) else { return nil }
      return isResized(i) ? limited(box, of: i, now: now) : box
    }
    guard let box = computed ?? nil else { return nil }
    i.boxes[now] = box
    return box
  }

  /// Returns whether properties other than `size` affect the size of the box.
  private func isResized(_ i: ElementNode) -> Bool {
    let properties: [Property] = [.grow, .minWidth, .maxWidth, .minHeight, .maxHeight]
    if i.kind == .text { return false }
    return properties.contains { i.properties[$0] != nil } || stretchedSide(of: i) != nil
  }

  private func makeBox(of i: ElementNode, now: Scalar) -> BoxModel? {
    func sized(_ width: Scalar, _ height: Scalar) -> BoxModel {
      BoxModel(x: .zero, y: .zero, width: width, height: height)
    }
    switch i.kind {
    case .scene: return i.boxes[.node(0)]
    case .rect:
      let size = size(of: i, now: now)
      let initial = Scalar.constant(initialNumber(.size, i))
      return sized(size?.x ?? initial, size?.y ?? initial)
    case .circle, .star, .arc:
      let side = builder.scaled(length(.radius, of: i, now: now), 2)
      return sized(side, side)
    case .ellipse:
      let radii = radii(of: i, now: now)
      return sized(builder.scaled(radii.x, 2), builder.scaled(radii.y, 2))
    case .line, .polyline, .polygon, .path, .arrow:
      guard let path = pathOf(i, now: now) else { return sized(.zero, .zero) }
      return box(of: path)
    case .particles: return sized(.zero, .zero)
    case .span: return spanBox(of: i, now: now)
    case .text:
      if let extent = codeExtent(of: i, now: now) { return sized(extent.width, extent.height) }
      guard let text = textModel(of: i, now: now) else { return sized(.zero, .zero) }
      if let line = letters(of: i, text, .box, now: now) {
        return box(of: PathModel([.letters(line)]))
      }
      let extent = extent(of: text, in: i)
      return sized(text.width ?? extent.width, extent.height)
    case .part where isVectorPart(i): return vectorBox(of: i, now: now) ?? sized(.zero, .zero)
    case .math, .part: return formulaBox(of: i, now: now) ?? sized(.zero, .zero)
    case .image, .svg, .video: return imageBox(i, now: now)
    case .row, .column, .grid:
      if let width = ownLength(along: .width, of: i, now: now),
        let height = ownLength(along: .height, of: i, now: now)
      {
        return sized(width, height)
      }
      return layout(of: i, now: now).map { sized($0.width, $0.height) }
    default:
      if fits(i) { return fittedBox(of: i, now: now) }
      if let size = size(of: i, now: now) { return sized(size.x, size.y) }
      if let shown = i.shown { return box(of: shown, now: now) }
      fillingBoxes.insert(.box(i.id))
      let (width, height) = parentSize(i, now: now)
      return sized(width, height)
    }
  }

  /// Returns the evaluated `size`; `nil` if it is not set or `fit`. Percentages are relative to the
  /// parent's box, and negative sides are clamped to 0.
  func size(of i: ElementNode, now: Scalar) -> PointModel? {
    if let known = i.sizes[now] { return known }
    let size = makeSize(of: i, now: now)
    if let size { i.sizes[now] = size }
    return size
  }

  private func makeSize(of i: ElementNode, now: Scalar) -> PointModel? {
    guard let (value, span) = self.value(.size, of: i, now: now) else { return nil }
    if case .word("fit") = value {
      // Rows, columns and grids always fit their content.
      if !i.kind.isGroup, !i.kind.isLayout {
        _ = report(
          .typeMismatch, "'fit' is only supported on groups, rows, columns and grids", at: span)
      }
      return nil
    }
    if case .pair(let x, let y) = value {
      guard let w = asLength(x, span, of: parentLength(.width, of: i, now: now)),
        let h = asLength(y, span, of: parentLength(.height, of: i, now: now))
      else { return nil }
      return PointModel(
        builder.make(.maximum, a: .zero, b: w), builder.make(.maximum, a: .zero, b: h))
    }
    // A single value applies to both sides.
    guard let w = asLength(value, span, of: parentLength(.width, of: i, now: now)),
      let h = asLength(value, span, of: parentLength(.height, of: i, now: now))
    else { return nil }
    return PointModel(w, h)
  }

  func radii(of i: ElementNode, now: Scalar) -> PointModel {
    let initial = Scalar.constant(initialNumber(.radius, i))
    guard let (value, span) = self.value(.radius, of: i, now: now) else {
      return PointModel(initial, initial)
    }
    var side: Scalar { smallerSide(i, now: now) }
    if case .pair(let x, let y) = value {
      return PointModel(
        asLength(x, span, of: side) ?? initial, asLength(y, span, of: side) ?? initial)
    }
    let radius = asLength(value, span, of: side) ?? initial
    return PointModel(radius, radius)
  }

  private func box(of path: PathModel) -> BoxModel {
    if path.isConstant {
      let bounds = Evaluator(Program(), metrics: metrics).path(path).bounds
      if bounds.isEmpty { return BoxModel(x: .zero, y: .zero, width: .zero, height: .zero) }
      return BoxModel(
        x: .constant(bounds.x), y: .constant(bounds.y), width: .constant(bounds.width),
        height: .constant(bounds.height))
    }
    let base = builder.register(path) * 4
    let parts = (0..<4).map { builder.make(.pathBox, index: base + Int32($0)) }
    return BoxModel(x: parts[0], y: parts[1], width: parts[2], height: parts[3])
  }

  /// Returns `anchor` or `pivot`: a point of the element's own box, by default its center; `nil`
  /// after an error.
  func ownPoint(_ property: Property, of i: ElementNode, now: Scalar) -> PointModel? {
    guard let box = self.box(of: i, now: now) else { return nil }
    guard let (value, span) = self.value(property, of: i, now: now) else {
      return shareOfBox(box, Point(0.5, 0.5))
    }
    if case .word(let word) = value {
      if let share = Words.points[word] { return shareOfBox(box, share) }
      if let share = Words.baselinePoints[word], let y = baseline(of: i, now: now) {
        return PointModel(builder.add(box.x, builder.scaled(box.width, share)), y)
      }
      let owners = followsPath(i) ? "a straight text" : "a text or a formula"
      _ = report(.unknownWord, "the point '\(word)' is only available on \(owners)", at: span)
      return nil
    }
    let c = context(of: i, now: now)
    guard let p = asPoint(value, span, in: c, width: box.width, height: box.height) else {
      return nil
    }
    return PointModel(builder.add(box.x, p.x), builder.add(box.y, p.y))
  }

  func shareOfBox(_ box: BoxModel, _ share: Point) -> PointModel {
    PointModel(
      builder.add(box.x, builder.scaled(box.width, share.x)),
      builder.add(box.y, builder.scaled(box.height, share.y)))
  }

  private func baseline(of i: ElementNode, now: Scalar) -> Scalar? {
    if i.kind == .math { return formulaBaseline(of: i, now: now) }
    guard i.kind == .text, !followsPath(i), let text = textModel(of: i, now: now) else {
      return nil
    }
    return extent(of: text, in: i).baseline
  }

  // MARK: Points of other elements

  /// Returns a named point of an element at its position, in the coordinates of the context; `nil`
  /// after an error.
  func namedPoint(_ name: String, of i: ElementNode, in c: Context, at span: SourceSpan)
    -> PointModel?
  {
    var point: PointModel
    if name == "origin" {
      point = .zero
    } else {
      guard let box = self.box(of: i, now: c.now) else { return nil }
      if let share = Words.points[name] {
        point = shareOfBox(box, share)
      } else if let share = Words.baselinePoints[name], let y = baseline(of: i, now: c.now) {
        point = PointModel(builder.add(box.x, builder.scaled(box.width, share)), y)
      } else {
        _ = report(
          .unknownMember, "'\(i.displayName)' has no baseline", at: span,
          label: followsPath(i)
            ? "the baseline of a text on a path is not straight"
            : "only a text or a formula has a baseline")
        return nil
      }
    }
    return transport(point, from: i, in: c)
  }

  /// Converts a point from the coordinates of an element to those of the context; returns `nil`
  /// after an error.
  func transport(_ point: PointModel, from i: ElementNode, in c: Context) -> PointModel? {
    guard i.parent != nil else { return point }
    if crossesSpace(from: i, in: c) { return seen(point, from: i, in: c) }
    var point = point
    // Up to the content of the closest common ancestor, then down to the space of the context.
    let readers = ancestors(c.space)
    var element = i
    while let parent = element.parent {
      guard let map = placement(of: element, now: c.now) else { return nil }
      point = builder.apply(map, point)
      if readers.contains(where: { $0 === parent }) {
        if let camera = c.view, camera !== parent,
          ancestors(camera).contains(where: { $0 === parent })
        {
          warnOfForeignView(of: camera, at: i, in: parent)
          return point
        }
        return down(point, from: parent, in: c)
      }
      guard let content = contentMap(of: parent, now: c.now) else { return nil }
      point = builder.apply(content, point)
      element = parent
    }
    return point
  }

  /// Warns about a camera that looks at an element outside it if their coordinates differ: the
  /// content of the camera depends on its box, which has a different size.
  func warnOfForeignView(
    of camera: ElementNode, at target: ElementNode, in around: ElementNode
  ) {
    guard let source = camera.properties[.lookAt], let own = box(of: camera, now: now),
      let outer = box(of: around, now: now),
      let width = own.width.constantValue, let height = own.height.constantValue,
      let outerWidth = outer.width.constantValue, let outerHeight = outer.height.constantValue,
      abs(width - outerWidth) > 0.5 || abs(height - outerHeight) > 0.5,
      let child = childInOwnBox(of: camera)
    else { return }
    let format = NumberFormat()
    func size(_ width: Double, _ height: Double) -> String {
      "\(format.text(width.rounded()))x\(format.text(height.rounded()))"
    }
    report(
      Diagnostic(
        .foreignView,
        "'\(target.displayName)' is outside the camera, which has a different box",
        at: source.value.span,
        label:
          "the box of the camera is \(size(width, height)), the box around it \(size(outerWidth, outerHeight))",
        notes: [
          Note("this is positioned relative to the box of the camera", at: child.span),
          Note(help: "move the content into a group of \(size(outerWidth, outerHeight)) at (0, 0)"),
        ]))
  }

  /// Returns a child whose position or size depends on its parent's box according to the source, or
  /// `nil`.
  private func childInOwnBox(of i: ElementNode) -> ElementNode? {
    let placing: [Property] = [.position, .from, .to, .points, .size, .radius]
    for child in i.children where child.kind.isDrawn {
      elaborate(child)
      let given = placing.compactMap { child.properties[$0] }
      if given.contains(where: { text(at: $0.value.span).contains("%") }) { return child }
      if child.properties[.position] != nil || child.kind.standsByCoordinates || followsPath(child)
      {
        continue
      }
      // A group without a position and a size has the box of its parent.
      guard child.kind == .group, child.properties[.size] == nil else { return child }
      if let inner = childInOwnBox(of: child) { return inner }
    }
    return nil
  }

  func ancestors(_ space: ElementNode?) -> [ElementNode] {
    var list: [ElementNode] = []
    var next = space
    while let it = next {
      list.append(it)
      next = it.parent
    }
    return list
  }

  /// Converts a point from the content coordinates of `top` to the space of the context inside it;
  /// returns `nil` after an error.
  private func down(_ point: PointModel, from top: ElementNode, in c: Context) -> PointModel? {
    var point = point
    let way = ancestors(c.space).prefix { $0 !== top }.reversed()
    for element in way {
      guard let map = placement(of: element, now: c.now),
        let content = contentMap(of: element, now: c.now)
      else { return nil }
      point = builder.applyInverse(content, builder.applyInverse(map, point))
    }
    return point
  }
}
