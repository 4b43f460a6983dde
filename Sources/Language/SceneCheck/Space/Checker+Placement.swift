// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// The maps of elements to their parents.
extension Checker {
  /// Returns the map from an element's own coordinates to those of the parent's content; `nil`
  /// after an error.
  func placement(of i: ElementNode, now: Scalar) -> AffineModel? {
    if let known = i.placements[now] { return known }
    let computed = step(.placement(i.id), "the position of '\(i.displayName)'", at: i.span) {
      makePlacement(of: i, now: now).flatMap {
        isVectorPart(i) ? inOuterPart($0, of: i, now: now) : $0
      }
    }
    guard let placement = computed ?? nil else { return nil }
    i.placements[now] = placement
    return placement
  }

  /// Returns the placement without the transform of an enclosing SVG part; `nil` after an error.
  func makePlacement(of i: ElementNode, now: Scalar) -> AffineModel? {
    elaborate(i)
    if i.kind == .particles { return .identity }
    if i.kind == .span { return spanPlacement(of: i, now: now) }
    if i.kind == .scene, let parent = i.parent { return fitting(of: i, in: parent, now: now) }
    guard let shift = translation(of: i, now: now) else { return nil }
    let moved = AffineModel.translation(shift)
    guard let turned = linearPart(of: i, now: now) else { return shifted(moved, of: i, now: now) }
    guard let pivot = pivot(of: i, now: now) else { return nil }
    let back = PointModel(builder.make(.negate, a: pivot.x), builder.make(.negate, a: pivot.y))
    let about = builder.concat(builder.concat(.translation(pivot), turned), .translation(back))
    return shifted(builder.concat(moved, about), of: i, now: now)
  }

  /// Returns the point of an element that its rotations leave in place, in its own coordinates;
  /// `nil` after an error.
  func pivot(of i: ElementNode, now: Scalar) -> PointModel? {
    // Copies rotate around the pivot of their `repeat`.
    let owner = i.copy == nil ? i : i.parent ?? i
    let fixed: Property = owner.properties[.pivot] == nil ? .anchor : .pivot
    return ownPoint(fixed, of: owner, now: now)
  }

  /// Returns the translation of an element by its position and `translate`; `nil` after an error.
  func translation(of i: ElementNode, now: Scalar) -> PointModel? {
    let c = context(of: i, now: now)
    func size() -> (Scalar, Scalar) { parentSize(i, now: now) }
    guard var shift = standing(of: i, now: now) else { return nil }
    if let (value, span) = self.value(.translate, of: i, now: now),
      let by = asPoint(value, span, in: c, width: size().0, height: size().1)
    {
      shift = PointModel(builder.add(shift.x, by.x), builder.add(shift.y, by.y))
    }
    for (value, span) in effect(.translate, of: i, now: now) {
      guard let by = asPoint(value, span, in: c, width: size().0, height: size().1) else {
        continue
      }
      shift = PointModel(builder.add(shift.x, by.x), builder.add(shift.y, by.y))
    }
    return shift
  }

  /// Returns a placement that first applies the `shift` of the effects, relative to the size of the
  /// element's box.
  private func shifted(_ placement: AffineModel, of i: ElementNode, now: Scalar) -> AffineModel {
    let shift = shift(of: i, now: now)
    guard shift != .zero, let box = box(of: i, now: now) else { return placement }
    return builder.concat(placement, translation(ofShift: shift, in: box))
  }

  /// Returns the translation that moves the anchor of an element to its position; `nil` after an
  /// error.
  func standing(of i: ElementNode, now: Scalar) -> PointModel? {
    if i.copy != nil { return .zero }
    let given = value(.position, of: i, now: now)
    if given == nil, let parent = i.parent {
      if parent.kind.isLayout {
        guard let layout = layout(of: parent, now: now), let box = box(of: i, now: now) else {
          return nil
        }
        if let place = layout.places[i.id] {
          return PointModel(builder.subtract(place.x, box.x), builder.subtract(place.y, box.y))
        }
      }
      if i.kind.standsByCoordinates || followsPath(i) { return .zero }
    }
    guard let anchor = ownPoint(.anchor, of: i, now: now) else { return nil }
    var position = PointModel.zero
    if let (value, span) = given {
      position =
        asPoint(
          value, span, in: context(of: i, now: now), width: parentSize(i, now: now).0,
          height: parentSize(i, now: now).1) ?? .zero
    } else if i.parent.map(fits) != true {
      // In a box that fits its content, the default position is (0, 0).
      let (width, height) = parentSize(i, now: now)
      position = PointModel(builder.scaled(width, 0.5), builder.scaled(height, 0.5))
    }
    return PointModel(
      builder.subtract(position.x, anchor.x), builder.subtract(position.y, anchor.y))
  }

  /// Returns the placement of a scene in the box of its element: contained and centered, unless
  /// `fit` is set; `nil` after an error.
  private func fitting(of scene: ElementNode, in parent: ElementNode, now: Scalar) -> AffineModel? {
    guard let own = box(of: scene, now: now), let room = box(of: parent, now: now) else {
      return nil
    }
    let wide = builder.divide(room.width, own.width)
    let high = builder.divide(room.height, own.height)
    var scale = PointModel(wide, high)
    switch word(.fit, of: parent) as Fit {
    case .fill: break
    case .none: scale = PointModel(.one, .one)
    case .contain:
      let least = builder.make(.minimum, a: wide, b: high)
      scale = PointModel(least, least)
    case .cover:
      let most = builder.make(.maximum, a: wide, b: high)
      scale = PointModel(most, most)
    }
    let focus = focusShares(parent, now: now)
    func place(in room: Scalar, _ own: Scalar, scale: Scalar, share: Scalar) -> Scalar {
      builder.multiply(builder.subtract(room, builder.multiply(own, scale)), share)
    }
    return AffineModel(
      a: scale.x, b: .zero, c: .zero, d: scale.y,
      e: place(in: room.width, own.width, scale: scale.x, share: focus.x),
      f: place(in: room.height, own.height, scale: scale.y, share: focus.y))
  }

  /// Returns the product of rotation, skew and scale, or `nil` if none is set.
  func linearPart(of i: ElementNode, now: Scalar) -> AffineModel? {
    var map: AffineModel?
    func all(_ name: EffectProperty) -> [(Value, SourceSpan)] {
      // The rotation of a camera applies to its content.
      let isOfPicture = name == .rotate && i.kind == .camera
      let own = isOfPicture ? nil : name.property.flatMap { value($0, of: i, now: now) }
      return (own.map { [$0] } ?? []) + effect(name, of: i, now: now)
    }
    for (value, span) in all(.rotate) {
      guard let angle = asAngle(value, span) else { continue }
      let cos = builder.make(.cosine, a: angle)
      let sin = builder.make(.sine, a: angle)
      let turn = AffineModel(
        a: cos, b: sin, c: builder.make(.negate, a: sin), d: cos, e: .zero, f: .zero)
      map = map.map { builder.concat($0, turn) } ?? turn
    }
    for (value, span) in all(.skew) {
      guard let angles = asAngles(value, span) else { continue }
      let skew = AffineModel(
        a: .one, b: builder.make(.tangent, a: angles.y), c: builder.make(.tangent, a: angles.x),
        d: .one, e: .zero,
        f: .zero)
      map = map.map { builder.concat($0, skew) } ?? skew
    }
    for (value, span) in all(.scale) {
      guard let by = asFactors(value, span) else { continue }
      if by.x == .zero || by.y == .zero { reportScaleOfZero(i, span) }
      let scale = AffineModel(a: by.x, b: .zero, c: .zero, d: by.y, e: .zero, f: .zero)
      map = map.map { builder.concat($0, scale) } ?? scale
    }
    return map
  }
}
