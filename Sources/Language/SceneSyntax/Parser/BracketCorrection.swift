// SPDX-License-Identifier: MIT

/// The number of closing brackets minus the number of opening ones, for each kind.
struct BracketExcess: Equatable {
  private var braces = 0
  private var parens = 0
  private var brackets = 0

  /// The number for all kinds together.
  var sum: Int { braces + parens + brackets }

  init(of kinds: [TokenKind] = []) {
    for kind in kinds {
      switch kind {
      case .leftBrace: braces -= 1
      case .rightBrace: braces += 1
      case .leftParen: parens -= 1
      case .rightParen: parens += 1
      case .leftBracket: brackets -= 1
      case .rightBracket: brackets += 1
      default: break
      }
    }
  }

  /// The number for the kind of an opening bracket; always 0 for other tokens.
  subscript(opening: TokenKind) -> Int {
    get {
      switch opening {
      case .leftBrace: braces
      case .leftParen: parens
      case .leftBracket: brackets
      default: 0
      }
    }
    set {
      switch opening {
      case .leftBrace: braces = newValue
      case .leftParen: parens = newValue
      case .leftBracket: brackets = newValue
      default: break
      }
    }
  }
}

/// The surplus brackets of a file and those of a wrong kind.
///
/// A surplus bracket would end a body too early, and a bracket of a wrong kind would not end it at
/// all, so that each of the following items would cause an error. Files with such brackets contain
/// more closing than opening brackets of a kind. The nesting and the indentation show which one is
/// wrong. A file with matching brackets needs no correction.
struct BracketCorrection {
  /// A bracket that was replaced.
  struct Replacement {
    let token: Int
    /// The kind that is meant.
    let kind: TokenKind
    /// The opening bracket that the bracket must match, if it must be a closing one.
    let open: Int?
  }

  /// The kinds of the tokens, with wrong brackets replaced.
  private(set) var kinds: [TokenKind]
  /// The surplus brackets in ascending order.
  private(set) var surplus: [Int] = []
  private(set) var replaced: [Replacement] = []

  var isEmpty: Bool { surplus.isEmpty && replaced.isEmpty }

  private struct Open {
    let token: Int
    let kind: TokenKind
    /// The indentation and the number of the bracket's line.
    let indentation: Int
    let line: Int
  }

  private let columns: [Int?]
  private var stack: [Open] = []
  /// The number of open brackets of each kind.
  private var openCounts: [TokenKind: Int] = [:]
  private var excess: BracketExcess
  /// The indentation and the number of the current line.
  private var (indentation, line) = (0, 0)

  /// - Parameters:
  ///   - kinds: The kinds of the tokens without trivia.
  ///   - columns: The number of leading blanks of each token that begins a line; `nil` for other
  ///     tokens.
  init(_ kinds: [TokenKind], columns: [Int?]) {
    self.kinds = kinds
    self.columns = columns
    excess = BracketExcess(of: kinds)
    guard excess != BracketExcess() else { return }
    for token in kinds.indices.dropLast() {
      if let column = columns[token] { (indentation, line) = (column, line + 1) }
      switch kinds[token] {
      case .interpolationStart: push(.interpolationStart, token)
      case .interpolationEnd: pop(to: .interpolationStart)
      case let kind:
        if let opening = kind.opening { close(opening, token) }
        if kind.closing != nil { open(kind, token) }
      }
    }
  }

  /// Returns the indentation of the next line if a token is the last one of its line; otherwise
  /// `nil`.
  private func columnAfter(_ token: Int) -> Int? { columns[token + 1] }

  private mutating func push(_ kind: TokenKind, _ token: Int) {
    stack.append(Open(token: token, kind: kind, indentation: indentation, line: line))
    openCounts[kind, default: 0] += 1
  }

  private mutating func pop() {
    openCounts[stack.removeLast().kind, default: 0] -= 1
  }

  /// Ends the innermost open bracket of a kind and those in it.
  private mutating func pop(to kind: TokenKind) {
    guard openCounts[kind, default: 0] > 0 else { return }
    while let last = stack.last {
      pop()
      if last.kind == kind { return }
    }
  }

  private mutating func replace(_ token: Int, with kind: TokenKind, open: Int? = nil) {
    for (kind, change) in [(kinds[token], -1), (kind, 1)] {
      if let opening = kind.opening {
        excess[opening] += change
      } else {
        excess[kind] -= change
      }
    }
    kinds[token] = kind
    replaced.append(Replacement(token: token, kind: kind, open: open))
  }

  // MARK: Opening brackets

  private mutating func open(_ kind: TokenKind, _ token: Int) {
    // An opening bracket where one should close, as in `(1, 2(;`, is a typo if the file has too few
    // closing brackets. Correcting one of the same kind changes the balance by two.
    if let top = stack.last, let closing = top.kind.closing,
      top.kind == kind ? excess[kind] <= -2 : excess[kind] < 0 && excess[top.kind] < 0,
      endsBracket(token, of: top)
    {
      replace(token, with: closing, open: top.token)
      pop()
    } else {
      push(kind, token)
    }
  }

  /// Returns whether an opening bracket is where a bracket should close: on a line of its own, or
  /// directly after a value that neither a call nor a body can follow.
  private func endsBracket(_ token: Int, of open: Open) -> Bool {
    let next = columnAfter(token)
    if columns[token] != nil { return indentation == open.indentation && next != nil }
    guard open.line == line else { return false }
    switch kinds[token - 1] {
    case .number, .pairLiteral, .color, .trueWord, .falseWord, .noneWord, .rightBracket: break
    case .stringEnd, .rightParen: if kinds[token] == .leftBrace { return false }
    default: return false
    }
    return next.map { $0 <= indentation }
      ?? [.comma, .semicolon, open.kind.closing].contains(kinds[token + 1])
  }

  // MARK: Closing brackets

  private mutating func close(_ kind: TokenKind, _ token: Int) {
    let top = stack.last
    if excess[kind] > 0, let meant = meantOpening(token, closing: kind) {
      replace(token, with: meant)
      return push(meant, token)
    }
    guard let top else { return }
    if top.kind == kind {
      guard excess[kind] > 0, isSurplus(token, of: top) else { return pop() }
      if columnAfter(token) == nil, let other = surplusKind(besides: kind) {
        // A closing bracket of another kind is surplus, so this bracket should be its opening one,
        // as in `size: }40, 30)`.
        replace(token, with: other)
        push(other, token)
      } else {
        drop(token, kind)
      }
    } else if excess[kind] > 0, excess[top.kind] < 0, let closing = top.kind.closing {
      // One of the two brackets is of the wrong kind, or two lines were cut short.
      if kind == .leftBrace, top.line != line, columns[token] != nil {
        if columnAfter(top.token) != nil { replace(top.token, with: kind) }
        pop()
      } else if top.line == line || columns[token] == top.indentation || top.kind != .leftBrace {
        replace(token, with: closing, open: top.token)
        pop()
      }
    } else if excess[kind] > 0 {
      // The parser itself skips other surplus brackets.
      if top.kind != .leftBrace || kind == .leftBrace { drop(token, kind) }
    } else {
      pop(to: kind)
    }
  }

  private mutating func drop(_ token: Int, _ kind: TokenKind) {
    surplus.append(token)
    excess[kind] -= 1
  }

  /// Returns the opening bracket that should replace a closing one at the end of a line. The line
  /// does not open the closing bracket, and the next line is indented further. Returns `nil`
  /// otherwise.
  private func meantOpening(_ token: Int, closing kind: TokenKind) -> TokenKind? {
    guard columns[token] == nil, let next = columnAfter(token), next > indentation,
      stack.last.map({ $0.kind != kind || $0.line != line }) ?? true
    else { return nil }
    return [.leftBrace, .leftBracket, .leftParen].first { excess[$0] >= ($0 == kind ? 2 : 1) }
  }

  /// Returns whether, judging by the indentation, a closing brace does not end the innermost open
  /// body.
  private func isSurplus(_ token: Int, of open: Open) -> Bool {
    guard open.kind == .leftBrace, open.line != line else { return false }
    if let column = columns[token] {
      // The body of an element above may lack its opening brace.
      return column > open.indentation
        && BracketRepair.header(of: token, at: column, after: open.token, columns) == nil
    }
    guard let next = columnAfter(token) else { return true }
    return stack.count == 1 || next > open.indentation
  }

  /// Returns another kind of bracket that has more closing than opening ones; `nil` if there is
  /// none.
  private func surplusKind(besides kind: TokenKind) -> TokenKind? {
    [.leftParen, .leftBracket].first { $0 != kind && excess[$0] > 0 }
  }
}

extension TokenKind {
  /// The opening bracket of a closing one; `nil` for other tokens.
  var opening: TokenKind? {
    switch self {
    case .rightBrace: .leftBrace
    case .rightParen: .leftParen
    case .rightBracket: .leftBracket
    default: nil
    }
  }

  /// The closing bracket of an opening one; `nil` for other tokens.
  var closing: TokenKind? {
    switch self {
    case .leftBrace: .rightBrace
    case .leftParen: .rightParen
    case .leftBracket: .rightBracket
    default: nil
    }
  }
}
