// SPDX-License-Identifier: MIT
import SceneModel
import SceneSystem

/// What was made of files, by path, for as long as they stay what they were.
final class FileMemory<Value: Sendable>: Sendable {
  private struct Entry {
    let stamp: InputFiles.Stamp
    let value: Result<Value, AssetFault>
    /// Whether the file was looked at since `beginReading`.
    var isCurrent = true
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// What somebody makes something of now; others wait for that.
    var made: Set<String> = []
    /// How often reading began.
    var readings = 0
  }

  private let state = Monitor(State())

  /// From now on every file is compared with what it was when it is asked for next, once.
  func beginReading() {
    state.update { state in
      state.readings += 1
      for path in state.entries.keys { state.entries[path]?.isCurrent = false }
    }
  }

  /// Whether nothing was made of a file so far.
  func isNew(_ path: String) -> Bool {
    state.update { $0.entries[path] == nil && !$0.made.contains(path) }
  }

  /// What was made of a file, or what `make` makes of it now; `outdated` gets what was made of it
  /// before it changed.
  func value(
    of path: String, outdated: (Value) -> Void = { _ in }, make: () throws(AssetFault) -> Value
  ) throws(AssetFault) -> Value {
    let (known, reading) = state.wait { state -> (Entry?, Int)? in
      if state.made.contains(path) { return nil }
      let known = state.entries[path]
      if known?.isCurrent != true { state.made.insert(path) }
      return (known, state.readings)
    }
    if let known, known.isCurrent { return try known.value.get() }
    // Before it is opened: what is written meanwhile counts as a change.
    let stamp = InputFiles.Stamp(path: path)
    if let known, InputFiles.Stamp.isCurrent(known.stamp, path) {
      state.update { state in
        state.entries[path]?.isCurrent = reading == state.readings
        state.made.remove(path)
      }
      return try known.value.get()
    }
    if case .success(let value)? = known?.value { outdated(value) }
    let value: Result<Value, AssetFault>
    do throws(AssetFault) { value = .success(try make()) } catch { value = .failure(error) }
    state.update { state in
      // Whoever reads by now has not seen whether it changed meanwhile.
      state.entries[path] = stamp.map {
        Entry(stamp: $0, value: value, isCurrent: reading == state.readings)
      }
      state.made.remove(path)
    }
    return try value.get()
  }
}
