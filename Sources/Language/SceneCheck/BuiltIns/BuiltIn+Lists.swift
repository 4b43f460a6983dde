// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneTypes

extension BuiltIn {
  static let lists: [BuiltIn] = [
    BuiltIn(
      "len", taking: .expression("list", .list), gives: .number, reads: .nothing,
      cost: .constant, summary: "Returns the number of items in a list, or of characters in a text."
    ) { it, list throws(Reported) in .number(Double(try it.length(of: list))) },
    BuiltIn(
      "sum", taking: .list("list"), gives: .value, reads: .nothing,
      cost: .linear, summary: "Returns the sum of the items."
    ) {
      it, items throws(Reported) in try it.sum(items) ?? .emptySum
    },
    BuiltIn(
      "mean", taking: .list("list"), gives: .value, reads: .nothing,
      cost: .linear, summary: "Returns the mean of the items."
    ) {
      it, items throws(Reported) in
      guard let sum = try it.sum(items) else {
        throw it.report(
          .indexOutOfRange, "'mean' requires at least one item, but the list is empty")
      }
      guard let mean = it.checker.result(of: .divide, sum, .number(Double(items.count))) else {
        throw it.report(.operandMismatch, "the items cannot be averaged")
      }
      return mean
    },
    BuiltIn(
      "sort", taking: .list("list"), .optional(.expression("by")), gives: .list, reads: .nothing,
      cost: .sorting,
      summary: "Returns the items in ascending order, by a column or by a key function."
    ) { it, items, key throws(Reported) in try it.sorted(items, by: key) },
    BuiltIn(
      "fold", taking: .rounds("list"), .value("start"), .function("f", taking: 2), gives: .value,
      reads: .nothing,
      cost: .counted,
      summary: "Combines a start value with all items, one after another, and returns the result."
    ) { it, items, start, f throws(Reported) in
      var memory = FoldMemory(of: it.checker)
      var last = start.value
      for item in items {
        last = try it.folded(last, item, by: f)
        try it.spend(memory.release(for: last, in: it.checker))
      }
      return last
    },
    BuiltIn(
      "scan", taking: .rounds("list"), .value("start"), .function("f", taking: 2), gives: .list,
      reads: .nothing,
      cost: .counted,
      summary: "Like 'fold', but returns the start value and every intermediate result."
    ) { it, items, start, f throws(Reported) in
      var results = [start.value]
      for item in items { results.append(try it.folded(results[results.count - 1], item, by: f)) }
      return try it.need(it.list(results))
    },
    BuiltIn(
      "reverse-list", taking: .list("list"), gives: .list, reads: .nothing,
      cost: .linear, summary: "Returns the items in reverse order."
    ) {
      _, items in .list(items.reversed())
    },
    BuiltIn(
      "zip", taking: .list("a"), .list("b"), gives: .list, reads: .nothing,
      cost: .linear, summary: "Returns pairs of the items of two lists."
    ) {
      it, a, b throws(Reported) in
      let count = min(a.count, b.count)
      try it.reserve(count * ValueMemory.list(2))
      try it.spend(count / 8)
      return try it.need(it.list(zip(a, b).map { Value.list([$0, $1]) }))
    },
    BuiltIn(
      "concat", taking: .many("lists", .list), gives: .list, reads: .nothing,
      cost: .linear, summary: "Returns a list of the items of all lists, one list after another."
    ) { it, lists throws(Reported) in try it.concatenated(lists) },
    BuiltIn(
      "first", taking: .list("list"), gives: .value, reads: .nothing,
      cost: .constant, summary: "Returns the first item."
    ) {
      it, items throws(Reported) in try it.item(items.first)
    },
    BuiltIn(
      "last", taking: .list("list"), gives: .value, reads: .nothing,
      cost: .constant, summary: "Returns the last item."
    ) {
      it, items throws(Reported) in try it.item(items.last)
    },
    BuiltIn(
      "any", taking: .list("list"), gives: .bool, reads: .nothing,
      cost: .linear, summary: "Returns whether any item is true."
    ) {
      it, items throws(Reported) in try it.joined(items, .or, from: .zero)
    },
    BuiltIn(
      "all", taking: .list("list"), gives: .bool, reads: .nothing,
      cost: .linear, summary: "Returns whether all items are true."
    ) {
      it, items throws(Reported) in try it.joined(items, .and, from: .one)
    },
  ]
}

extension Site {
  /// Returns the number of items in a list, which is constant even if the items change over time,
  /// or the number of characters in a constant text.
  fileprivate func length(of e: Expression) throws(Reported) -> Int {
    if context.constantFor != nil {
      switch checker.evaluate(e, context.with { $0.constantFor = nil }) {
      case .list(let items): return items.count
      // A second evaluation would report the same mistake in another way.
      case .poison(let reported): throw reported
      default: break
      }
    }
    let value = try evaluate(e)
    switch value {
    case .list(let items): return items.count
    case .text, .cell:
      if case .text(let text) = value { try spend(text.partWork) }
      let text = try need(checker.asConstantText(value, e.span))
      return try need(checker.characters(of: text, e.span)).count
    default:
      checker.mismatch("a list", value, at: e.span)
      throw checker.reports.expected(e.span)
    }
  }

  /// Returns the result of applying a function to the previous result and an item.
  fileprivate func folded(_ last: Value, _ item: Value, by f: Scope.Binding) throws(Reported)
    -> Value
  {
    let value = checker.releasing {
      checker.apply(f, to: [last, item], at: call.span, in: context)
    }
    if value.isPoison { throw checker.reports.expected(call.span) }
    return value
  }

  /// Returns a list within the limits, or `nil` after an error.
  fileprivate func list(_ items: [Value]) -> Value? {
    let list = checker.list(items, call.span)
    return list.isPoison ? nil : list
  }

  fileprivate func concatenated(_ lists: [Expression]) throws(Reported) -> Value {
    let limit = checker.options.limits.parts
    var parts: [[Value]] = []
    var count = 0
    for list in lists {
      let value = try evaluate(list)
      guard case .list(let part) = value else {
        checker.mismatch("a list", value, at: list.span)
        throw checker.reports.expected(list.span)
      }
      parts.append(part)
      count += part.count
      // Lists that contain each other twice grow exponentially.
      guard count <= limit else {
        checker.exceeded(
          "parts", "the value has more than \(limit) parts", at: call.span, raisedTo: limit * 10)
        throw checker.reports.expected(call.span)
      }
    }
    // Without a reserved capacity, each list has up to twice its size.
    var items: [Value] = []
    items.reserveCapacity(count)
    for part in parts { items += part }
    let whole = checker.affordable(.list(items), call.span)
    if case .poison(let reported) = whole { throw reported }
    return whole
  }

  fileprivate func item(_ item: Value?) throws(Reported) -> Value {
    guard let item else { throw report(.indexOutOfRange, "the list is empty") }
    return item
  }

  fileprivate func joined(_ items: [Value], _ operation: Operation, from first: Scalar)
    throws(Reported) -> Value
  {
    var result = first
    for item in items {
      result = builder.make(operation, a: result, b: try need(checker.truth(item, call.span)))
    }
    return .bool(result)
  }

  /// Returns the sum of items, or `nil` for an empty list.
  fileprivate func sum(_ items: [Value]) throws(Reported) -> Value? {
    guard var sum = items.first else { return nil }
    for item in items.dropFirst() {
      guard let next = checker.result(of: .add, sum, item) else {
        throw report(.operandMismatch, "the items cannot be added")
      }
      sum = next
    }
    return sum
  }

  /// Sorts numbers or texts in ascending order. The sort is stable.
  fileprivate func sorted(_ items: [Value], by key: Expression?) throws(Reported) -> Value {
    let keys = if let key { try sortKeys(items, key) } else { items }
    var numbers: [Double] = []
    var texts: [String] = []
    for key in keys {
      if let number = key.factor?.constantValue {
        numbers.append(number)
      } else if let text = checker.constantText(key) {
        texts.append(text)
      }
    }
    if numbers.count == items.count {
      let order = items.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
      return .list(order.map { items[$0] })
    }
    if texts.count == items.count {
      // Texts with the same beginnings are compared up to their first difference.
      let length = texts.reduce(0) { $0 + $1.utf8.count }
      try spend(BuiltInCost.sorting.steps(length) / 8)
      let order = items.indices.sorted { (texts[$0], $0) < (texts[$1], $1) }
      return .list(order.map { items[$0] })
    }
    throw report(
      .typeMismatch, "'\(call.name)' requires only numbers or only texts",
      at: (key ?? call["list"])?.span,
      help: key == nil ? "name a column to sort records: sort(rows, by: \"name\")" : nil)
  }

  /// Returns the sort keys. `by` is a column of records, or a function of one value.
  private func sortKeys(_ items: [Value], _ by: Expression) throws(Reported) -> [Value] {
    if isFunction(by) {
      let function = try need(checker.function(by, taking: 1, context))
      var keys: [Value] = []
      for item in items {
        let key = checker.apply(function, to: [item], at: by.span, in: context)
        if case .poison(let reported) = key { throw reported }
        keys.append(key)
      }
      return keys
    }
    let column = try need(checker.asConstantText(try evaluate(by), by.span))
    var keys: [Value] = []
    for item in items {
      guard case .record(let fields) = item else {
        throw report(
          .typeMismatch, "'by' requires a list of records, but this list has no columns",
          at: by.span)
      }
      let key =
        fields.first { $0.0 == column }?.1 ?? checker.noColumn(column, in: fields, at: by.span)
      if case .poison(let reported) = key { throw reported }
      keys.append(key)
    }
    return keys
  }

  private func isFunction(_ e: Expression) -> Bool {
    if case .lambda = e.kind { return true }
    switch checker.resolve(e, context.scope)?.0 {
    case .function, .builtIn: return true
    case nil:
      guard case .reference(let name) = e.kind else { return false }
      return BuiltIn.all[name] != nil
    default: return false
    }
  }
}
