// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneText
import SceneTypes

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

  /// Reports the first known number in the value of a property that is outside a range.
  func check(_ value: Value, of property: Property, in range: ValueRange, at span: SourceSpan) {
    guard let wrong = textOutside(range, of: value) else { return }
    _ = report(
      .outOfRange, "'\(property.name)' must be \(range.description), found \(wrong)", at: span)
  }

  /// Returns the first known number in a value that is outside a range, as in a scene file. Returns
  /// `nil` if all known numbers are inside. The sum of a length and a percentage is unknown, since
  /// it depends on the reference length.
  func textOutside(_ range: ValueRange, of value: Value) -> String? {
    let format = NumberFormat()
    switch opened(value) {
    case .quantity(let number, .none):
      return valueOutside(range, of: number).map { format.text($0) }
    case .quantity(let degrees, .angle):
      return valueOutside(range, of: degrees).map { format.text($0) + "deg" }
    case .percent(let share):
      return valueOutside(range, of: share).map { format.text($0 * 100) + "%" }
    case .pair(let first, let second), .range(let first, let second):
      return textOutside(range, of: first) ?? textOutside(range, of: second)
    case .list(let items): return items.lazy.compactMap { self.textOutside(range, of: $0) }.first
    default: return nil
    }
  }
}
