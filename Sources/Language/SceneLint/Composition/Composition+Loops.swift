// SPDX-License-Identifier: MIT
package import SceneDiagnostics
import SceneGraphics
import SceneIR
package import SceneModel
package import SceneText

/// A loop whose value at the end differs from its value at the start. Whether the jump is visible
/// is determined from the model.
package struct OpenLoop: Sendable {
  let diagnostic: Diagnostic
  /// The time of the jump.
  let jump: Ticks
  /// The heads of the element that owns the clock and of its parent. An element that disappears may
  /// be replaced by the next round of a loop or by a sibling.
  let places: [SourceSpan]

  package init(diagnostic: Diagnostic, jump: Ticks, places: [SourceSpan]) {
    self.diagnostic = diagnostic
    self.jump = jump
    self.places = places
  }
}

// Loops with a jump in their numbers that is invisible: a turn by 360deg, equal bars that move by
// one pitch, a ring that has faded out.
extension Composition {
  /// The appearance of an element, as far as it matters for a visible jump.
  private struct Look {
    let box: Rect
    let opacity: Double
    let color: Color?
    /// The text, or the kind of drawing.
    let form: String
    let trim: [Double]
  }

  /// Returns errors for the loops with a visible jump.
  package mutating func visibleJumps(of loops: [OpenLoop]) -> [Diagnostic] {
    loops.prefix(100).filter { loop in
      let moment = Int64(Ticks.perSecond / 2000)
      guard loop.jump.rawValue + moment < model.duration.rawValue else { return false }
      return loop.places.allSatisfy { place in
        jumps(
          looks(at: Ticks(loop.jump.rawValue - moment), around: place),
          looks(at: Ticks(loop.jump.rawValue + moment), around: place))
      }
    }.map(\.diagnostic)
  }

  /// Returns whether a visible element has no similar counterpart after the jump.
  private func jumps(_ before: [Look], _ after: [Look]) -> Bool {
    guard before.count * after.count <= 1_000_000 else { return false }
    let canvas = Rect(
      x: 0, y: 0, width: Double(model.size.width), height: Double(model.size.height)
    ).inset(3, 3)
    return before.contains { look in
      look.opacity > 0.05 && !look.box.intersection(canvas).isEmpty
        && !after.contains { Composition.isAlike(look, $0) }
    }
  }

  private static func isAlike(_ a: Look, _ b: Look) -> Bool {
    func near(_ x: Double, _ y: Double, within slack: Double) -> Bool { abs(x - y) <= slack }
    let boxes = [
      (a.box.x, b.box.x), (a.box.y, b.box.y), (a.box.width, b.box.width),
      (a.box.height, b.box.height),
    ]
    return a.form == b.form && boxes.allSatisfy { near($0, $1, within: 3) }
      && near(a.opacity, b.opacity, within: 0.06) && a.color == b.color
      && a.trim.count == b.trim.count
      && zip(a.trim, b.trim).allSatisfy { near($0, $1, within: 0.02) }
  }

  private mutating func looks(at time: Ticks, around: SourceSpan) -> [Look] {
    evaluator.evaluate(at: time)
    var looks: [Look] = []
    func visit(_ list: [ElementModel], under outer: Affine, opacity: Double, isInside: Bool) {
      for element in list
      where element.start <= time && time < element.end && evaluator(element.visible) != 0 {
        let isInside = isInside || element.span == around
        let own = opacity * evaluator(element.opacity)
        let map = outer.concat(evaluator.affine(of: element))
        guard own > 0, map.isFinite else { continue }
        if isInside, let box = bounds(of: element).map(map.apply), box.isFinite {
          looks.append(look(at: element, in: box, opacity: own))
        }
        visit(
          element.children, under: map.concat(evaluator.affine(element.content)), opacity: own,
          isInside: isInside)
      }
    }
    // The built scene itself is not an element of the model.
    var isWhole = true
    ElementModel.visit(model.elements) { if $0.span == around { isWhole = false } }
    visit(model.elements, under: .identity, opacity: 1, isInside: isWhole)
    return looks
  }

  private func look(at element: ElementModel, in box: Rect, opacity: Double) -> Look {
    var color: Color?
    var trim: [Double] = []
    var form = element.kind
    switch element.drawing {
    case .outline(_, let fill, let stroke, let part, _, let writing):
      if case .color(let it)? = fill ?? stroke?.paint { color = evaluator.color(it) }
      if let part { trim = [evaluator(part.from), evaluator(part.to)] }
      if let it = evaluator.writing(writing) { trim += [it.drawn, it.written] }
    case .text(let text, let paints, _, let units):
      form = evaluator.block(text).string
      if case .color(let it)? = paints.first?.fill { color = evaluator.color(it) }
      if let shown = units?.shown { trim = [evaluator(shown)] }
      if let it = evaluator.writing(units?.writing) { trim += [it.drawn, it.written] }
    case .image(let images, let frame, _, _):
      form = images.first?.path ?? ""
      trim = [evaluator(frame)]
    case .clip(let clip, _, _):
      form = clip.path
      trim = [evaluator(clip.time)]
    case .arrow(_, _, _, let part):
      if let part { trim = [evaluator(part.from), evaluator(part.to)] }
    case .particles(let particles): trim = [evaluator(particles.time)]
    case .nothing: break
    }
    return Look(box: box, opacity: opacity, color: color, form: form, trim: trim)
  }
}
