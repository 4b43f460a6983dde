// SPDX-License-Identifier: MIT
import SceneJSON
import SceneWeb
import Synchronization

/// The open pages, and what is sent to them.
final class Outlet: Sendable {
  private struct State {
    var server: WebServer?
    var tabs: Set<WebClient> = []
  }

  private let state = Mutex(State())
  private let news = Mutex(())

  /// Runs while nobody else changes what pages are told, or opens: each hears of each revision once.
  func asOne<T>(_ body: () -> T) -> T { news.withLock { _ in body() } }

  func connect(_ server: WebServer?) { state.withLock { $0.server = server } }

  func open(_ tab: WebClient) { state.withLock { _ = $0.tabs.insert(tab) } }

  func close(_ tab: WebClient) { state.withLock { _ = $0.tabs.remove(tab) } }

  var tabs: Set<WebClient> { state.withLock(\.tabs) }

  private var server: WebServer? { state.withLock(\.server) }

  /// Whether a tab still reads what it was sent before.
  func isBusy(_ tab: WebClient) -> Bool { server?.isBusy(tab) ?? true }

  func answer(_ client: WebClient, _ response: WebResponse) { server?.answer(client, response) }

  // MARK: Messages

  func send(_ message: JSON, to tab: WebClient) { server?.send(WebMessage(message.bytes), to: tab) }

  /// A picture with what is said of it.
  func send(_ head: JSON, _ picture: [UInt8], to tab: WebClient) {
    let head = head.bytes
    let count = UInt32(head.count)
    let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> UInt32($0)) }
    server?.send(WebMessage(length + head + picture, isBinary: true), to: tab)
  }

  /// Sends an event to the tabs, or to one. A later one of the same kind takes the place of one that
  /// waits, where `replaces` says so.
  func event(
    _ name: String, _ members: [String: JSON], to tab: WebClient? = nil, replaces: Bool = false
  ) {
    var message = members
    message["event"] = .string(name)
    let kind = replaces ? name + (members["view"]?.string ?? "") : nil
    let sent = WebMessage(JSON.object(message).bytes, kind: kind)
    guard let server else { return }
    for tab in tab.map({ [$0] }) ?? tabs { server.send(sent, to: tab) }
  }
}
