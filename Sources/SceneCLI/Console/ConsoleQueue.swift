// SPDX-License-Identifier: MIT
package import SceneSystem

/// What is to be written, in a thread of its own: who says something never waits for a pipe that nobody
/// reads.
///
/// Beyond the limit progress is left out first, then what is wrong, the oldest first in both; results
/// never are.
package final class ConsoleQueue: Sendable {
  /// What a message is about.
  package enum Kind: Sendable {
    case progress, fault, result
  }

  /// One message.
  private struct Line {
    let text: String
    let kind: Kind
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
  private let clock: any TimeSource

  /// `write` may take as long as it wants. Without a thread it is called at once.
  package init(
    limit: Int = 32 << 10, clock: any TimeSource = SystemClock(),
    write: @escaping @Sendable (String, Kind) -> Void
  ) {
    self.limit = limit
    self.clock = clock
    let thread = WorkerThread { [state] in
      while let line = ConsoleQueue.next(state) {
        write(line.text, line.kind)
        state.update { $0.isWriting = false }
      }
    }
    if thread == nil { state.update { $0.isOver = true } }
  }

  /// Whether it was taken.
  package func add(_ text: String, _ kind: Kind) -> Bool {
    state.update { state in
      guard !state.isOver else { return false }
      state.lines.append(Line(text: text, kind: kind))
      guard kind != .result else { return true }
      state.byteCount += text.utf8.count
      while state.byteCount > limit,
        let place = state.lines.firstIndex(where: { $0.kind == .progress })
          ?? state.lines.firstIndex(where: { $0.kind == .fault }), place < state.lines.count - 1
      {
        state.byteCount -= state.lines.remove(at: place).text.utf8.count
        state.leftOut += 1
      }
      return true
    }
  }

  /// Waits until all is written, or so long; nothing is taken after it. Whether all was written.
  package func end(within milliseconds: Int) -> Bool {
    let deadline = clock.now + .milliseconds(milliseconds)
    state.update { $0.isOver = true }
    while state.update({ !$0.lines.isEmpty || $0.isWriting }) {
      if clock.now >= deadline { return false }
      clock.sleep(for: .milliseconds(2))
    }
    return true
  }

  /// Waits for what is to be written next; `nil` at the end.
  private static func next(_ state: Monitor<State>) -> Line? {
    state.wait { state -> Line?? in
      guard !state.lines.isEmpty else { return state.isOver ? .some(nil) : nil }
      state.isWriting = true
      let line = state.lines.removeFirst()
      if line.kind != .result { state.byteCount -= line.text.utf8.count }
      guard state.leftOut > 0, line.kind != .result else { return line }
      let count = state.leftOut
      state.leftOut = 0
      let gap =
        count == 1 ? "1 message was" : "\(count) messages were"
      return Line(text: "… \(gap) dropped, the output was not read\n" + line.text, kind: line.kind)
    }
  }
}
