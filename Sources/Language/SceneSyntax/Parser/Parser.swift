// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

/// A recursive-descent parser over the non-trivia tokens, with at most two tokens of lookahead.
///
/// There is one function for each rule of `Grammar/scene.ebnf`, in the same order.
struct Parser {
  /// The maximum nesting of bodies and brackets.
  static let nestingLimit = 256
  /// The maximum height of the tree: chains such as `1 + 1 + 1` nest to the left without brackets.
  static let heightLimit = 1500

  let source: SourceFile
  let tokens: [Token]
  /// The indices of the non-trivia tokens; the last one is the end of the file.
  private let significant: [Int32]
  /// For each significant token, whether the newline before it ends an item.
  private var afterNewline: [Bool]
  /// For each significant token, whether it is the first one on its line.
  private let startsLine: [Bool]
  /// The token before which the item-ending newline has been consumed.
  private var passedNewline = -1
  private var position = 0
  /// The apparent end of the file for lookahead: the last token or, inside a body, the next
  /// declaration that cannot be part of the body.
  private var end: Int
  /// The brackets that the file lacks, if its indentation shows them.
  private(set) var repair = BracketRepair()
  /// The declarations in the first column, if the file lacks closing brackets.
  private let restarts: [Int]
  private var nextRestart = 0
  private(set) var nodes: [SyntaxTree.Node] = []
  /// The height of each node's subtree.
  private var heights: [Int32] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// The number of diagnostics before the current declaration.
  var errorsBefore = 0
  /// The number of closing braces minus the number of opening braces in the file.
  var excess: Int
  /// Braces whose closing brace is indented less, in a file that lacks closing braces.
  var suspects: [SourceSpan] = []
  private(set) var depth = 0
  /// Whether the innermost open bracket is `(` or `[`, where newlines are insignificant.
  var insideBrackets = false

  /// Creates a parser of a file's tokens.
  ///
  /// - Parameter repairsBrackets: Whether missing brackets are found by the indentation.
  init(file: SourceFile, tokens: [Token], repairsBrackets: Bool = true) {
    source = file
    self.tokens = tokens
    var significant: [Int32] = []
    var afterNewline: [Bool] = []
    significant.reserveCapacity(tokens.count)
    afterNewline.reserveCapacity(tokens.count)
    var newline = false
    for (index, token) in tokens.enumerated() {
      switch token.kind {
      case .newline, .lineComment, .docComment: newline = true
      case .blockComment:
        let end = index + 1 < tokens.count ? Int(tokens[index + 1].start) : file.bytes.count
        if file.lineIndex(at: Int(token.start)) < file.lineIndex(at: end) { newline = true }
      case .whitespace: break
      default:
        significant.append(Int32(index))
        afterNewline.append(newline)
        newline = false
      }
    }
    self.significant = significant
    self.afterNewline = afterNewline
    end = significant.count - 1
    startsLine = afterNewline
    let kinds = significant.map { tokens[Int($0)].kind }
    if repairsBrackets, BracketRepair.isNeeded(kinds) {
      repair = BracketRepair(
        kinds,
        columns: significant.indices.map { index in
          guard index == 0 || afterNewline[index] else { return nil }
          let line = file.lineRange(file.lineIndex(at: Int(tokens[Int(significant[index])].start)))
          return file.bytes[line].prefix { $0 == 32 || $0 == 9 }.count
        },
        beginsDeclaration: { Parser.beginsDeclaration($0, significant, tokens: tokens, in: file) })
    }
    excess =
      repair.addedBraces + kinds.count { $0 == .rightBrace } - kinds.count { $0 == .leftBrace }
    restarts = repair.isEmpty ? Parser.restarts(significant, tokens: tokens, in: file) : []
    nodes.reserveCapacity(significant.count)
    heights.reserveCapacity(significant.count)
    // For each open body, whether its current item contains a `?`.
    var hasChoice = [false]
    for index in significant.indices.dropFirst() {
      switch kinds[index - 1] {
      case .question: hasChoice[hasChoice.count - 1] = true
      case .semicolon: hasChoice[hasChoice.count - 1] = false
      case .leftBrace: hasChoice.append(false)
      case .rightBrace where hasChoice.count > 1: hasChoice.removeLast()
      default: break
      }
      guard afterNewline[index] else { continue }
      let ends =
        endsItem(before: index, hasChoice: hasChoice[hasChoice.count - 1])
        || repair.missing[index] != nil
      if ends { hasChoice[hasChoice.count - 1] = false }
      self.afterNewline[index] = ends
    }
  }

  /// Returns whether the newline before a token ends an item, outside brackets.
  ///
  /// It does not if an operand is still missing or the next token continues the expression.
  /// `hasChoice` states whether the item contains a `?`.
  private func endsItem(before index: Int, hasChoice: Bool) -> Bool {
    guard tokens[Int(significant[index - 1])].kind.endsItem else {
      // `c ?` is continued by `a : b` on the next line.
      return !hasChoice && lacksValue(before: index)
    }
    let next = tokens[Int(significant[index])].kind
    if next.continuesItem { return false }
    if next == .elseWord { return tokens[Int(significant[index - 1])].kind != .rightBrace }
    guard next == .identifier, index + 1 < significant.count else { return true }
    let bytes = tokenBytes(at: index)
    let isClause = ["over", "after", "with"].contains { bytes.elementsEqual($0.utf8) }
    return !isClause || tokens[Int(significant[index + 1])].kind == .colon
  }

  /// Returns whether a line ends where a value is required and the next line can only be an item,
  /// such as `fill:` above `size: 100`. The value is then missing, and the item is parsed
  /// separately.
  private func lacksValue(before index: Int) -> Bool {
    let last = tokens[Int(significant[index - 1])].kind
    guard last.wantsValue, index + 1 < significant.count else { return false }
    /// The kind of a token on the next line; `.newline` after its end.
    func kind(_ ahead: Int) -> TokenKind {
      let place = index + ahead
      guard place < significant.count else { return .endOfFile }
      if ahead > 0, startsLine[place] || kind(ahead - 1) == .newline { return .newline }
      return tokens[Int(significant[place])].kind
    }
    switch (kind(0), kind(1)) {
    case (.letWord, .identifier): return true
    case (.rightBrace, _): return last != .comma
    case (.number, .colon): return [.colon, .arrow, .comma].contains(last)
    case (.forWord, .colon), (.identifier, .colon):
      // The flags of an arc are named arguments.
      return last != .comma || !["rotation", "large", "sweep"].contains(text(at: index))
    case (.identifier, .leftBrace), (.identifier, .stringStart):
      return last == .colon || last == .arrow
    case (.identifier, .identifier):
      return (last == .colon || last == .arrow) && [.leftBrace, .stringStart].contains(kind(2))
    default: return false
    }
  }

  private func text(at index: Int) -> String {
    String(decoding: tokenBytes(at: index), as: UTF8.self)
  }

  // MARK: Lookahead

  /// The kind of the next token; `.newline` at a newline that ends an item.
  var kind: TokenKind { kind(ahead: 0) }

  func kind(ahead: Int) -> TokenKind {
    let index = min(position + ahead, end)
    if !insideBrackets, afterNewline[index], index != passedNewline { return .newline }
    return index == end ? .endOfFile : tokens[Int(significant[index])].kind
  }

  /// The kind of the next token, ignoring newlines.
  var rawKind: TokenKind { isAtEnd ? .endOfFile : tokens[Int(significant[position])].kind }

  var isAtEnd: Bool { position >= end }

  /// Whether the next token is the first one on its line.
  var beginsLine: Bool { startsLine[min(position, end)] }

  /// Whether open bodies end here because the next declaration begins.
  var isAtRestart: Bool { isAtEnd && end < significant.count - 1 }

  func isWord(_ word: String, ahead: Int = 0) -> Bool {
    guard kind(ahead: ahead) == .identifier else { return false }
    return tokenBytes(ahead: ahead).elementsEqual(word.utf8)
  }

  func tokenText(ahead: Int = 0) -> String {
    String(decoding: tokenBytes(ahead: ahead), as: UTF8.self)
  }

  private func tokenBytes(ahead: Int) -> ArraySlice<UInt8> {
    tokenBytes(at: min(position + ahead, significant.count - 1))
  }

  private func tokenBytes(at index: Int) -> ArraySlice<UInt8> {
    let token = Int(significant[index])
    let end = token + 1 < tokens.count ? Int(tokens[token + 1].start) : source.bytes.count
    return source.bytes[Int(tokens[token].start)..<end]
  }

  var span: SourceSpan { spanOfToken(position) }

  private func spanOfToken(_ index: Int) -> SourceSpan {
    let token = Int(significant[index])
    let end = token + 1 < tokens.count ? Int(tokens[token + 1].start) : source.bytes.count
    return source.span(Int(tokens[token].start), end)
  }

  /// The span of the token after the next one.
  var spanAhead: SourceSpan { spanOfToken(min(position + 1, significant.count - 1)) }

  /// The span of the last consumed token.
  var lastSpan: SourceSpan { spanOfToken(max(0, position - 1)) }

  /// The kind of the last consumed token.
  var lastKind: TokenKind { tokens[Int(significant[max(0, position - 1)])].kind }

  // MARK: Consuming

  /// Parses the `>` that ends a type, which unlike the operator can end an item.
  mutating func takeTypeEnd() {
    guard expect(.greater, "to end the type"), startsLine[position] else { return }
    afterNewline[position] = !rawKind.continuesItem
  }

  mutating func advance() {
    if position < end { position += 1 }
  }

  mutating func take(_ wanted: TokenKind) -> Bool {
    guard kind == wanted else { return false }
    if wanted == .newline { passedNewline = position } else { advance() }
    return true
  }

  // MARK: Building

  /// The start of a node: nodes built after it become its children.
  struct Mark {
    let token: Int
    let node: Int
  }

  var mark: Mark { Mark(token: position, node: nodes.count) }

  /// Builds a node from the nodes since `mark`, starting at the token of that mark.
  mutating func finish(_ kind: SyntaxKind, _ mark: Mark) {
    let first = significant[mark.token]
    let end = position > mark.token ? significant[position - 1] + 1 : first
    var height: Int32 = 0
    var child = nodes.count - 1
    while child >= mark.node {
      height = max(height, heights[child])
      child -= Int(nodes[child].size)
    }
    heights.append(height + 1)
    nodes.append(
      .init(
        kind: kind, firstToken: first, endToken: end, size: Int32(nodes.count - mark.node + 1)))
    if height + 1 == Parser.heightLimit { stop(chainOf: kind) }
  }

  /// Reports a chain that is too long, and skips to the end of the file.
  private mutating func stop(chainOf kind: SyntaxKind) {
    let what =
      switch kind {
      case .binary: "operators"
      case .index: "indices"
      case .member: "members"
      default: "levels"
      }
    report(
      Diagnostic(
        .limitExceeded, "an expression has more than \(Parser.heightLimit) \(what)", at: lastSpan,
        label: "exceeds the limit 'chain'",
        notes: [Note(help: "split it into parts with 'let'")]))
    position = significant.count - 1
  }

  mutating func leaf(_ kind: SyntaxKind) {
    let start = mark
    advance()
    finish(kind, start)
  }

  /// Converts the last parsed name to an error node.
  mutating func rejectName() {
    guard let name = nodes.popLast() else { return }
    nodes.append(
      .init(kind: .error, firstToken: name.firstToken, endToken: name.endToken, size: name.size))
  }

  // MARK: Errors

  mutating func report(_ diagnostic: Diagnostic) {
    // After a limit is exceeded, further errors are meaningless.
    if diagnostics.last?.code == .limitExceeded { return }
    if diagnostics.count >= Diagnostic.greatestCount { return }
    // A second error at the same token would be a consequence of the first.
    if let last = diagnostics.last, last.span.start == diagnostic.span.start { return }
    diagnostics.append(diagnostic)
  }

  /// Runs `body` one nesting level deeper; beyond the limit, reports an error and skips to the end
  /// of the file.
  mutating func nested(_ body: (inout Parser) -> Void) {
    depth += 1
    if depth == 1 { endBeforeNextDeclaration() }
    defer {
      depth -= 1
      if depth == 0 { endWithFile() }
    }
    guard depth <= Parser.nestingLimit else {
      report(
        Diagnostic(
          .limitExceeded, "items are nested more than \(Parser.nestingLimit) levels deep", at: span,
          label: "exceeds the limit 'nesting'"))
      position = significant.count - 1
      return
    }
    body(&self)
  }

  // MARK: Regions

  private mutating func endBeforeNextDeclaration() {
    suspects = []
    while nextRestart < restarts.count, restarts[nextRestart] < position { nextRestart += 1 }
    if nextRestart < restarts.count { end = restarts[nextRestart] }
  }

  private mutating func endWithFile() {
    if isAtRestart { endItem() }
    end = significant.count - 1
  }

  /// Ends the item before the next token, regardless of open brackets.
  private mutating func endItem() { (afterNewline[position], passedNewline) = (true, -1) }

  /// Runs `body` inside the last consumed bracket or brace, which may end where the file lacks its
  /// closing one.
  mutating func within(brackets: Bool, _ body: (inout Parser) -> Void) {
    let outer = (insideBrackets, end)
    insideBrackets = brackets
    if let close = repair.ends[position - 1] { end = min(end, close) }
    body(&self)
    // Elsewhere, only a limit moves beyond the end.
    let isCut = end < outer.1 && position == end
    (insideBrackets, end) = outer
    if isCut, rawKind.opening == nil, rawKind != .elseWord { endItem() }
  }

  /// Parses the items of a bracket, separated by commas, up to its closing bracket.
  mutating func items(until close: TokenKind, _ item: (inout Parser) -> Void) {
    var lacksComma = false
    while kind != close, !isAtEnd {
      let before = position
      item(&self)
      if take(.comma) { continue }
      if kind == close || isAtEnd { return }
      if position > before, startsLine[position], isAtRepair || lastLineHasError {
        // The line above was cut short.
        continue
      }
      if isAtRepair || kind == .rightBrace || kind == .semicolon { return }
      // Items that are written like the first wrong one are not reported again.
      if kind != .unknown, !lacksComma { report(missingComma(close)) }
      lacksComma = true
      if position > before, kind == .identifier, kind(ahead: 1) == .colon { continue }
      skip(toCommaOr: close)
      if !take(.comma) { return }
    }
  }

  /// Skips to the next comma or closing bracket outside nested brackets, if there is one.
  mutating func skip(toCommaOr close: TokenKind) {
    var level = 0
    for index in position..<max(position, end) {
      let kind = tokens[Int(significant[index])].kind
      switch kind {
      case .leftBrace, .leftParen, .leftBracket, .interpolationStart:
        level += 1
        if level > Parser.nestingLimit { return }
      case .comma where level == 0: return position = index
      case .semicolon where level == 0: return
      case .rightBrace, .rightParen, .rightBracket, .interpolationEnd:
        if level == 0 {
          if kind == close { position = index }
          return
        }
        level -= 1
      default: break
      }
    }
  }

  /// Whether an unclosed bracket ends before the next token.
  var isAtRepair: Bool { repair.places.contains(position) }

  /// Whether the line above lacks a bracket that began no body.
  var isBehindMissingBracket: Bool { repair.missing[position] != nil }

  /// Returns the bracket that the current line lacks at its end, if there is one.
  func missingBracket() -> MissingBracket? {
    guard !repair.missing.isEmpty else { return nil }
    var line = position
    while line < significant.count - 1, !startsLine[line] { line += 1 }
    guard let token = repair.missing[line], token < end else { return nil }
    let kind = tokens[Int(significant[token])].kind
    return MissingBracket(line: line, token: token, kind: kind.opening ?? kind)
  }

  /// Moves to a token.
  mutating func skip(to token: Int) { position = min(token, end) }

  /// Skips to the start of the next item, that is, to a `;`, newline or `}` outside nested
  /// brackets.
  mutating func skipItem() {
    var level = 0
    var first = true
    while !isAtEnd {
      if level == 0, rawKind == .semicolon || rawKind == .rightBrace { return }
      if level == 0, !first, afterNewline[position] { return }
      switch rawKind {
      case .leftBrace, .leftParen, .leftBracket, .interpolationStart:
        if let close = repair.ends[position], close <= end {
          position = close
          endItem()
          first = false
          continue
        }
        level += 1
      case .rightBrace, .rightParen, .rightBracket, .interpolationEnd: level = max(0, level - 1)
      default: break
      }
      first = false
      advance()
    }
  }
}
