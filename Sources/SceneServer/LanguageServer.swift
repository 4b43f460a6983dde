// SPDX-License-Identifier: MIT
import CLinux
package import SceneCheck
package import SceneDiagnostics
import SceneEditing
import SceneJSON
import SceneSystem
package import SceneText

/// What the server needs of the world: how a scene is checked, and what is in folders.
package protocol ServerWorld {
  /// Checks a scene; `nil` when it was cancelled, or there is no such file. `open` are the texts of
  /// an editor by their absolute paths, in the place of what the files hold.
  func check(
    _ path: String, _ bytes: [UInt8], open: [String: [UInt8]],
    isCancelled: @escaping @Sendable () -> Bool
  ) -> CheckedScene?
  /// The bytes of a file that may be read as a scene.
  func read(_ path: String) -> [UInt8]?
  /// Where a file of the library can be opened by an editor; `nil` when it cannot be written.
  func libraryFile(_ name: String, _ bytes: [UInt8]) -> String?
  /// The file of the page that explains a code.
  func page(of code: Code) -> String?
  /// The files below a folder, relative to it, without hidden ones.
  func files(in folder: String) -> [String]
}

/// What a check found.
package struct CheckedScene: Sendable {
  package let diagnostics: [Diagnostic]
  /// At the places of their ids; the names of imported ones are absolute paths.
  package let sources: [SourceFile]
  package let record: SceneRecord?

  package init(diagnostics: [Diagnostic], sources: [SourceFile], record: SceneRecord?) {
    self.diagnostics = diagnostics
    self.sources = sources
    self.record = record
  }
}

/// The process that knows scenes: it reads messages from its socket, answers what needs the text alone
/// at once, and checks texts when nothing else is to be done.
///
/// It has one thread. A check asks often whether a message has come, and makes way for it.
package final class LanguageServer {
  let world: any ServerWorld
  private let socket: Int32
  private var reader = FrameReader()
  var documents = DocumentStore()
  var client = ClientAbilities()
  var folders: [String] = []
  private var isEnded = false
  /// Texts to be checked, by URI, and how often their check made way already.
  private var unchecked: [String: Int] = [:]
  private var quarantined: Set<String> = []
  /// The last check of each open scene, with the version of its text.
  var checked: [String: (version: Int, scene: CheckedScene)] = [:]
  /// The files that each open scene has published diagnostics for.
  private var published: [String: Set<String>] = [:]
  /// Files by content, so that each is read once.
  private var facts: [String: FileFacts] = [:]
  private var known: Workspace?
  /// The semantic tokens that were sent last.
  var sentTokens: [String: (id: String, data: [Int])] = [:]
  var lastTokens = 0
  /// A check makes way so often; then it is finished first.
  private static let patience = 3

  package init(_ world: any ServerWorld, socket: Int32 = 0) {
    self.world = world
    self.socket = socket
  }

  /// Until the other end closes.
  package func run() {
    while !isEnded {
      while let frame = reader.next(), !isEnded {
        if case .message(let body) = frame { take(body) }
      }
      if isEnded { return }
      if unchecked.isEmpty || isReadable(0) {
        guard let bytes = Files.next(socket, upTo: 1 << 16), !bytes.isEmpty else { return }
        reader.add(bytes)
      } else {
        checkNext()
      }
    }
  }

  private func isReadable(_ milliseconds: Int32) -> Bool {
    LanguageServer.isReadable(socket, milliseconds)
  }

  private static func isReadable(_ socket: Int32, _ milliseconds: Int32) -> Bool {
    Files.hasInput([socket], within: milliseconds)
  }

  func write(_ message: JSON) {
    if Files.write(socket, FrameReader.frame(message.bytes)) != 0 { isEnded = true }
  }

  func notify(_ method: String, _ parameters: JSON) {
    write(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
  }

  // MARK: Messages

  private func take(_ body: [UInt8]) {
    guard let message = JSON(bytes: body), let method = message["method"].string else { return }
    let parameters = message["params"]
    guard !message["id"].isNull else { return takeNotification(method, parameters) }
    var answer: [String: JSON] = ["jsonrpc": "2.0", "id": message["id"]]
    do throws(RequestFault) {
      answer["result"] = try result(of: method, parameters)
    } catch {
      answer["error"] = Message.fault(error.code, error.text)
    }
    write(.object(answer))
  }

  private func takeNotification(_ method: String, _ parameters: JSON) {
    switch method {
    case "exit": isEnded = true
    case "initialized": watchFiles()
    case "scenec/quarantine": if let uri = parameters["uri"].string { quarantined.insert(uri) }
    case "workspace/didChangeWatchedFiles": forgetFiles()
    case "workspace/didChangeWorkspaceFolders":
      let event = parameters["event"]
      let removed = event["removed"].array.compactMap { $0["uri"].string.flatMap(FileURI.path) }
      let added = event["added"].array.compactMap { $0["uri"].string.flatMap(FileURI.path) }
      folders = folders.filter { !removed.contains($0) } + added
      known = nil
    default:
      guard let uri = documents.take(method, parameters) else { return }
      if method == "textDocument/didClose" { return close(uri) }
      if method == "textDocument/didOpen" { return opened(uri) }
      known = nil
      // A scene that reads this one may be right or wrong now.
      for open in documents.open.keys where open == uri || reads(open, uri) {
        quarantined.remove(open)
        unchecked[open] = 0
      }
    }
  }

  /// Asks the client to say what changes on the disk.
  private func watchFiles() {
    guard client.watchesFiles else { return }
    request(
      "client/registerCapability",
      [
        "registrations": [
          [
            "id": "files", "method": "workspace/didChangeWatchedFiles",
            "registerOptions": ["watchers": [["globPattern": "**/*"]]],
          ]
        ]
      ])
  }

  private func opened(_ uri: String) {
    known = nil
    for open in documents.open.keys where open == uri || reads(open, uri) { unchecked[open] = 0 }
  }

  /// What is on the disk has changed.
  private func forgetFiles() {
    known = nil
    facts = facts.filter { path, _ in documents.open.keys.contains { FileURI.path($0) == path } }
    for uri in documents.open.keys { unchecked[uri] = 0 }
  }

  private func reads(_ open: String, _ uri: String) -> Bool {
    guard let path = FileURI.path(uri) else { return false }
    return checked[open]?.scene.sources.contains { $0.name == path } == true
  }

  private func close(_ uri: String) {
    unchecked[uri] = nil
    checked[uri] = nil
    sentTokens[uri] = nil
    known = nil
    let files = published.removeValue(forKey: uri) ?? []
    for file in files.sorted() { publish(file, from: uri) }
  }

  // MARK: Checks

  private func checkNext() {
    guard let (uri, rounds) = unchecked.min(by: { $0.key < $1.key }), let document = documents[uri]
    else {
      unchecked = unchecked.filter { documents[$0.key] != nil }
      return
    }
    if quarantined.contains(uri) {
      unchecked[uri] = nil
      return notify(
        "textDocument/publishDiagnostics", ["uri": .string(uri), "diagnostics": []])
    }
    let socket = self.socket
    let isPatient = rounds < LanguageServer.patience
    var open: [String: [UInt8]] = [:]
    for other in documents.open.values {
      if let path = FileURI.path(other.uri) { open[path] = other.source.bytes }
    }
    let path = LanguageServer.path(of: uri)
    let found = world.check(path, document.source.bytes, open: open) {
      isPatient && LanguageServer.isReadable(socket, 0)
    }
    guard let found else {
      if unchecked[uri] != nil { unchecked[uri] = rounds + 1 }
      return
    }
    unchecked[uri] = nil
    checked[uri] = (document.version, found)
    known = nil
    let names = Set(found.sources.map(\.name).filter { !$0.hasPrefix("std/") })
    let before = published[uri] ?? []
    let wrong = Set(
      found.diagnostics.compactMap { name(of: $0.span.file, in: found) }.filter {
        !$0.hasPrefix("std/")
      })
    published[uri] = wrong.union([path]).intersection(names.union([path]))
    for file in before.union(published[uri] ?? []).sorted() { publish(file, from: uri) }
    if client.refreshesHints { request("workspace/inlayHint/refresh") }
  }

  private func name(of file: FileID, in scene: CheckedScene) -> String? {
    let index = Int(file.rawValue)
    return scene.sources.indices.contains(index) ? scene.sources[index].name : nil
  }

  private var requests = 0

  func request(_ method: String, _ parameters: JSON? = nil) {
    requests += 1
    var message: [String: JSON] = [
      "jsonrpc": "2.0", "id": .string("scenec-\(requests)"), "method": .string(method),
    ]
    if let parameters { message["params"] = parameters }
    write(.object(message))
  }

  /// All that the open scenes found in a file, each once.
  private func publish(_ path: String, from root: String?) {
    var seen: Set<JSON> = []
    var list: [JSON] = []
    let uri =
      documents.open.keys.first { FileURI.path($0) == path }
      ?? (path == "/untitled.scene" ? root : nil) ?? FileURI.uri(path)
    for (open, check) in checked.sorted(by: { $0.key < $1.key })
    where published[open]?.contains(path) == true {
      for diagnostic in check.scene.diagnostics
      where name(of: diagnostic.span.file, in: check.scene) == path {
        let it = json(diagnostic, in: check.scene)
        if seen.insert(it).inserted { list.append(it) }
      }
    }
    var parameters: [String: JSON] = [
      "uri": .string(uri), "diagnostics": .array(Array(list.prefix(500))),
    ]
    if let version = documents[uri]?.version { parameters["version"] = .int(version) }
    notify("textDocument/publishDiagnostics", .object(parameters))
  }

  // MARK: Files

  /// The path that a text is checked under; one that was never saved has none of its own.
  static func path(of uri: String) -> String {
    FileURI.path(uri) ?? "/" + uri.map { $0 == "/" || $0 == ":" ? "-" : String($0) }.joined()
  }

  /// The key of a file in the workspace.
  static func key(_ path: String) -> String {
    path.hasPrefix("/") ? String(path.dropFirst()) : path
  }

  func key(of uri: String) -> String { FileURI.path(uri).map(LanguageServer.key) ?? uri }

  /// The files that are open, those that they import, and those of the editor's folders.
  var workspace: Workspace {
    if let known { return known }
    var files: [String: FileFacts] = [:]
    var waiting: [(String, [UInt8])] = documents.open.values.map {
      (FileURI.path($0.uri) ?? $0.uri, $0.source.bytes)
    }
    let isOpen = Set(documents.open.keys.compactMap(FileURI.path))
    waiting += folders.flatMap { folder in
      world.files(in: folder).filter { $0.hasSuffix(".scene") }.prefix(5000).compactMap { name in
        let path = "\(folder)/\(name)"
        if isOpen.contains(path) { return nil }
        return (facts[path]?.source.bytes ?? world.read(path)).map { (path, $0) }
      }
    }
    while let (path, bytes) = waiting.popLast() {
      let key = LanguageServer.key(path)
      guard files[key] == nil else { continue }
      let made: FileFacts
      if let old = facts[path], old.source.bytes == bytes {
        made = old
      } else {
        made = FileFacts(bytes, name: path)
        facts[path] = made
      }
      files[key] = made
      guard path.hasPrefix("/") else { continue }
      for other in made.index.imports where !other.path.hasPrefix("std/") {
        let place = FileURI.path(other.path, besides: path)
        if files[LanguageServer.key(place)] == nil, !isOpen.contains(place),
          let bytes = world.read(place)
        {
          waiting.append((place, bytes))
        }
      }
    }
    let made = Workspace(files)
    known = made
    return made
  }

  /// The record of the last check, if the text is still what was checked.
  func record(of uri: String) -> SceneRecord? {
    guard let last = checked[uri], last.version == documents[uri]?.version else { return nil }
    return last.scene.record
  }
}

/// What the client can do with answers.
struct ClientAbilities {
  var takesSnippets = false
  var takesMarkdown = false
  var takesLinks = false
  var takesRelated = false
  var takesTags = false
  var refreshesHints = false
  var appliesEdits = false
  var watchesFiles = false
  var takesNestedSymbols = false

  init() {}

  init(_ parameters: JSON) {
    let document = parameters["capabilities"]["textDocument"]
    let item = document["completion"]["completionItem"]
    takesSnippets = item["snippetSupport"].bool ?? false
    takesMarkdown = document["hover"]["contentFormat"].array.contains("markdown")
    let diagnostics = document["publishDiagnostics"]
    takesLinks = diagnostics["codeDescriptionSupport"].bool ?? false
    takesRelated = diagnostics["relatedInformation"].bool ?? false
    takesTags = diagnostics["tagSupport"].isObject
    refreshesHints =
      parameters["capabilities"]["workspace"]["inlayHint"]["refreshSupport"].bool ?? false
    let workspace = parameters["capabilities"]["workspace"]
    appliesEdits = workspace["applyEdit"].bool ?? false
    watchesFiles = workspace["didChangeWatchedFiles"]["dynamicRegistration"].bool ?? false
    takesNestedSymbols =
      document["documentSymbol"]["hierarchicalDocumentSymbolSupport"].bool ?? false
  }
}
