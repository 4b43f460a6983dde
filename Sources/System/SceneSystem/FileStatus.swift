// SPDX-License-Identifier: MIT
import CLinux

/// The metadata of a file.
package struct FileStatus: Sendable {
  private let info: stat

  /// Reads the metadata of a path's target; returns `nil` and sets `errno` if it does not exist.
  package init?(path: String) {
    Simulation.pass()
    let status = scene_status_of(path)
    guard status.is_there != 0 else { return nil }
    info = status.info
  }

  /// Reads the metadata of an open file.
  package init?(file: Int32) {
    Simulation.pass()
    let status = scene_status_of_open(file)
    guard status.is_there != 0 else { return nil }
    info = status.info
  }

  package var isFolder: Bool { info.st_mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
  /// The user ID of the owner.
  package var owner: UInt32 { info.st_uid }
  /// Whether the file belongs to the user of this process.
  package var isOwn: Bool { info.st_uid == geteuid() }
  package var isRegular: Bool { info.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
  package var size: Int { Int(info.st_size) }
  package var linkCount: Int { Int(info.st_nlink) }
  package var permissions: UInt32 { info.st_mode & 0o7777 }
  package var identity: FileIdentity {
    FileIdentity(device: UInt(info.st_dev), inode: UInt(info.st_ino))
  }
  /// The modification time in seconds and nanoseconds.
  package var written: (Int, Int) { (Int(info.st_mtim.tv_sec), Int(info.st_mtim.tv_nsec)) }
  /// The status change time in seconds and nanoseconds, which programs cannot set.
  package var changed: (Int, Int) { (Int(info.st_ctim.tv_sec), Int(info.st_ctim.tv_nsec)) }

  /// The identity, the size and the times as text, for cache keys. A change within the resolution of
  /// the times can leave it the same.
  package var state: String {
    // Interpolating tuples would use reflection.
    "\(identity) \(size) \(written.0) \(written.1) \(changed.0) \(changed.1)"
  }
}

/// The identity of a file, independent of its names.
package struct FileIdentity: Hashable, Sendable, CustomStringConvertible {
  fileprivate let device: UInt
  fileprivate let inode: UInt

  package var description: String { "\(device)-\(inode)" }
}
