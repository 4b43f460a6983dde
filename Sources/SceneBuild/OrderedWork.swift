// SPDX-License-Identifier: MIT
import SceneSystem

/// Numbered pieces of work: threads take them in runs, and what they make is handed on in order. Nobody takes a
/// run that begins more than `ahead` pieces after what was handed on, so only so many wait.
final class OrderedWork<Piece: Sendable, Fault: Error>: Sendable {
  private struct State {
    var ready: [Int: Piece] = [:]
    var claimedRuns = 0
    var handedOn = 0
    var threads = 0
    /// What the threads have counted.
    var progress = 0
    var fault: Fault?
    var isStopped = false
  }

  /// What comes next to who takes the pieces.
  enum Event {
    case piece(Piece, number: Int)
    case progress(Int)
    case end
    case fault(Fault)
  }

  private let runs: [Range<Int>]
  private let count: Int
  private let ahead: Int
  private let state = Monitor(State())

  /// Runs follow each other without a gap, from 0 on.
  init(_ runs: [Range<Int>], ahead: Int) {
    self.runs = runs
    self.ahead = ahead
    count = runs.last?.upperBound ?? 0
  }

  // MARK: Threads

  /// A number for each thread that asks, from 1 on.
  func join() -> Int {
    state.update { state in
      state.threads += 1
      return state.threads
    }
  }

  /// The numbers of the next pieces; `nil` when there are none or nobody wants them.
  func claim() -> Range<Int>? {
    state.wait { state -> Range<Int>?? in
      if state.isStopped || state.fault != nil || state.claimedRuns == runs.count {
        return .some(nil)
      }
      guard runs[state.claimedRuns].lowerBound < state.handedOn + ahead else { return nil }
      state.claimedRuns += 1
      return runs[state.claimedRuns - 1]
    }
  }

  func finish(_ number: Int, _ piece: Piece) { state.update { $0.ready[number] = piece } }

  /// The first fault ends the work.
  func fail(_ fault: Fault) { state.update { $0.fault = $0.fault ?? fault } }

  /// Counts what is done; whether nobody wants more.
  func isOver(after count: Int = 0) -> Bool {
    state.update { state in
      state.progress += count
      return state.isStopped || state.fault != nil
    }
  }

  // MARK: Who takes the pieces

  func stop() { state.update { $0.isStopped = true } }

  /// The next piece, or more progress than was `shown`, whichever is there first.
  func next(shown: Int = .max) -> Event {
    state.wait { state -> Event? in
      if let fault = state.fault { return .fault(fault) }
      if let piece = state.ready.removeValue(forKey: state.handedOn) {
        state.handedOn += 1
        return .piece(piece, number: state.handedOn - 1)
      }
      if state.progress > shown { return .progress(state.progress) }
      return state.handedOn == count ? .end : nil
    }
  }
}
