// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneSyntax
import SceneText

/// The tokens after the word at the cursor, in its line or brackets, with which the inserted text
/// must be compatible.
struct Following {
  private let tree: SyntaxTree
  /// The next token, or `nil` at the end of the line, body or bracket.
  private let next: Int?
  /// Whether the next token is adjacent to the word.
  private let isAdjacent: Bool
  /// Whether a line end does not end the item: in parentheses or square brackets, or after a comma.
  let goesOn: Bool
  /// Whether the next token is on a later line.
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

  /// Whether the bracket that contains the word is closed before the end of the body.
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

  /// Whether the next token starts a value that would join the preceding expression.
  var beginsValue: Bool {
    switch kind {
    case .leftParen, .leftBracket, .minus: true
    default: false
    }
  }

  /// Whether the next token starts a clause of a motion.
  var isClause: Bool {
    next.map { kind == .identifier && ["over", "after", "with"].contains(tree.text(ofToken: $0)) }
      == true
  }

  /// Whether the next token continues the preceding value.
  var isOperator: Bool {
    switch kind {
    case .arrow, .question, .colon, .dotDot, .inWord, .elseWord, .bar: true
    default: kind?.isBinary == true || isClause
    }
  }

  /// Whether the next token is the name of an element, followed by a string, a body or the end.
  var isName: Bool {
    guard let next, kind == .identifier else { return false }
    let after = Following.significant(next + 1, tree)
    guard after < tree.tokens.count else { return true }
    return [.leftBrace, .stringStart].contains(tree.tokens[after].kind)
      || tree.tokens[after].kind != .comma && Following.ends.contains(tree.tokens[after].kind)
  }

  /// Whether the subject of an element follows, with or without a name before it.
  var isText: Bool {
    guard let next, kind == .identifier else { return kind == .stringStart }
    let after = Following.significant(next + 1, tree)
    return after < tree.tokens.count && tree.tokens[after].kind == .stringStart
  }

  /// Returns whether another item starts: a property, a `let`, a loop, a condition, or an element
  /// according to `isElement`.
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
  /// The item without insertion text.
  fileprivate var bare: CompletionItem {
    var it = self
    (it.insert, it.snippet) = (nil, nil)
    return it
  }

  /// Returns the item with a text appended.
  fileprivate func followed(by end: String) -> CompletionItem {
    var it = self
    // If a value is still missing, `end` belongs after it, in the snippet only.
    if insert == nil { it.insert = label + end }
    it.snippet = snippet.map { $0 + end }
    return it
  }
}

extension Workspace {
  /// Returns the items that are compatible with the following tokens, in a compatible form.
  func fitted(_ items: [CompletionItem], to cursor: Cursor, facts: FileFacts, in file: String)
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
        ElementKind(rawValue: name) != nil
          || component(name, at: cursor.word.upperBound, in: file) != nil
      }
      return Workspace.fitted(items: items, word: word, after: after, isItem: isItem)
    case .argument where after.kind == .colon && facts.beginsArgument(at: cursor.word.lowerBound):
      return items.filter { $0.kind == .property }.map(\.bare)
    case .expression where after.kind == .colon && facts.beginsArgument(at: cursor.word.lowerBound):
      return []
    case .type where word.isEmpty && [.identifier, .leftBracket].contains(after.kind):
      return []
    case .value, .expression, .argument, .easing:
      // The word starts a list comprehension or a lambda.
      if ["for", "fn"].contains(word) { return [] }
      let isItem = after.isItem { _ in true } && after.kind != .forWord
      // A line below that starts an item is separate, even if a bracket is still open.
      if after.isBelow, isItem, !after.isClosed { return items }
      // The value already exists.
      if word.isEmpty, after.beginsValue || after.goesOn && (after.kind == .forWord || isItem) {
        return []
      }
      if after.isCall { return items.filter { $0.kind == .function }.map(\.bare) }
      if after.isAccess { return items.filter { $0.kind == .variable }.map(\.bare) }
      // The start of the first branch of a condition, not a property.
      if word.isEmpty, after.kind == .identifier, facts.isAfterQuestion(cursor.word.lowerBound) {
        return []
      }
      if after.kind == .leftBrace {
        if case .value = cursor.wanted {} else if word != "keyframes" { return items }
        return items.filter { $0.label == "keyframes" }.map(\.bare)
      }
      if after.isOperator { return items.filter { $0.label != "keyframes" } }
      // The value already exists, or its item ends here.
      return word.isEmpty && !after.isItem({ _ in false })
        ? [] : items.filter { $0.kind != .function }.map(\.bare)
    default: return items
    }
  }

  private static func fitted(
    items: [CompletionItem], word: String, after: Following, isItem: Bool
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
  /// Returns whether an argument starts at an offset.
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
