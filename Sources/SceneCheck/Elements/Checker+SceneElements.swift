// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// Which part of a scene an element shows, and how fast.
struct Playing {
  /// Ticks of the scene.
  var from = 0.0
  var to: Double?
  var speed = 1.0
}

// `trim`, `speed` and `time` of a scene that is an element.
extension Checker {
  /// What `trim`, `speed` and `time` of an element that shows a scene say.
  func playing(of use: Instance) -> Playing {
    if let known = use.playing { return known }
    use.playing = Playing()
    elaborate(use)
    var playing = Playing()
    if let source = use.properties[.trim] {
      let c = context(of: use, now: now).with {
        $0.scope = source.scope
        $0.constantFor = "'trim'"
      }
      switch evaluate(source.value, c) {
      case .range(let low, let high):
        let at = source.value.span
        if let from = asConstantTime(low, at), let to = asConstantTime(high, at) {
          if from < 0 || to <= from {
            _ = fault(
              .outOfRange, "'trim' ends before it begins", at: at,
              label: "write a range within the scene, such as 2s .. 6s")
          } else {
            (playing.from, playing.to) = (from.rounded(), to.rounded())
          }
        }
      case let value: mismatch("a range", value, source.value.span, help: "such as 2s .. 6s")
      }
    }
    if use.properties[.speed] != nil {
      playing.speed = constantNumber(.speed, of: use, in: 0.01...100)
    }
    use.playing = playing
    return playing
  }

  /// Whether an element shows its scene with another clock than the scene's own.
  func hasOwnClock(_ use: Instance) -> Bool {
    guard use.shown != nil else { return false }
    // As a clip, since its length is needed before its place is known.
    return use.parent?.kind == .sequence
      || [Property.trim, .speed, .time].contains { use.properties[$0] != nil }
  }

  /// The whole clock of a scene as `time` gives it; a tween in it lasts for the life, until the end
  /// of what is around it.
  private func clock(of use: Instance) -> Scalar? {
    guard let (value, span) = value(.time, of: use, now: now), let clock = asTime(value, span)
    else {
      return nil
    }
    if use.properties[.speed] != nil || use.properties[.trim] != nil {
      _ = fault(
        .propertyElsewhere, "'time' replaces 'trim' and 'speed'", at: span,
        label: "give one or the other")
    }
    return clock
  }

  /// How long an element that shows a scene lasts by itself, in ticks.
  func ownLength(of use: Instance, _ scene: Instance, _ span: SourceSpan) -> Ticks? {
    let playing = playing(of: use)
    if use.properties[.time] != nil {
      guard let parent = use.parent, let end = end(of: parent, span),
        let begin = start(of: use, span)
      else { return nil }
      return end - begin
    }
    guard let whole = end(of: scene, span) else { return nil }
    let to = min(playing.to ?? Double(whole.rawValue), Double(whole.rawValue))
    return Ticks(rounding: max(0, to - playing.from) / playing.speed)
  }

  /// The elements of a scene that is shown with another clock than its own: their lives in ticks of
  /// the built scene, and when they are there as conditions of its clock.
  func emitShown(_ scene: Instance, in use: Instance) -> [ElementModel] {
    let playing = playing(of: use)
    guard let start = start(of: use, use.span), let end = end(of: use, use.span) else { return [] }
    let outer = now
    defer { now = outer }
    let begin = Double(start.rawValue)
    if let clock = clock(of: use) {
      now = clock
    } else {
      let local = builder.scaled(
        builder.subtract(outer, .constant(begin)), playing.speed)
      now = builder.add(local, .constant(playing.from))
    }
    // Beyond its material the last moment holds.
    if let whole = self.end(of: scene, use.span) {
      let last = Double(whole.rawValue) - 1
      let held = builder.make(
        .minimum, .constant(playing.to.map { min($0 - 1, last) } ?? last), now)
      now = builder.make(.maximum, .zero, held)
    }
    scene.boxes[now] = scene.boxes[outer]
    let inner = now
    return emitOne(scene).map { [placed($0, start, end, inner)] } ?? []
  }

  /// With the life of the element that shows it, and its own as a condition.
  private func placed(_ element: ElementModel, _ start: Ticks, _ end: Ticks, _ clock: Scalar)
    -> ElementModel
  {
    let isFrom = builder.make(
      .lessOrEqual, .constant(Double(element.start.rawValue)), clock)
    let isBefore = builder.make(.less, clock, .constant(Double(element.end.rawValue)))
    let visible = builder.make(.and, element.visible, builder.make(.and, isFrom, isBefore))
    let children = element.children.map { placed($0, start, end, clock) }
    var style = element.style
    if let mask = style.mask {
      style.mask = MaskModel(
        mask.elements.map { placed($0, start, end, clock) }, style: mask.style)
    }
    return remade(
      element,
      element.with(start: start, end: end, visible: visible, style: style, children: children))
  }
}
