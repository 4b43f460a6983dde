// SPDX-License-Identifier: MIT
import Foundation
import SceneDiagnostics
import SceneLibrary

extension Site {
  func writeReference() throws {
    let kinds = [
      ("element", "Elements"), ("property", "Properties"), ("function", "Functions"),
      ("word", "Words"), ("type", "Types"), ("easing", "Easings"),
    ]
    let pictures = Dictionary(
      Gallery.pages.map { ("\($0.0.chapter) \($0.0.word)", $0.1) },
      uniquingKeysWith: { one, _ in one })
    try copy("Grammar/pictures/easings.png", "pictures/easings.png")
    var overview =
      "<h1>Reference</h1>\n<p class=\"lead\">A page for every element, property, function, word, type and easing.</p>\n"
    for (chapter, title) in kinds {
      let file = "\(title.lowercased()).html"
      let pages = Manual.pages.filter { $0.chapter == chapter }
      let links = pages.map {
        "<li><a href=\"\(file)#\(HTML.anchor($0.word))\"><code>\(HTML.escaped($0.word))</code></a></li>"
      }
      let list = "<ul class=\"words\">\(links.joined())</ul>\n"
      overview += "<h2 id=\"\(chapter)\"><a href=\"\(file)\">\(title)</a></h2>\n\(list)"
      var body = "<h1>\(title)</h1>\n\(list)"
      if chapter == "easing" {
        body += "<img src=\"pictures/easings.png\" alt=\"All easings as curves\">\n"
      }
      for page in pages {
        body += try section(page, pictures["\(chapter) \(page.word)"])
        let names = EverydayWords.pages.filter { $0.value == page.word }.map(\.key).sorted()
        entries.append(
          Entry(
            title: page.word, kind: chapter.capitalized,
            address: "\(file)#\(HTML.anchor(page.word))", names: names, text: Site.prose(page.text))
        )
      }
      try write(
        file, title: title, body: body, about: "\(title) of the scene language.",
        chapter: "reference.html")
    }
    overview += "<h2 id=\"library\"><a href=\"library.html\">Library</a></h2>\n"
    try write(
      "reference.html", title: "Reference", body: overview,
      about: "A page for every word of the scene language."
    )
    try writeLibrary()
  }

  /// Returns the section of a word, with its image beside its source.
  private func section(_ page: Manual.Page, _ picture: String?) throws -> String {
    let head = "<h2 id=\"\(HTML.anchor(page.word))\"><code>\(HTML.escaped(page.word))</code></h2>\n"
    let parts = page.text.components(separatedBy: "```scene\n")
    guard let picture, parts.count > 1 else {
      return head + HTML.markdown(page.text, link: Site.link)
    }
    let name = picture.split(separator: "/").suffix(2).joined(separator: "-")
    try copy(picture, "pictures/\(name)")
    let rest = parts[1].components(separatedBy: "\n```")
    let source = HTML.code(rest[0], isScene: true)
    let still =
      "<figure><img loading=\"lazy\" src=\"pictures/\(name)\" alt=\"\(HTML.escaped(page.word)) at its start, middle and end\"></figure>"
    let more =
      (rest.dropFirst().joined(separator: "\n```")
        + parts.dropFirst(2).map { "\n\n```scene\n" + $0 }.joined())
    return head + HTML.markdown(parts[0], link: Site.link) + pair(source, still)
      + HTML.markdown(more, link: Site.link)
  }

  private func writeLibrary() throws {
    var body =
      "<h1>Library</h1>\n<p class=\"lead\">Written in the scene language: <code>import \"std/charts.scene\"</code>. Effects and transitions need no import.</p>\n"
    for path in Library.paths {
      let source = String(decoding: Library.file(path) ?? [], as: UTF8.self)
      let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
      body +=
        "<h2 id=\"\(HTML.anchor(path))\"><code>std/\(path)</code></h2>\n\(HTML.code(source, isScene: true))"
      let names = lines.compactMap { line -> String? in
        let words = line.split { $0 == " " || $0 == "(" || $0 == "{" }
        let isDeclared =
          words.count > 1
          && ["component", "effect", "transition", "filter", "paint"].contains(words[0])
        return isDeclared ? String(words[1]) : nil
      }
      let about = lines.first.map { String($0.drop { $0 == "/" || $0 == " " }) } ?? ""
      entries.append(
        Entry(
          title: "std/\(path)", kind: "Library", address: "library.html#\(HTML.anchor(path))",
          names: names, text: about))
    }
    try write(
      "library.html", title: "Library", body: body, about: "The library that comes with scenec.",
      chapter: "reference.html")
  }

  func writeCodes() throws {
    var body =
      "<h1>Messages</h1>\n<p class=\"lead\">The meaning of each error and warning, with a scene that causes it and one that does not.</p>\n"
    let pages = Explanation.pages.values.sorted { $0.code.rawValue < $1.code.rawValue }
    for page in pages {
      let code = page.code.rawValue
      body += "<h2 id=\"\(code)\">\(code): \(HTML.escaped(page.title))</h2>\n"
      body += HTML.markdown(page.body, link: Site.link)
      let sides = [("Wrong", page.wrong), ("Right", page.right)].compactMap { title, source in
        source.map { "<div><h3>\(title)</h3>\(HTML.code($0, isScene: true))</div>" }
      }
      if sides.count == 2 { body += pair(sides[0], sides[1]) } else { body += sides.joined() }
      entries.append(
        Entry(
          title: code, kind: "Message", address: "codes.html#\(code)", names: [page.title],
          text: Site.prose(page.body)))
    }
    try write(
      "codes.html", title: "Messages", body: body, about: "Every error and warning, explained.")
  }
}
