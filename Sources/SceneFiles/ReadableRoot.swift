// SPDX-License-Identifier: MIT
import CLinux
package import SceneModel
package import SceneSystem

/// A folder whose regular files may be read, and nothing else.
///
/// Checks and the language server both ask it, so that an editor shows nothing that a check refuses
/// to read.
package struct ReadableRoot: Sendable {
  /// Absolute, links resolved, without a slash at the end (except for `/`).
  package let path: String

  /// `nil` if there is no such folder.
  package init?(_ folder: String) {
    guard let path = Files.resolved(folder) else { return nil }
    self.path = path
  }

  package func contains(_ other: String) -> Bool {
    other == path || other.hasPrefix(path == "/" ? "/" : path + "/")
  }

  /// The absolute path of a name, with `.` and `..` removed; `nil` if it leaves the root as written.
  package func lexical(_ name: String, besides folder: String) -> String? {
    let path = ReadableRoot.normalized(name.hasPrefix("/") ? name : folder + "/" + name)
    return path.flatMap { contains($0) ? $0 : nil }
  }

  /// Opens a file or folder for reading. The caller closes the descriptor.
  ///
  /// - Parameters:
  ///   - path: Absolute and without `..`.
  ///   - found: Called with the `O_PATH` descriptor of what the path leads to, or a negative number.
  package func open(
    _ path: String, isFolder: Bool = false, found: (Int32) -> Void = { _ in }
  ) throws(AssetFault) -> Int32 {
    let place = try find(path, isFolder: isFolder, found: found)
    defer { close(place) }
    let file = Files.open("/proc/self/fd/\(place)", O_RDONLY | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw ReadableRoot.fault() }
    return file
  }

  /// The status of the file or folder at a path; `nil` if it is neither a regular file nor a folder
  /// under the root.
  package func status(of path: String) -> FileStatus? {
    for isFolder in [false, true] {
      if let place = try? find(path, isFolder: isFolder, found: { _ in }) {
        defer { close(place) }
        return FileStatus(file: place)
      }
    }
    return nil
  }

  /// An `O_PATH` descriptor: nothing outside the root notices, and no device or pipe is opened.
  private func find(
    _ path: String, isFolder: Bool, found: (Int32) -> Void
  ) throws(AssetFault) -> Int32 {
    let place = Files.open(path, Int32(scene_path_only))
    found(place)
    guard place >= 0 else { throw ReadableRoot.fault() }
    let fault: AssetFault
    // The file that was found is judged, not its name: links may have changed in between.
    if let real = Files.target(of: "/proc/self/fd/\(place)") {
      let status = FileStatus(file: place)
      if !contains(real) {
        fault = .outsideRoot
      } else if let status, isFolder ? status.isFolder : status.isRegular {
        return place
      } else {
        fault = .notRegular
      }
    } else {
      fault = .unreadable("the path cannot be resolved without /proc")
    }
    close(place)
    throw fault
  }

  static func fault() -> AssetFault {
    let code = Files.errno
    if code == ENOENT || code == ENOTDIR { return .notFound }
    return .unreadable(Files.reason(code))
  }

  /// Without `.` and `..`; `nil` when it leaves the file system's root.
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
