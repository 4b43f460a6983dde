// SPDX-License-Identifier: MIT

/// A type of values, with its name in declarations, functions and the manual.
package enum ValueType: String, CaseIterable, Sendable {
  case number, percent, length, time, angle, gain, rate, pair, color, text
  case bool, path, image, paint, easing, effect, transition, list, range, record
  // Types that occur only as parameters or results of functions.
  case value, element, word, filter, shadow, stop, function

  /// Whether a declaration may use the type, as in `param size: length`.
  package var isDeclarable: Bool {
    switch self {
    case .value, .element, .word, .filter, .shadow, .stop, .function: false
    default: true
    }
  }

  package static let declarable = allCases.filter(\.isDeclarable)

  /// Creates the type with a declared name; `nil` if the name is unknown.
  package init?(declared name: String) {
    guard let type = ValueType(rawValue: name), type.isDeclarable else { return nil }
    self = type
  }

  /// The type with an article: "a length", "an angle"; for `bool`, its values.
  package var description: String {
    switch self {
    case .bool: "true or false"
    case .color: "a color"
    case .angle, .easing, .image, .effect, .element: "an \(rawValue)"
    default: "a \(rawValue)"
    }
  }
}
