// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneSyntax
import SceneText

// Errors about types that are wrong regardless of the values.
extension Typer {
  /// Reports "expected a length, found a time".
  func mismatch(_ e: Expression, _ type: Type, wanted: String) {
    guard type != .error, type != .nothing, isReporting(at: e.span) else { return }
    var diagnostic = Diagnostic(
      .typeMismatch, "expected \(wanted), found \(type.description)", at: e.span)
    let source = text(at: e.span)
    let name: String? = if case .reference(let name) = e.kind { name.text } else { nil }
    if let advice = Mismatch.advice(
      for: wanted, found: type, name: name, isLiteral: Mismatch.numberLiterals(source) != nil)
    {
      diagnostic = diagnostic.advising(advice)
    }
    if let fix = Mismatch.fix(
      for: wanted, found: type, text: e.literalText, source: source, at: e.span)
    {
      diagnostic.fixIts.append(fix)
    }
    reportType(diagnostic)
  }

  /// Reports a value that its property cannot have.
  func expect(_ e: Expression, _ type: Type, as property: PropertyType) {
    guard type.read(as: property) == .never, let wanted = property.wanted else { return }
    if property == .bool { return expectTruth(e, type) }
    mismatch(e, type, wanted: wanted)
  }

  /// Reports a condition that cannot be a Boolean value.
  func expectTruth(_ e: Expression, _ type: Type) {
    guard type.read(as: .bool) == .never, type != .error, type != .nothing else { return }
    reportType(
      Mismatch.condition(
        found: type, description: type.description, text: e.literalText, source: text(at: e.span),
        at: e.span))
  }

  /// Reports an argument or the value of a declaration that does not convert to the declared type.
  func expect(_ e: Expression, _ type: Type, as declared: TypeSyntax?) {
    guard let declared, type != .error, type != .nothing else { return }
    if let element = declared.element {
      if case .list(let items) = e.kind {
        for item in items { expect(item, types[item.span] ?? .unknown, as: element) }
      }
      return
    }
    if declared.isFunction { return mismatch(e, type, wanted: "a function") }
    if declared.names.count > 1 {
      let words = declared.names.map(\.text)
      let isKnown = type.alternatives.contains { shape in
        switch shape {
        case .unknown, .cell, .text, .number, .pair: true
        case .none: words.contains("none")
        case .word(let some): !some.isDisjoint(with: words)
        default: false
        }
      }
      if !isKnown {
        reportType(
          Diagnostic(
            .unknownWord,
            "expected one of \(words.joined(separator: ", ")), found \(type.description)",
            at: e.span))
      }
      return
    }
    guard let name = declared.names.first, let known = ValueType(declared: name.text),
      type.converted(to: known) == .never
    else { return }
    mismatch(e, type, wanted: known.description)
  }

  /// Reports an unknown declared type.
  func check(_ type: TypeSyntax?) {
    guard let type else { return }
    if let parameters = type.parameters {
      for it in parameters { check(it) }
      return check(type.element)
    }
    if let element = type.element { return check(element) }
    guard type.names.count == 1, let name = type.names.first,
      ValueType(declared: name.text) == nil
    else { return }
    report(
      Diagnostic(.unknownName, "unknown type '\(name.text)'", at: type.span)
        .suggesting(nearestTo: name.text, in: ValueType.declarable.map(\.rawValue)))
  }

  /// Reports operands that cannot be combined.
  func cannotCombine(
    _ a: Type, _ b: Type, of operands: (Expression, Expression), by operation: TokenKind,
    at span: SourceSpan
  ) {
    let verb =
      switch operation {
      case .plus: "added"
      case .minus: "subtracted"
      case .star: "multiplied"
      case .slash: "divided"
      default: "compared"
      }
    reportType(
      Mismatch.combination(
        verb, of: (operands.0, a), and: (operands.1, b),
        descriptions: (a.description, b.description),
        at: span, source: text))
  }
}

extension PropertyType {
  /// The accepted values in messages; `nil` for properties with several forms.
  fileprivate var wanted: String? {
    switch self {
    case .number, .share: "a number"
    case .time: "a time"
    case .angle: "an angle"
    case .bool: "true or false"
    case .color: "a color"
    case .paint: "a paint"
    case .lengthX, .lengthY, .length, .lengthPair, .fontLengthPair: "a length"
    case .point, .ownPoint: "a point"
    case .easing: "an easing"
    default: nil
    }
  }
}
