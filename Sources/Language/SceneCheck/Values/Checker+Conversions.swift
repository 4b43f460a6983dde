// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Conversions of values to the expected type. Each reports a mismatch once and returns `nil`.
extension Checker {
  /// Reports "expected a length, found a time", with a fix for a missing unit.
  func mismatch(_ wanted: String, _ value: Value, at span: SourceSpan, help: String? = nil) {
    if value.isPoison { return }
    let type = value.type(depth: 1)
    let source = text(at: span)
    let name: String? = if case .element(let it) = value { it.displayName } else { nil }
    var diagnostic = Diagnostic(
      .typeMismatch, "expected \(wanted), found \(value.description)", at: span)
    if let advice = help
      ?? Mismatch.advice(
        for: wanted, found: type, name: name, isLiteral: Mismatch.numberLiterals(source) != nil)
    {
      diagnostic = diagnostic.advising(advice)
    }
    if let fix = Mismatch.fix(
      for: wanted, found: type, text: constantText(value), source: source, at: span)
    {
      diagnostic.fixIts.append(fix)
    }
    report(diagnostic)
  }

  func asNumber(_ value: Value, _ span: SourceSpan) -> Scalar? {
    switch opened(value) {
    case .quantity(let s, .none), .percent(let s): return s
    case .emptySum: return .zero
    default:
      mismatch("a number", value, at: span)
      return nil
    }
  }

  /// Returns a length in pixels. Percentages are relative to `reference`.
  func asLength(_ value: Value, _ span: SourceSpan, of reference: @autoclosure () -> Scalar)
    -> Scalar?
  {
    guard let (pixels, share) = opened(value).lengthParts else {
      mismatch("a length", value, at: span)
      return nil
    }
    if share == .zero { return pixels }
    return builder.add(pixels, builder.multiply(share, reference()))
  }

  /// Returns a time in ticks.
  func asTime(_ value: Value, _ span: SourceSpan) -> Scalar? {
    if case .emptySum = value { return .zero }
    guard case .quantity(let s, .time) = opened(value) else {
      mismatch("a time", value, at: span)
      return nil
    }
    return s
  }

  /// Returns a constant time in ticks.
  func asConstantTime(_ value: Value, _ span: SourceSpan) -> Double? {
    guard let s = asTime(value, span) else { return nil }
    guard let constant = s.constantValue else {
      _ = report(.notConstant, "the time cannot change over time", at: span)
      return nil
    }
    return constant
  }

  func asAngle(_ value: Value, _ span: SourceSpan) -> Scalar? {
    switch opened(value) {
    case .quantity(let s, .angle): return s
    case .quantity(.constant(0), .none), .emptySum: return .zero
    default:
      mismatch("an angle", value, at: span)
      return nil
    }
  }

  func asBool(_ value: Value, _ span: SourceSpan) -> Scalar? { truth(opened(value), span) }

  func asText(_ value: Value, _ span: SourceSpan) -> TextExpression? {
    if case .text(let text) = value { return text }
    if case .cell(let cell) = value { return .literal(cell.text) }
    mismatch("a text", value, at: span)
    return nil
  }

  func asConstantText(
    _ value: Value, _ span: SourceSpan,
    help: String? =
      "use one element for each text: the first with 'for: 1s', the second with 'at: 1s'"
  ) -> String? {
    guard asText(value, span) != nil else { return nil }
    if let text = constantText(value) { return text }
    if let why = dependence(of: [value]) {
      _ = report(.notConstant, "the text \(why)", at: span)
      return nil
    }
    _ = report(.notConstant, "the text cannot change over time", at: span, help: help)
    return nil
  }

  /// Returns "cannot depend on the pixel" (or the particle) if a value depends on it; `nil` if the
  /// values are constant or depend only on the time.
  func dependence(of values: [Value]) -> String? {
    var scalars: [Scalar] = []
    for value in values { value.forEachScalar { scalars.append($0) } }
    let nodes = builder.program.nodes(of: scalars)
    let found = nodes.first { builder.program.nodes[Int($0)].operation.isOfPixel }
    guard let node = found.map({ builder.program.nodes[Int($0)] }) else { return nil }
    let isInput = node.operation == .pixel && node.index >= Operation.firstInput
    return isInput ? "cannot depend on the particle" : "cannot depend on the pixel"
  }

  func asColor(_ value: Value, _ span: SourceSpan) -> ColorModel? {
    switch opened(value) {
    case .color(let color): return color
    case .none: return ColorModel(.transparent)
    default:
      mismatch("a color", value, at: span)
      return nil
    }
  }

  func asEasing(_ value: Value, _ span: SourceSpan) -> (Easing, length: Double?)? {
    switch opened(value) {
    case .easing(let easing, let length): return (easing, length)
    case .word(let name):
      if let easing = Easing.named[name] { return (easing, nil) }
    default: break
    }
    mismatch(
      "an easing", value, at: span,
      help: "use an easing such as ease-in-out, or cubic-bezier(0.2, 0, 0, 1)")
    return nil
  }

  /// Returns a path. An element converts to its outline in its own coordinates.
  func asPath(_ value: Value, _ span: SourceSpan, now time: Scalar? = nil) -> PathModel? {
    switch value {
    case .path(let path): return path
    case .element(let instance):
      if let path = ownPath(of: instance, now: time ?? now) { return path }
      // For an element that can have an outline, the error was already reported.
      if instance.kind.isShape || instance.kind == .text { return nil }
      _ = report(
        .typeMismatch, "'\(instance.displayName)' has no outline to use as a path",
        at: span)
      return nil
    default:
      mismatch("a path", value, at: span)
      return nil
    }
  }

  /// Returns a path. An element converts to its outline at its position, in the coordinates of the
  /// context.
  func asPlacedPath(_ value: Value, _ span: SourceSpan, in c: Context) -> PathModel? {
    guard case .element(let instance) = value else { return asPath(value, span) }
    return asPath(value, span, now: c.now).flatMap { placedPath($0, of: instance, in: c) }
  }

  /// Returns a point in pixels. Percentages are relative to `width` and `height`, and an element
  /// converts to its center.
  func asPoint(
    _ value: Value, _ span: SourceSpan, in c: Context, width: @autoclosure () -> Scalar,
    height: @autoclosure () -> Scalar
  ) -> PointModel? {
    switch opened(value) {
    case .pair(let x, let y):
      if isPairOfWords(x, y, at: span) { return nil }
      guard let px = asLength(x, span, of: width()), let py = asLength(y, span, of: height())
      else { return nil }
      return PointModel(px, py)
    case .element(let instance): return namedPoint("center", of: instance, in: c, at: span)
    case .emptySum: return .zero
    case .word(let word):
      if let share = Words.points[word] {
        return PointModel(builder.scaled(width(), share.x), builder.scaled(height(), share.y))
      }
    default: break
    }
    mismatch("a point", value, at: span)
    return nil
  }

  /// Returns whether a component of a pair is a word such as `center`, which denotes a whole point.
  /// Reports the word.
  private func isPairOfWords(_ x: Value, _ y: Value, at span: SourceSpan) -> Bool {
    func word(_ value: Value) -> String? { if case .word(let it) = value { it } else { nil } }
    guard let first = word(x) ?? word(y) else { return false }
    let across = ["left": "0%", "center": "50%", "right": "100%"]
    let down = ["top": "0%", "center": "50%", "bottom": "100%"]
    let diagnostic = Diagnostic(
      .typeMismatch, "expected a length, found the word '\(first)'", at: span)
    let parts = text(at: span).dropFirst().dropLast().split(separator: ",").map {
      $0.trimmingPrefix(while: \.isWhitespace)
    }
    guard parts.count == 2, text(at: span).hasPrefix("("),
      let left = word(x) == nil ? String(parts[0]) : across[String(parts[0])],
      let top = word(y) == nil ? String(parts[1]) : down[String(parts[1])]
    else {
      report(
        diagnostic.advising(
          "use a word for a whole point: position: center, or a pair of lengths: (50%, 100)"))
      return true
    }
    report(diagnostic.fixing("write (\(left), \(top))", replacing: span, with: "(\(left), \(top))"))
    return true
  }

  /// Returns the factors of both axes, from one number or a pair.
  func asFactors(_ value: Value, _ span: SourceSpan) -> PointModel? {
    if case .pair(let x, let y) = value {
      guard let a = asNumber(x, span), let b = asNumber(y, span) else { return nil }
      return PointModel(a, b)
    }
    return asNumber(value, span).map { PointModel($0, $0) }
  }

  func asAngles(_ value: Value, _ span: SourceSpan) -> PointModel? {
    if case .pair(let x, let y) = value {
      guard let a = asAngle(x, span), let b = asAngle(y, span) else { return nil }
      return PointModel(a, b)
    }
    return asAngle(value, span).map { PointModel($0, .zero) }
  }

  /// Returns the items of a list, or a single value as a list.
  func asList(_ value: Value) -> [Value] {
    if case .list(let items) = value { return items }
    return [value]
  }

  func asWord(_ value: Value, _ span: SourceSpan, from words: [String]) -> String? {
    switch value {
    case .word(let word) where words.contains(word): return word
    case .cell(let cell) where words.contains(cell.text): return cell.text
    case .poison: return nil
    case .none where words.contains("none"): return "none"
    // The names of profiles are numbers.
    case .quantity(.constant(let number), .none) where words.contains(NumberFormat().text(number)):
      return NumberFormat().text(number)
    case .text:
      if let text = constantText(value), words.contains(text) {
        var diagnostic = Diagnostic(
          .typeMismatch, "'\(text)' must not be in quotes here", at: span)
        diagnostic.fixIts = [FixIt("remove the quotes", replacing: span, with: text)]
        report(diagnostic)
        return nil
      }
    case .pair where !value.isConstant:
      // `left` and `right` are also points, and points can change over time.
      _ = report(
        .notMixable, "a word cannot change over time here", at: span,
        label: "expected one of \(words.joined(separator: ", "))")
      return nil
    default: break
    }
    _ = report(
      .unknownWord, "expected one of \(words.joined(separator: ", ")), found \(value.description)",
      at: span)
    return nil
  }

  /// Returns whether a type exists. Reports an unknown type.
  func isKnown(_ type: TypeSyntax) -> Bool {
    if let parameters = type.parameters {
      return (parameters + [type.element].compactMap { $0 }).allSatisfy(isKnown)
    }
    guard type.names.count == 1, let name = type.names.first, type.element == nil,
      KnownWords.types[name] == nil
    else { return type.element.map(isKnown) ?? true }
    report(
      Diagnostic(.unknownName, "unknown type '\(name.text)'", at: type.span)
        .suggesting(nearestTo: name.text, in: ValueType.declarable.map(\.rawValue)))
    return false
  }

  /// Converts a value to a declared type, as in `let a: length = …`.
  func convert(_ value: Value, to type: TypeSyntax, at span: SourceSpan) -> Value {
    if value.isPoison { return poison(span) }
    if type.isFunction {
      mismatch("a function", value, at: span)
      return poison(span)
    }
    let named = type.names.count == 1 ? KnownWords.types[type.names[0]] : nil
    switch (type.element == nil ? named : nil, value) {
    // The most frequent values, which remain unchanged.
    case (.number, .quantity(_, .none)), (.length, .quantity(_, .none)),
      (.time, .quantity(_, .time)), (.angle, .quantity(_, .angle)), (.color, .color):
      return value
    default: break
    }
    var value = value
    if case .cell(let cell) = value {
      let isText = named == .text || named == .image
      value = isText ? .literal(cell.text) : opened(value)
    }
    guard type.names.count == 1 else {
      let words = type.names.map(\.text)
      return asWord(value, span, from: words).map(Value.word) ?? poison(span)
    }
    if named == .list || type.element != nil {
      let items = asList(value)
      guard let element = type.element else { return .list(items) }
      guard reserve(ValueMemory.list(items.count), span), spend(items.count / 16, span) else {
        return poison(span)
      }
      let converted = items.map { convert($0, to: element, at: span) }
      return converted.first { $0.isPoison } ?? .list(converted)
    }
    guard isKnown(type), let named else { return poison(span) }
    if let type = value.type(depth: 0).converted(to: named).result,
      let it = value.converted(to: type)
    {
      // The value remains an element, since operations on paths require its position.
      if named == .path, case .element = value, asPath(value, span) == nil { return poison(span) }
      return it
    }
    mismatch(named.description, value, at: span)
    return poison(span)
  }
}

extension Value {
  /// Returns the value converted to a type by the rules for declarations; `nil` if it cannot be
  /// converted.
  fileprivate func converted(to type: Type) -> Value? {
    switch (self, type) {
    case (.cell, _): nil
    case (.emptySum, .pair): .pair(.zero, .zero)
    case (.emptySum, _): like(type.amount)
    case (.percent(let share), .number): .number(share)
    case (.quantity, .pair), (.percent, .pair): .pair(self, self)
    case (.word(let word), .easing): Easing.named[word].map { .easing($0, length: nil) }
    default: self
    }
  }
}
