// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneEditing
import SceneJSON
import SceneText

// Requests, and what is answered.
extension LanguageServer {
  func result(of method: String, _ parameters: JSON) throws(RequestFault) -> JSON {
    switch method {
    case "initialize": return begin(parameters)
    case "shutdown": return .null
    case "workspace/symbol": return symbols(matching: parameters["query"].string ?? "")
    case "workspace/executeCommand": return try execute(parameters)
    case "completionItem/resolve": return parameters
    default: break
    }
    guard let answer = answer(to: method) else {
      throw RequestFault(code: .unknownMethod, text: "there is no request '\(method)'")
    }
    return try answer(try Question(parameters, self))
  }

  private typealias Answer = (Question) throws(RequestFault) -> JSON

  /// What answers a request about a text.
  private func answer(to method: String) -> Answer? {
    switch method.split(separator: "/", maxSplits: 1).last ?? "" {
    case "completion": completion
    case "hover": hover
    case "signatureHelp": signatureHelp
    case "definition", "declaration": definition
    case "references": references
    case "documentHighlight": highlight
    case "prepareRename": prepareRename
    case "rename": rename
    case "documentSymbol": documentSymbols
    case "foldingRange": folding
    case "selectionRange": selections
    case "semanticTokens/full", "semanticTokens/range": semanticTokens
    case "semanticTokens/full/delta": semanticTokensDelta
    case "documentColor": colors
    case "colorPresentation": colorForms
    case "documentLink": links
    case "inlayHint": hints
    case "formatting": formatting
    case "rangeFormatting": rangeFormatting
    case "codeAction": codeActions
    default: nil
    }
  }

  /// A request about a text that is open.
  struct Question {
    let parameters: JSON
    let uri: String
    let key: String
    let facts: FileFacts
    let encoding: PositionEncoding

    init(_ parameters: JSON, _ server: LanguageServer) throws(RequestFault) {
      guard let uri = parameters["textDocument"]["uri"].string else {
        throw RequestFault(code: .invalidParameters, text: "'textDocument.uri' is missing")
      }
      let key = server.key(of: uri)
      guard server.documents[uri] != nil, let facts = server.workspace.files[key] else {
        throw RequestFault(code: .invalidParameters, text: "'\(uri)' is not open")
      }
      self.parameters = parameters
      self.uri = uri
      self.key = key
      self.facts = facts
      encoding = server.documents.encoding
    }

    var source: SourceFile { facts.source }

    func offset() throws(RequestFault) -> Int {
      guard let position = Position(parameters["position"]) else {
        throw RequestFault(code: .invalidParameters, text: "'position' is missing")
      }
      return source.offset(of: position, encoding)
    }

    func range(_ range: Range<Int>) -> JSON { source.json(range, encoding) }
  }

  // MARK: Beginning

  private func begin(_ parameters: JSON) -> JSON {
    client = ClientAbilities(parameters)
    documents.encoding = Message.encoding(for: parameters)
    folders = parameters["workspaceFolders"].array.compactMap {
      $0["uri"].string.flatMap(FileURI.path)
    }
    if folders.isEmpty, let root = parameters["rootUri"].string.flatMap(FileURI.path) {
      folders = [root]
    }
    let kinds = NameToken.Kind.allCases.map { JSON.string("\($0)") }
    return [
      "serverInfo": ["name": "scenec"],
      "capabilities": [
        "positionEncoding": .string(documents.encoding.rawValue),
        "textDocumentSync": ["openClose": true, "change": 2, "save": true],
        "completionProvider": ["triggerCharacters": [".", ":", "\"", "/", "(", "#"]],
        "hoverProvider": true,
        "signatureHelpProvider": ["triggerCharacters": ["(", ",", ":"]],
        "definitionProvider": true, "declarationProvider": true, "referencesProvider": true,
        "documentHighlightProvider": true, "renameProvider": ["prepareProvider": true],
        "documentSymbolProvider": true, "workspaceSymbolProvider": true,
        "foldingRangeProvider": true, "selectionRangeProvider": true,
        "colorProvider": true, "documentLinkProvider": .object([:]), "inlayHintProvider": true,
        "documentFormattingProvider": true, "documentRangeFormattingProvider": true,
        "codeActionProvider": ["codeActionKinds": ["quickfix", "source.fixAll"]],
        "executeCommandProvider": ["commands": ["scenec.fixAll"]],
        "semanticTokensProvider": [
          "legend": [
            "tokenTypes": .array(kinds),
            "tokenModifiers": ["declaration", "readonly", "defaultLibrary"],
          ],
          "full": ["delta": true], "range": true,
        ],
        "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
      ],
    ]
  }

  // MARK: Names

  private func place(_ place: Place) -> JSON? {
    guard let facts = workspace.files[place.file] else { return nil }
    let uri =
      documents.open.keys.first { key(of: $0) == place.file } ?? libraryURI(place.file, facts)
    return ["uri": .string(uri), "range": facts.source.json(place.range, documents.encoding)]
  }

  private func libraryURI(_ key: String, _ facts: FileFacts) -> String {
    guard key.hasPrefix("std/") else { return FileURI.uri("/" + key) }
    return FileURI.uri(world.libraryFile(String(key.dropFirst(4)), facts.source.bytes) ?? "/" + key)
  }

  private func definition(_ question: Question) throws(RequestFault) -> JSON {
    let offset = try question.offset()
    if let link = question.facts.fileLinks.first(where: { $0.range.contains(offset) }),
      let target = target(of: link, question)
    {
      let start = Position(0, 0).json
      return ["uri": .string(target), "range": ["start": start, "end": start]]
    }
    return workspace.definition(at: offset, in: question.key).flatMap(place) ?? .null
  }

  private func references(_ question: Question) throws(RequestFault) -> JSON {
    let isWhole = question.parameters["context"]["includeDeclaration"].bool ?? true
    let places = workspace.references(
      at: try question.offset(), in: question.key, withDeclaration: isWhole)
    return .array(places.filter { !$0.file.hasPrefix("std/") }.compactMap(place))
  }

  private func highlight(_ question: Question) throws(RequestFault) -> JSON {
    let places = workspace.references(at: try question.offset(), in: question.key)
    let own = places.filter { $0.file == question.key }
    return .array(
      own.map { ["range": question.range($0.range), "kind": .int($0 == places.first ? 3 : 2)] })
  }

  private func prepareRename(_ question: Question) throws(RequestFault) -> JSON {
    let offset = try question.offset()
    do throws(RenameFault) {
      return question.range(try workspace.renamable(at: offset, in: question.key))
    } catch {
      throw RequestFault(code: .requestFailed, text: error.reason)
    }
  }

  private func rename(_ question: Question) throws(RequestFault) -> JSON {
    let offset = try question.offset()
    guard let name = question.parameters["newName"].string else {
      throw RequestFault(code: .invalidParameters, text: "'newName' is missing")
    }
    let edits: [String: [TextEdit]]
    do throws(RenameFault) {
      edits = try workspace.rename(at: offset, in: question.key, to: name)
    } catch {
      throw RequestFault(code: .requestFailed, text: error.reason)
    }
    return change(edits)
  }

  /// A change of several files.
  func change(_ edits: [String: [TextEdit]]) -> JSON {
    var changes: [String: JSON] = [:]
    for (file, list) in edits {
      guard let facts = workspace.files[file] else { continue }
      let uri = documents.open.keys.first { key(of: $0) == file } ?? FileURI.uri("/" + file)
      changes[uri] = .array(list.map { facts.source.json($0, documents.encoding) })
    }
    return ["changes": .object(changes)]
  }

  private func symbols(matching query: String) -> JSON {
    var found: [JSON] = []
    for (path, facts) in workspace.files.sorted(by: { $0.key < $1.key })
    where !path.hasPrefix("std/") {
      for entry in facts.outline where entry.kind != .file && entry.name.holds(query) {
        guard found.count < 256, let place = place(Place(path, entry.own)) else { break }
        found.append([
          "name": .string(entry.name), "kind": .int(entry.kind.number), "location": place,
        ])
      }
    }
    return .array(found)
  }

  // MARK: Writing

  private func completion(_ question: Question) throws(RequestFault) -> JSON {
    let offset = try question.offset()
    let folder = FileURI.path(question.uri).flatMap { path in
      path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
    let (range, items) = workspace.completions(at: offset, in: question.key) {
      folder.map(world.files) ?? []
    }
    let place = question.range(range)
    let list: [JSON] = items.prefix(300).map { item in
      var it: [String: JSON] = [
        "label": .string(item.label), "kind": .int(item.kind.number),
        "sortText": .string("\(item.group)\(item.label)"),
        "textEdit": ["range": place, "newText": .string(item.insert ?? item.label)],
      ]
      if !item.detail.isEmpty { it["detail"] = .string(item.detail) }
      return .object(it)
    }
    return ["isIncomplete": .bool(items.count > 300), "items": .array(list)]
  }

  private func hover(_ question: Question) throws(RequestFault) -> JSON {
    let found = workspace.hover(
      at: try question.offset(), in: question.key, record(of: question.uri))
    guard let found else { return .null }
    let text =
      client.takesMarkdown
      ? found.text : found.text.replacing("```scene\n", with: "").replacing("```", with: "")
    return [
      "contents": [
        "kind": client.takesMarkdown ? "markdown" : "plaintext", "value": .string(text),
      ],
      "range": question.range(found.range),
    ]
  }

  private func signatureHelp(_ question: Question) throws(RequestFault) -> JSON {
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

  private func formatting(_ question: Question) throws(RequestFault) -> JSON {
    guard let edits = question.facts.formatting else { return .null }
    return .array(edits.map { question.source.json($0, question.encoding) })
  }

  private func rangeFormatting(_ question: Question) throws(RequestFault) -> JSON {
    let wanted = Document.range(question.parameters["range"], question.source, question.encoding)
    guard let edits = question.facts.formatting, let wanted else { return .null }
    let inside = edits.filter {
      $0.range.lowerBound >= wanted.lowerBound && $0.range.upperBound <= wanted.upperBound
    }
    return .array(inside.map { question.source.json($0, question.encoding) })
  }

  private func codeActions(_ question: Question) throws(RequestFault) -> JSON {
    guard
      let range = Document.range(question.parameters["range"], question.source, question.encoding),
      let last = checked[question.uri], last.version == documents[question.uri]?.version
    else { return [] }
    let own = last.scene.diagnostics.filter { $0.span.file == FileID(0) }
    let only = question.parameters["context"]["only"].array.compactMap(\.string)
    var actions: [JSON] = []
    if only.isEmpty
      || only.contains(where: { "quickfix".hasPrefix($0) || $0.hasPrefix("quickfix") })
    {
      for change in question.facts.changes(in: range, for: own) {
        var action: [String: JSON] = [
          "title": .string(change.title), "kind": "quickfix",
          "edit": self.change([question.key: change.edits]),
        ]
        if let diagnostic = change.diagnostic {
          action["diagnostics"] = [json(diagnostic, in: last.scene)]
        }
        if change.isPreferred { action["isPreferred"] = true }
        actions.append(.object(action))
      }
    }
    if only.contains(where: { "source.fixAll".hasPrefix($0) }) {
      let edits = fixes(of: own)
      if !edits.isEmpty {
        actions.append([
          "title": "make all changes that are safe", "kind": "source.fixAll",
          "edit": change([question.key: edits]),
        ])
      }
    }
    return .array(actions)
  }

  /// The fixes of faults that have just one, where they do not overlap.
  private func fixes(of diagnostics: [Diagnostic]) -> [TextEdit] {
    var edits: [TextEdit] = []
    for fix in diagnostics.filter({ $0.fixIts.count == 1 }).compactMap(\.fixIts.first) {
      let range = fix.span.start..<fix.span.end
      guard fix.span.file == FileID(0),
        !edits.contains(where: { $0.range.overlaps(range) || $0.range == range })
      else { continue }
      edits.append(TextEdit(range, fix.replacement))
    }
    return edits
  }

  private func execute(_ parameters: JSON) throws(RequestFault) -> JSON {
    guard parameters["command"].string == "scenec.fixAll" else {
      throw RequestFault(
        code: .invalidParameters,
        text: "there is no command '\(parameters["command"].string ?? "")'")
    }
    let uri = parameters["arguments"][0]["uri"].string ?? documents.open.keys.sorted().first
    guard let uri, let last = checked[uri], last.version == documents[uri]?.version else {
      return .null
    }
    let edits = fixes(of: last.scene.diagnostics.filter { $0.span.file == FileID(0) })
    guard !edits.isEmpty, client.appliesEdits else { return .null }
    request("workspace/applyEdit", ["edit": change([key(of: uri): edits])])
    return .null
  }
}
