// SPDX-License-Identifier: MIT
import SceneText

/// Returns the canonical formatting of a file, or `nil` if the file has syntax errors.
///
/// Tokens and comments are preserved in order; only white space and `;` change. Line breaks between
/// items and inside brackets are preserved. Lines longer than 100 characters are broken.
package func format(_ parsed: Parsed) -> String? {
  guard parsed.diagnostics.isEmpty else { return nil }
  var formatter = Formatter(parsed.tree)
  return formatter.run()
}

struct Formatter {
  static let width = 100

  /// A token, a comment, or a whole string including its interpolations.
  struct Piece {
    let text: String
    let kind: TokenKind
    /// The number of line ends in the source between the previous piece and this one.
    let newlines: Int
    /// The index of the matching bracket.
    var partner = -1
    /// The index of the enclosing opening bracket.
    var opening: Int?
    var role = Role.plain
  }

  enum Role {
    case plain, unary, choiceColon, comprehensionColon, typeAngle, callOpening, indexOpening,
      tightRange
  }

  var pieces: [Piece] = []
  /// Brackets that the formatter breaks although the source does not.
  var broken: Set<Int> = []
  /// Separators after which the formatter adds a line break.
  var split: Set<Int> = []
  /// Pieces before which the formatter adds a line break.
  var breaks: Set<Int> = []
  /// The column of each piece in the last layout.
  var columns: [Int] = []

  init(_ tree: SyntaxTree) {
    let roles = Formatter.roles(tree)
    var newlines = 0
    var index = 0
    while index < tree.tokens.count {
      let kind = tree.tokens[index].kind
      let first = index
      switch kind {
      case .whitespace: break
      case .newline: newlines += 1
      case .endOfFile: break
      case .stringStart:
        var depth = 0
        var text = ""
        repeat {
          if tree.tokens[index].kind == .stringStart { depth += 1 }
          if tree.tokens[index].kind == .stringEnd { depth -= 1 }
          text += tree.text(ofToken: index)
          index += 1
        } while depth > 0 && index < tree.tokens.count
        index -= 1
        pieces.append(Piece(text: text, kind: .stringStart, newlines: newlines))
        newlines = 0
      default:
        var text = tree.text(ofToken: index)
        if kind == .lineComment || kind == .docComment {
          while let last = text.last, last == " " || last == "\t" || last == "\r" {
            text.removeLast()
          }
        }
        var piece = Piece(text: text, kind: kind, newlines: newlines)
        piece.role = roles[first] ?? .plain
        pieces.append(piece)
        newlines = 0
      }
      index += 1
    }
    pair()
  }

  private mutating func pair() {
    var open: [Int] = []
    for index in pieces.indices {
      pieces[index].opening = open.last
      switch pieces[index].kind {
      case .leftBrace, .leftParen, .leftBracket: open.append(index)
      case .rightBrace, .rightParen, .rightBracket:
        guard let other = open.popLast() else { break }
        pieces[index].opening = open.last
        pieces[index].partner = other
        pieces[other].partner = index
      default: break
      }
    }
  }

  /// Returns the ends of a range, without their minus signs.
  private static func unsignedEnds(of range: Int, in tree: SyntaxTree) -> [Int] {
    tree.children(of: range).map { end in
      let isMinus = tree.tokens[Int(tree.nodes[end].firstToken)].kind == .minus
      return isMinus ? tree.children(of: end).first ?? end : end
    }
  }

  /// Returns the roles of tokens that are ambiguous by kind.
  private static func roles(_ tree: SyntaxTree) -> [Int: Role] {
    var roles: [Int: Role] = [:]
    func token(_ kind: TokenKind, from: Int32, to: Int32) -> Int? {
      guard from < to else { return nil }
      return (Int(from)..<Int(to)).first { tree.tokens[$0].kind == kind }
    }
    func dots(of range: Int) -> Int? {
      let children = tree.children(of: range)
      guard children.count == 2 else { return nil }
      return token(
        .dotDot, from: tree.nodes[children[0]].endToken, to: tree.nodes[children[1]].firstToken)
    }
    for node in tree.nodes.indices {
      let it = tree.nodes[node]
      switch it.kind {
      case .unary where tree.tokens[Int(it.firstToken)].kind != .notWord:
        roles[Int(it.firstToken)] = .unary
      case .conditional:
        let children = tree.children(of: node)
        if children.count == 3,
          let colon = token(
            .colon, from: tree.nodes[children[1]].endToken, to: tree.nodes[children[2]].firstToken)
        {
          roles[colon] = .choiceColon
        }
      case .type:
        for index in Int(it.firstToken)..<Int(it.endToken)
        where [.less, .greater].contains(tree.tokens[index].kind) {
          roles[index] = .typeAngle
        }
      case .call, .index:
        let wanted: TokenKind = it.kind == .call ? .leftParen : .leftBracket
        guard let callee = tree.children(of: node).first,
          let at = token(wanted, from: tree.nodes[callee].endToken, to: it.endToken)
        else { break }
        roles[at] = it.kind == .call ? .callOpening : .indexOpening
      case .parameterList:
        if let at = token(.leftParen, from: it.firstToken, to: it.endToken) {
          roles[at] = .callOpening
        }
      case .range:
        // Ranges of whole numbers have no spaces, as in `0..12` and `-8..9`; other ranges do, as in
        // `0% .. 50%`.
        let isTight = unsignedEnds(of: node, in: tree).allSatisfy { child in
          tree.nodes[child].kind == .number
            && tree.text(ofToken: Int(tree.nodes[child].firstToken)).allSatisfy(\.isNumber)
        }
        if isTight, let dots = dots(of: node) { roles[dots] = .tightRange }
      case .forItem, .keyFor, .comprehension:
        // The range of a loop never has spaces, as in `for i in 0..count`, even if its ends are not
        // whole numbers, unlike the range in `trim: 0 .. progress`.
        let children = tree.children(of: node)
        for child in children where tree.nodes[child].kind == .range {
          let isTight = unsignedEnds(of: child, in: tree).allSatisfy {
            [.number, .reference, .member, .call, .index].contains(tree.nodes[$0].kind)
          }
          if isTight, let dots = dots(of: child) { roles[dots] = .tightRange }
        }
        if it.kind == .comprehension, children.count > 1, let last = children.last,
          let colon = token(
            .colon, from: tree.nodes[children[children.count - 2]].endToken,
            to: tree.nodes[last].firstToken)
        {
          roles[colon] = .comprehensionColon
        }
      default: break
      }
    }
    return roles
  }

  // MARK: Lines

  /// Breaks lines until all of them fit or no more breaks are possible, and returns the text.
  mutating func run() -> String {
    while true {
      let lines = layOut()
      var changed = false
      for line in lines where line.text.count > Formatter.width {
        if shorten(line) { changed = true }
      }
      if !changed {
        return lines.isEmpty ? "" : lines.map(\.text).joined(separator: "\n") + "\n"
      }
    }
  }

  struct Line {
    var text = ""
    /// The indentation level.
    var depth = 0
    /// The range of pieces on the line.
    var first: Int
    var end: Int
  }

  /// The indentation levels inside and outside an open bracket.
  private struct Bracket {
    let inner: Int
    let outer: Int
  }

  private mutating func layOut() -> [Line] {
    var lines: [Line] = []
    var line = Line(first: 0, end: 0)
    /// The open brackets with the indentation levels inside and outside the brackets.
    var depths: [Bracket] = []
    var lineDepth = 0
    var isFresh = true
    var width = 0
    func flush(_ next: Int) {
      guard !isFresh else { return }
      line.end = next
      lines.append(line)
      line = Line(first: next, end: next)
      isFresh = true
    }
    var previous = -1
    columns = Array(repeating: 0, count: pieces.count)
    for index in pieces.indices {
      let piece = pieces[index]
      if piece.kind == .semicolon, !keeps(index) { continue }
      var breaks = previous < 0 ? 0 : breaksBetween(previous, index)
      if piece.kind == .semicolon { breaks = 0 }
      if breaks > 0 { flush(index) }
      if breaks > 1, !lines.isEmpty { lines.append(Line(first: index, end: index)) }
      let isClosing = [.rightBrace, .rightParen, .rightBracket].contains(piece.kind)
      if isFresh {
        line.first = index
        if let inner = depths.last {
          lineDepth = isClosing ? inner.outer : inner.inner
          if !isClosing, isContinuation(previous, index) { lineDepth += 1 }
        } else {
          lineDepth = previous >= 0 && isContinuation(previous, index) ? 1 : 0
        }
        line.text = String(repeating: " ", count: 4 * lineDepth)
        line.depth = lineDepth
        width = line.text.count
        isFresh = false
      } else {
        let gap = gap(previous, index)
        line.text += gap
        width += gap.count
      }
      columns[index] = width
      line.text += piece.text
      width += piece.text.count
      // A piece after a multiline string or comment continues on its last line.
      let mayHaveLines = piece.kind == .stringStart || piece.kind == .blockComment
      if mayHaveLines, piece.text.contains(where: \.endsLine) {
        let parts = piece.text.split(
          omittingEmptySubsequences: false, whereSeparator: \.endsLine)
        let head = line.text.dropLast(piece.text.count) + parts[0]
        lines.append(Line(text: String(head), first: index, end: index))
        for part in parts.dropFirst().dropLast() {
          lines.append(Line(text: String(part), first: index, end: index))
        }
        line = Line(
          text: String(parts[parts.count - 1]), depth: lineDepth, first: index, end: index)
        width = line.text.count
      }
      if isClosing {
        if !depths.isEmpty { depths.removeLast() }
      } else if piece.partner > index {
        // Brackets opened on the same line share one level of indentation.
        depths.append(Bracket(inner: lineDepth + 1, outer: lineDepth))
      }
      previous = index
    }
    flush(pieces.count)
    return lines
  }

  /// Returns whether a `;` is kept: between items on one line, or before a token that would
  /// otherwise continue the item.
  private func keeps(_ index: Int) -> Bool {
    if split.contains(index) && !needsSemicolon(before: index + 1) { return false }
    if index > 0, pieces[index - 1].kind == .semicolon || pieces[index - 1].kind == .leftBrace {
      return false
    }
    var next = index + 1
    var hasBreak = false
    while next < pieces.count {
      let piece = pieces[next]
      if piece.newlines > 0 { hasBreak = true }
      if piece.kind == .semicolon || piece.kind.isTrivia {
        next += 1
        continue
      }
      if piece.kind == .rightBrace { return false }
      if standsInBroken(index) { hasBreak = true }
      return !hasBreak || needsSemicolon(before: next)
    }
    return false
  }

  /// Returns whether the formatter broke the bracket around a piece.
  private func standsInBroken(_ index: Int) -> Bool {
    pieces[index].opening.map(broken.contains) == true
  }

  /// Returns whether the next piece would continue the preceding item without a `;`: clause words
  /// and the signs of numbers.
  private func needsSemicolon(before place: Int) -> Bool {
    // Consecutive `;` count as one.
    let isItem = { (piece: Piece) in piece.kind != .semicolon && !piece.kind.isTrivia }
    guard let index = pieces[min(place, pieces.count)...].firstIndex(where: isItem) else {
      return false
    }
    return isClauseWord(index)
      || [.elseWord, .minus, .plus].contains(pieces[index].kind)
  }

  /// Returns the number of line breaks between two pieces: 0, 1, or 2 for an empty line.
  private func breaksBetween(_ before: Int, _ index: Int) -> Int {
    let piece = pieces[index]
    let last = pieces[before]
    var newlines = piece.newlines
    // A dropped separator may have been on a line of its own.
    for skipped in (before + 1)..<max(index, before + 1) { newlines += pieces[skipped].newlines }
    if [.lineComment, .docComment].contains(last.kind) { newlines = max(1, newlines) }
    switch last.kind {
    case .leftBrace:
      guard isMultiline(before) else { return 0 }
      return [.lineComment, .docComment].contains(piece.kind) && newlines == 0 ? 0 : 1
    case .leftParen, .leftBracket: return broken.contains(before) ? 1 : min(1, newlines)
    default: break
    }
    switch piece.kind {
    case .rightBrace: return isMultiline(piece.partner) ? 1 : 0
    case .rightParen, .rightBracket:
      return broken.contains(piece.partner) ? 1 : min(1, newlines)
    default: break
    }
    if [.lineComment, .docComment].contains(piece.kind) { return min(2, newlines) }
    if breaks.contains(index) { return max(1, min(2, newlines)) }
    if last.kind == .comma, let opening = pieces[before].opening, broken.contains(opening),
      pieces[opening].kind != .leftBrace, !isFilled(opening)
    {
      return max(1, min(2, newlines))
    }
    let isForced = (before..<index).contains {
      pieces[$0].kind == .semicolon && (split.contains($0) || standsInBroken($0))
    }
    if isForced { return max(1, min(2, newlines)) }
    return min(2, newlines)
  }

  /// Returns whether a body spans several lines, in the source or by formatter breaks.
  private func isMultiline(_ opening: Int) -> Bool {
    guard pieces[opening].partner > opening else { return false }
    if broken.contains(opening) { return true }
    return ((opening + 1)...pieces[opening].partner).contains { index in
      pieces[index].newlines > 0 || [.lineComment, .docComment].contains(pieces[index].kind)
        || split.contains(index) || broken.contains(index) || breaks.contains(index)
    }
  }

  /// Returns whether a line continues the item of the previous line.
  private func isContinuation(_ before: Int, _ index: Int) -> Bool {
    if pieces[index].kind.isComment || pieces[before].kind.isComment { return false }
    switch pieces[before].kind {
    case .leftBrace, .leftParen, .leftBracket, .comma, .semicolon: return false
    case let kind where kind.isBinary: return pieces[before].role != .typeAngle
    case .colon, .equal, .arrow, .question, .dotDot, .notWord, .inWord, .bar:
      return pieces[before].role != .typeAngle
    default: break
    }
    switch pieces[index].kind {
    case let kind where kind.isBinary: return true
    case .arrow, .question, .colon, .dot, .dotDot, .bar, .equal: return true
    case .identifier:
      return isClauseWord(index)
        && !(before + 1..<index).contains { pieces[$0].kind == .semicolon }
    default: return false
    }
  }

  // MARK: Spacing

  /// Returns the white space between two pieces on one line.
  private func gap(_ before: Int, _ index: Int) -> String {
    let (a, b) = (pieces[before], pieces[index])
    if b.kind == .lineComment || b.kind == .docComment { return "  " }
    if a.kind == .blockComment || b.kind == .blockComment { return " " }
    switch b.kind {
    case .comma, .semicolon, .rightParen, .rightBracket, .dot: return ""
    case .colon: return b.role == .choiceColon ? " " : ""
    case .rightBrace: return a.kind == .leftBrace ? "" : " "
    case .leftParen where b.role == .callOpening: return ""
    case .leftBracket where b.role == .indexOpening: return ""
    case _ where beginsItemBehindBody(index): return "  "
    case _ where b.role == .typeAngle || b.role == .tightRange: return ""
    default: break
    }
    switch a.kind {
    case .leftParen, .leftBracket, .dot: return ""
    case .semicolon: return "  "
    case _ where a.role == .unary || a.role == .tightRange: return ""
    case .less where a.role == .typeAngle: return ""
    default: return " "
    }
  }
}

extension TokenKind {
  fileprivate var isComment: Bool {
    [.lineComment, .docComment, .blockComment].contains(self)
  }
}
