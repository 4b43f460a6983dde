// SPDX-License-Identifier: MIT
import CLinux
import CProcess
package import SceneCheck
package import SceneDiagnostics
import SceneEditing
import SceneJSON
import SceneModel
package import SceneSystem
package import SceneText

/// The services that the server depends on: checking scenes and accessing files.
package protocol ServerWorld: AnyObject {
  /// Applies the settings of a client.
  func use(_ settings: Settings)
  /// Checks a scene; returns `nil` if the check was canceled or the file does not exist. `open`
  /// holds the texts of an editor by absolute path, which replace the contents of the files.
  func check(
    _ path: String, _ bytes: [UInt8], open: [String: [UInt8]],
    isCancelled: @escaping @Sendable () -> Bool
  ) -> CheckedScene?
  /// Releases the data of a scene that is no longer open.
  func forget(_ path: String)
  /// Returns the bytes of a file if it may be read as a scene, that is, if it is in `folders` after
  /// resolving links.
  func read(_ path: String, within folders: [String]) -> [UInt8]?
  /// Returns a value that changes with the content of a file; `nil` if the file does not exist in
  /// `folders`.
  func stamp(of path: String, within folders: [String]) -> Int?
  /// Returns the path under which an editor can open a library file; `nil` if the file cannot be
  /// written.
  func libraryFile(_ name: String, _ bytes: [UInt8]) -> String?
  /// Returns the library name of a file written by `libraryFile`; `nil` for other paths.
  func libraryName(of path: String) -> String?
  /// Returns the file of the page that explains a code.
  func page(of code: Code) -> String?
  /// Returns the paths of the files below a folder, relative to it, without hidden files.
  func files(in folder: String) -> [String]
  /// Returns a description of a file that a scene shows, such as its size.
  func description(of path: String, besides scene: String) -> String?
  /// The installed font families, and those of font files that scenes use.
  var fontFamilies: [String] { get }
  /// The file descriptors that become readable when an input file of a scene changes.
  var changes: [Int32] { get }
  /// Returns the scenes with changed input files.
  func outdated() -> [String]
}

/// The result of a check.
package struct CheckedScene {
  package let diagnostics: [Diagnostic]
  /// The sources, indexed by file id; imported sources are named by absolute path.
  package let sources: [SourceFile]
  package let record: SceneRecord?
  /// The session that provides values, while it is kept.
  package var session: CheckSession?

  package init(
    diagnostics: [Diagnostic], sources: [SourceFile], record: SceneRecord?,
    session: CheckSession? = nil
  ) {
    self.diagnostics = diagnostics
    self.sources = sources
    self.record = record
    self.session = session
  }
}

/// The worker process: it reads messages from its socket, immediately answers requests that need
/// only the text, and checks texts when idle.
///
/// The server is single-threaded. A check polls for messages and yields to them: a request waits
/// for a few hundred evaluations at most. After a check has yielded three times, a request waits
/// once for it to finish. A separate thread would let the check continue, but all state that it
/// reads and caches (fonts, files, values, the texts) would have to be shared or copied.
package final class LanguageServer {
  let world: any ServerWorld
  let socket: Int32
  private var reader = FrameReader()
  /// The received messages that have not been handled yet.
  private var queue: [JSON] = []
  var documents = DocumentStore()
  var client = ClientAbilities()
  var settings = Settings()
  var folders: [String] = []
  var isEnded = false
  var quarantined: Set<String> = []
  var checks: Checks
  let clock: any TimeSource
  /// The parsed files with their facts, so that each version is parsed once.
  var facts: [String: FileFacts] = [:]
  var known: Workspace?
  /// The semantic tokens sent last, for deltas.
  var sentTokens: [String: (id: String, data: [Int])] = [:]
  var lastTokens = 0
  /// The file of the last completion.
  var completed = ""
  /// The inlay hints sent last.
  var sentHints: [String: KeptHints] = [:]
  /// The text that was last changed or requested.
  var lastDocument: String?
  /// The playheads of the previews, by scene URI.
  var playheads: [String: Ticks] = [:]
  private var requests = 0
  /// Cached folder listings and file stamps, with the time of their creation.
  private var listings: [String: (at: ContinuousClock.Instant, names: [String])] = [:]
  private var stamps: [String: (at: ContinuousClock.Instant, stamp: Int)] = [:]
  /// The memory of this process in bytes after the first check, and the time when memory was last
  /// released.
  private var firstSize = 0
  private var lastReturn: ContinuousClock.Instant
  /// The handlers for responses of the client, by request id.
  private var asked: [String: (JSON) -> Void] = [:]

  /// The version of scenec, sent to the client.
  let version: String

  package init(
    _ world: any ServerWorld, version: String, socket: Int32 = 0,
    clock: any TimeSource = SystemClock()
  ) {
    self.clock = clock
    checks = Checks(clock)
    lastReturn = clock.now
    self.world = world
    self.version = version
    self.socket = socket
  }

  /// Processes messages until the client sends `exit` or closes the connection.
  package func run() {
    while !isEnded {
      takeFrames()
      while !queue.isEmpty, !isEnded {
        take(queue.removeFirst())
        // Read ahead, since a cancellation follows the request that it cancels.
        if isReadable, !readMore() { return }
      }
      if isEnded { return }
      let due = checks.nextDue
      if let due, due <= clock.now {
        isReadable ? isEnded = !readMore() : work()
        continue
      }
      let wait = due.map { Int32(max(1, ($0 - clock.now).milliseconds.rounded(.up))) } ?? -1
      let files = [socket] + world.changes
      guard Files.hasInput(files, within: wait) else { continue }
      if isReadable, !readMore() { return }
      if Files.hasInput(world.changes, within: 0) { filesChanged() }
    }
  }

  /// Releases memory after a large text. The C library otherwise keeps free memory between used
  /// blocks.
  func returnMemory() {
    let size = scene_process_memory(getpid())
    if firstSize == 0 { firstSize = size }
    guard size > firstSize + 64 << 20, clock.now - lastReturn > .seconds(1) else {
      return
    }
    lastReturn = clock.now
    scene_return_memory()
  }

  private var isReadable: Bool { Files.hasInput([socket], within: 0) }

  private func readMore() -> Bool {
    guard let bytes = Files.next(socket, upTo: 1 << 16), !bytes.isEmpty else { return false }
    reader.add(bytes)
    takeFrames()
    return true
  }

  private func takeFrames() {
    while let frame = reader.next() {
      guard case .message(let body) = frame, let message = JSON(bytes: body) else { continue }
      guard message["method"] == "$/cancelRequest" else {
        queue.append(message)
        continue
      }
      let id = message["params"]["id"]
      // Notifications have no id and cannot be canceled.
      guard !id.isNull,
        let place = queue.firstIndex(where: { $0["id"] == id && !$0["method"].isNull })
      else {
        continue
      }
      queue.remove(at: place)
      write([
        "jsonrpc": "2.0", "id": id,
        "error": Message.failure(.requestCancelled, "the request was canceled"),
      ])
    }
  }

  func write(_ message: JSON) {
    if Files.write(socket, FrameReader.frame(message.bytes)) != 0 { isEnded = true }
  }

  func notify(_ method: String, _ parameters: JSON) {
    write(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
  }

  /// Sends a request to the client; `then` is called with the result of the response, if one
  /// arrives.
  func request(_ method: String, _ parameters: JSON? = nil, then: ((JSON) -> Void)? = nil) {
    requests += 1
    // The id contains the process id, so that responses for another worker are dropped.
    let id = "scenec-\(getpid())-\(requests)"
    var message: [String: JSON] = [
      "jsonrpc": "2.0", "id": .string(id), "method": .string(method),
    ]
    if let parameters { message["params"] = parameters }
    asked[id] = then
    write(.object(message))
  }

  func log(_ text: String) {
    notify("window/logMessage", ["type": 3, "message": .string(text)])
  }

  // MARK: Messages

  private func take(_ message: JSON) {
    guard let method = message["method"].string else {
      if let id = message["id"].string { asked.removeValue(forKey: id)?(message["result"]) }
      return
    }
    let parameters = message["params"]
    guard !message["id"].isNull else { return takeNotification(method, parameters) }
    var answer: [String: JSON] = ["jsonrpc": "2.0", "id": message["id"]]
    do throws(RequestError) {
      answer["result"] = try result(of: method, parameters)
    } catch {
      answer["error"] = Message.failure(error.code, error.text)
    }
    write(.object(answer))
  }

  private func takeNotification(_ method: String, _ parameters: JSON) {
    switch method {
    case "exit": isEnded = true
    case "initialized": begun()
    case "scenec/quarantine": if let uri = parameters["uri"].string { quarantined.insert(uri) }
    case "scenec/playhead":
      guard let uri = parameters["uri"].string else { return }
      playheads[uri] = parameters["seconds"].number.flatMap {
        Ticks(exactSeconds: $0)
      }
    case "workspace/didChangeConfiguration": configure(parameters["settings"])
    case "workspace/didChangeWatchedFiles":
      let changed = parameters["changes"].array.compactMap {
        $0["uri"].string.flatMap(FileURI.path)
      }
      forgetFiles(changed)
    case "workspace/didChangeWorkspaceFolders":
      let event = parameters["event"]
      let removed = event["removed"].array.compactMap { $0["uri"].string.flatMap(FileURI.path) }
      let added = event["added"].array.compactMap { $0["uri"].string.flatMap(FileURI.path) }
      folders = folders.filter { !removed.contains($0) } + added
      known = nil
    default: takeDocument(method, parameters)
    }
  }

  private func takeDocument(_ method: String, _ parameters: JSON) {
    let before = parameters["textDocument"]["uri"].string.flatMap { documents[$0]?.source.bytes }
    guard let taken = documents.take(method, parameters) else { return }
    known = nil
    let uri = taken.uri
    switch method {
    case "textDocument/didClose":
      close(uri)
      // The content of the file replaces the closed text.
      for open in documents.open.keys where reads(open, uri) { wish(open, after: .zero) }
    case "textDocument/didSave":
      // The saved text is authoritative.
      if taken.isChanged { log("the saved text of \(uri) differs from the open document") }
      checks.isSaved.insert(uri)
      return wish(uri, after: .zero)
    case "textDocument/didOpen":
      lastDocument = uri
      checks.isSaved.insert(uri)
      if before == nil { published(by: uri) }
      quarantined.remove(uri)
      for open in documents.open.keys where open == uri || reads(open, uri) {
        wish(open, after: .zero)
      }
    default:
      lastDocument = uri
      checks.typed(uri, taken.edits)
      quarantined.remove(uri)
      let pause = checks.pause(before: uri)
      for open in documents.open.keys where open == uri || reads(open, uri) {
        quarantined.remove(open)
        wish(open, after: pause)
      }
    }
  }

  private func begun() {
    if client.watchesFiles {
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
    if client.hasConfiguration { askForSettings() }
  }

  private func askForSettings() {
    request("workspace/configuration", ["items": [["section": "scenec"]]]) { [weak self] answer in
      if answer[0].isObject { self?.configure(["scenec": answer[0]]) }
    }
  }

  /// Applies settings, and checks all texts again if the settings changed.
  func configure(_ json: JSON) {
    guard json.isObject else {
      if client.hasConfiguration { askForSettings() }
      return
    }
    var new = Settings()
    let unknown = new.take(json["scenec"].isObject ? json["scenec"] : json)
    for text in unknown { log("settings: \(text)") }
    guard new != settings else { return }
    settings = new
    world.use(new)
    for uri in documents.open.keys { wish(uri, after: .zero) }
    if client.refreshesHints { request("workspace/inlayHint/refresh") }
  }

  // MARK: Files

  /// Checks the scenes with changed input files.
  private func filesChanged() {
    let roots = Set(world.outdated())
    guard !roots.isEmpty else { return }
    known = nil
    for uri in documents.open.keys where roots.contains(LanguageServer.path(of: uri)) {
      wish(uri, after: .zero)
    }
  }

  /// Handles file changes reported by the client.
  private func forgetFiles(_ changed: [String]) {
    // For an open text, changes of its file are irrelevant.
    let open = Set(documents.open.keys.compactMap(FileURI.path))
    guard changed.contains(where: { !open.contains($0) }) else { return }
    known = nil
    listings = [:]
    stamps = [:]
    for uri in documents.open.keys { wish(uri, after: .zero) }
  }

  /// Returns the path under which a text is checked; an unsaved text gets an artificial path.
  static func path(of uri: String) -> String {
    FileURI.path(uri) ?? "/" + uri.map { $0 == "/" || $0 == ":" ? "-" : String($0) }.joined()
  }

  /// Returns the workspace key of a file.
  static func key(_ path: String) -> String {
    path.hasPrefix("/") ? String(path.dropFirst()) : path
  }

  func key(of uri: String) -> String {
    guard let path = FileURI.path(uri) else { return uri }
    return world.libraryName(of: path).map { "std/" + $0 } ?? LanguageServer.key(path)
  }

  /// Returns whether a text is a library file, which is read-only.
  func isOfLibrary(_ uri: String) -> Bool {
    FileURI.path(uri).flatMap { world.libraryName(of: $0) } != nil
  }

  /// The open files, their imports, and the files in the editor's folders. Rebuilt after each
  /// change, regardless of size. Shifting the names of an older text by its edits would be a few
  /// milliseconds faster, but incorrect at the edit.
  var workspace: Workspace {
    if let known { return known }
    let made = Workspace(workspaceFiles())
    known = made
    return made
  }

  private func workspaceFiles() -> [String: FileFacts] {
    var files: [String: FileFacts] = [:]
    var waiting: [(String, [UInt8])] = documents.open.values.compactMap {
      isOfLibrary($0.uri) ? nil : (FileURI.path($0.uri) ?? $0.uri, $0.source.bytes)
    }
    let isOpen = Set(documents.open.keys.compactMap(FileURI.path))
    var room = LanguageServer.greatestWorkspace
    for folder in folders {
      for name in self.files(in: folder) where name.hasSuffix(".scene") && room > 0 {
        let path = "\(folder)/\(name)"
        guard !isOpen.contains(path), let bytes = bytes(of: path) else { continue }
        room -= bytes.count
        waiting.append((path, bytes))
      }
    }
    while let (path, bytes) = waiting.popLast() {
      let key = LanguageServer.key(path)
      guard files[key] == nil else { continue }
      let made: FileFacts
      if let old = facts[path], old.source.bytes == bytes {
        made = old
      } else {
        made = FileFacts(bytes.count > LanguageServer.greatestText ? [] : bytes, name: path)
        facts[path] = made
      }
      files[key] = made
      guard path.hasPrefix("/") else { continue }
      for other in made.index.imports where !other.path.hasPrefix("std/") {
        let place = FileURI.path(other.path, besides: path)
        if files[LanguageServer.key(place)] == nil, !isOpen.contains(place),
          let bytes = self.bytes(of: place)
        {
          waiting.append((place, bytes))
        }
      }
    }
    return files
  }

  /// Returns the names of the files below a folder, cached for five seconds.
  func files(in folder: String) -> [String] {
    let now = clock.now
    if let kept = listings[folder], now - kept.at < .seconds(5) { return kept.names }
    let names = world.files(in: folder)
    listings[folder] = (now, names)
    return names
  }

  /// Returns the content of a file that is not open; read again if its stamp changed.
  private func bytes(of path: String) -> [UInt8]? {
    let now = clock.now
    let folders = readableFolders
    if let kept = stamps[path], now - kept.at < .seconds(1), let known = facts[path] {
      return known.source.bytes
    }
    guard let stamp = world.stamp(of: path, within: folders) else { return nil }
    let old = stamps[path]?.stamp
    stamps[path] = (now, stamp)
    if old == stamp, let known = facts[path] { return known.source.bytes }
    return world.read(path, within: folders)
  }

  /// The folders of the editor and of the open files. `ServerWorld` adds the root.
  private var readableFolders: [String] {
    folders
      + Set(
        documents.open.keys.compactMap { uri in
          isOfLibrary(uri) ? nil : FileURI.path(uri).map { FileURI.folder(of: $0) }
        })
  }

  /// The maximum size of a text in bytes. Larger texts are stored but not analyzed, since responses
  /// would take seconds.
  static let greatestText = 4 << 20
  /// The maximum number of bytes of closed files that are indexed.
  private static let greatestWorkspace = 64 << 20

  /// Returns the result of the last check if the text has not changed since.
  func findings(of uri: String) -> CheckFindings? {
    guard let last = checks.done[uri], last.version == documents[uri]?.version else { return nil }
    var it = CheckFindings(record: last.scene.record, session: last.scene.session)
    it.playhead = playheads[uri]
    it.showsImages = settings.images && client.takesMarkdown
    return it
  }
}

extension Duration {
  var milliseconds: Double {
    Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
  }
}

extension Ticks {
  /// Returns `nil` if the time is not finite or exceeds a million seconds.
  init?(exactSeconds seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 1e6 else { return nil }
    self.init(Int64((seconds * Double(Ticks.perSecond)).rounded()))
  }
}

/// The capabilities of the client.
struct ClientAbilities {
  var takesSnippets = false
  var takesInsertReplace = false
  /// Whether a completion list may specify one range for all items.
  var takesDefaultRange = false
  var takesMarkdown = false
  /// The markup formats of completion documentation; empty if only plain strings are supported.
  var itemFormats: [JSON] = []
  var takesLinks = false
  var takesRelated = false
  var takesTags = false
  var takesVersions = false
  var takesRelatedDocuments = false
  /// Whether the client pulls diagnostics.
  var pulls = false
  var refreshesHints = false
  var refreshesLenses = false
  var appliesEdits = false
  var watchesFiles = false
  var hasConfiguration = false
  var showsDocuments = false
  var takesNestedSymbols = false

  init() {}

  init(_ parameters: JSON) {
    let document = parameters["capabilities"]["textDocument"]
    let workspace = parameters["capabilities"]["workspace"]
    let item = document["completion"]["completionItem"]
    takesSnippets = item["snippetSupport"].bool ?? false
    takesInsertReplace = item["insertReplaceSupport"].bool ?? false
    takesDefaultRange = document["completion"]["completionList"]["itemDefaults"].array
      .contains("editRange")
    itemFormats = item["documentationFormat"].array
    takesMarkdown = document["hover"]["contentFormat"].array.contains("markdown")
    let diagnostics = document["publishDiagnostics"]
    takesLinks = diagnostics["codeDescriptionSupport"].bool ?? false
    takesRelated = diagnostics["relatedInformation"].bool ?? false
    takesTags = diagnostics["tagSupport"].isObject
    takesVersions = workspace["workspaceEdit"]["documentChanges"].bool ?? false
    takesRelatedDocuments = document["diagnostic"]["relatedDocumentSupport"].bool ?? false
    pulls =
      document["diagnostic"].isObject && workspace["diagnostics"]["refreshSupport"].bool == true
    refreshesHints = workspace["inlayHint"]["refreshSupport"].bool ?? false
    refreshesLenses = workspace["codeLens"]["refreshSupport"].bool ?? false
    appliesEdits = workspace["applyEdit"].bool ?? false
    watchesFiles = workspace["didChangeWatchedFiles"]["dynamicRegistration"].bool ?? false
    hasConfiguration = workspace["configuration"].bool ?? false
    showsDocuments = parameters["capabilities"]["window"]["showDocument"]["support"].bool ?? false
    takesNestedSymbols =
      document["documentSymbol"]["hierarchicalDocumentSymbolSupport"].bool ?? false
  }
}
