// SPDX-License-Identifier: MIT

/// `project { … }`, the settings that all scenes below a folder share.
///
/// The root folder and the limits apply before the file is checked, so they must be literals.
package struct ProjectSyntax: Sendable {
  package let element: ElementSyntax
  /// The value of `root`.
  package let root: Expression?
  /// The value of `limits`.
  package let limits: Expression?
  /// The items of `params`.
  package let params: [Argument]

  /// Returns the first project that a file declares, or `nil`.
  package init?(_ tree: SyntaxTree) {
    for case .project(let element) in declarations(of: tree) {
      self.init(element)
      return
    }
    return nil
  }

  package init(_ element: ElementSyntax) {
    self.element = element
    func value(_ name: String) -> Expression? {
      for case .property(let it) in element.items where it.name.text == name { return it.value }
      return nil
    }
    root = value("root")
    limits = value("limits")
    params = value("params")?.fields ?? []
  }

  /// The limits with literal values, by name.
  package var literalLimits: [String: Double] {
    var all: [String: Double] = [:]
    for field in limits?.fields ?? [] {
      if let name = field.name, let number = field.value.literalNumber { all[name.text] = number }
    }
    return all
  }
}

extension Expression {
  /// The text of a string without interpolated values, or `nil`.
  package var literalText: String? {
    guard case .text(let parts) = kind else { return nil }
    if parts.isEmpty { return "" }
    guard parts.count == 1, case .literal(let text) = parts[0] else { return nil }
    return text
  }

  /// The value of a number without a unit, or `nil`.
  package var literalNumber: Double? {
    if case .number(let value, nil) = kind { value } else { nil }
  }

  /// The fields of a record, or `nil` for any other expression.
  package var fields: [Argument]? { if case .record(let fields) = kind { fields } else { nil } }
}
