// SPDX-License-Identifier: MIT
import SceneCheck
import SceneSyntax
package import SceneText
import SceneTypes

// Copies of elements, whose names differ from those in the file.
extension FileFacts {
  /// Returns the source text of an element, with the indentation of its first line removed from all
  /// lines.
  package func text(of element: SourceSpan) -> String {
    let bytes = source.bytes
    guard element.end <= bytes.count, element.start < element.end else { return "" }
    var start = element.start
    while start > 0, [32, 9].contains(bytes[start - 1]) { start -= 1 }
    let indent = String(decoding: bytes[start..<element.start], as: UTF8.self)
    let text = String(decoding: bytes[element.start..<element.end], as: UTF8.self)
    guard !indent.isEmpty, start == 0 || bytes[start - 1] == 10 else { return text }
    return text.replacing("\n" + indent, with: "\n")
  }

  /// Returns elements with new names for those that this file uses already.
  package func renamed(_ elements: String) -> String {
    let copy = FileFacts(Array("scene {\n\(elements)\n}\n".utf8), name: "copy.scene")
    var taken = Set(index.symbols.map(\.name.text))
    var pieces: [(span: SourceSpan, text: String)] = []
    for (number, symbol) in copy.index.symbols.enumerated()
    where symbol.kind == .element && symbol.name.span.start < symbol.name.span.end {
      guard taken.contains(symbol.name.text) else {
        taken.insert(symbol.name.text)
        continue
      }
      let name = FileFacts.free(symbol.name.text, taken)
      taken.insert(name)
      pieces.append((symbol.name.span, name))
      pieces += copy.index.uses(of: number).map { ($0, name) }
    }
    var bytes = copy.source.bytes
    for piece in pieces.sorted(by: { $0.span.start > $1.span.start }) {
      bytes.replaceSubrange(piece.span.start..<piece.span.end, with: Array(piece.text.utf8))
    }
    return String(decoding: bytes.dropFirst(8).dropLast(3), as: UTF8.self)
  }

  /// Returns a name that is not taken: `card2` for `card`.
  private static func free(_ name: String, _ taken: Set<String>) -> String {
    let base = String(name.reversed().drop { $0.isNumber }.reversed())
    var number = 2
    while taken.contains("\(base)\(number)") { number += 1 }
    return "\(base)\(number)"
  }
}
