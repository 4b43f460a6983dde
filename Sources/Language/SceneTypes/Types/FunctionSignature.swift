// SPDX-License-Identifier: MIT
package import SceneLanguage

/// The signature of a built-in function.
package struct FunctionSignature: Sendable {
  /// A parameter of a built-in function.
  package struct Parameter: Sendable {
    package let name: String
    package let type: ValueType
    package let isOptional: Bool
    /// Whether the parameter is variadic.
    package let isMany: Bool
    /// The words that take precedence over names in the argument.
    package let words: Set<String>

    package init(
      name: String, type: ValueType, isOptional: Bool, isMany: Bool, words: Set<String> = []
    ) {
      self.words = words
      self.name = name
      self.type = type
      self.isOptional = isOptional
      self.isMany = isMany
    }

    package var isNeeded: Bool { !isOptional && !isMany }

    /// The parameter in messages, such as `share`, `seed?` or `values…`.
    package var description: String { name + (isMany ? "…" : isOptional ? "?" : "") }
  }

  package let name: String
  package let parameters: [Parameter]
  package let result: ValueType

  package init(name: String, parameters: [Parameter], result: ValueType) {
    self.name = name
    self.parameters = parameters
    self.result = result
  }

  /// Whether the first parameter is variadic.
  package var takesMany: Bool { parameters.first?.isMany == true }

  /// The signature for messages: `clamp(x, low, high)`.
  package var description: String {
    "\(name)(\(parameters.map(\.description).joined(separator: ", ")))"
  }
}

extension ValueType {
  /// The type of a value of the declared type.
  package var type: Type {
    switch self {
    case .number: .number
    case .percent: .percent
    case .length: .length
    case .time: .time
    case .angle: .angle
    case .gain: .quantity(.gain)
    case .rate: .quantity(.rate)
    case .pair: .pair(.unknown, .unknown)
    case .color: .color
    case .text, .image: .text
    case .bool: .bool
    // An element is accepted as its outline. It remains an element, since operations on paths
    // require its position.
    case .path: .either([.path, .element(ElementType(kind: nil, body: nil))])
    case .paint: .either([.color, .gradient, .pattern, .brush, .none])
    case .easing: .easing
    case .list: .anyList
    case .range: .range(.unknown, .unknown)
    case .record: .record(.any)
    case .filter: .filter
    case .shadow: .shadow
    case .stop: .stop
    case .function: .function
    case .effect, .transition, .value, .element, .word: .unknown
    }
  }
}
