// SPDX-License-Identifier: MIT
import SceneJSON
import SceneSystem
import SceneWeb

/// The open pages and the messages sent to them.
final class Outlet: Sendable {
  private struct State {
    var network: (any WebNetwork)?
    var tabs: Set<WebClient> = []
  }

  private let state = Monitor(State())
  private let news = Monitor(())

  /// Runs `body` under a lock that serializes events and new pages, so that each page receives
  /// every revision exactly once.
  func asOne<T>(_ body: () -> T) -> T { news.update { _ in body() } }

  func connect(_ network: (any WebNetwork)?) { state.update { $0.network = network } }

  func open(_ tab: WebClient) { state.update { _ = $0.tabs.insert(tab) } }

  func close(_ tab: WebClient) { state.update { _ = $0.tabs.remove(tab) } }

  var tabs: Set<WebClient> { state.update(\.tabs) }

  private var network: (any WebNetwork)? { state.update(\.network) }

  /// Returns whether a tab is still receiving previous messages.
  func isBusy(_ tab: WebClient) -> Bool { network?.isBusy(tab) ?? true }

  func answer(_ client: WebClient, _ response: WebResponse) { network?.answer(client, response) }

  // MARK: Messages

  func send(_ message: JSON, to tab: WebClient) {
    network?.send(WebMessage(message.bytes), to: tab)
  }

  /// Sends an image with its JSON header, which is preceded by its length in four bytes, big
  /// endian.
  func send(_ head: JSON, _ picture: [UInt8], to tab: WebClient) {
    let head = head.bytes
    let count = UInt32(head.count)
    let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> UInt32($0)) }
    network?.send(WebMessage(length + head + picture, isBinary: true), to: tab)
  }

  /// Sends an event to all tabs or to one. With `replaces`, it replaces a waiting event of the same
  /// kind.
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
