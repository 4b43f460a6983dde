// SPDX-License-Identifier: MIT
import SceneModel

/// How large the texts are that never change: each is measured once.
final class TextExtents {
  /// By their elements, which the model holds; `nil` for one that changes.
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
