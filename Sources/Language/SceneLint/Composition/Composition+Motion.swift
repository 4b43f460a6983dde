// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneModel
import SceneText

// Freeze frames and empty intervals.
extension Composition {
  /// Reports intervals of more than a second in which only the background is visible: between
  /// elements, and after the last clip of a sequence.
  mutating func emptiness() {
    var lives: [(life: Range<Int64>, element: ElementModel)] = []
    var clipsEnd: Int64 = 0
    func visit(_ list: [ElementModel], _ around: Range<Int64>) {
      for element in list {
        let life = around.clamped(
          to: element.start.rawValue..<max(element.start.rawValue, element.end.rawValue))
        if life.isEmpty || element.visible == .zero || element.opacity == .zero { continue }
        if case .nothing = element.drawing {} else { lives.append((life, element)) }
        // The checker reports sequences that are longer than their clips.
        if element.kind == "sequence", element.children.contains(where: { $0.end >= element.end }) {
          clipsEnd = max(clipsEnd, element.end.rawValue)
        }
        visit(element.children, life)
      }
    }
    visit(model.elements, 0..<max(0, model.duration.rawValue))
    var end: Int64?
    for (life, element) in lives.sorted(by: { $0.life.lowerBound < $1.life.lowerBound }) {
      if let end, life.lowerBound - end > Ticks.perSecond {
        report(
          .nothingShown,
          "the frame is empty for \(NumberFormat.seconds(Ticks(life.lowerBound - end))), starting at \(NumberFormat.seconds(Ticks(end)))",
          on: element, label: "this is shown next")
      }
      end = max(end ?? life.upperBound, life.upperBound)
    }
    if let end, end == clipsEnd {
      emptyEnd(after: end, lives.last { $0.life.upperBound == end }?.element)
    }
  }

  /// Reports that the frame is empty after the last clip of a sequence. Silence follows as well:
  /// music can end over an empty frame.
  private mutating func emptyEnd(after end: Int64, _ element: ElementModel?) {
    let rest = model.duration.rawValue - end
    guard let element, rest > Ticks.perSecond,
      !model.sound.voices.contains(where: { $0.end.rawValue > end })
    else { return }
    report(
      .nothingShown,
      "the frame is empty from \(NumberFormat.seconds(Ticks(end))) to the end of the scene, \(NumberFormat.seconds(model.duration))",
      on: element, label: "the last clip of a sequence ends here",
      notes: [
        Note(
          help: "extend a clip, or remove 'for' from the scene, so that it ends with its content")
      ])
  }

  /// Reports intervals of more than 20 seconds without motion.
  mutating func stillness() {
    let limit = 20 * Ticks.perSecond
    guard model.duration.rawValue > limit, let first = model.elements.first else { return }
    var events: Set<Int64> = [0, model.duration.rawValue]
    var moving: [Range<Int64>] = []
    guard elements.count < 2000 else { return }
    let changes = Changes(of: model.program, within: 0..<model.duration.rawValue)
    ElementModel.visit(model.elements) { element in
      events.insert(max(0, min(model.duration.rawValue, element.start.rawValue)))
      events.insert(max(0, min(model.duration.rawValue, element.end.rawValue)))
      if let time = changes.inLife(of: element).hull { moving.append(time) }
    }
    for range in moving {
      events.insert(range.lowerBound)
      events.insert(range.upperBound)
    }
    let order = events.sorted()
    for (from, to) in zip(order, order.dropFirst()) where to - from > limit {
      let middle = (from + to) / 2
      if moving.contains(where: { $0.contains(middle) }) { continue }
      report(
        .nothingMoves,
        "nothing moves for \(NumberFormat.seconds(Ticks(to - from))), starting at \(NumberFormat.seconds(Ticks(from)))",
        on: first)
      return
    }
  }
}
