// SPDX-License-Identifier: MIT
package import SceneDiagnostics
package import SceneText

/// The diagnostics of `scenec check --format json`.
struct CheckReport: Encodable {
  let diagnostics: [DiagnosticReport]
}

/// A diagnostic with resolved positions: lines and columns from 1, columns in Unicode scalars.
package struct DiagnosticReport: Encodable {
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
    /// The kind: `help` for advice, `note` for a fact.
    let kind: String
    let message: String
    /// The name of the file; `nil` for a note without a location.
    let file: String?
    let range: Range?
  }

  struct Fix: Encodable {
    let message: String
    let file: String
    let range: Range
    let replacement: String
    /// Whether `check --fix` applies the fix. Other fixes are suggestions.
    let safe: Bool
  }

  let code: String
  let severity: String
  let message: String
  /// The text at the range, such as the expected syntax; `nil` without one.
  let label: String?
  let file: String
  let range: Range
  let notes: [Note]
  let fixes: [Fix]

  package init(_ diagnostic: Diagnostic, _ files: [SourceFile]) {
    let source = files[Int(diagnostic.span.file.rawValue)]
    code = diagnostic.code.rawValue
    severity = diagnostic.severity.rawValue
    message = diagnostic.message
    label = diagnostic.label.isEmpty ? nil : diagnostic.label
    file = source.name
    range = Range(diagnostic.span, source)
    notes = diagnostic.notes.map { note in
      let file = note.span.map { files[Int($0.file.rawValue)] }
      return Note(
        kind: note.isHelp ? "help" : "note", message: note.message, file: file?.name,
        range: note.span.flatMap { span in file.map { Range(span, $0) } })
    }
    fixes = diagnostic.fixIts.map { fix in
      let file = files[Int(fix.span.file.rawValue)]
      return Fix(
        message: fix.message, file: file.name, range: Range(fix.span, file),
        replacement: fix.replacement, safe: fix.isSafe)
    }
  }
}
