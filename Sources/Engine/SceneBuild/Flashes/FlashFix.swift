// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneModel
import SceneSession
import SceneSyntax
import SceneText

extension LoadedScene {
  /// Returns a fix that lengthens the period of the flashes at `span`. The period or rate must be one
  /// literal, either in place or in a `let`. `period` is the shortest safe period in seconds, and
  /// `rate` the number of flashes per second.
  func flashFix(at span: SourceSpan, rate: Double, period: Double) -> FixIt? {
    guard let source = sources.first(where: { $0.id == span.file }),
      !source.name.hasPrefix("std/")
    else { return nil }
    let all = PeriodicLiteral.all(in: source, at: span)
    // An element can have other periodic properties, such as a slow rotation.
    let matching = all.filter { literal in
      let count = rate * literal.period
      return count > 0.88 && abs(count - count.rounded()) < 0.12
    }
    let literals = all.count == 1 ? all : matching
    guard let literal = literals.first, literals.count == 1 else { return nil }
    // An element can flash several times per period. At short periods, frames skip flashes.
    let count = max(1, (rate * literal.period).rounded())
    guard literal.period < period * count, let text = literal.text(period: period * count) else {
      return nil
    }
    let name = literal.name.map { "'\($0)'" } ?? "the \(literal.kind == .rate ? "rate" : "period")"
    // Other elements may use a `let`, too.
    return FixIt(
      "change \(name) from \(literal.written) to \(text)", replacing: literal.span, with: text,
      isSafe: literal.name == nil)
  }
}

/// A literal that determines the period of a repeated change.
private struct PeriodicLiteral {
  /// The meaning of the literal.
  enum Kind {
    case period
    /// Half of the period: the duration of a loop that also plays backward.
    case mirrored
    case rate
  }

  let kind: Kind
  let span: SourceSpan
  let written: String
  /// The name of the `let` that contains the literal.
  let name: String?
  private let value: Double

  /// The period in seconds.
  var period: Double {
    switch kind {
    case .period: value
    case .mirrored: 2 * value
    case .rate: 1 / value
    }
  }

  /// Returns a literal for the shortest round period that is not below `period`.
  func text(period: Double) -> String? {
    let format = NumberFormat()
    switch kind {
    case .period, .mirrored:
      let value = kind == .mirrored ? period / 2 : period
      return format.text((value * 100 - 1e-6).rounded(.up) / 100) + "s"
    case .rate:
      let rate = (10 / period + 1e-6).rounded(.down) / 10
      return rate > 0 ? format.text(rate) + "Hz" : nil
    }
  }

  private init?(_ kind: Kind, _ token: Word, of name: String? = nil) {
    let units: [(String, Double)] = kind == .rate ? [("Hz", 1)] : [("ms", 1e-3), ("s", 1)]
    guard token.kind == .number, let unit = units.first(where: { token.text.hasSuffix($0.0) }),
      let number = Double(token.text.dropLast(unit.0.count).replacing("_", with: "")), number > 0
    else { return nil }
    self.kind = kind
    self.name = name
    span = token.span
    written = token.text
    value = number * unit.1
  }

  // MARK: Search

  /// A token with its level of nesting in braces.
  private struct Word {
    let kind: TokenKind
    let text: String
    let span: SourceSpan
    let depth: Int
    /// The position in the file.
    let index: Int
  }

  /// Returns the literals in the value at a span, or in the element whose head is there: those of its
  /// own properties and styles or, if there are none, those of its content.
  static func all(in source: SourceFile, at span: SourceSpan) -> [PeriodicLiteral] {
    let tree = parse(source).tree
    var words: [Word] = []
    var depth = 0
    for index in tree.tokens.indices where !tree.tokens[index].kind.isTrivia {
      let kind = tree.tokens[index].kind
      if kind == .rightBrace { depth -= 1 }
      words.append(
        Word(
          kind: kind, text: tree.text(ofToken: index), span: tree.span(ofToken: index),
          depth: depth, index: words.count))
      if kind == .leftBrace { depth += 1 }
    }
    let lets = Lets(words)
    func all(in words: [Word]) -> [PeriodicLiteral] { PeriodicLiteral.all(in: words, lets) }
    guard let first = words.firstIndex(where: { $0.span.start >= span.start }) else { return [] }
    let head = words[first...].prefix { $0.span.end <= span.end }
    if first > 0, words[first - 1].kind == .colon { return all(in: Array(head)) }
    // The head of an element, perhaps with a subject, is followed by its body.
    let rest = words[head.endIndex...].drop {
      ![.leftBrace, .semicolon, .rightBrace].contains($0.kind)
    }
    guard rest.first?.kind == .leftBrace else { return [] }
    let body = rest.dropFirst().prefix { $0.depth > words[first].depth }
    let own = Array(body.filter { $0.depth == words[first].depth + 1 })
    let found = all(in: own) + styles(of: own).flatMap { all(in: style($0, in: words)) }
    return found.isEmpty ? all(in: Array(body)) : found
  }

  /// The declarations of a file.
  private struct Lets {
    private struct Declaration {
      let name: Word
      /// The value of a `let`, if it is one literal.
      let literal: Word?
    }

    private let words: [Word]
    private var declarations: [String: [Declaration]] = [:]

    /// Maps each `let` whose value is one literal to that literal.
    init(_ words: [Word]) {
      self.words = words
      for (word, name) in zip(words, words.dropFirst()) where name.kind == .identifier {
        let rest = words[(name.index + 1)...]
        let isParameter =
          [.leftParen, .comma].contains(word.kind) && rest.first?.kind == .colon
        guard isParameter || ["let", "param", "for"].contains(word.text) else { continue }
        declarations[name.text, default: []].append(
          Declaration(name: name, literal: word.text == "let" ? Lets.literal(after: rest) : nil))
      }
    }

    /// Returns the literal of the `let` that a name refers to. A name with several declarations in the
    /// bodies around it is ambiguous.
    func literal(of use: Word) -> Word? {
      let known = (declarations[use.text] ?? []).filter { isVisible($0.name, from: use) }
      return known.count == 1 ? known[0].literal : nil
    }

    /// Returns whether a declaration is in the file itself or in a body that encloses a word.
    private func isVisible(_ name: Word, from use: Word) -> Bool {
      let between = words[min(name.index, use.index)...max(name.index, use.index)]
      return name.depth == 0 || between.allSatisfy { $0.depth >= name.depth }
    }

    /// Returns the literal that is the whole value of a declaration: `= 0.2s` or `: time = 0.2s`.
    private static func literal(after words: ArraySlice<Word>) -> Word? {
      let value = words.first?.kind == .colon ? words.dropFirst(2) : words
      guard value.first?.kind == .equal, let literal = value.dropFirst().first,
        literal.kind == .number
      else { return nil }
      let next = value.dropFirst(2).first?.kind
      let ends: [TokenKind?] = [
        nil, .semicolon, .rightBrace, .identifier, .letWord, .forWord, .ifWord,
      ]
      return ends.contains(next) ? literal : nil
    }
  }

  /// Returns the names of the styles in a body.
  private static func styles(of body: [Word]) -> [String] {
    body.indices.dropLast(2).filter { body[$0].text == "style" && body[$0 + 1].kind == .colon }
      .flatMap { start in
        body[(start + 2)...]
          .prefix { [.identifier, .comma, .leftBracket, .rightBracket].contains($0.kind) }
          .filter { $0.kind == .identifier }.map(\.text)
      }
  }

  /// Returns the body of a style of the file.
  private static func style(_ name: String, in words: [Word]) -> [Word] {
    guard
      let start = words.indices.dropLast(2).first(where: {
        words[$0].text == "style" && words[$0].depth == 0 && words[$0 + 1].text == name
          && words[$0 + 2].kind == .leftBrace
      })
    else { return [] }
    return Array(words[(start + 3)...].prefix { $0.depth > 0 })
  }

  private static func all(in words: [Word], _ lets: Lets) -> [PeriodicLiteral] {
    func literal(_ kind: Kind, _ word: Word) -> PeriodicLiteral? {
      guard word.kind == .identifier else { return PeriodicLiteral(kind, word) }
      return lets.literal(of: word).flatMap { PeriodicLiteral(kind, $0, of: word.text) }
    }
    var found: [PeriodicLiteral] = []
    var index = 0
    while index < words.count {
      let rest = words[index...]
      index += 1
      if let rate = literal(.rate, rest[rest.startIndex]) { found.append(rate) }
      let kinds = rest.prefix(3).map(\.kind)
      guard let word = rest.first, kinds.count == 3 else { continue }
      let third = rest[rest.startIndex + 2]
      switch (word.text, kinds[1]) {
      case ("wave", .leftParen):
        if isWhole(rest.dropFirst(2)) { found += [literal(.period, third)].compactMap { $0 } }
      case ("t", .slash), ("scene-time", .slash):
        found += [literal(.period, third)].compactMap { $0 }
      case ("loop", .leftParen):
        let call = arguments(rest.dropFirst(2))
        found += loop(call, literal)
        index += call.count
      default: break
      }
    }
    // A `let` that is used several times is one literal.
    var seen: Set<SourceSpan> = []
    return found.filter { $0.name == nil || seen.insert($0.span).inserted }
  }

  /// Returns whether the first word is a whole argument instead of the start of an expression.
  private static func isWhole(_ words: ArraySlice<Word>) -> Bool {
    [nil, .comma, .rightParen, .identifier].contains(words.dropFirst().first?.kind)
  }

  /// Returns the words before the parenthesis that closes a call.
  private static func arguments(_ words: ArraySlice<Word>) -> ArraySlice<Word> {
    var depth = 1
    return words.prefix { word in
      if [.leftParen, .leftBracket].contains(word.kind) { depth += 1 }
      if [.rightParen, .rightBracket].contains(word.kind) { depth -= 1 }
      return depth > 0
    }
  }

  /// Returns the duration of a loop, if it is a single literal: `over 1s`, or the second argument.
  private static func loop(
    _ call: ArraySlice<Word>, _ literal: (Kind, Word) -> PeriodicLiteral?
  ) -> [PeriodicLiteral] {
    var isMirrored = false
    var depth = 0
    var durations: [Word?] = []
    for (word, index) in zip(call, call.indices.dropFirst()) {
      if [.leftParen, .leftBracket].contains(word.kind) { depth += 1 }
      if [.rightParen, .rightBracket].contains(word.kind) { depth -= 1 }
      let next = call[index]
      if word.text == "mirror" { isMirrored = true }
      let isArgument = word.kind == .comma && depth == 0 && next.text != "mirror"
      guard isArgument || word.text == "over" else { continue }
      durations.append(isWhole(call[index...]) ? next : nil)
    }
    guard durations.count == 1, let duration = durations[0] else { return [] }
    return [literal(isMirrored ? .mirrored : .period, duration)].compactMap { $0 }
  }
}
