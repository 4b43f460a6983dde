// SPDX-License-Identifier: MIT

/// Whether an evaluation is still wanted; asked before each step that may take long.
final class Interruption {
  private let isUnwanted: () -> Bool
  /// Whether an answer was yes: values that were computed since are not to be used.
  private(set) var isOver = false

  init(_ isUnwanted: @escaping () -> Bool) { self.isUnwanted = isUnwanted }

  func ask() -> Bool {
    if !isOver { isOver = isUnwanted() }
    return isOver
  }
}
