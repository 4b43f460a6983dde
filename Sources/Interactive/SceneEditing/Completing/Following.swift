// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneSyntax
import SceneText

/// What is after the word that is being written, in its line or its brackets: what is inserted has to go
/// with it.
struct Following {
  private let tree: SyntaxTree
  /// The next token; `nil` at the end of the line, of a body or of a bracket.
  private let next: Int?
  /// Whether nothing is between.
  private let isAdjacent: Bool
  /// Whether the word is where the end of a line ends nothing: in round or square brackets, or behind a comma.
  let goesOn: Bool
  /// Whether it is in a later line.
  let isBelow: Bool

  init(_ tree: SyntaxTree, after word: Range<Int>) {
    self.tree = tree
    goesOn = Following.goesOn(tree, word.lowerBound)
    var token = tree.token(at: word.upperBound)
    if tree.range(ofToken: token).upperBound <= word.upperBound { token += 1 }
    isAdjacent = token < tree.tokens.count && Int(tree.tokens[token].start) == word.upperBound
    token = Following.significant(token, tree)
    let inLine = token
    while goesOn, token < tree.tokens.count, tree.tokens[token].kind.isTrivia { token += 1 }
    isBelow = token > inLine
    next =
      token < tree.tokens.count && !Following.ends.contains(tree.tokens[token].kind) ? token : nil
  }

  private static let ends: Set<TokenKind> = [
    .newline, .lineComment, .docComment, .endOfFile, .rightBrace, .rightParen, .rightBracket,
    .comma, .semicolon, .interpolationEnd, .stringEnd, .unknown,
  ]

  private static func goesOn(_ tree: SyntaxTree, _ offset: Int) -> Bool {
    var depth = 0
    var token = tree.token(at: max(0, offset - 1))
    if tree.range(ofToken: token).upperBound > offset { token -= 1 }
    while token >= 0, tree.tokens[token].kind == .whitespace { token -= 1 }
    if token >= 0, tree.tokens[token].kind == .comma { return true }
    while token >= 0 {
      switch tree.tokens[token].kind {
      case .rightBrace, .rightParen, .rightBracket, .interpolationEnd: depth += 1
      case .leftParen where depth == 0, .leftBracket where depth == 0: return true
      case .leftBrace where depth == 0, .interpolationStart where depth == 0: return false
      case .leftBrace, .leftParen, .leftBracket, .interpolationStart: depth -= 1
      default: break
      }
      token -= 1
    }
    return false
  }

  /// Whether the bracket around the word ends before the body does.
  var isClosed: Bool {
    var depth = 0
    for token in (next ?? tree.tokens.count)..<tree.tokens.count {
      switch tree.tokens[token].kind {
      case .leftBrace, .leftParen, .leftBracket, .interpolationStart: depth += 1
      case .rightParen where depth == 0, .rightBracket where depth == 0: return true
      case .rightBrace where depth == 0, .interpolationEnd where depth == 0: return false
      case .rightBrace, .rightParen, .rightBracket, .interpolationEnd: depth -= 1
      default: break
      }
    }
    return false
  }

  private static func significant(_ token: Int, _ tree: SyntaxTree) -> Int {
    var token = token
    while token < tree.tokens.count, [.whitespace, .blockComment].contains(tree.tokens[token].kind)
    {
      token += 1
    }
    return token
  }

  var kind: TokenKind? { next.map { tree.tokens[$0].kind } }
  var isCall: Bool { kind == .leftParen && isAdjacent }
  var isAccess: Bool { (kind == .dot || kind == .leftBracket) && isAdjacent }

  /// Whether a value begins that would be part of what is before it.
  var beginsValue: Bool {
    switch kind {
    case .leftParen, .leftBracket, .minus: true
    default: false
    }
  }

  /// A clause of a motion.
  var isClause: Bool {
    next.map { kind == .identifier && ["over", "after", "with"].contains(tree.text(ofToken: $0)) }
      == true
  }

  /// Whether it goes on with a value that is before it.
  var isOperator: Bool {
    switch kind {
    case .arrow, .plus, .minus, .star, .slash, .less, .lessEqual, .greater, .greaterEqual,
      .equalEqual, .notEqual, .question, .colon, .dotDot, .andWord, .orWord, .inWord, .elseWord,
      .bar:
      true
    default: isClause
    }
  }

  /// Whether it is the name of an element, with a text, a body or nothing after it.
  var isName: Bool {
    guard let next, kind == .identifier else { return false }
    let after = Following.significant(next + 1, tree)
    guard after < tree.tokens.count else { return true }
    return [.leftBrace, .stringStart].contains(tree.tokens[after].kind)
      || tree.tokens[after].kind != .comma && Following.ends.contains(tree.tokens[after].kind)
  }

  /// Whether the text of an element follows, with or without its name before it.
  var isText: Bool {
    guard let next, kind == .identifier else { return kind == .stringStart }
    let after = Following.significant(next + 1, tree)
    return after < tree.tokens.count && tree.tokens[after].kind == .stringStart
  }

  /// Whether another item begins: a property, a `let`, a loop, a condition, or what `isElement` knows.
  func isItem(_ isElement: (String) -> Bool) -> Bool {
    guard let next else { return false }
    switch kind {
    case .letWord, .forWord, .ifWord: return true
    case .identifier:
      let after = Following.significant(next + 1, tree)
      guard after < tree.tokens.count else { return false }
      let kind = tree.tokens[after].kind
      return kind == .colon
        || [.leftBrace, .stringStart, .identifier].contains(kind)
          && isElement(tree.text(ofToken: next))
    default: return false
    }
  }
}

extension CompletionItem {
  /// Its word alone.
  fileprivate var bare: CompletionItem {
    var it = self
    (it.insert, it.snippet) = (nil, nil)
    return it
  }

  /// With something after it.
  fileprivate func followed(by end: String) -> CompletionItem {
    var it = self
    // Where a value has to be written yet, what comes after it does, too.
    if insert == nil { it.insert = label + end }
    it.snippet = snippet.map { $0 + end }
    return it
  }
}

extension Workspace {
  /// The items that go with what is after the place, in the form that does.
  func fitted(_ items: [CompletionItem], _ cursor: Cursor, _ facts: FileFacts, _ file: String)
    -> [CompletionItem]
  {
    let after = Following(facts.tree, after: cursor.word)
    guard after.kind != nil else { return items }
    let word = facts.source.text(
      facts.source.span(cursor.word.lowerBound, cursor.word.upperBound))
    switch cursor.wanted {
    case .item("->", _):
      return after.isOperator || after.isItem({ _ in false }) ? items : items.map(\.bare)
    case .declaration:
      return word.isEmpty
        ? items.map { $0.followed(by: "\n") } : items.filter { $0.label == word }.map(\.bare)
    case .item:
      let isItem = after.isItem { name in
        ElementKind(rawValue: name) != nil || component(name, cursor.word.upperBound, file) != nil
      }
      return Workspace.fitted(items: items, word, after, isItem)
    case .argument where after.kind == .colon && facts.beginsArgument(at: cursor.word.lowerBound):
      return items.filter { $0.kind == .property }.map(\.bare)
    case .expression where after.kind == .colon && facts.beginsArgument(at: cursor.word.lowerBound):
      return []
    case .type where word.isEmpty && [.identifier, .leftBracket].contains(after.kind):
      return []
    case .value, .expression, .argument, .easing:
      // What a loop in a list, or a function without a name, begins with.
      if ["for", "fn"].contains(word) { return [] }
      let isItem = after.isItem { _ in true } && after.kind != .forWord
      // A line below that begins as an item is one, after a bracket that is open yet.
      if after.isBelow, isItem, !after.isClosed { return items }
      // The place has its value.
      if word.isEmpty, after.beginsValue || after.goesOn && (after.kind == .forWord || isItem) {
        return []
      }
      if after.isCall { return items.filter { $0.kind == .function }.map(\.bare) }
      if after.isAccess { return items.filter { $0.kind == .variable }.map(\.bare) }
      // The first of two values, and not a property.
      if word.isEmpty, after.kind == .identifier, facts.isAfterQuestion(cursor.word.lowerBound) {
        return []
      }
      if after.kind == .leftBrace {
        if case .value = cursor.wanted {} else if word != "keyframes" { return items }
        return items.filter { $0.label == "keyframes" }.map(\.bare)
      }
      if after.isOperator { return items.filter { $0.label != "keyframes" } }
      // The place has its value, or its item ends here.
      return word.isEmpty && !after.isItem({ _ in false })
        ? [] : items.filter { $0.kind != .function }.map(\.bare)
    default: return items
    }
  }

  private static func fitted(
    items: [CompletionItem], _ word: String, _ after: Following, _ isItem: Bool
  ) -> [CompletionItem] {
    if after.kind == .colon { return items.filter { $0.kind == .property }.map(\.bare) }
    if isItem { return items.map { $0.followed(by: ";") } }
    if word.isEmpty { return [] }
    return items.filter { item in
      if item.label == word || item.kind == .keyword && item.label.hasPrefix(word) { return true }
      guard [.element, .component].contains(item.kind) else { return false }
      let hasText = ElementKind(rawValue: item.label).map { $0.subjectProperty != nil } ?? true
      return after.isText ? hasText : after.isName || after.kind == .leftBrace
    }.map(\.bare)
  }
}

extension FileFacts {
  /// Whether an argument begins at a place.
  fileprivate func beginsArgument(at offset: Int) -> Bool {
    kind(before: offset).map { [.leftParen, .comma].contains($0) } == true
  }

  fileprivate func isAfterQuestion(_ offset: Int) -> Bool { kind(before: offset) == .question }

  private func kind(before offset: Int) -> TokenKind? {
    guard offset > 0 else { return nil }
    var token = tree.token(at: offset - 1)
    while token > 0, tree.tokens[token].kind.isTrivia { token -= 1 }
    return tree.tokens[token].kind
  }
}
