// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

/// Computes the boxes of elements at the time of an evaluator.
///
/// Warnings and expectations use the same boxes. Filters, shadows, clips and masks do not change
/// the box of an element.
struct ElementBoxes {
  let metrics: any TextMetrics
  let extents = TextExtents()

  /// Returns the union of the bounds of a drawing and of the boxes of its lines, in the element's
  /// own coordinates; `nil` if nothing is drawn.
  func bounds(of element: ElementModel, _ evaluator: Evaluator) -> Rect? {
    let own = ownBounds(of: element, evaluator)
    // A method reference would copy the evaluator.
    guard let lines = element.lineBoxes, let boxes = evaluator.bounds(lines) else { return own }
    return own?.union(boxes) ?? boxes
  }

  private func ownBounds(of element: ElementModel, _ evaluator: Evaluator) -> Rect? {
    switch element.drawing {
    case .nothing: return nil
    case .particles(let particles):
      return particles.field.area > 0 ? visible(particles.field.extent) : nil
    case .text(let text, _, _, let units):
      if let line = units?.letters(of: text, .box) {
        return bounds(text, on: line, of: element, evaluator)
      }
      let extent = extents.extent(of: element) { metrics.measure(evaluator.block(text)) }
      return extent.height > 0 ? Rect(x: 0, y: 0, width: extent.width, height: extent.height) : nil
    case .image(_, _, _, let to), .clip(_, _, let to):
      return Rect(
        x: evaluator(to[0]), y: evaluator(to[1]), width: evaluator(to[2]), height: evaluator(to[3]))
    case .arrow(let path, _, _, _): return evaluator.bounds(.path(path)).insetBy(-4)
    case .outline(_, nil, nil, _, _, _): return nil
    // Paints are large values that are not needed here.
    case .outline(let outline, _, nil, _, _, _): return visible(evaluator.bounds(outline))
    case .outline(let outline, _, let stroke?, _, _, _):
      return visible(evaluator.bounds(outline).insetBy(-max(0.5, evaluator(stroke.width) / 2)))
    }
  }

  private func visible(_ box: Rect) -> Rect? { box.width > 0 && box.height > 0 ? box : nil }

  /// Returns the bounds of a text on a path in its own coordinates, or those of the path for a text
  /// at rest beyond it; `nil` for a text that moves along the path and is beyond it.
  private func bounds(
    _ text: TextModel, on line: LetterPathModel, of element: ElementModel, _ evaluator: Evaluator
  ) -> Rect? {
    let isFixed = text.isConstant && line.path.isConstant && line.start.constantValue != nil
    let box = extents.box(of: element, isFixed: isFixed) { evaluator.letters(line).bounds }
    if !box.isEmpty { return box }
    let path = isFixed ? evaluator.path(line.path).bounds : .empty
    return path.isEmpty ? nil : path.insetBy(-1)
  }

  /// Returns the bounds of a text's glyphs in its own coordinates; `nil` for other drawings and for
  /// glyphs without outlines.
  func ink(of element: ElementModel, _ evaluator: Evaluator) -> Rect? {
    guard case .text(let text, _, _, let units) = element.drawing else { return nil }
    let line = units?.letters(of: text, .glyphs)
    let isFixed =
      text.isConstant
      && (line == nil || line?.path.isConstant == true && line?.start.constantValue != nil)
    let box = extents.ink(of: element, isFixed: isFixed) {
      line.map { evaluator.letters($0).bounds } ?? metrics.outline(of: evaluator.block(text)).bounds
    }
    return box.isFinite && box.area > 0 ? box : nil
  }

  /// The fraction of a glyph that a box must contain to be behind it. Letters such as `j` can
  /// extend beyond their line.
  private static let boxedShare = 0.9

  /// Returns whether each visible glyph of a text is in front of a box of the text's lines. The
  /// boxes stay in place when units of the text move, and they ignore shifts of the baseline.
  func areBehindGlyphs(of element: ElementModel, _ evaluator: Evaluator) -> Bool {
    guard let lines = element.lineBoxes, case .text(let text, _, _, let units) = element.drawing
    else { return false }
    if let units, evaluator.moves(units) { return false }
    // The paint does not matter.
    let isFixed =
      text.isConstant
      && [lines.paddingX, lines.paddingY].allSatisfy {
        $0.pixels.constantValue != nil && $0.share.constantValue != nil
      }
    return extents.isBoxed(element, isFixed: isFixed) {
      let boxes = evaluator.boxes(lines)
      return metrics.glyphs(of: evaluator.block(text)).allSatisfy { glyph in
        let ink = glyph.outline.bounds
        guard ink.area > 0 else { return true }
        let inside = boxes.map { $0.intersection(ink).area }.max() ?? 0
        return inside >= ElementBoxes.boxedShare * ink.area
      }
    }
  }

  /// Returns bounds of the glyphs of a formula and its parts, in the coordinates of the formula;
  /// `nil` if nothing is drawn.
  ///
  /// Parts that are fading in or out are excluded.
  func formulaBounds(of element: ElementModel, at time: Ticks, _ evaluator: Evaluator) -> Rect? {
    var box = bounds(of: element, evaluator)
    let content = evaluator.affine(element.content)
    for child in element.children
    where child.start <= time && time < child.end && evaluator(child.visible) != 0
      && evaluator(child.opacity) >= 0.99
    {
      let map = content.concat(evaluator.affine(of: child))
      guard let part = formulaBounds(of: child, at: time, evaluator).map(map.apply) else {
        continue
      }
      box = box?.union(part) ?? part
    }
    return box
  }
}

extension Evaluator {
  /// Returns whether a visible unit of a text is not at its position in the text layout.
  fileprivate func moves(_ model: TextUnitsModel) -> Bool {
    model.units.contains { isMoved($0) } || model.spans.contains { isMoved($0.unit) }
  }

  private func isMoved(_ unit: TextUnitsModel.Unit) -> Bool {
    if self(unit.opacity) <= 0 { return false }
    let map = affine(unit.map)
    if map != .identity || self(unit.shift.x) != 0 || self(unit.shift.y) != 0 { return true }
    guard let depth = unit.depth else { return false }
    return space(unit.map, depth) != SpaceMap(map)
  }
}
