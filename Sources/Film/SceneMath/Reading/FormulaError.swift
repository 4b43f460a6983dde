// SPDX-License-Identifier: MIT

/// A syntax error of a formula: its byte range and a fix.
package struct FormulaError: Error, Hashable, Sendable {
  package let message: String
  package let range: Range<Int>
  package let label: String
  /// The replacement for the bytes of the range.
  package let fix: String?

  init(_ message: String, at range: Range<Int>, label: String = "", fix: String? = nil) {
    self.message = message
    self.range = range
    self.label = label
    self.fix = fix
  }
}
