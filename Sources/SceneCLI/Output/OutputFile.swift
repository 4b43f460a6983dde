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
/// It has no name until `commit` puts it in its place, so that nothing is left of a build that
/// ends in between. Where the file system has no such files it is written beside its place, under
/// a hidden name that `deinit`, a signal or the next build removes.
package final class OutputFile {
  /// Where it will be; a link is followed and its target replaced.
  package let path: String
  private let place: OutputPlace
  private var file: Int32
  /// The hidden name, where it has one.
  private var temporaryPath: String?
  /// The number of bytes that the file must have.
  private var length = 0
  private var isCommitted = false

  /// `inputs` are files that must not be overwritten. Folders that are missing are made.
  package init(_ wanted: String, inputs: [String]) throws(OutputFault) {
    place = try OutputPlace(wanted, inputs: inputs)
    path = place.path
    TemporaryFiles.removeStale(in: place.directory)
    file = unsafe scene_open(place.directory, O_RDWR | O_CLOEXEC | scene_o_tmpfile, 0o666)
    // Its name comes by way of /proc, which a container may lack.
    if file >= 0, unsafe access("/proc/self/fd/\(file)", F_OK) != 0 {
      close(file)
      file = -1
    }
    if file < 0 { (file, temporaryPath) = try OutputFile.named(in: place.directory) }
  }

  deinit {
    if file >= 0 { close(file) }
    if let temporaryPath, !isCommitted {
      unsafe unlink(temporaryPath)
      TemporaryFiles.remove(temporaryPath)
    }
    if !isCommitted { place.removeMadeFolders() }
  }

  /// A new file under a hidden name, locked.
  private static func named(in directory: String) throws(OutputFault) -> (Int32, String) {
    while true {
      let path = TemporaryFiles.name(in: directory)
      let file = unsafe scene_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if file < 0, scene_errno() == EEXIST { continue }
      guard file >= 0 else { throw OutputPlace.refusal(directory) }
      TemporaryFiles.add(path)
      if TemporaryFiles.hold(file) { return (file, path) }
      close(file)
      TemporaryFiles.remove(path)
    }
  }

  /// Writes bytes at the end.
  package func write(_ bytes: [UInt8]) throws(OutputFault) {
    let code = write(unsafe bytes.span.bytes, at: length)
    guard code == 0 else { throw OutputFile.writeFault(path, code: code) }
  }

  /// Writes bytes at `offset`; 0, or the errno of what failed.
  package func write(_ bytes: RawSpan, at offset: Int) -> Int32 {
    let code = unsafe bytes.withUnsafeBytes { bytes -> Int32 in
      var done = 0
      while done < bytes.count {
        let count = unsafe pwrite(
          file, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
        if count < 0, scene_errno() == EINTR { continue }
        guard count > 0 else { return count == 0 ? ENOSPC : scene_errno() }
        done += count
      }
      return 0
    }
    if code == 0 { length = max(length, offset + bytes.byteCount) }
    return code
  }

  /// Reads what was written at `offset`; the number of bytes, 0 at the end, or a negative errno.
  package func read(_ bytes: inout MutableRawSpan, at offset: Int) -> Int {
    unsafe bytes.withUnsafeMutableBytes { bytes in
      while true {
        let count = unsafe pread(file, bytes.baseAddress, bytes.count, off_t(offset))
        if count < 0, scene_errno() == EINTR { continue }
        return count < 0 ? -Int(scene_errno()) : count
      }
    }
  }

  /// Says why a write failed, with the room that is left where that is the reason.
  package static func writeFault(_ path: String, code: Int32) -> OutputFault {
    if code == ENOSPC || code == EDQUOT {
      var room = statvfs()
      let free =
        unsafe statvfs(OutputPlace.split(path).directory, &room) == 0
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

  /// Puts the finished file in its place.
  package func commit() throws(OutputFault) {
    try OutputFile.finish(file, path: path, length: length)
    try TemporaryFiles.undisturbed { () throws(OutputFault) in try putInPlace() }
    if let temporaryPath { TemporaryFiles.remove(temporaryPath) }
    isCommitted = true
    OutputPlace.sync(place.directory)
  }

  private func putInPlace() throws(OutputFault) {
    var hidden = temporaryPath
    if hidden == nil {
      if unsafe scene_link(file, path) == 0 { return }
      guard scene_errno() == EEXIST else { throw fault }
      // A name cannot be taken over by a link, only by a renaming. The lock keeps others away.
      _ = scene_lock(file)
      let name = TemporaryFiles.name(in: place.directory)
      guard unsafe scene_link(file, name) == 0 else { throw fault }
      hidden = name
    }
    guard let hidden, unsafe rename(hidden, path) == 0 else {
      let fault = self.fault
      if temporaryPath == nil, let hidden { unsafe unlink(hidden) }
      throw fault
    }
  }

  private var fault: OutputFault { OutputFile.writeFault(path, code: scene_errno()) }

  /// Syncs a file, sees that it holds what was written, and gives it the permissions of the old one.
  static func finish(_ file: Int32, path: String, length: Int) throws(OutputFault) {
    guard fsync(file) == 0 else { throw writeFault(path, code: scene_errno()) }
    var info = stat()
    guard unsafe fstat(file, &info) == 0, Int(info.st_size) == length else {
      throw OutputFault(
        "'\(path)' was changed while it was written: it has \(info.st_size) bytes instead of \(length)",
        help: "the old file, if any, is untouched")
    }
    if unsafe stat(path, &info) == 0 { _ = fchmod(file, info.st_mode & 0o7777) }
  }
}
