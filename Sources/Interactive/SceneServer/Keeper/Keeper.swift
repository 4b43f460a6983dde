// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneEditing
import SceneJSON
package import SceneSystem
import SceneText

/// The process that an editor talks to. It forwards messages to a worker process and back. When the
/// worker exits for any reason, the keeper starts a new one with the same open texts, so a scene
/// can crash a check but not the connection. Other programs for the editor, such as the preview,
/// are also child processes of the keeper and thus survive a worker.
package final class Keeper {
  let path: String
  /// The arguments of a worker in addition to `lsp --worker`.
  private let words: [String]
  let version: String
  /// The folder of the log of worker exits.
  let reports: String?
  private var worker: Child?
  private var fromEditor = FrameReader()
  private var toEditor: EditorPipe
  private let world: any KeeperWorld
  private let clock: any TimeSource
  var documents = DocumentStore()
  /// The parameters of `initialize` as sent by the editor.
  private(set) var initialize: JSON?
  private var settings: JSON?
  /// The pending requests to the worker, by the text of their ids.
  private var waiting: [String: JSON] = [:]
  private(set) var lastMethod = ""
  /// The last changed text, which most likely caused a worker to exit.
  var lastChanged: String?
  /// The last cursor position, as far as known from requests.
  var lastCursor: (uri: String, position: Position)?
  private var quarantined: [String: Int] = [:]
  private var suspect: (uri: String, version: Int)?
  private var deaths = 0
  /// The time of the last sign of life: the last message from the worker, or the first request
  /// after a rest.
  private var lastSign: ContinuousClock.Instant
  /// The CPU seconds of the worker at that time.
  private var lastWork = 0.0
  private var lastWorkTaken: ContinuousClock.Instant
  /// The time after which a silent worker with pending requests is ended. If the machine gives it
  /// no CPU time, it is ended after four times as long.
  package var patience = Duration.seconds(15)
  /// Whether the worker has a text to check and has been silent since.
  private var isChecking = false
  /// Whether the editor already watches files, so that the requests of later workers are dropped.
  private var isRegistered = false
  /// The earliest time to start the next worker; delayed if workers exit repeatedly.
  private var restart: ContinuousClock.Instant
  private var isShutDown = false
  private(set) var isEnded = false
  /// The other programs that run for the editor.
  var errands: [Errand] = []
  var links: [Link] = []
  /// The number of the last text of each open document, for previews. Unlike the versions of
  /// documents, which restart when a document is opened again, each number is used once.
  var liveTexts: [String: Int] = [:]
  var liveTextCount = 0
  var errandCount = 0
  /// The playheads of previews, in seconds.
  var playheads: [String: Double] = [:]
  /// The path of a file to log the messages to, if any.
  package var log: String?
  private(set) var logFile: Int32 = -1
  /// The process id of the client; the keeper exits with it.
  package var client: Int32?
  /// The idle time after which a worker is replaced if its memory exceeds `largest` bytes.
  package var rest = Duration.seconds(60)
  package var largest = 400 << 20
  private var lastTraffic: ContinuousClock.Instant
  /// The memory of the worker in bytes after its first check; 0 before.
  private var firstSize = 0
  /// Whether the worker has been idle since its memory was measured.
  private var isMeasured = true
  private var lastLook: ContinuousClock.Instant
  private(set) var isTraced = false

  /// Creates a keeper; `path` is the program that becomes a worker with the arguments `lsp
  /// --worker` and `words`.
  package init(
    _ path: String, _ words: [String], version: String, reports: String?,
    world: any KeeperWorld = SystemKeeperWorld(), clock: any TimeSource = SystemClock()
  ) {
    self.world = world
    self.clock = clock
    toEditor = EditorPipe(world.output, clock)
    (lastSign, lastWorkTaken, restart) = (clock.now, clock.now, clock.now)
    (lastTraffic, lastLook) = (clock.now, clock.now)
    self.path = path
    self.words = words
    self.version = version
    self.reports = reports
  }

  /// Runs until the editor sends `exit` or closes the pipe, and returns the exit status.
  package func run() -> Int32 {
    scene_ignore(SIGPIPE)
    if let log { logFile = Files.open(log, O_WRONLY | O_CREAT | O_APPEND, permissions: 0o600) }
    while !isEnded {
      if worker == nil, clock.now >= restart { start() }
      turn()
    }
    for errand in errands { errand.child.process.signal(SIGKILL) }
    toEditor.finish(within: .milliseconds(100))
    return isShutDown ? 0 : 1
  }

  /// Waits for the next event and handles it.
  private func turn() {
    let children = [worker].compactMap(\.self) + errands.map(\.child) + links.map(\.child)
    var polled = [pollfd(fd: world.input, events: Int16(POLLIN), revents: 0)]
    let isFull = toEditor.byteCount > EditorPipe.greatestWaiting
    polled += children.map {
      let events = ($0 === worker && isFull ? 0 : POLLIN) | ($0.unsent.isEmpty ? 0 : POLLOUT)
      return pollfd(fd: $0.socket, events: Int16(events), revents: 0)
    }
    if toEditor.byteCount > 0 {
      polled.append(pollfd(fd: world.output, events: Int16(POLLOUT), revents: 0))
    }
    guard Files.wait(for: &polled, pause) >= 0 else { return }
    toEditor.send()
    if toEditor.isBroken { isEnded = true }
    endIfStuck()
    look()
    recycle()
    for (child, events) in zip(children, polled.dropFirst()) {
      if events.revents & Int16(POLLOUT) != 0 { child.sendRest() }
      if events.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { take(from: child) }
    }
    if polled[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { takeFromEditor() }
  }

  /// The timeout in milliseconds for periodic checks; -1 for none.
  private var pause: Int32 {
    if worker == nil { return 100 }
    if !waiting.isEmpty || isChecking { return 1000 }
    let rests = isMeasured ? -1 : Int32(max(0, (lastTraffic + rest - clock.now).milliseconds)) + 1
    let looks: Int32 = client != nil || isWatched ? 10_000 : -1
    return rests < 0 ? looks : looks < 0 ? rests : min(rests, looks)
  }

  /// Replaces an idle worker that uses far more memory than a check needs. Fragmented memory is not
  /// returned to the system.
  private func recycle() {
    guard let worker, !isMeasured, waiting.isEmpty, clock.now >= lastTraffic + rest else {
      return
    }
    isMeasured = true
    let size = worker.process.memory
    guard firstSize > 0, size > largest, size > 2 * firstSize else { return }
    note("the worker grew from \(firstSize >> 20) to \(size >> 20) MiB and is replaced")
    renew()
  }

  /// Ends a worker that computes endlessly. If no request is pending, only its CPU time shows
  /// whether it is still checking a text.
  private func endIfStuck() {
    let silence = clock.now - lastSign
    guard let worker, !waiting.isEmpty || isChecking, silence > patience else { return }
    let hasWorked =
      worker.process.seconds - lastWork > patience.milliseconds / 2000
    guard hasWorked || !waiting.isEmpty else {
      isChecking = false
      return
    }
    guard hasWorked || silence > patience * 4 else { return }
    note("no response to \(waiting.isEmpty ? "a change" : lastMethod)")
    worker.process.signal(SIGKILL)
    lastSign = clock.now
  }

  private var isWatched: Bool { initialize?["processId"].int != nil }

  /// Exits if the editor has exited without closing the connection.
  private func look() {
    guard clock.now - lastLook > .seconds(10) else { return }
    lastLook = clock.now
    for process in [client, initialize?["processId"].int.map { Int32(truncatingIfNeeded: $0) }] {
      if let process, process > 0, kill(process, 0) != 0, Files.errno == ESRCH { isEnded = true }
    }
  }

  // MARK: Editor

  private func takeFromEditor() {
    guard let bytes = Files.next(world.input, upTo: 1 << 16), !bytes.isEmpty else {
      isEnded = true
      return
    }
    fromEditor.add(bytes)
    while let frame = fromEditor.next(), !isEnded {
      switch frame {
      case .unreadable: answer(.null, Message.failure(.parseError, "the message cannot be parsed"))
      case .message(let body): take(body)
      }
    }
  }

  private func take(_ body: [UInt8]) {
    guard let message = JSON(bytes: body) else {
      return answer(.null, Message.failure(.parseError, "the message is not valid JSON"))
    }
    guard message.isObject, message["method"].string != nil || !message["id"].isNull else {
      return answer(.null, Message.failure(.invalidRequest, "the message is not a valid request"))
    }
    let method = message["method"].string
    let isRequest = method != nil && !message["id"].isNull
    trace("from the editor", message)
    if let method, !accepts(method, isRequest: isRequest, id: message["id"]) { return }
    if let method, isRequest, isOwn(method, message) { return }
    if method == nil, isOwnAnswer(message) { return takeAnswer(message) }
    if isRequest, waiting.isEmpty, !isChecking { heard() }
    if isRequest {
      waiting[Keeper.text(message["id"])] = message["id"]
      lastMethod = method ?? ""
    }
    if let method { take(method, message["params"]) }
    if isEnded { return }
    guard worker != nil else {
      if isRequest { refuse(message["id"]) }
      return
    }
    worker?.send(body)
  }

  /// Tracks the state that the keeper needs from messages to the worker.
  private func take(_ method: String, _ parameters: JSON) {
    switch method {
    case "initialize":
      initialize = parameters
      documents.encoding = Message.encoding(for: parameters)
      isTraced = ["messages", "verbose"].contains(parameters["trace"].string)
    case "workspace/didChangeConfiguration": settings = parameters
    case "$/setTrace": isTraced = parameters["value"].string != "off"
    case "$/cancelRequest": cancel(parameters["id"])
    case "window/workDoneProgress/cancel": cancelProgress(parameters["token"])
    case "shutdown": isShutDown = true
    case "exit": isEnded = true
    default:
      if let taken = documents.take(method, parameters) {
        if method != "textDocument/didClose" {
          lastChanged = taken.uri
          if waiting.isEmpty, !isChecking { heard() }
          isChecking = true
        }
        // A save of the same text must not invalidate the edits of pages.
        if method != "textDocument/didSave" || taken.isChanged {
          quarantined[taken.uri] = nil
          documents[taken.uri] == nil ? textClosed(taken.uri) : textChanged(taken.uri)
        }
      } else if let uri = parameters["textDocument"]["uri"].string, documents[uri] != nil {
        lastAsked(method, uri: uri, parameters: parameters)
      }
    }
  }

  private func refuse(_ id: JSON) {
    waiting[Keeper.text(id)] = nil
    answer(id, Message.failure(.requestFailed, "the check crashed"))
  }

  /// Returns whether a message is allowed at this point of the protocol's lifecycle.
  private func accepts(_ method: String, isRequest: Bool, id: JSON) -> Bool {
    if method == "exit" { return true }
    if isShutDown {
      if isRequest { answer(id, Message.failure(.invalidRequest, "the server was shut down")) }
      return false
    }
    if initialize == nil, method != "initialize" {
      if isRequest {
        answer(id, Message.failure(.notInitialized, "'initialize' must be the first request"))
      }
      return false
    }
    if initialize != nil, method == "initialize" {
      answer(id, Message.failure(.invalidRequest, "'initialize' was already sent"))
      return false
    }
    return true
  }

  func answer(_ id: JSON, _ failure: JSON) {
    write(JSON.object(["jsonrpc": "2.0", "id": id, "error": failure]).bytes)
  }

  /// Queues a message for the editor. It supersedes an unread message with the same subject.
  func write(_ body: [UInt8], subject: String? = nil) {
    toEditor.add(body, subject: subject)
    if toEditor.isBroken { isEnded = true }
  }

  /// Sends a notification to the editor.
  func tell(_ method: String, _ parameters: JSON) {
    write(
      JSON.object(["jsonrpc": "2.0", "method": .string(method), "params": parameters]).bytes)
  }

  static func text(_ id: JSON) -> String { String(decoding: id.bytes, as: UTF8.self) }

  /// Records a sign of life: a message from the worker, or a request after a rest.
  private func heard() {
    lastSign = clock.now
    isChecking = false
    (lastTraffic, isMeasured) = (clock.now, false)
    guard let worker, clock.now - lastWorkTaken > .seconds(1) else { return }
    lastWorkTaken = clock.now
    lastWork = worker.process.seconds
  }

  // MARK: Worker

  private func start() {
    guard let worker = child([path, "lsp", "--worker"] + words) else {
      isEnded = true
      return
    }
    self.worker = worker
    note("the worker is process \(worker.process.number)")
    guard let initialize else { return }
    let id: JSON = "restart"
    worker.swallowed.insert(Keeper.text(id))
    worker.send(
      JSON.object(["jsonrpc": "2.0", "id": id, "method": "initialize", "params": initialize]).bytes)
    worker.notify("initialized", .object([:]))
    if let settings { worker.notify("workspace/didChangeConfiguration", settings) }
    for document in documents.open.values.sorted(by: { $0.uri < $1.uri }) {
      if quarantined[document.uri] != nil {
        worker.notify("scenec/quarantine", ["uri": .string(document.uri)])
      }
      worker.notify(
        "textDocument/didOpen",
        [
          "textDocument": [
            "uri": .string(document.uri), "languageId": "scene", "version": .int(document.version),
            "text": .string(String(decoding: document.source.bytes, as: UTF8.self)),
          ]
        ])
      // Reopening a text does not retry the check that ended a worker.
      if quarantined[document.uri] != nil {
        worker.notify("scenec/quarantine", ["uri": .string(document.uri)])
      }
    }
  }

  /// Starts a program; returns `nil` on failure.
  func child(_ words: [String]) -> Child? { world.start(words).map(Child.init) }

  /// Sends a notification to the worker that does not come from the editor.
  func tellWorker(_ method: String, _ parameters: JSON) { worker?.notify(method, parameters) }

  /// Ends the worker. A new one starts immediately and receives the messages that arrive meanwhile.
  func renew() {
    if let worker {
      worker.process.signal(SIGKILL)
      _ = worker.process.waitForEnd()
      for id in waiting.values { refuse(id) }
    }
    (worker, firstSize, restart) = (nil, 0, clock.now)
    isChecking = false
    deaths = 0
    suspect = nil
    lastChanged = nil
  }

  private func take(from child: Child) {
    guard child === worker else { return takeFromErrand(child) }
    guard let bytes = Files.next(child.socket, upTo: 1 << 16), !bytes.isEmpty else {
      return bury()
    }
    heard()
    child.reader.add(bytes)
    while case .message(let body)? = child.reader.next() {
      guard let message = JSON(bytes: body) else { continue }
      if message["method"].isNull {
        let id = Keeper.text(message["id"])
        if child.swallowed.remove(id) != nil { continue }
        guard waiting.removeValue(forKey: id) != nil else { continue }
        deaths = 0
      }
      if message["method"] == "client/registerCapability" {
        if isRegistered {
          child.send(
            JSON.object(["jsonrpc": "2.0", "id": message["id"], "result": .null]).bytes)
          continue
        }
        isRegistered = true
      }
      let subject =
        message["method"] == "textDocument/publishDiagnostics"
        ? message["params"]["uri"].string : nil
      if firstSize == 0, message["method"] == "textDocument/publishDiagnostics" {
        firstSize = child.process.memory
      }
      trace("from the worker", message)
      write(body, subject: subject)
    }
  }

  /// Answers the pending requests of a worker that exited; the main loop starts a new worker.
  private func bury() {
    guard let worker else { return }
    let status = worker.process.waitForEnd()
    note("the worker exited with \(status)")
    self.worker = nil
    firstSize = 0
    isChecking = false
    deaths += 1
    restart = clock.now + .seconds(deaths > 1 ? min(60, 1 << min(6, deaths - 2)) : 0)
    if isShutDown {
      isEnded = true
      return
    }
    for id in waiting.values { refuse(id) }
    guard let uri = lastChanged, let document = documents[uri] else { return }
    let place = report(status)
    // The worker may have exited for another reason. A text is quarantined only after the second
    // time.
    guard suspect?.uri == uri, suspect?.version == document.version else {
      suspect = (uri, document.version)
      return
    }
    quarantined[uri] = document.version
    let text =
      "scenec could not check \(FileURI.path(uri) ?? uri): the worker crashed. "
      + "The check runs again when the text changes." + (place.map { " See \($0)." } ?? "")
    tell("window/showMessage", ["type": 2, "message": .string(text)])
  }
}
