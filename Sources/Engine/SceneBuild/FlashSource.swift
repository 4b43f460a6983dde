// SPDX-License-Identifier: MIT
import SceneFlash
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneText
import SceneWriting

/// The element that causes a flash, found by comparing the frames before and after a transition.
struct FlashSource {
  /// The location of the element, or of the background; `nil` if several elements without a common
  /// parent change.
  private(set) var span: SourceSpan?
  private(set) var name: String?

  private let peak: FlashFinding.Peak
  private let size: PixelSize
  private let grid: FlashGrid
  /// The lines of changed cells of each visited element.
  private var changes: [ObjectIdentifier: Set<Int>] = [:]
  private var frames: [[ObjectIdentifier: [State]]] = []

  /// The part of an element that is compared.
  private struct State: Equatable {
    let ops: [DrawOp]
    let opacity: Double
    let box: Rect
  }

  init(_ peak: FlashFinding.Peak, _ film: Film) {
    self.peak = peak
    size = film.model.size
    grid = FlashGrid(for: film.drawing.views.first?.size ?? size)
    var lowerer = Lowerer(film.model, metrics: film.metrics)
    var backgrounds: [Paint?] = []
    for frame in [peak.before, peak.frame] {
      var states: [ObjectIdentifier: [State]] = [:]
      for placement in lowerer.placements(frame: frame) {
        states[ObjectIdentifier(placement.element), default: []].append(
          State(
            ops: placement.opsInFrame, opacity: lowerer.value(placement.element.opacity),
            box: lowerer.box(of: placement)))
      }
      frames.append(states)
      backgrounds.append(lowerer.lower(frame: frame).background)
    }
    if let cause = cause(in: film.model.elements) {
      span = cause.span
      name = cause.name ?? cause.kind
    } else if backgrounds[0] != backgrounds[1] {
      span = film.model.places.background
      name = "background"
    }
  }

  /// Returns the innermost element that covers most of the changed cells together with its
  /// descendants, or that changes itself.
  private mutating func cause(in elements: [ElementModel]) -> ElementModel? {
    var found: ElementModel?
    var elements = elements
    while true {
      var best: (element: ElementModel, count: Int)?
      for element in elements {
        let count = changed(in: element).count
        if count > best?.count ?? 0 { best = (element, count) }
      }
      guard let best, best.count * 5 >= peak.cells.count * 4 else { return found }
      found = best.element
      if changesItself(best.element) { return found }
      elements = best.element.children
    }
  }

  /// Returns whether the element is shown in one of the frames only, or with different opacities.
  private func fades(_ element: ElementModel) -> Bool {
    let states = frames.map { $0[ObjectIdentifier(element)] ?? [] }
    return states[0].map(\.opacity) != states[1].map(\.opacity)
  }

  private func changesItself(_ element: ElementModel) -> Bool {
    let id = ObjectIdentifier(element)
    return fades(element) || frames[0][id]?.map(\.ops) != frames[1][id]?.map(\.ops)
  }

  /// Returns the flashing cells in which an element or a descendant changes.
  private mutating func changed(in element: ElementModel) -> Set<Int> {
    let id = ObjectIdentifier(element)
    if let known = changes[id] { return known }
    var cells: Set<Int> = []
    if fades(element) {
      cells = covered(by: element)
    } else {
      if changesItself(element) { cells = own(element) }
      for child in element.children { cells.formUnion(changed(in: child)) }
    }
    changes[id] = cells
    return cells
  }

  private func covered(by element: ElementModel) -> Set<Int> {
    element.children.reduce(own(element)) { $0.union(covered(by: $1)) }
  }

  /// Returns the flashing cells in the boxes of an element.
  private func own(_ element: ElementModel) -> Set<Int> {
    let boxes = frames.flatMap { ($0[ObjectIdentifier(element)] ?? []).map(\.box) }
    guard !boxes.isEmpty else { return [] }
    return Set(
      peak.cells.filter { cell in
        let x = (Double(cell % grid.columns) + 0.5) / Double(grid.columns) * Double(size.width)
        let y = (Double(cell / grid.columns) + 0.5) / Double(grid.rows) * Double(size.height)
        return boxes.contains { x >= $0.x && x <= $0.maxX && y >= $0.y && y <= $0.maxY }
      })
  }
}
