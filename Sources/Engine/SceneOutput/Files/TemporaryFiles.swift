// SPDX-License-Identifier: MIT
import CLinux
import SceneSystem

/// The named temporary files and folders of this process, which must be removed when a signal ends
/// it.
///
/// Each holds a system lock for the lifetime of its process, even across machines and containers. A
/// temporary file without a lock is therefore stale.
package enum TemporaryFiles {
  private static let names = Monitor<Set<String>>([])
  private static let prefix = ".scenec-tmp-"

  /// Returns a new hidden name in a folder.
  static func name(in directory: String) -> String {
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return "\(directory)/\(prefix)\(digits)"
  }

  static func add(_ path: String) { names.update { _ = $0.insert(path) } }

  static func remove(_ path: String) { names.update { _ = $0.remove(path) } }

  /// Runs work that a signal must not interrupt halfway.
  static func undisturbed<T, E>(_ body: () throws(E) -> T) throws(E) -> T {
    try names.update { (_) throws(E) in try body() }
  }

  /// Removes all temporary files and exits immediately.
  package static func removeAll(thenExit status: Int32) -> Never {
    names.update { names in
      for path in names { delete(path) }
      _exit(status)
    }
  }

  /// Locks a new file with a hidden name. Returns `false` if another process considered the file
  /// stale before it was locked and removed it. File systems without locks have no stale files.
  static func hold(_ file: Int32) -> Bool {
    if scene_lock(file) != 0, Files.errno == EWOULDBLOCK { return false }
    return (FileStatus(file: file)?.linkCount ?? 0) > 0
  }

  /// Removes the temporary files of killed processes in a folder.
  static func removeStale(in directory: String) {
    for name in Files.names(in: directory) where name.hasPrefix(prefix) {
      let path = "\(directory)/\(name)"
      let file = Files.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      guard file >= 0 else { continue }
      if scene_lock(file) == 0 { delete(path) }
      close(file)
    }
  }

  /// Removes a file, or a folder with its files.
  static func delete(_ path: String) {
    guard !Files.remove(path) else { return }
    for name in Files.names(in: path) { Files.remove("\(path)/\(name)") }
    Files.remove(path)
  }
}
