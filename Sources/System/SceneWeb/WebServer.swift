// SPDX-License-Identifier: MIT
import CWeb
package import SceneSystem
import Synchronization

/// An HTTP and WebSocket server on 127.0.0.1, based on libwebsockets, with its own thread.
///
/// Any thread may send messages and responses. They wait in the outbox of their client.
// Safe: only the network thread uses the connections; the rest is protected by a lock or immutable.
@safe package final class WebServer: WebNetwork, @unchecked Sendable {
  private struct Shared {
    var outboxes: [WebClient: Outbox] = [:]
    /// The clients with new messages or responses.
    var waiting: Set<WebClient> = []
    /// The last message for all sockets, once the server ends.
    var farewell: WebMessage?
    var isOver = false
  }

  /// The state of a connection.
  struct Connection {
    var client: WebClient
    var isSocket = false
    /// Whether the response must not include a body.
    var isHead = false
    var received: [UInt8] = []
  }

  package private(set) var port = 0
  let site: any WebSite
  let limits: WebLimits
  private let clock: any TimeSource
  private let tables = unsafe Owned<UnsafeMutablePointer<scene_web_tables>>(
    always: .allocate(capacity: 1)
  ) { unsafe $0.deallocate() }
  private let name: Owned<UnsafeMutablePointer<CChar>>
  @safe private var context: OpaquePointer?
  private let shared = Mutex(Shared())
  private var thread: WorkerThread?
  /// The connections by their libwebsockets objects.
  var connections: [WebPlace: Connection] = [:]
  private var places: [WebClient: WebPlace] = [:]
  private var lastNumber: UInt64 = 0

  /// Opens the port; returns `nil` if it is in use. With port 0, the system chooses a port. Sockets
  /// use `subprotocol`.
  package init?(
    port: Int, subprotocol: String, site: any WebSite, limits: WebLimits = WebLimits(),
    clock: any TimeSource = SystemClock()
  ) {
    self.site = site
    self.clock = clock
    self.limits = limits
    unsafe name = Owned(always: strdup(subprotocol)) { unsafe free($0) }
    let own = scene_web_limits(
      connections: Int32(limits.connections), headerBytes: Int32(limits.headerBytes),
      seconds: Int32(limits.patienceSeconds), pingSeconds: Int32(limits.pingSeconds),
      hangUpSeconds: Int32(limits.hangUpSeconds))
    unsafe context = scene_web_start(
      tables.pointer, Int32(port), name.pointer,
      { connection, reason, _, bytes, count in
        // Safe: the context ends before the server does.
        guard let connection = unsafe connection,
          let server = unsafe lws_context_user(lws_get_context(connection))
        else { return 0 }
        let lent = unsafe UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
        return unsafe Unmanaged<WebServer>.fromOpaque(server).takeUnretainedValue()
          .take(reason, place: WebPlace(pointer: connection), bytes: lent)
      }, Unmanaged.passUnretained(self).toOpaque(), own)
    guard let context else { return nil }
    self.port = unsafe Int(lws_get_vhost_listen_port(lws_get_vhost_by_name(context, "default")))
  }

  deinit { unsafe lws_context_destroy(context) }

  /// Starts serving.
  package func start() {
    thread = WorkerThread { [self] in
      while !shared.withLock(\.isOver) { _ = lws_service(context, 0) }
    }
  }

  package func end(_ farewell: WebMessage) {
    shared.withLock { $0.farewell = farewell }
    wake()
    let deadline = clock.now + .milliseconds(200)
    while clock.now < deadline, shared.withLock({ !$0.outboxes.isEmpty }) {
      clock.sleep(for: .milliseconds(2))
    }
    shared.withLock { $0.isOver = true }
    wake()
    thread?.join()
  }

  // MARK: Called from any thread

  package func send(_ message: WebMessage, to client: WebClient) {
    let isKnown = shared.withLock { shared in
      guard shared.outboxes[client]?.add(message, limits) != nil else { return false }
      return shared.waiting.insert(client).inserted
    }
    if isKnown { wake() }
  }

  package func answer(_ client: WebClient, _ response: WebResponse) {
    shared.withLock { shared in
      shared.outboxes[client]?.response = response
      shared.waiting.insert(client)
    }
    wake()
  }

  /// Returns whether messages to a client have not been sent completely.
  package func isBusy(_ client: WebClient) -> Bool {
    shared.withLock { $0.outboxes[client].map { $0.isSending || !$0.messages.isEmpty } ?? false }
  }

  private func wake() { lws_cancel_service(context) }

  // MARK: Called on the network thread

  func newClient(at place: WebPlace) -> WebClient {
    if let old = connections[place] { forget(old.client) }
    lastNumber += 1
    let client = WebClient(number: lastNumber)
    places[client] = place
    connections[place] = Connection(client: client)
    shared.withLock { $0.outboxes[client] = Outbox() }
    return client
  }

  func forget(_ client: WebClient) {
    places[client] = nil
    shared.withLock { shared in
      shared.outboxes[client] = nil
      shared.waiting.remove(client)
    }
  }

  var isEnding: Bool { shared.withLock { $0.farewell != nil } }

  func withOutbox<T>(_ client: WebClient, _ body: (inout Outbox) -> T) -> T? {
    shared.withLock { shared in
      guard var box = shared.outboxes[client] else { return nil }
      defer { shared.outboxes[client] = box }
      return body(&box)
    }
  }

  /// Requests a writable callback for all clients with waiting messages.
  func askToWrite() {
    let (waiting, farewell) = shared.withLock { shared in
      defer { shared.waiting = [] }
      return (shared.waiting, shared.farewell)
    }
    for client in farewell == nil ? Array(waiting) : Array(places.keys) {
      guard let place = places[client] else { continue }
      if let farewell { _ = withOutbox(client) { $0.end(farewell) } }
      place.askToWrite()
    }
  }
}

/// The waiting messages of a client.
package struct Outbox {
  package private(set) var messages: [WebMessage] = []
  package var response: WebResponse?
  private var byteCount = 0
  /// Whether libwebsockets may still hold a part of the last message.
  package var isSending = false
  /// Whether the queue exceeded its limits.
  package private(set) var isFull = false
  package private(set) var isEnding = false

  package init() {}

  package mutating func add(_ message: WebMessage, _ limits: WebLimits) {
    guard !isEnding, !isFull else { return }
    if let kind = message.kind { remove { $0.kind == kind } }
    isFull =
      messages.count >= limits.queuedMessages
      || (!messages.isEmpty && byteCount + message.bytes.count > limits.queuedBytes)
    if !isFull {
      messages.append(message)
      byteCount += message.bytes.count
    }
  }

  /// Replaces all waiting messages with a final one, and accepts no more.
  package mutating func end(_ farewell: WebMessage) {
    guard !isEnding else { return }
    isEnding = true
    messages = [farewell]
  }

  package mutating func next() -> WebMessage? {
    guard let first = messages.first else { return nil }
    messages.removeFirst()
    byteCount -= first.bytes.count
    return first
  }

  private mutating func remove(_ isOld: (WebMessage) -> Bool) {
    byteCount -= messages.filter(isOld).reduce(0) { $0 + $1.bytes.count }
    messages.removeAll(where: isOld)
  }
}

/// Compresses bytes to the gzip format (RFC 1952); returns `nil` if out of memory.
package func gzip(_ bytes: [UInt8]) -> [UInt8]? {
  var packed = [UInt8](repeating: 0, count: bytes.count + 1024)
  let count = unsafe scene_web_gzip(bytes, bytes.count, &packed, packed.count)
  return count > 0 ? Array(packed[..<count]) : nil
}
