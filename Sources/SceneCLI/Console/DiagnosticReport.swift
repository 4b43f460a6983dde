// SPDX-License-Identifier: MIT
import FoundationEssentials
import SceneDiagnostics
import SceneText

/// A diagnostic as JSON has it: lines and columns from 1, columns in characters.
struct DiagnosticReport: Encodable {
  struct Position: Encodable {
    let line: Int
    let column: Int
  }

  struct Range: Encodable {
    let start: Position
    let end: Position

    init(_ span: SourceSpan, _ file: SourceFile) {
      let from = file.position(at: span.start)
      let to = file.position(at: span.end)
      start = Position(line: from.line, column: from.column)
      end = Position(line: to.line, column: to.column)
    }
  }

  struct Note: Encodable {
    let message: String
    let range: Range?
  }

  struct Fix: Encodable {
    let message: String
    let range: Range
    let replacement: String
    /// Whether `check --fix` may apply it; others are suggestions.
    let safe: Bool
  }

  let code: String
  let severity: String
  let message: String
  let file: String
  let range: Range
  let notes: [Note]
  let fixes: [Fix]

  init(_ diagnostic: Diagnostic, _ files: [SourceFile]) {
    let source = files[Int(diagnostic.span.file.rawValue)]
    code = diagnostic.code.rawValue
    severity = diagnostic.severity.rawValue
    message = diagnostic.message
    file = source.name
    range = Range(diagnostic.span, source)
    notes = diagnostic.notes.map { note in
      Note(message: note.message, range: note.span.map { Range($0, source) })
    }
    fixes = diagnostic.fixIts.map {
      Fix(
        message: $0.message, range: Range($0.span, source), replacement: $0.replacement,
        safe: $0.isSafe)
    }
  }

  static func json(_ reports: [DiagnosticReport]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(reports), as: UTF8.self) + "\n"
  }
}
