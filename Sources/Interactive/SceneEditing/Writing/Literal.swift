// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneSyntax
package import SceneText

/// A literal in a file: a number, color, text or word. It can be replaced without affecting
/// anything else.
package struct Literal: Hashable, Sendable {
  /// The value of a literal.
  package enum Value: Hashable, Sendable {
    case number(Double)
    case size(Double, Double)
    case color(Color)
    case text(String)
    case bool(Bool)
    /// A name that can be a keyword, such as `center`.
    case word(String)
  }

  package let value: Value
  /// The unit of a number.
  package let unit: NumberUnit?
  package let span: SourceSpan
  /// The source text.
  package let text: String
}

extension SyntaxTree {
  /// Returns the literals within a span, in order.
  package func literals(in span: SourceSpan) -> [Literal] {
    var found: [Literal] = []
    collect(root, in: span, into: &found)
    return found
  }

  private func collect(_ node: Int, in wanted: SourceSpan, into found: inout [Literal]) {
    let own = span(of: node)
    guard own.start < wanted.end, wanted.start < own.end else { return }
    if own.start >= wanted.start, own.end <= wanted.end, let literal = literal(node) {
      found.append(literal)
      return
    }
    switch nodes[node].kind {
    case .member, .name, .qualifiedName, .type: break
    // The callee is a name, not a value.
    case .call:
      for child in children(of: node).dropFirst() { collect(child, in: wanted, into: &found) }
    default: for child in children(of: node) { collect(child, in: wanted, into: &found) }
    }
  }

  private func literal(_ node: Int) -> Literal? {
    let span = span(of: node)
    let text = file.text(span)
    func made(_ value: Literal.Value, _ unit: NumberUnit? = nil) -> Literal {
      Literal(value: value, unit: unit, span: span, text: text)
    }
    switch nodes[node].kind {
    case .number: return number(text).map { made(.number($0.value), $0.unit) }
    case .unary:
      guard text.first == "-", let child = children(of: node).first, nodes[child].kind == .number,
        case let inner = self.span(of: child), inner.start == span.start + 1,
        let number = number(file.text(inner))
      else { return nil }
      return made(.number(-number.value), number.unit)
    case .pairLiteral:
      let parts = text.split(separator: "x").compactMap { Double($0) }
      return parts.count == 2 ? made(.size(parts[0], parts[1])) : nil
    case .color: return Color(hexDigits: text.dropFirst()).map { made(.color($0)) }
    case .bool: return made(.bool(text == "true"))
    case .call: return ColorNotation.read(expression(of: node)).map { made(.color($0.color)) }
    case .reference: return Color(name: text).map { made(.color($0)) } ?? made(.word(text))
    case .string:
      guard children(of: node).isEmpty else { return nil }
      guard case .text(let parts) = expression(of: node).kind else { return nil }
      let letters = parts.map { part in
        switch part {
        case .literal(let text), .formula(let text): text
        case .value: ""
        }
      }
      return made(.text(letters.joined()))
    default: return nil
    }
  }

  private func number(_ text: String) -> (value: Double, unit: NumberUnit?)? {
    let end = text.utf8.lastIndex { (48...57).contains($0) }.map(text.utf8.index(after:))
    guard let end, let value = Double(text[..<end].filter { $0 != "_" }) else { return nil }
    if text[end...].isEmpty { return (value, nil) }
    return NumberUnit(rawValue: String(text[end...])).map { (value, $0) }
  }
}

extension Literal {
  private static let mostDecimals = 4

  /// Whether the literal is a formula between dollar signs.
  private var isFormula: Bool { text.hasPrefix("$") }

  private static func canBeFormula(_ text: String) -> Bool {
    !text.isEmpty && !text.contains("$") && !text.hasSuffix("\\")
  }

  /// Returns the literal at another span.
  package func moved(to span: SourceSpan) -> Literal {
    Literal(value: value, unit: unit, span: span, text: text)
  }

  /// Returns another value of the same kind in the unit and notation of the literal; `nil` if that
  /// is impossible.
  package func text(of new: Value) -> String? {
    switch (value, new) {
    case (.number, .number(let number)): return numeral(number, like: text)
    case (.size, .size(let width, let height)):
      // A size literal requires integers.
      guard let width = Int(exactly: width), let height = Int(exactly: height),
        (1...1_000_000).contains(width), (1...1_000_000).contains(height)
      else { return nil }
      return "\(width)x\(height)"
    case (.color, .color(let color)):
      let notation = ColorNotation.allCases.first { text.hasPrefix($0.rawValue + "(") }
      return notation.map { $0.text(of: color) } ?? hex(color)
    case (.text, .text(let text)) where isFormula && Literal.canBeFormula(text):
      let sign = text.contains("\n") ? "$$" : "$"
      return sign + text + sign
    case (.text, .text(let new)) where text.hasPrefix("\"\"\""):
      return BlockText(like: text).written(new)
    case (.text, .text(let text)):
      return "\"" + text.unicodeScalars.map(Literal.escaped).joined() + "\""
    case (.bool, .bool(let truth)): return truth ? "true" : "false"
    case (.word, .word(let word)):
      let isWord = word.wholeMatch(of: #/[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*/#) != nil
      return isWord && TokenKind.reserved[word] == nil ? word : nil
    default: return nil
    }
  }

  /// Formats a number with as many decimals as `old`, or more if the number needs them, up to four.
  /// Returns `nil` if it is too large.
  private func numeral(_ number: Double, like old: String) -> String? {
    guard number.isFinite, abs(number) < 1e9 else { return nil }
    let point = old.utf8.firstIndex(of: 46)
    let own = point.map { old.utf8[$0...].dropFirst().prefix { (48...57).contains($0) }.count } ?? 0
    let places = max(own, Literal.mostDecimals)
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    guard abs(number) * scale < 9e15 else { return nil }
    let scaled = Int((abs(number) * scale).rounded())
    var digits = String(scaled)
    while digits.utf8.count <= places { digits = "0" + digits }
    let whole = digits.dropLast(places)
    var fraction = digits.suffix(places)
    while fraction.utf8.count > own, fraction.last == "0" { fraction.removeLast() }
    let unit = self.unit?.rawValue ?? ""
    let sign = number < 0 && scaled != 0 ? "-" : ""
    return sign + whole + (fraction.isEmpty ? "" : "." + fraction) + unit
  }

  /// Formats a hexadecimal color: in the short form if the old literal is short and the color
  /// permits it, and in the letter case of the old literal.
  private func hex(_ color: Color) -> String {
    let long = color.clamped.hexDescription
    let digits = Array(long.dropFirst())
    let isShort =
      text.first == "#" && text.utf8.count <= 5
      && stride(from: 0, to: digits.count, by: 2).allSatisfy { digits[$0] == digits[$0 + 1] }
    let written =
      isShort
      ? "#" + stride(from: 0, to: digits.count, by: 2).map { String(digits[$0]) }.joined() : long
    let isUpper = text.first == "#" && text.contains(where: \.isUppercase)
    return isUpper ? written.uppercased() : written
  }

  static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\t": "\\t"
    case "\"", "\\", "{", "}": "\\" + String(scalar)
    default:
      scalar.value < 32 || scalar.value == 127
        ? "\\u{" + String(scalar.value, radix: 16) + "}" : String(scalar)
    }
  }
}

extension Parsed {
  /// Returns the file with one literal replaced; `nil` if that is impossible.
  package func writing(_ new: Literal.Value, over literal: Literal) -> [UInt8]? {
    writing([(literal, new)])
  }

  /// Returns the file with literals replaced; `nil` if that is impossible or would change any other
  /// token. Canonical formatting is preserved.
  package func writing(_ changes: [(literal: Literal, value: Literal.Value)]) -> [UInt8]? {
    var changed: [UInt8] = []
    var (old, new): ([SourceSpan], [SourceSpan]) = ([], [])
    var texts: [String] = []
    var end = 0
    for (literal, value) in changes.sorted(by: { $0.literal.span < $1.literal.span }) {
      guard literal.span.start >= end, let text = literal.text(of: value) else { return nil }
      changed += tree.file.bytes[end..<literal.span.start]
      old.append(literal.span)
      new.append(tree.file.span(changed.count, changed.count + text.utf8.count))
      changed += text.utf8
      texts.append(text)
      end = literal.span.end
    }
    changed += tree.file.bytes[end...]
    let again = parse(SourceFile(id: tree.file.id, name: tree.file.name, bytes: changed))
    guard tree.words(outside: old) == again.tree.words(outside: new),
      zip(new, texts).allSatisfy({ again.tree.literals(in: $0).map(\.text) == [$1] })
    else { return nil }
    guard format(self).map({ Array($0.utf8) }) == tree.file.bytes else { return changed }
    return format(again).map { Array($0.utf8) }
  }
}

extension SyntaxTree {
  /// Returns the texts of all tokens outside the spans, without white space.
  fileprivate func words(outside spans: [SourceSpan]) -> [String] {
    var words: [String] = []
    var rest = spans[...]
    for index in tokens.indices where ![.whitespace, .newline].contains(tokens[index].kind) {
      let range = range(ofToken: index)
      while let first = rest.first, first.end <= range.lowerBound { rest = rest.dropFirst() }
      if let first = rest.first, first.start <= range.lowerBound, range.upperBound <= first.end {
        continue
      }
      words.append(text(ofToken: index))
    }
    return words
  }
}
