// SPDX-License-Identifier: MIT
import SceneSystem
import SceneWeb

/// A network in memory, with the rules of `WebServer`.
///
/// One thread calls the site. A client that reads slowly is busy, and a client that leaves too much
/// unread is disconnected.
// Safe: only the thread that holds the baton of the scheduler accesses the state.
final class SimulatedNetwork: WebNetwork, @unchecked Sendable {
  private enum Event {
    case opened(WebClient)
    case received([UInt8], WebClient)
    case closed(WebClient)
  }

  private struct Client {
    var outbox = Outbox()
    /// The messages that have left the server.
    var inbox: [WebMessage] = []
    /// The number of messages that the client may leave unread before the server waits.
    let window: Int
    var isOpen = true
    var isDrained = true
  }

  private let site: any WebSite
  private let run: Run
  private let limits = WebLimits()
  private var clients: [WebClient: Client] = [:]
  private var events: [Event] = []
  private var lastNumber: UInt64 = 0
  private var isOver = false
  private var thread: WorkerThread?

  init(_ site: any WebSite, _ run: Run) {
    self.site = site
    self.run = run
  }

  // MARK: Server

  func start() { thread = run.thread("network") { [self] in serve() } }

  func send(_ message: WebMessage, to client: WebClient) {
    run.scheduler.pass()
    clients[client]?.outbox.add(message, limits)
    clients[client]?.isDrained = false
  }

  func answer(_ client: WebClient, _ response: WebResponse) { run.scheduler.pass() }

  func isBusy(_ client: WebClient) -> Bool {
    clients[client].map { $0.outbox.isSending || !$0.outbox.messages.isEmpty } ?? false
  }

  func end(_ farewell: WebMessage) {
    for client in clients.keys { clients[client]?.outbox.end(farewell) }
    _ = run.scheduler.wait(atMost: .milliseconds(200)) {
      clients.values.allSatisfy { $0.outbox.messages.isEmpty }
    }
    isOver = true
    thread?.join()
    for client in clients.keys { clients[client]?.isOpen = false }
  }

  private func serve() {
    while true {
      _ = run.scheduler.wait(atMost: nil) { isOver || !events.isEmpty || next != nil }
      if isOver { return }
      if !events.isEmpty, next == nil || run.random.chance(0.5) {
        take(events.removeFirst())
      } else if let client = next {
        deliver(to: client)
      }
    }
  }

  private func take(_ event: Event) {
    run.scheduler.name("network (\(event))")
    defer { run.scheduler.name("network") }
    switch event {
    case .opened(let client): site.opened(client)
    case .received(let bytes, let client):
      if clients[client]?.isOpen == true { site.received(bytes, from: client) }
    case .closed(let client):
      guard clients.removeValue(forKey: client) != nil else { return }
      site.closed(client)
    }
  }

  /// A client that can receive a message now.
  private var next: WebClient? {
    clients.filter { it in
      let client = it.value
      return client.isOpen && (client.inbox.count < client.window || client.outbox.isFull)
        && !client.isDrained
    }.keys.min { $0.number < $1.number }
  }

  private func deliver(to client: WebClient) {
    guard var it = clients[client] else { return }
    if it.outbox.isFull {
      clients[client]?.isOpen = false
      return events.append(.closed(client))
    }
    let message = it.outbox.next()
    it.outbox.isSending = message != nil
    it.isDrained = message == nil
    if let message { it.inbox.append(message) }
    clients[client] = it
    if message == nil { site.drained(client) }
  }

  // MARK: Clients

  func connect(window: Int) -> WebClient {
    run.scheduler.pass()
    lastNumber += 1
    let client = WebClient(number: lastNumber)
    clients[client] = Client(window: window, isOpen: !isOver)
    if !isOver { events.append(.opened(client)) }
    return client
  }

  func say(_ message: [UInt8], as client: WebClient) {
    run.scheduler.pass()
    events.append(.received(message, client))
  }

  func disconnect(_ client: WebClient) {
    run.scheduler.pass()
    clients[client]?.isOpen = false
    events.append(.closed(client))
  }

  /// Returns the next message for a client; `nil` after `limit`, or if it is disconnected.
  func hear(_ client: WebClient, atMost limit: Duration) -> WebMessage? {
    _ = run.scheduler.wait(atMost: limit) {
      clients[client].map { !$0.inbox.isEmpty || !$0.isOpen } ?? true
    }
    guard clients[client]?.inbox.isEmpty == false else { return nil }
    return clients[client]?.inbox.removeFirst()
  }

  func isConnected(_ client: WebClient) -> Bool { clients[client]?.isOpen ?? false }
}
