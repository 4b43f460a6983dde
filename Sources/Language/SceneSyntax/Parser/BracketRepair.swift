// SPDX-License-Identifier: MIT
import SceneText

/// The positions of missing brackets in a file, inferred from its indentation.
///
/// A line that is cut short loses its brackets. The parser would then assign the items of a body to
/// the enclosing body and report each of them. A file with matching brackets needs no repair. If
/// the repair would not balance the brackets of a file, it is discarded.
struct BracketRepair {
  /// The token before which an unclosed bracket ends, by the token that opens it.
  private(set) var ends: [Int: Int] = [:]
  /// The token that closes a bracket whose opening one is missing, by the first token after the
  /// line that lacks it.
  private(set) var missing: [Int: Int] = [:]
  /// The tokens before which unclosed brackets end.
  private(set) var places: Set<Int> = []

  /// The number of missing closing braces minus that of missing opening ones.
  private(set) var addedBraces = 0

  var isEmpty: Bool { ends.isEmpty && missing.isEmpty }

  private struct Open {
    let token: Int
    let kind: TokenKind
    /// The indentation of the bracket's line.
    let indentation: Int
  }

  /// Creates a repair without missing brackets.
  init() {}

  /// Finds the missing brackets.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of the tokens without trivia.
  ///   - columns: The number of leading blanks of each token that begins a line; `nil` for other
  ///     tokens.
  ///   - beginsDeclaration: Returns whether a token in the first column begins a declaration. Other
  ///     tokens there may be in a body that is not indented.
  init(_ kinds: [TokenKind], columns: [Int?], beginsDeclaration: (Int) -> Bool) {
    var stack: [Open] = []
    /// The number of open brackets of each kind.
    var open: [TokenKind: Int] = [:]
    /// The first token that begins a line after each token.
    var nextLine = Array(repeating: kinds.count - 1, count: kinds.count)
    for token in kinds.indices.dropLast().reversed() {
      nextLine[token] = columns[token + 1] == nil ? nextLine[token + 1] : token + 1
    }
    func close(before place: Int) {
      guard let top = stack.popLast() else { return }
      open[top.kind, default: 0] -= 1
      ends[top.token] = place
    }
    var indentation = 0
    var lastClosed = 0
    for token in kinds.indices.dropLast() {
      let kind = kinds[token]
      let opening = kind.opening
      if let column = columns[token] {
        indentation = column
        // A line ends the brackets of earlier lines that are indented as far or further, unless it
        // closes them.
        while let top = stack.last, top.indentation >= column,
          top.indentation > column
            || opening == nil && (column > 0 || beginsDeclaration(token))
        {
          close(before: token)
        }
        if let opening {
          // A bracket of another kind was cut off at the end of its line.
          while let top = stack.last, top.indentation == column, top.kind != opening {
            close(before: min(nextLine[top.token], token))
          }
          if stack.last.map({ $0.indentation < column }) ?? true,
            let line = BracketRepair.header(
              of: token, at: column, after: stack.last?.token ?? -1, columns),
            ![opening, .rightBrace, .semicolon].contains(kinds[line - 1])
          {
            missing[line] = token
            continue
          }
        }
      }
      if kind == .elseWord, open[.leftBrace, default: 0] > 0,
        !follows(branchAt: lastClosed, token, kinds: kinds, columns: columns)
      {
        // The body before `else` lost its brace.
        while let top = stack.last, top.kind != .leftBrace { close(before: token) }
        indentation = stack.last?.indentation ?? indentation
        close(before: token)
      }
      if BracketRepair.closing.contains(kind) {
        stack.append(Open(token: token, kind: kind, indentation: indentation))
        open[kind, default: 0] += 1
      } else if let opening, open[opening, default: 0] > 0 {
        while let top = stack.last, top.kind != opening { close(before: token) }
        lastClosed = stack.removeLast().token
        open[opening, default: 0] -= 1
      }
    }
    if completesBrackets(of: kinds, open: stack) {
      places = Set(ends.values)
    } else {
      self = BracketRepair()
    }
  }

  /// Returns whether each kind of bracket lacks exactly the brackets that were found. Otherwise,
  /// the indentation is not reliable.
  private mutating func completesBrackets(of kinds: [TokenKind], open stack: [Open]) -> Bool {
    let excess = BracketExcess(of: kinds)
    for kind in BracketRepair.closing {
      let balance = -excess[kind]
      let ended = ends.keys.count { kinds[$0] == kind } + stack.count { $0.kind == kind }
      let added = missing.values.count { kinds[$0].opening == kind }
      if ended - added != balance || min(ended, added) > 0 {
        return false
      }
      if kind == .leftBrace {
        addedBraces = balance > 0 ? ended - stack.count { $0.kind == kind } : balance
      }
    }
    return true
  }

  /// Returns whether an `else` directly follows the body of an `if`.
  ///
  /// - Parameter open: The brace whose closing one was found last.
  private func follows(branchAt open: Int, _ token: Int, kinds: [TokenKind], columns: [Int?])
    -> Bool
  {
    guard token > 0, kinds[token - 1] == .rightBrace else { return false }
    for index in stride(from: open - 1, through: 0, by: -1) {
      switch kinds[index] {
      case .ifWord, .elseWord: return true
      case .leftBrace, .rightBrace, .semicolon: return false
      default: if columns[index] != nil { return false }
      }
    }
    return false
  }

  /// Returns the first token after the line whose bracket a token closes: the last line of the same
  /// indentation, if indented lines follow it. Returns `nil` otherwise.
  static func header(of token: Int, at column: Int, after first: Int, _ columns: [Int?]) -> Int? {
    var next = token
    for index in stride(from: token - 1, to: first, by: -1) {
      guard let other = columns[index] else { continue }
      if other == column { return next == token ? nil : next }
      if other < column { return nil }
      next = index
    }
    return nil
  }

  private static let closing: Set<TokenKind> = [.leftBrace, .leftParen, .leftBracket]
}

/// A bracket that a file lacks at the end of a line.
struct MissingBracket {
  /// The first token after the line.
  let line: Int
  /// The token that closes the bracket.
  let token: Int
  let kind: TokenKind
}
