// SPDX-License-Identifier: MIT
import CLinux
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
  private struct State {
    var isEnded = false
  }

  private let state = Monitor(State())
  private let thread = Monitor<WorkerThread?>(nil)
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
      }
    }
  }

  /// Whether the editor has closed the socket.
  package var isEnded: Bool { state.update(\.isEnded) }

  private func take(_ message: JSON, tasks: ReaderTasks, outlet: Outlet) {
    let said = message["params"]
    guard let path = said["path"].string else { return }
    switch message["method"].string {
    case "live/text":
      guard let text = said["text"].string else { return }
      let document = EditorText(version: said["version"].int ?? 0, bytes: Array(text.utf8))
      tasks.add { $0.show(document, of: path) }
    case "live/close":
      tasks.add { $0.close(path) }
    case "live/cursor":
      guard let offset = said["start"].int else { return }
      tasks.add { $0.mark(offset, in: path) }
    default: return
    }
  }

  func say(_ method: String, _ said: JSON) {
    let message: JSON = ["jsonrpc": "2.0", "method": .string(method), "params": said]
    state.update { _ in _ = Files.write(socket, FrameReader.frame(message.bytes)) }
  }

  /// Requests an edit of an open document from the editor, which refuses it if it has a newer
  /// version.
  func edit(_ path: String, from document: EditorText, to after: [UInt8]) {
    let before = document.bytes
    let first = zip(before, after).prefix { $0 == $1 }.count
    let last = zip(before[first...].reversed(), after[first...].reversed()).prefix { $0 == $1 }
      .count
    // Extends the range to whole characters.
    var (start, end) = (first, last)
    while start > 0, start < before.count, before[start] & 0xC0 == 0x80 { start -= 1 }
    while end > 0, before[before.count - end] & 0xC0 == 0x80 { end -= 1 }
    let text = String(decoding: after[start..<after.count - end], as: UTF8.self)
    say(
      "live/edit",
      [
        "path": .string(path), "version": .int(document.version),
        "edits": [["start": .int(start), "end": .int(before.count - end), "text": .string(text)]],
      ])
  }
}
