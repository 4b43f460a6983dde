// SPDX-License-Identifier: MIT

/// One thing that is wrong with a formula: where in its bytes, and what to write in its place.
package struct FormulaFault: Error, Hashable, Sendable {
  package let message: String
  package let range: Range<Int>
  package let label: String
  /// What the bytes of the range are to be replaced with.
  package let fix: String?

  init(_ message: String, at range: Range<Int>, label: String = "", fix: String? = nil) {
    self.message = message
    self.range = range
    self.label = label
    self.fix = fix
  }
}
