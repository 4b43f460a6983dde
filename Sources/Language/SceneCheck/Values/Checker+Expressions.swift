// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

extension Checker {
  /// Evaluates an expression. `words` are the words of the expected enumeration.
  func evaluate(_ e: Expression, _ c: Context, words: Set<String> = []) -> Value {
    guard enter(e.span) else { return poison(e.span) }
    defer { depth -= 1 }
    // A fast path for number literals, which are the most frequent case.
    if case .number(let value, let unit) = e.kind {
      let value = number(value, unit: unit, in: c)
      if unit != nil { seen?.note(e, value, of: c.owner) }
      return value
    }
    let value = compute(e, in: c, words: words)
    seen?.note(e, value, of: c.owner)
    return value
  }

  private func compute(_ e: Expression, in c: Context, words: Set<String>) -> Value {
    switch e.kind {
    case .number(let value, let unit): return number(value, unit: unit, in: c)
    case .size(let width, let height): return .pair(.number(width), .number(height))
    case .color(let digits):
      return Color(hexDigits: digits).map { .color(ColorModel($0)) } ?? poison(e.span)
    case .bool(let value): return .bool(.constant(value ? 1 : 0))
    case .none: return .none()
    case .text(let parts): return text(parts, c)
    case .reference(let name):
      return markerTime(reference(name, at: e.span, in: c, words: words), in: c, at: e.span)
    case .member(let base, let name):
      return markerTime(member(base, name, at: e.span, in: c), in: c, at: e.span)
    case .index(let base, let index): return self.index(base, at: index, in: c, words: words)
    case .call(let callee, let arguments):
      return call(callee, arguments, at: e.span, in: c, words: words)
    case .unary(let operation, let operand): return unary(operation, operand, in: c)
    case .binary(let operation, let a, let b):
      return binary(operation, left: a, right: b, at: e.span, in: c)
    case .range(let a, let b):
      let (low, high) = (evaluate(a, c, words: words), evaluate(b, c, words: words))
      if low.isPoison || high.isPoison { return low.isPoison ? low : high }
      return affordable(.range(low.like(high.amount), high.like(low.amount)), e.span)
    case .conditional(let condition, let a, let b):
      return conditional(condition, then: a, else: b, in: c, words: words)
    case .tween(let first, let legs): return tween(first, legs, at: e.span, in: c, words: words)
    case .timed(let value, let clauses):
      _ = evaluate(value, c, words: words)
      if case .tween = value.kind { return outsideParentheses(value, clauses: clauses, at: e.span) }
      return report(
        .unexpectedToken, "'\(clauses[0].word.text)' must follow a motion such as 'a -> b'",
        at: clauses[0].word.span, label: "not a motion")
    case .pair(let a, let b):
      let (x, y) = (evaluate(a, c, words: words), evaluate(b, c, words: words))
      if x.isPoison || y.isPoison { return x.isPoison ? x : y }
      return affordable(.pair(x, y), e.span)
    case .record(let fields): return record(fields, at: e.span, in: c, words: words)
    case .list(let items): return list(items.map { evaluate($0, c, words: words) }, e.span)
    case .comprehension(let it): return comprehension(it, in: c, words: words)
    case .lambda: return .poison(report(Mismatch.function(at: e.span)))
    case .keyframes(let items): return keyframes(items, at: e.span, in: c, words: words)
    case .error: return poison(e.span)
    }
  }

  /// Evaluates a name or a member access. A marker evaluates to itself instead of its time.
  func named(_ e: Expression, in c: Context, words: Set<String> = []) -> Value {
    switch e.kind {
    case .reference(let name): reference(name, at: e.span, in: c, words: words)
    case .member(let base, let name): member(base, name, at: e.span, in: c)
    default: evaluate(e, c, words: words)
    }
  }

  private func number(_ value: Double, unit: NumberUnit?, in c: Context) -> Value {
    let second = Double(Ticks.perSecond)
    func time(_ ticks: Double) -> Value { .quantity(.constant(ticks.rounded()), .time) }
    switch unit {
    case nil, .px: return .number(value)
    case .percent: return .percent(.constant(value / 100))
    case .s: return time(value * second)
    case .ms: return time(value * second / 1000)
    case .min: return time(value * second * 60)
    case .f: return time(value * frameRate.frameTicks)
    case .beat: return time(value * second * 60 / tempo(of: scene(of: c.owner)))
    case .deg: return .quantity(.constant(value), .angle)
    case .rad: return .quantity(.constant(value * 180 / .pi), .angle)
    case .turn: return .quantity(.constant(value * 360), .angle)
    case .dB: return .quantity(.constant(value), .gain)
    case .hertz: return .quantity(.constant(value / second), .rate)
    case .kHz: return .quantity(.constant(value * 1000 / second), .rate)
    case .kbps: return .quantity(.constant(value * 1000), .bitrate)
    case .mbps: return .quantity(.constant(value * 1_000_000), .bitrate)
    }
  }

  private func text(_ parts: [TextPart], _ c: Context) -> Value {
    // The length of a literal is bounded by the size of the file.
    if parts.count == 1, case .literal(let text) = parts[0] { return .literal(text) }
    var pieces: [TextExpression] = []
    for part in parts {
      switch part {
      case .literal(let text): pieces.append(.literal(text))
      case .formula(let tex): pieces.append(.literal("$\(tex)$"))
      case .value(let expression):
        let value = evaluate(expression, c)
        guard let piece = textPiece(value, expression.span) else { return poison(expression.span) }
        pieces.append(piece)
      }
    }
    return joined(pieces, c.owner.span)
  }

  /// Concatenates texts. Adjacent literals are merged, and nested concatenations are flattened.
  func joined(_ pieces: [TextExpression], _ span: SourceSpan) -> Value {
    var parts: [TextExpression] = []
    var known = ""
    func add(_ piece: TextExpression) {
      switch piece {
      case .literal(let text): known += text
      case .join(let inner): for part in inner { add(part) }
      default:
        if !known.isEmpty { parts.append(.literal(known)) }
        known = ""
        parts.append(piece)
      }
    }
    guard spend(pieces.count / 2, span) else { return poison(span) }
    for piece in pieces {
      guard isAffordable(piece, span) else { return poison(span) }
      add(piece)
    }
    if !known.isEmpty || parts.isEmpty { parts.append(.literal(known)) }
    let whole = parts.count == 1 ? parts[0] : .join(parts)
    let length = pieces.count > 1 ? whole.literalLength : 0
    let isHeld = reserve(ValueMemory.box + 8 * parts.count + length, span)
    return isHeld && isAffordable(whole, span) ? .text(whole) : poison(span)
  }

  /// Converts a value to a part of a text; returns `nil` after an error.
  func textPiece(_ value: Value, _ span: SourceSpan) -> TextExpression? {
    if value.factor != nil, !reserve(ValueMemory.number, span) { return nil }
    switch value {
    case .text(let text): return text
    case .cell(let cell): return .literal(cell.text)
    case .none: return .literal("")
    case .emptySum: return .literal("0")
    case .quantity(let scalar, .none): return .number(scalar, NumberFormat())
    case .quantity(let scalar, .angle):
      var format = NumberFormat()
      format.suffix = "°"
      return .number(scalar, format)
    case .quantity(let scalar, .time):
      var format = NumberFormat()
      format.suffix = "s"
      return .number(builder.scaled(scalar, 1 / Double(Ticks.perSecond)), format)
    case .percent(let scalar):
      var format = NumberFormat()
      format.suffix = "%"
      return .number(builder.scaled(scalar, 100), format)
    case .word(let word): return .literal(word)
    case .bool(let scalar): return .choose(scalar, .literal("true"), .literal("false"))
    case .color(let color):
      if let constant = color.constant { return .literal(constant.hexDescription) }
    case .poison: return nil
    default: break
    }
    _ = report(
      .typeMismatch, "\(value.description) cannot be part of a text", at: span,
      label: "expected a number, a time, a percentage or a text")
    return nil
  }

  // MARK: Operators

  private func unary(_ operation: TokenKind, _ operand: Expression, in c: Context) -> Value {
    let value = evaluate(operand, c)
    if operation == .notWord {
      guard let truth = truth(value, operand.span) else { return poison(operand.span) }
      return .bool(builder.make(.not, a: truth))
    }
    if operation == .plus { return value }
    return negate(value, operand.span)
  }

  private func negate(_ value: Value, _ span: SourceSpan) -> Value {
    switch value {
    case .quantity(let s, let d): return .quantity(builder.make(.negate, a: s), d)
    case .percent(let s): return .percent(builder.make(.negate, a: s))
    case .length(let p, let s):
      return .length(pixels: builder.make(.negate, a: p), share: builder.make(.negate, a: s))
    case .pair(let a, let b): return .pair(negate(a, span), negate(b, span))
    case .poison, .emptySum: return value
    default:
      let type = value.type(depth: 1)
      return .poison(
        report(Mismatch.negation(of: type, description: value.description, at: span)))
    }
  }

  func truth(_ value: Value, _ span: SourceSpan) -> Scalar? {
    switch value {
    case .bool(let s): return s
    case .poison: return nil
    default:
      report(
        Mismatch.condition(
          found: value.type(depth: 1), description: value.description, text: constantText(value),
          source: text(at: span), at: span))
      return nil
    }
  }

  private func binary(
    _ operation: TokenKind, left: Expression, right: Expression, at span: SourceSpan,
    in c: Context
  ) -> Value {
    let first = evaluate(left, c)
    let a = asPlainText(first)
    if operation == .andWord || operation == .orWord {
      // If the left operand determines the result, the right operand is not evaluated, as in `i ==
      // n or list[i] > 0`.
      if case .bool(let truth) = a, let known = truth.constantValue,
        (known != 0) == (operation == .orWord)
      {
        return a
      }
    }
    // The other operand of a comparison with a word is a word of the same enumeration, as in `side
    // == left`.
    var words: Set<String> = []
    if case .word(let word) = a, isUnbound(right, c) { words = others(beside: word) }
    // The name may be a word of the unknown left operand.
    if a.isPoison, isUnbound(right, c) { return poison(span) }
    let second = evaluate(right, c, words: words)
    let b = asPlainText(second)
    if a.isPoison || b.isPoison { return poison(span) }
    switch operation {
    case .andWord, .orWord:
      guard let x = truth(a, left.span), let y = truth(b, right.span) else { return poison(span) }
      return .bool(builder.make(operation == .andWord ? .and : .or, a: x, b: y))
    case .plus:
      return finiteResult(of: .add, a, b, at: span)
        ?? cannotCombine("added", (left, first), and: (right, second), at: span)
    case .minus:
      return finiteResult(of: .subtract, a, b, at: span)
        ?? cannotCombine("subtracted", (left, first), and: (right, second), at: span)
    case .star:
      return finiteResult(of: .multiply, a, b, at: span)
        ?? cannotCombine("multiplied", (left, first), and: (right, second), at: span)
    case .slash:
      if case .emptySum = b {
        return report(.notFinite, "division by zero", at: right.span, label: "the sum is empty")
      }
      if b.amount != nil, b.factor == .zero {
        return report(.notFinite, "division by zero", at: right.span, label: "this is 0")
      }
      return finiteResult(of: .divide, a, b, at: span)
        ?? cannotCombine("divided", (left, first), and: (right, second), at: span)
    default: return comparison(by: operation, of: (left, first), and: (right, second), at: span)
    }
  }

  /// Reports `(a -> b) over 1s`: the clauses of a motion must be inside its parentheses.
  private func outsideParentheses(
    _ value: Expression, clauses: [Clause], at span: SourceSpan
  )
    -> Value
  {
    let word = clauses[0].word
    let diagnostic = Diagnostic(
      .unexpectedToken, "'\(word.text)' is outside the parentheses of its motion", at: word.span)
    var inner = text(at: value.span)
    if inner.hasPrefix("("), inner.hasSuffix(")") { inner = String(inner.dropFirst().dropLast()) }
    let rest = text(at: SourceSpan(file: span.file, start: word.span.start, end: span.end))
    let whole = text(at: span)
    guard whole.hasPrefix("(") else {
      return .poison(report(diagnostic.advising("write a -> b over 1s without parentheses")))
    }
    return .poison(
      report(diagnostic.fixing("write \(inner) \(rest)", replacing: span, with: "\(inner) \(rest)"))
    )
  }

  private func isUnbound(_ e: Expression, _ c: Context) -> Bool {
    guard case .reference(let name) = e.kind else { return false }
    return c.scope.lookup(name) == nil
  }

  /// Returns the words of all enumerations that contain a word.
  private func others(beside word: String) -> Set<String> {
    Set(enumerations.filter { $0.contains(word) }.joined())
  }

  /// Converts a table cell to its text.
  private func asPlainText(_ value: Value) -> Value {
    if case .cell(let cell) = value { return .literal(cell.text) }
    return value
  }

  private func cannotCombine(
    _ verb: String, _ a: (Expression, Value), and b: (Expression, Value), at span: SourceSpan
  ) -> Value {
    .poison(
      report(
        Mismatch.combination(
          verb, of: (a.0, a.1.type(depth: 0)), and: (b.0, b.1.type(depth: 0)),
          descriptions: (a.1.description, b.1.description), at: span, source: files.text)))
  }

  private func comparison(
    by operation: TokenKind, of left: (Expression, Value), and right: (Expression, Value),
    at span: SourceSpan
  ) -> Value {
    let (a, b) = (asPlainText(left.1), asPlainText(right.1))
    let isEquality = operation == .equalEqual || operation == .notEqual
    var equal: Scalar?
    if let x = a.amount, let y = b.amount, Operator.less.result(of: x, y) != nil {
      guard let x = a.factor, let y = b.factor else {
        return cannotCombine("compared", left, and: right, at: span)
      }
      return .bool(compare(by: operation, x, y))
    }
    switch (a, b) {
    case (.bool(let x), .bool(let y)) where isEquality: equal = builder.make(.equal, a: x, b: y)
    case (.text(let x), .text(let y)) where isEquality:
      guard spend(x.partWork + y.partWork, span) else { return poison(span) }
      guard let x = constantText(a), let y = constantText(b) else {
        return report(
          .notConstant, "texts that change over time cannot be compared", at: span,
          label: "both texts must be constant")
      }
      equal = .constant(areEqual(x, y, at: span) ? 1 : 0)
    case (.word(let x), .word(let y)) where isEquality: equal = .constant(x == y ? 1 : 0)
    case (.text, .word(let y)) where isEquality:
      equal = .constant(constantText(a) == y ? 1 : 0)
    case (.word(let x), .text) where isEquality:
      equal = .constant(constantText(b) == x ? 1 : 0)
    case (.none, .none) where isEquality: equal = .one
    case (.none, _), (_, .none): if isEquality { equal = .zero }
    case (.color(let x), .color(let y)) where isEquality:
      if let p = x.constant, let q = y.constant { equal = .constant(p == q ? 1 : 0) }
    default: break
    }
    guard let equal else { return cannotCombine("compared", left, and: right, at: span) }
    return .bool(operation == .equalEqual ? equal : builder.make(.not, a: equal))
  }

  private func compare(by operation: TokenKind, _ x: Scalar, _ y: Scalar) -> Scalar {
    switch operation {
    case .less: builder.make(.less, a: x, b: y)
    case .lessEqual: builder.make(.lessOrEqual, a: x, b: y)
    case .greater: builder.make(.less, a: y, b: x)
    case .greaterEqual: builder.make(.lessOrEqual, a: y, b: x)
    case .equalEqual: builder.make(.equal, a: x, b: y)
    default: builder.make(.not, a: builder.make(.equal, a: x, b: y))
    }
  }

  private func conditional(
    _ condition: Expression, then a: Expression, else b: Expression, in c: Context,
    words: Set<String>
  ) -> Value {
    let isTrue = evaluate(condition, c)
    guard let truth = truth(isTrue, condition.span) else {
      return poison(condition.span)
    }
    if let known = truth.constantValue {
      return evaluate(known != 0 ? a : b, c, words: words)
    }
    let x = evaluate(a, c, words: words)
    let y = evaluate(b, c, words: words)
    return blend(x, y, by: .choose(truth), at: a.span.union(b.span), in: c)
  }
}
