// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSession
import SceneText

// Texts by which people recognize elements without a name.
extension SceneAnswer {
  private static let greatestText = 40

  /// Returns the words of a text, or the name of the file that the element draws or plays.
  func text(of element: SceneRecord.Element) -> String? {
    guard let property = ElementKind(rawValue: element.kind)?.subjectProperty,
      let value = element.properties.first(where: { $0.property == property })
    else { return nil }
    switch property {
    case .content:
      if case .text(let model, _, _, _)? = element.drawn.first?.drawing {
        return SceneAnswer.short(model.runs.map { SceneAnswer.words(of: $0.text) }.joined())
      }
      return written(value).flatMap { SceneAnswer.short($0) }
    case .source:
      let path: String? =
        if case .clip(let clip, _, _)? = element.drawn.first?.drawing { clip.path } else {
          written(value)
        }
      return path.flatMap { $0.split(separator: "/").last }.flatMap {
        SceneAnswer.short(String($0))
      }
    case .title: return written(value).flatMap { SceneAnswer.short($0) }
    default: return nil
    }
  }

  /// Sets the text of each row without a text of its own to the first text inside it.
  func titled(_ rows: [Row]) -> [Row] {
    let places = Dictionary(rows.enumerated().map { ($1.key, $0) }) { first, _ in first }
    var inner: [String?] = rows.map { _ in nil }
    // In reverse order, so that the text of the first child overwrites those of the others.
    for (index, row) in rows.enumerated().reversed() {
      guard let parent = row.parent.flatMap({ places[$0] }), rows[parent].parent != nil,
        let words = isWritten(row) ? row.text : inner[index]
      else { continue }
      inner[parent] = words
    }
    return zip(rows, inner).map { row, inner in
      var row = row
      row.text = row.text ?? inner
      return row
    }
  }

  private func isWritten(_ row: Row) -> Bool {
    let kind = (scene.record?.elements[row.elements[0]].kind).flatMap(ElementKind.init)
    return kind?.subjectProperty == .content
  }

  /// Returns the characters of a literal between quotation marks or dollar signs; `nil` for other
  /// values.
  private func written(_ property: SceneRecord.Property) -> String? {
    let text = places.text(property.value)
    guard let first = text.first, ["\"", "$"].contains(first), text.count > 1 else { return nil }
    return String(text.drop { $0 == first }.reversed().drop { $0 == first }.reversed())
  }

  private static func words(of text: TextExpression) -> String {
    switch text {
    case .literal(let text): text
    case .join(let parts): parts.map { words(of: $0) }.joined()
    case .typed(_, let to, _): words(of: to)
    case .choose(_, let first, _): words(of: first)
    case .number(let number, let format): number.constantValue.map { format.text($0) } ?? "…"
    }
  }

  private static func short(_ text: String) -> String? {
    let words = visible(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    if words.isEmpty { return nil }
    return words.count > greatestText ? words.prefix(greatestText - 1) + "…" : words
  }
}
