// SPDX-License-Identifier: MIT
import SceneCheck
package import SceneDiagnostics
import SceneSyntax
import SceneText

// Code actions: fixes of diagnostics and other changes.

/// A change that an editor offers as a code action.
package struct OfferedChange: Hashable, Sendable {
  package let title: String
  package let edits: [TextEdit]
  /// The diagnostic that the change fixes, if any.
  package let diagnostic: Diagnostic?
  /// Whether this is the most likely intended change.
  package let isPreferred: Bool
  /// The kind of change.
  package var kind = Kind.fix

  /// The purpose of a change.
  package enum Kind: Hashable, Sendable { case fix, extract, inline, rewrite }

  package init(
    title: String, edits: [TextEdit], diagnostic: Diagnostic? = nil, isPreferred: Bool = false,
    kind: Kind = .fix
  ) {
    self.title = title
    self.edits = edits
    self.diagnostic = diagnostic
    self.isPreferred = isPreferred
    self.kind = kind
  }
}

extension FileFacts {
  /// Returns the fixes of diagnostics that touch a range and, for warnings, a change that adds a
  /// suppression comment.
  package func changes(in range: Range<Int>, for diagnostics: [Diagnostic]) -> [OfferedChange] {
    var changes: [OfferedChange] = []
    for diagnostic in diagnostics where touches(diagnostic.span, range) {
      for fix in diagnostic.fixIts {
        changes.append(
          OfferedChange(
            title: fix.message, edits: [TextEdit(fix.span.start..<fix.span.end, fix.replacement)],
            diagnostic: diagnostic, isPreferred: fix.isSafe && diagnostic.fixIts.count == 1))
      }
      if diagnostic.severity == .warning,
        let edit = allowing([diagnostic.code.rawValue], diagnostic)
      {
        changes.append(
          OfferedChange(
            title: "allow \(diagnostic.code.rawValue) on this line", edits: [edit],
            diagnostic: diagnostic, isPreferred: false))
      }
    }
    let warnings = diagnostics.filter { $0.severity == .warning && touches($0.span, range) }
    let codes = Set(warnings.map(\.code.rawValue)).sorted()
    let lines = Set(warnings.map { source.lineIndex(at: $0.span.start) })
    if codes.count > 1, lines.count == 1, let first = warnings.first,
      let edit = allowing(codes, first)
    {
      changes.append(
        OfferedChange(
          title: "allow \(codes.joined(separator: ", ")) on this line", edits: [edit],
          diagnostic: nil, isPreferred: false))
    }
    return changes
  }

  private func touches(_ span: SourceSpan, _ range: Range<Int>) -> Bool {
    span.start <= range.upperBound && range.lowerBound <= span.end
  }

  /// Returns the edit that adds a comment suppressing codes at the end of a warning's line. An
  /// existing line comment there becomes a block comment. Returns `nil` if no comment can be added,
  /// as in a multiline string.
  private func allowing(_ codes: [String], _ diagnostic: Diagnostic) -> TextEdit? {
    let line = source.lineRange(source.lineIndex(at: diagnostic.span.start))
    let list = codes.joined(separator: " ")
    let end = line.upperBound
    let last = tree.token(at: max(line.lowerBound, end - 1))
    let start = tree.range(ofToken: last).lowerBound
    // A comment cannot be inserted into a multiline string.
    let open = tree.path(at: end).contains {
      tree.nodes[$0].kind == .string && tree.span(of: $0).start < end && end < tree.span(of: $0).end
    }
    if open { return nil }
    switch tree.tokens[last].kind {
    case .lineComment, .docComment:
      let text = tree.text(ofToken: last)
      if let code = AllowComment.codes(in: text).last {
        // The codes are inserted before the reason, if there is one.
        let place = start + text.utf8.distance(from: text.startIndex, to: code.endIndex)
        return TextEdit(place..<place, " \(list)")
      }
      let note = text.drop { $0 == "/" }.trimmingPrefix(" ")
      guard !note.contains("*/"), !note.contains("/*") else { return nil }
      return TextEdit(start..<end, "/* \(note) */  // scenec: allow \(list)")
    case .blockComment
    where source.lineIndex(at: tree.range(ofToken: last).upperBound) > source.lineIndex(at: start):
      return nil
    default: return TextEdit(end..<end, "  // scenec: allow \(list)")
    }
  }

  /// The edits that format the file; `nil` if it has syntax errors.
  package var formatting: [TextEdit]? {
    guard let text = format(parsed) else { return nil }
    return FileFacts.differences(source.bytes, Array(text.utf8))
  }

  /// Returns the edits between two texts, line by line if most lines are equal.
  package static func differences(_ old: [UInt8], _ new: [UInt8]) -> [TextEdit] {
    func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
      var (list, start): ([ArraySlice<UInt8>], Int) = ([], 0)
      for index in bytes.indices where bytes[index] == 10 {
        list.append(bytes[start...index])
        start = index + 1
      }
      if start < bytes.count { list.append(bytes[start...]) }
      return list
    }
    let (before, after) = (lines(old), lines(new))
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in after.difference(from: before) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var edits: [TextEdit] = []
    var (i, j) = (0, 0)
    while i < before.count || j < after.count {
      let (first, from) = (i, j)
      while removed.contains(i) { i += 1 }
      while inserted.contains(j) { j += 1 }
      if i == first, j == from {
        i += 1
        j += 1
        continue
      }
      let start = first < before.count ? before[first].startIndex : old.count
      let end = i > first ? before[i - 1].endIndex : start
      let text = String(decoding: after[from..<j].joined(), as: UTF8.self)
      edits.append(TextEdit(start..<end, text))
    }
    return edits
  }
}
