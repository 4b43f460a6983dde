// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Elements in space: rotations about the x and y axes, depth and perspective.
extension Checker {
  /// Returns the position and orientation of an element in space; `nil` for a flat element. The
  /// points of a span do not follow its own rotations in space.
  func depth(of i: ElementNode, now: Scalar) -> DepthModel? {
    guard i.kind != .span, isInSpace(i, now: now) || hidesBack(i) else { return nil }
    // The translation may refer to a point of the element itself.
    let point = step(.depth(i.id), "the position of '\(i.displayName)'", at: i.span) {
      () -> PointModel? in
      guard let shift = translation(of: i, now: now), let pivot = pivot(of: i, now: now) else {
        return nil
      }
      return PointModel(builder.add(shift.x, pivot.x), builder.add(shift.y, pivot.y))
    }
    guard let point, let point else { return nil }
    return depth(of: i, about: point, now: now)
  }

  /// Returns the depth about a point of the parent's content; `nil` for an element in its plane
  /// whose back is visible.
  func depth(of i: ElementNode, about pivot: PointModel, now: Scalar) -> DepthModel? {
    guard isInSpace(i, now: now) || hidesBack(i) else { return nil }
    var depth = DepthModel(pivot: pivot)
    depth.isInPlane = !isInSpace(i, now: now)
    func sum(_ name: EffectProperty, _ convert: (Value, SourceSpan) -> Scalar?) -> Scalar {
      turns(name, of: i, now: now).reduce(.zero) { sum, given in
        convert(given.0, given.1).map { builder.add(sum, $0) } ?? sum
      }
    }
    depth.rotateX = sum(.rotateX) { asAngle($0, $1) }
    depth.rotateY = sum(.rotateY) { asAngle($0, $1) }
    depth.translateZ = sum(.translateZ) { asLength($0, $1, of: smallerSide(i, now: now)) }
    depth.isBackHidden = hidesBack(i)
    return depth
  }

  private func isInSpace(_ i: ElementNode, now: Scalar) -> Bool {
    !turns(.rotateX, of: i, now: now).isEmpty || !turns(.rotateY, of: i, now: now).isEmpty
      || !turns(.translateZ, of: i, now: now).isEmpty
  }

  private func hidesBack(_ i: ElementNode) -> Bool {
    i.kind.isDrawn && (word(.backface, of: i) as Backface) == .hidden
  }

  /// Returns the values of a property, including those of effects.
  private func turns(_ name: EffectProperty, of i: ElementNode, now: Scalar) -> [(
    Value, SourceSpan
  )] {
    let own = name.property.flatMap { value($0, of: i, now: now) }
    return (own.map { [$0] } ?? []) + effect(name, of: i, now: now)
  }

  /// Returns the eye that looks at the contents of an element; `nil` if they are in the space of
  /// the element's parent.
  func perspective(of i: ElementNode, now: Scalar) -> PerspectiveModel? {
    let given = value(.perspective, of: i, now: now)
    guard given != nil || i.kind == .scene || movesInSpace(i), let box = box(of: i, now: now),
      let origin = ownPoint(.perspectiveOrigin, of: i, now: now)
    else { return nil }
    var model = PerspectiveModel(distance: builder.add(box.width, box.height), origin: origin)
    switch given?.0 {
    case nil, .word("auto"): break
    case .none?: model.distance = nil
    case .some(let value):
      guard let (_, span) = given, let distance = asDistance(value, span) else { return nil }
      model.distance = distance
    }
    if i.kind == .camera { model.camera = camera(i, distance: model.distance, now: now) }
    return model
  }

  /// Returns whether an element is a camera that moves in space or has a depth of field.
  func movesInSpace(_ i: ElementNode) -> Bool {
    guard i.kind == .camera else { return false }
    elaborate(i)
    return [Property.dolly, .orbit, .aperture].contains { i.properties[$0] != nil }
  }

  /// Returns the movement of a camera. `distance` is that of its eye from the plane z = 0; `nil`
  /// for a parallel projection.
  private func camera(_ i: ElementNode, distance: Scalar?, now: Scalar) -> CameraModel? {
    guard var camera = cameraTarget(of: i, now: now) else { return nil }
    let distanceOfTarget = distance.map { builder.subtract($0, camera.targetZ) }
    if let (value, span) = value(.dolly, of: i, now: now) {
      camera.dolly = asLength(value, span, of: distanceOfTarget ?? .zero) ?? .zero
      if distance == nil { warnOfParallel(.dolly, of: i) }
    }
    if let (value, span) = value(.orbit, of: i, now: now), let angles = asAngles(value, span) {
      (camera.yaw, camera.pitch) = (angles.x, angles.y)
    }
    guard let (value, span) = value(.aperture, of: i, now: now),
      let aperture = asLength(value, span, of: smallerSide(i, now: now)), aperture != .zero
    else { return camera }
    check(
      [aperture], "the aperture", in: .atLeast(0), at: span,
      help: "write the diameter of the lens in pixels, such as 80, or 0 for sharp contents")
    guard let distanceOfTarget else {
      warnOfParallel(.aperture, of: i)
      return camera
    }
    let reference = builder.subtract(distanceOfTarget, camera.dolly)
    var focus = reference
    if let (value, span) = self.value(.focusDistance, of: i, now: now) {
      focus = asLength(value, span, of: reference) ?? reference
      // A percentage is valid even at times when `dolly` has moved the eye past its target.
      let initial = asLength(value, span, of: distanceOfTarget) ?? distanceOfTarget
      check(
        [initial], "the focus distance", in: .above(0), at: span,
        help: "write the distance in pixels, or as a percentage of the distance to the target")
    }
    camera.focus = FocusModel(
      distance: focus, aperture: aperture, zoom: zoom(of: i, now: now))
    return camera
  }

  /// Warns about a property that has no effect in a parallel projection.
  private func warnOfParallel(_ property: Property, of i: ElementNode) {
    guard let source = i.properties[property], let perspective = i.properties[.perspective] else {
      return
    }
    report(
      Diagnostic(
        .idleProperty, "'\(property.name)' has no effect without a perspective",
        at: source.nameSpan,
        notes: [
          Note("the projection is parallel", at: perspective.value.span),
          Note(help: "remove 'perspective: none'"),
        ]))
  }

  /// Converts a value of `perspective` to the distance of the eye in pixels. Returns `nil` for a
  /// word, and reports invalid values.
  @discardableResult
  func asDistance(_ value: Value, _ span: SourceSpan) -> Scalar? {
    switch value {
    case .none: return nil
    case .word:
      _ = asWord(value, span, from: ["auto", "none"])
      return nil
    default: break
    }
    let isPercent = if case .percent = value { true } else { false }
    guard !isPercent, value.amount != nil || value.isPoison else {
      mismatch(
        "a distance", value, at: span,
        help: "write the distance of the eye in pixels, such as 1200, or auto or none")
      return nil
    }
    guard let distance = asNumber(value, span) else { return nil }
    let isValid = check(
      [distance], "the perspective", in: .atLeast(1), at: span,
      help:
        "write the distance of the eye in pixels, or 'perspective: none' for a parallel projection")
    return isValid ? distance : nil
  }
}
