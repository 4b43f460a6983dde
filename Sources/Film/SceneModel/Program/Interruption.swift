// SPDX-License-Identifier: MIT

/// Tracks whether an evaluation has been canceled; checked before each step that may take long.
final class Interruption {
  private let isUnwanted: () -> Bool
  /// Whether the evaluation was canceled, so that values computed since then must not be used.
  private(set) var isOver = false

  init(_ isUnwanted: @escaping () -> Bool) { self.isUnwanted = isUnwanted }

  func ask() -> Bool {
    if !isOver { isOver = isUnwanted() }
    return isOver
  }
}
