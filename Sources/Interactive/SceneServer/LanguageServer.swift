// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneCheck
import SceneDiagnostics
import SceneEditing
import SceneJSON
import SceneModel
package import SceneSystem
import SceneText

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
  var listings: [String: (at: ContinuousClock.Instant, names: [String])] = [:]
  var stamps: [String: (at: ContinuousClock.Instant, stamp: Int)] = [:]
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
  /// Rounds seconds to ticks. Returns `nil` if the time is not finite or exceeds a million seconds.
  init?(exactSeconds seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 1e6 else { return nil }
    self.init(Int64((seconds * Double(Ticks.perSecond)).rounded()))
  }
}
