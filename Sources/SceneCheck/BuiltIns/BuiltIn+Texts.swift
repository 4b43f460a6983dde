// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax

extension BuiltIn {
  static let texts: [BuiltIn] = [
    BuiltIn(
      "format", .value("x"), .optional(.value("pattern", .text)),
      .optional(.constant("decimals", in: 0...12)), .optional(.text("group")),
      .optional(.constant("digits", in: 0...12)), .optional(.bool("sign")), gives: .text,
      "A number or a time as a text."
    ) { it, x, pattern, decimals, group, digits, sign throws(Reported) in
      if let pattern { return try it.clock(x, pattern) }
      var format = NumberFormat()
      format.decimals = decimals.map { Int($0) } ?? format.decimals
      format.digits = digits.map { Int($0) } ?? format.digits
      format.group = group ?? format.group
      format.sign = sign?.constantValue == 1
      return try it.text(of: x, format)
    },
    BuiltIn(
      "join", .list("list"), .optional(.value("separator", .text)), gives: .text,
      "The items as one text."
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
    BuiltIn("data", .value("file", .text), gives: .value, "What a CSV or JSON file holds.") {
      it, file throws(Reported) in
      let name = try it.need(it.checker.asConstantText(file.value, file.span))
      return it.checker.data(of: name, file.span)
    },
  ]
}

extension Site {
  /// A number, percentage, time or angle as a text.
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

  /// A time by a pattern such as `mm:ss`.
  fileprivate func clock(_ x: Given, _ given: Given) throws(Reported) -> Value {
    let pattern = try need(checker.asConstantText(given.value, given.span))
    if case .quantity(_, .none) = x.value {
      throw fault(
        .outOfRange, "a pattern works only for times; this is a number", at: given.span,
        help: "for a number, write format(x, group: \",\", decimals: 0)")
    }
    guard case .quantity(let time, .time) = x.value else {
      checker.mismatch("a time", x.value, x.span)
      throw checker.faults.expected(x.span)
    }
    if let strange = NumberFormat.strangeLetter(in: pattern) {
      throw fault(
        .outOfRange, "'\(strange)' has no meaning in a pattern", at: given.span,
        label: "use h, m, s, and f for frames or .s, .ss, .sss for parts of a second",
        help: "put other words outside the braces: {format(t, \"m\")} minutes")
    }
    guard pattern.contains(where: { "hmsf".contains($0) }) else {
      throw fault(
        .outOfRange, "the pattern shows no part of the time", at: given.span,
        help: "write a pattern such as \"mm:ss\"")
    }
    var format = NumberFormat()
    format.clock = pattern
    format.frameRate = Double(Ticks.perSecond) / checker.frameRate.frameTicks
    return .text(.number(time, format))
  }
}
