// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneSyntax
import SceneText

/// The expected syntax at an offset. It is derived from the preceding tokens, since the text is
/// usually incomplete.
package struct Cursor: Sendable {
  /// The expected kind of syntax.
  package enum Wanted: Hashable, Sendable {
    /// A declaration at the top level of a file.
    case declaration
    /// An item of a body, with its owner and the properties that are already set.
    case item(of: String, given: [String])
    /// The value of a property, with the owner of the body.
    case value(property: String, of: String)
    /// Any expression.
    case expression
    case easing
    /// A member, after `.`.
    case member(of: String)
    case argument(Argument)
    /// A unit after digits, with the property and the owner of the body if known.
    case unit(property: String?, of: String)
    case type
    /// A file path in quotes, with the element, function or keyword that reads it.
    case file(of: String)
    /// A path segment.
    case segment
    /// An element after `change of`.
    case element
    /// A code in a comment that allows warnings.
    case code
    /// A TeX command in a formula.
    case command
    /// The id of an SVG part in quotes.
    case part
    /// A unit after `each`, with the enclosing element.
    case each(of: String)
    case nothing
  }

  /// An argument of a call.
  package struct Argument: Hashable, Sendable {
    let function: String
    /// The number of preceding arguments, and of positional ones among them.
    var index = 0
    var unnamed = 0
    /// The names of all arguments, including its own.
    var given: [String] = []
    /// Its own name, if present.
    var name: String?
    /// Whether its value has begun, so that a name can no longer precede it.
    var isBegun = false
  }

  package let wanted: Wanted
  /// The byte range of the word at the cursor.
  package let word: Range<Int>

  package init(_ facts: FileFacts, at offset: Int) {
    let tree = facts.tree
    var word = offset..<offset
    guard !tree.tokens.isEmpty else {
      (wanted, self.word) = (.declaration, word)
      return
    }
    var token = tree.token(at: max(0, offset - 1))
    if offset == 0 { token = 0 }
    let kind = tree.tokens[token].kind
    let range = tree.range(ofToken: token)
    let reader = Reader(tree: tree, end: offset)
    switch kind {
    case .lineComment, .docComment, .blockComment:
      (wanted, self.word) = Cursor.inComment(facts, token: token, at: offset)
      return
    case .stringText where offset > range.lowerBound,
      .stringStart where offset >= range.upperBound,
      .interpolationEnd where offset >= range.upperBound:
      if let command = facts.command(at: offset) {
        (wanted, self.word) = (.command, command)
        return
      }
      wanted = Cursor.inString(reader, token)
      self.word =
        kind == .stringText ? range.lowerBound..<range.upperBound : offset..<offset
      return
    case .number where offset > range.lowerBound:
      // `2s` is a single token: the unit follows the digits.
      let digits = facts.source.bytes[range].prefix {
        (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
      }
      let start = range.lowerBound + digits.count
      guard offset >= start else {
        (wanted, self.word) = (.nothing, word)
        return
      }
      wanted = Cursor.unit(reader, token)
      self.word = start..<max(start, range.upperBound)
      return
    case .color where offset > range.lowerBound:
      (wanted, self.word) = (.nothing, range)
      return
    case _
    where (kind == .identifier || kind.isReservedWord) && range.upperBound >= offset
      && offset > range.lowerBound:
      word = range
    default:
      token = offset >= range.upperBound || kind.isTrivia ? token + 1 : token
      if token > tree.tokens.count { token = tree.tokens.count }
    }
    if word.isEmpty, token < tree.tokens.count, tree.tokens[token].start == offset,
      tree.tokens[token].kind == .identifier
    {
      // Directly before a word, which the inserted text would join.
      word = tree.range(ofToken: token)
    }
    self.word = word
    let wanted = Cursor.wanted(reader, before: token)
    switch wanted {
    // A declaration in the first column has ended the open bodies.
    case .item where reader.isAtTop: self.wanted = .declaration
    case .value, .expression, .argument:
      let isTaken = reader.hasValue(before: token) || reader.declaresRound(before: token)
      self.wanted = isTaken ? .nothing : wanted
    default: self.wanted = wanted
    }
  }

  /// Returns the argument that contains an offset, also after or inside its value.
  static func argument(_ facts: FileFacts, at offset: Int) -> Argument? {
    let tree = facts.tree
    guard offset > 0, !tree.tokens.isEmpty else { return nil }
    let token = tree.token(at: offset - 1)
    switch tree.tokens[token].kind {
    case .stringStart, .stringText, .lineComment, .docComment, .blockComment: return nil
    default: break
    }
    let reader = Reader(tree: tree, end: offset)
    guard case .argument(let it) = wanted(reader, before: token + 1) else { return nil }
    return it
  }

  // MARK: Strings and comments

  /// Returns the expected syntax in a comment: a code if the comment allows warnings.
  private static func inComment(_ facts: FileFacts, token: Int, at offset: Int) -> (
    Wanted, Range<Int>
  ) {
    let range = facts.tree.range(ofToken: token)
    guard facts.tree.tokens[token].kind == .lineComment,
      facts.tree.text(ofToken: token).hasPrefix("// scenec: allow")
    else { return (.nothing, offset..<offset) }
    let written = Array(facts.source.bytes[range.lowerBound..<offset])
    let start = written.lastIndex(of: 32).map { range.lowerBound + $0 + 1 } ?? offset
    // If a preceding word is not a code, the reason has begun.
    let before = String(decoding: written.prefix(start - range.lowerBound), as: UTF8.self)
    let count = before.split { $0 == " " || $0 == "," }.count
    if count > 3 + AllowComment.codes(in: before).count { return (.nothing, offset..<offset) }
    return (.code, start..<max(start, min(range.upperBound, offset)))
  }

  /// Returns the expected syntax in a string: a file path if an element, function or import reads
  /// one.
  private static func inString(_ reader: Reader, _ token: Int) -> Wanted {
    var start = token
    while start > 0, reader.kind(start) != .stringStart { start -= 1 }
    var words: [String] = []
    var index = reader.before(start)
    while let at = index,
      [.identifier, .colon, .leftParen, .leftBracket].contains(reader.kind(at))
    {
      words.insert(reader.text(at), at: 0)
      index = reader.before(at)
    }
    let files: Set<String> = [
      "import", "image", "svg", "video", "audio", "captions", "data", "lut", "pattern", "source",
      "font",
    ]
    // A name before the bracket. In a list literal, another token precedes it.
    let named = words.dropLast().last.map { ![":", "(", "["].contains($0) } ?? false
    let isIndex = words.last == "[" && named
    if words.last == "part" || isIndex { return .part }
    return words.first { files.contains($0) }.map { .file(of: $0) } ?? .nothing
  }

  /// Returns the expected unit of a number.
  private static func unit(_ reader: Reader, _ token: Int) -> Wanted {
    if let last = reader.before(token), ["over", "after"].contains(reader.text(last)) {
      return .unit(property: Property.for.name, of: "")
    }
    guard case .value(let property, let kind) = wanted(reader, before: token) else {
      return .unit(property: nil, of: "")
    }
    return .unit(property: property, of: kind)
  }

  // MARK: Items and values

  private static func wanted(_ reader: Reader, before token: Int) -> Wanted {
    guard let last = reader.before(token) else { return .declaration }
    if reader.kind(last) == .dot { return .member(of: owner(reader, last)) }
    var item: [Int] = []
    var depth = 0
    var index: Int? = last
    var commas = 0
    var named: [String] = []
    var own: String?
    while let at = index {
      let kind = reader.kind(at)
      switch kind {
      case .rightBrace, .rightParen, .rightBracket, .interpolationEnd, .stringEnd:
        if depth == 0, kind == .rightBrace, item.isEmpty, !endsValue(reader, at) {
          // Another element may follow on the same line.
          return around(reader, from: at, item: item)
        }
        depth += 1
      case .leftBrace where depth == 0:
        return body(reader, openedAt: at, item: item, given: [])
      case .interpolationStart where depth == 0: return .expression
      case .leftParen where depth == 0:
        if let name = reader.before(at), reader.kind(name) == .identifier, name == at - 1 {
          if let inside = parameters(reader, name: name, item: item) { return inside }
          let isBegun = ![.leftParen, .comma, .newline].contains(reader.kind(last))
          return .argument(
            Argument(
              function: reader.text(name), index: commas,
              unnamed: commas - named.count + (own == nil ? 0 : 1),
              given: named + reader.named(from: token), name: own,
              isBegun: isBegun)
          )
        }
        return .expression
      case .leftBracket where depth == 0:
        index = reader.before(at)
        item.insert(at, at: 0)
        continue
      case .leftBrace, .leftParen, .leftBracket, .interpolationStart, .stringStart:
        depth -= 1
      case .comma where depth == 0: commas += 1
      case .colon where depth == 0:
        if let name = reader.named(at: at) {
          named.append(name)
          if commas == 0 { own = name }
        }
      case .semicolon where depth == 0,
        .newline where depth == 0 && !goesOn(reader, newline: at, item: item):
        return around(reader, from: at, item: item)
      default: break
      }
      if kind != .newline { item.insert(at, at: 0) }
      index = reader.before(at)
    }
    return topLevel(reader, item)
  }

  /// Returns whether a brace ends keyframes, which are a value.
  private static func endsValue(_ reader: Reader, _ brace: Int) -> Bool {
    enclosing(reader, brace).map { words(reader, before: $0).last == "keyframes" } == true
  }

  /// Returns the word of the path segment that contains an offset, and the number of preceding
  /// points.
  static func step(_ facts: FileFacts, at offset: Int) -> (word: String, index: Int)? {
    guard offset > 0, !facts.tree.tokens.isEmpty else { return nil }
    let reader = Reader(tree: facts.tree, end: offset)
    let token = facts.tree.token(at: offset - 1)
    var index: Int? = reader.before(token + 1)
    var first: Int?
    var (commas, depth) = (0, 0)
    while let at = index {
      let kind = reader.kind(at)
      let item = first.map { [$0] } ?? []
      switch kind {
      case .rightParen, .rightBracket, .rightBrace: depth += 1
      case .leftParen where depth == 0, .leftBracket where depth == 0: commas = 0
      case .leftBrace where depth == 0, .semicolon where depth == 0,
        .newline where depth == 0 && !goesOn(reader, newline: at, item: item):
        let wanted =
          kind == .leftBrace
          ? body(reader, openedAt: at, item: [], given: []) : around(reader, from: at, item: [])
        guard let first, facts.tree.range(ofToken: first).upperBound < offset,
          case .item(of: "path", _) = wanted
        else { return nil }
        return (reader.text(first), commas)
      case .leftParen, .leftBracket, .leftBrace: depth -= 1
      case .comma where depth == 0: commas += 1
      default: break
      }
      if kind != .newline { first = at }
      index = reader.before(at)
    }
    return nil
  }

  /// Returns whether an item continues after the end of a line.
  private static func goesOn(_ reader: Reader, newline: Int, item: [Int]) -> Bool {
    let going: Set<TokenKind> = [
      .arrow, .plus, .minus, .star, .slash, .comma, .colon, .question, .andWord, .orWord, .equal,
      .leftParen, .leftBracket,
    ]
    if reader.beginsFile(after: newline, item) { return false }
    if let before = reader.before(newline), going.contains(reader.kind(before)) { return true }
    guard let first = item.first else { return false }
    return [.arrow, .question, .plus, .star, .slash].contains(reader.kind(first))
      || ["over", "after", "with"].contains(reader.text(first))
  }

  /// Returns the expected syntax in the body that contains an item, which ends at a preceding
  /// token.
  private static func around(_ reader: Reader, from token: Int, item: [Int])
    -> Wanted
  {
    var depth = 0
    var given: [String] = []
    var index: Int? = token
    while let at = index {
      switch reader.kind(at) {
      case .rightBrace, .rightParen, .rightBracket, .interpolationEnd, .stringEnd: depth += 1
      case .leftBrace where depth == 0: return body(reader, openedAt: at, item: item, given: given)
      case .interpolationStart where depth == 0: return .expression
      case .leftParen where depth == 0:
        if let name = reader.before(at), reader.kind(name) == .identifier, name == at - 1 {
          return .argument(Argument(function: reader.text(name), given: given))
        }
        return .expression
      case .leftBracket where depth == 0: return .expression
      case .leftBrace, .leftParen, .leftBracket, .interpolationStart, .stringStart: depth -= 1
      case .colon where depth == 0:
        if let name = reader.before(at), [.identifier, .forWord].contains(reader.kind(name)) {
          given.append(reader.text(name))
        }
      default: break
      }
      index = reader.before(at)
    }
    return topLevel(reader, item)
  }

  /// The owner of the body of `each part` in an SVG, which accepts the properties of a part.
  static let eachPart = "each part"

  /// Returns the expected syntax in a body, after the existing tokens of the item.
  private static func body(_ reader: Reader, openedAt brace: Int, item: [Int], given: [String])
    -> Wanted
  {
    let head = words(reader, before: brace)
    guard let first = head.first else { return .nothing }
    let kind = first
    if head.last == "keyframes" {
      guard let colon = item.firstIndex(where: { reader.kind($0) == .colon }) else {
        return .nothing
      }
      let outer = enclosing(reader, brace).flatMap { words(reader, before: $0).first }
      let property = head.count == 3 && head[1] == ":" ? head[0] : nil
      return value(
        reader, item: Array(item[(colon + 1)...]), property: property, kind: outer ?? "",
        isKey: true)
    }
    // Loops and conditions have the items of the enclosing body.
    if ["for", "if", "else"].contains(kind) {
      guard let outer = enclosing(reader, brace) else { return .declaration }
      return body(reader, openedAt: outer, item: item, given: given)
    }
    let isOfOutput =
      kind == "audio"
      && enclosing(reader, brace).map { words(reader, before: $0).first } == "output"
    let isOfParts =
      kind == ElementKind.each.rawValue && head.dropFirst().first == ElementKind.part.rawValue
    let name =
      isOfOutput
      ? ElementKind.soundTrack.rawValue : isOfParts ? ElementKind.part.rawValue : kind
    guard let start = item.first else {
      return .item(of: isOfParts ? Cursor.eachPart : name, given: given)
    }
    if name == "path", item.count >= 1,
      ["move", "line", "curve", "smooth", "quad", "arc", "through", "close"].contains(
        reader.text(start))
    {
      return item.count == 1 ? .segment : .expression
    }
    if item.count > 1, reader.kind(item[1]) == .colon {
      return value(reader, item: Array(item.dropFirst(2)), property: reader.text(start), kind: name)
    }
    if reader.text(start) == "let" {
      return item.contains { reader.kind($0) == .equal }
        ? value(reader, item: item, property: nil, kind: name)
        : item.contains { reader.kind($0) == .colon } ? .type : .nothing
    }
    if reader.kind(start) == .ifWord || item.contains(where: { reader.kind($0) == .inWord }) {
      return .expression
    }
    if reader.text(start) == "each", item.count == 1 { return .each(of: name) }
    if item.count == 2, reader.text(start) == "change", reader.text(item[1]) == "of" {
      return .element
    }
    return .nothing
  }

  private static func value(
    _ reader: Reader, item: [Int], property: String?, kind: String, isKey: Bool = false
  ) -> Wanted {
    if let last = item.last {
      switch reader.text(last) {
      case "with": return .easing
      case "over", "after": return .expression
      default: break
      }
      let before: Set<TokenKind> = [
        .arrow, .colon, .question, .comma, .leftBracket, .plus, .minus, .star, .slash, .equal,
        .andWord, .orWord, .notWord, .inWord, .bar, .less, .greater, .equalEqual, .dotDot,
      ]
      // A complete value may be followed by clauses of a motion.
      if !before.contains(reader.kind(last)) {
        return clause(reader, item: item, property: property, isKey: isKey)
      }
      let operators: Set<TokenKind> = [.plus, .minus, .star, .slash, .less, .greater, .equalEqual]
      if operators.contains(reader.kind(last)) { return .expression }
    }
    return property.map { .value(property: $0, of: kind) } ?? .expression
  }

  /// Returns the expectation of a clause that a motion, keyframe or effect lacks.
  private static func clause(
    _ reader: Reader, item: [Int], property: String?, isKey: Bool
  ) -> Wanted {
    let value = item.lastIndex { reader.kind($0) == .equal }.map { item[($0 + 1)...] } ?? item[...]
    var depth = 0
    let arrow = value.indices.reversed().first { index in
      switch reader.kind(value[index]) {
      case .rightParen, .rightBracket, .rightBrace: depth += 1
      case .leftParen, .leftBracket, .leftBrace: depth -= 1
      default: break
      }
      return depth == 0 && reader.kind(value[index]) == .arrow
    }
    let leg = arrow.map { value[($0 + 1)...] }
    let given = (leg ?? value).map(reader.text).filter { ["over", "after", "with"].contains($0) }
    if isKey { return given.isEmpty ? .item(of: "->", given: ["over", "after"]) : .nothing }
    let isEffect = property.map { ["enter", "exit", "transition"].contains($0) } == true
    return leg != nil || isEffect ? .item(of: "->", given: given) : .nothing
  }

  private static func topLevel(_ reader: Reader, _ item: [Int]) -> Wanted {
    guard let start = item.first else { return .declaration }
    let word = reader.text(start)
    if ["let", "param", "fn"].contains(word) {
      if item.contains(where: { reader.kind($0) == .equal }) {
        return value(reader, item: item, property: nil, kind: "")
      }
      if let last = item.last, [.colon, .arrow, .bar].contains(reader.kind(last)) { return .type }
    }
    return .nothing
  }

  /// Returns the expected syntax in the parameter list of a declaration.
  private static func parameters(_ reader: Reader, name: Int, item: [Int]) -> Wanted? {
    // The parameters of a lambda directly follow `fn`.
    if reader.text(name) == "fn" { return declared(reader, item) }
    guard let before = reader.before(name),
      ["fn", "component", "effect", "transition", "style"].contains(reader.text(before))
    else { return nil }
    return declared(reader, item)
  }

  /// Returns the expected syntax after the existing tokens of a parameter.
  private static func declared(_ reader: Reader, _ item: [Int]) -> Wanted {
    guard let last = item.last else { return .nothing }
    if [.colon, .bar].contains(reader.kind(last)) { return .type }
    return reader.kind(last) == .equal ? .expression : .nothing
  }

  /// Returns the words before the brace of a body, from the start of the item.
  private static func words(_ reader: Reader, before brace: Int) -> [String] {
    var words: [String] = []
    var depth = 0
    var index = reader.before(brace)
    while let at = index {
      let kind = reader.kind(at)
      switch kind {
      case .rightParen, .rightBracket, .stringEnd, .interpolationEnd: depth += 1
      case .leftParen, .leftBracket, .stringStart, .interpolationStart:
        if depth == 0 { return words }
        depth -= 1
      case .leftBrace, .semicolon, .newline, .rightBrace:
        if depth == 0 { return words }
      default: if depth == 0 { words.insert(reader.text(at), at: 0) }
      }
      index = reader.before(at)
    }
    return words
  }

  /// Returns the opening brace of the body that contains another one.
  private static func enclosing(_ reader: Reader, _ brace: Int) -> Int? {
    var depth = 0
    var index = reader.before(brace)
    while let at = index {
      switch reader.kind(at) {
      case .rightBrace: depth += 1
      case .leftBrace:
        if depth == 0 { return at }
        depth -= 1
      default: break
      }
      index = reader.before(at)
    }
    return nil
  }

  /// Returns the name before a `.`.
  private static func owner(_ reader: Reader, _ dot: Int) -> String {
    guard let name = reader.before(dot), reader.kind(name) == .identifier else { return "" }
    return reader.text(name)
  }
}

extension FileFacts {
  /// Returns the range of the TeX command at an offset in a formula: the backslash and all letters
  /// after it.
  func command(at offset: Int) -> Range<Int>? {
    guard offset > 0, offset <= source.bytes.count, !tree.tokens.isEmpty else { return nil }
    func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
    let token = tree.token(at: offset - 1)
    let opening = tree.tokens[token].kind == .stringStart ? token : token - 1
    guard opening >= 0, tree.tokens[opening].kind == .stringStart,
      tree.text(ofToken: opening).hasPrefix("$"),
      let start = source.bytes[..<offset].lastIndex(where: { !isLetter($0) }),
      source.bytes[start] == UInt8(ascii: "\\")
    else { return nil }
    return start..<(source.bytes[offset...].firstIndex { !isLetter($0) } ?? source.bytes.count)
  }

  /// Returns whether completion starts automatically after a space: after `:`, `->`, `with` and
  /// `over`.
  package func wantsWords(afterBlankAt offset: Int) -> Bool {
    guard offset > 0 else { return false }
    var token = tree.token(at: offset - 1)
    while token > 0, tree.tokens[token].kind == .whitespace { token -= 1 }
    switch tree.tokens[token].kind {
    case .colon, .arrow: return true
    case .identifier: return ["with", "over"].contains(tree.text(ofToken: token))
    default: return false
    }
  }
}
