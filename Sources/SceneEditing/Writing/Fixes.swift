// SPDX-License-Identifier: MIT
package import SceneDiagnostics
import SceneSyntax
import SceneText

// Changes that are offered beside what is wrong.

/// A change with the words that offer it.
package struct OfferedChange: Hashable, Sendable {
  package let title: String
  package let edits: [TextEdit]
  /// What it is for; `nil` for one that nothing asks for.
  package let diagnostic: Diagnostic?
  /// Whether it is the one that is most likely meant.
  package let isPreferred: Bool
}

extension FileFacts {
  /// The fixes of diagnostics that touch a range, and for warnings a comment that allows them.
  package func changes(in range: Range<Int>, for diagnostics: [Diagnostic]) -> [OfferedChange] {
    var changes: [OfferedChange] = []
    for diagnostic in diagnostics where touches(diagnostic.span, range) {
      for fix in diagnostic.fixIts {
        changes.append(
          OfferedChange(
            title: fix.message, edits: [TextEdit(fix.span.start..<fix.span.end, fix.replacement)],
            diagnostic: diagnostic, isPreferred: diagnostic.fixIts.count == 1))
      }
      if diagnostic.severity == .warning, let edit = allowing(diagnostic) {
        changes.append(
          OfferedChange(
            title: "allow \(diagnostic.code.rawValue) in this line", edits: [edit],
            diagnostic: diagnostic, isPreferred: false))
      }
    }
    return changes
  }

  private func touches(_ span: SourceSpan, _ range: Range<Int>) -> Bool {
    span.start <= range.upperBound && range.lowerBound <= span.end
  }

  /// The comment that allows a warning, at the end of its line.
  private func allowing(_ diagnostic: Diagnostic) -> TextEdit? {
    let line = source.lineRange(source.lineIndex(at: diagnostic.span.start))
    let text = source.text(source.span(line.lowerBound, line.upperBound))
    let comment = "// scenec: allow"
    if text.contains(comment) {
      return TextEdit(line.upperBound..<line.upperBound, " \(diagnostic.code.rawValue)")
    }
    guard !text.contains("//") else { return nil }
    return TextEdit(line.upperBound..<line.upperBound, "  \(comment) \(diagnostic.code.rawValue)")
  }

  /// The edits that bring the file into its canonical form; `nil` where it has syntax errors.
  package var formatting: [TextEdit]? {
    guard let text = format(parsed) else { return nil }
    return FileFacts.differences(source.bytes, Array(text.utf8))
  }

  /// What differs between two texts, line by line where their lines are mostly the same.
  static func differences(_ old: [UInt8], _ new: [UInt8]) -> [TextEdit] {
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
