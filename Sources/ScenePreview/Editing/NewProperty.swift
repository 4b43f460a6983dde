// SPDX-License-Identifier: MIT
import SceneEditing
import SceneJSON
import SceneLanguage
import SceneSyntax
import SceneText

/// A property that an element has not, written as the last of its body.
struct NewProperty: Sendable {
  let key: String
  let name: String
  /// As it is written.
  let value: String

  init(_ json: JSON) throws(Refusal) {
    guard let key = json["key"].string, let name = json["set"].string,
      Property.named(name) != nil
    else { throw Refusal("message", "there is no such property") }
    (self.key, self.name) = (key, name)
    let unit = json["value"]["unit"].string ?? ""
    guard unit.isEmpty || NumberUnit(rawValue: unit) != nil,
      let pattern = NewProperty.pattern(json["value"], unit),
      let literal = parse(SourceFile(name: "", text: "let x = \(pattern)\n")).tree.literals.first,
      let text = literal.text(of: try Change.value(json["value"]))
    else { throw Refusal("value", "such a value cannot be written") }
    value = text
  }

  /// A literal of the kind that is wanted.
  private static func pattern(_ value: JSON, _ unit: String) -> String? {
    guard case .object(let members) = value else { return nil }
    if members["number"] != nil { return "0" + unit }
    if members["color"] != nil { return "#000000" }
    if members["text"] != nil { return "\"\"" }
    if members["word"] != nil { return "auto" }
    if members["bool"] != nil { return "true" }
    return members["size"] != nil ? "1x1" : nil
  }

  /// The file with it; `whole` are the bytes of the element.
  func written(in parsed: Parsed, _ whole: SourceSpan) -> [UInt8]? {
    let bytes = parsed.tree.file.bytes
    guard whole.end <= bytes.count, whole.start < whole.end else { return nil }
    let hasBody = bytes[whole.end - 1] == UInt8(ascii: "}")
    let place = hasBody ? whole.end - 1 : whole.end
    let body = bytes[whole.start..<place]
    var before = place
    while hasBody, before > whole.start, [9, 10, 32].contains(bytes[before - 1]) { before -= 1 }
    let isLong = body.contains(10)
    let isEmpty = hasBody && bytes[before - 1] == UInt8(ascii: "{")
    let text: String
    if !hasBody {
      text = " { \(name): \(value) }"
    } else if isLong {
      text = "\n    \(name): \(value)"
    } else {
      text = (isEmpty ? " " : "; ") + "\(name): \(value)" + (before == place ? " " : "")
    }
    let changed = Array(bytes[..<before]) + Array(text.utf8) + bytes[before...]
    let again = parse(SourceFile(id: FileID(0), name: parsed.tree.file.name, bytes: changed))
    guard again.diagnostics.count <= parsed.diagnostics.count else { return nil }
    return format(parsed).map { Array($0.utf8) } == bytes
      ? format(again).map { Array($0.utf8) } : changed
  }
}

extension SyntaxTree {
  /// All literals of the file.
  var literals: [Literal] { literals(in: file.span(0, file.bytes.count)) }
}
