// SPDX-License-Identifier: MIT
import SceneSystem

/// What is to be written, in a thread of its own: who says something never waits for a pipe that nobody
/// reads.
///
/// Beyond the limit progress is left out first, then what is wrong, the oldest first in both.
package final class ConsoleQueue: Sendable {
  /// One message.
  private struct Line {
    let text: String
    let isFault: Bool
  }

  private struct State {
    var lines: [Line] = []
    var byteCount = 0
    var leftOut = 0
    var isWriting = false
    var isOver = false
  }

  private let state = Monitor(State())
  private let limit: Int

  /// `write` may take as long as it wants. Without a thread it is called at once.
  package init(limit: Int = 32 << 10, write: @escaping @Sendable (String) -> Void) {
    self.limit = limit
    let thread = WorkerThread { [state] in
      while let text = ConsoleQueue.next(state) {
        write(text)
        state.update { $0.isWriting = false }
      }
    }
    if thread == nil { state.update { $0.isOver = true } }
  }

  /// Whether it was taken.
  package func add(_ text: String, isFault: Bool) -> Bool {
    state.update { state in
      guard !state.isOver else { return false }
      state.lines.append(Line(text: text, isFault: isFault))
      state.byteCount += text.utf8.count
      while state.byteCount > limit, state.lines.count > 1 {
        let place = state.lines.firstIndex { !$0.isFault } ?? 0
        state.byteCount -= state.lines.remove(at: place).text.utf8.count
        state.leftOut += 1
      }
      return true
    }
  }

  /// Waits until all is written, or so long; nothing is taken after it.
  package func end(within milliseconds: Int) {
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    state.update { $0.isOver = true }
    while state.update({ !$0.lines.isEmpty || $0.isWriting }), ContinuousClock.now < deadline {
      sleep(milliseconds: 2)
    }
  }

  /// Waits for what is to be written next; `nil` at the end.
  private static func next(_ state: Monitor<State>) -> String? {
    state.wait { state -> String?? in
      guard !state.lines.isEmpty else { return state.isOver ? .some(nil) : nil }
      state.isWriting = true
      let line = state.lines.removeFirst()
      state.byteCount -= line.text.utf8.count
      guard state.leftOut > 0 else { return line.text }
      defer { state.leftOut = 0 }
      return "… \(state.leftOut) messages that nobody read are left out\n" + line.text
    }
  }
}
