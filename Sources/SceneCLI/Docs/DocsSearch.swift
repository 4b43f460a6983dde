// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLibrary

/// The search of `scenec docs`: all that the program says about the language, by any words.
struct DocsSearch {
  /// Something that has a page or a place of its own.
  struct Entry {
    let name: String
    /// Where it is, as the answer says in brackets.
    let place: String
    /// What people call it elsewhere.
    var otherNames: [String] = []
    let text: String
  }

  private struct Found {
    let entry: Entry
    let line: String
    let rank: Int
  }

  let entries: [Entry]

  /// How many answers are shown.
  private static let most = 14

  /// The entries whose names, other names or texts hold the words, the best first, each with the line
  /// that says so; empty when there are none.
  func answer(to query: String) -> String {
    let phrase = DocsSearch.plain(query)
    let words = DocsSearch.words(of: phrase)
    guard !words.isEmpty else { return "" }
    let found = entries.compactMap { find(phrase, words, in: $0) }
    // Of one rank, in the order of the manual.
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

  /// The names of the entries of a place that are called by a word elsewhere.
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
    // All words, in any order and anywhere.
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

  /// Lower case, and hyphens as spaces: 'Fade-In' is 'fade in'.
  static func plain(_ text: String) -> String {
    String(text.lowercased().map { $0 == "-" || $0 == "_" ? " " : $0 })
      .split(separator: " ").joined(separator: " ")
  }

  /// The words that say what is looked for, without an ending that tells one from many.
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

  /// Whether a plain text holds a phrase from the beginning of a word on.
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

  /// The sentences of a text, the rows of its tables and the lines of its code.
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
