// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneDiagnostics
import SceneLibrary
import SceneText
import SceneTypes

/// The `scenec docs WORD` command: prints a page of the manual.
package struct DocsCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    if let name = call.value("schema") { return schema(name) }
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
        "no manual page matches '\(word)'", help: near.map { "did you mean '\($0)'?" })
      return .callWrong
    }
    Console.print(text)
    return .done
  }

  private func schema(_ name: String) -> ExitCode {
    guard let text = Schemas.text(name) else {
      console.error(
        "unknown schema '\(name)'",
        help: "the schemas are \(Schemas.names.joined(separator: ", "))")
      return .callWrong
    }
    Console.print(text)
    return .done
  }

  /// Returns the page of a word, a code, a library file or a file of the manual, or the places that
  /// mention the word.
  package static func answer(to word: String) -> String {
    let wanted = word.lowercased()
    if let code = Code(rawValue: word.uppercased()) { return Explanation.of(code).text }
    let page = page(of: wanted)
    if !page.isEmpty {
      let recipe = recipe(wanted)
      let same = recipe.isEmpty ? "" : "\n" + recipe
      return page + same + otherPage(wanted) + wholeScenes([wanted])
    }
    let files = ["std/\(wanted)", "std/\(wanted).scene", wanted, "\(wanted).scene"]
    let file = libraryText({ files.contains("std/\($0.path)") }, isFirst: true)
    let text = [manualFile(wanted), file].filter { !$0.isEmpty }.joined(separator: "\n")
    return text.isEmpty ? elsewhere(wanted) : text + otherPage(wanted)
  }

  /// Returns the introduction and the list of pages of a file of the manual, such as `types`.
  private static func manualFile(_ word: String) -> String {
    let name = word.split(separator: " ").joined(separator: "-")
    guard let file = Manual.files.first(where: { $0.name == name || "\($0.name).md" == name })
    else { return "" }
    let introduction = DocsText.page(file.introduction).trimmed
    let list = file.pages.map { DocsText.wrapped("\($0.word): \(summary(of: $0))\n") }.joined()
    return "\(file.name) (file of the manual)\n\n\(introduction)\n\n\(list)"
  }

  /// Returns the first sentence of a page.
  private static func summary(of page: Manual.Page) -> String {
    var sentence: [Substring] = []
    for word in (page.text.split(separator: "\n").first ?? "").split(separator: " ") {
      sentence.append(word)
      // Two dots are a range.
      if word.hasSuffix("."), !word.hasSuffix("..") { break }
    }
    return sentence.joined(separator: " ")
  }

  /// Returns the entries of the manual and the library with the given name.
  private static func page(of word: String) -> String {
    let pages = Manual.pages.filter { $0.word == word && $0.chapter != "recipe" }
    return pages.map(DocsCommand.text).joined(separator: "\n")
      + libraryText({ $0.name.lowercased() == word }, isFirst: pages.isEmpty)
  }

  /// Returns the topic and migration pages with a word among their search words.
  private static func topics(calledBy word: String) -> String {
    let plain = DocsSearch.plain(word)
    let pages = Manual.pages.filter { page in
      ["topic", "program"].contains(page.chapter)
        && page.searchWords.contains { DocsSearch.plain($0) == plain }
    }
    return pages.map { "See '\($0.word)' for '\(word)':\n\n" + text($0) }.joined(separator: "\n")
  }

  private static func recipe(_ name: String) -> String {
    let pages = Manual.pages.filter { $0.word == name && $0.chapter == "recipe" }
    return pages.map(DocsCommand.text).joined(separator: "\n")
  }

  /// Returns a reference to a second meaning of a word, such as `fade-in` for audio and for
  /// elements.
  private static func otherPage(_ word: String) -> String {
    guard let other = EverydayWords.page(of: word), other != word else { return "" }
    return "\nSee also: scenec docs \(other).\n"
  }

  /// Returns the result for a word without a page: its name in scenec, the command of that name, or
  /// the places that mention the word.
  private static func elsewhere(_ word: String) -> String {
    // Plural: 'chapters' is found under 'chapter'. Names of pages have hyphens instead of spaces.
    let one = word.hasSuffix("s") ? String(word.dropLast()) : word
    let names = [one] + [one, word].map { $0.split(separator: " ").joined(separator: "-") }
    if let name = EverydayWords.page(of: word) ?? names.first(where: { !page(of: $0).isEmpty }) {
      let recipe = [word, name].lazy.map { Self.recipe($0) }.first { !$0.isEmpty }
      let more = recipe.map { "\n" + $0 } ?? ""
      return "See '\(name)' for '\(word)':\n\n" + page(of: name) + more
        + wholeScenes([word, name])
    }
    if let command = CommandSpec.all.first(where: { $0.name == word }) {
      return
        "'scenec \(word)' is a command: \(command.summary). Run 'scenec help \(word)' for details.\n"
    }
    let recipe = Self.recipe(names.last ?? word)
    if !recipe.isEmpty { return recipe }
    let topics = topics(calledBy: word)
    if !topics.isEmpty { return topics }
    let found = search.answer(to: word)
    return found.isEmpty
      ? "" : "No page is named '\(word)'. These pages mention it:\n\n" + found
  }

  /// Returns a reference to the recipes and templates that match one of some words.
  private static func wholeScenes(_ words: [String]) -> String {
    func names(_ place: String) -> [String] {
      var seen: Set<String> = []
      return words.flatMap { search.names(in: place, calledBy: $0) }.filter {
        !words.contains($0) && seen.insert($0).inserted
      }
    }
    let ways =
      names("recipe").prefix(5).map { "scenec docs \($0)" }
      + names("template").map { "scenec new NAME --from \($0)" }
    guard !ways.isEmpty else { return "" }
    return "\n" + DocsText.wrapped("Complete scenes: \(ways.joined(separator: ", ")).\n")
  }

  /// The search index of all documentation.
  private static let search = DocsSearch(
    entries: Manual.pages.map { page in
      .init(
        name: page.word, place: page.chapter, otherNames: page.searchWords, text: page.text)
    }
      + libraryEntries.map { .init(name: $0.name, place: "std/\($0.path)", text: $0.text) }
      + Templates.all.map {
        .init(name: $0.name, place: "template", otherNames: $0.otherNames, text: $0.about)
      }
      + CommandSpec.all.map {
        .init(name: "scenec \($0.name)", place: "command", text: Help.page($0))
      }
      + Explanation.pages.values.sorted { $0.code.rawValue < $1.code.rawValue }.map {
        .init(name: $0.code.rawValue, place: $0.title, text: $0.body)
      })

  /// Returns a page with information from the tables of the checker.
  private static func text(_ page: Manual.Page) -> String {
    var head = "\(page.word) (\(page.chapter))\n"
    if page.chapter == "property", let property = Property.named(page.word) {
      let declaration = property.declaration
      head += declaration.uses.map { DocsText.wrapped("\(use($0, of: property))\n") }.joined()
      if declaration.isInherited { head += "inherited by children\n" }
    }
    if page.chapter == "function", let function = BuiltIn.all[page.word] {
      head += signature(of: function) + "\n"
    }
    return head + "\n" + DocsText.page(page.text).trimmed + "\n"
  }

  /// Returns a signature such as `clamp(x: number, low: number, high: number) -> number`.
  private static func signature(of function: BuiltIn) -> String {
    let parameters = function.parameters.map { "\($0.description): \($0.type.rawValue)" }
    return "\(function.name)(\(parameters.joined(separator: ", "))) -> \(function.result.rawValue)"
  }

  /// Returns a usage line such as `of line, path; 4 by default; at least 0`.
  private static func use(_ use: Property.Use, of property: Property) -> String {
    var names = use.kinds.map(\.rawValue).sorted()
    // These properties also control a scene that is used as an element.
    let playing: Set<Property> = [.time, .speed, .trim, .loop]
    if playing.contains(property), use.kinds.contains(.video) { names.append("scenes as elements") }
    let kinds = names.count > 12 ? "most elements" : names.joined(separator: ", ")
    let initial = use.initial.map { "; \($0.description) by default" } ?? ""
    return "of \(kinds)\(initial)" + (use.range.map { "; \($0.description)" } ?? "")
  }

  private static var overview: String {
    var text =
      "scenec docs WORD prints a page of the manual, or lists the pages that mention the words. Codes such as "
      + "W0305 and files such as std/charts.scene have pages as well.\n"
    for chapter in [
      "element", "property", "function", "type", "easing", "word", "topic", "program", "recipe",
    ] {
      let words = Manual.pages.filter { $0.chapter == chapter }.map(\.word)
      text += "\n" + DocsText.wrapped("\(chapter): \(words.joined(separator: ", "))\n")
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

  /// The declarations in the library files, each with its preceding `///` lines.
  private static let libraryEntries: [Entry] =
    Library.paths.flatMap { path -> [Entry] in
      var entries: [Entry] = []
      var comment: [Substring] = []
      /// A declaration whose parameters continue on the next lines.
      var open: Entry?
      let text = String(decoding: Library.file(path) ?? [], as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
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
          ["effect", "transition", "component", "filter", "paint", "fn", "let", "style"].contains(
            String(words[0])),
          !words[1].hasPrefix("_"), !line.hasPrefix(" ")
        {
          let isFunction = words[0] == "fn"
          let head = isFunction ? functionHead(lines[index...]) : headLine(line)
          let about = comment.map { $0.trimmed }.joined(separator: "\n")
          let entry = Entry(path: path, name: String(words[1]), text: "\(about)\n\n\(head)\n")
          if line.hasSuffix("("), !isFunction { open = entry } else { entries.append(entry) }
        }
        comment = []
      }
      return entries
    }

  private static func headLine(_ line: Substring) -> String {
    "    \((line.hasSuffix("{") ? line.dropLast() : line).trimmed)"
  }

  /// Returns the declaration of a function at the start of `lines`: complete if it is a single
  /// line, otherwise without its body.
  private static func functionHead(_ lines: ArraySlice<Substring>) -> String {
    let more = lines.dropFirst().prefix { [" ", ")", "]"].contains($0.first) }
    guard let first = lines.first, !more.isEmpty else { return lines.first.map(headLine) ?? "" }
    var depth = 0
    let head = ([first] + more).joined(separator: "\n").prefix { character in
      depth += "([".contains(character) ? 1 : ")]".contains(character) ? -1 : 0
      return character != "=" || depth > 0
    }
    return head.trimmed.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
  }

  private static func libraryText(_ isMeant: (Entry) -> Bool, isFirst: Bool) -> String {
    libraryEntries.filter(isMeant).map { entry in
      let isPrelude = Library.prelude.contains(entry.path)
      let how = isPrelude ? "always available" : "import \"std/\(entry.path)\""
      return (isFirst ? "" : "\n") + "\(entry.name) (std/\(entry.path), \(how))\n\n\(entry.text)"
    }.joined(separator: "\n")
  }
}

extension StringProtocol {
  /// The text without white space at both ends.
  fileprivate var trimmed: String {
    var it = Substring(self)
    while it.first?.isWhitespace == true { it.removeFirst() }
    while it.last?.isWhitespace == true { it.removeLast() }
    return String(it)
  }
}
