// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneModel

// Texts on paths.
extension Composition {
  /// The part of a font size by which a text must exceed its path. A letter is drawn if its middle is
  /// on the path.
  private static let leastExcess = 0.4

  /// Returns the bounds of a text on a path in its own coordinates, or those of the path for a text at
  /// rest beyond it; `nil` for a text that moves along the path and is beyond it.
  func bounds(_ text: TextModel, on line: LetterPathModel, of element: ElementModel) -> Rect? {
    let isFixed = text.isConstant && line.path.isConstant && line.start.constantValue != nil
    let box = extents.box(of: element, isFixed: isFixed) { evaluator.letters(line).bounds }
    if !box.isEmpty { return box }
    let path = isFixed ? evaluator.path(line.path).bounds : .empty
    return path.isEmpty ? nil : path.insetBy(-1)
  }

  /// Reports a text at rest with letters beyond the ends of its path, which are not drawn.
  mutating func judgeLine(_ shown: Shown, at time: Ticks) {
    guard case .text(let text, _, _, let units?) = shown.element.drawing, let along = units.along,
      units.alongStart.constantValue != nil, text.isConstant, along.isConstant
    else { return }
    let block = evaluator.block(text)
    let size = block.runs.map(\.font.size).max() ?? 0
    let width = extents.extent(of: shown.element) { metrics.measure(block) }.width
    let share = evaluator(units.alongStart)
    let line = LetterLine(
      text: block,
      along: TextLine(path: evaluator.path(along), start: share, isBent: units.isBent))
    let whole = line.position(atShare: 1)
    let start = line.start(of: block, width: width, from: share)
    let excess = size * Composition.leastExcess
    let isCut = (start: start < -excess, end: start + width > whole + excess)
    guard size > 0, whole > 0, isCut.start || isCut.end else { return }
    let format = NumberFormat()
    let isLonger = width > whole
    report(
      .textBeyondPath,
      isLonger ? "the text is longer than its path" : "the text does not fit on its path",
      on: shown.element,
      label: isCut.start && isCut.end
        ? "its first and last letters are not drawn"
        : "its \(isCut.start ? "first" : "last") letters are not drawn",
      notes: [
        Note(
          help: isLonger
            ? "the text is \(format.text(width.rounded())) px long and the path \(format.text(whole.rounded())) px; reduce 'font-size' or extend the path"
            : "change 'start-offset' or 'align'")
      ])
  }
}
