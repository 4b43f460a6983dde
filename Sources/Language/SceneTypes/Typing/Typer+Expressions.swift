// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneSyntax
import SceneText

// The types of expressions.
extension Typer {
  func compute(_ e: Expression, in scope: Scope, expecting expected: Expected) -> Type {
    switch e.kind {
    case .number(_, let unit): return Typer.type(of: unit)
    case .size: return .point
    case .color: return .color
    case .bool: return .bool
    case .none: return .none
    case .text(let parts):
      for case .value(let value) in parts {
        _ = type(value, in: scope, expecting: Expected(wanted: .text))
      }
      return .text
    case .reference(let name):
      return Typer.markerTime(reference(name, at: e.span, in: scope, expecting: expected))
    case .member(let base, let name): return Typer.markerTime(member(base, name, in: scope))
    case .index(let base, let index):
      return item(of: base, at: index, in: scope, expecting: expected)
    case .call(let callee, let arguments):
      return call(callee, arguments, at: e.span, in: scope, expecting: expected)
    case .unary(let operation, let operand): return unary(operation, operand, in: scope)
    case .binary(let operation, let a, let b):
      return binary(operation, of: a, and: b, at: e.span, in: scope)
    case .range(let a, let b):
      let (low, high) = (
        type(a, in: scope, expecting: expected.part), type(b, in: scope, expecting: expected.part)
      )
      return .range(Typer.beside(low, high), Typer.beside(high, low))
    case .conditional(let condition, let a, let b):
      return conditional(condition, then: a, else: b, in: scope, expecting: expected)
    case .tween(let first, let legs): return tween(first, legs, in: scope, expecting: expected)
    case .timed(let value, let clauses):
      _ = type(value, in: scope, expecting: expected)
      type(clauses, scope)
      return .error
    case .pair(let a, let b):
      return .pair(
        type(a, in: scope, expecting: expected.part), type(b, in: scope, expecting: expected.part))
    case .record(let fields): return record(fields, in: scope, expecting: expected)
    case .list(let items):
      let types = items.map { item in
        let type = type(item, in: scope, expecting: expected)
        // Otherwise, `type` has recorded it.
        if !recordsTypes { note(item.span, type) }
        return type
      }
      if types.contains(.error) { return .error }
      return .list(Type(anyOf: types), items: types.count <= Type.mostItems ? types : nil)
    case .comprehension(let it): return comprehension(it, in: scope, expecting: expected)
    case .lambda(let function):
      _ = result(of: function, scope, arguments: [])
      reportType(Mismatch.function(at: e.span))
      return .error
    case .keyframes(let items): return keyframes(items, in: scope, expecting: expected)
    case .error: return .error
    }
  }

  private static func type(of unit: NumberUnit?) -> Type {
    switch unit {
    case nil, .px: .number
    case .percent: .percent
    case .s, .ms, .min, .f, .beat: .time
    case .deg, .rad, .turn: .angle
    case .dB: .quantity(.gain)
    case .hertz, .kHz: .quantity(.rate)
    case .kbps, .mbps: .quantity(.bitrate)
    }
  }

  /// Returns the type of the other operand for the sum of an empty list, and other types unchanged.
  private static func beside(_ type: Type, _ other: Type) -> Type {
    guard type == .zero else { return type }
    switch other {
    case .quantity, .percent, .mixed: return other
    case .pair(let x, let y): return .pair(beside(.zero, x), beside(.zero, y))
    default: return .number
    }
  }

  /// Returns `time` for a marker, and other types unchanged. Before a dot, a marker remains an
  /// element.
  static func markerTime(_ type: Type) -> Type {
    guard case .element(let it) = type else { return type }
    if it.kind == .marker { return .time }
    return it.kind == nil ? type.joined(with: .time) : type
  }

  // MARK: Operators

  private func unary(_ operation: TokenKind, _ operand: Expression, in scope: Scope) -> Type {
    let isTest = operation == .notWord
    let type = type(
      operand, in: scope, expecting: Expected(wanted: isTest ? .condition : .operand))
    switch operation {
    case .notWord:
      expectTruth(operand, type)
      return .bool
    case .plus: return type
    default:
      let negated = Typer.negated(type)
      if negated == .error, type != .error {
        reportType(
          Mismatch.negation(of: type, description: type.description, at: operand.span))
      }
      return negated
    }
  }

  private static func negated(_ type: Type) -> Type {
    type.convert { shape in
      switch shape {
      case .quantity, .percent, .mixed, .zero: .always(shape)
      case .unknown: .sometimes(.unknown)
      case .pair(let x, let y): .always(.pair(negated(x), negated(y)))
      default: .never
      }
    }.type
  }

  private func binary(
    _ operation: TokenKind, of left: Expression, and right: Expression, at whole: SourceSpan,
    in scope: Scope
  )
    -> Type
  {
    let wanted: Wanted = operation.isArithmetic ? .operand : .any
    let a = Typer.plainText(type(left, in: scope, expecting: Expected(wanted: wanted)))
    if operation == .andWord || operation == .orWord {
      let inner = narrowed(scope, by: left, isTrue: operation == .andWord)
      let b = type(right, in: inner)
      expectTruth(left, a)
      expectTruth(right, b)
      return a == .error || b == .error ? .error : .bool
    }
    // The other operand of a comparison with a word is a word of the same enumeration.
    var words: Set<String> = []
    if case .reference(let name) = right.kind, scope.lookup(name) == nil {
      if a == .error {
        use(name, at: right.span, in: scope)
        note(right.span, .error)
        return .error
      }
      switch a {
      case .word(let some): words = some.count > 1 ? some : [name.text]
      // The left side may be a word.
      case .either, .unknown: words = [name.text]
      default: break
      }
    }
    let b = Typer.plainText(
      type(right, in: scope, expecting: Expected(words: words, wanted: wanted)))
    guard let rule = Operator(operation) else { return .unknown }
    let outcome = rule.result(a, b)
    if outcome == .never {
      cannotCombine(a, b, of: (left, right), by: operation, at: whole)
    }
    return outcome.type
  }

  /// Converts cells of a table to their texts.
  private static func plainText(_ type: Type) -> Type {
    switch type {
    case .cell: .text
    case .either(let types) where types.contains(.cell):
      Type(anyOf: types.map { $0 == .cell ? .text : $0 })
    default: type
    }
  }

  // MARK: Choices

  private func conditional(
    _ condition: Expression, then a: Expression, else b: Expression, in scope: Scope,
    expecting expected: Expected
  ) -> Type {
    let test = type(condition, in: scope, expecting: Expected(wanted: .condition))
    let x = type(a, in: narrowed(scope, by: condition, isTrue: true), expecting: expected)
    let y = type(b, in: narrowed(scope, by: condition, isTrue: false), expecting: expected)
    expectTruth(condition, test)
    if test == .error { return .error }
    if isConstant(condition, in: scope) { return x.joined(with: y) }
    return Typer.selected(x, y)
  }

  /// Returns the type of a choice between two values: one of them if the condition is constant,
  /// otherwise a blend of both.
  private static func selected(_ a: Type, _ b: Type) -> Type {
    let joined = a.joined(with: b)
    switch joined {
    case .either, .word, .element:
      let blend = Operator.blend.result(a, b)
      return blend == .never ? joined : joined.joined(with: blend.type)
    default: return joined
    }
  }

  /// Returns whether an expression certainly does not change over time, as far as its syntax
  /// shows it: a literal, a loop variable, or a computation with these.
  private func isConstant(_ e: Expression, in scope: Scope) -> Bool {
    switch e.kind {
    case .number, .size, .color, .bool, .none: true
    case .text(let parts): !parts.contains(where: \.isValue)
    case .reference(let name):
      if case .value(let it)? = scope.lookup(name) { it.isRound } else { false }
    case .unary(_, let operand): isConstant(operand, in: scope)
    case .binary(_, let a, let b): isConstant(a, in: scope) && isConstant(b, in: scope)
    case .call(let callee, let arguments):
      if case .reference(let name) = callee.kind, ["len", "mod", "floor"].contains(name.text) {
        name.text == "len" || arguments.allSatisfy { isConstant($0.value, in: scope) }
      } else {
        false
      }
    default: false
    }
  }

  /// Returns a scope in which names that a condition compares with `none` have narrower types.
  func narrowed(_ scope: Scope, by condition: Expression, isTrue: Bool) -> Scope {
    switch condition.kind {
    case .binary(.andWord, let a, let b) where isTrue:
      return narrowed(narrowed(scope, by: a, isTrue: true), by: b, isTrue: true)
    case .binary(.orWord, let a, let b) where !isTrue:
      return narrowed(narrowed(scope, by: a, isTrue: false), by: b, isTrue: false)
    case .unary(.notWord, let inner): return narrowed(scope, by: inner, isTrue: !isTrue)
    case .binary(let operation, let a, let b)
    where operation == .equalEqual || operation == .notEqual:
      guard case .none = b.kind, case .reference(let name) = a.kind,
        case .value(let known)? = scope.lookup(name)
      else { return scope }
      let isNone = (operation == .equalEqual) == isTrue
      let inner = makeScope(in: scope)
      inner.bind(
        name,
        .value(
          LazyType(isRound: known.isRound) {
            let type = known.type
            if type.isOpen { return isNone ? .none : type }
            let rest = type.without(.none)
            return isNone ? (rest == type ? .nothing : .none) : rest == .none ? .nothing : rest
          }), as: scope.symbol(name))
      return inner
    default: return scope
    }
  }

  // MARK: Motions

  private func tween(
    _ first: Expression, _ legs: [Leg], in scope: Scope, expecting expected: Expected
  )
    -> Type
  {
    var previous = type(first, in: scope, expecting: expected)
    var result: Type?
    for leg in legs {
      let target = type(leg.value, in: scope, expecting: expected)
      type(leg.clauses, scope)
      let moved = Operator.blend.result(previous, target).type
      result = result.map { Operator.blend.result(moved, $0).type } ?? moved
      previous = target
    }
    return result ?? previous
  }

  /// Types the clauses of a motion.
  func type(_ clauses: [Clause], _ scope: Scope) {
    for clause in clauses {
      let words = clause.word.text == "with" ? Words.easings : []
      _ = type(clause.value, in: scope, expecting: Expected(words: words))
    }
  }

  private func keyframes(_ items: [KeyItem], in scope: Scope, expecting expected: Expected) -> Type
  {
    var result = Type.nothing
    func visit(_ items: [KeyItem], _ scope: Scope) {
      for item in items {
        switch item {
        case .key(let time, let value, let clauses):
          type(keyTime: time, in: scope)
          result = Operator.blend.result(type(value, in: scope, expecting: expected), result).type
          type(clauses, scope)
        case .loop(let variable, let index, let list, let keys):
          let end = keys.last?.end ?? list.span
          visit(keys, rounds(of: list, as: variable, index: index, upTo: end, in: scope))
        }
      }
    }
    visit(items, scope)
    return result
  }

  /// Types the time of a keyframe. The words `from` and `to` of CSS are reported with the
  /// equivalent time.
  private func type(keyTime time: Expression, in scope: Scope) {
    if case .reference(let name) = time.kind, let meant = ForeignWords.keyTimes[name.text],
      scope.lookup(name) == nil, isReporting(at: time.span)
    {
      return report(
        Diagnostic(.unknownName, "unknown name '\(name)'", at: time.span).suggesting(meant))
    }
    _ = type(time, in: scope)
  }

  // MARK: Lists and records

  private func record(_ fields: [Argument], in scope: Scope, expecting expected: Expected) -> Type {
    var known: [RecordType.Field] = []
    for field in fields {
      let type = type(field.value, in: scope, expecting: expected.part)
      guard let name = field.name, !known.contains(where: { $0.name == name.text }) else {
        continue
      }
      known.append(RecordType.Field(name: name.text, type: type))
    }
    return .record(RecordType(known))
  }

  private func comprehension(_ it: Comprehension, in scope: Scope, expecting expected: Expected)
    -> Type
  {
    var inner = rounds(
      of: it.list, as: it.variable, index: it.index, upTo: it.value.span, in: scope)
    if let condition = it.condition {
      expectTruth(condition, type(condition, in: inner))
      inner = narrowed(inner, by: condition, isTrue: true)
    }
    let value = type(it.value, in: inner, expecting: expected)
    if it.hasInner, case .list(let item, _) = value { return .list(item, items: nil) }
    return value == .error ? .error : .list(value, items: nil)
  }

  /// Returns the scope of one round of a loop, which ends at `end`.
  func rounds(
    of list: Expression, as variable: Name, index: Name?, upTo end: SourceSpan, in scope: Scope
  ) -> Scope {
    // The variables are not visible in the list.
    let start = list.span.end
    let span = SourceSpan(file: end.file, start: start, end: max(start, end.end))
    let inner = makeScope(in: scope, span: span)
    let (item, isRange) = item(ofRounds: type(list, in: scope))
    note(variable, item)
    inner.bind(
      variable.identifier, .value(LazyType(item, isRound: isRange)),
      as: symbol(.round, variable, in: nil))
    if let index {
      note(index, .number)
      inner.bind(
        index.identifier, .value(LazyType(.number, isRound: true)),
        as: symbol(.round, index, in: nil))
    }
    return inner
  }

  /// Returns the type of a loop variable, and whether it is a number of a range.
  func item(ofRounds list: Type) -> (type: Type, isRange: Bool) {
    var isRange = false
    let outcome = list.convert { shape in
      switch shape {
      case .list(let item, _): return .always(item)
      case .range(let low, let high):
        isRange = true
        let ends = low.joined(with: high)
        return ends == .number
          ? .always(.number)
          : ends.alternatives.contains(.number) || ends.isOpen ? .sometimes(.number) : .never
      case .unknown: return .sometimes(.unknown)
      default: return .never
      }
    }
    return (outcome.type, isRange)
  }

  private func item(
    of base: Expression, at index: Expression, in scope: Scope, expecting expected: Expected
  ) -> Type {
    if case .reference(let name) = base.kind, case .file? = scope.lookup(name) {
      use(name, at: base.span, in: scope)
      _ = type(index, in: scope)
      return .error
    }
    let isList = if case .list = base.kind { true } else { false }
    let list = type(base, in: scope, expecting: isList ? expected.part : .nothing)
    var isFormula = false
    if case .element(let element) = list { isFormula = element.kind == .math }
    let position = Typer.beside(
      isFormula ? type(ofPart: index, in: base, scope) : type(index, in: scope), .number)
    let isFixed = isConstant(index, in: scope)
    return list.convert { shape in
      switch (shape, position) {
      case (.unknown, _), (.element, _): return .sometimes(.unknown)
      case (.list(_, let items?), .number) where Typer.literal(index) != nil:
        guard let place = Typer.literal(index), items.indices.contains(place) else {
          // Evaluation reports an index that is out of range.
          return .sometimes(.nothing)
        }
        return .always(items[place])
      case (.list(let item, _), .number):
        return .always(isFixed ? item : Typer.selected(item, item))
      case (.list(let item, _), .range): return .always(.list(item, items: nil))
      case (.list(let item, _), .unknown):
        return .sometimes(item.joined(with: .list(item, items: nil)))
      case (.text, .range), (.text, .number), (.cell, .range), (.cell, .number):
        return .always(.text)
      case (.text, .unknown), (.cell, .unknown): return .sometimes(.text)
      case (.record(let it), .text), (.record(let it), .cell), (.record(let it), .unknown):
        if case .text(let parts) = index.kind, parts.count == 1, case .literal(let name) = parts[0]
        {
          return it[name].map { it.isOpen ? .sometimes($0) : .always($0) }
            ?? (it.isOpen ? .sometimes(.unknown) : .never)
        }
        return .sometimes(it.isOpen ? .unknown : Type(anyOf: it.fields.map(\.type)))
      case (.list, .either), (.text, .either), (.record, .either): return .sometimes(.unknown)
      case (_, .error), (_, .nothing): return .always(position)
      default: return .never
      }
    }.type
  }

  private static func literal(_ e: Expression) -> Int? {
    if case .number(let value, nil) = e.kind, value >= 0, value < 1e9, value == value.rounded() {
      Int(value)
    } else {
      nil
    }
  }
}

extension KeyItem {
  /// The last expression of the key or the loop.
  fileprivate var end: SourceSpan {
    switch self {
    case .key(_, let value, let clauses): clauses.last?.value.span ?? value.span
    case .loop(_, _, let list, let keys): keys.last?.end ?? list.span
    }
  }
}
