// SPDX-License-Identifier: MIT

/// Formats manual pages for the terminal.
enum DocsText {
  /// The maximum line length in characters; longer words exceed it.
  private static var width: Int {
    Console.isTerminal ? min(max(Console.columns, 40), 100) : 80
  }

  /// Returns the text of a page with indented code, aligned tables and wrapped lines.
  static func page(_ text: String) -> String {
    var page = ""
    for (index, part) in text.split(separator: "```", omittingEmptySubsequences: false).enumerated()
    {
      if index % 2 == 1 {
        let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
        page += lines.dropFirst().dropLast().map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
      } else {
        page += prose(part)
      }
    }
    return page
  }

  private static func prose(_ text: Substring) -> String {
    var parts: [String] = []
    var rows: [[String]] = []
    func endTable() {
      if !rows.isEmpty { parts.append(table(rows)) }
      rows = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("| ---") { continue }
      if line.hasPrefix("|") {
        rows.append(cells(line))
      } else {
        endTable()
        parts.append(wrapped(line))
      }
    }
    endTable()
    return parts.joined(separator: "\n")
  }

  /// Returns the cells of a table row without backticks.
  static func cells(_ line: Substring) -> [String] {
    line.dropFirst().split(separator: "|").map { cell in
      cell.filter { $0 != "`" }.split(separator: " ").joined(separator: " ")
    }.filter { !$0.isEmpty }
  }

  /// Formats two columns and wraps the second one.
  private static func table(_ rows: [[String]]) -> String {
    let first = min(34, rows.map { $0.first?.count ?? 0 }.max() ?? 0) + 2
    return rows.map { row in
      let name = row.first ?? ""
      let rest = row.dropFirst().joined(separator: "  ")
      let gap = String(repeating: " ", count: max(2, first - name.count))
      let lines = wrapped(rest[...], to: max(20, width - first - 2)).split(separator: "\n")
      let indent = String(repeating: " ", count: first + 2)
      return "  \(name)\(gap)" + lines.joined(separator: "\n" + indent)
    }.joined(separator: "\n")
  }

  static func wrapped(_ text: String) -> String { wrapped(text[...]) }

  static func wrapped(_ text: Substring) -> String { wrapped(text, to: width) }

  private static func wrapped(_ text: Substring, to width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
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
}
