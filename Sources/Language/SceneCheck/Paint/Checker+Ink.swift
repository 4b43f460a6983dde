// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel

// The color of elements without paints.
extension Checker {
  /// The maximum number of candidates for the background of an element, including those in groups.
  private static let mostGrounds = 8
  private static let stepsOfGround = 20

  /// Returns black or white, whichever contrasts with the background of an element: the boxes of a
  /// text, a sibling that covers it at the midpoint of its lifetime, an enclosing shape, or the
  /// scene.
  func ink(for i: ElementNode, now: Scalar) -> PaintModel {
    var element = i
    var looks = Checker.mostGrounds
    // Translucent fills between the element and its background, the innermost first.
    var veils: [PaintModel] = []
    if let boxes = lineBoxes(of: i, now: now) {
      if isOpaque(boxes.paint) { return .color(ink(against: boxes.paint, through: [])) }
      veils.append(boxes.paint)
    }
    // Shapes are usually drawn on backgrounds with a fill, and there may be thousands of them.
    var includesInked = !i.kind.isShape
    var isInMask = false
    while let parent = element.parent {
      if let fill = ground(
        behind: element, of: i, now: now, includesInked: includesInked, &looks)
      {
        return .color(ink(against: fill, through: veils))
      }
      // A mask is not drawn on the element that it covers.
      if parent.kind == .mask || parent.kind == .clip { (isInMask, includesInked) = (true, false) }
      if parent.kind.isShape || parent.kind.isLayout, !isInMask || !isInkedArea(parent),
        let fill = area(of: parent, now: now)
      {
        if isOpaque(fill) { return .color(ink(against: fill, through: veils)) }
        veils.append(fill)
      }
      if parent.kind == .scene {
        let background = background(of: parent) ?? .color(ColorModel(.white))
        return .color(ink(against: background, through: veils))
      }
      element = parent
    }
    return .color(ColorModel(.white))
  }

  /// Returns the paint of the area of a shape or layout: its fill, or the ink of a shape without
  /// paints. Returns `nil` if the area is not painted.
  private func area(of i: ElementNode, now: Scalar) -> PaintModel? {
    if isInkedArea(i) { return ink(for: i, now: now) }
    return fill(of: i, now: now, box: box(of: i, now: now))
  }

  /// Returns whether an element is a shape without paints, whose area has the color `ink`.
  func isInkedArea(_ i: ElementNode) -> Bool {
    guard i.kind.isShape, i.properties[.fill] == nil, i.properties[.stroke] == nil,
      i.properties[.backdropFilter] == nil
    else { return false }
    return !isLine(i)
  }

  /// Returns the paint of an earlier sibling of `element` that covers its descendant `i`, or `nil`.
  private func ground(
    behind element: ElementNode, of i: ElementNode, now: Scalar, includesInked: Bool,
    _ looks: inout Int
  ) -> PaintModel? {
    guard looks > 0, let parent = element.parent else { return nil }
    if grounds(in: parent).isEmpty { return nil }
    guard var position = element.childIndex else { return nil }
    // Determined for the first candidate.
    var seen: (spots: [Point], time: Double)?
    while looks > 0,
      let index = grounds(in: parent).last(before: position, includesInked: includesInked)
    {
      position = index
      guard let other = ground(at: index, in: parent, includesInked: includesInked) else {
        continue
      }
      if seen == nil {
        guard let start = start(of: i, i.span), let end = end(of: i, i.span) else { return nil }
        let time = Double((start.rawValue + end.rawValue) / 2)
        guard let spots = corners(of: i, in: parent, at: time, now: now) else { return nil }
        seen = (spots, time)
      }
      if let (spots, time) = seen,
        let paint = paint(
          of: other, covering: spots, at: time, now: now, includesInked: includesInked, &looks)
      {
        return paint
      }
    }
    return nil
  }

  /// Returns the children of an element that may be backgrounds. The properties of a child are known
  /// only once it is elaborated.
  private func grounds(in parent: ElementNode) -> Grounds {
    if let known = parent.grounds, known.childCount == parent.children.count { return known }
    var grounds = Grounds(childCount: parent.children.count)
    for (index, child) in parent.children.enumerated().reversed() where mayBeGround(child.kind) {
      grounds.indices.append(index)
    }
    if !grounds.isEmpty {
      for (index, child) in parent.children.enumerated() { child.childIndex = index }
    }
    parent.grounds = grounds
    return grounds
  }

  /// Returns a child if it can be a background; otherwise, `nil`. Removes a child from the
  /// candidates if its properties do not permit that, and separates the shapes without paints.
  private func ground(at index: Int, in parent: ElementNode, includesInked: Bool) -> ElementNode? {
    let child = parent.children[index]
    elaborate(child)
    // An evaluation in progress may depend on the ink.
    if running.innermost(where: { $0.element == child.id }) != nil { return nil }
    guard isGround(child) else {
      parent.grounds?.remove(index)
      return nil
    }
    guard isInkedArea(child) else { return child }
    parent.grounds?.setInked(index)
    return includesInked ? child : nil
  }

  private func mayBeGround(_ kind: ElementKind) -> Bool {
    kind.isGroup || kind.isLayout || [.rect, .circle, .ellipse, .polygon].contains(kind)
  }

  /// Returns whether the properties of an element permit it to be a background. The element must be
  /// elaborated.
  private func isGround(_ i: ElementNode) -> Bool {
    let isFilled = !i.kind.isGroup || i.kind.isLayout
    if isFilled, i.properties[.fill] == nil, !isInkedArea(i) { return false }
    let excluded: [Property] = [.blend, .clip, .z, .filter, .trim, .rotateX, .rotateY]
    if excluded.contains(where: { i.properties[$0] != nil }) { return false }
    if !isFilled { return true }
    guard i.kind == .polygon else { return true }
    guard i.properties[.cornerRadius] == nil,
      case .list(let points)? = value(.points, of: i, now: now)?.0
    else { return false }
    return points.count <= Checker.mostCorners
  }

  /// The maximum number of corners of a polygon that can be a background.
  private static let mostCorners = 64

  /// Returns the corners of an element's box in the content coordinates of an ancestor: top left,
  /// top right, bottom left, bottom right. Returns `nil` if they are unknown at the given time.
  private func corners(of i: ElementNode, in parent: ElementNode, at time: Double, now: Scalar)
    -> [Point]?
  {
    guard let box = box(of: i, now: now) else { return nil }
    let c = context(of: i, now: now).with { $0.space = parent }
    let (right, bottom) = (builder.add(box.x, box.width), builder.add(box.y, box.height))
    var corners: [Point] = []
    for (x, y) in [(box.x, box.y), (right, box.y), (box.x, bottom), (right, bottom)] {
      guard let point = transport(PointModel(x, y), from: i, in: c),
        let px = builder.program.value(of: point.x, at: time),
        let py = builder.program.value(of: point.y, at: time)
      else { return nil }
      corners.append(Point(px, py))
    }
    return corners
  }

  /// Returns the opaque paint of an element or its content if it covers points of the parent, or
  /// `nil`.
  private func paint(
    of i: ElementNode, covering spots: [Point], at time: Double, now: Scalar, includesInked: Bool,
    _ looks: inout Int
  ) -> PaintModel? {
    looks -= 1
    guard looks >= 0, spend(Checker.stepsOfGround, i.span) else { return nil }
    guard let start = start(of: i, i.span), let end = shownEnd(of: i, i.span),
      Double(start.rawValue) <= time, time < Double(end.rawValue), isOpaque(i, at: time, now: now),
      !i.children.contains(where: { $0.kind == .mask || $0.kind == .clip }),
      let map = placement(of: i, now: now).flatMap({ known($0, at: time) })?.inverted
    else { return nil }
    let own = spots.map(map.apply)
    if i.kind.isGroup {
      guard let content = contentMap(of: i, now: now).flatMap({ known($0, at: time) })?.inverted
      else { return nil }
      let inner = own.map(content.apply)
      var position = Int.max
      while looks > 0,
        let index = grounds(in: i).last(before: position, includesInked: includesInked)
      {
        position = index
        if let child = ground(at: index, in: i, includesInked: includesInked),
          let paint = paint(
            of: child, covering: inner, at: time, now: now, includesInked: includesInked, &looks)
        {
          return paint
        }
      }
      return nil
    }
    guard let box = box(of: i, now: now), covers(own, i, in: box, at: time, now: now),
      let fill = area(of: i, now: now), isOpaque(fill)
    else { return nil }
    return fill
  }

  /// Returns whether the shape or the box of an element covers the box with some corners.
  private func covers(
    _ corners: [Point], _ i: ElementNode, in box: BoxModel, at time: Double, now: Scalar
  ) -> Bool {
    if i.kind.isShape, i.kind != .rect {
      let outline = outline(of: i, now: now)
      let isInside = outline?.containsMiddles(of: corners) {
        builder.program.value(of: $0, at: time)
      }
      return isInside == true
    }
    guard let x = builder.program.value(of: box.x, at: time),
      let y = builder.program.value(of: box.y, at: time),
      let width = builder.program.value(of: box.width, at: time),
      let height = builder.program.value(of: box.height, at: time)
    else { return false }
    return corners.allSatisfy { p in
      p.x >= x - 0.5 && p.x <= x + width + 0.5 && p.y >= y - 0.5 && p.y <= y + height + 0.5
    }
  }

  private func isOpaque(_ i: ElementNode, at time: Double, now: Scalar) -> Bool {
    var visible = Scalar.one
    if let (value, _) = value(.visible, of: i, now: now), case .bool(let truth) = value {
      visible = truth
    }
    guard let opacity = builder.program.value(of: opacity(of: i), at: time),
      let isVisible = builder.program.value(of: visible, at: time)
    else { return false }
    return opacity > 0.99 && isVisible != 0
  }

  private func isOpaque(_ paint: PaintModel) -> Bool {
    switch paint {
    case .color(let color): color.alpha == .one
    case .linear(_, _, let stops, _), .radial(_, _, let stops, _), .conic(_, _, let stops, _):
      stops.allSatisfy { $0.color.alpha == .one }
    case .pattern: true
    case .pixels(let model): model.program.isOpaque
    }
  }

  private func known(_ map: AffineModel, at time: Double) -> Affine? {
    let numbers = [map.a, map.b, map.c, map.d, map.e, map.f].compactMap {
      builder.program.value(of: $0, at: time)
    }
    guard numbers.count == 6 else { return nil }
    return Affine(
      a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], e: numbers[4], f: numbers[5])
  }

  /// Returns the ink for a background behind translucent fills, the innermost first.
  ///
  /// Constant colors are blended. Otherwise, the innermost fill with an alpha above one half
  /// determines the ink.
  private func ink(against ground: PaintModel, through veils: [PaintModel]) -> ColorModel {
    guard !veils.isEmpty else { return ink(against: ground) }
    let colors = (veils + [ground]).map { paint -> Color? in
      if case .color(let color) = paint { color.constant } else { nil }
    }
    if colors.allSatisfy({ $0 != nil }) {
      let seen = colors.compactMap { $0 }.reversed().reduce(Color.black) { below, color in
        func over(_ channel: KeyPath<Color, Double>) -> Double {
          below[keyPath: channel] + (color[keyPath: channel] - below[keyPath: channel])
            * color.alpha
        }
        return Color(red: over(\.red), green: over(\.green), blue: over(\.blue))
      }
      return ink(against: .color(ColorModel(seen)))
    }
    let opaque = veils.first { paint in
      guard case .color(let color) = paint else { return true }
      return color.alpha.constantValue.map { $0 > 0.5 } ?? false
    }
    return ink(against: opaque ?? ground)
  }

  private func ink(against paint: PaintModel) -> ColorModel {
    let colors: [ColorModel]
    switch paint {
    case .color(let color): colors = [color]
    case .linear(_, _, let stops, _), .radial(_, _, let stops, _), .conic(_, _, let stops, _):
      colors = stops.map(\.color)
    // The pixels are unknown here.
    case .pattern, .pixels: return ColorModel(.white)
    }
    let constants = colors.compactMap(\.constant)
    if constants.count == colors.count {
      let sum = constants.reduce(0) { $0 + $1.luminance }
      // The luminance of equal contrast with black and white (WCAG 2.2).
      return ColorModel(sum / Double(max(1, colors.count)) > 0.179 ? .black : .white)
    }
    let color = colors[0]
    let weights = [(color.red, 0.2126), (color.green, 0.7152), (color.blue, 0.0722)]
    var luminance = Scalar.zero
    for (channel, weight) in weights {
      let linear = builder.make(.power, a: channel, b: .constant(2.2))
      luminance = builder.add(luminance, builder.scaled(linear, weight))
    }
    let white = builder.make(.less, a: luminance, b: .constant(0.179))
    return ColorModel(red: white, green: white, blue: white, alpha: .one)
  }
}
