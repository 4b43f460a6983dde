// SPDX-License-Identifier: MIT
import SceneSystem

/// What waits for the thread that encodes: few pictures, so that who makes them waits too.
final class EncodingQueue: Sendable {
  /// What is appended to a film.
  enum Item: Sendable {
    /// A picture, by the number of its set, that is shown for some frames; `nil` for the one before it.
    case picture(set: Int?, frames: Int)
    case sound([Float])
  }

  private struct State {
    var items: [Item] = []
    var free: [Int]
    var encodedFrames = 0
    var isEnded = false
    /// Why no more is taken.
    var fault: FilmFault?
  }

  /// Items that may wait.
  private static let most = 16
  private let state: Monitor<State>

  init(setCount: Int) { state = Monitor(State(free: Array(0..<setCount))) }

  var encodedFrames: Int { state.update { $0.encodedFrames } }

  // MARK: Those who append

  /// A set of pictures that nobody needs; waits for it.
  func takeSet() throws(FilmFault) -> Int {
    let set = state.wait { state -> Result<Int, FilmFault>? in
      if let fault = state.fault { return .failure(fault) }
      return state.free.popLast().map { .success($0) }
    }
    return try set.get()
  }

  func give(_ set: Int) { state.update { $0.free.append(set) } }

  /// Appends; waits while many others do.
  func put(_ item: Item) throws(FilmFault) {
    let put = state.wait { state -> Result<Void, FilmFault>? in
      if let fault = state.fault { return .failure(fault) }
      guard state.items.count < EncodingQueue.most else { return nil }
      state.items.append(item)
      return .success(())
    }
    try put.get()
  }

  /// Says that all was appended.
  func end() { state.update { $0.isEnded = true } }

  /// Says that nothing more is wanted; the first reason stays.
  func stop(_ fault: FilmFault) { state.update { $0.fault = $0.fault ?? fault } }

  /// Throws why nothing more is taken.
  func check() throws(FilmFault) { if let fault = state.update({ $0.fault }) { throw fault } }

  // MARK: The thread that encodes

  /// Gives everything to an encoder, in order, until the end.
  func serve(_ encoder: FilmEncoder) {
    do {
      while let item = next() {
        let free = try encoder.take(item)
        state.update { state in
          if case .picture(_, let frames) = item { state.encodedFrames += frames }
          if let free { state.free.append(free) }
        }
      }
      if state.update({ $0.fault == nil }) { try encoder.end() }
    } catch {
      stop(FilmFault(error))
    }
  }

  /// `nil` at the end.
  private func next() -> Item? {
    state.wait { state -> Item?? in
      if state.fault != nil { return .some(nil) }
      if !state.items.isEmpty { return state.items.removeFirst() }
      return state.isEnded ? .some(nil) : nil
    }
  }
}
