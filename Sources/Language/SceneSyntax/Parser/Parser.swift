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
  /// The kinds of the significant tokens.
  let kinds: [TokenKind]
  /// Whether the newline before each significant token ends an item.
  private var afterNewline: [Bool]
  /// Whether each significant token is the first one on its line.
  let startsLine: [Bool]
  /// The errors of surplus and wrong brackets.
  private(set) var corrections: [Diagnostic] = []
  /// The token before which the item-ending newline has been consumed.
  private var passedNewline = -1
  private(set) var position = 0
  /// The apparent end of the file for lookahead: the last token or, inside a body, the next
  /// declaration that cannot be part of the body.
  private(set) var end: Int
  /// The missing brackets of the file, if its indentation reveals them.
  private(set) var repair = BracketRepair()
  /// The declarations in the first column, if the file lacks closing brackets.
  private let restarts: [Int]
  private var nextRestart = 0
  private(set) var nodes: [SyntaxTree.Node] = []
  /// The height of each node's subtree.
  private var heights: [Int32] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// The lines that contain sentences instead of items. Errors of the lexer there are consequences.
  var proseLines = Set<Int>()
  /// The number of diagnostics before the current declaration.
  var errorsBefore = 0
  /// Whether the last declaration was an item of a scene. Of several such items in a row, only the
  /// first is reported.
  var followsMisplacedItem = false
  /// The number of closing braces minus the number of opening braces in the file.
  var excess: Int
  /// Braces whose closing brace is indented less, in a file that lacks closing braces.
  var suspects: [SourceSpan] = []
  private(set) var depth = 0
  /// Whether the innermost open bracket is `(` or `[`, where newlines are insignificant.
  var insideBrackets = false

  /// Creates a parser of a file's tokens.
  ///
  /// - Parameter correctsBrackets: Whether surplus, wrong and missing brackets are found by the
  ///   indentation.
  init(file: SourceFile, tokens: [Token], correctsBrackets: Bool = true) {
    source = file
    self.tokens = tokens
    var found = SignificantTokens(of: tokens, in: file)
    if correctsBrackets, !found.hasMatchingBrackets {
      corrections = found.correctBrackets(of: tokens, in: file)
    }
    (significant, kinds, startsLine) = (found.indices, found.kinds, found.startsLine)
    afterNewline = startsLine
    if correctsBrackets, !found.hasMatchingBrackets {
      repair = BracketRepair(
        kinds, columns: found.columns(of: tokens, in: file),
        beginsDeclaration: { [significant] in
          Parser.beginsDeclaration($0, significant, tokens: tokens, in: file)
        })
    }
    end = significant.count - 1
    excess =
      repair.addedBraces + kinds.count { $0 == .rightBrace } - kinds.count { $0 == .leftBrace }
    restarts =
      repair.isEmpty ? Parser.restarts(significant, kinds, tokens: tokens, in: file) : []
    nodes.reserveCapacity(significant.count)
    heights.reserveCapacity(significant.count)
    findEndsOfItems()
  }

  /// Determines the newlines that end items.
  private mutating func findEndsOfItems() {
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
      guard startsLine[index] else { continue }
      let ends =
        endsItem(before: index, hasChoice: hasChoice[hasChoice.count - 1])
        || repair.missing[index] != nil
      if ends { hasChoice[hasChoice.count - 1] = false }
      afterNewline[index] = ends
    }
  }

  /// Returns whether the newline before a token ends an item, outside brackets.
  ///
  /// The newline does not end an item if an operand is still missing or the next token continues
  /// the expression. `hasChoice` states whether the item contains a `?`.
  private func endsItem(before index: Int, hasChoice: Bool) -> Bool {
    guard kinds[index - 1].endsItem else {
      // On the next line, `a : b` continues `c ?`.
      return !hasChoice && lacksValue(before: index)
    }
    let next = kinds[index]
    if next.continuesItem { return false }
    if next == .elseWord { return kinds[index - 1] != .rightBrace }
    guard next == .identifier, index + 1 < significant.count else { return true }
    let bytes = tokenBytes(at: index)
    let isClause = ["over", "after", "with"].contains { bytes.elementsEqual($0.utf8) }
    return !isClause || kinds[index + 1] == .colon
  }

  /// Returns whether a line ends where a value is required and the next line can only be an item,
  /// such as `fill:` above `size: 100`. The value is then missing, and the item is parsed
  /// separately.
  private func lacksValue(before index: Int) -> Bool {
    let last = kinds[index - 1]
    guard last.wantsValue, index + 1 < significant.count else { return false }
    /// Returns the kind of a token on the next line; `.newline` after the end of that line.
    func kind(_ ahead: Int) -> TokenKind {
      let place = index + ahead
      guard place < significant.count else { return .endOfFile }
      if ahead > 0, startsLine[place] || kind(ahead - 1) == .newline { return .newline }
      return kinds[place]
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

  /// Returns the text of a significant token.
  func text(at index: Int) -> String {
    String(decoding: tokenBytes(at: index), as: UTF8.self)
  }

  // MARK: Lookahead

  /// The kind of the next token; `.newline` at a newline that ends an item.
  var kind: TokenKind { kind(ahead: 0) }

  func kind(ahead: Int) -> TokenKind {
    let index = min(position + ahead, end)
    if !insideBrackets, afterNewline[index], index != passedNewline { return .newline }
    return index == end ? .endOfFile : kinds[index]
  }

  /// The kind of the next token, ignoring newlines.
  var rawKind: TokenKind { isAtEnd ? .endOfFile : kinds[position] }

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
  var lastKind: TokenKind { kinds[max(0, position - 1)] }

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
        label: "this limit is fixed",
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

  /// Whether the indentation determined brackets.
  var hasCorrectedBrackets: Bool { !corrections.isEmpty || !repair.isEmpty }

  /// Bracket errors, and the errors on other lines.
  var errors: [Diagnostic] {
    let lines = Set(corrections.map { source.lineIndex(at: $0.span.start) })
    return corrections
      + diagnostics.filter { !lines.contains(source.lineIndex(at: $0.span.start)) }
  }

  mutating func report(_ diagnostic: Diagnostic) {
    // After a limit is exceeded, further errors are meaningless.
    if diagnostics.last?.code == .limitExceeded { return }
    if diagnostics.count >= Diagnostic.greatestCount { return }
    // A second error at the same token would be a consequence of the first.
    if let last = diagnostics.last, last.span.start == diagnostic.span.start { return }
    diagnostics.append(diagnostic)
  }

  /// Removes the only error of an item if it concerns the whole item, has no fix, and the item
  /// before has the same one. Returns the message of this error; `nil` if there is none.
  mutating func dropRepetition(of message: String?, at start: Int, since count: Int) -> String? {
    guard diagnostics.count == count + 1, let error = diagnostics.last, error.fixIts.isEmpty,
      error.span.start == start
    else { return nil }
    if error.message == message { diagnostics.removeLast() }
    return error.message
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
          label: "this limit is fixed"))
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

  /// Skips to the next line, or to a `}` before it that closes an earlier `{`.
  mutating func skipLine() {
    var depth = 0
    repeat {
      if rawKind == .leftBrace { depth += 1 } else if rawKind == .rightBrace { depth -= 1 }
      advance()
    } while !isAtEnd && !startsLine[position] && (depth > 0 || rawKind != .rightBrace)
    endItem()
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
    // If `body` did not end at the missing bracket, only an exceeded limit moves beyond `end`.
    let isCut = end < outer.1 && position == end
    (insideBrackets, end) = outer
    if isCut, rawKind.opening == nil, rawKind != .elseWord { endItem() }
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
