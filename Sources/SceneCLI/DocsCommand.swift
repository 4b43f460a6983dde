// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLibrary
import SceneText

/// `scenec docs WORD`: the page of the manual, in the terminal.
struct DocsCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    guard let word = call.operands.first else {
      Console.print(DocsCommand.overview)
      return .done
    }
    guard call.operands.count == 1 else {
      throw Invocation.Fault(message: "name one word, such as 'scenec docs rect'")
    }
    let pages = Manual.pages.filter { $0.word == word }
    var text = pages.map(DocsCommand.text).joined(separator: "\n")
    text += DocsCommand.libraryText(word, isFirst: pages.isEmpty)
    guard !text.isEmpty else {
      let known = Manual.pages.map(\.word) + DocsCommand.libraryEntries.map(\.name)
      let near = nearest(word, in: known)
      console.error(
        "the manual has no page '\(word)'", help: near.map { "did you mean '\($0)'?" })
      return .callWrong
    }
    Console.print(text)
    return .done
  }

  /// A page with what the tables of the checker say.
  private static func text(_ page: Manual.Page) -> String {
    var head = "\(page.word) (\(page.chapter))\n"
    if page.chapter == "property", let spec = PropertyTable.all[page.word] {
      let kinds = spec.kinds.map(\.rawValue).sorted()
      head += kinds.count > 12 ? "of most elements\n" : "of \(kinds.joined(separator: ", "))\n"
    }
    if page.chapter == "function", let signature = Functions.all[page.word] {
      head += signature.description + "\n"
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
    var text = "scenec docs WORD prints the page of the manual.\n"
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

  private static func libraryText(_ word: String, isFirst: Bool) -> String {
    libraryEntries.filter { $0.name == word }.map { entry in
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
