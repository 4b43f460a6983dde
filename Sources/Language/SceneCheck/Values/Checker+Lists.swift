// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Lists, loops over them, and their items.
extension Checker {
  /// Evaluates a record `(name: value, …)`.
  func record(_ fields: [Argument], at span: SourceSpan, in c: Context, words: Set<String>) -> Value
  {
    var values: [(String, Value)] = []
    for field in fields {
      guard let name = field.name else { continue }
      if values.contains(where: { $0.0 == name.text }) {
        _ = report(.propertyTwice, "duplicate field '\(name.text)'", at: name.span)
        continue
      }
      values.append((name.text, evaluate(field.value, c, words: words)))
    }
    return affordable(.record(values), span)
  }

  func comprehension(_ it: Comprehension, in c: Context, words: Set<String>) -> Value {
    var items: [Value] = []
    var invalid: [Value] = []
    guard let rounds = rounds(of: it.list, c) else { return poison(it.list.span) }
    for (number, value) in rounds.enumerated() {
      if reports.isClosed { return poison(it.list.span) }
      if items.count > options.limits.parts { break }
      let scope = Scope(parent: c.scope, owner: nil)
      scope.bind(it.variable, .value(value, it.variable.span))
      if let index = it.index {
        scope.bind(index, .value(.number(Double(number)), index.span))
      }
      let inner = c.with { $0.scope = scope }
      if let condition = it.condition {
        let isWanted = releasing { evaluate(condition, inner) }
        guard let truth = truth(isWanted, condition.span) else {
          return poison(condition.span)
        }
        guard let known = truth.constantValue else {
          return report(
            .notConstant, "the condition of a list cannot change over time", at: condition.span)
        }
        if known == 0 { continue }
      }
      let value = releasing(isExact: true) { evaluate(it.value, inner, words: words) }
      if value.isPoison {
        // Continue, since other items may have different errors.
        invalid.append(value)
        if invalid.count == Checker.mostInvalidItems { break }
        continue
      }
      if it.hasInner, case .list(let several) = value {
        items += several
      } else {
        items.append(value)
      }
    }
    return invalid.first ?? list(items, it.value.span)
  }

  /// The number of invalid items after which no further items are evaluated.
  private static let mostInvalidItems = 20

  /// Returns a list, or poison if any item is poison. Lists can be shared by so many others that a
  /// later search for poison is too slow.
  func list(_ items: [Value], _ span: SourceSpan) -> Value {
    var bytes = 0
    for item in items {
      if item.isPoison { return item }
      bytes += item.allocation
    }
    return reserve(bytes, span) ? affordable(.list(items), span) : poison(span)
  }

  /// Evaluates the sequence of a `for`: a list, or the integers of a range without its end. Returns
  /// `nil` after an error.
  func rounds(of e: Expression, _ c: Context) -> [Value]? { rounds(of: e, evaluate(e, c)) }

  /// Returns the rounds of a loop over the value of an expression; `nil` after an error.
  func rounds(of e: Expression, _ value: Value) -> [Value]? {
    guard let rounds = roundsByThemselves(of: e, value) else { return nil }
    return reserveRounds(rounds.count, e.span) ? rounds : nil
  }

  /// Counts rounds. Returns `false` if the limit is exceeded.
  func reserveRounds(_ count: Int, _ span: SourceSpan) -> Bool {
    roundCount += count
    guard roundCount > options.limits.rounds else { return true }
    exceeded(
      "rounds", "all loops together run more than \(options.limits.rounds) iterations", at: span,
      raisedTo: options.limits.rounds * 10)
    return false
  }

  private func roundsByThemselves(of e: Expression, _ value: Value) -> [Value]? {
    // The number of rounds must be constant; their values can change over time.
    if value.isPoison { return nil }
    switch value {
    case .list(let items): return items
    case .range(.quantity(let low, .none), .quantity(let high, .none)):
      guard let a = low.constantValue, let b = high.constantValue else {
        let why = dependence(of: [value]) ?? "cannot change over time"
        _ = report(.notConstant, "the range or list of a loop \(why)", at: e.span)
        return nil
      }
      let count = max(0, (b - a).rounded(.up))
      guard count <= Double(options.limits.elements) else {
        _ = report(
          .limitExceeded,
          "a loop has \(NumberFormat().text(count)) iterations, more than the limit of \(options.limits.elements)",
          at: e.span, label: "exceeds the limit 'elements'",
          help: Limits.raising("elements", to: count))
        return nil
      }
      return (0..<Int(count)).map { .number(a + Double($0)) }
    default:
      let isRange = if case .range = value { true } else { false }
      _ = report(
        .typeMismatch,
        "a loop cannot iterate over \(isRange ? "a range of values that are not numbers" : value.description)",
        at: e.span, label: "expected a range such as 0..12, or a list",
        help: constantText(value).map { _ in
          "write split(\(text(at: e.span)), \"\") for its characters, or split(\(text(at: e.span))) for its words"
        })
      return nil
    }
  }

  func index(
    _ base: Expression, at index: Expression, in c: Context, words: Set<String>
  ) -> Value {
    if case .reference(let file) = base.kind, case .module? = c.scope.lookup(file)?.0 {
      return report(.typeMismatch, "'\(file)' is a file and has no items", at: base.span)
    }
    let isList = if case .list = base.kind { true } else { false }
    let list = evaluate(base, c, words: isList ? words : [])
    let position = evaluate(index, c).like(.number)
    if case .element(let i) = list, i.kind == .svg || isVectorPart(i) {
      return vectorPart(of: i, position, index.span)
    }
    if case .element(let i) = list, i.kind == .math || i.kind == .part {
      return formulaPart(of: i, position, index.span)
    }
    if let part = part(of: list, at: position, base: base.span, index: index.span, in: c) {
      return part
    }
    switch (list, position) {
    case (.list(let items), .quantity(let s, .none)):
      guard let number = s.constantValue else {
        return choose(items.count, index: s, at: base.span, in: c) { items[$0] }
      }
      guard number >= 0, number < Double(items.count), number == number.rounded() else {
        let what = NumberFormat().text(number)
        return report(
          .indexOutOfRange, "index \(what) is out of range for a list of length \(items.count)",
          at: index.span,
          label: items.isEmpty ? "the list is empty" : "indices are 0 to \(items.count - 1)")
      }
      return items[Int(number)]
    case (.record(let fields), .text), (.record(let fields), .cell):
      guard let key = asConstantText(position, index.span) else { return poison(index.span) }
      return fields.first { $0.0 == key }?.1 ?? noColumn(key, in: fields, at: index.span)
    default:
      if list.isPoison { return list }
      if position.isPoison { return position }
      if case .list(let items) = list {
        let isColumn = constantText(position).map { Checker.haveField($0, items) } ?? false
        let column = Mismatch.column("row[\(text(at: index.span))]", of: text(at: base.span))
        return report(
          .typeMismatch, "expected a number as the index, found \(position.description)",
          at: index.span, help: isColumn ? "for a column, write \(column)" : nil)
      }
      return report(
        .typeMismatch, "\(list.description) has no items", at: base.span,
        help: list.isPair ? "write '.x' or '.y' for a component" : nil)
    }
  }

  /// Evaluates `word[0]` of a text or `rows[2..5]` of a text or list. Returns `nil` for other
  /// types.
  private func part(
    of value: Value, at position: Value, base: SourceSpan, index at: SourceSpan, in c: Context
  ) -> Value? {
    switch (value, position) {
    case (.list(let items), .range(let from, let to)):
      return slice(from, to, of: items.count, named: "item", base: base, at: at, in: c) { range in
        guard self.reserve(ValueMemory.list(range.count), base), self.spend(range.count / 16, base)
        else { return self.poison(base) }
        return .list(Array(items[range]))
      }
    case (.text, .range(let from, let to)), (.cell, .range(let from, let to)):
      guard let table = table(of: value, base) else { return poison(base) }
      return slice(from, to, of: table.count, named: "character", base: base, at: at, in: c) {
        range in
        let text = table[range]
        guard self.reserve(text.utf8.count, base) else { return self.poison(base) }
        return self.joined([.literal(text)], base)
      }
    case (.text, .quantity(let s, .none)), (.cell, .quantity(let s, .none)):
      guard let table = table(of: value, base) else { return poison(base) }
      func character(_ place: Int) -> Value { .literal(table[place..<(place + 1)]) }
      guard let number = s.constantValue else {
        return choose(table.count, index: s, at: base, in: c, item: character)
      }
      guard isWhole(number, upTo: table.count - 1) else {
        return missing(number, "character", count: table.count, at: at)
      }
      return character(Int(number))
    default: return nil
    }
  }

  private func table(of value: Value, _ span: SourceSpan) -> CharacterTable? {
    if case .text(let text) = value, !spend(text.partWork, span) { return nil }
    return asConstantText(value, span).flatMap { characters(of: $0, span) }
  }

  private func isWhole(_ number: Double, upTo last: Int) -> Bool {
    number >= 0 && number <= Double(last) && number == number.rounded()
  }

  /// Evaluates a slice of a list or text with `count` items. `part` returns the items in a range.
  private func slice(
    _ from: Value, _ to: Value, of count: Int, named what: String, base: SourceSpan, at: SourceSpan,
    in c: Context, part: (Range<Int>) -> Value
  ) -> Value {
    guard let low = asNumber(from, at), let high = asNumber(to, at) else { return poison(at) }
    guard let start = low.constantValue else {
      return report(.notConstant, "the start of a slice cannot change over time", at: at)
    }
    guard isWhole(start, upTo: count) else {
      return missing(start, what, count: count, at: at, isEnd: true)
    }
    let first = Int(start)
    guard let last = high.constantValue else {
      guard what == "character" else {
        return report(
          .notConstant, "the end of a list slice cannot change over time", at: at,
          label: "the length of a list must be constant; the length of a text can change")
      }
      // The end changes over time: choose among all parts with this start.
      let length = builder.subtract(high, low)
      return choose(count - first + 1, index: length, at: base, in: c) {
        part(first..<(first + $0))
      }
    }
    guard isWhole(last, upTo: count) else {
      return missing(last, what, count: count, at: at, isEnd: true)
    }
    return part(first..<max(first, Int(last)))
  }

  private func missing(
    _ number: Double, _ what: String, count: Int, at span: SourceSpan, isEnd: Bool = false
  ) -> Value {
    let number = NumberFormat().text(number)
    let label = isEnd ? "a slice must end at \(count) or before" : "indices are 0 to \(count - 1)"
    return report(
      .indexOutOfRange,
      what == "item"
        ? "index \(number) is out of range for a list of length \(count)"
        : "index \(number) is out of range for a text of length \(count)", at: span,
      label: count == 0 ? "it is empty" : label)
  }

  /// Returns whether items are records with a field, judging by the first one.
  static func haveField(_ name: String, _ items: [Value]) -> Bool {
    guard case .record(let fields)? = items.first else { return false }
    return fields.contains { $0.0 == name }
  }

  func noColumn(_ name: String, in fields: [(String, Value)], at span: SourceSpan) -> Value {
    let isLong = name.utf8.count > 160
    let shown = isLong ? String(name.unicodeScalars.prefix(40)) + "…" : name
    return .poison(
      report(
        Diagnostic(.unknownMember, "unknown column '\(shown)'", at: span)
          .suggesting(nearestTo: name, in: fields.map { $0.0 })))
  }

  /// The maximum number of items from which an index selects over time, since each item is a node
  /// of the program.
  private static let mostChoices = 1000

  /// Selects the item at an index that changes over time, rounded down and clamped to the list.
  private func choose(
    _ count: Int, index: Scalar, at span: SourceSpan, in c: Context, item: (Int) -> Value
  ) -> Value {
    guard count > 0 else {
      return report(.indexOutOfRange, "the list has no items", at: span)
    }
    guard count <= Checker.mostChoices else {
      return report(
        .limitExceeded, "an index that changes over time selects from \(count) items",
        at: span, label: "the maximum is \(Checker.mostChoices)")
    }
    return latest((0..<count).map { (Double($0), item($0)) }[...], upTo: index, at: span, in: c)
  }

  /// Selects the last value whose threshold `from` is not greater than `s`. The thresholds must be
  /// ascending.
  ///
  /// The selections form a balanced binary tree, so that their nesting depth is logarithmic.
  func latest(
    _ values: ArraySlice<(from: Double, value: Value)>, upTo s: Scalar, at span: SourceSpan,
    in c: Context
  ) -> Value {
    guard values.count > 1 else { return values.first?.value ?? poison(span) }
    let middle = values.startIndex + (values.count + 1) / 2
    let early = latest(values[..<middle], upTo: s, at: span, in: c)
    let late = latest(values[middle...], upTo: s, at: span, in: c)
    let reached = builder.make(.lessOrEqual, a: .constant(values[middle].from), b: s)
    return blend(late, early, by: .choose(reached), at: span, in: c)
  }
}
