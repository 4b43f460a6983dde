// SPDX-License-Identifier: MIT
package import SceneSystem

/// An output queue with its own thread, so that callers never block on a pipe that is not read.
///
/// Beyond the limit, the oldest progress messages are dropped first, then the oldest error
/// messages. Results are never dropped.
package final class ConsoleQueue: Sendable {
  /// The kind of a message.
  package enum Kind: Sendable {
    case progress, failure, result
  }

  /// A single message.
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

  /// Starts the queue. `write` may block. If no thread can be started, the queue accepts no
  /// messages.
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

  /// Adds a message and returns whether the queue accepted it.
  package func add(_ text: String, _ kind: Kind) -> Bool {
    state.update { state in
      guard !state.isOver else { return false }
      state.lines.append(Line(text: text, kind: kind))
      guard kind != .result else { return true }
      state.byteCount += text.utf8.count
      while state.byteCount > limit,
        let place = state.lines.firstIndex(where: { $0.kind == .progress })
          ?? state.lines.firstIndex(where: { $0.kind == .failure }), place < state.lines.count - 1
      {
        state.byteCount -= state.lines.remove(at: place).text.utf8.count
        state.leftOut += 1
      }
      return true
    }
  }

  /// Closes the queue and waits until everything is written or the time is over. Returns whether
  /// everything was written.
  package func end(within milliseconds: Int) -> Bool {
    let deadline = clock.now + .milliseconds(milliseconds)
    state.update { $0.isOver = true }
    while state.update({ !$0.lines.isEmpty || $0.isWriting }) {
      if clock.now >= deadline { return false }
      clock.sleep(for: .milliseconds(2))
    }
    return true
  }

  /// Blocks until a message is available; returns `nil` at the end.
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
