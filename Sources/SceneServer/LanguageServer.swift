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

/// What the server needs of the world: how a scene is checked, and what is in folders.
package protocol ServerWorld: AnyObject {
  /// What a client sets from now on.
  func use(_ settings: Settings)
  /// Checks a scene; `nil` when it was cancelled, or there is no such file. `open` are the texts of
  /// an editor by their absolute paths, in the place of what the files hold.
  func check(
    _ path: String, _ bytes: [UInt8], open: [String: [UInt8]],
    isCancelled: @escaping @Sendable () -> Bool
  ) -> CheckedScene?
  /// Nobody looks at a scene any more.
  func forget(_ path: String)
  /// The bytes of a file that may be read as a scene: one in `folders`, links resolved.
  func read(_ path: String, within folders: [String]) -> [UInt8]?
  /// What differs whenever the content of a file does; `nil` where there is none in `folders`.
  func stamp(of path: String, within folders: [String]) -> Int?
  /// Where a file of the library can be opened by an editor; `nil` when it cannot be written.
  func libraryFile(_ name: String, _ bytes: [UInt8]) -> String?
  /// The name in the library of a file that was written for editors; `nil` for another path.
  func libraryName(of path: String) -> String?
  /// The file of the page that explains a code.
  func page(of code: Code) -> String?
  /// The files below a folder, relative to it, without hidden ones.
  func files(in folder: String) -> [String]
  /// What is known of a file that a scene shows: how large it is.
  func description(of path: String, besides scene: String) -> String?
  /// The families of fonts that are installed, and those of files that scenes named.
  var fontFamilies: [String] { get }
  /// The files that become readable when a file that a scene was made from has changed.
  var changes: [Int32] { get }
  /// The scenes of which a file is no longer what it was.
  func outdated() -> [String]
}

/// What a check found.
package struct CheckedScene {
  package let diagnostics: [Diagnostic]
  /// At the places of their ids; the names of imported ones are absolute paths.
  package let sources: [SourceFile]
  package let record: SceneRecord?
  /// Knows values, as long as it is kept.
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

/// The process that knows scenes: it reads messages from its socket, answers what needs the text alone
/// at once, and checks texts when nothing else is to be done.
///
/// It has one thread. A check asks often whether a message has come, and makes way for it: a question waits
/// for a few hundred evaluations at most, and after three of them once for the end of the check. With a
/// thread of its own the check would go on meanwhile, but all that it reads and keeps (fonts, files, values,
/// the texts themselves) would have to be shared or copied for that.
package final class LanguageServer {
  let world: any ServerWorld
  let socket: Int32
  private var reader = FrameReader()
  /// What came and was not taken yet.
  private var queue: [JSON] = []
  var documents = DocumentStore()
  var client = ClientAbilities()
  var settings = Settings()
  var folders: [String] = []
  var isEnded = false
  var quarantined: Set<String> = []
  var checks: Checks
  let clock: any TimeSource
  /// Files by content, so that each is read once.
  var facts: [String: FileFacts] = [:]
  var known: Workspace?
  /// The semantic tokens that were sent last.
  var sentTokens: [String: (id: String, data: [Int])] = [:]
  var lastTokens = 0
  /// The file that was completed last.
  var completed = ""
  /// The hints that were sent last.
  var sentHints: [String: KeptHints] = [:]
  /// The text that was changed or asked about last.
  var lastDocument: String?
  /// Where the preview is in a film, by its scene's URI.
  var playheads: [String: Ticks] = [:]
  private var requests = 0
  /// What folders hold, and what tells one content of a file from another, with the time of looking.
  private var listings: [String: (at: ContinuousClock.Instant, names: [String])] = [:]
  private var stamps: [String: (at: ContinuousClock.Instant, stamp: Int)] = [:]
  /// Bytes that this process had after its first check, and when it gave some back.
  private var firstSize = 0
  private var lastReturn: ContinuousClock.Instant
  /// What to do with the answer of the client.
  private var asked: [String: (JSON) -> Void] = [:]

  /// The version of scenec, which a client may show.
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

  /// Until the other end closes.
  package func run() {
    while !isEnded {
      takeFrames()
      while !queue.isEmpty, !isEnded {
        take(queue.removeFirst())
        // What is cancelled comes behind what it cancels.
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

  /// Gives back what a large text took and a later one does not need: the C library keeps free memory that
  /// lies between what is used.
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
      // Notifications have no identifier, and cannot be cancelled.
      guard !id.isNull,
        let place = queue.firstIndex(where: { $0["id"] == id && !$0["method"].isNull })
      else {
        continue
      }
      queue.remove(at: place)
      write([
        "jsonrpc": "2.0", "id": id,
        "error": Message.fault(.requestCancelled, "the request was canceled"),
      ])
    }
  }

  func write(_ message: JSON) {
    if Files.write(socket, FrameReader.frame(message.bytes)) != 0 { isEnded = true }
  }

  func notify(_ method: String, _ parameters: JSON) {
    write(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
  }

  /// Asks the client; its answer, if one comes, is for `then`.
  func request(_ method: String, _ parameters: JSON? = nil, then: ((JSON) -> Void)? = nil) {
    requests += 1
    // The number of this process: an answer for another one is dropped.
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
      // The file counts again.
      for open in documents.open.keys where reads(open, uri) { wish(open, after: .zero) }
    case "textDocument/didSave":
      // The text that was saved is the one that counts.
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

  /// Takes settings, and checks all texts by them.
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

  /// A file that a scene was made from has changed.
  private func filesChanged() {
    let roots = Set(world.outdated())
    guard !roots.isEmpty else { return }
    known = nil
    for uri in documents.open.keys where roots.contains(LanguageServer.path(of: uri)) {
      wish(uri, after: .zero)
    }
  }

  /// What is on the disk has changed, as a client says.
  private func forgetFiles(_ changed: [String]) {
    // A text that is open counts, not its file.
    let open = Set(documents.open.keys.compactMap(FileURI.path))
    guard changed.contains(where: { !open.contains($0) }) else { return }
    known = nil
    listings = [:]
    stamps = [:]
    for uri in documents.open.keys { wish(uri, after: .zero) }
  }

  /// The path that a text is checked under; one that was never saved has none of its own.
  static func path(of uri: String) -> String {
    FileURI.path(uri) ?? "/" + uri.map { $0 == "/" || $0 == ":" ? "-" : String($0) }.joined()
  }

  /// The key of a file in the workspace.
  static func key(_ path: String) -> String {
    path.hasPrefix("/") ? String(path.dropFirst()) : path
  }

  func key(of uri: String) -> String {
    guard let path = FileURI.path(uri) else { return uri }
    return world.libraryName(of: path).map { "std/" + $0 } ?? LanguageServer.key(path)
  }

  /// Whether a text is one of the library, which is read and never changed.
  func isOfLibrary(_ uri: String) -> Bool {
    FileURI.path(uri).flatMap { world.libraryName(of: $0) } != nil
  }

  /// The files that are open, those that they import, and those of the editor's folders. They are read anew
  /// after a change, at any length: names of an older text, moved along with its edits, would be sooner
  /// there by a few milliseconds and wrong where somebody writes.
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

  /// The names of the files below a folder, as they were a few seconds ago at most.
  func files(in folder: String) -> [String] {
    let now = clock.now
    if let kept = listings[folder], now - kept.at < .seconds(5) { return kept.names }
    let names = world.files(in: folder)
    listings[folder] = (now, names)
    return names
  }

  /// What a file that is not open holds; read again when it is another one.
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

  /// The folders of the editor, and those of the files that are open in it. The world adds the root.
  private var readableFolders: [String] {
    folders
      + Set(
        documents.open.keys.compactMap { uri in
          isOfLibrary(uri) ? nil : FileURI.path(uri).map { FileURI.folder(of: $0) }
        })
  }

  /// A text beyond this is kept, but not read: answers would take seconds.
  static let greatestText = 4 << 20
  /// So many bytes of files that are not open are looked at for names.
  private static let greatestWorkspace = 64 << 20

  /// What the last check found, if the text is still what was checked.
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
  /// Of a finite time within a day or so.
  init?(exactSeconds seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 1e6 else { return nil }
    self.init(Int64((seconds * Double(Ticks.perSecond)).rounded()))
  }
}

/// What the client can do with answers.
struct ClientAbilities {
  var takesSnippets = false
  var takesInsertReplace = false
  /// Whether a list of completions may say once where all go.
  var takesDefaultRange = false
  var takesMarkdown = false
  /// The forms of texts that it shows beside completions; none when it knows bare strings alone.
  var itemFormats: [JSON] = []
  var takesLinks = false
  var takesRelated = false
  var takesTags = false
  var takesVersions = false
  var takesRelatedDocuments = false
  /// Whether it asks for diagnostics, rather than being sent them.
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
