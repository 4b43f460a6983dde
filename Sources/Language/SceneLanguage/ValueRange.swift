// SPDX-License-Identifier: MIT

/// The values that a number may have.
package struct ValueRange: Hashable, Sendable {
  private let least: Double
  private let most: Double
  /// Whether `least` itself is excluded.
  private let isOpen: Bool

  private init(least: Double, most: Double, isOpen: Bool) {
    self.least = least
    self.most = most
    self.isOpen = isOpen
  }

  package static func atLeast(_ least: Double) -> ValueRange {
    ValueRange(least: least, most: .infinity, isOpen: false)
  }

  package static func above(_ least: Double) -> ValueRange {
    ValueRange(least: least, most: .infinity, isOpen: true)
  }

  package static func between(_ least: Double, _ most: Double) -> ValueRange {
    ValueRange(least: least, most: most, isOpen: false)
  }

  package func contains(_ value: Double) -> Bool {
    (isOpen ? value > least : value >= least) && value <= most
  }

  /// The words after "must be".
  package var description: String {
    func text(_ value: Double) -> String {
      Int(exactly: value).map { String($0) } ?? String(value)
    }
    if most.isFinite { return "between \(text(least)) and \(text(most))" }
    return "\(isOpen ? "above" : "at least") \(text(least))"
  }
}
