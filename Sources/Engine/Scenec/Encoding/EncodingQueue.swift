// SPDX-License-Identifier: MIT
import SceneSystem

/// The bounded queue of the encoder thread. A full queue blocks the thread that appends.
final class EncodingQueue: Sendable {
  /// An appended item.
  enum Item: Sendable {
    /// An image, by the index of its set, shown for `frames` frames; `nil` repeats the previous
    /// image.
    case picture(set: Int?, frames: Int)
    case sound([Float])
  }

  private struct State {
    var items: [Item] = []
    var free: [Int]
    var encodedFrames = 0
    var isEnded = false
    /// The error that stopped the queue.
    var failure: FilmError?
  }

  /// The capacity of the queue.
  private static let most = 16
  private let state: Monitor<State>

  init(setCount: Int) { state = Monitor(State(free: Array(0..<setCount))) }

  var encodedFrames: Int { state.update { $0.encodedFrames } }

  // MARK: The appending thread

  /// Returns the index of an unused image set; blocks until one is free.
  func takeSet() throws(FilmError) -> Int {
    let set = state.wait { state -> Result<Int, FilmError>? in
      if let failure = state.failure { return .failure(failure) }
      return state.free.popLast().map { .success($0) }
    }
    return try set.get()
  }

  func give(_ set: Int) { state.update { $0.free.append(set) } }

  /// Appends an item and blocks while the queue is full.
  func put(_ item: Item) throws(FilmError) {
    let put = state.wait { state -> Result<Void, FilmError>? in
      if let failure = state.failure { return .failure(failure) }
      guard state.items.count < EncodingQueue.most else { return nil }
      state.items.append(item)
      return .success(())
    }
    try put.get()
  }

  /// Marks the end of the items.
  func end() { state.update { $0.isEnded = true } }

  /// Stops the queue. Only the first reason is stored.
  func stop(_ failure: FilmError) { state.update { $0.failure = $0.failure ?? failure } }

  /// Throws the error that stopped the queue, if any.
  func check() throws(FilmError) { if let failure = state.update({ $0.failure }) { throw failure } }

  // MARK: The encoder thread

  /// Passes all items to an encoder, in order, until the end.
  func serve(_ encoder: FilmEncoder) {
    do {
      while let item = next() {
        let free = try encoder.take(item)
        state.update { state in
          if case .picture(_, let frames) = item { state.encodedFrames += frames }
          if let free { state.free.append(free) }
        }
      }
      if state.update({ $0.failure == nil }) { try encoder.end() }
    } catch {
      stop(FilmError(error))
    }
  }

  /// Blocks until an item is available; returns `nil` at the end.
  private func next() -> Item? {
    state.wait { state -> Item?? in
      if state.failure != nil { return .some(nil) }
      if !state.items.isEmpty { return state.items.removeFirst() }
      return state.isEnded ? .some(nil) : nil
    }
  }
}
