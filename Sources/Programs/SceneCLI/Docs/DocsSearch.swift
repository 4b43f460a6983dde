// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLibrary

/// The full-text search of `scenec docs`.
struct DocsSearch {
  /// A documented item.
  struct Entry {
    let name: String
    /// The location, shown in parentheses.
    let place: String
    /// Names of the same thing in other programs.
    var otherNames: [String] = []
    let text: String
  }

  private struct Found {
    let entry: Entry
    let line: String
    let rank: Int
  }

  let entries: [Entry]

  /// The maximum number of results.
  private static let most = 14

  /// Returns the entries whose names, other names or texts contain the words, best match first,
  /// each with the matching line. Empty without matches.
  func answer(to query: String) -> String {
    let phrase = DocsSearch.plain(query)
    let words = DocsSearch.words(of: phrase)
    guard !words.isEmpty else { return "" }
    let found = entries.compactMap { find(phrase, words, in: $0) }
    // Equal ranks keep the order of the manual.
    let order = found.indices.sorted { (found[$1].rank, $0) < (found[$0].rank, $1) }
    var text = ""
    for index in order.prefix(DocsSearch.most) {
      let it = found[index]
      text += DocsText.wrapped("\(it.entry.name) (\(it.entry.place)): \(it.line)\n")
    }
    let rest = found.count - DocsSearch.most
    if rest > 0 { text += "and \(rest) more; add words to narrow the search\n" }
    return text
  }

  /// Returns the names of the entries in a location that match a name exactly.
  func names(in place: String, calledBy query: String) -> [String] {
    let phrase = DocsSearch.plain(query)
    return entries.filter { entry in
      entry.place == place
        && ([entry.name] + entry.otherNames).contains { DocsSearch.plain($0) == phrase }
    }.map(\.name)
  }

  private func find(_ phrase: String, _ words: [String], in entry: Entry) -> Found? {
    let name = DocsSearch.plain(entry.name)
    let others = entry.otherNames.map(DocsSearch.plain)
    let lines = DocsSearch.lines(of: entry.text)
    let first = lines.first?.text ?? ""
    if name == phrase || others.contains(phrase) {
      return Found(entry: entry, line: first, rank: 5)
    }
    if let line = lines.first(where: { DocsSearch.holds($0.plain, phrase) }) {
      return Found(entry: entry, line: line.text, rank: line.isCode ? 2 : 3)
    }
    if ([name] + others).contains(where: { DocsSearch.holds($0, phrase) }) {
      return Found(entry: entry, line: first, rank: 4)
    }
    if others.contains(where: { other in words.allSatisfy { DocsSearch.holds(other, $0) } }) {
      return Found(entry: entry, line: first, rank: 3)
    }
    // All words occur somewhere, in any order.
    let whole = ([name] + others + lines.map(\.plain)).joined(separator: " ")
    guard words.allSatisfy({ DocsSearch.holds(whole, $0) }) else { return nil }
    let best = lines.max { one, other in
      count(words, in: one.plain) < count(words, in: other.plain)
    }
    return Found(entry: entry, line: best?.text ?? first, rank: 1)
  }

  private func count(_ words: [String], in line: String) -> Int {
    words.count { DocsSearch.holds(line, $0) }
  }

  // MARK: Words

  /// Returns the text in lower case with spaces instead of hyphens: 'Fade-In' becomes 'fade in'.
  static func plain(_ text: String) -> String {
    String(text.lowercased().map { $0 == "-" || $0 == "_" ? " " : $0 })
      .split(separator: " ").joined(separator: " ")
  }

  /// Returns the significant words without plural endings.
  private static func words(of phrase: String) -> [String] {
    let idle: Set = [
      "a", "an", "the", "to", "of", "in", "on", "at", "for", "how", "do", "does", "i", "my", "is",
      "are", "can", "make", "per", "with", "and", "or", "add", "use", "what",
    ]
    let all = phrase.split(separator: " ").map(String.init)
    let telling = all.filter { !idle.contains($0) }
    return (telling.isEmpty ? all : telling).map { word in
      word.count > 3 && word.hasSuffix("s") && !word.hasSuffix("ss")
        ? String(word.dropLast()) : word
    }
  }

  /// Returns whether a normalized text contains a phrase at the start of a word.
  private static func holds(_ text: String, _ phrase: String) -> Bool {
    var rest = text[...]
    while let first = rest.first {
      if rest.hasPrefix(phrase) { return true }
      let isLetter = first.isLetter || first.isNumber
      rest = isLetter ? rest.drop { $0.isLetter || $0.isNumber } : rest.dropFirst()
    }
    return false
  }

  // MARK: Lines

  private struct Line {
    let text: String
    let plain: String
    let isCode: Bool
  }

  /// Returns the sentences, table rows and code lines of a text.
  private static func lines(of text: String) -> [Line] {
    var lines: [Line] = []
    var isCode = false
    var sentence = ""
    func add(_ text: String, isCode: Bool) {
      guard !text.isEmpty else { return }
      lines.append(Line(text: text, plain: plain(text), isCode: isCode))
    }
    func end() {
      add(sentence, isCode: false)
      sentence = ""
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isCode.toggle()
        end()
      } else if isCode || line.hasPrefix("    ") {
        end()
        add(line.split(separator: " ").joined(separator: " "), isCode: true)
      } else if line.hasPrefix("|") {
        end()
        if !line.hasPrefix("| ---") {
          add(DocsText.cells(line).joined(separator: " is "), isCode: false)
        }
      } else if line.isEmpty {
        end()
      } else {
        for word in line.split(separator: " ") {
          sentence += sentence.isEmpty ? String(word) : " " + word
          if word.hasSuffix(".") { end() }
        }
      }
    }
    end()
    return lines
  }
}
