// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneEditing
import SceneJSON
import SceneText

// Completion requests.
extension LanguageServer {
  /// The maximum number of items in a response; fewer if each item must contain its range.
  private var greatestCount: Int { client.takesDefaultRange ? 300 : 200 }

  func completion(_ question: Question) throws(RequestError) -> JSON {
    let offset = try question.offset()
    let context = question.parameters["context"]
    if context["triggerCharacter"] == " ", !question.facts.wantsWords(afterBlankAt: offset) {
      return ["isIncomplete": false, "items": []]
    }
    let folder = FileURI.path(question.uri).map { FileURI.folder(of: $0) }
    let (range, all) = workspace.completions(
      at: offset, in: question.key, files: { folder.map { self.files(in: $0) } ?? [] },
      families: { world.fontFamilies },
      vectors: { checks.done[question.uri]?.scene.record?.vectors ?? [:] },
      allowable: warnings(inLineOf: offset, question),
      computed: { [checks] in checks.done[question.uri]?.scene.session?.computedType(at: $0) })
    let written = range.lowerBound..<max(range.lowerBound, offset)
    let items = chosen(
      of: all, question.source.text(question.source.span(written.lowerBound, written.upperBound)))
    let (whole, before) = (question.range(range), question.range(written))
    let place: JSON =
      client.takesInsertReplace && written != range ? ["insert": before, "replace": whole] : whole
    var answer: [String: JSON] = ["isIncomplete": .bool(items.count < all.count)]
    if client.takesDefaultRange { answer["itemDefaults"] = ["editRange": place] }
    completed = question.key
    answer["items"] = .array(
      items.enumerated().map { json($1, rank: $0, place: place, question: question) })
    return .object(answer)
  }

  /// Returns the codes of the warnings on the line of an offset.
  private func warnings(inLineOf offset: Int, _ question: Question) -> Set<String> {
    let source = question.source
    let line = source.lineIndex(at: offset)
    let found = checks.done[question.uri]?.scene.diagnostics ?? []
    return Set(
      found.filter {
        $0.span.file == FileID(0) && $0.severity == .warning
          && source.lineIndex(at: min($0.span.start, source.bytes.count)) == line
      }.map(\.code.rawValue))
  }

  /// Returns the first items. If there are too many, prefers items that contain the typed letters.
  private func chosen(of items: [CompletionItem], _ written: String) -> [CompletionItem] {
    guard items.count > greatestCount else { return items }
    let letters = Array(written.lowercased().utf8)
    let fitting = letters.isEmpty ? items : items.filter { $0.label.has(letters) }
    return Array((fitting.isEmpty ? items : fitting).prefix(greatestCount))
  }

  private func json(_ item: CompletionItem, rank: Int, place: JSON, question: Question) -> JSON {
    let isSnippet = client.takesSnippets && item.snippet != nil
    let text = isSnippet ? item.snippet ?? "" : item.insert ?? item.label
    var it: [String: JSON] = [
      "label": .string(item.label), "kind": .int(item.kind.number),
      "sortText": .string(String(String(1000 + rank).dropFirst())),
    ]
    if client.takesDefaultRange {
      if text != item.label { it["textEditText"] = .string(text) }
    } else {
      guard case .object(var edit) = place else { return .null }
      if place["insert"].isNull { edit = ["range": place] }
      edit["newText"] = .string(text)
      it["textEdit"] = .object(edit)
    }
    if isSnippet { it["insertTextFormat"] = 2 }
    if !item.detail.isEmpty { it["detail"] = .string(item.detail) }
    if !item.documentation.isEmpty { it["documentation"] = .string(item.documentation) }
    // The page for `completionItem/resolve`. The file at its end is dropped: `resolved` appends the
    // file of the last completion.
    if let page = item.page {
      it["data"] = .string(
        page.hasPrefix("name/") && page.hasSuffix(question.key)
          ? String(page.dropLast(question.key.utf8.count)) : page)
    }
    if let path = item.importing {
      it["detail"] = .string("imports \"\(path)\"")
      it["additionalTextEdits"] = [
        question.source.json(question.facts.importEdit(path), question.encoding)
      ]
    }
    return .object(it)
  }

  /// Adds the documentation to an item.
  func resolved(_ item: JSON) -> JSON {
    guard case .object(var members) = item, let data = item["data"].string,
      let text = workspace.documentation(ofPage: data.hasSuffix("/") ? data + completed : data)
    else { return item }
    members["documentation"] =
      client.itemFormats.isEmpty
      ? .string(text.withoutMarkup)
      : markup(text, isMarkdown: client.itemFormats.contains("markdown"))
    return .object(members)
  }
}

extension String {
  /// Returns whether the string contains letters in the given order.
  fileprivate func has(_ letters: [UInt8]) -> Bool {
    var next = 0
    for byte in utf8 {
      let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      if next < letters.count, lower == letters[next] { next += 1 }
    }
    return next == letters.count
  }
}
