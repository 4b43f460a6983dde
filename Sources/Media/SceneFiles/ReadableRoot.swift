// SPDX-License-Identifier: MIT
import CLinux
package import SceneModel
package import SceneSystem

/// A folder below which regular files may be read.
///
/// Both checks and the language server use this type, so an editor shows nothing that a check
/// refuses to read.
package struct ReadableRoot: Sendable {
  /// The absolute path, with links resolved and without a trailing slash (except for `/`).
  package let path: String

  /// Resolves the path of a folder; returns `nil` if the folder does not exist.
  package init?(_ folder: String) {
    guard let path = Files.resolved(folder) else { return nil }
    self.path = path
  }

  package func contains(_ other: String) -> Bool {
    other == path || other.hasPrefix(path == "/" ? "/" : path + "/")
  }

  /// Returns the absolute path of a name, with `.` and `..` removed; `nil` if the path as written
  /// is outside the root.
  package func lexical(_ name: String, besides folder: String) -> String? {
    let path = ReadableRoot.normalized(name.hasPrefix("/") ? name : folder + "/" + name)
    return path.flatMap { contains($0) ? $0 : nil }
  }

  /// Opens a file or folder for reading. The caller closes the descriptor.
  ///
  /// - Parameters:
  ///   - path: An absolute path without `..`.
  ///   - found: Called with the `O_PATH` descriptor of the path's target, or a negative number.
  package func open(
    _ path: String, isFolder: Bool = false, found: (Int32) -> Void = { _ in }
  ) throws(AssetError) -> Int32 {
    let place = try find(path, isFolder: isFolder, found: found)
    defer { close(place) }
    let file = Files.open("/proc/self/fd/\(place)", O_RDONLY | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw ReadableRoot.failure() }
    return file
  }

  /// Returns the status of the file or folder at a path; `nil` if it is neither a regular file nor
  /// a folder below the root.
  package func status(of path: String) -> FileStatus? {
    for isFolder in [false, true] {
      if let place = try? find(path, isFolder: isFolder, found: { _ in }) {
        defer { close(place) }
        return FileStatus(file: place)
      }
    }
    return nil
  }

  /// Returns an `O_PATH` descriptor, which has no effect outside the root and opens no devices
  /// or pipes.
  private func find(
    _ path: String, isFolder: Bool, found: (Int32) -> Void
  ) throws(AssetError) -> Int32 {
    let place = Files.open(path, Int32(scene_path_only))
    found(place)
    guard place >= 0 else { throw ReadableRoot.failure() }
    let failure: AssetError
    // Checks the opened file instead of its name, since links may have changed in between.
    if let real = Files.target(of: "/proc/self/fd/\(place)") {
      let status = FileStatus(file: place)
      if !contains(real) {
        failure = .outsideRoot
      } else if let status, isFolder ? status.isFolder : status.isRegular {
        return place
      } else {
        failure = .notRegular
      }
    } else {
      failure = .unreadable("the path cannot be resolved without /proc")
    }
    close(place)
    throw failure
  }

  static func failure() -> AssetError {
    let code = Files.errno
    if code == ENOENT || code == ENOTDIR { return .notFound }
    return .unreadable(Files.reason(code))
  }

  /// Returns the path without `.` and `..`; `nil` if it is above the root of the file system.
  static func normalized(_ path: String) -> String? {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." {
        guard parts.popLast() != nil else { return nil }
      } else {
        parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }
}
