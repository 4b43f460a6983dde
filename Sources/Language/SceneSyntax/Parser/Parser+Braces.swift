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
  /// line.
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

  /// Returns a nested brace that is probably unclosed, judging by the indentation.
  func unclosedBrace(within open: SourceSpan) -> SourceSpan? {
    suspects.first { $0.start > open.start }
  }

  /// Skips and reports a surplus closing brace that would end a declaration but, judging by its
  /// indentation, is not its end. Returns whether a brace was skipped.
  mutating func skipsBrace(of open: SourceSpan) -> Bool {
    guard depth == 1, excess > 0, rawKind == .rightBrace, !isAtEnd,
      let columns = columns(open, span), !columns.isFirst || columns.close > columns.open
    else { return false }
    excess -= 1
    report(
      Diagnostic(
        .unexpectedToken, "unmatched '}'", at: span,
        fixIts: [FixIt("remove it", replacing: span, with: "")]))
    advance()
    return true
  }
}
