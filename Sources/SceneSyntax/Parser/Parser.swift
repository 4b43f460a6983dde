// SPDX-License-Identifier: MIT
package import SceneDiagnostics
package import SceneText

/// The tree of a file and what is wrong with its syntax.
package struct Parsed: Hashable, Sendable {
  package let tree: SyntaxTree
  package let diagnostics: [Diagnostic]
}

/// Parses a whole file. It never fails: what is wrong becomes an `error` node and a diagnostic.
///
/// Linear in the length of the file; nesting is bounded by `nestingLimit`, the height of the tree by
/// `heightLimit`, so that whatever walks down the tree needs no more of the stack than there is.
package func parse(_ file: SourceFile) -> Parsed {
  if let offset = file.firstInvalidUTF8() {
    let tree = SyntaxTree(
      file: file, tokens: [Token(.unknown, 0), Token(.endOfFile, file.bytes.count)],
      nodes: [.init(kind: .file, firstToken: 0, endToken: 0, size: 1)])
    let byte = "0x" + String(file.bytes[offset], radix: 16, uppercase: true)
    let fault = Diagnostic(
      .invalidUTF8,
      "the file is not valid UTF-8: unexpected byte \(byte) at position \(offset + 1)",
      at: file.span(offset, offset + 1), label: "save the file as UTF-8")
    return Parsed(tree: tree, diagnostics: [fault])
  }
  var lexer = Lexer(file)
  lexer.run()
  var parser = Parser(file: file, tokens: lexer.tokens)
  parser.file()
  let tree = SyntaxTree(file: file, tokens: lexer.tokens, nodes: parser.nodes)
  return Parsed(
    tree: tree,
    diagnostics: (lexer.diagnostics + parser.diagnostics.filter(isOwnFault)).sortedByPlace())

  /// Whether a fault of the parser does not just follow from one of the lexer.
  func isOwnFault(_ diagnostic: Diagnostic) -> Bool {
    let line = file.lineIndex(at: diagnostic.span.start)
    return !lexer.diagnostics.contains { fault in
      if diagnostic.code == .unclosedBracket, fault.code == .unterminatedString { return true }
      return file.lineIndex(at: fault.span.start) == line && fault.code != .invalidNumber
    }
  }
}

/// Recursive descent over the tokens that are no trivia, two of them ahead at most.
///
/// One function for each rule of `Grammar/scene.ebnf`, in its order.
struct Parser {
  /// Bodies and brackets inside one another.
  static let nestingLimit = 256
  /// Nodes below one another: chains such as `1 + 1 + 1` lean to the left and need no brackets.
  static let heightLimit = 1500

  let source: SourceFile
  let tokens: [Token]
  /// Indices of the tokens that are no trivia; the last is the end of the file.
  private let significant: [Int32]
  /// Whether a newline that ends an item stands before that significant token.
  private var afterNewline: [Bool]
  /// Whether any newline stands before it.
  private let startsLine: [Bool]
  /// The token before which such a newline was taken.
  private var passedNewline = -1
  private var position = 0
  /// Where the file ends for whoever looks: at its last token, or inside a body at the declaration
  /// that the body cannot hold.
  private var end: Int
  /// In a file that lacks closing brackets: the declarations that begin in the first column.
  private let restarts: [Int]
  private var nextRestart = 0
  private(set) var nodes: [SyntaxTree.Node] = []
  /// How many nodes lie below one another in each node, itself included.
  private var heights: [Int32] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// How many faults were found before the declaration that is read.
  var faultsBefore = 0
  /// How many more braces are closed in the file than opened; below 0 when more are opened.
  private(set) var excess: Int
  /// Braces that are closed by one further left, while the file lacks some.
  private var suspects: [SourceSpan] = []
  private var depth = 0
  /// Whether the innermost open bracket is `(` or `[`, where newlines mean nothing.
  var insideBrackets = false

  init(file: SourceFile, tokens: [Token]) {
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
    excess = significant.reduce(0) { count, token in
      switch tokens[Int(token)].kind {
      case .leftBrace: count - 1
      case .rightBrace: count + 1
      default: count
      }
    }
    restarts = Parser.restarts(significant, tokens, file)
    nodes.reserveCapacity(significant.count)
    heights.reserveCapacity(significant.count)
    startsLine = afterNewline
    for index in significant.indices.dropFirst() where afterNewline[index] {
      self.afterNewline[index] = endsItem(before: index)
    }
  }

  /// Where declarations begin in the first column, if more brackets are opened in the file than closed:
  /// what is open there was never closed. In other files such a declaration is just in a wrong place.
  private static func restarts(_ significant: [Int32], _ tokens: [Token], _ file: SourceFile)
    -> [Int]
  {
    let balance = significant.reduce(0) { count, token in
      switch tokens[Int(token)].kind {
      case .leftBrace, .leftParen, .leftBracket: count + 1
      case .rightBrace, .rightParen, .rightBracket: count - 1
      default: count
      }
    }
    guard balance > 0 else { return [] }
    return significant.indices.dropLast().filter { index in
      let start = Int(tokens[Int(significant[index])].start)
      guard start == 0 || SourceFile.endsLine(file.bytes, at: start - 1) else { return false }
      let next = significant[(index + 1)...].prefix(2).map { tokens[Int($0)].kind }
      let word = file.bytes[start..<Int(tokens[Int(significant[index]) + 1].start)]
      return startsDeclaration(String(decoding: word, as: UTF8.self), next)
    }
  }

  /// Whether a declaration begins here in the first column: no value, and no item of what is around.
  var isAtDeclaration: Bool {
    let span = span
    guard rawKind == .identifier || rawKind == .letWord, span.start > 0,
      SourceFile.endsLine(source.bytes, at: span.start - 1)
    else { return false }
    return Parser.startsDeclaration(tokenText(), [kind(ahead: 1), kind(ahead: 2)])
  }

  /// Whether a word and the kinds of the two tokens after it begin a declaration.
  static func startsDeclaration(_ word: String, _ next: [TokenKind]) -> Bool {
    switch word {
    case "import": next.first == .stringStart
    case "param": next == [.identifier, .colon]
    case "let": next == [.identifier, .equal] || next == [.identifier, .colon]
    case "fn": next == [.identifier, .leftParen]
    case "component", "effect", "transition":
      next == [.identifier, .leftParen] || next == [.identifier, .leftBrace]
    case "style": next == [.identifier, .leftBrace]
    case "scene": next.first == .leftBrace || next == [.identifier, .leftBrace]
    default: false
    }
  }

  /// Whether the newline before a token ends an item, where newlines mean something at all.
  ///
  /// Not where an operand is still to come, and not before what goes on with an expression.
  private func endsItem(before index: Int) -> Bool {
    guard tokens[Int(significant[index - 1])].kind.endsItem else {
      return lacksValue(before: index)
    }
    let next = tokens[Int(significant[index])].kind
    if next.continuesItem { return false }
    if next == .elseWord { return tokens[Int(significant[index - 1])].kind != .rightBrace }
    guard next == .identifier, index + 1 < significant.count else { return true }
    let bytes = tokenBytes(at: index)
    let isClause = ["over", "after", "with"].contains { bytes.elementsEqual($0.utf8) }
    return !isClause || tokens[Int(significant[index + 1])].kind == .colon
  }

  /// Whether a line ends where a value is to come, and the next one begins with what can only be an item:
  /// `fill:` above `size: 100`. So the value is what is missing, and the item stays one.
  private func lacksValue(before index: Int) -> Bool {
    let last = tokens[Int(significant[index - 1])].kind
    guard last.wantsValue, index + 1 < significant.count else { return false }
    func kind(_ ahead: Int) -> TokenKind {
      index + ahead < significant.count ? tokens[Int(significant[index + ahead])].kind : .endOfFile
    }
    let isItem =
      switch (kind(0), kind(1)) {
      case (.letWord, .identifier): true
      case (.rightBrace, _): last != .comma
      case (.forWord, .colon), (.identifier, .colon), (.number, .colon):
        // The corners of an arc have names.
        last != .comma || !["rotation", "large", "sweep"].contains(text(at: index))
      case (.identifier, .leftBrace), (.identifier, .stringStart): last == .colon || last == .arrow
      case (.identifier, .identifier):
        (last == .colon || last == .arrow) && [.leftBrace, .stringStart].contains(kind(2))
      default: false
      }
    guard isItem else { return false }
    // `c ?` above `a : b` goes on.
    for before in significant[..<index].reversed() {
      switch tokens[Int(before)].kind {
      case .question: return false
      case .leftBrace, .rightBrace, .semicolon: return true
      default: continue
      }
    }
    return true
  }

  private func text(at index: Int) -> String {
    String(decoding: tokenBytes(at: index), as: UTF8.self)
  }

  // MARK: Looking

  /// The next token; `.newline` where a line ends that ends an item.
  var kind: TokenKind { kind(ahead: 0) }

  func kind(ahead: Int) -> TokenKind {
    let index = min(position + ahead, end)
    if !insideBrackets, afterNewline[index], index != passedNewline { return .newline }
    return index == end ? .endOfFile : tokens[Int(significant[index])].kind
  }

  /// The kind of the next token, newline or not.
  var rawKind: TokenKind { isAtEnd ? .endOfFile : tokens[Int(significant[position])].kind }

  var isAtEnd: Bool { position >= end }

  /// Whether what is open ends because the next declaration begins.
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

  /// The span of the token behind the next.
  var spanAhead: SourceSpan { spanOfToken(min(position + 1, significant.count - 1)) }

  /// The span of the token that was taken last.
  var lastSpan: SourceSpan { spanOfToken(max(0, position - 1)) }

  /// The kind of the token that was taken last.
  var lastKind: TokenKind { tokens[Int(significant[max(0, position - 1)])].kind }

  // MARK: Taking

  /// Takes the `>` that ends a type: unlike the operator it can end an item.
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

  /// Takes a token of the wanted kind or reports what stands in its place.
  @discardableResult
  mutating func expect(_ wanted: TokenKind, _ why: String = "") -> Bool {
    if take(wanted) { return true }
    expected(wanted.description + (why.isEmpty ? "" : " \(why)"))
    return false
  }

  // MARK: Building

  /// Where a node begins: what is built after it becomes its children.
  struct Mark {
    let token: Int
    let node: Int
  }

  var mark: Mark { Mark(token: position, node: nodes.count) }

  /// A mark before the nodes since `mark`, at the token where that mark was.
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

  /// Reports a chain that is too long, and goes on behind the end of the file.
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

  /// Makes the name that was taken last none.
  mutating func rejectName() {
    guard let name = nodes.popLast() else { return }
    nodes.append(
      .init(kind: .error, firstToken: name.firstToken, endToken: name.endToken, size: name.size))
  }

  // MARK: Faults

  mutating func report(_ diagnostic: Diagnostic) {
    // What follows from giving up says nothing.
    if diagnostics.last?.code == .limitExceeded { return }
    if diagnostics.count >= Diagnostic.greatestCount { return }
    // One fault, one message: a second one at the same token would come from the first.
    if let last = diagnostics.last, last.span.start == diagnostic.span.start { return }
    diagnostics.append(diagnostic)
  }

  mutating func expected(_ what: String, label: String = "") {
    // The lexer reported the unknown character.
    if kind == .unknown { return }
    report(
      Diagnostic(
        .unexpectedToken, "expected \(what), found \(foundText)",
        at: isAtEnd || kind == .newline ? lastSpan : span,
        label: label))
  }

  /// Runs `body` one level deeper; reports and skips to the end of the file when it is too deep.
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

  // MARK: Braces

  /// The columns of the first words of the lines of two braces, and whether the second begins its line.
  private func columns(_ open: SourceSpan, _ close: SourceSpan) -> (open: Int, close: Int, Bool)? {
    func column(_ line: Int) -> Int {
      source.bytes[source.lineRange(line)].prefix { $0 == 32 || $0 == 9 }.count
    }
    let (first, last) = (source.lineIndex(at: open.start), source.lineIndex(at: close.start))
    guard first != last else { return nil }
    let start = source.lineRange(last).lowerBound + column(last)
    return (column(first), column(last), start == close.start)
  }

  /// Takes note of two braces that belong together; where a file lacks some, those that look as if they did
  /// not.
  mutating func pair(_ open: SourceSpan, _ close: SourceSpan) {
    guard excess < 0, let (first, last, isFirst) = columns(open, close), isFirst, last < first
    else {
      return
    }
    suspects.append(open)
  }

  /// The brace inside another one that lacks its end, by how the lines are indented.
  func unclosedBrace(within open: SourceSpan) -> SourceSpan? {
    suspects.first { $0.start > open.start }
  }

  /// Skips a brace that would end a declaration where a file has too many and this one does not look like
  /// its end; whether it did.
  mutating func skipsBrace(of open: SourceSpan) -> Bool {
    guard depth == 1, excess > 0, rawKind == .rightBrace, !isAtEnd,
      let (first, last, isFirst) = columns(open, span), !isFirst || last > first
    else { return false }
    excess -= 1
    report(
      Diagnostic(
        .unexpectedToken, "unmatched '}'", at: span,
        fixIts: [FixIt("remove it", replacing: span, with: "")]))
    advance()
    return true
  }

  private mutating func endBeforeNextDeclaration() {
    suspects = []
    while nextRestart < restarts.count, restarts[nextRestart] < position { nextRestart += 1 }
    if nextRestart < restarts.count { end = restarts[nextRestart] }
  }

  private mutating func endWithFile() {
    // Whatever was open, an item ends there.
    if isAtRestart { (afterNewline[position], passedNewline) = (true, -1) }
    end = significant.count - 1
  }

  /// Runs `body` with another innermost bracket.
  mutating func within(brackets: Bool, _ body: (inout Parser) -> Void) {
    let outer = insideBrackets
    insideBrackets = brackets
    body(&self)
    insideBrackets = outer
  }

  /// Skips to where the next item can begin: a `;`, a new line or a `}`, brackets balanced.
  mutating func skipItem() {
    var level = 0
    var first = true
    while !isAtEnd {
      if level == 0, rawKind == .semicolon || rawKind == .rightBrace { return }
      if level == 0, !first, afterNewline[position] { return }
      switch rawKind {
      case .leftBrace, .leftParen, .leftBracket, .interpolationStart: level += 1
      case .rightBrace, .rightParen, .rightBracket, .interpolationEnd: level = max(0, level - 1)
      default: break
      }
      first = false
      advance()
    }
  }
}
