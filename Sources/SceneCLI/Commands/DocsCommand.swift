// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneDiagnostics
import SceneLibrary
import SceneText

/// `scenec docs WORD`: the page of the manual, in the terminal.
struct DocsCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    guard !call.operands.isEmpty else {
      Console.print(DocsCommand.overview)
      return .done
    }
    let word = call.operands.joined(separator: " ")
    let text = DocsCommand.answer(to: word)
    guard !text.isEmpty else {
      let known = Manual.pages.map(\.word) + DocsCommand.libraryEntries.map(\.name)
      let near = nearest(word, in: known)
      console.error(
        "the manual says nothing about '\(word)'", help: near.map { "did you mean '\($0)'?" })
      return .callWrong
    }
    Console.print(text)
    return .done
  }

  /// The page of a word, a code or a file of the library, or where else the word stands.
  static func answer(to word: String) -> String {
    let wanted = word.lowercased()
    if let code = Code(rawValue: word.uppercased()) { return Explanation.of(code).text }
    let pages = Manual.pages.filter { $0.word == wanted }
    let text =
      pages.map(DocsCommand.text).joined(separator: "\n")
      + libraryText({ $0.name.lowercased() == wanted }, isFirst: pages.isEmpty)
    if !text.isEmpty { return text }
    let files = ["std/\(wanted)", "std/\(wanted).scene", wanted, "\(wanted).scene"]
    let file = libraryText({ files.contains("std/\($0.path)") }, isFirst: true)
    return file.isEmpty ? elsewhere(wanted) : file
  }

  /// For a word without a page: what it is called here, which command it is, or where it stands.
  private static func elsewhere(_ word: String) -> String {
    if let page = EverydayWords.pages[word] {
      return "'\(word)' is under '\(page)':\n\n" + answer(to: page)
    }
    if let command = CommandSpec.all.first(where: { $0.name == word }) {
      return "'scenec \(word)' is a command: \(command.summary). 'scenec help \(word)' says more.\n"
    }
    return mentions(of: word)
  }

  /// The pages whose text holds a word, with the sentence that does.
  private static func mentions(of word: String) -> String {
    let places =
      Manual.pages.map { ($0.word, $0.chapter, $0.text) }
      + libraryEntries.map { ($0.name, "std/\($0.path)", $0.text) }
      + Explanation.pages.values.sorted { $0.code.rawValue < $1.code.rawValue }
      .map { ($0.code.rawValue, $0.title, $0.body) }
    let found = places.compactMap { name, chapter, text -> String? in
      guard let line = sentence(with: word, in: text) else { return nil }
      return wrapped("\(name) (\(chapter)): \(line)\n")
    }
    guard !found.isEmpty else { return "" }
    return "there is no page called '\(word)'; the word appears in\n\n" + found.joined()
  }

  /// The first sentence of a text, its code left out, that holds a word at the beginning of one.
  private static func sentence(with word: String, in text: String) -> String? {
    var isCode = false
    let prose = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return !isCode && !line.hasPrefix("    ") && !line.hasPrefix("```")
    }.joined(separator: " ")
    var sentence = ""
    for part in prose.split(separator: " ") {
      sentence += sentence.isEmpty ? String(part) : " " + part
      guard part.hasSuffix(".") else { continue }
      if holds(sentence, word) { return sentence }
      sentence = ""
    }
    return holds(sentence, word) ? sentence : nil
  }

  private static func holds(_ sentence: String, _ word: String) -> Bool {
    var rest = sentence.lowercased()[...]
    while let first = rest.first {
      if rest.hasPrefix(word) { return true }
      let isLetter = first.isLetter || first.isNumber
      rest = isLetter ? rest.drop { $0.isLetter || $0.isNumber } : rest.dropFirst()
    }
    return false
  }

  /// A page with what the tables of the checker say.
  private static func text(_ page: Manual.Page) -> String {
    var head = "\(page.word) (\(page.chapter))\n"
    if page.chapter == "property", let property = Property.named(page.word) {
      let declaration = property.declaration
      head += declaration.uses.map { wrapped("\(use($0))\n") }.joined()
      if declaration.isInherited { head += "inherited by what is inside\n" }
    }
    if page.chapter == "function", let function = BuiltIn.all[page.word] {
      head += signature(of: function) + "\n"
    }
    var body = ""
    for part in page.text.split(separator: "```", omittingEmptySubsequences: false) {
      if part.hasPrefix("scene\n") {
        let lines = part.dropFirst(6).split(separator: "\n", omittingEmptySubsequences: false)
        body += lines.dropLast().map { "    \($0)\n" }.joined()
      } else {
        body += wrapped(part)
      }
    }
    return head + "\n" + body.trimmed + "\n"
  }

  /// `clamp(x: number, low: number, high: number) -> number`.
  private static func signature(of function: BuiltIn) -> String {
    let parameters = function.parameters.map { "\($0.description): \($0.type.rawValue)" }
    return "\(function.name)(\(parameters.joined(separator: ", "))) -> \(function.result.rawValue)"
  }

  /// `of line, path; 4 by default`.
  private static func use(_ use: Property.Use) -> String {
    let names = use.kinds.map(\.rawValue).sorted()
    let kinds = names.count > 12 ? "most elements" : names.joined(separator: ", ")
    return "of \(kinds)" + (use.initial.map { "; \($0.description) by default" } ?? "")
  }

  /// Lines of words no longer than a terminal is wide, but for a word that is.
  private static func wrapped(_ text: Substring) -> String {
    let width = Console.isTerminal ? min(max(Console.columns, 40), 100) : 80
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var lines = [""]
      for word in line.split(separator: " ") {
        let last = lines[lines.count - 1]
        if last.isEmpty {
          lines[lines.count - 1] = String(word)
        } else if last.count + 1 + word.count <= width {
          lines[lines.count - 1] = last + " " + word
        } else {
          lines.append(String(word))
        }
      }
      return lines.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private static var overview: String {
    var text =
      "scenec docs WORD prints a page of the manual, or where the word appears; codes such as W0305 and "
      + "files such as std/charts.scene have pages too.\n"
    for chapter in ["element", "property", "function", "type", "easing", "word"] {
      let words = Manual.pages.filter { $0.chapter == chapter }.map(\.word)
      text += "\n" + wrapped("\(chapter): \(words.joined(separator: ", "))\n")
    }
    for path in Library.paths {
      let names = libraryEntries.filter { $0.path == path }.map(\.name)
      text += "\nstd/\(path): \(names.joined(separator: ", "))\n"
    }
    return text
  }

  // MARK: The library

  private struct Entry {
    let path: String
    let name: String
    let text: String
  }

  /// What the files of the library declare, each with the `///` lines above it.
  private static var libraryEntries: [Entry] {
    Library.paths.flatMap { path -> [Entry] in
      var entries: [Entry] = []
      var comment: [Substring] = []
      /// A head whose parameters go on over the next lines.
      var open: Entry?
      let text = String(decoding: Library.file(path) ?? [], as: UTF8.self)
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if let entry = open {
          let text = entry.text + "    \(line == ") {" ? ")" : line)\n"
          open = line.hasPrefix(")") ? nil : Entry(path: path, name: entry.name, text: text)
          if open == nil { entries.append(Entry(path: path, name: entry.name, text: text)) }
          continue
        }
        if line.hasPrefix("///") {
          comment.append(line.dropFirst(3))
          continue
        }
        let words = line.split { $0 == " " || $0 == "(" || $0 == ":" || $0 == "{" }
        if words.count > 1,
          ["effect", "transition", "component", "fn", "let", "style"].contains(String(words[0])),
          !words[1].hasPrefix("_"), !line.hasPrefix(" ")
        {
          let head = line.hasSuffix("{") ? line.dropLast() : line
          let about = comment.map { $0.trimmed }.joined(separator: "\n")
          let entry = Entry(
            path: path, name: String(words[1]), text: "\(about)\n\n    \(head.trimmed)\n")
          if line.hasSuffix("(") { open = entry } else { entries.append(entry) }
        }
        comment = []
      }
      return entries
    }
  }

  private static func libraryText(_ isMeant: (Entry) -> Bool, isFirst: Bool) -> String {
    libraryEntries.filter(isMeant).map { entry in
      let isPrelude = Library.prelude.contains(entry.path)
      let how = isPrelude ? "known everywhere" : "import \"std/\(entry.path)\""
      return (isFirst ? "" : "\n") + "\(entry.name) (std/\(entry.path), \(how))\n\n\(entry.text)"
    }.joined(separator: "\n")
  }
}

extension StringProtocol {
  /// Without white space at both ends.
  fileprivate var trimmed: String {
    var it = Substring(self)
    while it.first?.isWhitespace == true { it.removeFirst() }
    while it.last?.isWhitespace == true { it.removeLast() }
    return String(it)
  }
}
