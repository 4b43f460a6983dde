// SPDX-License-Identifier: MIT
import CLinux
package import SceneFiles
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
      // Another user could put links into a folder.
      if FileStatus(file: file)?.isOwn == true, scene_lock(file) == 0 { delete(path) }
      close(file)
    }
  }

  /// Removes a file, or a folder with everything in it. Links are removed, not followed.
  static func delete(_ path: String) {
    guard !Files.remove(path) else { return }
    if Files.target(of: path) == nil, FileStatus(path: path)?.isFolder == true {
      for name in Files.names(in: path) { delete("\(path)/\(name)") }
    }
    Files.remove(path)
  }
}

/// A temporary folder, which is removed together with its object, or when a signal ends the process.
package final class TemporaryFolder {
  package let path: String
  private let lock: Int32

  /// Creates a folder in the folder for temporary files. Throws if that is impossible.
  package init() throws(FileError) {
    let wanted = OwnProcess.environment("TMPDIR") ?? ""
    let place = Files.resolved(wanted.isEmpty ? "/tmp" : wanted) ?? "/tmp"
    TemporaryFiles.removeStale(in: place)
    path = TemporaryFiles.name(in: place)
    TemporaryFiles.add(path)
    _ = Files.makeFolder(path, permissions: 0o700)
    lock = Files.open(path, O_RDONLY | O_NOFOLLOW)
    guard lock >= 0, TemporaryFiles.hold(lock) else {
      TemporaryFiles.remove(path)
      throw FileError(
        "cannot create a folder in '\(place)': \(Files.reason())",
        help: "set TMPDIR to a folder that you can write to")
    }
  }

  deinit {
    TemporaryFiles.undisturbed { TemporaryFiles.delete(path) }
    TemporaryFiles.remove(path)
    close(lock)
  }
}
