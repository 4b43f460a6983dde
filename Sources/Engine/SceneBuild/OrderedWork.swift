// SPDX-License-Identifier: MIT
import SceneSystem

/// A scheduler for numbered pieces of work: threads claim runs of pieces, and the results are
/// consumed in order. No thread can claim a run that starts more than `ahead` pieces after the last
/// consumed piece, which bounds the number of waiting results.
final class OrderedWork<Piece: Sendable, Failure: Error>: Sendable {
  private struct State {
    var ready: [Int: Piece] = [:]
    var claimedRuns = 0
    var handedOn = 0
    var threads = 0
    /// The progress reported by the threads.
    var progress = 0
    var failure: Failure?
    var isStopped = false
  }

  /// The next event for the consumer.
  enum Event {
    case piece(Piece, number: Int)
    case progress(Int)
    case end
    case failure(Failure)
  }

  private let runs: [Range<Int>]
  private let count: Int
  private let ahead: Int
  private let state = Monitor(State())

  /// The runs must be contiguous and start at 0.
  init(_ runs: [Range<Int>], ahead: Int) {
    self.runs = runs
    self.ahead = ahead
    count = runs.last?.upperBound ?? 0
  }

  // MARK: Worker threads

  /// Returns a number for the calling thread, counting from 1.
  func join() -> Int {
    state.update { state in
      state.threads += 1
      return state.threads
    }
  }

  /// Returns the numbers of the next pieces; `nil` when no pieces are left or the work has stopped.
  func claim() -> Range<Int>? {
    state.wait { state -> Range<Int>?? in
      if state.isStopped || state.failure != nil || state.claimedRuns == runs.count {
        return .some(nil)
      }
      guard runs[state.claimedRuns].lowerBound < state.handedOn + ahead else { return nil }
      state.claimedRuns += 1
      return runs[state.claimedRuns - 1]
    }
  }

  func finish(_ number: Int, _ piece: Piece) { state.update { $0.ready[number] = piece } }

  /// Stops the work. Only the first error is reported.
  func fail(_ failure: Failure) { state.update { $0.failure = $0.failure ?? failure } }

  /// Adds to the progress and returns whether the work has stopped.
  func isOver(after count: Int = 0) -> Bool {
    state.update { state in
      state.progress += count
      return state.isStopped || state.failure != nil
    }
  }

  // MARK: The consumer

  func stop() { state.update { $0.isStopped = true } }

  /// Blocks until the next piece is finished or the progress exceeds `shown`.
  func next(shown: Int = .max) -> Event {
    state.wait { state -> Event? in
      if let failure = state.failure { return .failure(failure) }
      if let piece = state.ready.removeValue(forKey: state.handedOn) {
        state.handedOn += 1
        return .piece(piece, number: state.handedOn - 1)
      }
      if state.progress > shown { return .progress(state.progress) }
      return state.handedOn == count ? .end : nil
    }
  }
}
