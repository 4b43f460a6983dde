// SPDX-License-Identifier: MIT
import SceneCheck
import SceneEditing
import SceneJSON
import SceneModel
import SceneText

// Commands, and requests beyond the Language Server Protocol.
extension LanguageServer {
  /// The supported commands; the keeper handles those that start programs.
  static let commands = [
    "scenec.openPreview", "scenec.closePreview", "scenec.build", "scenec.renderFrame",
    "scenec.fixAll", "scenec.restart",
  ]

  func execute(_ parameters: JSON) throws(RequestError) -> JSON {
    guard parameters["command"].string == "scenec.fixAll" else {
      throw RequestError(
        code: .invalidParameters,
        text: "unknown command '\(parameters["command"].string ?? "")'")
    }
    let given = parameters["arguments"][0]["uri"].string
    guard let uri = given ?? lastDocument ?? documents.open.keys.min(), documents[uri] != nil else {
      throw RequestError(code: .invalidParameters, text: "no scene is open")
    }
    let edits = fixAll(uri)
    guard !edits.isEmpty else { return .null }
    guard client.appliesEdits else {
      throw RequestError(
        code: .requestFailed,
        text: "the editor does not support workspace edits; use the code action instead")
    }
    request("workspace/applyEdit", ["label": "fix", "edit": change([key(of: uri): edits])])
    return .null
  }

  /// Returns the elements of the built scene with their lifetimes, parents first.
  func timeline(_ question: Question) throws(RequestError) -> JSON {
    settle(question.uri)
    guard let record = findings(of: question.uri)?.record else { return .null }
    return [
      "elements": .array(
        record.elements.map { element in
          var it: [String: JSON] = [
            "key": .string(element.key), "kind": .string(element.kind),
            "name": element.name.map { .string($0) } ?? .null,
            "parent": element.parent.map { .int($0) } ?? .null,
          ]
          if let start = element.start, let end = element.end {
            it["start"] = .double(start.seconds)
            it["end"] = .double(end.seconds)
          }
          if element.head.file == FileID(0) {
            it["range"] = question.range(element.head.start..<element.head.end)
          }
          return .object(it)
        })
    ]
  }
}
