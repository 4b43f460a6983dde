// SPDX-License-Identifier: MIT
package import SceneText

/// Formats diagnostics for people: location, source line, underline, label, notes, fixes.
package struct DiagnosticPrinter: Sendable {
  private let files: [SourceFile]
  private let colored: Bool

  /// Creates a printer; `files` is indexed by `FileID`. With `colored`, uses ANSI colors (ECMA-48
  /// SGR).
  package init(files: [SourceFile], colored: Bool) {
    self.files = files
    self.colored = colored
  }

  package func print(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map(print).joined(separator: "\n")
  }

  package func print(_ diagnostic: Diagnostic) -> String {
    let severity = diagnostic.severity.rawValue
    let hue = diagnostic.severity == .error ? "1;31" : "1;33"
    var text = paint("\(severity)[\(diagnostic.code.rawValue)]", hue)
    text += paint(": \(visible(diagnostic.message))", "1") + "\n"
    text += excerpt(diagnostic.span, label: diagnostic.label, hue: hue, mark: "^")
    for note in diagnostic.notes {
      let head = note.isHelp ? paint("   = help", "1;32") : paint("   = note", "1")
      text += head + ": \(visible(note.message))\n"
      if let span = note.span { text += excerpt(span, label: "", hue: "1;34", mark: "-") }
    }
    for fix in diagnostic.fixIts {
      text += paint("   = help", "1;32") + ": \(visible(fix.message))\n"
    }
    return text
  }

  /// Returns a summary such as `3 errors and 1 warning`; empty without diagnostics.
  package static func summary(_ diagnostics: [Diagnostic]) -> String {
    func counted(_ severity: Severity) -> String? {
      let count = diagnostics.count { $0.severity == severity }
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    return [counted(.error), counted(.warning)].compactMap { $0 }.joined(separator: " and ")
  }

  private func excerpt(_ span: SourceSpan, label: String, hue: String, mark: String) -> String {
    guard files.indices.contains(Int(span.file.rawValue)) else { return "" }
    let file = files[Int(span.file.rawValue)]
    let (line, column) = file.position(at: span.start)
    let gutter = String(repeating: " ", count: String(line).count)
    var text = paint("\(gutter)--> ", "34") + "\(visible(file.name)):\(line):\(column)\n"
    guard !file.bytes.isEmpty else { return text }
    let range = file.lineRange(line - 1)
    let shown = window(range, around: span.start)
    let before = columns(file, from: shown.lowerBound, to: span.start)
    let covered = columns(file, from: span.start, to: min(span.end, shown.upperBound))
    let source = visible(file.text(file.span(shown.lowerBound, shown.upperBound)))
    text += paint("\(gutter) |", "34") + "\n"
    text += paint("\(line) |", "34") + " \(source)\n"
    text += paint("\(gutter) |", "34") + " " + String(repeating: " ", count: before)
    let underline = String(repeating: mark, count: max(1, covered))
    text += paint(underline + (label.isEmpty ? "" : " " + visible(label)), hue) + "\n"
    return text
  }

  /// Returns at most 160 bytes of a line around an offset, cut at character boundaries.
  private func window(_ line: Range<Int>, around offset: Int) -> Range<Int> {
    guard line.count > 160 else { return line }
    let start = max(line.lowerBound, min(offset, line.upperBound) - 60)
    return start..<min(line.upperBound, start + 160)
  }

  private func columns(_ file: SourceFile, from start: Int, to end: Int) -> Int {
    guard start < end else { return 0 }
    return visible(file.text(file.span(start, end))).unicodeScalars.reduce(0) { $0 + width($1) }
  }

  /// Returns the number of terminal cells: 0 for combining marks, 2 for wide East Asian characters
  /// and emoji.
  private func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  private func paint(_ text: String, _ style: String) -> String {
    colored ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
  }
}

/// Returns text that is safe to print on a terminal: control and bidirectional characters are
/// escaped.
package func visible(_ text: String) -> String {
  var shown = ""
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0x09: shown += "  "
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF:
      shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    default: shown.unicodeScalars.append(scalar)
    }
  }
  return shown
}
