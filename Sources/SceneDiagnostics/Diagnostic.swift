// SPDX-License-Identifier: MIT
package import SceneText

/// A related place, or a sentence that helps, shown below a diagnostic.
package struct Note: Hashable, Sendable {
  package let message: String
  /// `nil` for a sentence without a place.
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

/// A change of the source that fixes an error; advice that changes nothing is a note.
package struct FixIt: Hashable, Sendable {
  package let message: String
  /// The bytes to replace; empty to insert.
  package let span: SourceSpan
  package let replacement: String
  /// Whether only one meaning is possible, so that `check --fix` may apply it. Others are suggestions.
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

/// One thing wrong with a scene file, reported so that its writer can act on it.
package struct Diagnostic: Hashable, Sendable {
  /// Nobody reads more of them, and a file may hold nothing but faults.
  package static let greatestCount = 1000

  package let code: Code
  package let message: String
  /// The fewest bytes whose change would help.
  package let span: SourceSpan
  /// A few words behind the underline: what was expected there.
  package var label: String
  package var notes: [Note]
  package var fixIts: [FixIt]

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

  /// What the message puts in quotes, with them.
  fileprivate var quoted: Substring? {
    guard let first = message.firstIndex(of: "'"), let last = message.lastIndex(of: "'"),
      first < last
    else { return nil }
    return message[first...last]
  }

  /// The same diagnostic with a fix that replaces its own bytes by the name that was probably meant.
  package func suggesting(_ name: String?, isSafe: Bool = false) -> Diagnostic {
    guard let name else { return self }
    var it = self
    it.fixIts.append(
      FixIt("change to '\(name)'", replacing: span, with: name, isSafe: isSafe))
    return it
  }

  /// The same diagnostic with the candidate nearest to a mistyped name; safe if it is clearly a slip.
  package func suggesting(
    nearestTo written: String, in candidates: some Sequence<String>
  ) -> Diagnostic {
    let candidates = Array(candidates)
    guard let near = nearest(written, in: candidates) else { return self }
    return suggesting(near, isSafe: isSlip(written, of: near, among: candidates))
  }

  /// The same, with these words behind the underline.
  package func labelled(_ text: String) -> Diagnostic {
    var it = self
    it.label = text
    return it
  }

  /// The same, with a note more.
  package func noting(_ text: String) -> Diagnostic {
    var it = self
    it.notes.append(Note(text))
    return it
  }

  /// The same diagnostic with another note that gives advice.
  package func advising(_ text: String) -> Diagnostic {
    var it = self
    it.notes.append(Note(help: text))
    return it
  }

  /// The same, with this fix alone.
  package func mended(
    _ what: String, _ span: SourceSpan, _ text: String, isSafe: Bool = true
  ) -> Diagnostic {
    var it = self
    it.fixIts = [FixIt(what, replacing: span, with: text, isSafe: isSafe)]
    return it
  }
}

extension [Diagnostic] {
  /// By place, errors before warnings at the same place, each fault once.
  package func sortedByPlace() -> [Diagnostic] {
    var seen = Set<Diagnostic>()
    return filter { seen.insert($0).inserted }
      .sorted {
        ($0.span.file, $0.span.start, $0.span.end, $0.code.rawValue)
          < ($1.span.file, $1.span.start, $1.span.end, $1.code.rawValue)
      }
  }

  /// What is wrong at one place in one way, once: the rounds of a loop come to the same place.
  package func foldedByPlace() -> [Diagnostic] {
    var alike: [Place: [Diagnostic]] = [:]
    for it in self { alike[Place(it), default: []].append(it) }
    var seen: Set<Place> = []
    return filter { seen.insert(Place($0)).inserted }.map { it in
      let others = alike[Place(it), default: []].dropFirst()
      if others.isEmpty { return it }
      // Who has to make the files wants to know all of them.
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

    init(_ it: Diagnostic) {
      code = it.code
      span = it.span
    }
  }

  package var hasErrors: Bool { contains { $0.severity == .error } }
}
