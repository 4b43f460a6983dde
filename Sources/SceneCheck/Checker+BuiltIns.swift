// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

extension Checker {
  func builtIn(_ call: Call, _ c: Context) -> Value {
    switch call.name {
    case "rgb", "hsl", "oklch", "mix", "lighten", "darken", "alpha": return colorFunction(call, c)
    case "linear-gradient", "radial-gradient", "conic-gradient", "stop":
      return gradientFunction(call, c)
    case "pattern": return patternFunction(call, c)
    case "blur", "brightness", "contrast", "saturate", "grayscale", "hue-rotate", "invert", "sepia",
      "lut", "chroma-key", "shadow":
      return filterFunction(call, c)
    case "cubic-bezier", "steps", "linear", "spring": return easingFunction(call, c)
    case "loop", "delay", "reverse", "at-time": return shifted(call, c)
    case "wave", "noise", "random", "wiggle": return chanceFunction(call, c)
    case "len", "sum", "mean", "sort", "reverse-list", "zip", "first", "last", "any", "all", "join":
      return listFunction(call, c)
    case "path", "point-at", "angle-at", "length-of": return pathFunction(call, c)
    case "format": return formatFunction(call, c)
    case "data": return dataFunction(call, c)
    default: return numberFunction(call, c)
    }
  }

  /// The value of an argument; poison when it was not given, which the binding has told of.
  func argument(_ name: String, _ call: Call, _ c: Context, words: Set<String> = []) -> Value {
    call.named[name].map { evaluate($0, c, words: words) } ?? poison(call.span)
  }

  func argumentSpan(_ name: String, _ call: Call) -> SourceSpan {
    call.named[name]?.span ?? call.span
  }

  func number(_ name: String, _ call: Call, _ c: Context, or fallback: Double? = nil) -> Scalar? {
    if call.named[name] == nil, let fallback { return .constant(fallback) }
    return asNumber(argument(name, call, c), argumentSpan(name, call))
  }

  private func constantNumber(_ name: String, _ call: Call, _ c: Context, or fallback: Double?)
    -> Double?
  {
    guard let s = number(name, call, c, or: fallback) else { return nil }
    if let value = s.constantValue { return value }
    _ = fault(
      .notConstant, "'\(name)' of '\(call.name)' cannot change over time",
      at: argumentSpan(name, call))
    return nil
  }

  // MARK: Numbers

  private func numberFunction(_ call: Call, _ c: Context) -> Value {
    switch call.name {
    case "min", "max": return extreme(call, c)
    case "sin", "cos", "tan":
      let value = argument("angle", call, c)
      let degrees: Scalar
      switch value {
      case .quantity(let s, .angle): degrees = s
      case .quantity(let s, .none): degrees = builder.scaled(s, 180 / .pi)
      default:
        mismatch("an angle", value, argumentSpan("angle", call))
        return poison(call.span)
      }
      let op: Operation = call.name == "sin" ? .sine : call.name == "cos" ? .cosine : .tangent
      return .number(builder.make(op, degrees))
    case "atan2":
      guard let y = number("y", call, c), let x = number("x", call, c) else { return poison(call.span) }
      return .quantity(builder.make(.arcTangent, y, x), .angle)
    case "pow":
      guard let a = number("base", call, c), let b = number("exponent", call, c) else {
        return poison(call.span)
      }
      return finite(.number(builder.make(.power, a, b)), call)
    case "mod": return modulo(call, c)
    case "clamp":
      let x = argument("x", call, c)
      let low = argument("low", call, c)
      let high = argument("high", call, c)
      guard let lower = ordered(.maximum, x, low, call.span),
        let both = ordered(.minimum, lower, high, call.span)
      else { return poison(call.span) }
      return both
    case "map-range": return mapRange(call, c)
    default: return oneNumber(call, c)
    }
  }

  private func oneNumber(_ call: Call, _ c: Context) -> Value {
    let operations: [String: Operation] = [
      "abs": .absolute, "floor": .floor, "ceil": .ceiling, "round": .round, "sqrt": .squareRoot,
      "exp": .exponential, "log": .logarithm,
    ]
    guard let operation = operations[call.name] else { return poison(call.span) }
    let value = argument("x", call, c)
    if operation == .absolute, case .emptySum = value { return value }
    if operation == .absolute, case .quantity(let s, let d) = value {
      return .quantity(builder.make(.absolute, s), d)
    }
    guard let s = asNumber(value, argumentSpan("x", call)) else { return poison(call.span) }
    return finite(.number(builder.make(operation, s)), call)
  }

  /// A constant result that is no finite number is told of where it is made.
  private func finite(_ value: Value, _ call: Call) -> Value {
    if case .quantity(.constant(let x), _) = value, !x.isFinite {
      return fault(.notFinite, "'\(call.name)' has no finite result here", at: call.span)
    }
    return value
  }

  private func modulo(_ call: Call, _ c: Context) -> Value {
    let a = argument("a", call, c)
    let b = argument("b", call, c)
    switch (a.beside(b), b.beside(a)) {
    case (.quantity(let x, let d), .quantity(let y, let e)) where d == e:
      if y == .zero { return fault(.notFinite, "'mod' by zero", at: argumentSpan("b", call)) }
      return .quantity(builder.make(.modulo, x, y), d)
    default:
      if a.isPoison || b.isPoison { return poison(call.span) }
      return fault(
        .operandMismatch, "'mod' needs two of a kind, found \(a.description) and \(b.description)",
        at: call.span)
    }
  }

  /// The lesser or greater of two values of one kind.
  func ordered(_ op: Operation, _ a: Value, _ b: Value, _ span: SourceSpan) -> Value? {
    switch (a.beside(b), b.beside(a)) {
    case (.quantity(let x, let d), .quantity(let y, let e)) where d == e:
      return .quantity(builder.make(op, x, y), d)
    case (.percent(let x), .percent(let y)): return .percent(builder.make(op, x, y))
    case (.percent(let x), .quantity(let y, .none)), (.quantity(let x, .none), .percent(let y)):
      return .number(builder.make(op, x, y))
    default:
      if !a.isPoison, !b.isPoison {
        _ = fault(
          .operandMismatch, "\(a.description) and \(b.description) cannot be compared", at: span)
      }
      return nil
    }
  }

  private func extreme(_ call: Call, _ c: Context) -> Value {
    var values = call.many.map { evaluate($0, c) }
    if values.count == 1, case .list(let items) = values[0] { values = items }
    guard var result = values.first else {
      return fault(.wrongArguments, "'\(call.name)' of an empty list", at: call.span)
    }
    for value in values.dropFirst() {
      guard
        let next = ordered(call.name == "min" ? .minimum : .maximum, result, value, call.span)
      else { return poison(call.span) }
      result = next
    }
    return result
  }

  private func mapRange(_ call: Call, _ c: Context) -> Value {
    let names = ["x", "from-low", "from-high", "to-low", "to-high"]
    let v = names.map { argument($0, call, c) }
    if v.contains(where: { $0.isPoison }) { return poison(call.span) }
    guard let above = addition(.subtract, v[0], v[1]), let range = addition(.subtract, v[2], v[1]),
      let share = quotient(above, range), case .quantity(let u, .none) = share
    else {
      return fault(.operandMismatch, "the first three values need to be of one kind", at: call.span)
    }
    return blend(v[3], v[4], .mix(u, .oklab), call.span, c)
  }

  // MARK: Chance

  private func chanceFunction(_ call: Call, _ c: Context) -> Value {
    switch call.name {
    case "wave":
      if let what = c.constantFor { return movingIn(what, call.span) }
      guard let period = asTime(argument("period", call, c), argumentSpan("period", call)),
        let begin = start(of: c.owner, call.span)
      else { return poison(call.span) }
      if let p = period.constantValue, p <= 0 {
        return fault(
          .outOfRange, "the period of a wave is above zero", at: argumentSpan("period", call))
      }
      c.recorder?.note(period.constantValue ?? 0)
      let local = builder.subtract(c.now, .constant(Double(begin.rawValue)))
      return .number(builder.make(.sine, builder.scaled(builder.divide(local, period), 360)))
    case "noise":
      guard let x = number("x", call, c), let seed = number("seed", call, c, or: 0) else {
        return poison(call.span)
      }
      return .number(builder.make(.noise, x, seeded(seed, c)))
    case "random":
      guard let seed = number("seed", call, c) else { return poison(call.span) }
      let share = builder.make(.random, seed, .constant(scene(of: c.owner).seed))
      guard call.named["range"] != nil else { return .number(share) }
      guard case .range(let low, let high) = argument("range", call, c) else {
        return fault(
          .typeMismatch, "expected a range such as 10..20", at: argumentSpan("range", call))
      }
      return blend(low, high, .mix(share, .oklab), call.span, c)
    default:
      if let what = c.constantFor { return movingIn(what, call.span) }
      guard case .quantity(let rate, .rate) = argument("rate", call, c) else {
        return fault(
          .typeMismatch, "expected a rate such as 2Hz", at: argumentSpan("rate", call))
      }
      guard let seed = number("seed", call, c, or: 0), let begin = start(of: c.owner, call.span)
      else { return poison(call.span) }
      let local = builder.subtract(c.now, .constant(Double(begin.rawValue)))
      let noise = builder.make(.noise, builder.multiply(local, rate), seeded(seed, c))
      return product(argument("amount", call, c), .number(noise))
        ?? fault(.typeMismatch, "the amount of 'wiggle' is a number or length", at: call.span)
    }
  }

  /// A seed of noise with that of the scene; far apart, so that small ones do not meet.
  private func seeded(_ seed: Scalar, _ c: Context) -> Scalar {
    builder.add(seed, .constant(scene(of: c.owner).seed * 1_000_003))
  }

  // MARK: Lists

  private func listFunction(_ call: Call, _ c: Context) -> Value {
    let name = call.name == "zip" ? "a" : "list"
    let value = argument(name, call, c)
    if call.name == "len", isText(value) {
      guard let text = asConstantText(value, argumentSpan(name, call)) else { return poison(call.span) }
      return .number(Double(text.count))
    }
    guard case .list(let items) = value else {
      if !value.isPoison { mismatch("a list", value, argumentSpan(name, call)) }
      return poison(call.span)
    }
    switch call.name {
    case "len": return .number(Double(items.count))
    case "sum", "mean": return total(items, call)
    case "reverse-list": return .list(items.reversed())
    case "first", "last":
      return (call.name == "first" ? items.first : items.last)
        ?? fault(.indexOutOfRange, "the list is empty", at: call.span)
    case "any", "all":
      var result = Scalar.constant(call.name == "any" ? 0 : 1)
      for item in items {
        guard let truth = truth(item, call.span) else { return poison(call.span) }
        result = builder.make(call.name == "any" ? .or : .and, result, truth)
      }
      return .bool(result)
    case "zip":
      guard case .list(let others) = argument("b", call, c) else {
        return fault(.typeMismatch, "'zip' needs two lists", at: argumentSpan("b", call))
      }
      return .list(zip(items, others).map { Value.list([$0, $1]) })
    case "join":
      let separator = call.named["separator"] == nil ? .literal("") : argument("separator", call, c)
      guard let between = textPiece(separator, call.span) else { return poison(call.span) }
      var parts: [TextExpression] = []
      for (index, item) in items.enumerated() {
        guard let piece = textPiece(item, call.span) else { return poison(call.span) }
        if index > 0 { parts.append(between) }
        parts.append(piece)
      }
      return joined(parts, call.span)
    default: return sorted(items, call, c)
    }
  }

  private func isText(_ value: Value) -> Bool {
    switch value {
    case .text, .cell: true
    default: false
    }
  }

  private func total(_ items: [Value], _ call: Call) -> Value {
    guard var sum = items.first else {
      return call.name == "sum"
        ? .emptySum : fault(.indexOutOfRange, "'mean' of an empty list", at: call.span)
    }
    for item in items.dropFirst() {
      guard let next = addition(.add, sum, item) else {
        return fault(.operandMismatch, "the items cannot be added", at: call.span)
      }
      sum = next
    }
    if call.name == "sum" { return sum }
    return quotient(sum, .number(Double(items.count))) ?? poison(call.span)
  }

  /// Numbers or texts in rising order; equal ones keep theirs. `by` names a column of records, or is a
  /// function of one value.
  private func sorted(_ items: [Value], _ call: Call, _ c: Context) -> Value {
    var keys: [Value] = items
    if let by = call.named["by"] {
      guard let made = sortKeys(items, by, c) else { return poison(call.span) }
      keys = made
    }
    var numbers: [Double] = []
    var texts: [String] = []
    for key in keys {
      switch key {
      case .quantity(.constant(let number), _), .percent(.constant(let number)):
        numbers.append(number)
      case .poison: return poison(call.span)
      default: if let text = constantText(key) { texts.append(text) }
      }
    }
    let order: [Int]
    if numbers.count == items.count {
      order = items.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
    } else if texts.count == items.count {
      order = items.indices.sorted { (texts[$0], $0) < (texts[$1], $1) }
    } else {
      return fault(
        .typeMismatch, "'sort' needs numbers, or texts, that do not change",
        at: argumentSpan(call.named["by"] == nil ? "list" : "by", call),
        help: call.named["by"] == nil
          ? "records are sorted by a column: sort(rows, by: \"name\")" : nil)
    }
    return .list(order.map { items[$0] })
  }

  private func sortKeys(_ items: [Value], _ by: Expression, _ c: Context) -> [Value]? {
    if case .function(let function, let home)? = resolve(by, c.scope)?.0 {
      return items.map { item in
        let scope = Scope(parent: home, owner: nil)
        guard let parameter = function.parameters.first, function.parameters.count == 1,
          let body = function.value
        else {
          return fault(
            .wrongArguments, "'\(function.name.text)' takes \(function.parameters.count) values",
            at: by.span, label: "a key is made of one")
        }
        scope.bind(parameter.name.text, .value(item, parameter.name.span))
        return evaluate(body, c.with { $0.scope = scope })
      }
    }
    guard let column = asConstantText(evaluate(by, c), by.span) else { return nil }
    return items.map { item in
      guard case .record(let fields) = item else {
        return fault(
          .typeMismatch, "'by' names a column, and this is a list of other things", at: by.span)
      }
      return fields.first { $0.0 == column }?.1 ?? noColumn(column, fields, by.span)
    }
  }

  // MARK: Texts and paths

  private func formatFunction(_ call: Call, _ c: Context) -> Value {
    var format = NumberFormat()
    let value = argument("x", call, c)
    if call.named["pattern"] != nil {
      let at = argumentSpan("pattern", call)
      guard let pattern = asConstantText(argument("pattern", call, c), at) else { return poison(call.span) }
      if case .quantity(_, .none) = value {
        return fault(
          .outOfRange, "a pattern is for times, and this is a number", at: at,
          help: "numbers are written format(x, group: \",\", decimals: 0)")
      }
      guard case .quantity(let time, .time) = value else {
        mismatch("a time", value, argumentSpan("x", call))
        return poison(call.span)
      }
      if let strange = NumberFormat.strangeLetter(in: pattern) {
        return fault(
          .outOfRange, "the pattern has a '\(strange)' that stands for nothing", at: at,
          label: "letters are h, m, s, and f for frames or .s, .ss, .sss for parts of a second",
          help: "other words stand outside: {format(t, \"m\")} minutes")
      }
      guard pattern.contains(where: { "hmsf".contains($0) }) else {
        return fault(
          .outOfRange, "the pattern shows no part of the time", at: at, help: "such as \"mm:ss\"")
      }
      format.clock = pattern
      format.frameRate = Double(Ticks.perSecond) / frameRate.frameTicks
      return .text(.number(time, format))
    }
    for name in ["decimals", "digits"] where call.named[name] != nil {
      guard let count = constantNumber(name, call, c, or: nil) else { return poison(call.span) }
      guard count >= 0, count <= 12 else {
        return fault(.outOfRange, "'\(name)' is 0 to 12", at: argumentSpan(name, call))
      }
      if name == "decimals" { format.decimals = Int(count) } else { format.digits = Int(count) }
    }
    if call.named["group"] != nil {
      guard let group = asConstantText(argument("group", call, c), argumentSpan("group", call))
      else { return poison(call.span) }
      format.group = group
    }
    if call.named["sign"] != nil {
      guard let sign = asBool(argument("sign", call, c), argumentSpan("sign", call)) else {
        return poison(call.span)
      }
      format.sign = sign.constantValue == 1
    }
    switch value {
    case .percent(let s):
      format.suffix = "%"
      return .text(.number(builder.scaled(s, 100), format))
    case .quantity(let s, .time):
      return .text(.number(builder.scaled(s, 1 / Double(Ticks.perSecond)), format))
    case .quantity(let s, .angle): return .text(.number(s, format))
    default:
      return asNumber(value, argumentSpan("x", call)).map { .text(.number($0, format)) } ?? poison(call.span)
    }
  }

  private func pathFunction(_ call: Call, _ c: Context) -> Value {
    if call.name == "path" {
      let at = argumentSpan("data", call)
      return pathValue(argument("data", call, c), at).map(Value.path) ?? poison(call.span)
    }
    let at = argumentSpan("path", call)
    let value = argument("path", call, c)
    guard let own = asPath(value, at) else { return poison(call.span) }
    var path = own
    // Of an element, where it is drawn; its length is its own.
    if case .element(let element) = value, call.name != "length-of" {
      guard let placed = placedPath(own, of: element, in: c) else { return poison(call.span) }
      path = placed
    }
    let base = builder.register(path) * 4
    if call.name == "length-of" { return .number(builder.make(.pathPoint, index: base + 3)) }
    guard let share = number("share", call, c) else { return poison(call.span) }
    if call.name == "angle-at" {
      return .quantity(builder.make(.pathPoint, share, index: base + 2), .angle)
    }
    return .pair(
      builder.make(.pathPoint, share, index: base), builder.make(.pathPoint, share, index: base + 1)
    )
  }

  /// A path, or SVG path data as a text that does not change.
  func pathValue(_ value: Value, _ span: SourceSpan) -> PathModel? {
    if case .path(let path) = value { return path }
    if case .element = value { return asPath(value, span) }
    guard let data = asConstantText(value, span) else { return nil }
    do {
      let path = try SVGPathData.parse(data)
      guard path.elements.count <= options.limits.path else {
        _ = fault(
          .limitExceeded, "a path of \(path.elements.count) points is over the limit", at: span,
          label: "the limit 'path' is \(options.limits.path)")
        return nil
      }
      return PathModel([.fixed(path)])
    } catch {
      // In a plain literal the byte of the fault is known: one behind the quote.
      let start = span.start + 1 + error.offset
      let exact =
        span.end - span.start == data.utf8.count + 2
        ? SourceSpan(file: span.file, start: start, end: min(start + 1, span.end)) : span
      _ = fault(
        .invalidPathData, "the path data are wrong: \(error.message)", at: exact,
        label: "after \(error.offset) bytes")
      return nil
    }
  }
}
