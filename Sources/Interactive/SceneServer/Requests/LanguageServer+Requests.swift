// SPDX-License-Identifier: MIT
import SceneEditing
import SceneJSON
import SceneText

// Dispatch of requests.
extension LanguageServer {
  func result(of method: String, _ parameters: JSON) throws(RequestError) -> JSON {
    switch method {
    case "initialize": return begin(parameters)
    case "shutdown": return .null
    case "workspace/symbol": return symbols(matching: parameters["query"].string ?? "")
    case "workspace/executeCommand": return try execute(parameters)
    case "completionItem/resolve": return resolved(parameters)
    case "workspace/willRenameFiles": return renaming(parameters["files"].array)
    default: break
    }
    guard let answer = answer(to: method) else {
      throw RequestError(code: .unknownMethod, text: "unknown request '\(method)'")
    }
    let question = try Question(parameters, self)
    if LanguageServer.changing.contains(method), isOfLibrary(question.uri) { return .null }
    lastDocument = question.uri
    return try answer(question)
  }

  /// Requests whose results offer to change a text.
  private static let changing: Set<String> = Set(
    [
      "completion", "formatting", "rangeFormatting", "onTypeFormatting", "codeAction", "codeLens",
      "documentColor", "colorPresentation",
    ].map { "textDocument/" + $0 })

  private typealias Answer = (Question) throws(RequestError) -> JSON

  /// Returns the handler of a request about a text; `nil` for other methods.
  private func answer(to method: String) -> Answer? {
    if method == "scenec/timeline" { return timeline }
    guard method.hasPrefix("textDocument/") else { return nil }
    return switch method.dropFirst("textDocument/".count) {
    case "completion": completion
    case "hover": hover
    case "signatureHelp": signatureHelp
    case "definition", "declaration": definition
    case "typeDefinition": typeDefinition
    case "diagnostic" where client.pulls: pulled
    case "codeLens": lenses
    case "onTypeFormatting": onTypeFormatting
    case "references": references
    case "documentHighlight": highlight
    case "prepareRename": prepareRename
    case "rename": rename
    case "documentSymbol": documentSymbols
    case "foldingRange": folding
    case "selectionRange": selections
    case "semanticTokens/full": semanticTokens
    case "semanticTokens/range": semanticTokensInRange
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

  /// A request about an open text.
  struct Question {
    let parameters: JSON
    let uri: String
    let key: String
    let facts: FileFacts
    let encoding: PositionEncoding

    init(_ parameters: JSON, _ server: LanguageServer) throws(RequestError) {
      guard let uri = parameters["textDocument"]["uri"].string else {
        throw RequestError(code: .invalidParameters, text: "'textDocument.uri' is missing")
      }
      let key = server.key(of: uri)
      guard server.documents[uri] != nil, let facts = server.workspace.files[key] else {
        throw RequestError(code: .invalidParameters, text: "'\(uri)' is not open")
      }
      self.parameters = parameters
      self.uri = uri
      self.key = key
      self.facts = facts
      encoding = server.documents.encoding
    }

    var source: SourceFile { facts.source }

    func offset() throws(RequestError) -> Int {
      guard let position = Position(parameters["position"]) else {
        throw RequestError(code: .invalidParameters, text: "'position' is missing")
      }
      return source.offset(of: position, encoding)
    }

    func range(_ range: Range<Int>) -> JSON { source.json(range, encoding) }
  }

  // MARK: Initialization

  private func begin(_ parameters: JSON) -> JSON {
    client = ClientAbilities(parameters)
    documents.encoding = Message.encoding(for: parameters)
    folders = parameters["workspaceFolders"].array.compactMap {
      $0["uri"].string.flatMap(FileURI.path)
    }
    if folders.isEmpty, let root = parameters["rootUri"].string.flatMap(FileURI.path) {
      folders = [root]
    }
    // Unlike other messages, 'window/logMessage' may precede the response to 'initialize'.
    for text in settings.take(parameters["initializationOptions"]) { log("settings: \(text)") }
    world.use(settings)
    let kinds = NameToken.Kind.allCases.map { JSON.string("\($0)") }
    let paths: JSON = [
      ["scheme": "file", "pattern": ["glob": "**/*", "matches": "file"]],
      ["scheme": "file", "pattern": ["glob": "**/*", "matches": "folder"]],
    ]
    // The text is not requested in `didSave` notifications: ALE 3.3 for Vim sends it with `\n` in
    // place of the original line ends.
    var capabilities: JSON = [
      "positionEncoding": .string(documents.encoding.rawValue),
      "textDocumentSync": ["openClose": true, "change": 2, "save": true],
      "completionProvider": [
        "triggerCharacters": [".", ":", "\"", "/", "(", "#", " "], "resolveProvider": true,
      ],
      "hoverProvider": true,
      "signatureHelpProvider": ["triggerCharacters": ["(", ",", ":"]],
      "definitionProvider": true, "declarationProvider": true, "typeDefinitionProvider": true,
      "referencesProvider": true,
      "documentHighlightProvider": true, "renameProvider": ["prepareProvider": true],
      "documentSymbolProvider": true, "workspaceSymbolProvider": true,
      "foldingRangeProvider": true, "selectionRangeProvider": true,
      "colorProvider": true, "documentLinkProvider": .object([:]), "inlayHintProvider": true,
      "documentFormattingProvider": true, "documentRangeFormattingProvider": true,
      "documentOnTypeFormattingProvider": [
        "firstTriggerCharacter": "}", "moreTriggerCharacter": ["\n"],
      ],
      "codeActionProvider": [
        "codeActionKinds": [
          "quickfix", "refactor.extract", "refactor.inline", "refactor.rewrite", "source.fixAll",
        ]
      ],
      "codeLensProvider": ["resolveProvider": false],
      "executeCommandProvider": ["commands": .array(LanguageServer.commands.map(JSON.string))],
      "semanticTokensProvider": [
        "legend": [
          "tokenTypes": .array(kinds),
          "tokenModifiers": ["declaration", "readonly", "defaultLibrary"],
        ],
        "full": ["delta": true], "range": true,
      ],
      "workspace": [
        "workspaceFolders": ["supported": true, "changeNotifications": true],
        "fileOperations": ["willRename": ["filters": paths]],
      ],
    ]
    // Diagnostics are either pushed or pulled. With both, a client would show each error twice.
    if client.pulls, case .object(var members) = capabilities {
      members["diagnosticProvider"] = [
        "identifier": "scenec", "interFileDependencies": true, "workspaceDiagnostics": false,
      ]
      capabilities = .object(members)
    }
    return [
      "serverInfo": ["name": "scenec", "version": .string(version)], "capabilities": capabilities,
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

  private func definition(_ question: Question) throws(RequestError) -> JSON {
    let offset = try question.offset()
    if let link = question.facts.fileLinks.first(where: { $0.range.contains(offset) }),
      let target = target(of: link, question)
    {
      let start = Position(0, 0).json
      return ["uri": .string(target), "range": ["start": start, "end": start]]
    }
    let record = checks.done[question.uri]?.scene.record
    if let part = workspace.vectorLine(at: offset, in: question.key, record),
      let target = target(of: part.link, question)
    {
      let start = Position(part.line, 0).json
      return ["uri": .string(target), "range": ["start": start, "end": start]]
    }
    return workspace.definition(at: offset, in: question.key).flatMap(place) ?? .null
  }

  private func references(_ question: Question) throws(RequestError) -> JSON {
    let isWhole = question.parameters["context"]["includeDeclaration"].bool ?? true
    let places = workspace.references(
      at: try question.offset(), in: question.key, withDeclaration: isWhole)
    return .array(places.filter { !$0.file.hasPrefix("std/") }.compactMap(place))
  }

  private func highlight(_ question: Question) throws(RequestError) -> JSON {
    let places = workspace.references(at: try question.offset(), in: question.key)
    let own = places.filter { $0.file == question.key }
    return .array(
      own.map { ["range": question.range($0.range), "kind": .int($0 == places.first ? 3 : 2)] })
  }

  private func prepareRename(_ question: Question) throws(RequestError) -> JSON {
    let offset = try question.offset()
    do throws(RenameError) {
      return question.range(try workspace.renamable(at: offset, in: question.key))
    } catch {
      throw RequestError(code: .requestFailed, text: error.reason)
    }
  }

  private func rename(_ question: Question) throws(RequestError) -> JSON {
    let offset = try question.offset()
    guard let name = question.parameters["newName"].string else {
      throw RequestError(code: .invalidParameters, text: "'newName' is missing")
    }
    let edits: [String: [TextEdit]]
    do throws(RenameError) {
      edits = try workspace.rename(at: offset, in: question.key, to: name)
    } catch {
      throw RequestError(code: .requestFailed, text: error.reason)
    }
    return change(edits)
  }

  /// Returns a workspace edit, with the known document versions if the client supports them.
  func change(_ edits: [String: [TextEdit]]) -> JSON {
    var changes: [String: JSON] = [:]
    var versioned: [JSON] = []
    for (file, list) in edits.sorted(by: { $0.key < $1.key }) {
      guard let facts = workspace.files[file] else { continue }
      let uri = documents.open.keys.first { key(of: $0) == file } ?? FileURI.uri("/" + file)
      let edits = JSON.array(list.map { facts.source.json($0, documents.encoding) })
      changes[uri] = edits
      versioned.append([
        "textDocument": [
          "uri": .string(uri), "version": documents[uri].map { .int($0.version) } ?? .null,
        ], "edits": edits,
      ])
    }
    return client.takesVersions
      ? ["documentChanges": .array(versioned)] : ["changes": .object(changes)]
  }

  /// Returns edits that update paths in scenes after files are moved.
  private func renaming(_ files: [JSON]) -> JSON {
    let moves = files.compactMap { it -> (from: String, to: String)? in
      guard let from = it["oldUri"].string.flatMap(FileURI.path),
        let to = it["newUri"].string.flatMap(FileURI.path)
      else { return nil }
      return (LanguageServer.key(from), LanguageServer.key(to))
    }
    let edits = workspace.edits(moving: moves)
    return edits.isEmpty ? .null : change(edits)
  }

  /// Returns the location of the definition that an element uses.
  private func typeDefinition(_ question: Question) throws(RequestError) -> JSON {
    workspace.typeDefinition(at: try question.offset(), in: question.key).flatMap(place) ?? .null
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
}
