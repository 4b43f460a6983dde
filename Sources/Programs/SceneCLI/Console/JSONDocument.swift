// SPDX-License-Identifier: MIT
import FoundationEssentials

/// A machine-readable output of one command: an object that starts with the name of its schema and the
/// version of scenec, followed by the members of `Content`.
///
/// `Grammar/schemas` has a JSON Schema for each. A new member keeps the number in the name of the schema;
/// removing a member or changing its meaning increments it.
package struct JSONDocument<Content: Encodable>: Encodable {
  /// A name and a number, such as `check/1`.
  let schema: String
  /// Encodes itself into a keyed container.
  let content: Content

  package init(schema: String, content: Content) {
    self.schema = schema
    self.content = content
  }

  private enum Key: String, CodingKey {
    case schema, scenec
  }

  package func encode(to encoder: any Encoder) throws {
    try content.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("scenec/\(schema)", forKey: .schema)
    try container.encode(version, forKey: .scenec)
  }
}

extension Encodable {
  /// Returns the value as JSON text with sorted keys and a final line feed.
  package func jsonText() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}
