// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneJSON
import SceneSystem
import SceneText

/// The process that an editor talks to. It hands messages to a worker and back, and when the worker
/// ends, whatever the reason, it starts another one that knows the same texts: a scene can end a check,
/// never the connection.
package final class Keeper {
  private let path: String
  private var worker: Worker?
  private var fromEditor = FrameReader()
  private var documents = DocumentStore()
  /// As the editor sent it.
  private var initialize: JSON?
  private var settings: JSON?
  /// Requests that the worker has not answered yet, by the text of their ids.
  private var waiting: [String: JSON] = [:]
  /// What the worker does last is what ended it, most likely.
  private var lastChanged: String?
  private var quarantined: [String: Int] = [:]
  private var suspect: (uri: String, version: Int)?
  private var deaths = 0
  /// When the worker last said something, or was asked after it had answered everything.
  private var lastSign = ContinuousClock.now
  /// A worker that owes an answer and is silent for so long is ended.
  private static let patience = Duration.seconds(15)
  /// One that ends again and again gets time to breathe.
  private var restart = ContinuousClock.now
  private var isShutDown = false
  private var isEnded = false

  /// A process and the socket that leads to it.
  private final class Worker {
    let socket: Int32
    let process: pid_t
    var reader = FrameReader()
    /// Bytes that it has not taken yet.
    var unsent: [UInt8] = []
    /// The ids of answers that nobody waits for.
    var swallowed: Set<String> = []

    init(socket: Int32, process: pid_t) {
      self.socket = socket
      self.process = process
    }

    deinit { close(socket) }
  }

  /// `path` is the program that becomes a worker with the arguments `lsp --worker`.
  package init(_ path: String) { self.path = path }

  /// Until the editor says `exit` or closes the pipe; the exit status.
  package func run() -> Int32 {
    scene_ignore(SIGPIPE)
    while !isEnded {
      if worker == nil, ContinuousClock.now >= restart { start() }
      guard let worker else {
        waitForEditor()
        continue
      }
      var polled = [pollfd(), pollfd()]
      polled[0] = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      let toWorker = worker.unsent.isEmpty ? Int16(POLLIN) : Int16(POLLIN | POLLOUT)
      polled[1] = pollfd(fd: worker.socket, events: toWorker, revents: 0)
      guard Files.wait(for: &polled, waiting.isEmpty ? -1 : 1000) >= 0 else { continue }
      if !waiting.isEmpty, ContinuousClock.now - lastSign > Keeper.patience {
        kill(worker.process, SIGKILL)
        lastSign = .now
      }
      if polled[1].revents & Int16(POLLOUT) != 0 { send(to: worker) }
      if polled[1].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { takeFromWorker(worker) }
      if polled[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { takeFromEditor() }
    }
    return isShutDown ? 0 : 1
  }

  /// While there is no worker: what comes is kept, or answered with a fault.
  private func waitForEditor() {
    if Files.hasInput([0], within: 100) { takeFromEditor() }
  }

  // MARK: The editor's side

  private func takeFromEditor() {
    guard let bytes = Files.next(0, upTo: 1 << 16), !bytes.isEmpty else {
      isEnded = true
      return
    }
    fromEditor.add(bytes)
    while let frame = fromEditor.next(), !isEnded {
      switch frame {
      case .unreadable: answer(.null, Message.fault(.parseError, "the message cannot be read"))
      case .message(let body): take(body)
      }
    }
  }

  private func take(_ body: [UInt8]) {
    guard let message = JSON(bytes: body) else {
      return answer(.null, Message.fault(.parseError, "the message is not JSON"))
    }
    guard message.isObject, message["method"].string != nil || !message["id"].isNull else {
      return answer(.null, Message.fault(.invalidRequest, "the message is not a request"))
    }
    let method = message["method"].string
    let isRequest = method != nil && !message["id"].isNull
    if let method, !accepts(method, isRequest, message["id"]) { return }
    if isRequest, waiting.isEmpty { lastSign = .now }
    if isRequest { waiting[Keeper.text(message["id"])] = message["id"] }
    if method == "initialize" {
      initialize = message["params"]
      documents.encoding = Message.encoding(for: message["params"])
    }
    if method == "workspace/didChangeConfiguration" { settings = message["params"] }
    if method == "shutdown" { isShutDown = true }
    if let method, let uri = documents.take(method, message["params"]) {
      lastChanged = uri
      quarantined[uri] = nil
    }
    if method == "exit" {
      isEnded = true
      return
    }
    guard worker != nil else {
      if isRequest { refuse(message["id"]) }
      return
    }
    send(body)
  }

  private func refuse(_ id: JSON) {
    waiting[Keeper.text(id)] = nil
    answer(id, Message.fault(.requestFailed, "the check of the scene ended unexpectedly"))
  }

  /// What the protocol says of messages that come too early or too late.
  private func accepts(_ method: String, _ isRequest: Bool, _ id: JSON) -> Bool {
    if method == "exit" { return true }
    if isShutDown {
      if isRequest { answer(id, Message.fault(.invalidRequest, "the server has been shut down")) }
      return false
    }
    if initialize == nil, method != "initialize" {
      if isRequest { answer(id, Message.fault(.notInitialized, "'initialize' comes first")) }
      return false
    }
    if initialize != nil, method == "initialize" {
      answer(id, Message.fault(.invalidRequest, "'initialize' has been sent already"))
      return false
    }
    return true
  }

  private func answer(_ id: JSON, _ fault: JSON) {
    write(JSON.object(["jsonrpc": "2.0", "id": id, "error": fault]).bytes)
  }

  private func write(_ body: [UInt8]) {
    if Files.write(1, FrameReader.frame(body)) != 0 { isEnded = true }
  }

  static func text(_ id: JSON) -> String { String(decoding: id.bytes, as: UTF8.self) }

  // MARK: The worker's side

  private func start() {
    let helper = scene_start_helper(path, "lsp", "--worker")
    guard helper.socket >= 0 else {
      isEnded = true
      return
    }
    let worker = Worker(socket: helper.socket, process: helper.process)
    self.worker = worker
    guard let initialize else { return }
    let id: JSON = "restart"
    worker.swallowed.insert(Keeper.text(id))
    send(
      JSON.object(["jsonrpc": "2.0", "id": id, "method": "initialize", "params": initialize]).bytes)
    notify("initialized", .object([:]))
    if let settings { notify("workspace/didChangeConfiguration", settings) }
    for document in documents.open.values.sorted(by: { $0.uri < $1.uri }) {
      if quarantined[document.uri] != nil {
        notify("scenec/quarantine", ["uri": .string(document.uri)])
      }
      notify(
        "textDocument/didOpen",
        [
          "textDocument": [
            "uri": .string(document.uri), "languageId": "scene", "version": .int(document.version),
            "text": .string(String(decoding: document.source.bytes, as: UTF8.self)),
          ]
        ])
    }
  }

  private func notify(_ method: String, _ parameters: JSON) {
    send(JSON.object(["jsonrpc": "2.0", "method": .string(method), "params": parameters]).bytes)
  }

  private func send(_ body: [UInt8]) {
    guard let worker else { return }
    worker.unsent += FrameReader.frame(body)
    send(to: worker)
  }

  private func send(to worker: Worker) {
    while !worker.unsent.isEmpty {
      let count = unsafe worker.unsent.withUnsafeBytes {
        unsafe scene_send_some(worker.socket, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return }
      worker.unsent.removeFirst(count)
    }
  }

  private func takeFromWorker(_ worker: Worker) {
    guard let bytes = Files.next(worker.socket, upTo: 1 << 16), !bytes.isEmpty else {
      return bury()
    }
    lastSign = .now
    worker.reader.add(bytes)
    while case .message(let body)? = worker.reader.next() {
      guard let message = JSON(bytes: body) else { continue }
      if message["method"].isNull {
        let id = Keeper.text(message["id"])
        if worker.swallowed.remove(id) != nil { continue }
        waiting[id] = nil
        deaths = 0
      }
      write(body)
    }
  }

  /// Answers what the worker leaves behind; the next round of the loop starts another one.
  private func bury() {
    guard let worker else { return }
    scene_wait_for(worker.process)
    self.worker = nil
    deaths += 1
    restart = .now + .seconds(deaths > 1 ? min(60, 1 << min(6, deaths - 2)) : 0)
    if isShutDown {
      isEnded = true
      return
    }
    for id in waiting.values { refuse(id) }
    guard let uri = lastChanged, let document = documents[uri] else { return }
    // It may have ended for another reason: what ends it twice is not tried again.
    guard suspect?.uri == uri, suspect?.version == document.version else {
      suspect = (uri, document.version)
      return
    }
    quarantined[uri] = document.version
    let text =
      "scenec could not check \(FileURI.path(uri) ?? uri): the check ended unexpectedly. It is tried again when the text changes."
    write(
      JSON.object([
        "jsonrpc": "2.0", "method": "window/showMessage",
        "params": ["type": 2, "message": .string(text)],
      ]).bytes)
  }
}
