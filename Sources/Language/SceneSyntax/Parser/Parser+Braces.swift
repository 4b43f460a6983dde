// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

extension Parser {
  /// The indentation of the lines of two braces.
  private struct BraceColumns {
    let open: Int
    let close: Int
    /// Whether the second brace begins its line.
    let isFirst: Bool
  }

  /// Returns the indentation of the lines of two braces, and whether the second brace begins its
  /// line; `nil` if both are on the same line.
  private func columns(_ open: SourceSpan, _ close: SourceSpan) -> BraceColumns? {
    func column(_ line: Int) -> Int {
      source.bytes[source.lineRange(line)].prefix { $0 == 32 || $0 == 9 }.count
    }
    let (first, last) = (source.lineIndex(at: open.start), source.lineIndex(at: close.start))
    guard first != last else { return nil }
    let start = source.lineRange(last).lowerBound + column(last)
    return BraceColumns(open: column(first), close: column(last), isFirst: start == close.start)
  }

  /// Records a pair of matching braces as suspect if the file lacks closing braces and the
  /// indentation does not match.
  mutating func pair(_ open: SourceSpan, _ close: SourceSpan) {
    guard excess < 0, let columns = columns(open, close), columns.isFirst,
      columns.close < columns.open
    else {
      return
    }
    suspects.append(open)
  }

  /// Returns a nested brace that is probably unclosed, judging by the indentation; `nil` if there
  /// is none.
  func unclosedBrace(within open: SourceSpan) -> SourceSpan? {
    suspects.first { $0.start > open.start }
  }

  /// Returns the declarations that begin in the first column, if the file has more opening than
  /// closing brackets. All brackets that are open there are unclosed. In other files, the
  /// declaration is merely misplaced.
  static func restarts(
    _ significant: [Int32], _ kinds: [TokenKind], tokens: [Token], in file: SourceFile
  ) -> [Int] {
    guard BracketExcess(of: kinds).sum < 0 else { return [] }
    return significant.indices.dropLast().filter {
      beginsDeclaration($0, significant, tokens: tokens, in: file)
    }
  }

  /// Returns whether a token begins a declaration in the first column.
  static func beginsDeclaration(
    _ index: Int, _ significant: [Int32], tokens: [Token], in file: SourceFile
  ) -> Bool {
    let start = Int(tokens[Int(significant[index])].start)
    guard start == 0 || SourceFile.endsLine(file.bytes, at: start - 1) else { return false }
    let next = significant[(index + 1)...].prefix(2).map { tokens[Int($0)].kind }
    let word = file.bytes[start..<Int(tokens[Int(significant[index]) + 1].start)]
    return startsDeclaration(String(decoding: word, as: UTF8.self), next)
  }

  /// Whether a declaration begins here in the first column, so that it is neither a value nor an
  /// item of the enclosing body.
  var isAtDeclaration: Bool {
    let span = span
    guard rawKind == .identifier || rawKind == .letWord, span.start > 0,
      SourceFile.endsLine(source.bytes, at: span.start - 1)
    else { return false }
    return Parser.startsDeclaration(tokenText(), [kind(ahead: 1), kind(ahead: 2)])
  }

  /// Returns whether a word and the kinds of the next two tokens begin a declaration.
  static func startsDeclaration(_ word: String, _ next: [TokenKind]) -> Bool {
    switch word {
    case "edition": next.first == .number
    case "import": next.first == .stringStart
    case "param": next == [.identifier, .colon]
    case "let": next == [.identifier, .equal] || next == [.identifier, .colon]
    case "fn": next == [.identifier, .leftParen]
    case "component", "effect", "transition", "filter", "paint":
      next == [.identifier, .leftParen] || next == [.identifier, .leftBrace]
    case "style": next == [.identifier, .leftBrace]
    case "project": next.first == .leftBrace
    case "scene": next.first == .leftBrace || next == [.identifier, .leftBrace]
    default: false
    }
  }
}
