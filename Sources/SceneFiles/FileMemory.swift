// SPDX-License-Identifier: MIT
import Synchronization
import SceneModel

/// What was made of files, by path, for as long as they stay what they were.
final class FileMemory<Value: Sendable>: Sendable {
  private struct Entry {
    let stamp: InputFiles.Stamp
    let value: Result<Value, AssetFault>
    /// Whether the file was looked at since `beginReading`.
    var isCurrent = true
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// From now on every file is compared with what it was when it is asked for next, once.
  func beginReading() {
    entries.withLock { entries in
      for path in entries.keys { entries[path]?.isCurrent = false }
    }
  }

  /// What was made of a file, or what `make` makes of it now; `outdated` gets what was made of it
  /// before it changed.
  func value(
    of path: String, outdated: (Value) -> Void = { _ in }, make: () throws(AssetFault) -> Value
  ) throws(AssetFault) -> Value {
    let known = entries.withLock { $0[path] }
    if let known, known.isCurrent { return try known.value.get() }
    // Before it is opened: what is written meanwhile counts as a change.
    let stamp = InputFiles.Stamp(path: path)
    if let known, known.stamp == stamp {
      entries.withLock { $0[path]?.isCurrent = true }
      return try known.value.get()
    }
    if case .success(let value)? = known?.value { outdated(value) }
    let value: Result<Value, AssetFault>
    do throws(AssetFault) { value = .success(try make()) } catch { value = .failure(error) }
    entries.withLock { $0[path] = stamp.map { Entry(stamp: $0, value: value) } }
    return try value.get()
  }
}
