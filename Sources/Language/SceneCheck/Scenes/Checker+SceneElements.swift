// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Scenes as elements.
extension Checker {
  /// Returns whether an element plays its scene with a different clock.
  func hasOwnClock(_ use: ElementNode) -> Bool {
    guard use.shown != nil else { return false }
    // A clip requires a different clock, since its duration is needed before its start is known.
    return use.parent?.kind == .sequence
      || [Property.trim, .speed, .loop, .time].contains { use.properties[$0] != nil }
  }

  /// Returns the elements of a scene with a different clock. Their lifetimes are in ticks of the
  /// built scene, and their original lifetimes become conditions on the scene's clock.
  func emitShown(_ scene: ElementNode, in use: ElementNode) -> [ElementModel] {
    guard let start = start(of: use, use.span), let end = end(of: use, use.span),
      let whole = self.end(of: scene, use.span)
    else { return [] }
    let outer = now
    defer { now = outer }
    now = clock(of: scene, playedBy: use, start, whole)
    scene.boxes[now] = scene.boxes[outer]
    let inner = now
    var shown = ShownElements(start: start, end: end, clock: inner)
    return emitOne(scene).map { [placed($0, &shown)] } ?? []
  }

  /// Returns the time of a scene that an element plays, clamped to its material.
  func clock(of scene: ElementNode, playedBy use: ElementNode, _ start: Ticks, _ whole: Ticks)
    -> Scalar
  {
    let playing = playing(of: use)
    let time = materialTime(of: use, start: start, length: whole, at: now)
    let last = min(playing.to ?? .infinity, Double(whole.rawValue)) - 1
    return builder.make(
      .maximum, a: .constant(playing.from), b: builder.make(.minimum, a: .constant(last), b: time))
  }

  /// The elements of a scene that are already converted to the lifetime of the element that shows
  /// it.
  private struct ShownElements {
    let start: Ticks
    let end: Ticks
    let clock: Scalar
    /// The converted elements by original. A clip between two transitions is a child of both.
    var made: [ObjectIdentifier: ElementModel] = [:]
  }

  /// Returns a copy of an element with the lifetime of the showing element. The original lifetime
  /// becomes a condition of its visibility.
  private func placed(_ element: ElementModel, _ shown: inout ShownElements) -> ElementModel {
    if let made = shown.made[ObjectIdentifier(element)] { return made }
    let isFrom = builder.make(
      .lessOrEqual, a: .constant(Double(element.start.rawValue)), b: shown.clock)
    let isBefore = builder.make(.less, a: shown.clock, b: .constant(Double(element.end.rawValue)))
    let visible = builder.make(
      .and, a: element.visible, b: builder.make(.and, a: isFrom, b: isBefore))
    let children = element.children.map { placed($0, &shown) }
    var style = element.style
    if let mask = style.mask {
      style.mask = MaskModel(mask.elements.map { placed($0, &shown) }, style: mask.style)
    }
    let made = remade(
      element,
      element.with(
        start: shown.start, end: shown.end, visible: visible, style: style, children: children))
    shown.made[ObjectIdentifier(element)] = made
    return made
  }
}
