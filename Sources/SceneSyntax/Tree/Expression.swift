// SPDX-License-Identifier: MIT
package import SceneText

/// A name with its place.
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

/// An expression as it is written. A class, so that it can be passed on and told apart cheaply.
package final class Expression: Sendable {
  package let kind: Kind
  package let span: SourceSpan

  package init(_ kind: Kind, _ span: SourceSpan) {
    self.kind = kind
    self.span = span
  }

  /// What an expression is made of.
  package enum Kind: Sendable {
    case number(Double, NumberUnit?)
    case size(Double, Double)
    /// The digits behind `#`.
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
    /// `(name: value, …)`; each has a name.
    case record([Argument])
    case list([Expression])
    case comprehension(Comprehension)
    /// A function without a name.
    case lambda(FunctionSyntax)
    case keyframes([KeyItem])
    /// The parser reported it.
    case error
  }
}

/// Letters of a string, or a value in braces.
package enum TextPart: Sendable {
  case literal(String)
  case value(Expression)
}

/// A value in a call, by position or by name.
package struct Argument: Sendable {
  package let name: Name?
  package let value: Expression

  package init(name: Name?, value: Expression) {
    self.name = name
    self.value = value
  }
}

/// `over`, `after` or `with` and its value.
package struct Clause: Sendable {
  package let word: Name
  package let value: Expression

  package init(word: Name, value: Expression) {
    self.word = word
    self.value = value
  }
}

/// One way of a tween: `-> value clauses`.
package struct Leg: Sendable {
  package let value: Expression
  package let clauses: [Clause]

  package init(value: Expression, clauses: [Clause]) {
    self.value = value
    self.clauses = clauses
  }
}

/// `for variable, index in list if condition: value`. Where another `for` follows in place of `: value`, the
/// value is that comprehension, and its items count.
package struct Comprehension: Sendable {
  package let variable: Name
  package let index: Name?
  package let list: Expression
  package let condition: Expression?
  package let value: Expression
  /// Whether the value is a loop in each round.
  package let hasInner: Bool
}

/// A key of `keyframes`, or a loop that makes some.
package indirect enum KeyItem: Sendable {
  case key(time: Expression, value: Expression, clauses: [Clause])
  case loop(variable: Name, index: Name?, list: Expression, keys: [KeyItem])
}
