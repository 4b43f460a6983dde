// SPDX-License-Identifier: MIT
import CLinux
import SceneSystem

/// The unfinished files and folders of this process that have a name: what an end by a signal has
/// to remove.
///
/// Each holds a lock of the system for as long as its process lives, on whichever machine or in
/// whichever container, so that one without a lock is known to be left over.
package enum TemporaryFiles {
  private static let names = Monitor<Set<String>>([])
  private static let prefix = ".scenec-tmp-"

  /// A new hidden name in a folder.
  static func name(in directory: String) -> String {
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return "\(directory)/\(prefix)\(digits)"
  }

  static func add(_ path: String) { names.update { _ = $0.insert(path) } }

  static func remove(_ path: String) { names.update { _ = $0.remove(path) } }

  /// Does what must not be cut in half by a signal.
  static func undisturbed<T, E>(_ body: () throws(E) -> T) throws(E) -> T {
    try names.update { (_) throws(E) in try body() }
  }

  /// Removes all of them and ends the process at once.
  package static func removeAll(thenExit status: Int32) -> Never {
    names.update { names in
      for path in names { delete(path) }
      _exit(status)
    }
  }

  /// Locks a file that was just made under a hidden name; whether another process, which took it for
  /// stale before it was locked, has left it alone. A file system without locks has no stale files.
  static func hold(_ file: Int32) -> Bool {
    if scene_lock(file) != 0, Files.errno == EWOULDBLOCK { return false }
    return (FileStatus(file: file)?.linkCount ?? 0) > 0
  }

  /// Removes what a killed process left in a folder.
  static func removeStale(in directory: String) {
    for name in Files.names(in: directory) where name.hasPrefix(prefix) {
      let path = "\(directory)/\(name)"
      let file = Files.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      guard file >= 0 else { continue }
      if scene_lock(file) == 0 { delete(path) }
      close(file)
    }
  }

  /// Removes a file, or a folder with the files in it.
  static func delete(_ path: String) {
    guard !Files.remove(path) else { return }
    for name in Files.names(in: path) { Files.remove("\(path)/\(name)") }
    Files.remove(path)
  }
}
