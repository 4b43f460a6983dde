// SPDX-License-Identifier: MIT
import SceneJSON
import SceneSystem
import SceneWeb

/// The open pages, and what is sent to them.
final class Outlet: Sendable {
  private struct State {
    var network: (any WebNetwork)?
    var tabs: Set<WebClient> = []
  }

  private let state = Monitor(State())
  private let news = Monitor(())

  /// Runs while nobody else changes what pages are told, or opens: each hears of each revision once.
  func asOne<T>(_ body: () -> T) -> T { news.update { _ in body() } }

  func connect(_ network: (any WebNetwork)?) { state.update { $0.network = network } }

  func open(_ tab: WebClient) { state.update { _ = $0.tabs.insert(tab) } }

  func close(_ tab: WebClient) { state.update { _ = $0.tabs.remove(tab) } }

  var tabs: Set<WebClient> { state.update(\.tabs) }

  private var network: (any WebNetwork)? { state.update(\.network) }

  /// Whether a tab still reads what it was sent before.
  func isBusy(_ tab: WebClient) -> Bool { network?.isBusy(tab) ?? true }

  func answer(_ client: WebClient, _ response: WebResponse) { network?.answer(client, response) }

  // MARK: Messages

  func send(_ message: JSON, to tab: WebClient) {
    network?.send(WebMessage(message.bytes), to: tab)
  }

  /// A picture with what is said of it.
  func send(_ head: JSON, _ picture: [UInt8], to tab: WebClient) {
    let head = head.bytes
    let count = UInt32(head.count)
    let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> UInt32($0)) }
    network?.send(WebMessage(length + head + picture, isBinary: true), to: tab)
  }

  /// Sends an event to the tabs, or to one. A later one of the same kind takes the place of one that
  /// waits, where `replaces` says so.
  func event(
    _ name: String, _ members: [String: JSON], to tab: WebClient? = nil, replaces: Bool = false
  ) {
    var message = members
    message["event"] = .string(name)
    let subject = members["view"]?.string ?? members["job"]?.int.map(String.init) ?? ""
    let kind = replaces ? name + subject : nil
    let sent = WebMessage(JSON.object(message).bytes, kind: kind)
    guard let network else { return }
    for tab in tab.map({ [$0] }) ?? tabs { network.send(sent, to: tab) }
  }
}
