// SPDX-License-Identifier: MIT
package import SceneText

/// A related location or a hint, shown below a diagnostic.
package struct Note: Hashable, Sendable {
  package let message: String
  /// The location; `nil` for a note without one.
  package let span: SourceSpan?
  /// Whether the message is advice in the imperative, printed as `help`, rather than a fact.
  package let isHelp: Bool

  package init(_ message: String, at span: SourceSpan? = nil) {
    self.message = message
    self.span = span
    isHelp = false
  }

  package init(help message: String, at span: SourceSpan? = nil) {
    self.message = message
    self.span = span
    isHelp = true
  }
}

/// A change of the source that fixes an error. Advice without a change is a note.
package struct FixIt: Hashable, Sendable {
  package let message: String
  /// The bytes to replace; empty to insert.
  package let span: SourceSpan
  package let replacement: String
  /// Whether the fix is unambiguous, so that `check --fix` may apply it. Other fixes are
  /// suggestions.
  package let isSafe: Bool

  package init(
    _ message: String, replacing span: SourceSpan, with replacement: String, isSafe: Bool = true
  ) {
    precondition(span.start < span.end || !replacement.isEmpty, "a fix changes something")
    self.message = message
    self.span = span
    self.replacement = replacement
    self.isSafe = isSafe
  }
}

/// A diagnostic of a scene file.
package struct Diagnostic: Hashable, Sendable {
  /// The maximum number of reported diagnostics, since a file may contain nothing but errors.
  package static let greatestCount = 1000

  package let code: Code
  package let message: String
  /// The smallest span that needs to change.
  package let span: SourceSpan
  /// A short text after the underline, such as the expected syntax.
  package var label: String
  package var notes: [Note]
  package var fixIts: [FixIt]
  /// The time of the video in seconds to which the diagnostic refers.
  package var instant: Double?
  /// The end in seconds of the interval that begins at `instant`, if the diagnostic refers to one.
  package var end: Double?

  package init(
    _ code: Code, _ message: String, at span: SourceSpan, label: String = "",
    notes: [Note] = [], fixIts: [FixIt] = []
  ) {
    self.code = code
    self.message = message
    self.span = span
    self.label = label
    self.notes = notes
    self.fixIts = fixIts
  }

  package var severity: Severity { code.severity }

  /// The quoted part of the message, including the quotes; `nil` if there is none.
  fileprivate var quoted: Substring? {
    guard let first = message.firstIndex(of: "'"), let last = message.lastIndex(of: "'"),
      first < last
    else { return nil }
    return message[first...last]
  }

  /// Returns the diagnostic with a fix that replaces its span with a name.
  package func suggesting(_ name: String?, isSafe: Bool = false) -> Diagnostic {
    guard let name else { return self }
    var it = self
    it.fixIts.append(
      FixIt("change to '\(name)'", replacing: span, with: name, isSafe: isSafe))
    return it
  }

  /// Returns the diagnostic with the candidate closest to a misspelled name as a fix; safe if it is
  /// clearly a typo.
  package func suggesting(
    nearestTo written: String, in candidates: some Sequence<String>
  ) -> Diagnostic {
    let candidates = Array(candidates)
    guard let near = nearest(written, in: candidates) else { return self }
    return suggesting(near, isSafe: isSlip(written, of: near, among: candidates))
  }

  /// Returns the diagnostic with its label replaced.
  package func labelled(_ text: String) -> Diagnostic {
    var it = self
    it.label = text
    return it
  }

  /// Returns the diagnostic with an additional note.
  package func noting(_ text: String) -> Diagnostic {
    var it = self
    it.notes.append(Note(text))
    return it
  }

  /// Returns the diagnostic with an additional note that is printed as `help`.
  package func advising(_ text: String) -> Diagnostic {
    var it = self
    it.notes.append(Note(help: text))
    return it
  }

  /// Returns the diagnostic with this fix as the only one.
  package func fixing(
    _ what: String, replacing span: SourceSpan, with text: String, isSafe: Bool = true
  ) -> Diagnostic {
    var it = self
    it.fixIts = [FixIt(what, replacing: span, with: text, isSafe: isSafe)]
    return it
  }
}

extension [Diagnostic] {
  /// Returns the diagnostics without duplicates, sorted by span, then errors before warnings.
  package func sortedByPlace() -> [Diagnostic] {
    var seen = Set<Diagnostic>()
    return filter { seen.insert($0).inserted }
      .sorted {
        ($0.span.file, $0.span.start, $0.span.end, $0.code.rawValue)
          < ($1.span.file, $1.span.start, $1.span.end, $1.code.rawValue)
      }
  }

  /// Returns the diagnostics with those of equal code and location merged into one, since the
  /// rounds of a loop share source locations. Different defects of a file remain separate.
  package func foldedByPlace() -> [Diagnostic] {
    var alike: [Place: [Diagnostic]] = [:]
    for it in self { alike[Place(it), default: []].append(it) }
    var seen: Set<Place> = []
    return filter { seen.insert(Place($0)).inserted }.map { it in
      let others = alike[Place(it), default: []].dropFirst()
      if others.isEmpty { return it }
      // For missing files, the names are listed, since the user needs all of them.
      let names = it.code == .fileNotFound ? others.compactMap(\.quoted).prefix(20) : []
      return it.noting(
        "\(others.count) more like this at the same location"
          + (names.isEmpty
            ? "" : ": \(names.joined(separator: ", "))\(names.count < others.count ? " …" : "")"))
    }
  }

  private struct Place: Hashable {
    let code: Code
    let span: SourceSpan
    /// The kind of a defect of a file: the message after the name of the file, without numbers. Empty
    /// for other messages.
    let kind: String

    init(_ it: Diagnostic) {
      code = it.code
      span = it.span
      let isOfFile = code == .incompleteImage || code == .ignoredMarkup
      let end = it.message.split(separator: "'", omittingEmptySubsequences: false).last ?? ""
      kind = isOfFile ? String(end.filter { !$0.isNumber && $0 != "." }) : ""
    }
  }

  package var hasErrors: Bool { contains { $0.severity == .error } }
}
