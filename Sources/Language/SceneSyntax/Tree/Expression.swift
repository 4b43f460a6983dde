// SPDX-License-Identifier: MIT
package import SceneText

/// A name with its source location.
package struct Name: Hashable, Sendable {
  package let identifier: Identifier
  package let span: SourceSpan

  package var text: String { identifier.text }

  package init(_ text: String, _ span: SourceSpan) {
    self.init(Identifier(text), span)
  }

  package init(_ identifier: Identifier, _ span: SourceSpan) {
    self.identifier = identifier
    self.span = span
  }
}

/// An expression of the syntax. A class, so that it is cheap to pass and compare by identity.
package final class Expression: Sendable {
  package let kind: Kind
  package let span: SourceSpan

  package init(_ kind: Kind, _ span: SourceSpan) {
    self.kind = kind
    self.span = span
  }

  /// Whether the expression is a single name.
  package var isName: Bool { if case .reference = kind { true } else { false } }

  /// The kind of an expression with its parts.
  package enum Kind: Sendable {
    case number(Double, NumberUnit?)
    case size(Double, Double)
    /// The digits without `#`.
    case color(String)
    case bool(Bool)
    case none
    case text([TextPart])
    case reference(Identifier)
    case member(Expression, Name)
    case index(Expression, Expression)
    case call(Expression, [Argument])
    case unary(TokenKind, Expression)
    case binary(TokenKind, Expression, Expression)
    case range(Expression, Expression)
    case conditional(Expression, Expression, Expression)
    case tween(Expression, [Leg])
    case timed(Expression, [Clause])
    case pair(Expression, Expression)
    /// `(name: value, …)`; all arguments have names.
    case record([Argument])
    case list([Expression])
    case comprehension(Comprehension)
    /// An anonymous function.
    case lambda(FunctionSyntax)
    case keyframes([KeyItem])
    /// A syntax error that the parser has reported.
    case error
  }
}

/// A part of a text: literal text, a formula, or an interpolated value.
package enum TextPart: Sendable {
  case literal(String)
  /// The TeX source of a text between dollar signs, which is the only part of its text.
  ///
  /// As the value of a property, it is the source. Elsewhere, it includes the dollar signs, so that
  /// a component can distinguish a formula from a text.
  case formula(String)
  case value(Expression)

  package var isValue: Bool { if case .value = self { true } else { false } }
}

/// A positional or named argument of a call.
package struct Argument: Sendable {
  package let name: Name?
  package let value: Expression

  package init(name: Name?, value: Expression) {
    self.name = name
    self.value = value
  }
}

/// A clause: `over`, `after` or `with`, and its value.
package struct Clause: Sendable {
  package let word: Name
  package let value: Expression

  package init(word: Name, value: Expression) {
    self.word = word
    self.value = value
  }
}

/// A leg of a tween: `-> value clauses`.
package struct Leg: Sendable {
  package let value: Expression
  package let clauses: [Clause]

  package init(value: Expression, clauses: [Clause]) {
    self.value = value
    self.clauses = clauses
  }
}

/// `for variable, index in list if condition: value`. If another `for` replaces `: value`, the
/// value is that nested comprehension, and its items are flattened into the list.
package struct Comprehension: Sendable {
  package let variable: Name
  package let index: Name?
  package let list: Expression
  package let condition: Expression?
  package let value: Expression
  /// Whether the value is a nested loop.
  package let hasInner: Bool
}

/// A keyframe, or a loop that generates keyframes.
package indirect enum KeyItem: Sendable {
  case key(time: Expression, value: Expression, clauses: [Clause])
  case loop(variable: Name, index: Name?, list: Expression, keys: [KeyItem])
}
