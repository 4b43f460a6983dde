// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneModel

extension Composition {
  /// Finds overlapping texts by comparing each text with the earlier ones that share a cell of the
  /// canvas.
  mutating func compare(_ texts: [Shown], on canvas: Rect, _ grounds: [Ground]) {
    let cells = 24
    var held: [[Int]] = Array(repeating: [], count: cells * cells)
    func range(from: Double, length: Double, of whole: Double) -> ClosedRange<Int> {
      func cell(_ x: Double) -> Int { max(0, min(cells - 1, Int(x / whole * Double(cells)))) }
      return cell(from)...cell(from + length)
    }
    // The box of a text on a path is that of the straight text.
    for (index, text) in texts.enumerated() where !text.isOnPath {
      let part = text.box.intersection(canvas)
      guard !part.isEmpty, pairCount <= Composition.greatestPairs else { continue }
      let columns = range(from: part.x, length: part.width, of: canvas.width)
      for row in range(from: part.y, length: part.height, of: canvas.height) {
        for cell in columns.map({ row * cells + $0 }) {
          if found[text.element.span] == nil, pairs.count < 100,
            let other = held[cell].first(where: { isOver(text, texts[$0], grounds: grounds) })
          {
            pairs.append(TextPair(upper: text, lower: texts[other]))
          }
          held[cell].append(index)
        }
      }
    }
  }

  mutating func reportOver(_ pair: TextPair, at time: Ticks) {
    // The rounds of a loop and captions share a source location.
    let isOne = pair.lower.element.span == pair.upper.element.span
    report(
      .textOverText, "this text overlaps another", on: pair.upper.element, at: time,
      label: isOne
        ? "\"\(beginning(of: pair.upper))\" is above \"\(beginning(of: pair.lower))\"" : "",
      notes: [Note("the text below", at: pair.lower.element.span)])
  }

  /// Returns the first characters of a text.
  private func beginning(of shown: Shown) -> String {
    let words = visible(letters(of: shown).split(separator: "\n").joined(separator: " "))
    return words.count > 30 ? "\(words.prefix(29))…" : words
  }

  /// Returns whether two boxes overlap by more than 30% of the smaller one.
  func covers(_ a: Rect, _ b: Rect) -> Bool {
    let least = min(a.area, b.area)
    return least > 0 && a.intersection(b).area > 0.3 * least
  }

  /// Returns the bounds of a text's glyphs, or the box of its lines if the glyphs have no outlines.
  func ink(of shown: Shown) -> Rect {
    boxes.ink(of: shown.element, evaluator).map(shown.map.apply) ?? shown.box
  }

  /// Returns whether a text covers a substantial part of another.
  private mutating func isOver(_ text: Shown, _ other: Shown, grounds: [Ground]) -> Bool {
    pairCount += 1
    guard pairCount <= Composition.greatestPairs, covers(text.box, other.box),
      !text.isPartial, !other.isPartial
    else { return false }
    // Computing the outlines of two texts costs as much as comparing many boxes.
    pairCount += 50
    guard covers(ink(of: text), ink(of: other)) else { return false }
    // No report is needed if an opaque layer between the texts hides the lower one.
    let common = text.box.intersection(other.box)
    let isHidden = grounds[
      min(other.groundCount, grounds.count)..<min(text.groundCount, grounds.count)
    ]
    .contains {
      $0.box.intersection(common).area >= 0.9 * common.area && paint(of: $0).isOpaque
    }
    // A copy of the same text is a border, an echo or a glitch effect.
    let hasBox = text.element.lineBoxes?.paint.isOpaque(evaluator) == true
    return !isHidden && !hasBox && !hasHalo(text) && letters(of: text) != letters(of: other)
  }

  /// Returns whether a text has an outline that keeps it legible on any background.
  private func hasHalo(_ shown: Shown) -> Bool {
    guard case .text(let text, let paints, _, _) = shown.element.drawing else { return false }
    let size = text.runs.map { evaluator($0.size) }.max() ?? 0
    return !paints.isEmpty
      && paints.allSatisfy { paint in
        guard let stroke = paint.stroke, case .color(let color) = stroke.paint else { return false }
        return paint.fill != nil && paint.strokeIsFirst && evaluator.color(color).alpha >= 1
          && evaluator(stroke.width) >= 0.1 * size
      }
  }

  private func letters(of shown: Shown) -> String {
    guard case .text(let text, _, _, _) = shown.element.drawing else { return "" }
    return evaluator.block(text).string
  }
}

extension Composition.Shown {
  /// Whether only some tokens of the text are drawn, as in code that changes.
  var isPartial: Bool {
    guard case .text(_, let paints, _, _) = element.drawing else { return false }
    return paints.contains { paint in
      guard case .color(let color)? = paint.fill else { return paint.stroke == nil }
      return color.alpha.constantValue == nil
    }
  }

  /// Whether the text follows a path.
  var isOnPath: Bool {
    guard case .text(_, _, _, let units?) = element.drawing else { return false }
    return units.along != nil
  }
}
