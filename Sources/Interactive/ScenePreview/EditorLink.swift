// SPDX-License-Identifier: MIT
import CLinux
import SceneFiles
import SceneJSON
import SceneServer
import SceneSystem

/// The text of a document that an editor has open, saved or not.
struct EditorText: Sendable {
  let version: Int
  let bytes: [UInt8]
}

/// A connection to an editor over the socket on standard input. It receives the editor's documents,
/// saved or not, and sends user actions from pages to the editor.
package final class EditorLink: Sendable {
  /// A change of an open document.
  struct Change {
    let path: String
    let document: EditorText
    let after: [UInt8]
  }

  /// The editor's response to an edit.
  enum Outcome {
    case applied
    /// A document has changed since the version that the edit names, for this reason.
    case changed(String)
    case refused(String)
  }

  private struct State {
    var isEnded = false
    var editCount = 0
    /// The edit that the editor has not answered, and the versions of its documents by path.
    var pending: Int?
    var pendingVersions: [String: Int] = [:]
    /// The editor's response to the last edit.
    var outcome: Outcome?
  }

  private let state = Monitor(State())
  private let thread = Monitor<WorkerThread?>(nil)
  /// The newest state of each document that the reader has not read yet; `nil` if it is closed.
  private let unread = Monitor<[String: EditorText?]>([:])
  private let socket: Int32

  package init(socket: Int32 = 0) { self.socket = socket }

  /// Receives messages on a separate thread until the editor closes the socket.
  func listen(_ tasks: ReaderTasks, _ outlet: Outlet) {
    thread.update { thread in
      thread = WorkerThread { [self] in
        var reader = FrameReader()
        while let bytes = Files.next(socket, upTo: 1 << 16), !bytes.isEmpty {
          reader.add(bytes)
          while case .message(let body)? = reader.next() {
            if let message = JSON(bytes: body) { take(message, tasks: tasks, outlet: outlet) }
          }
        }
        state.update { $0.isEnded = true }
        tasks.watcher.wake()
      }
    }
  }

  /// Whether the editor has closed the socket.
  package var isEnded: Bool { state.update(\.isEnded) }

  private func take(_ message: JSON, tasks: ReaderTasks, outlet: Outlet) {
    let said = message["params"]
    let path = said["path"].string ?? ""
    switch message["method"].string {
    case "live/text":
      guard let text = said["text"].string else { return }
      pass(EditorText(version: said["version"].int ?? 0, bytes: Array(text.utf8)), of: path, tasks)
    case "live/close": pass(nil, of: path, tasks)
    case "live/cursor":
      guard let offset = said["start"].int else { return }
      tasks.add { $0.mark(offset, in: path) }
    case "live/edited":
      guard let number = said["edit"].int else { return }
      let reason = said["reason"].string ?? "the editor refused the change"
      let outcome: Outcome =
        said["applied"].bool == true
        ? .applied : said["changed"].bool == true ? .changed(reason) : .refused(reason)
      state.update { state in
        if state.pending == number { (state.pending, state.outcome) = (nil, outcome) }
      }
      tasks.watcher.wake()
    default: return
    }
  }

  /// Queues the state of a document, `nil` if it is closed. It replaces an unread state.
  private func pass(_ document: EditorText?, of path: String, _ tasks: ReaderTasks) {
    let isQueued = unread.update { $0.updateValue(document, forKey: path) != nil }
    if isQueued { return }
    tasks.add { [unread] reader in
      guard let document = unread.update({ $0.removeValue(forKey: path) }) else { return }
      if let document { reader.show(document, of: path) } else { reader.close(path) }
    }
  }

  func say(_ method: String, _ said: JSON) {
    let message: JSON = ["jsonrpc": "2.0", "method": .string(method), "params": said]
    state.update { _ in _ = Files.write(socket, FrameReader.frame(message.bytes)) }
  }

  /// Requests changes of open documents from the editor, which applies all or none. Returns the
  /// number of the edit, or `nil` if the editor has not answered an edit of the same versions.
  func edit(_ changes: [Change]) -> Int? {
    let versions = Dictionary(changes.map { ($0.path, $0.document.version) }) { $1 }
    let number = state.update { state -> Int? in
      // A newer version shows that the editor has decided.
      let isWaiting = state.pending != nil && !state.isEnded
      if isWaiting, versions.contains(where: { state.pendingVersions[$0.key] == $0.value }) {
        return nil
      }
      state.editCount += 1
      (state.pending, state.pendingVersions) = (state.editCount, versions)
      state.outcome = nil
      return state.editCount
    }
    guard let number else { return nil }
    say("live/edit", ["edit": .int(number), "documents": .array(changes.map(\.message))])
    return number
  }

  /// Returns the editor's response to an edit; `nil` before it arrives.
  func outcome(of edit: Int) -> Outcome? {
    state.update { state in
      if state.pending == edit {
        return state.isEnded ? .refused("the editor has closed the preview") : nil
      }
      return state.outcome
    }
  }

  /// Takes the text of a document that the reader has not read yet. Returns `nil` if there is none
  /// yet, and `.some(nil)` if none will arrive, because the document is closed or the editor has
  /// ended the connection. An empty task for the text remains in the queue of the reader.
  func takeText(of path: String) -> EditorText?? {
    let taken = unread.update { unread -> EditorText?? in
      guard let known = unread[path] else { return nil }
      guard let text = known else { return .some(nil) }
      unread.removeValue(forKey: path)
      return .some(text)
    }
    return taken ?? (isEnded ? .some(nil) : nil)
  }
}

extension EditorLink.Change {
  /// The smallest edit of whole characters.
  fileprivate var message: JSON {
    let before = document.bytes
    let first = zip(before, after).prefix { $0 == $1 }.count
    let last = zip(before[first...].reversed(), after[first...].reversed()).prefix { $0 == $1 }
      .count
    var (start, end) = (first, last)
    while start > 0, start < before.count, before[start] & 0xC0 == 0x80 { start -= 1 }
    while end > 0, before[before.count - end] & 0xC0 == 0x80 { end -= 1 }
    let text = String(decoding: after[start..<after.count - end], as: UTF8.self)
    return [
      "path": .string(path), "version": .int(document.version),
      "edits": [["start": .int(start), "end": .int(before.count - end), "text": .string(text)]],
    ]
  }
}
