// SPDX-License-Identifier: MIT
import FoundationEssentials

extension DiffReport {
  /// The report as an HTML page without references to other files.
  var html: String {
    var body = "<h1>\(DiffReport.escaped(old)) → \(DiffReport.escaped(new))</h1>\n"
    body += "<p>\(DiffReport.escaped(isEqual ? "The versions are equal." : summary + "."))</p>\n"
    let facts =
      [limitNote].compactMap { $0 } + settings.map { "\($0.name) \($0.old) → \($0.new)" }
      + files.map { "the content of \($0) differs" }
      + moves.map(\.title)
      + sound.map {
        "sound, \(DiffReport.time($0.start)) to \(DiffReport.time($0.end)): \($0.element.text)"
      } + alternatives.map(\.text)
    if !facts.isEmpty {
      body += "<ul>\n" + facts.map { "<li>\(DiffReport.escaped($0))</li>\n" }.joined() + "</ul>\n"
    }
    for range in ranges { body += range.html }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>\(DiffReport.escaped(old)) → \(DiffReport.escaped(new))</title>
      <style>\(DiffReport.style)</style>
      </head>
      <body>
      \(body)</body>
      </html>

      """
  }

  fileprivate static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }

  private static let style = """
    :root { color-scheme: light dark; --line: light-dark(#d8dce2, #3a414c); }
    body { font: 15px/1.5 system-ui, sans-serif; max-width: 1280px; margin: 2em auto; padding: 0 1em; }
    h1 { font-size: 1.4em } h2 { font-size: 1.1em; margin: 2em 0 .3em }
    ul { margin: .3em 0; padding-left: 1.2em }
    .frames { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px; margin: .6em 0 }
    figure { margin: 0 } figcaption { font-size: .85em; opacity: .7 }
    img { width: 100%; display: block; border: 1px solid var(--line); border-radius: 4px }
    code { font: .95em ui-monospace, monospace }
    """
}

extension DiffReport.Range {
  fileprivate var html: String {
    var text = "<h2>\(DiffReport.escaped(title))</h2>\n<ul>\n"
    for element in elements {
      text += "<li><code>\(DiffReport.escaped(element.text))</code></li>\n"
    }
    text += "</ul>\n"
    if isVisible == false { text += "<p>No visible change found.</p>\n" }
    for images in images {
      text += "<div class=\"frames\">\n"
      let columns = [
        ("before", images.old), ("after", images.new), ("difference", images.difference),
      ]
      for (name, file) in columns {
        guard let file else {
          text += "<figure></figure>\n"
          continue
        }
        let data = Data(file).base64EncodedString()
        text +=
          "<figure><img alt=\"frame \(images.frame), \(name)\" src=\"data:image/png;base64,\(data)\"><figcaption>\(name), frame \(images.frame)</figcaption></figure>\n"
      }
      text += "</div>\n"
    }
    return text
  }
}
