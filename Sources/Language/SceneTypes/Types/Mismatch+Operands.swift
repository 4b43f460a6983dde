// SPDX-License-Identifier: MIT
package import SceneDiagnostics
package import SceneSyntax
package import SceneText

// Operands that cannot be combined, with fixes for literals.
extension Mismatch {
  /// Returns "a and b cannot be added", with advice, and with a fix for some literals.
  ///
  /// - Parameters:
  ///   - verb: The participle of the operation, such as "added".
  ///   - a: The left operand with its type.
  ///   - b: The right operand with its type.
  ///   - descriptions: The operands in the message, with articles.
  ///   - source: Returns the source text at a span.
  package static func combination(
    _ verb: String, of a: (Expression, Type), and b: (Expression, Type),
    descriptions: (String, String), at span: SourceSpan, source: (SourceSpan) -> String
  ) -> Diagnostic {
    let diagnostic = combination(
      verb, of: a.1, and: b.1, descriptions: descriptions, at: span)
    let (operands, types) = ((a.0, b.0), (a.1, b.1))
    let fixed: Diagnostic? =
      switch verb {
      case "compared": comparison(diagnostic, of: operands, types: types)
      case "added": sum(diagnostic, of: operands, types: types, sign: "+", source: source)
      case "subtracted": sum(diagnostic, of: operands, types: types, sign: "-", source: source)
      default: nil
      }
    return fixed ?? member(diagnostic, of: operands, types: types, source: source) ?? diagnostic
  }

  /// Returns the error with the member of an element that can be combined with the other operand,
  /// as in `card.end + 1s`; `nil` for other operands.
  private static func member(
    _ diagnostic: Diagnostic, of operands: (Expression, Expression), types: (Type, Type),
    source: (SourceSpan) -> String
  ) -> Diagnostic? {
    let sides = [(operands.0, types), (operands.1, (types.1, types.0))]
    for (e, (type, other)) in sides {
      guard case .element = type, e.isAtom else { continue }
      let isPair = if case .pair = other { true } else { false }
      guard isPair || other == .time else { continue }
      let written = "\(source(e.span)).\(isPair ? "center" : "end")"
      return diagnostic.fixing("write \(written)", replacing: e.span, with: written, isSafe: false)
    }
    return nil
  }

  /// Returns the fix for a number in quotes that is compared with a number, or `nil`.
  private static func comparison(
    _ diagnostic: Diagnostic, of operands: (Expression, Expression), types: (Type, Type)
  ) -> Diagnostic? {
    let sides = [(operands.0, types), (operands.1, (types.1, types.0))]
    for (e, (type, other)) in sides where type == .text && other == .number {
      guard let text = e.literalText else { continue }
      // A contrast is often written as a ratio, such as 4.5:1.
      let number = text.hasSuffix(":1") ? String(text.dropLast(2)) : text
      guard Double(number) != nil else { continue }
      var plain = diagnostic
      plain.notes = []
      return plain.fixing("write \(number)", replacing: e.span, with: number)
    }
    return nil
  }

  /// Returns the fix for a percentage or a number plus a pair, or `nil`: `100% + (40, 20)` is
  /// `(100% + 40, 100% + 20)`.
  private static func sum(
    _ diagnostic: Diagnostic, of operands: (Expression, Expression), types: (Type, Type),
    sign: String, source: (SourceSpan) -> String
  ) -> Diagnostic? {
    var parts: [String]?
    if types.0.isAmount, case .pair = types.1, case .pair(let x, let y) = operands.1.kind {
      parts = [x, y].map { "\(source(operands.0.span)) \(sign) \(source($0.span))" }
    } else if types.1.isAmount, case .pair = types.0, case .pair(let x, let y) = operands.0.kind {
      parts = [x, y].map { "\(source($0.span)) \(sign) \(source(operands.1.span))" }
    }
    guard let parts, operands.0.isAtom, operands.1.isAtom else { return nil }
    let pair = "(\(parts.joined(separator: ", ")))"
    var plain = diagnostic
    plain.notes = []
    return plain.fixing("write \(pair)", replacing: diagnostic.span, with: pair)
  }
}

extension Mismatch {
  /// Returns the source text of a range, with parentheses around ends such as motions.
  package static func range(from low: String, to high: String) -> String {
    func end(_ source: String) -> String {
      let inner = source.dropFirst().dropLast()
      let isEnclosed =
        source.hasPrefix("(") && source.hasSuffix(")") && !inner.contains { "()".contains($0) }
      return isEnclosed || !source.contains(" ") ? source : "(\(source))"
    }
    return "\(end(low)) .. \(end(high))"
  }
}

extension Expression {
  /// Whether the expression needs no parentheses as an operand: a number, a name or a member, or a
  /// pair of these.
  fileprivate var isAtom: Bool {
    switch kind {
    case .number, .reference, .member: true
    case .pair(let x, let y): x.isAtom && y.isAtom
    default: false
    }
  }
}

extension Type {
  /// Whether the value is a number or a percentage.
  fileprivate var isAmount: Bool { self == .number || self == .percent || self == .mixed }
}
