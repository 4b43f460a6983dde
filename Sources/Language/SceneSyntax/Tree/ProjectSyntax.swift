// SPDX-License-Identifier: MIT

/// `project { … }`, the settings that all scenes below a folder share.
///
/// The root folder and the limits apply before the file is checked, so they must be literals.
package struct ProjectSyntax: Sendable {
  package let element: ElementSyntax

  /// Reads the first project that a file declares; returns `nil` if there is none.
  package init?(_ tree: SyntaxTree) {
    for case .project(let element) in declarations(of: tree) {
      self.init(element)
      return
    }
    return nil
  }

  package init(_ element: ElementSyntax) {
    self.element = element
  }

  /// Returns the value of a property, or `nil` if it is not set.
  package func value(of name: String) -> Expression? {
    for case .property(let it) in element.items where it.name.text == name { return it.value }
    return nil
  }

  /// The value of `root`; `nil` if it is not set.
  package var root: Expression? { value(of: "root") }

  /// The items of `fonts`: the names of font files, or patterns for them.
  package var fonts: [Expression] {
    guard let value = value(of: "fonts") else { return [] }
    if case .list(let items) = value.kind { return items }
    return [value]
  }

  /// The items of `params`.
  package var params: [Argument] { value(of: "params")?.fields ?? [] }

  /// The items of `limits`.
  package var limits: [Argument] { value(of: "limits")?.fields ?? [] }

  /// The limits with literal values, by name.
  package var literalLimits: [String: Double] {
    var all: [String: Double] = [:]
    for field in limits {
      guard let name = field.name, all[name.text] == nil else { continue }
      all[name.text] = field.value.literalNumber
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
