// SPDX-License-Identifier: MIT
import SceneEditing
import SceneGraphics
import SceneJSON
import SceneModel
import SceneText

/// An edit requested by a page: a new value for a literal. The page never sends scene source.
struct Change: Sendable {
  let file: Int
  /// The content hash of the file as the page knows it.
  let hash: String?
  let start: Int
  let end: Int
  /// The previous text of the literal.
  let old: String
  let value: Literal.Value

  init(_ json: JSON) throws(Refusal) {
    guard let file = json["file"].int, let start = json["start"].int, let end = json["end"].int,
      start >= 0, start <= end, let old = json["old"].string
    else { throw Refusal("message", "a change requires 'file', 'start', 'end', 'old' and 'value'") }
    (self.file, self.start, self.end, self.old) = (file, start, end, old)
    hash = json["hash"].string
    value = try Change.value(json["value"])
  }

  static func value(_ json: JSON) throws(Refusal) -> Literal.Value {
    if let number = json["number"].number { return .number(number) }
    if let text = json["text"].string, text.utf8.count <= 16 << 10 { return .text(text) }
    if let word = json["word"].string { return .word(word) }
    if let truth = json["bool"].bool { return .bool(truth) }
    let (color, size) = (json["color"].array, json["size"].array)
    if color.count == 4 {
      let parts = color.compactMap(\.number)
      if parts.count == 4, parts.allSatisfy({ (0...1).contains($0) }) {
        return .color(Color(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3]))
      }
    }
    if size.count == 2, let width = size[0].number, let height = size[1].number {
      return .size(width, height)
    }
    throw Refusal("message", "unsupported value")
  }
}
