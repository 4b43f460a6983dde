// SPDX-License-Identifier: MIT
import Foundation
import SceneDiagnostics
import SceneLibrary

/// The documentation as static pages: tutorial, cookbook, templates and reference, with images
/// beside their sources, videos, and a client-side search.
final class Site {
  /// An entry of the search index.
  private typealias Entry = (
    title: String, kind: String, address: String, names: [String], text: String
  )

  private let folder: String
  private let scenec = ".build/release/scenec"
  private var entries: [Entry] = []
  private var videos: [(scene: String, folder: String, file: String)] = []

  private static let chapters = [
    ("tutorial.html", "Tutorial"), ("cookbook.html", "Cookbook"), ("templates.html", "Templates"),
    ("language.html", "Language"), ("reference.html", "Reference"),
    ("topics.html", "Topics"), ("coming-from.html", "Coming from"),
    ("codes.html", "Messages"),
  ]

  init(_ folder: String) { self.folder = folder }

  func build() throws {
    for name in ["", "stills", "videos", "pictures", "scenes"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    for file in ["style.css", "page.js"] { try copy("Sources/scenec-dev/Site/\(file)", file) }
    try writeTutorial()
    try writeCookbook()
    try writeTemplates()
    try writeReference()
    try writeDocument(
      "Grammar/README.md", "language.html", "The language",
      "How scenes are written, from the first line to the last word.")
    try writeDocument(
      "Grammar/manual/topics.md", "topics.html", "Topics",
      "Tasks, techniques, and the closest alternatives to missing features.")
    try writeDocument(
      "Grammar/manual/coming-from.md", "coming-from.html",
      "For people who come from other programs",
      "Their words, and what they are called here.")
    try writeCodes()
    try writeStart()
    try writeIndex()
    try makeVideos()
  }

  // MARK: Pages

  private func write(
    _ file: String, _ title: String, _ body: String, about: String, chapter: String? = nil
  ) throws {
    let links = Site.chapters.map { address, name in
      let here = (chapter ?? file) == address ? " aria-current=\"page\"" : ""
      return "<a href=\"\(address)\"\(here)>\(name)</a>"
    }.joined(separator: "\n")
    let page = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(HTML.escaped(title)) · scenec</title>
      <meta name="description" content="\(HTML.escaped(about))">
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="style.css">
      <script>try { const it = localStorage.getItem('theme'); if (it) document.documentElement.dataset.theme = it } catch {}</script>
      <body>
      <a class="skip" href="#the-page">To the content</a>
      <header>
      <a class="name" href="index.html">scenec</a>
      <nav aria-label="Chapters">
      \(links)
      </nav>
      <div class="find"><input id="find" type="search" placeholder="Find: glow, portrait …" aria-label="Find" aria-controls="found" autocomplete="off"><ul id="found" hidden></ul></div>
      <button id="theme" type="button" hidden>Dark</button>
      </header>
      <main id="the-page" tabindex="-1">
      \(body)
      </main>
      <footer>Made by <code>make site</code> from the documents of scenec. Every scene on these pages is tested.</footer>
      <script src="index.js"></script>
      <script src="page.js"></script>
      </body>
      </html>

      """
    try page.write(toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
  }

  private func writeStart() throws {
    let tiles = [
      (
        "tutorial.html", "Examples/tutorial/step-8.png", "A film in eight steps",
        "From nothing to a film, in a quarter of an hour."
      ),
      (
        "cookbook.html", "Examples/cookbook/stills/map.png", "Cookbook",
        "A short scene for each thing that people make."
      ),
      (
        "templates.html", nil, "Templates",
        "Beginnings that look right at once: title, slideshow, podcast …"
      ),
      (
        "reference.html", "Examples/demo/still.png", "Reference",
        "A page and a picture for every word."
      ),
    ].map { address, picture, title, text -> String in
      let file = (picture ?? "").split(separator: "/").suffix(2).joined(separator: "-")
      if let picture { try? copy(picture, "stills/\(file)") }
      let still = picture == nil ? "stills/template-kinetic.png" : "stills/\(file)"
      return tile(address, still, title, text)
    }
    let source = """
      scene {
          for: 3s
          circle {
              radius: 0 -> 160 over 0.8s with spring(bounce: 0.4)
              fill: orange
          }
          text "Hello" { at: 0.4s;  enter: [fade, rise] }
      }
      """
    try source.write(toFile: "\(folder)/scenes/hello.scene", atomically: true, encoding: .utf8)
    let body = """
      <h1>Motion from text</h1>
      <p class="lead">scenec turns a scene file into a video: a small typed language with units, helpful messages, exact times, the same pixels everywhere.</p>
      \(pair(video("hello", still: nil, scene: "hello.scene", in: "\(folder)/scenes", at: "1.5s"), HTML.code(source, isScene: true)))
      <ul class="tiles">\(tiles.joined())</ul>
      """
    try write(
      "index.html", "Motion from text", body, about: "scenec turns scenes of text into videos.")
  }

  private func writeTutorial() throws {
    let text = try String(contentsOfFile: "Examples/tutorial/README.md", encoding: .utf8)
    var body = ""
    for (index, part) in text.components(separatedBy: "\n## ").enumerated() {
      let markdown = index == 0 ? part : "## " + part
      let link = { (place: String) -> String? in
        if place.hasSuffix(".png") { return nil }
        if place.hasPrefix("step-") { return "scenes/\(place)" }
        return Site.link(place)
      }
      let html = HTML.markdown(markdown, link: link)
      guard (1...8).contains(index) else {
        body += html
        continue
      }
      try copy("Examples/tutorial/step-\(index).scene", "scenes/step-\(index).scene")
      let film = video(
        "step-\(index)", still: "Examples/tutorial/step-\(index).png", scene: "step-\(index).scene",
        in: "Examples/tutorial", at: nil)
      let title = String(part.prefix { $0 != "\n" })
      body += pair(film, "<div>\(html)</div>")
      entries.append(
        (title, "Tutorial", "tutorial.html#\(HTML.anchor(title))", [], Site.prose(part)))
    }
    try copy("Examples/tutorial/music.opus", "scenes/music.opus")
    try write(
      "tutorial.html", "A film in eight steps", body,
      about: "From nothing to a film in a quarter of an hour.")
  }

  private func writeCookbook() throws {
    let cookbook = try Cookbook()
    var body =
      "<h1>Cookbook</h1>\n<p class=\"lead\">Short scenes, each for one thing that people make.</p>\n"
    for (title, recipes) in cookbook.chapters {
      let tiles = try recipes.map { recipe -> String in
        try writeRecipe(recipe)
        return tile(
          "recipe-\(recipe.name).html", "stills/recipe-\(recipe.name).png", recipe.name,
          recipe.sentence)
      }
      body +=
        "<h2 id=\"\(HTML.anchor(title))\">\(title)</h2>\n<ul class=\"tiles\">\(tiles.joined())</ul>\n"
    }
    for file in try FileManager.default.contentsOfDirectory(atPath: Cookbook.folder)
    where !file.hasSuffix(".md") && file != "stills" {
      try copy("\(Cookbook.folder)/\(file)", "scenes/\(file)")
    }
    try write(
      "cookbook.html", "Cookbook", body, about: "Short scenes, each for one thing that people make."
    )
  }

  private func writeRecipe(_ recipe: Cookbook.Recipe) throws {
    let film = video(
      "recipe-\(recipe.name)", still: "\(Cookbook.folder)/stills/\(recipe.name).png",
      scene: "\(recipe.name).scene", in: Cookbook.folder, at: recipe.instant)
    let words = recipe.words.hasSuffix(".") ? String(recipe.words.dropLast()) : recipe.words
    let files = try Site.files(of: recipe.scene, in: Cookbook.folder)
    let links = (["\(recipe.name).scene"] + files).map {
      "<a href=\"scenes/\($0)\" download>\($0)</a>"
    }
    let body = """
      <p><a href="cookbook.html">Cookbook</a></p>
      <h1>\(recipe.name)</h1>
      <p class="lead">\(HTML.escaped(recipe.sentence))</p>
      \(pair(film, HTML.code(recipe.scene.trimmingCharacters(in: .newlines), isScene: true)))
      <p>Files: \(links.joined(separator: ", "))</p>
      <p>Also found as: \(HTML.escaped(words)).</p>
      """
    entries.append(
      (
        recipe.name, "Recipe", "recipe-\(recipe.name).html", words.components(separatedBy: ", "),
        recipe.sentence
      ))
    try write(
      "recipe-\(recipe.name).html", recipe.name, body, about: recipe.sentence,
      chapter: "cookbook.html")
  }

  private func writeTemplates() throws {
    var body = """
      <h1>Templates</h1>
      <p class="lead">Beginnings that look right at once. <code>scenec new</code> lists them; each is a scene with the files that it shows, to be changed.</p>

      """
    let place = "\(folder)/scenes/templates"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    for template in Templates.all {
      for (name, bytes) in template.files + [("\(template.name).scene", template.scene)] {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(place)/\(name)"))
      }
      let source = String(decoding: template.scene, as: UTF8.self)
      let film = video(
        "template-\(template.name)", still: nil, scene: "\(template.name).scene", in: place,
        at: nil)
      let call = HTML.code("scenec new mine --from \(template.name)", isScene: false)
      body += """
        <h2 id="\(template.name)">\(template.name)</h2>
        <p>\(HTML.escaped(template.about))</p>
        \(pair(film, "<div>\(call)\(HTML.code(source.trimmingCharacters(in: .newlines), isScene: true))</div>"))

        """
      entries.append(
        (
          template.name, "Template", "templates.html#\(template.name)", template.otherNames,
          template.about
        ))
    }
    try write("templates.html", "Templates", body, about: "Scenes to begin with.")
  }

  // MARK: Reference

  private func writeReference() throws {
    let kinds = [
      ("element", "Elements"), ("property", "Properties"), ("function", "Functions"),
      ("word", "Words"), ("type", "Types"), ("easing", "Easings"),
    ]
    let pictures = Dictionary(
      Gallery.pages.map { ("\($0.0.chapter) \($0.0.word)", $0.1) },
      uniquingKeysWith: { one, _ in one })
    try copy("Grammar/pictures/easings.png", "pictures/easings.png")
    var overview = "<h1>Reference</h1>\n<p class=\"lead\">A page for every word.</p>\n"
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
          (
            page.word, chapter.capitalized, "\(file)#\(HTML.anchor(page.word))", names,
            Site.prose(page.text)
          ))
      }
      try write(
        file, title, body, about: "\(title) of the scene language.", chapter: "reference.html")
    }
    overview += "<h2 id=\"library\"><a href=\"library.html\">Library</a></h2>\n"
    try write("reference.html", "Reference", overview, about: "Every word of the scene language.")
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
      "<h1>Library</h1>\n<p class=\"lead\">Written in the language itself: <code>import \"std/charts.scene\"</code>. Effects and transitions are known everywhere.</p>\n"
    for path in Library.paths {
      let source = String(decoding: Library.file(path) ?? [], as: UTF8.self)
      let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
      body +=
        "<h2 id=\"\(HTML.anchor(path))\"><code>std/\(path)</code></h2>\n\(HTML.code(source, isScene: true))"
      let names = lines.compactMap { line -> String? in
        let words = line.split { $0 == " " || $0 == "(" || $0 == "{" }
        let isDeclared =
          words.count > 1 && ["component", "effect", "transition"].contains(words[0])
        return isDeclared ? String(words[1]) : nil
      }
      let about = lines.first.map { String($0.drop { $0 == "/" || $0 == " " }) } ?? ""
      entries.append(("std/\(path)", "Library", "library.html#\(HTML.anchor(path))", names, about))
    }
    try write(
      "library.html", "Library", body, about: "What comes with scenec.", chapter: "reference.html")
  }

  private func writeCodes() throws {
    var body =
      "<h1>Messages</h1>\n<p class=\"lead\">What each error and warning means, with a scene that has it and one that has not.</p>\n"
    let pages = Explanation.pages.values.sorted { $0.code.rawValue < $1.code.rawValue }
    for page in pages {
      let code = page.code.rawValue
      body += "<h2 id=\"\(code)\">\(code): \(HTML.escaped(page.title))</h2>\n"
      body += HTML.markdown(page.body, link: Site.link)
      let sides = [("Wrong", page.wrong), ("Right", page.right)].compactMap { title, source in
        source.map { "<div><h3>\(title)</h3>\(HTML.code($0, isScene: true))</div>" }
      }
      if sides.count == 2 { body += pair(sides[0], sides[1]) } else { body += sides.joined() }
      entries.append((code, "Message", "codes.html#\(code)", [page.title], Site.prose(page.body)))
    }
    try write("codes.html", "Messages", body, about: "Every error and warning, explained.")
  }

  private func writeDocument(_ path: String, _ file: String, _ title: String, _ about: String)
    throws
  {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try write(file, title, HTML.markdown(text, link: Site.link), about: about)
    for part in text.components(separatedBy: "\n## ").dropFirst() {
      let head = String(part.prefix { $0 != "\n" })
      entries.append(
        (
          head.replacingOccurrences(of: "`", with: ""), title, "\(file)#\(HTML.anchor(head))",
          Manual.searchWords(in: part), Site.prose(part)
        ))
    }
  }

  private func writeIndex() throws {
    let rows = entries.map { [$0.title, $0.kind, $0.address, $0.names, $0.text] as [Any] }
    let data = try JSONSerialization.data(withJSONObject: rows, options: [.withoutEscapingSlashes])
    try (Data("const INDEX = ".utf8) + data + Data(";\n".utf8)).write(
      to: URL(fileURLWithPath: "\(folder)/index.js"))
  }

  // MARK: Page elements

  private func pair(_ one: String, _ other: String) -> String {
    "<div class=\"pair\">\(one)\(other)</div>\n"
  }

  private func tile(_ address: String, _ still: String, _ title: String, _ text: String) -> String {
    "<li><a href=\"\(address)\"><img loading=\"lazy\" src=\"\(still)\" alt=\"\"><b>\(HTML.escaped(title))</b><span>\(HTML.escaped(text))</span></a></li>\n"
  }

  /// Returns the element for a video that is built later, with a still as its poster.
  private func video(
    _ name: String, still: String?, scene: String, in place: String, at instant: String?
  ) -> String {
    let source = (try? String(contentsOfFile: "\(place)/\(scene)", encoding: .utf8)) ?? ""
    let isClear = source.contains("background: none")
    let file = "videos/\(name).\(isClear ? "webm" : "mp4")"
    videos.append((scene: scene, folder: place, file: file))
    let picture = "stills/\(name).png"
    if let still {
      try? copy(still, picture)
    } else {
      let duration = instant.map { ["--at", $0] } ?? ["--at", "2.5s"]
      _ = try? Child.run(
        [scenec, "frame", "\(place)/\(scene)"] + duration + [
          "--width", "480", "-o", "\(folder)/\(picture)", "--quiet",
        ])
    }
    let hasSound = source.contains("audio ") || source.contains("video \"")
    let quiet = hasSound ? "" : " muted loop data-silent"
    let tall = source.contains("size: 1080x1920") ? " class=\"tall\"" : ""
    let clear = isClear ? " class=\"clear\"" : ""
    return
      "<figure\(tall)><video\(clear) controls playsinline preload=\"none\"\(quiet) poster=\"\(picture)\" src=\"\(file)\" aria-label=\"\(name)\"></video></figure>"
  }

  /// Builds the videos that are older than the program or their scene.
  private func makeVideos() throws {
    func time(_ path: String) -> Date? {
      (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }
    let program = time(scenec) ?? .distantFuture
    for (scene, place, file) in videos {
      let output = "\(folder)/\(file)"
      let known = max(program, time("\(place)/\(scene)") ?? .distantFuture)
      if let made = time(output), made > known { continue }
      let film = try withoutOutputs(scene, place)
      defer { if film != "\(place)/\(scene)" { try? FileManager.default.removeItem(atPath: film) } }
      _ = try Child.run([
        scenec, "build", film, "--width", "640", "--codec", file.hasSuffix("webm") ? "vp9" : "h264",
        "-o", output, "--quiet",
      ])
      print(output)
    }
  }

  /// Returns a copy of a scene without its `output` blocks if it has any, since browsers may not
  /// play their formats.
  private func withoutOutputs(_ scene: String, _ place: String) throws -> String {
    let path = "\(place)/\(scene)"
    let source = try String(contentsOfFile: path, encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    var isInOutput = false
    let rest = lines.filter { line in
      if line.hasPrefix("    output ") {
        isInOutput = !line.hasSuffix("}")
        return false
      }
      // An output block of several lines ends with a brace at the same indentation.
      defer { if line == "    }" { isInOutput = false } }
      return !isInOutput
    }
    guard rest.count < lines.count else { return path }
    // Copies of the scene's files are in this folder.
    let copies = place.hasPrefix(folder) ? place : "\(folder)/scenes"
    let film = "\(copies)/film-\(scene)"
    try rest.joined(separator: "\n").write(toFile: film, atomically: true, encoding: .utf8)
    return film
  }

  private func copy(_ path: String, _ name: String) throws {
    let target = "\(folder)/\(name)"
    try? FileManager.default.removeItem(atPath: target)
    try FileManager.default.copyItem(atPath: path, toPath: target)
  }

  // MARK: Text

  /// Returns the target of a link within the site; `nil` for documents outside it.
  private static func link(_ place: String) -> String? {
    let known = [
      "../cookbook": "cookbook.html", "../tutorial": "tutorial.html",
      "../../README.md": "index.html",
      "../../Grammar/README.md": "language.html", "Examples/cookbook": "cookbook.html",
    ]
    if let page = known[place] { return page }
    let isOutside = place.hasPrefix("https://") || place.hasPrefix("http://")
    return isOutside || place.hasPrefix("#") ? place : nil
  }

  /// Returns the text without code and markup.
  private static func prose(_ text: String) -> String {
    var isCode = false
    let lines = text.split(separator: "\n").filter { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return !isCode && !line.hasPrefix("```") && !line.hasPrefix("| ---")
    }
    return lines.joined(separator: " ").filter { $0 != "`" && $0 != "|" }
      .split(separator: " ").joined(separator: " ")
  }

  /// Returns the files in a folder that a scene refers to.
  private static func files(of source: String, in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { file in
      let stem = file.prefix { !$0.isNumber }
      let isListed = stem != file[...] && source.contains("\"\(stem)")
      return source.contains("\"\(file)\"") || isListed && file.hasSuffix(".png")
        || isListed && file.hasSuffix(".jpg")
    }
  }
}
