// SPDX-License-Identifier: MIT
import Foundation

/// The parts of a section of README.md: the commands, the text up to its image, and the rest.
private struct FirstVideo {
  var commands: String
  var preview: String
  var message: String

  init(_ text: String) throws {
    let paragraphs = text.components(separatedBy: "\n\n")
    guard let code = paragraphs.firstIndex(where: { $0.hasSuffix("```") }),
      let image = paragraphs.firstIndex(where: { $0.hasPrefix("![") }), code < image
    else { throw Failure(description: "'First video' of README.md has no commands or no image") }
    func joined(_ part: some Sequence<String>) -> String { part.joined(separator: "\n\n") }
    commands = joined(paragraphs[...code])
    preview = joined(paragraphs[(code + 1)...image])
    message = joined(paragraphs[(image + 1)...])
  }
}

/// The start page: the sections of README.md in a wide layout, with a video instead of the still of
/// the first scene, and links to the chapters.
extension Site {
  private static let nextSteps = [
    (
      "tutorial.html", "Examples/tutorial/step-8.png", "Tutorial",
      "A complete video in eight steps, in a quarter of an hour."
    ),
    (
      "cookbook.html", "Examples/cookbook/stills/map.png", "Cookbook",
      "More than a hundred short scenes, one for each task."
    ),
    (
      "templates.html", nil, "Templates",
      "Complete scenes to start from: title, slideshow, podcast and more."
    ),
    (
      "reference.html", "Examples/demo/still.png", "Reference",
      "A page with an image for every element, property and function."
    ),
  ]

  func writeStart() throws {
    let readme = try String(contentsOfFile: "README.md", encoding: .utf8)
    let parts = readme.components(separatedBy: "\n## ")
    let sections = Dictionary(
      parts.dropFirst().map { part in
        let title = String(part.prefix { $0 != "\n" })
        return (title, String(part.dropFirst(title.count)))
      }, uniquingKeysWith: { first, _ in first })
    func text(of title: String) throws -> String {
      guard let text = sections[title] else {
        throw Failure(description: "README.md has no section '\(title)'")
      }
      return text
    }
    func heading(_ title: String) -> String {
      "<h2 id=\"\(HTML.anchor(title))\">\(HTML.escaped(title))</h2>\n"
    }
    func section(_ title: String) throws -> String {
      try heading(title) + markdown(text(of: title))
    }
    let first = try FirstVideo(text(of: "First video"))
    let body = """
      \(try hero(parts[0]))
      <section class="speed">\(try section("Speed"))</section>
      <div class="pair even"><section>\(try section("Install"))</section>
      <section>\(heading("First video"))\(try markdown(first.commands))</section></div>
      <div class="pair even"><section>\(try markdown(first.preview))</section>
      <section>\(try markdown(first.message))</section></div>
      <section>\(try section("Coming from …"))</section>
      <section class="showcase">\(try section("Examples"))</section>
      <section><h2 id="next-steps">Next steps</h2>
      <ul class="tiles">\(try tiles().joined())</ul></section>
      <section>\(try section("Limits and status"))</section>
      """
    try write(
      "index.html", title: "Motion graphics from text",
      body: "<div class=\"start\">\n\(body)\n</div>",
      about: "scenec compiles text into video.")
  }

  /// Returns the pitch with its moving image, the first scene beside its video, and the features.
  private func hero(_ text: String) throws -> String {
    let paragraphs = text.components(separatedBy: "\n\n")
    guard let pitch = paragraphs.first(where: { $0.hasPrefix("**") }),
      let film = paragraphs.first(where: { $0.hasPrefix("![") }),
      let open = text.range(of: "```scene\n"),
      let close = text.range(of: "\n```", range: open.upperBound..<text.endIndex),
      let features = text.range(of: "\n- ", range: close.upperBound..<text.endIndex)
    else {
      throw Failure(description: "README.md does not start with a pitch, an image and a scene")
    }
    let source = String(text[open.upperBound..<close.lowerBound])
    try source.write(toFile: "\(folder)/scenes/intro.scene", atomically: true, encoding: .utf8)
    let video = video(
      "intro", still: nil, scene: "intro.scene", in: "\(folder)/scenes", at: "2s")
    return """
      <div class="hero"><div><h1>Motion graphics from text</h1>
      <div class="lead">\(try markdown(pitch))</div></div>
      <div class="film">\(try markdown(film))</div></div>
      \(pair(video, HTML.code(source, isScene: true)))
      <div class="features">\(try markdown(String(text[features.lowerBound...])))</div>
      """
  }

  private func tiles() throws -> [String] {
    try Site.nextSteps.map { address, image, title, text in
      guard let image else {
        return tile(address, still: "stills/template-slideshow.png", title: title, text: text)
      }
      let file = "stills/\(image.split(separator: "/").suffix(2).joined(separator: "-"))"
      try copy(image, file)
      return tile(address, still: file, title: title, text: text)
    }
  }

  /// Converts Markdown of the README. Copies its images into the site. Folders of examples lead to
  /// their still at full size.
  private func markdown(_ text: String) throws -> String {
    var failure: (any Error)?
    let html = HTML.markdown(text) { place in
      let still = "\(place)/still.png"
      let isImage = [".png", ".webp"].contains { place.hasSuffix($0) }
      guard isImage || FileManager.default.fileExists(atPath: still) else {
        return Site.link(place)
      }
      let source = isImage ? place : still
      let file = "stills/\(source.split(separator: "/").suffix(2).joined(separator: "-"))"
      do { try copy(source, file) } catch { failure = error }
      return file
    }
    if let failure { throw failure }
    return html
  }
}
