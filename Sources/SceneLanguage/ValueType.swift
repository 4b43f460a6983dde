// SPDX-License-Identifier: MIT

/// A type of values, by the name that declarations, functions and the manual have for it.
package enum ValueType: String, CaseIterable, Sendable {
  case number, percent, length, time, angle, gain, rate, pair, color, text
  case bool, path, image, paint, easing, effect, transition, list, range, record
  // Those that only functions take or give.
  case value, element, word, filter, shadow, stop, function

  /// Whether a declaration may name it, as in `param size: length`.
  package var isDeclarable: Bool {
    switch self {
    case .value, .element, .word, .filter, .shadow, .stop, .function: false
    default: true
    }
  }

  package static let declarable = allCases.filter(\.isDeclarable)

  /// The type that a declaration names; `nil` where there is no such type.
  package init?(declared name: String) {
    guard let type = ValueType(rawValue: name), type.isDeclarable else { return nil }
    self = type
  }

  /// "a length", "an angle".
  package var description: String {
    switch self {
    case .color: "a color"
    case .angle, .easing, .image, .effect, .element: "an \(rawValue)"
    default: "a \(rawValue)"
    }
  }
}
