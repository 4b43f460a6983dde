// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneLanguage
import SceneLower
import SceneModel
import ScenePlayhead
import SceneSession
import SceneText

// Edits by dragging an element or one of its handles.
extension ElementAnswer {
  /// Whether the enclosing layout determines the element's position.
  private var isPlacedByLayout: Bool {
    guard own(.position) == nil, let parent = element.parent,
      let around = revision.scene.record?.elements[parent]
    else { return false }
    return around.definition == nil && ElementKind(rawValue: around.kind)?.isLayout == true
  }

  /// The kind of the element; `nil` for the use of a component.
  private var kind: ElementKind? {
    element.definition == nil ? ElementKind(rawValue: element.kind) : nil
  }

  private var name: String { element.name ?? element.kind }

  /// Adds an edit that shifts the element, in the coordinates of its parent's content.
  private func place(
    by shift: Point, _ wanted: FrameEdit, within tolerance: Double? = nil, in draft: inout Draft
  ) throws(Refusal) {
    let shift = Point(abs(shift.x) < 1e-6 ? 0 : shift.x, abs(shift.y) < 1e-6 ? 0 : shift.y)
    guard shift != .zero else { return }
    guard element.parent != nil, kind?.isDrawn ?? true else {
      throw Refusal("fixed", "'\(name)' cannot be moved in the frame")
    }
    guard !isPlacedByLayout else {
      throw Refusal(
        "fixed", "the layout places '\(name)'; set 'position' to take it out of the layout")
    }
    if let position = own(.position) {
      return try change(position, by: [shift.x, shift.y], wanted, within: tolerance, in: &draft)
    }
    let places = tolerance.map { Numeral.decimals(for: 1, within: $0) } ?? 0
    let by = [shift.x, shift.y].map {
      Numeral.text($0, decimals: wanted.isExact ? 4 : places)
    }.joined(separator: ", ")
    if kind?.standsByCoordinates == true {
      // The points of a path are coordinates in the box of the parent, so they stay unchanged.
      if let translate = own(.translate) {
        return try change(translate, by: [shift.x, shift.y], wanted, within: tolerance, in: &draft)
      }
      return draft.add(.translate, "(\(by))")
    }
    draft.add(.position, "center + (\(by))")
  }

  // MARK: Position

  /// Whether points of the element can move by different distances in the frame.
  var isInPerspective: Bool {
    outer.projection.affine == nil || element.drawn.first?.depth != nil
  }

  /// Returns the center of the element in the frame, or `nil` for an element without a box.
  func center() throws(Refusal) -> Point? {
    guard let stance else { return nil }
    guard let center = stance.inFrame(Point(0.5, 0.5)) else {
      throw Refusal("fixed", "'\(name)' is behind the camera and cannot be moved in the frame")
    }
    return center
  }

  func moved(
    _ by: Point, holding point: Point?, _ wanted: FrameEdit
  ) throws(Refusal) -> Draft {
    var draft = Draft()
    guard let point, let stance else {
      guard !isInPerspective else {
        throw Refusal(
          "fixed", "'\(name)' is in perspective and has no box; edit its position in the text")
      }
      guard let back = around.map.inverted else {
        throw Refusal("fixed", "the element is inside a group that is scaled to nothing here")
      }
      try place(
        by: Point(back.a * by.x + back.c * by.y, back.b * by.x + back.d * by.y), wanted, in: &draft)
      return draft
    }
    guard let shift = stance.shift(from: point, to: point + by),
      let own = Stance.back(point, stance.whole)
    else { throw Refusal("fixed", "the element cannot be moved to this point in space") }
    let stretch = stance.outer.projection.affine?.maximumStretch ?? 1
    try place(by: shift, wanted, within: stretch > 1.01 ? 0.5 / stretch : nil, in: &draft)
    draft.check(.own(own, at: point + by))
    return draft
  }

  // MARK: Size

  /// The way in which handles resize an element.
  enum Sizing: Equatable {
    case size, radius, radii, font, scale

    /// Whether both sides of the box have the same factor.
    var isUniform: Bool { self == .radius || self == .font }
  }

  var sizing: Sizing {
    switch kind {
    case .circle, .star, .arc: .radius
    case .ellipse: .radii
    case .text: .font
    case .rect, .image, .svg, .video, .row, .column, .grid: .size
    default: own(.size) == nil ? .scale : .size
    }
  }

  /// A change of the box.
  private struct Growth {
    /// The change of the box's size, or of its image for a scale.
    let by: Point
    /// The point of the box that stays in place, as fractions of its size.
    let fixed: Point
    /// The new size over the old one.
    let factor: Point
    /// The maximum error of a length, in units of the element's own coordinates.
    let tolerance: Double
  }

  func resized(_ pull: FrameEdit.Pull, _ wanted: FrameEdit) throws(Refusal) -> Draft {
    guard let stance, stance.box.width > 0, stance.box.height > 0 else {
      throw Refusal("fixed", "'\(name)' has no box that can be resized")
    }
    guard kind != .camera, element.parent != nil else {
      throw Refusal("fixed", "'\(name)' cannot be resized in the frame")
    }
    let share = Point((1 + pull.handle.x) / 2, (1 + pull.handle.y) / 2)
    // The side of a text sets the width at which it wraps.
    let wraps = sizing == .font && pull.handle.y == 0
    let growth = try growth(pull, at: share, stance, isUniform: !wraps && sizing.isUniform)
    var draft = Draft()
    let shown =
      try wraps
      ? wrap(growth, of: stance, for: wanted, in: &draft)
      : resize(growth, of: stance, for: wanted, in: &draft)
    let (pivot, fixed) = (stance.pivot, growth.fixed)
    var shift = stance.turned(Point(shown.x * (pivot.x - fixed.x), shown.y * (pivot.y - fixed.y)))
    if sizing != .scale {
      shift =
        shift
        + Point(shown.x * (stance.anchor.x - pivot.x), shown.y * (stance.anchor.y - pivot.y))
    }
    try place(by: shift, wanted, within: min(0.05, growth.tolerance), in: &draft)
    // The height of a text depends on its lines.
    guard !wraps, let start = stance.inFrame(fixed) else { return draft }
    let (box, old) = (stance.box, stance.own(fixed))
    let end = Point(
      old.x + (share.x - fixed.x) * (box.width + shown.x),
      old.y + (share.y - fixed.y) * (box.height + shown.y))
    guard stance.whole.weight(at: end) > Projection.near else {
      throw Refusal("fixed", "the handle would be behind the eye")
    }
    draft.check(.share(fixed, at: start))
    draft.check(.share(share, at: stance.whole.apply(end)))
    return draft
  }

  private func growth(
    _ pull: FrameEdit.Pull, at share: Point, _ stance: Stance, isUniform: Bool
  ) throws(Refusal) -> Growth {
    guard let start = stance.inFrame(share), let end = Stance.back(start + pull.by, stance.whole)
    else { throw Refusal("fixed", "the handle cannot be moved to this point in space") }
    let handle = stance.own(share)
    let (x, y) = (end.x - handle.x, end.y - handle.y)
    // The plane of an element in space turns with its pivot, which must then stay in place.
    let fixed =
      stance.isTurned
      ? stance.pivot
      : pull.isCentered ? Point(0.5, 0.5) : Point(1 - share.x, 1 - share.y)
    let reach = Point(
      pull.handle.x == 0 ? 0 : share.x - fixed.x, pull.handle.y == 0 ? 0 : share.y - fixed.y)
    guard pull.handle.x == 0 || abs(reach.x) > 1e-6, pull.handle.y == 0 || abs(reach.y) > 1e-6
    else {
      throw Refusal(
        "fixed", "the handle is at the pivot, about which an element in space is resized")
    }
    let (width, height) = (stance.box.width, stance.box.height)
    var by: Point
    if isUniform || pull.keepsAspect {
      let (across, down) = (reach.x * width, reach.y * height)
      let length = across * across + down * down
      let factor = length > 0 ? (across * x + down * y) / length : 0
      by = Point(width * factor, height * factor)
    } else {
      by = Point(reach.x == 0 ? 0 : x / reach.x, reach.y == 0 ? 0 : y / reach.y)
    }
    // Each side remains at least one pixel long.
    if isUniform || pull.keepsAspect {
      let factor = max(by.x / width, 1 / min(width, height) - 1)
      by = Point(width * factor, height * factor)
    } else {
      by = Point(max(by.x, 1 - width), max(by.y, 1 - height))
    }
    // Whole pixels, unless the frame shows them enlarged.
    let stretch = stance.stretch(at: share)
    let grain = stretch <= 1.5 ? 1 : stretch <= 15 ? 0.1 : 0.01
    return Growth(
      by: by, fixed: fixed, factor: Point(1 + by.x / width, 1 + by.y / height),
      tolerance: grain / 2)
  }

  /// Adds the properties of a new size, and returns the change of the box.
  private func resize(
    _ growth: Growth, of stance: Stance, for wanted: FrameEdit, in draft: inout Draft
  ) throws(Refusal) -> Point {
    let box = stance.box
    let grain = growth.tolerance * 2
    func whole(_ by: Double, _ side: Double) -> Double {
      by == 0 ? 0 : ((side + by) / grain).rounded() * grain - side
    }
    switch sizing {
    case .size:
      let by = Point(whole(growth.by.x, box.width), whole(growth.by.y, box.height))
      try change(
        .size, by: by, initial: Point(box.width, box.height), wanted,
        within: growth.tolerance, in: &draft)
      return by
    case .radius:
      let by = whole(growth.by.x, box.width)
      try change(
        .radius, by: by / 2, initial: box.width / 2, wanted, within: growth.tolerance / 2,
        in: &draft)
      return Point(by, by)
    case .radii:
      let by = Point(whole(growth.by.x, box.width), whole(growth.by.y, box.height))
      try change(
        .radius, by: Point(by.x / 2, by.y / 2), initial: Point(box.width / 2, box.height / 2),
        wanted, within: growth.tolerance / 2, in: &draft)
      return by
    case .font: return try resizeFont(growth, of: stance, for: wanted, in: &draft)
    case .scale:
      var scale = Point(1, 1)
      if let property = own(.scale) {
        let numbers = Playhead(files: [:], rate: model.frameRate, evaluator)
          .numbers(of: property, wholes: [])
        guard let first = numbers.first, let last = numbers.last, numbers.count <= 2 else {
          throw Refusal("fixed", "'scale' has no number here that can be edited")
        }
        scale = Point(first, last)
      }
      // The factors keep the error of the handle below half a pixel.
      let digits = 1000.0
      func rounded(_ x: Double) -> Double { (x * digits).rounded() / digits }
      let new = Point(
        growth.by.x == 0 ? scale.x : rounded(scale.x * growth.factor.x),
        growth.by.y == 0 ? scale.y : rounded(scale.y * growth.factor.y))
      try change(.scale, by: new - scale, initial: scale, wanted, within: 0.0005, in: &draft)
      return Point(
        scale.x == 0 ? 0 : box.width * (new.x / scale.x - 1),
        scale.y == 0 ? 0 : box.height * (new.y / scale.y - 1))
    }
  }

  private func resizeFont(
    _ growth: Growth, of stance: Stance, for wanted: FrameEdit, in draft: inout Draft
  ) throws(Refusal) -> Point {
    guard case .text(let text, _, _, _)? = element.drawn.first?.drawing, let run = text.runs.first
    else { throw Refusal("fixed", "'\(name)' has no letters here") }
    let old = evaluator(run.size)
    guard old > 0 else { throw Refusal("fixed", "the letters of '\(name)' have no size") }
    let new = max(1, (old * growth.factor.x * 10).rounded() / 10)
    try change(
      .fontSize, by: new - old, initial: old, wanted, within: 0.05, in: &draft)
    let factor = new / old - 1
    if let width = own(.width) {
      try change(
        width, by: [stance.box.width * factor], wanted, within: growth.tolerance, in: &draft)
    }
    return Point(stance.box.width * factor, stance.box.height * factor)
  }

  private func wrap(
    _ growth: Growth, of stance: Stance, for wanted: FrameEdit, in draft: inout Draft
  ) throws(Refusal) -> Point {
    let grain = growth.tolerance * 2
    let width = ((stance.box.width + growth.by.x) / grain).rounded() * grain
    let by = width - stance.box.width
    try change(
      .width, by: by, initial: stance.box.width, wanted, within: growth.tolerance, in: &draft)
    return Point(by, 0)
  }

  // MARK: Rotation

  func turned(_ turn: FrameEdit.Turn, _ wanted: FrameEdit) throws(Refusal) -> Draft {
    guard let stance, element.parent != nil, kind != .camera else {
      throw Refusal("fixed", "'\(name)' cannot be rotated in the frame")
    }
    guard let from = Stance.back(turn.from, stance.plane),
      let to = Stance.back(turn.to, stance.plane)
    else { throw Refusal("fixed", "the element cannot be rotated to this point in space") }
    func angle(_ p: Point) -> Double {
      let way = p - stance.center
      return Math.atan2(way.y, way.x) * 180 / .pi
    }
    var by = angle(to) - angle(from)
    let near = stance.plane.determinant < 0 ? -turn.near : turn.near
    by += ((near - by) / 360).rounded() * 360
    return try spun(by, snaps: turn.snaps, wanted)
  }

  /// Adds degrees to the rotation that the edit names.
  func spun(_ degrees: Double, snaps: Bool, _ wanted: FrameEdit) throws(Refusal) -> Draft {
    guard element.parent != nil, kind?.isDrawn ?? true else {
      throw Refusal("fixed", "'\(name)' cannot be rotated in the frame")
    }
    let old = own(wanted.property).map { evaluator($0.numbers.first?.own ?? .zero) } ?? 0
    let by = snaps ? ((old + degrees) / 15).rounded() * 15 - old : degrees
    var draft = Draft()
    try change(wanted.property, by: by, initial: old, wanted, within: 0.05, in: &draft)
    return draft
  }

  // MARK: Pivot

  func pivoted(_ by: Point, _ wanted: FrameEdit) throws(Refusal) -> Draft {
    guard let stance, stance.box.width > 0, stance.box.height > 0,
      let start = stance.inFrame(stance.pivot),
      let end = Stance.back(start + by, stance.whole)
    else { throw Refusal("fixed", "'\(name)' has no pivot in the frame") }
    guard !stance.isTurned else {
      throw Refusal(
        "fixed", "'\(name)' would leave its plane, because it is rotated in space about its pivot")
    }
    let box = stance.box
    func share(_ x: Double) -> Double { (x * 1000).rounded() / 1000 }
    let pivot = Point(share((end.x - box.x) / box.width), share((end.y - box.y) / box.height))
    let way = pivot - stance.pivot
    var draft = Draft()
    let text = [pivot.x, pivot.y].map { Numeral.text($0 * 100, decimals: 1) + "%" }
      .joined(separator: ", ")
    if let old = own(.pivot) {
      guard old.motions.isEmpty, old.changes.isEmpty, leaves.facts[old.value.file] != nil else {
        throw Refusal("fixed", "'pivot' changes over time; edit it in the source")
      }
      draft.replace(old.value, by: "(\(text))")
    } else {
      draft.add(.pivot, "(\(text))")
    }
    // Compensates for the new pivot, so that the element stays in place.
    let size = Point(way.x * box.width, way.y * box.height)
    let shift = stance.turned(size) - size
    try place(by: shift, wanted, within: 0.05, in: &draft)
    for corner in [Point(0, 0), Point(1, 1)] {
      if let place = stance.inFrame(corner) { draft.check(.share(corner, at: place)) }
    }
    return draft
  }

  // MARK: Properties

  /// Adds the change of a number, or the property if the element does not have it.
  private func change(
    _ name: Property, by shift: Double, initial: Double, _ wanted: FrameEdit,
    within tolerance: Double, in draft: inout Draft
  ) throws(Refusal) {
    guard abs(shift) > 1e-9 else { return }
    if let property = own(name) {
      let count = property.numbers.count
      let all = [Double](repeating: shift, count: max(1, count))
      return try change(property, by: all, wanted, within: tolerance, in: &draft)
    }
    let unit = [.rotate, .rotateX, .rotateY].contains(name) ? "deg" : ""
    let places = Numeral.decimals(for: 1, within: tolerance)
    draft.add(name, Numeral.text(initial + shift, decimals: places) + unit)
  }

  /// Adds the change of a pair, or the property if the element does not have it.
  private func change(
    _ name: Property, by shift: Point, initial: Point, _ wanted: FrameEdit,
    within tolerance: Double, in draft: inout Draft
  ) throws(Refusal) {
    guard abs(shift.x) > 1e-9 || abs(shift.y) > 1e-9 else { return }
    let places = Numeral.decimals(for: 1, within: tolerance)
    let new = [initial.x + shift.x, initial.y + shift.y].map {
      Numeral.text($0, decimals: places)
    }
    let text = new[0] == new[1] && name == .scale ? new[0] : "(\(new[0]), \(new[1]))"
    guard let property = own(name) else { return draft.add(name, text) }
    if property.numbers.count == 2 {
      return try change(
        property, by: [shift.x, shift.y].map { abs($0) < 1e-9 ? 0 : $0 }, wanted,
        within: tolerance, in: &draft)
    }
    if abs(shift.x - shift.y) < 1e-6 {
      return try change(property, by: [shift.x], wanted, within: tolerance, in: &draft)
    }
    // One number for both sides becomes a pair.
    guard property.motions.isEmpty, property.changes.isEmpty,
      leaves.isNumber(property.value)
    else {
      throw Refusal(
        "fixed", "'\(name.name)' is one number for both sides; hold Shift to keep the aspect ratio")
    }
    draft.replace(property.value, by: text)
  }
}
