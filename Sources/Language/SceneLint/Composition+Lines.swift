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
  /// Half the height of small letters, as a fraction of the font size.
  private static let middle = 0.26

  /// Reports a text at rest with letters beyond the ends of its path, which are not drawn.
  mutating func judgeLine(_ shown: Shown, at time: Ticks) {
    guard case .text(let text, _, _, let units?) = shown.element.drawing, let along = units.along,
      units.alongStart.constantValue != nil, text.isConstant, along.isConstant
    else { return }
    let block = evaluator.block(text)
    let size = block.runs.map(\.font.size).max() ?? 0
    let width = extents.extent(of: shown.element) { metrics.measure(block) }.width
    let line = LetterLine(
      evaluator.path(along), height: size * Composition.middle, fontSize: size,
      isRounded: units.isBent)
    let whole = line.position(atShare: 1)
    var start = line.position(atShare: evaluator(units.alongStart))
    switch block.align {
    case .left: break
    case .justify: start -= block.direction == .rightToLeft ? width : 0
    case .center: start -= width / 2
    case .right: start -= width
    }
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

extension PathModel {
  /// Whether no number of the path changes over time.
  fileprivate var isConstant: Bool {
    var isConstant = true
    forEachScalar { if $0.constantValue == nil { isConstant = false } }
    return isConstant
  }
}
