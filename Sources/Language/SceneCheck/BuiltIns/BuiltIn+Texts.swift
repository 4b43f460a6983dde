// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

extension BuiltIn {
  static let texts: [BuiltIn] = [
    BuiltIn(
      "format", taking: .value("x"), .optional(.value("pattern", .text)),
      .optional(.constant("decimals", in: 0...12)), .optional(.text("group")),
      .optional(.constant("digits", in: 0...12)), .optional(.bool("sign")),
      .optional(.text("minus")), gives: .text, reads: .nothing,
      cost: .linear, summary: "Formats a number or a time as a text."
    ) { it, x, pattern, decimals, group, digits, sign, minus throws(Reported) in
      if let pattern { return try it.clock(x, pattern: pattern, minus: minus) }
      var format = NumberFormat()
      format.decimals = decimals.map { Int($0) } ?? format.decimals
      format.digits = digits.map { Int($0) } ?? format.digits
      format.group = group ?? format.group
      format.sign = sign?.constantValue == 1
      format.minus = minus
      return try it.text(of: x, format)
    },
    BuiltIn(
      "join", taking: .list("list"), .optional(.value("separator", .text)), gives: .text,
      reads: .nothing,
      cost: .linear, summary: "Joins the items into one text."
    ) { it, items, separator throws(Reported) in
      let between = try it.need(
        it.checker.textPiece(separator?.value ?? .literal(""), it.call.span))
      var parts: [TextExpression] = []
      for (index, item) in items.enumerated() {
        if index > 0 { parts.append(between) }
        parts.append(try it.need(it.checker.textPiece(item, it.call.span)))
      }
      return it.checker.joined(parts, it.call.span)
    },
    BuiltIn(
      "upper", taking: .text("text"), gives: .text, reads: .nothing,
      cost: .linear, summary: "Returns the text in upper case."
    ) { it, text in
      it.literal(text.uppercased())
    },
    BuiltIn(
      "lower", taking: .text("text"), gives: .text, reads: .nothing,
      cost: .linear, summary: "Returns the text in lower case."
    ) { it, text in
      it.literal(text.lowercased())
    },
    BuiltIn(
      "trim", taking: .text("text"), gives: .text, reads: .nothing,
      cost: .linear, summary: "Returns the text without leading and trailing whitespace."
    ) {
      it, text in it.literal(Site.trimmed(text))
    },
    BuiltIn(
      "split", taking: .text("text"), .optional(.text("by")), gives: .list, reads: .nothing,
      cost: .linear, summary: "Splits a text at a separator; without one, into words."
    ) { it, text, separator throws(Reported) in
      guard let separator else {
        let words = text.split(whereSeparator: \.isWhitespace)
        try it.reserve(words.count * ValueMemory.box + text.utf8.count)
        return .list(words.map { .literal(String($0)) })
      }
      let parts = separator.isEmpty ? text.map { String($0) } : Site.parts(of: text, separator)
      guard parts.count <= it.checker.options.limits.rounds else {
        throw it.report(
          .limitExceeded, "'split' returns \(parts.count) parts",
          label: "exceeds the limit 'rounds'",
          help: Limits.raising("rounds", to: Double(parts.count)))
      }
      try it.reserve(parts.count * ValueMemory.box + text.utf8.count)
      try it.spend(parts.count / 8)
      return .list(parts.map(Value.literal))
    },
    BuiltIn(
      "replace", taking: .text("text"), .text("from"), .text("to"), gives: .text, reads: .nothing,
      cost: .linear, summary: "Replaces every occurrence of 'from' in a text."
    ) { it, text, from, to throws(Reported) in
      guard !from.isEmpty else {
        throw it.report(
          .outOfRange, "'from' of 'replace' cannot be empty",
          label: "expected at least one character")
      }
      let parts = Site.parts(of: text, from)
      let length = parts.reduce((parts.count - 1) * to.utf8.count) { $0 + $1.utf8.count }
      guard it.checker.isAffordable(textOfLength: length, it.call.span) else {
        throw it.checker.reports.expected(it.call.span)
      }
      return it.literal(parts.joined(separator: to))
    },
    BuiltIn(
      "starts-with", taking: .text("text"), .text("start"), gives: .bool, reads: .nothing,
      cost: .linear, summary: "Returns whether a text starts with another."
    ) { _, text, start in .bool(text.hasPrefix(start) ? .one : .zero) },
    BuiltIn(
      "ends-with", taking: .text("text"), .text("end"), gives: .bool, reads: .nothing,
      cost: .linear, summary: "Returns whether a text ends with another."
    ) { _, text, end in .bool(text.hasSuffix(end) ? .one : .zero) },
    BuiltIn(
      "contains", taking: .text("text"), .text("part"), gives: .bool, reads: .nothing,
      cost: .linear, summary: "Returns whether a text contains another."
    ) { _, text, part in
      .bool(part.isEmpty || Site.parts(of: text, part).count > 1 ? .one : .zero)
    },
    BuiltIn(
      "code-spans",
      taking: .text("source", help: "set 'syntax' on a text to highlight code that changes"),
      .text("language"), gives: .list, reads: .nothing,
      cost: .counted,
      summary: "Splits source code into highlighted pieces: records with 'text', 'kind' and 'line'."
    ) { it, source, language throws(Reported) in try it.codeSpans(source, language) },
    BuiltIn(
      "versions", taking: .expression("text", .text), gives: .list, reads: .nothing,
      cost: .linear, summary: "Returns the first text and the texts of all changes, as a list."
    ) { it, text throws(Reported) in .list(try it.versions(of: text).map { .literal($0) }) },
    BuiltIn(
      "line-count", taking: .value("text", .text), gives: .number, reads: .nothing,
      cost: .linear, summary: "Returns the number of lines of a text, which follows its changes."
    ) { it, text throws(Reported) in
      let expression = try it.need(it.checker.asText(text.value, text.span))
      return .number(try it.need(it.checker.lineCount(of: expression, text.span)))
    },
    BuiltIn(
      "data", taking: .value("file", .text), gives: .value, reads: .nothing,
      cost: .counted, summary: "Returns the content of a CSV or JSON file."
    ) {
      it, file throws(Reported) in
      let name = try it.need(it.checker.asConstantText(file.value, file.span))
      return it.checker.data(of: name, file.span)
    },
  ]
}

extension Site {
  /// Returns a computed text, whose size counts as work.
  fileprivate func literal(_ text: String) -> Value {
    guard checker.reserve(text.utf8.count, call.span) else {
      return .poison(checker.reports.expected(call.span))
    }
    return checker.joined([.literal(text)], call.span)
  }

  fileprivate static func trimmed(_ text: String) -> String {
    let rest = text.drop(while: \.isWhitespace)
    guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(rest[...last])
  }

  /// Splits a text at a separator, compared by characters.
  fileprivate static func parts(of text: String, _ separator: String) -> [String] {
    // In ASCII, each byte is a character, except for CR and LF together.
    func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D } }
    if isPlain(text), isPlain(separator) {
      let bytes = Array(text.utf8)
      return ranges(of: bytes, Array(separator.utf8)).map {
        String(decoding: bytes[$0], as: UTF8.self)
      }
    }
    let letters = Array(text)
    return ranges(of: letters, Array(separator)).map { String(letters[$0]) }
  }

  /// Returns the ranges between the occurrences of a separator.
  private static func ranges<Letter: Equatable>(of letters: [Letter], _ wanted: [Letter])
    -> [Range<Int>]
  {
    // Knuth, Morris and Pratt: after a mismatch at `k`, the first `borders[k]` characters still
    // match.
    var borders = [0, 0]
    for index in wanted.indices.dropFirst() {
      var length = borders[index]
      while length > 0, wanted[index] != wanted[length] { length = borders[length] }
      borders.append(wanted[index] == wanted[length] ? length + 1 : 0)
    }
    var ranges: [Range<Int>] = []
    var (first, matched) = (0, 0)
    for (index, letter) in letters.enumerated() {
      while matched > 0, letter != wanted[matched] { matched = borders[matched] }
      if letter == wanted[matched] { matched += 1 }
      guard matched == wanted.count else { continue }
      ranges.append(first..<(index + 1 - matched))
      (first, matched) = (index + 1, 0)
    }
    return ranges + [first..<letters.count]
  }

  /// Returns the first text and the texts of all changes. They are constant, although the text
  /// changes.
  fileprivate func versions(of e: Expression) throws(Reported) -> [String] {
    let value = checker.parameterReads.timeless(if: e.isName) {
      checker.evaluate(e, context.with { $0.constantFor = nil })
    }
    try charge(for: value)
    let text = try need(checker.asText(value, e.span))
    if let versions = text.versions { return versions }
    return [try need(checker.asConstantText(value, e.span))]
  }

  /// Splits code into spans of one syntax class. No span crosses the end of a line.
  fileprivate func codeSpans(_ source: String, _ name: String) throws(Reported) -> Value {
    let pieces = try checker.codePieces(of: source, in: name, for: "code-spans", at: call.span)
    var spans: [Value] = []
    var line = 0
    for piece in pieces {
      for part in Site.lines(of: piece.text) {
        spans.append(
          .record([
            ("text", .literal(part)), ("kind", .literal(piece.kind.rawValue)),
            ("line", .number(Double(line))),
          ]))
        if part.hasSuffix("\n") { line += 1 }
      }
    }
    return .list(spans)
  }

  /// Returns the lines of a text, including their line ends.
  private static func lines(of text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for scalar in text.unicodeScalars {
      line.unicodeScalars.append(scalar)
      if scalar == "\n" {
        lines.append(line)
        line = ""
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Formats a number, percentage, time or angle.
  fileprivate func text(of x: Given, _ format: NumberFormat) throws(Reported) -> Value {
    var format = format
    switch x.value {
    case .percent(let s):
      format.suffix = "%"
      return .text(.number(builder.scaled(s, 100), format))
    case .quantity(let s, .time):
      return .text(.number(builder.scaled(s, 1 / Double(Ticks.perSecond)), format))
    case .quantity(let s, .angle): return .text(.number(s, format))
    default: return .text(.number(try need(checker.asNumber(x.value, x.span)), format))
    }
  }

  /// The maximum number of characters in a time pattern.
  private static let longestPattern = 200

  /// How to combine a formatted time with words.
  private static let wordsOutside =
    "move other words outside the braces: {format(t, \"m\")} minutes"

  /// Formats a time by a pattern such as `mm:ss`.
  fileprivate func clock(_ x: Given, pattern given: Given, minus: String?) throws(Reported)
    -> Value
  {
    if case .quantity(_, .none) = given.value {
      let source = checker.text(at: given.span)
      throw checker.report(
        Diagnostic(.typeMismatch, "the pattern of 'format' must be a text", at: given.span)
          .fixing(
            "write decimals: \(source)", replacing: given.span, with: "decimals: \(source)",
            isSafe: false))
    }
    let pattern = try need(checker.asConstantText(given.value, given.span))
    guard pattern.unicodeScalars.count <= Site.longestPattern else {
      throw report(
        .limitExceeded, "the pattern of 'format' is longer than \(Site.longestPattern) characters",
        at: given.span, label: Limits.fixed, help: Site.wordsOutside)
    }
    if case .quantity(_, .none) = x.value {
      throw report(
        .outOfRange, "a pattern cannot format a number, only a time", at: given.span,
        help: "format a number with format(x, group: \",\", decimals: 0)")
    }
    guard case .quantity(let time, .time) = x.value else {
      checker.mismatch("a time", x.value, at: x.span)
      throw checker.reports.expected(x.span)
    }
    if let strange = NumberFormat.strangeLetter(in: pattern) {
      throw report(
        .outOfRange, "unknown letter '\(strange)' in a time pattern", at: given.span,
        label: "expected h, m, s, f for frames, or .s, .ss, .sss for fractions of a second",
        help: Site.wordsOutside)
    }
    guard pattern.contains(where: { "hmsf".contains($0) }) else {
      throw report(
        .outOfRange, "the pattern contains no part of the time", at: given.span,
        help: "write a pattern such as \"mm:ss\"")
    }
    var format = NumberFormat()
    format.clock = pattern
    format.minus = minus
    format.frameRate = Double(Ticks.perSecond) / checker.frameRate.frameTicks
    return .text(.number(time, format))
  }
}
