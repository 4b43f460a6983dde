// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneLanguage
import SceneSyntax

/// Conversion of Markdown and scenes to HTML, limited to the Markdown features in use.
enum HTML {
  static func escaped(_ text: some StringProtocol) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
  }

  /// Returns the anchor of a heading: lower case with hyphens; operators are spelled out.
  static func anchor(_ title: some StringProtocol) -> String {
    if let name = ["->": "motion", "..": "range", "?": "choice"][String(title)] { return name }
    let words = title.lowercased().filter { $0 != "`" }.map {
      $0.isLetter || $0.isNumber || $0 == "-" ? $0 : " "
    }
    return String(words).split(separator: " ").joined(separator: "-")
  }

  // MARK: Markdown

  /// Converts a text to HTML. `link` returns the target of a link; `nil` removes the link but keeps
  /// its text.
  static func markdown(_ text: String, link: (String) -> String?) -> String {
    var html = ""
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = lines.first {
      if line.hasPrefix("```") {
        let body = lines.dropFirst().prefix { !$0.hasPrefix("```") }
        lines = lines.dropFirst(body.count + 2)
        html += code(
          body.joined(separator: "\n"), isScene: line == "```scene" || line == "```project")
      } else if line.hasPrefix("#") {
        let level = line.prefix { $0 == "#" }.count
        let title = line.dropFirst(level + 1)
        html +=
          "<h\(level) id=\"\(anchor(title))\">\(inline(title, link))</h\(level)>\n"
        lines = lines.dropFirst()
      } else if line.hasPrefix("|") {
        let rows = lines.prefix { $0.hasPrefix("|") }
        lines = lines.dropFirst(rows.count)
        html += table(rows, link)
      } else if line.hasPrefix("- ") {
        let items = lines.prefix { $0.hasPrefix("- ") || $0.hasPrefix("  ") }
        lines = lines.dropFirst(items.count)
        html += list(items, link)
      } else if line.isEmpty {
        lines = lines.dropFirst()
      } else {
        let paragraph = lines.prefix { line in
          !line.isEmpty && !["```", "#", "|", "- "].contains { line.hasPrefix($0) }
        }
        lines = lines.dropFirst(paragraph.count)
        html += "<p>\(inline(paragraph.joined(separator: "\n")[...], link))</p>\n"
      }
    }
    return html
  }

  private static func list(_ lines: ArraySlice<Substring>, _ link: (String) -> String?) -> String {
    var items: [String] = []
    for line in lines {
      if line.hasPrefix("- ") {
        items.append(String(line.dropFirst(2)))
      } else if !items.isEmpty {
        items[items.count - 1] += "\n" + line.trimmingCharacters(in: .whitespaces)
      }
    }
    return "<ul>\n" + items.map { "<li>\(inline($0[...], link))</li>\n" }.joined() + "</ul>\n"
  }

  private static func table(_ rows: ArraySlice<Substring>, _ link: (String) -> String?) -> String {
    var html = "<div class=\"wide\"><table>\n"
    for (index, row) in rows.enumerated() where !row.hasPrefix("| ---") {
      let tag = index == 0 ? "th" : "td"
      let cells = cells(of: row).map { "<\(tag)>\(inline($0[...], link))</\(tag)>" }
      html += "<tr>\(cells.joined())</tr>\n"
    }
    return html + "</table></div>\n"
  }

  /// Returns the cells of a table row. An escaped bar is part of a cell.
  private static func cells(of row: Substring) -> [String] {
    row.replacingOccurrences(of: "\\|", with: "\u{1}").split(separator: "|").map {
      $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "\u{1}", with: "|")
    }
  }

  /// Converts inline code, emphasis, links and images.
  private static func inline(_ text: some StringProtocol, _ link: (String) -> String?) -> String {
    var html = ""
    var rest = Substring(text)
    while let next = rest.first {
      if next == "`", let end = rest.dropFirst().firstIndex(of: "`") {
        html += "<code>\(escaped(rest[rest.index(after: rest.startIndex)..<end]))</code>"
        rest = rest[rest.index(after: end)...]
      } else if rest.hasPrefix("**"), let end = rest.dropFirst(2).range(of: "**") {
        html += "<strong>\(inline(rest.dropFirst(2)[..<end.lowerBound], link))</strong>"
        rest = rest[end.upperBound...]
      } else if next == "*", let end = rest.dropFirst().firstIndex(of: "*") {
        html += "<em>\(inline(rest[rest.index(after: rest.startIndex)..<end], link))</em>"
        rest = rest[rest.index(after: end)...]
      } else if let found = target(rest) {
        let place = link(found.place)
        if found.isPicture {
          html += place.map { "<img src=\"\(escaped($0))\" alt=\"\(escaped(found.words))\">" } ?? ""
        } else {
          let words = inline(found.words[...], link)
          html += place.map { "<a href=\"\(escaped($0))\">\(words)</a>" } ?? words
        }
        rest = found.rest
      } else {
        html += escaped(String(next))
        rest = rest.dropFirst()
      }
    }
    return html
  }

  /// A link or an image at the start of a text, with the text that follows it.
  private struct Target {
    let words: String
    let place: String
    let isPicture: Bool
    let rest: Substring
  }

  /// Parses `[text](target)`, preceded by `!` for an image, at the start of a text. The text of a
  /// link can contain an image.
  private static func target(_ text: Substring) -> Target? {
    let isPicture = text.hasPrefix("![")
    guard isPicture || text.hasPrefix("[") else { return nil }
    let words = text.dropFirst(isPicture ? 2 : 1)
    var depth = 1
    let bracket = words.firstIndex { letter in
      depth += letter == "[" ? 1 : letter == "]" ? -1 : 0
      return depth == 0
    }
    guard let bracket, words[bracket...].hasPrefix("]("),
      let end = words[bracket...].firstIndex(of: ")")
    else { return nil }
    return Target(
      words: String(words[..<bracket]), place: String(words[bracket..<end].dropFirst(2)),
      isPicture: isPicture, rest: words[end...].dropFirst())
  }

  // MARK: Code

  static func code(_ text: String, isScene: Bool) -> String {
    let lines = (isScene ? scene(text) : escaped(text)).components(separatedBy: "\n")
    let plain = text.components(separatedBy: "\n")
    // A wrapped line is indented further than its start.
    let body = zip(lines, plain).map { line, words in
      "<span class=\"l\" style=\"--in:\(words.prefix { $0 == " " }.count)\">\(line)\n</span>"
    }.joined()
    return "<div class=\"code\"><pre tabindex=\"0\"><code>\(body)</code></pre></div>\n"
  }

  private static let kinds = Set(ElementKind.written.map(\.rawValue))
  private static let properties = Set(Property.allCases.map(\.name))
  private static let reserved = Set(TokenKind.reserved.keys).union([
    "edition", "import", "param", "fn", "component", "style", "effect", "transition", "filter",
    "paint", "over",
    "after", "with",
    "as",
  ])

  /// Highlights a scene with the classes comment, text, number, color, element, property and word.
  static func scene(_ text: String) -> String {
    var html = ""
    var rest = text[...]
    func add(_ kind: String, _ part: Substring) {
      // Each line has its own element.
      html += part.split(separator: "\n", omittingEmptySubsequences: false).map {
        "<span class=\"\(kind)\">\(escaped($0))</span>"
      }.joined(separator: "\n")
      rest = rest[part.endIndex...]
    }
    while let next = rest.first {
      if rest.hasPrefix("//") {
        add("c", rest.prefix { $0 != "\n" })
      } else if next == "\"" {
        add("s", quoted(at: rest))
      } else if next == "#", rest.dropFirst().first?.isHexDigit == true {
        add("n", rest.prefix { $0 == "#" || $0.isHexDigit })
      } else if next.isNumber {
        add("n", rest.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "%" || $0 == "_" })
      } else if next.isLetter || next == "_" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        let after = rest[word.endIndex...].drop { $0 == " " }.first
        if after == ":", properties.contains(String(word)) {
          add("p", word)
        } else if reserved.contains(String(word)), after != ":" {
          add("w", word)
        } else if kinds.contains(String(word)), after != ":", after != "(" || word == "line" {
          add("e", word)
        } else if after == "(" {
          add("f", word)
        } else {
          html += escaped(word)
          rest = rest[word.endIndex...]
        }
      } else {
        html += escaped(String(next))
        rest = rest.dropFirst()
      }
    }
    return html
  }

  /// Returns a string literal, including interpolated values; three quotes start a multi-line
  /// literal.
  private static func quoted(at rest: Substring) -> Substring {
    let quotes = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
    var end = rest.index(rest.startIndex, offsetBy: quotes.count)
    var depth = 0
    while end < rest.endIndex {
      if rest[end] == "\\" {
        end = rest.index(after: end)
        guard end < rest.endIndex else { break }
      } else if rest[end] == "{" {
        depth += 1
      } else if rest[end] == "}" {
        depth -= 1
      } else if depth == 0, rest[end...].hasPrefix(quotes) {
        return rest[..<rest.index(end, offsetBy: quotes.count)]
      }
      end = rest.index(after: end)
    }
    return rest
  }
}
