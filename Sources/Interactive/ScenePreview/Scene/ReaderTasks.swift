// SPDX-License-Identifier: MIT
import SceneFiles
import SceneSystem
import SceneWeb

/// The task queue of the thread that loads scenes.
final class ReaderTasks: Sendable {
  typealias Task = @Sendable (SceneReader) -> Void

  /// A task, and the function that is called instead if a newer task of the same tab replaces it.
  private struct Entry {
    let task: Task
    let owner: WebClient?
    let replaced: @Sendable () -> Void
  }

  private struct State {
    var entries: [Entry] = []
    var isEnded = false
  }

  private let state = Monitor(State())
  let watcher: Watcher

  init(clock: any TimeSource) { watcher = Watcher(clock: clock) }

  var isEnded: Bool { state.update(\.isEnded) }

  func end() {
    state.update { $0.isEnded = true }
    watcher.wake()
  }

  func add(_ task: @escaping Task) { append(Entry(task: task, owner: nil, replaced: {})) }

  /// Adds a task that replaces the waiting one of the same tab, whose `replaced` is then called.
  func add(
    newestOf owner: WebClient, replaced: @escaping @Sendable () -> Void, _ task: @escaping Task
  ) {
    append(Entry(task: task, owner: owner, replaced: replaced))
  }

  private func append(_ entry: Entry) {
    let replaced = state.update { state in
      let older = entry.owner.map { owner in state.entries.filter { $0.owner == owner } } ?? []
      if !older.isEmpty { state.entries.removeAll { $0.owner == entry.owner } }
      state.entries.append(entry)
      return older
    }
    for older in replaced { older.replaced() }
    watcher.wake()
  }

  func next() -> Task? {
    state.update { $0.entries.isEmpty ? nil : $0.entries.removeFirst().task }
  }
}
