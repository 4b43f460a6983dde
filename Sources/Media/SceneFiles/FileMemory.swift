// SPDX-License-Identifier: MIT
import SceneModel
import SceneSystem

/// A cache of values computed from files, by path, valid while the files are unchanged.
final class FileMemory<Value: Sendable>: Sendable {
  private struct Entry {
    let stamp: InputFiles.Stamp
    let value: Result<Value, AssetError>
    /// Whether the file has been checked since `beginReading`.
    var isCurrent = true
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// The paths whose values are being computed. Other threads wait for them.
    var made: Set<String> = []
    /// The number of calls of `beginReading`.
    var readings = 0
  }

  private let state = Monitor(State())

  /// Requires every file to be checked for changes once, at its next request.
  func beginReading() {
    state.update { state in
      state.readings += 1
      for path in state.entries.keys { state.entries[path]?.isCurrent = false }
    }
  }

  /// Returns whether no value has been computed for a file.
  func isNew(_ path: String) -> Bool {
    state.update { $0.entries[path] == nil && !$0.made.contains(path) }
  }

  /// Returns the cached value of a file or computes it with `make`. `outdated` receives the value
  /// from before a change of the file.
  func value(
    of path: String, outdated: (Value) -> Void = { _ in }, make: () throws(AssetError) -> Value
  ) throws(AssetError) -> Value {
    let (known, reading) = state.wait { state -> (Entry?, Int)? in
      if state.made.contains(path) { return nil }
      let known = state.entries[path]
      if known?.isCurrent != true { state.made.insert(path) }
      return (known, state.readings)
    }
    if let known, known.isCurrent { return try known.value.get() }
    // Taken before the file is opened, so that a concurrent write counts as a change.
    let stamp = InputFiles.Stamp(path: path)
    if let known, InputFiles.Stamp.isCurrent(known.stamp, path) {
      state.update { state in
        state.entries[path]?.isCurrent = reading == state.readings
        state.made.remove(path)
      }
      return try known.value.get()
    }
    if case .success(let value)? = known?.value { outdated(value) }
    let value: Result<Value, AssetError>
    do throws(AssetError) { value = .success(try make()) } catch { value = .failure(error) }
    state.update { state in
      // If another check has started in the meantime, it must compare the file itself.
      state.entries[path] = stamp.map {
        Entry(stamp: $0, value: value, isCurrent: reading == state.readings)
      }
      state.made.remove(path)
    }
    return try value.get()
  }
}
