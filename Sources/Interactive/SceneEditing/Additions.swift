// SPDX-License-Identifier: MIT
package import SceneSyntax
package import SceneText

// Insertions into a file, formatted if the file is in canonical form. The result is `nil` if the
// change would add syntax errors.
extension Parsed {
  /// Returns the file with a property, such as `at: 2s`, added at the end of an element's body.
  package func adding(_ property: String, to element: SourceSpan) -> [UInt8]? {
    let bytes = tree.file.bytes
    guard element.end <= bytes.count, element.start < element.end else { return nil }
    let hasBody = bytes[element.end - 1] == UInt8(ascii: "}")
    let place = hasBody ? element.end - 1 : element.end
    var before = place
    while hasBody, before > element.start, [9, 10, 32].contains(bytes[before - 1]) { before -= 1 }
    let isEmpty = hasBody && bytes[before - 1] == UInt8(ascii: "{")
    let text: String
    if !hasBody {
      text = " { \(property) }"
    } else if bytes[element.start..<place].contains(10) {
      text = "\n    \(property)"
    } else {
      text = (isEmpty ? " " : "; ") + property + (before == place ? " " : "")
    }
    return inserting(text, at: before)
  }

  /// Returns the file with a clause, such as `over 2s`, added after a value.
  package func adding(_ clause: String, behind value: SourceSpan) -> [UInt8]? {
    guard value.end <= tree.file.bytes.count, value.start < value.end else { return nil }
    return inserting(" " + clause, at: value.end)
  }

  private func inserting(_ text: String, at place: Int) -> [UInt8]? {
    let bytes = tree.file.bytes
    let changed = Array(bytes[..<place]) + Array(text.utf8) + bytes[place...]
    let again = parse(SourceFile(id: FileID(0), name: tree.file.name, bytes: changed))
    guard again.diagnostics.count <= diagnostics.count else { return nil }
    return format(self).map { Array($0.utf8) } == bytes
      ? format(again).map { Array($0.utf8) } : changed
  }
}
