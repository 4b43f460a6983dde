// SPDX-License-Identifier: MIT
import CLinux
import SceneRaster
import SceneText

/// The world would not take a file.
package struct OutputFault: Error, Hashable, Sendable {
  package let message: String
  package let help: String?

  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}

/// A file that appears whole or not at all.
///
/// It is written beside its place under a hidden name, synced and renamed by `commit`; without
/// that, `deinit` removes it and the old file stays as it was.
package final class OutputFile {
  /// Where it will be; a link is followed and its target replaced.
  package let path: String
  /// Where it is written until then.
  package let temporaryPath: String
  private let directory: String
  private var file: Int32
  private var isCommitted = false

  /// `inputs` are files that must not be overwritten.
  package init(_ wanted: String, inputs: [String]) throws(OutputFault) {
    let path = try OutputFile.checked(wanted, inputs: inputs)
    self.path = path
    let (directory, name) = OutputFile.split(path)
    self.directory = directory
    OutputFile.removeStale(in: directory, name)
    var temporary = ""
    var opened: Int32 = -1
    for attempt in 0..<100 {
      temporary = "\(directory)/.\(name).scenec-\(getpid())-\(attempt)"
      opened = unsafe scene_open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if opened >= 0 || scene_errno() != EEXIST { break }
    }
    guard opened >= 0 else {
      throw OutputFault(
        "cannot write in '\(directory)': \(OutputFile.reason)",
        help: "choose another place with -o")
    }
    file = opened
    temporaryPath = temporary
  }

  deinit {
    if file >= 0 { close(file) }
    if !isCommitted { unsafe unlink(temporaryPath) }
  }

  private static var reason: String { unsafe String(cString: strerror(scene_errno())) }

  private static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = String(path[..<slash])
    return (directory.isEmpty ? "/" : directory, String(path[path.index(after: slash)...]))
  }

  /// What can be known before the work begins.
  private static func checked(_ wanted: String, inputs: [String]) throws(OutputFault) -> String {
    guard !wanted.isEmpty, !wanted.hasSuffix("/") else {
      throw OutputFault("'\(wanted)' names no file")
    }
    let path = AssetFolder.resolved(wanted) ?? wanted
    var info = stat()
    if unsafe stat(path, &info) == 0 {
      if unsafe scene_is_directory(&info) != 0 {
        throw OutputFault("'\(wanted)' is a folder", help: "name a file in it")
      }
      if unsafe scene_is_regular(&info) == 0 {
        throw OutputFault("'\(wanted)' is no regular file", help: "use -o - for a pipe")
      }
      for input in inputs {
        var other = stat()
        guard unsafe stat(input, &other) == 0 else { continue }
        if other.st_dev == info.st_dev, other.st_ino == info.st_ino {
          throw OutputFault("'\(wanted)' is read by the scene and cannot be overwritten")
        }
      }
    }
    try requireFolder(of: path)
    return path
  }

  /// Throws when the folder that a file would be written into is not there.
  package static func requireFolder(of path: String) throws(OutputFault) {
    let directory = split(path).directory
    var info = stat()
    guard unsafe stat(directory, &info) == 0 else {
      throw OutputFault("there is no folder '\(directory)'", help: "make it first")
    }
  }

  /// Removes what a killed build of the same file left; others' running builds are left alone.
  private static func removeStale(in directory: String, _ name: String) {
    guard let stream = unsafe opendir(directory) else { return }
    defer { unsafe closedir(stream) }
    let prefix = ".\(name).scenec-"
    while let entry = unsafe readdir(stream) {
      let found = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard found.hasPrefix(prefix),
        let process = Int32(found.dropFirst(prefix.count).prefix { $0 != "-" }),
        kill(process, 0) != 0, scene_errno() == ESRCH
      else { continue }
      unsafe unlink(directory + "/" + found)
    }
  }

  /// Writes bytes at the end.
  package func write(_ bytes: [UInt8]) throws(OutputFault) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe CLinux.write(file, $0.baseAddress, $0.count)
      }
      if count < 0, scene_errno() == EINTR { continue }
      guard count > 0 else { throw OutputFile.writeFault(path, code: scene_errno()) }
      rest = rest.dropFirst(count)
    }
  }

  /// Says why a write failed, with the room that is left where that is the reason.
  package static func writeFault(_ path: String, code: Int32) -> OutputFault {
    if code == ENOSPC || code == EDQUOT {
      var room = statvfs()
      let free =
        unsafe statvfs(split(path).directory, &room) == 0
        ? Double(room.f_bavail) * Double(room.f_frsize) / 1_048_576 : 0
      let tenths = (free * 10).rounded() / 10
      return OutputFault(
        "disk full while writing '\(path)': \(tenths) MiB are free",
        help: "make room, or choose another place with -o; the old file is untouched")
    }
    let reason = unsafe String(cString: strerror(code))
    return OutputFault(
      "cannot write '\(path)': \(reason)", help: "the old file, if any, is untouched")
  }

  /// Syncs and closes the file, so that many can wait for their `commit`.
  package func closeForLater() throws(OutputFault) {
    guard file >= 0 else { return }
    guard fsync(file) == 0 else { throw OutputFile.writeFault(path, code: scene_errno()) }
    // The old file's permissions stay.
    var info = stat()
    if unsafe stat(path, &info) == 0 { _ = fchmod(file, info.st_mode & 0o7777) }
    let status = close(file)
    file = -1
    guard status == 0 else { throw OutputFile.writeFault(path, code: scene_errno()) }
  }

  /// Puts the finished file in its place.
  package func commit() throws(OutputFault) {
    try closeForLater()
    guard unsafe rename(temporaryPath, path) == 0 else {
      throw OutputFile.writeFault(path, code: scene_errno())
    }
    isCommitted = true
    let folder = unsafe scene_open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }
}
