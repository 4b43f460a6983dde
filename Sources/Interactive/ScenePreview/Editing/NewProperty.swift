// SPDX-License-Identifier: MIT
import SceneEditing
import SceneJSON
import SceneLanguage
import SceneSyntax
import SceneText

/// A new property, added at the end of an element's body.
struct NewProperty: Sendable {
  let key: String
  let name: String
  /// The value in source syntax.
  let value: String

  init(_ json: JSON) throws(Refusal) {
    guard let key = json["key"].string, let name = json["set"].string,
      Property.named(name) != nil
    else { throw Refusal("message", "unknown property") }
    (self.key, self.name) = (key, name)
    value = try NewProperty.text(of: json["value"])
  }

  var text: String { "\(name): \(value)" }

  /// Returns a value in source syntax.
  static func text(of value: JSON) throws(Refusal) -> String {
    let unit = value["unit"].string ?? ""
    guard unit.isEmpty || NumberUnit(rawValue: unit) != nil, let pattern = pattern(value, unit),
      let literal = parse(SourceFile(name: "", text: "let x = \(pattern)\n")).tree.literals.first,
      let text = literal.text(of: try Change.value(value))
    else { throw Refusal("value", "unsupported value") }
    return text
  }

  /// Returns a sample literal of the requested kind; `nil` for an unknown kind.
  private static func pattern(_ value: JSON, _ unit: String) -> String? {
    guard case .object(let members) = value else { return nil }
    if members["number"] != nil { return "0" + unit }
    if members["color"] != nil { return "#000000" }
    if members["text"] != nil { return "\"\"" }
    if members["word"] != nil { return "auto" }
    if members["bool"] != nil { return "true" }
    return members["size"] != nil ? "1x1" : nil
  }
}

/// An explicit length for an entrance or exit that uses the default of its effect, added after the
/// effects.
struct NewLength: Sendable {
  let key: String
  let property: Property
  /// The value in source syntax.
  let value: String

  init(_ json: JSON) throws(Refusal) {
    guard let key = json["key"].string, let property = json["over"].string.flatMap(Property.named),
      [.enter, .exit].contains(property)
    else {
      throw Refusal(
        "message", "a duration requires 'key' and 'over', which must be 'enter' or 'exit'")
    }
    (self.key, self.property) = (key, property)
    value = try NewProperty.text(of: json["value"])
  }
}

/// The removal of an element with its body.
struct Removal: Sendable {
  let key: String

  init(_ json: JSON) throws(Refusal) {
    guard let key = json["key"].string, json["remove"].bool == true else {
      throw Refusal("message", "a removal requires 'key'")
    }
    self.key = key
  }
}

/// A new position of an element in its layout: before or after one of its siblings.
struct Reordering: Sendable {
  let key: String
  let other: String
  let isAfter: Bool

  init(_ json: JSON) throws(Refusal) {
    guard let key = json["key"].string, let other = json["beside"].string,
      let isAfter = json["after"].bool
    else { throw Refusal("message", "a new place requires 'key', 'beside' and 'after'") }
    (self.key, self.other, self.isAfter) = (key, other, isAfter)
  }
}

extension SyntaxTree {
  /// All literals of the file.
  var literals: [Literal] { literals(in: file.span(0, file.bytes.count)) }
}
