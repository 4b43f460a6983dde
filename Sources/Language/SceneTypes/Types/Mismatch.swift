// SPDX-License-Identifier: MIT
package import SceneDiagnostics
import SceneGraphics
import SceneLanguage
package import SceneText

/// The errors about values of the wrong type, with the same wording in the typer and in evaluation.
package enum Mismatch {
  /// Returns "a and b cannot be added", with advice.
  ///
  /// - Parameters:
  ///   - verb: The participle of the operation, such as "added".
  ///   - a: The type of the left operand.
  ///   - b: The type of the right operand.
  ///   - descriptions: The operands in the message, with articles.
  static func combination(
    _ verb: String, of a: Type, and b: Type, descriptions: (String, String), at span: SourceSpan
  ) -> Diagnostic {
    let diagnostic = Diagnostic(
      .operandMismatch, "\(descriptions.0) and \(descriptions.1) cannot be \(verb)", at: span)
    let help: String? =
      switch (a, b) {
      case (.cell, .text) where verb == "added", (.text, .cell) where verb == "added",
        (.cell, .cell) where verb == "added":
        "write the values inside one text to join them: \"{a} {b}\""
      case (.cell, .cell), (.cell, .number), (.number, .cell), (.cell, .percent), (.percent, .cell):
        "make every cell of the column a number"
      case (.text, _) where verb == "compared", (_, .text) where verb == "compared":
        "compare numbers with numbers, and texts with texts: \"{a}\" == \"{b}\""
      case (.text, _), (_, .text):
        "write the values inside one text to join them: \"{a} {b}\""
      case (.time, .number), (.number, .time):
        "add a unit to the number, such as 2s, or divide the time by 1s"
      case (.color, .percent) where verb == "divided":
        "write the opacity of a color as alpha: #000000b3, or rgb(0, 0, 0, 0.7)"
      case (.color, _), (_, .color):
        "mix colors with mix(a, b, 50%), or compute channels: srgb(c.red * 0.5, c.green, c.blue)"
      case (.filter, _) where verb == "compared", (_, .filter) where verb == "compared":
        "filters have no order; contrast-of(element) returns the contrast of a text"
      case (.time, .percent): "write '0.5 * time' for 50% of a time"
      case (.pair, .pair) where verb == "compared":
        "compare the parts: a.x < b.x, or the lengths: norm(a) < norm(b)"
      case (.pair, .pair):
        "combine the parts: (a.x * b.x, a.y * b.y), or use norm(a) for the length of a pair"
      case (.pair, .percent) where verb == "added", (.percent, .pair) where verb == "added",
        (.pair, .number) where verb == "added", (.number, .pair) where verb == "added":
        "add it to both parts: (a.x + 20, a.y + 20)"
      case (.list, .list) where verb == "added":
        "write concat(a, b) to join lists"
      case (.list, _) where verb == "added":
        "write concat(list, [x]) to append a value"
      default: nil
      }
    return help.map(diagnostic.advising) ?? diagnostic
  }

  /// Returns the error for a function in place of a value.
  package static func function(at span: SourceSpan) -> Diagnostic {
    var diagnostic = Diagnostic(
      .typeMismatch, "a function cannot be a value here", at: span,
      label: "only a parameter of a type such as fn(number) -> number accepts one")
    diagnostic.notes = [
      Note(help: "declare a named function at the top of the file: fn f(x: number) -> number = …")
    ]
    return diagnostic
  }

  /// Returns the error for a value in place of a Boolean value, with a fix for 0, 1 and texts.
  ///
  /// - Parameters:
  ///   - description: The value in the message, with its article.
  ///   - text: The constant text of the value, if it is one.
  ///   - source: The source text of the value.
  package static func condition(
    found type: Type, description: String, text: String?, source: String, at span: SourceSpan
  ) -> Diagnostic {
    let wanted = "true or false"
    let fix = fix(for: wanted, found: type, text: text, source: source, at: span)
    return Diagnostic(
      .typeMismatch, "expected \(wanted), found \(description)", at: span,
      label: fix == nil ? "use a comparison, as in 'x > 0'" : "", fixIts: fix.map { [$0] } ?? [])
  }

  /// Returns the error for a value that has no negative.
  package static func negation(
    of type: Type, description: String, at span: SourceSpan
  ) -> Diagnostic {
    let diagnostic = Diagnostic(
      .operandMismatch, "'-' cannot be applied to \(description)", at: span)
    return type == .bool ? diagnostic.advising("write 'not' for the opposite") : diagnostic
  }

  /// Returns advice for a value of another type than the expected one, or `nil`.
  ///
  /// - Parameters:
  ///   - wanted: The expected type with its article, such as "a length".
  ///   - type: The type of the value.
  ///   - name: The name of the element, if the value is one.
  ///   - isLiteral: Whether the value is written as a number or a list of numbers.
  package static func advice(
    for wanted: String, found type: Type, name: String?, isLiteral: Bool
  ) -> String? {
    switch (wanted, type) {
    case ("a number", .time), ("a length", .time):
      return "divide a time by 1s for a number: 't / 1s * 100'"
    case ("a number", .angle), ("a length", .angle):
      return "divide an angle by 1deg for a number"
    case ("an angle", .time):
      return "multiply a time by a speed for an angle: 't * 90deg / 1s'"
    case ("an angle", .quantity(Dimension(time: 1, angle: 1))):
      return "divide by a time: 't * 90deg / 1s' rotates by 90deg per second"
    case ("a number", .list(_, let items)), ("a length", .list(_, let items)),
      ("an angle", .list(_, let items)), ("a pair", .list(_, let items)):
      if let items, items.count < 2 { return nil }
      return "write a motion as a -> b over 1s, or keyframes { 0s: a; 1s: b }"
    case ("a length or a pair", .list(_, let items)):
      return items?.count == 2
        ? "write a pair in parentheses: (10, 20)"
        : "write one length, or a pair in parentheses: (10, 20)"
    case ("a pair", .element):
      return name.map { "use a point of the element, such as '\($0).center'" }
    case ("a pair", .range): return "write a pair in parentheses: (0, 10)"
    case ("a percent", .number): return "write percentages, such as 0% -> 100%"
    case ("a point", .record), ("a pair", .record):
      return "write a pair without names: (100, 200)"
    case ("a number", .mixed), ("a volume", .mixed):
      return
        "write both values with '%', as in 0% -> 80%; a number and a percentage cannot be mixed"
    case ("a volume", _): return "use a factor such as 0.5, or a gain such as -6dB"
    case ("a time", .number):
      return isLiteral
        ? "add a unit, such as 2s, 300ms or 12f"
        : "add a unit, such as 2s, or multiply it by a time: '… * 1s'"
    case ("a time", .quantity(Dimension(time: -1, angle: 0))):
      return "write the time between two events: 0.25s instead of 4Hz"
    case ("a time", .element(let it)) where it.kind != .marker:
      return name.map { "use '\($0).start' or '\($0).end'" }
    case ("a time", .percent): return "write '0.5 * end' for half of the duration"
    case ("an angle", .number):
      return isLiteral
        ? "add a unit, such as 90deg, 1.57rad or 0.25turn"
        : "add a unit, such as 90deg, or multiply it by an angle: '… * 1deg'"
    case ("a point", .list(_, let items?)) where items.count == 2:
      return "write a point in parentheses: (10, 20)"
    case ("a point", .quantity), ("a pair", .quantity), ("a point", .percent),
      ("a pair", .percent):
      return "write a point as two values: (x, y)"
    case ("a color", .text), ("a paint", .text):
      return "write colors without quotes: #ff8a3d, red"
    case ("a pair of numbers", _):
      return "write fractions of width and height: (0, 1 - progress)"
    case ("a paint", _): return "use a color, a gradient or none"
    case ("a text", .number) where !isLiteral:
      return "write it in braces inside a text: \"{…}\""
    case ("a text", .quantity) where !isLiteral, ("a text", .word): return "put it in quotes"
    default: return nil
    }
  }

  /// Returns a fix for a literal of the wrong type: a unit for a time or an angle, quotes for a
  /// number, the removal of quotes from a color, a point or a quantity, or parentheses for a point.
  /// Returns `nil` if no such fix applies.
  ///
  /// - Parameters:
  ///   - text: The constant text of the value, if it is one.
  ///   - source: The source text of the value.
  package static func fix(
    for wanted: String, found type: Type, text: String?, source: String, at span: SourceSpan
  ) -> FixIt? {
    if ["a color", "a paint"].contains(wanted), case .pair = type, let color = hexColor(source) {
      return FixIt("write \(color)", replacing: span, with: color)
    }
    if ["a color", "a paint"].contains(wanted), type == .text, let text,
      Color(name: text) != nil
        || text.first == "#" && Color(hexDigits: String(text.dropFirst())) != nil
    {
      return FixIt("remove the quotes", replacing: span, with: text)
    }
    if wanted == "a number", case .quantity(Dimension(time: -1, angle: 0)) = type,
      source.hasSuffix("Hz"), Double(source.dropLast(2)) != nil
    {
      let written = String(source.dropLast(2))
      return FixIt("write \(written)", replacing: span, with: written, isSafe: false)
    }
    if ["a point", "a pair"].contains(wanted), case .quantity = type,
      let pair = pairWithoutComma(source)
    {
      return FixIt("add ','", replacing: span, with: pair)
    }
    if wanted == "a text", type == .number, let numbers = numberLiterals(source) {
      let texts = numbers.map { "\"\($0)\"" }.joined(separator: ", ")
      let written = source.first == "[" ? "[\(texts)]" : texts
      return FixIt("write \(written)", replacing: span, with: written, isSafe: false)
    }
    if wanted == "a point", type == .text, let text, Words.points[text] != nil {
      return FixIt("remove the quotes", replacing: span, with: text)
    }
    if wanted == "a point", type == .percent, source.hasSuffix("%"),
      Double(source.dropLast()) != nil
    {
      let pair = "(\(source), \(source))"
      return FixIt("write \(pair)", replacing: span, with: pair, isSafe: false)
    }
    if wanted == "a point", case .list(_, let items?) = type, items.count == 2,
      source.hasPrefix("["), source.hasSuffix("]")
    {
      let pair = "(\(source.dropFirst().dropLast()))"
      return FixIt("write \(pair)", replacing: span, with: pair)
    }
    // Other numbers are probably not meant as Boolean values.
    if wanted == "true or false", type == .number, ["0", "1"].contains(source) {
      let word = source == "0" ? "false" : "true"
      return FixIt("write \(word)", replacing: span, with: word, isSafe: false)
    }
    if wanted == "true or false", type == .text, let text, ["true", "false"].contains(text) {
      return FixIt("remove the quotes", replacing: span, with: text)
    }
    if type == .text, let text, let quantity = quantity(text, for: wanted) {
      let isWritten = quantity == text
      return FixIt(
        isWritten ? "remove the quotes" : "write \(quantity)", replacing: span, with: quantity,
        isSafe: isWritten)
    }
    // Only a number literal can be followed by a unit.
    guard type == .number, let number = Double(source), let unit = unit(of: wanted, number),
      ["s", "ms", "deg", "Hz"].contains(unit)
    else { return nil }
    let isSafe = unit == "deg" ? abs(number) > 6.3 || number == 0 : unit == "Hz" || number < 10
    let end = SourceSpan(file: span.file, start: span.end, end: span.end)
    return FixIt("write \(source)\(unit)", replacing: end, with: unit, isSafe: isSafe)
  }

  /// Returns the color for a literal such as `0x112233`, which is a size; `nil` for other values.
  private static func hexColor(_ source: String) -> String? {
    let digits = source.dropFirst(2)
    guard source.hasPrefix("0x"), [6, 8].contains(digits.count),
      Color(hexDigits: String(digits)) != nil
    else { return nil }
    return "#\(digits)"
  }

  /// Returns the literals of a number or of a list of numbers, or `nil` for other expressions.
  package static func numberLiterals(_ source: String) -> [String]? {
    let isList = source.first == "[" && source.last == "]"
    let items = isList ? source.dropFirst().dropLast().split(separator: ",") : [Substring(source)]
    let numbers = items.map { item in String(item.filter { $0 != " " }) }
    // 'nan' and 'inf' can be names, and a space can separate the operands of a subtraction.
    let areLiterals = numbers.allSatisfy { number in
      Double(number) != nil && number.allSatisfy { $0.isNumber || ".-e".contains($0) }
        && number.lastIndex(of: "-") ?? number.startIndex == number.startIndex
    }
    return areLiterals ? numbers : nil
  }

  /// The units that a quantity accepts, for literals in quotes.
  private static let units = [
    "a number": [""], "a length": ["", "%"], "a time": ["s", "ms"], "an angle": ["deg", "turn"],
    "a percent": ["%"],
  ]

  /// Returns the probable unit of a number in place of a quantity, or `nil`.
  private static func unit(of wanted: String, _ number: Double) -> String? {
    switch wanted {
    // A number of at least 100 is probably in milliseconds, as in CSS and JavaScript.
    case "a time": number >= 100 ? "ms" : "s"
    case "an angle": "deg"
    case "a rate": "Hz"
    case "a percent": "%"
    default: nil
    }
  }

  /// Returns the number in a text with a unit of the expected quantity, or `nil`.
  private static func quantity(_ text: String, for wanted: String) -> String? {
    let unit = text.drop { $0.isNumber || $0 == "." || $0 == "-" }
    guard let number = Double(text.dropLast(unit.count)), let accepted = units[wanted] else {
      return nil
    }
    if accepted.contains(String(unit)) { return text }
    return unit.isEmpty ? self.unit(of: wanted, number).map { text + $0 } : nil
  }

  /// Returns the pair that was intended by a difference such as `0 -60`; `nil` for other values.
  private static func pairWithoutComma(_ source: String) -> String? {
    var inner = source[...]
    if inner.first == "(", inner.last == ")" { inner = inner.dropFirst().dropLast() }
    let parts = inner.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[1].first == "-", Double(parts[0]) != nil,
      Double(parts[1]) != nil
    else { return nil }
    return "(\(parts[0]), \(parts[1]))"
  }

  /// The words for a length in other languages.
  private static let lengthWords = ["length", "count", "size", "len"]

  /// Returns the error for an unknown member, with the most similar known one.
  ///
  /// - Parameters:
  ///   - name: The member.
  ///   - owner: The value in the message, such as "a pair" or "'card'".
  ///   - known: The members that the value has.
  ///   - note: The note for members that are too numerous to list.
  package static func member(
    _ name: String, of owner: String, known: [String], at span: SourceSpan, note: String? = nil
  ) -> Diagnostic {
    var diagnostic = Diagnostic(
      .unknownMember, "unknown member '\(name)' of \(owner)", at: span)
    if !known.isEmpty, known.count <= 12 {
      diagnostic.notes = [Note("the members are \(known.joined(separator: ", "))")]
    }
    let suggestion = diagnostic.suggesting(nearestTo: name, in: known)
    guard let note, suggestion.notes.isEmpty, suggestion.fixIts.isEmpty else { return suggestion }
    return suggestion.noting(note)
  }

  /// The note about the members of an element.
  package static let elementMembers =
    "the members are box, start, end, duration, origin, points such as top-left, and the properties"

  /// Returns the error for `list.length` with the fix `len(list)`, or `nil` for other members.
  ///
  /// - Parameters:
  ///   - name: The member.
  ///   - owner: The value in the message, such as "a list".
  ///   - base: The source text of the value.
  ///   - span: The span of the member.
  ///   - whole: The span of the value with its member.
  package static func length(
    _ name: String, of owner: String, base: String, at span: SourceSpan, in whole: SourceSpan
  ) -> Diagnostic? {
    guard lengthWords.contains(name) else { return nil }
    let length = "len(\(base))"
    return Diagnostic(.unknownMember, "unknown member '\(name)' of \(owner)", at: span)
      .fixing("write \(length)", replacing: whole, with: length)
  }

  /// Returns the error for a field of a list of records, such as `rows.name`, with a fix that reads
  /// the field of each record. The parameters are those of `length`.
  package static func column(
    _ name: String, of owner: String, base: String, at span: SourceSpan, in whole: SourceSpan
  ) -> Diagnostic {
    let column = column("row.\(name)", of: base)
    return Diagnostic(.unknownMember, "unknown member '\(name)' of \(owner)", at: span)
      .fixing("write \(column)", replacing: whole, with: column, isSafe: false)
  }

  /// Returns the list of a field of each record, where `field` is an expression such as `row.name`.
  package static func column(_ field: String, of base: String) -> String {
    "[for row in \(base): \(field)]"
  }

  /// Returns the error about a missing property of an element that its box has, such as `width`.
  /// Returns `nil` for all other names.
  package static func size(_ name: String, of owner: String, at span: SourceSpan) -> Diagnostic? {
    guard ["width", "height", "size"].contains(name) else { return nil }
    return Diagnostic(.unknownMember, "'\(owner)' has no property '\(name)'", at: span)
      .noting("the computed size of an element is that of its box")
      .suggesting("box.\(name)", isSafe: true)
  }
}
