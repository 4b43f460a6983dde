// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneFiles
import SceneJSON
import SceneText

/// An error or warning in the form that a page shows.
struct Problem: Sendable {
  let answer: JSON
  let isError: Bool
  let code: String
  /// The available fixes, each a change of one file.
  let fixes: [Fix]

  /// A fix with the source file as it was loaded.
  struct Fix: Sendable {
    let change: FixIt
    let source: SourceFile
  }

  init(_ it: Diagnostic, number: Int, _ sources: [SourceFile]) {
    let places = Places(sources)
    var answer: [String: JSON] = [
      "id": .int(number), "code": .string(it.code.rawValue),
      "severity": .string(it.severity.rawValue), "message": .string(visible(it.message)),
      "span": places.json(it.span),
      "notes": .array(
        it.notes.map { note in
          var json: [String: JSON] = ["message": .string(visible(note.message))]
          if let span = note.span { json["span"] = places.json(span) }
          return .object(json)
        }),
    ]
    if !it.label.isEmpty { answer["help"] = .string(visible(it.label)) }
    if let instant = it.instant { answer["instant"] = .double(instant) }
    if let end = it.end { answer["end"] = .double(end) }
    fixes = it.fixIts.compactMap { fix in
      places.source(fix.span).map { Fix(change: fix, source: $0) }
    }
    answer["fixes"] = .array(
      fixes.map { ["title": .string(visible($0.change.message))] })
    answer["source"] = places.line(it.span)
    self.answer = .object(answer)
    isError = it.severity == .error
    code = it.code.rawValue
  }

  /// Creates the problem that reports an unreadable file. It has no source location.
  init(_ failure: FileError) {
    var answer: [String: JSON] = [
      "id": 0, "code": "", "severity": "error", "message": .string(visible(failure.message)),
      "notes": [], "fixes": [],
    ]
    if let help = failure.help { answer["help"] = .string(visible(help)) }
    self.answer = .object(answer)
    isError = true
    code = ""
    fixes = []
  }

  static func all(_ found: [Diagnostic], _ sources: [SourceFile]) -> [Problem] {
    found.prefix(200).enumerated().map { Problem($1, number: $0, sources) }
  }
}

/// Source locations in the form that pages use: byte offsets, and lines and columns from 1.
struct Places {
  private let sources: [SourceFile]

  init(_ sources: [SourceFile]) { self.sources = sources }

  func source(_ span: SourceSpan) -> SourceFile? {
    let index = Int(span.file.rawValue)
    return sources.indices.contains(index) ? sources[index] : nil
  }

  func json(_ span: SourceSpan) -> JSON {
    guard let source = source(span) else { return .null }
    let (line, column) = source.position(at: span.start)
    return [
      "file": .int(Int(span.file.rawValue)), "start": .int(span.start), "end": .int(span.end),
      "line": .int(line), "column": .int(column), "path": .string(visible(source.name)),
    ]
  }

  func text(_ span: SourceSpan) -> String {
    source(span).map { visible($0.text(span)) } ?? ""
  }

  /// Returns the first line of a span with the covered columns.
  func line(_ span: SourceSpan) -> JSON {
    guard let source = source(span) else { return .null }
    let (line, column) = source.position(at: span.start)
    let range = source.lineRange(line - 1)
    let end = source.position(at: max(span.start + 1, min(span.end, range.upperBound))).column
    return [
      "line": .int(line),
      "text": .string(visible(source.text(source.span(range.lowerBound, range.upperBound)))),
      "from": .int(column), "to": .int(max(column + 1, end)),
    ]
  }
}
