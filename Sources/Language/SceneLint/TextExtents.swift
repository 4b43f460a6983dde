// SPDX-License-Identifier: MIT
import SceneModel

/// Caches the extents of constant texts.
final class TextExtents {
  /// The extents by element; `nil` for a variable text. The model keeps the elements alive.
  private var known: [ObjectIdentifier: TextExtent?] = [:]

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
}
