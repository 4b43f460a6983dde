// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneModel

// Texts on paths.
extension Composition {
  /// The minimum length by which a text must exceed its path, as a fraction of the font size. A
  /// letter is drawn if its middle is on the path.
  private static let leastExcess = 0.4

  /// Reports a text at rest with letters beyond the ends of its path, which are not drawn.
  mutating func judgeLine(_ shown: Shown, at time: Ticks) {
    guard case .text(let text, _, _, let units?) = shown.element.drawing, let along = units.along,
      units.alongStart.constantValue != nil, text.isConstant, along.isConstant
    else { return }
    let block = evaluator.block(text)
    let size = block.runs.map(\.font.size).max() ?? 0
    let width = boxes.extents.extent(of: shown.element) { metrics.measure(block) }.width
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
