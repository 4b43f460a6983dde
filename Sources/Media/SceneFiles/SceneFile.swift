// SPDX-License-Identifier: MIT
import CLinux
import SceneSystem
import Synchronization

/// An error from reading or writing a file, as a sentence, with a suggested fix.
package struct FileError: Error, Hashable, Sendable {
  package let message: String
  package let help: String?

  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}

/// Access to files named on the command line: scenes and parameter tables.
package enum SceneFile {
  private static let largest = 64 << 20

  /// Returns the bytes of a file, or of standard input for `-`.
  ///
  /// Standard input is read once, since a check of several layouts reads its file several times.
  package static func read(_ path: String) throws(FileError) -> [UInt8] {
    guard path == "-" else { return try bytes(of: path, flags: 0) }
    if let known = standardInput.withLock({ $0 }) { return known }
    let bytes = try bytes(of: path, flags: 0)
    standardInput.withLock { $0 = bytes }
    return bytes
  }

  /// Returns the bytes of a file that is not a link.
  package static func readUnlinked(_ path: String) throws(FileError) -> [UInt8] {
    try bytes(of: path, flags: O_NOFOLLOW)
  }

  private static let standardInput = Mutex<[UInt8]?>(nil)

  private static func bytes(of path: String, flags: Int32) throws(FileError) -> [UInt8] {
    let file = path == "-" ? 0 : Files.open(path, O_RDONLY | O_NONBLOCK | flags)
    guard file >= 0 else { throw unreadable(path) }
    defer { if file != 0 { close(file) } }
    if path != "-" {
      guard let status = FileStatus(file: file) else { throw unreadable(path) }
      if status.isFolder { throw FileError("'\(path)' is a folder") }
      if !status.isRegular { throw FileError("'\(path)' is a device or a pipe, not a file") }
    }
    var bytes: [UInt8] = []
    while bytes.count <= largest {
      guard let more = Files.next(file, upTo: 1 << 16) else { throw unreadable(path) }
      if more.isEmpty { return bytes }
      bytes += more
    }
    throw FileError("'\(path)' exceeds the limit of 64 MiB")
  }

  /// Returns the folder to which relative names in a scene refer.
  package static func folder(of path: String) -> String {
    guard path != "-", let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func unreadable(_ path: String) -> FileError {
    let reason = Files.reason()
    var help: String?
    if !path.hasSuffix(".scene"), Files.exists(path + ".scene", R_OK) {
      help = "did you mean '\(path).scene'?"
    }
    return FileError("cannot read '\(path)': \(reason)", help: help)
  }
}
