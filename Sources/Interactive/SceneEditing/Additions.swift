// SPDX-License-Identifier: MIT
package import SceneSyntax
package import SceneText

// Insertions into a file and removals from it, formatted if the file is in canonical form. The
// result is `nil` if the change would add syntax errors.
extension Parsed {
  /// Returns the file with a property, such as `at: 2s`, added at the end of an element's body.
  package func adding(_ property: String, to element: SourceSpan) -> [UInt8]? {
    addition(of: [property], to: element).flatMap { inserting($0.text, at: $0.place) }
  }

  /// Returns the text that adds properties at the end of an element's body, and the offset at which
  /// it is inserted.
  package func addition(
    of properties: [String], to element: SourceSpan
  ) -> (place: Int, text: String)? {
    let bytes = tree.file.bytes
    guard element.end <= bytes.count, element.start < element.end else { return nil }
    let hasBody = bytes[element.end - 1] == UInt8(ascii: "}")
    let place = hasBody ? element.end - 1 : element.end
    var before = place
    while hasBody, before > element.start, [9, 10, 32].contains(bytes[before - 1]) { before -= 1 }
    let isEmpty = hasBody && bytes[before - 1] == UInt8(ascii: "{")
    let text: String
    if !hasBody {
      text = " { \(properties.joined(separator: "; ")) }"
    } else if bytes[element.start..<place].contains(10) {
      text = properties.map { "\n    " + $0 }.joined()
    } else {
      text =
        (isEmpty ? " " : "; ") + properties.joined(separator: "; ") + (before == place ? " " : "")
    }
    return (before, text)
  }

  /// Returns the file with a clause, such as `over 2s`, added after a value.
  package func adding(_ clause: String, behind value: SourceSpan) -> [UInt8]? {
    guard value.end <= tree.file.bytes.count, value.start < value.end else { return nil }
    return inserting(" " + clause, at: value.end)
  }

  /// Returns the file without some elements, and without the lines that they leave empty.
  package func removing(_ elements: some Sequence<SourceSpan>) -> [UInt8]? {
    var bytes = tree.file.bytes
    for element in elements.sorted(by: { $0.start > $1.start }) {
      guard element.end <= bytes.count, element.start < element.end else { return nil }
      let range = Parsed.range(of: element, in: bytes)
      bytes.removeSubrange(range)
    }
    return changed(bytes)
  }

  /// Returns the range of an element, with its line if nothing else is on it.
  private static func range(of element: SourceSpan, in bytes: [UInt8]) -> Range<Int> {
    let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 }
    var (start, end) = (element.start, element.end)
    while start > 0, isBlank(bytes[start - 1]) { start -= 1 }
    while end < bytes.count, isBlank(bytes[end]) || bytes[end] == UInt8(ascii: ";") { end += 1 }
    let beginsLine = start == 0 || bytes[start - 1] == 10
    if beginsLine, end < bytes.count, bytes[end] == 10 { return start..<end + 1 }
    return element.start..<end
  }

  /// Returns the file with items added after an element, on lines of their own if the element
  /// begins its line.
  package func adding(_ items: String, after element: SourceSpan) -> [UInt8]? {
    let bytes = tree.file.bytes
    guard element.end <= bytes.count, element.start < element.end else { return nil }
    var start = element.start
    while start > 0, [32, 9].contains(bytes[start - 1]) { start -= 1 }
    let beginsLine = start == 0 || bytes[start - 1] == 10
    let indent = String(decoding: bytes[start..<element.start], as: UTF8.self)
    return inserting((beginsLine ? "\n" + indent : "; ") + items, at: element.end)
  }

  private func inserting(_ text: String, at place: Int) -> [UInt8]? {
    let bytes = tree.file.bytes
    return changed(Array(bytes[..<place]) + Array(text.utf8) + bytes[place...])
  }

  func changed(_ changed: [UInt8]) -> [UInt8]? {
    let again = parse(SourceFile(id: FileID(0), name: tree.file.name, bytes: changed))
    guard again.diagnostics.count <= diagnostics.count else { return nil }
    return format(self).map { Array($0.utf8) } == tree.file.bytes
      ? format(again).map { Array($0.utf8) } : changed
  }
}
