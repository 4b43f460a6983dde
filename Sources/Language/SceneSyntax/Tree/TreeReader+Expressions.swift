// SPDX-License-Identifier: MIT
import SceneText

extension TreeReader {
  func expression(_ node: Int) -> Expression {
    // A parenthesized name has the source location of the name.
    if kind(node) == .paren, let inner = tree.children(of: node).first,
      kind(inner) == .reference || kind(inner) == .paren
    {
      return expression(inner)
    }
    return Expression(expressionKind(node), tree.span(of: node))
  }

  private func expressionKind(_ node: Int) -> Expression.Kind {
    switch kind(node) {
    case .number: return number(firstBytes(node))
    case .pairLiteral:
      let parts = firstBytes(node).split(separator: UInt8(ascii: "x")).map { numberValue($0) ?? 0 }
      return parts.count == 2 ? .size(parts[0], parts[1]) : .error
    case .color: return .color(String(firstText(node).dropFirst()))
    case .bool: return .bool(firstText(node) == "true")
    case .noneLiteral: return .none
    case .reference: return .reference(Identifier(firstText(node)))
    case .string: return .text(textParts(node))
    default: break
    }
    let children = tree.children(of: node)
    guard let first = children.first else {
      switch kind(node) {
      case .list: return .list([])
      case .keyframes: return .keyframes([])
      default: return .error
      }
    }
    switch (kind(node), children.count) {
    case (.paren, 1): return expressionKind(first)
    case (.pair, 2): return .pair(expression(first), expression(children[1]))
    case (.record, _): return .record(children.map(argument).filter { $0.name != nil })
    case (.list, _): return .list(children.map(expression))
    case (.unary, 1): return .unary(operatorKind(node, nil), expression(first))
    case (.binary, 2):
      return .binary(operatorKind(node, first), expression(first), expression(children[1]))
    case (.range, 2): return .range(expression(first), expression(children[1]))
    case (.conditional, 3):
      return .conditional(
        expression(first), expression(children[1]), expression(children[2]))
    case (.member, 2): return .member(expression(first), name(children[1]))
    case (.index, 2): return .index(expression(first), expression(children[1]))
    case (.call, _): return .call(expression(first), children.dropFirst().map(argument))
    case (.tween, _): return .tween(expression(first), children.dropFirst().map(leg))
    case (.timed, _): return .timed(expression(first), children.dropFirst().map(clause))
    case (.keyframes, _): return .keyframes(children.compactMap(keyItem))
    case (.comprehension, _): return comprehension(children)
    case (.lambda, _): return lambda(node, children)
    default: return .error
    }
  }

  /// Returns the operator: the first token, or the token after the first operand.
  private func operatorKind(_ node: Int, _ operand: Int?) -> TokenKind {
    var index = Int(operand.map { tree.nodes[$0].endToken } ?? tree.nodes[node].firstToken)
    while tree.tokens[index].kind.isTrivia { index += 1 }
    return tree.tokens[index].kind
  }

  private func leg(_ node: Int) -> Leg {
    let parts = tree.children(of: node)
    // If the nesting limit was exceeded, the value of the leg may be missing.
    let value = parts.first.map(expression) ?? Expression(.error, tree.span(of: node))
    return Leg(value: value, clauses: parts.dropFirst().map(clause))
  }

  private func clause(_ node: Int) -> Clause {
    let word = Int(tree.nodes[node].firstToken)
    let value = tree.children(of: node).first.map(expression)
    return Clause(
      word: Name(tree.text(ofToken: word), tree.span(ofToken: word)),
      value: value ?? Expression(.error, tree.span(of: node)))
  }

  private func keyItem(_ node: Int) -> KeyItem? {
    let children = tree.children(of: node)
    if kind(node) == .keyFor {
      let head = loopHead(children)
      let rest = head.rest
      guard let variable = head.variable, let list = rest.first else { return nil }
      return .loop(
        variable: variable, index: head.index, list: expression(list),
        keys: rest.dropFirst().compactMap(keyItem))
    }
    guard kind(node) == .key, children.count >= 2 else { return nil }
    return .key(
      time: expression(children[0]), value: expression(children[1]),
      clauses: children.dropFirst(2).map(clause))
  }

  /// Returns whether a comprehension is nested in another without brackets.
  private func isLoop(_ node: Int) -> Bool {
    kind(node) == .comprehension
      && tree.tokens[Int(tree.nodes[node].firstToken)].kind == .forWord
  }

  private func lambda(_ node: Int, _ children: [Int]) -> Expression.Kind {
    let first = Int(tree.nodes[node].firstToken)
    return .lambda(
      FunctionSyntax(
        name: Name(tree.text(ofToken: first), tree.span(ofToken: first)),
        parameters: parameters(children), result: type(in: children),
        value: initializer(children)))
  }

  private func comprehension(_ children: [Int]) -> Expression.Kind {
    let head = loopHead(children)
    let rest = head.rest
    guard let variable = head.variable, rest.count >= 2 else { return .error }
    return .comprehension(
      Comprehension(
        variable: variable, index: head.index, list: expression(rest[0]),
        condition: bound(rest), value: expression(rest[rest.count - 1]),
        hasInner: isLoop(rest[rest.count - 1])))
  }

  private func number(_ written: ArraySlice<UInt8>) -> Expression.Kind {
    let end = written.lastIndex { (48...57).contains($0) }.map { $0 + 1 } ?? written.startIndex
    let suffix = written[end...]
    let unit = suffix.isEmpty ? nil : NumberUnit(rawValue: String(decoding: suffix, as: UTF8.self))
    let value = numberValue(unit == nil ? written : written[..<end])
    // The lexer has reported the unknown unit.
    guard let value else { return unit == nil ? .error : .number(0, unit) }
    return .number(value, unit)
  }

  private func textParts(_ node: Int) -> [TextPart] {
    var parts: [TextPart] = []
    var values = tree.children(of: node)[...]
    let range = Int(tree.nodes[node].firstToken)..<Int(tree.nodes[node].endToken)
    let isBlock = tree.range(ofToken: range.lowerBound).count == 3
    let isFormula = tree.text(ofToken: range.lowerBound).hasPrefix("$")
    var index = range.lowerBound
    while index < range.upperBound {
      if let value = values.first, Int(tree.nodes[value].firstToken) == index {
        values = values.dropFirst()
        if let inner = tree.children(of: value).first { parts.append(.value(expression(inner))) }
        index = Int(tree.nodes[value].endToken)
        continue
      }
      if tree.tokens[index].kind == .stringText {
        let text = tree.text(ofToken: index)
        parts.append(isFormula ? .formula(text) : .literal(text))
      }
      index += 1
    }
    if isFormula { return parts }
    if isBlock { parts = withoutIndentation(parts) }
    return parts.map { part in
      if case .literal(let text) = part { .literal(unescaped(text)) } else { part }
    }
  }

  /// Returns the parts of a `"""` string without the first line break, a blank last line and the
  /// common indentation.
  private func withoutIndentation(_ parts: [TextPart]) -> [TextPart] {
    // Values are replaced with a character that no source contains, so that whole lines can be
    // examined.
    let marker: Character = "\u{FFFF}"
    var values: [TextPart] = []
    var text = ""
    for part in parts {
      switch part {
      case .literal(let piece), .formula(let piece): text += piece
      case .value:
        values.append(part)
        text.append(marker)
      }
    }
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine)
    func isBlank(_ line: Substring) -> Bool { line.allSatisfy { $0 == " " || $0 == "\t" } }
    if let first = lines.first, isBlank(first), lines.count > 1 { lines.removeFirst() }
    if let last = lines.last, isBlank(last), lines.count > 1 { lines.removeLast() }
    let indents = lines.filter { !isBlank($0) }
      .map { $0.prefix { $0 == " " || $0 == "\t" }.count }
    let indent = indents.min() ?? 0
    let joined = lines.map { $0.dropFirst(min(indent, isBlank($0) ? $0.count : indent)) }
      .joined(separator: "\n")
    var result: [TextPart] = []
    var next = values.makeIterator()
    var piece = ""
    for character in joined {
      if character == marker, let value = next.next() {
        if !piece.isEmpty { result.append(.literal(piece)) }
        piece = ""
        result.append(value)
      } else {
        piece.append(character)
      }
    }
    if !piece.isEmpty { result.append(.literal(piece)) }
    return result
  }

  private func unescaped(_ text: String) -> String {
    guard text.contains("\\") else { return text }
    var result = String.UnicodeScalarView()
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      switch scalars.next() {
      case "n": result.append("\n")
      case "t": result.append("\t")
      case "u":
        var digits = ""
        _ = scalars.next()
        while let digit = scalars.next(), digit != "}" { digits.unicodeScalars.append(digit) }
        if let value = UInt32(digits, radix: 16), let it = Unicode.Scalar(value) {
          result.append(it)
        }
      case .some(let other): result.append(other)
      case nil: break
      }
    }
    return String(result)
  }
}
