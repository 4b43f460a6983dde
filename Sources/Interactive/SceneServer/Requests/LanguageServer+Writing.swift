// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneEditing
import SceneJSON
import SceneSyntax
import SceneSystem
import SceneText

// Assistance while typing.
extension LanguageServer {
  private static let greatestHover = 30 << 10

  /// Returns a text of the manual in a markup format that the client supports.
  func markup(_ text: String, isMarkdown: Bool) -> JSON {
    var text = text
    if text.utf8.count > LanguageServer.greatestHover {
      text =
        String(decoding: Array(text.utf8.prefix(LanguageServer.greatestHover)), as: UTF8.self) + "…"
    }
    return [
      "kind": isMarkdown ? "markdown" : "plaintext",
      "value": .string(isMarkdown ? text : text.withoutMarkup),
    ]
  }

  func hover(_ question: Question) throws(RequestError) -> JSON {
    settle(question.uri)
    let found = workspace.hover(
      at: try question.offset(), in: question.key, findings(of: question.uri),
      media: { self.description(of: $0, question) })
    guard let found else { return .null }
    let contents = markup(found.text, isMarkdown: client.takesMarkdown)
    return ["contents": contents, "range": question.range(found.range)]
  }

  /// Returns a description of a file that a text refers to.
  private func description(of link: FileLink, _ question: Question) -> String? {
    guard !link.path.hasPrefix("std/"), let uri = target(of: link, question),
      let path = FileURI.path(uri),
      let text = world.description(
        of: link.path, besides: LanguageServer.path(of: question.uri))
    else { return nil }
    let isPicture = [".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg"].contains {
      path.lowercased().hasSuffix($0)
    }
    guard settings.images, client.takesMarkdown, isPicture else { return text }
    return text + "\n\n![](\(uri))"
  }

  func signatureHelp(_ question: Question) throws(RequestError) -> JSON {
    guard let (signature, active) = workspace.call(at: try question.offset(), in: question.key)
    else {
      return .null
    }
    return [
      "signatures": [
        [
          "label": .string(signature.text), "documentation": .string(signature.documentation),
          "parameters": .array(signature.parameters.map { ["label": .string($0.text)] }),
        ]
      ],
      "activeSignature": 0, "activeParameter": .int(active),
    ]
  }

  // MARK: Formatting

  func formatting(_ question: Question) throws(RequestError) -> JSON {
    guard let edits = question.facts.formatting else { return .null }
    return .array(edits.map { question.source.json($0, question.encoding) })
  }

  func rangeFormatting(_ question: Question) throws(RequestError) -> JSON {
    let wanted = Document.range(
      question.parameters["range"], in: question.source, encoding: question.encoding)
    guard let edits = question.facts.formatting, let wanted else { return .null }
    let inside = edits.filter {
      $0.range.lowerBound >= wanted.lowerBound && $0.range.upperBound <= wanted.upperBound
    }
    return .array(inside.map { question.source.json($0, question.encoding) })
  }

  func onTypeFormatting(_ question: Question) throws(RequestError) -> JSON {
    let edits = question.facts.edits(
      afterTyping: question.parameters["ch"].string ?? "", at: try question.offset())
    return .array(edits.map { question.source.json($0, question.encoding) })
  }

  // MARK: Code actions

  func codeActions(_ question: Question) throws(RequestError) -> JSON {
    guard
      let range = Document.range(
        question.parameters["range"], in: question.source, encoding: question.encoding)
    else { throw RequestError(code: .invalidParameters, text: "'range' is missing") }
    let only = question.parameters["context"]["only"].array.compactMap(\.string)
    func wants(_ kind: String) -> Bool {
      only.isEmpty
        ? !kind.hasPrefix("source") : only.contains { kind == $0 || kind.hasPrefix($0 + ".") }
    }
    settle(question.uri)
    var actions: [JSON] = []
    let last = checks.done[question.uri].flatMap {
      $0.version == documents[question.uri]?.version ? $0 : nil
    }
    let own = last?.scene.diagnostics.filter { $0.span.file == FileID(0) } ?? []
    func add(_ change: OfferedChange, _ kind: String) {
      var action: [String: JSON] = [
        "title": .string(change.title), "kind": .string(kind),
        "edit": self.change([question.key: change.edits]),
      ]
      if let diagnostic = change.diagnostic, let last {
        action["diagnostics"] = [json(diagnostic, in: last.scene)]
      }
      if change.isPreferred { action["isPreferred"] = true }
      actions.append(.object(action))
    }
    if wants("quickfix") {
      for change in question.facts.changes(in: range, for: own) { add(change, "quickfix") }
      for change in imports(question, range: range, own: own) { add(change, "quickfix") }
    }
    if wants("refactor.extract"), let change = workspace.extraction(of: range, in: question.key),
      isRight(change, question)
    {
      add(change, "refactor.extract")
    }
    if wants("refactor.inline"),
      let change = workspace.inlining(at: range.lowerBound, in: question.key),
      isRight(change, question)
    {
      add(change, "refactor.inline")
    }
    if wants("refactor.rewrite"),
      let place = question.facts.colors.first(where: {
        $0.range.lowerBound <= range.lowerBound && range.upperBound <= $0.range.upperBound
      })
    {
      let written = question.source.text(
        question.source.span(place.range.lowerBound, place.range.upperBound))
      for form in question.facts.forms(of: place.color, at: place.range) where form != written {
        add(
          OfferedChange(title: "write \(form)", edits: [TextEdit(place.range, form)]),
          "refactor.rewrite")
      }
    }
    if wants("source.fixAll") {
      let edits = fixAll(question.uri)
      if !edits.isEmpty {
        add(OfferedChange(title: "apply all safe fixes", edits: edits), "source.fixAll")
      }
    }
    return .array(actions)
  }

  /// Returns imports that resolve unknown names.
  private func imports(_ question: Question, range: Range<Int>, own: [Diagnostic])
    -> [OfferedChange]
  {
    let codes: Set<Code> = [.unknownName, .unknownFunction, .unknownElement]
    return own.filter {
      codes.contains($0.code) && $0.span.start <= range.upperBound
        && range.lowerBound <= $0.span.end
    }.flatMap { diagnostic in
      workspace.importing(question.source.text(diagnostic.span), in: question.key).map {
        OfferedChange(title: $0.title, edits: $0.edits, diagnostic: diagnostic)
      }
    }
  }

  /// Returns whether a suggested change does not increase the number of errors.
  private func isRight(_ change: OfferedChange, _ question: Question) -> Bool {
    guard let before = checks.done[question.uri], before.length < .milliseconds(100) else {
      return true
    }
    let bytes = change.edits.applied(to: question.source.bytes)
    guard let after = errors(bytes, question.uri, until: clock.now + .milliseconds(500)) else {
      return false
    }
    func count(_ list: [Diagnostic]) -> Int { list.count { $0.severity == .error } }
    return count(after) <= count(before.scene.diagnostics)
  }

  /// Returns the diagnostics of a modified text; `nil` if the check did not finish by `end`.
  private func errors(_ bytes: [UInt8], _ uri: String, until end: ContinuousClock.Instant)
    -> [Diagnostic]?
  {
    let path = LanguageServer.path(of: uri)
    var open: [String: [UInt8]] = [:]
    for other in documents.open.values {
      if let path = FileURI.path(other.uri) { open[path] = other.source.bytes }
    }
    open[path] = bytes
    return world.check(path, bytes, open: open, isCancelled: { [clock] in clock.now > end })?
      .diagnostics
  }

  /// Returns the edits that apply all safe fixes, like `check --fix`; limited to two seconds.
  func fixAll(_ uri: String) -> [TextEdit] {
    guard let document = documents[uri] else { return [] }
    let end = clock.now + .seconds(2)
    let (bytes, _) = allFixed(document.source.bytes) { self.errors($0, uri, until: end) }
    return FileFacts.differences(document.source.bytes, bytes)
  }
}

extension String {
  /// The text without markup for code and links, for plain-text readers.
  var withoutMarkup: String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("```") && !$0.hasPrefix("![") }
      .map { $0.replacing("`", with: "").replacing("**", with: "") }.joined(separator: "\n")
  }
}
