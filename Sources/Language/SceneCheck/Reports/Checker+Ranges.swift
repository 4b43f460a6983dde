// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneModel
import SceneText

/// The values that a number may have.
struct ValueRange {
  private let least: Double
  private let most: Double
  /// Whether `least` itself is excluded.
  private let isOpen: Bool

  static func atLeast(_ least: Double) -> ValueRange {
    ValueRange(least: least, most: .infinity, isOpen: false)
  }

  static func above(_ least: Double) -> ValueRange {
    ValueRange(least: least, most: .infinity, isOpen: true)
  }

  static func between(_ least: Double, _ most: Double) -> ValueRange {
    ValueRange(least: least, most: most, isOpen: false)
  }

  func contains(_ value: Double) -> Bool {
    (isOpen ? value > least : value >= least) && value <= most
  }

  /// The words after "must be".
  var description: String {
    let format = NumberFormat()
    if most.isFinite { return "between \(format.text(least)) and \(format.text(most))" }
    return "\(isOpen ? "above" : "at least") \(format.text(least))"
  }
}

// Ranges of values. The values at the ends of motions are checked like constants; other variable
// values are clamped in each frame.
extension Checker {
  /// Returns the first known value of a scalar that is outside a range: the constant, or a value at
  /// an end of a motion. Returns `nil` if all known values are inside.
  func valueOutside(_ range: ValueRange, of scalar: Scalar) -> Double? {
    builder.endValues(of: scalar).first { !range.contains($0) }
  }

  /// Reports the first known value of scalars that is outside a range. Returns whether all known
  /// values are in the range.
  @discardableResult
  func check(
    _ scalars: [Scalar], _ name: String, in range: ValueRange, at span: SourceSpan,
    help: String? = nil
  ) -> Bool {
    let wrong = scalars.lazy.compactMap { self.valueOutside(range, of: $0) }.first
    guard let wrong else { return true }
    _ = report(
      .outOfRange, "\(name) must be \(range.description), found \(NumberFormat().text(wrong))",
      at: span, help: help)
    return false
  }
}
