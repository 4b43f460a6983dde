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
    value = try NewProperty.text(of: json["value"])
  }

  /// A value as it is written.
  static func text(of value: JSON) throws(Refusal) -> String {
    let unit = value["unit"].string ?? ""
    guard unit.isEmpty || NumberUnit(rawValue: unit) != nil, let pattern = pattern(value, unit),
      let literal = parse(SourceFile(name: "", text: "let x = \(pattern)\n")).tree.literals.first,
      let text = literal.text(of: try Change.value(value))
    else { throw Refusal("value", "such a value cannot be written") }
    return text
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
    return parsed.accepting(changed)
  }
}

/// How long a way in or out takes, which its element leaves to the effect: written behind the effects.
struct NewLength: Sendable {
  let key: String
  let property: Property
  /// As it is written.
  let value: String

  init(_ json: JSON) throws(Refusal) {
    guard let key = json["key"].string, let property = json["over"].string.flatMap(Property.named),
      [.enter, .exit].contains(property)
    else { throw Refusal("message", "only 'enter' and 'exit' take a length") }
    (self.key, self.property) = (key, property)
    value = try NewProperty.text(of: json["value"])
  }

  /// The file with it; `effects` are the bytes of the property's value.
  func written(in parsed: Parsed, _ effects: SourceSpan) -> [UInt8]? {
    let bytes = parsed.tree.file.bytes
    guard effects.end <= bytes.count, effects.start < effects.end else { return nil }
    return parsed.accepting(
      Array(bytes[..<effects.end]) + Array(" over \(value)".utf8) + bytes[effects.end...])
  }
}

extension Parsed {
  /// Another text of the file, in the form of the formatter where the file has it; `nil` where the text
  /// has more faults.
  fileprivate func accepting(_ changed: [UInt8]) -> [UInt8]? {
    let again = parse(SourceFile(id: FileID(0), name: tree.file.name, bytes: changed))
    guard again.diagnostics.count <= diagnostics.count else { return nil }
    return format(self).map { Array($0.utf8) } == tree.file.bytes
      ? format(again).map { Array($0.utf8) } : changed
  }
}

extension SyntaxTree {
  /// All literals of the file.
  var literals: [Literal] { literals(in: file.span(0, file.bytes.count)) }
}
