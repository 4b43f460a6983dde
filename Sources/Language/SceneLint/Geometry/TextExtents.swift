// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel

/// Caches the extents of constant texts.
final class TextExtents {
  /// The extents by element; `nil` for a variable text. The model keeps the elements alive.
  private var known: [ObjectIdentifier: TextExtent?] = [:]

  /// The boxes of texts that rest on a path, by element.
  private var boxes: [ObjectIdentifier: Rect] = [:]

  /// The boxes of the glyphs of constant texts, by element.
  private var inks: [ObjectIdentifier: Rect] = [:]

  /// Whether the glyphs of constant texts are in front of the boxes of their lines, by element.
  private var boxed: [ObjectIdentifier: Bool] = [:]

  func extent(of element: ElementModel, _ measure: () -> TextExtent) -> TextExtent {
    switch known[ObjectIdentifier(element)] {
    case .some(let extent?): return extent
    case .some(nil): return measure()
    case nil:
      let extent = measure()
      let isFixed =
        if case .text(let text, _, _, _) = element.drawing { text.isConstant } else { false }
      known[ObjectIdentifier(element)] = .some(isFixed ? extent : nil)
      return extent
    }
  }

  /// Returns the box of a text on a path. The box of a text at rest is cached.
  func box(of element: ElementModel, isFixed: Bool, _ measure: () -> Rect) -> Rect {
    if let box = boxes[ObjectIdentifier(element)] { return box }
    let box = measure()
    if isFixed { boxes[ObjectIdentifier(element)] = box }
    return box
  }

  /// Returns the box of the glyphs of a text. That of a constant text is cached.
  func ink(of element: ElementModel, isFixed: Bool, _ measure: () -> Rect) -> Rect {
    if let box = inks[ObjectIdentifier(element)] { return box }
    let box = measure()
    if isFixed { inks[ObjectIdentifier(element)] = box }
    return box
  }

  /// Returns whether the glyphs of a text are in front of the boxes of its lines. The result for
  /// a constant text is cached.
  func isBoxed(_ element: ElementModel, isFixed: Bool, _ compare: () -> Bool) -> Bool {
    if let known = boxed[ObjectIdentifier(element)] { return known }
    let isBoxed = compare()
    if isFixed { boxed[ObjectIdentifier(element)] = isBoxed }
    return isBoxed
  }
}
