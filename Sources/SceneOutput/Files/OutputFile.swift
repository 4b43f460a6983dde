// SPDX-License-Identifier: MIT
import CLinux
package import SceneFiles
import SceneSystem

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

  /// The folder, if it was missing and has been made.
  package var madeFolder: String? { place.madeFolder }

  /// `inputs` are files that must not be overwritten. A missing folder is made if the folder around it exists.
  package init(_ wanted: String, inputs: [String]) throws(FileFault) {
    place = try OutputPlace(wanted, inputs: inputs)
    path = place.path
    TemporaryFiles.removeStale(in: place.directory)
    file = Files.open(place.directory, O_RDWR | scene_o_tmpfile, permissions: 0o666)
    // Its name comes by way of /proc, which a container may lack.
    if file >= 0, !Files.exists("/proc/self/fd/\(file)") {
      close(file)
      file = -1
    }
    if file < 0 { (file, temporaryPath) = try OutputFile.named(in: place.directory) }
  }

  deinit {
    if file >= 0 { close(file) }
    if let temporaryPath, !isCommitted {
      Files.remove(temporaryPath)
      TemporaryFiles.remove(temporaryPath)
    }
    if !isCommitted { place.removeMadeFolder() }
  }

  /// A new file under a hidden name, locked.
  private static func named(in directory: String) throws(FileFault) -> (Int32, String) {
    while true {
      let path = TemporaryFiles.name(in: directory)
      let file = Files.open(path, O_RDWR | O_CREAT | O_EXCL, permissions: 0o666)
      if file < 0, Files.errno == EEXIST { continue }
      guard file >= 0 else { throw OutputPlace.refusal(directory) }
      TemporaryFiles.add(path)
      if TemporaryFiles.hold(file) { return (file, path) }
      close(file)
      TemporaryFiles.remove(path)
    }
  }

  /// Writes bytes at the end.
  package func write(_ bytes: [UInt8]) throws(FileFault) {
    let code = write(bytes, at: length)
    guard code == 0 else { throw OutputFile.writeFault(path, code: code) }
  }

  /// Writes bytes at `offset`; 0, or the errno of what failed.
  package func write(_ bytes: [UInt8], at offset: Int) -> Int32 {
    bytes.lend { write($0, at: offset) }
  }

  /// Writes bytes at `offset`; 0, or the errno of what failed.
  package func write(_ bytes: RawSpan, at offset: Int) -> Int32 {
    let code = Files.write(file, bytes, at: offset)
    if code == 0 { length = max(length, offset + bytes.byteCount) }
    return code
  }

  /// The bytes that were written at `offset`.
  package func bytes(at offset: Int, count: Int) throws(FileFault) -> [UInt8] {
    let bytes = Files.head(of: file, from: offset, count: count)
    guard bytes.count == count else { throw OutputFile.writeFault(path, code: EIO) }
    return bytes
  }

  /// Reads what was written at `offset`; the number of bytes, 0 at the end, or a negative errno.
  package func read(_ bytes: inout MutableRawSpan, at offset: Int) -> Int {
    Files.read(file, &bytes, at: offset)
  }

  /// Says why a write failed, with the room that is left where that is the reason.
  package static func writeFault(_ path: String, code: Int32) -> FileFault {
    if code == ENOSPC || code == EDQUOT {
      let free = Files.freeMebibytes(in: OutputPlace.split(path).directory)
      let tenths = (free * 10).rounded() / 10
      return FileFault(
        "disk full while writing '\(path)': \(tenths) MiB free",
        help: "free disk space, or choose another folder with -o; the existing file is unchanged")
    }
    let reason = Files.reason(code)
    return FileFault(
      "cannot write '\(path)': \(reason)",
      help: "choose another folder with -o; the existing file, if any, is unchanged")
  }

  /// Puts the finished file in its place.
  package func commit() throws(FileFault) { try OutputFile.commit([self]) }

  /// Puts files in their places, once all of them are whole.
  package static func commit(_ files: [OutputFile]) throws(FileFault) {
    for it in files { try finish(it.file, path: it.path, length: it.length) }
    try TemporaryFiles.undisturbed { () throws(FileFault) in
      if files.count == 1 { try files[0].putInPlace() } else { try replaceTogether(files) }
      for it in files { it.isCommitted = true }
    }
    for it in files {
      if let path = it.temporaryPath { TemporaryFiles.remove(path) }
      OutputPlace.sync(it.place.directory)
    }
  }

  private func putInPlace() throws(FileFault) {
    if temporaryPath == nil {
      if Files.link(file, path) { return }
      guard Files.errno == EEXIST else { throw fault }
    }
    // A name cannot be taken over by a link, only by a renaming.
    let hidden = try hiddenName()
    guard Files.rename(hidden, path) else {
      let fault = self.fault
      if temporaryPath == nil { Files.remove(hidden) }
      throw fault
    }
  }

  /// Puts all files in their places, or none of them.
  private static func replaceTogether(_ files: [OutputFile]) throws(FileFault) {
    var waiting: [Replacement] = []
    defer { for it in waiting { it.clean() } }
    for it in files { waiting.append(Replacement(try it.hiddenName(), it.path)) }
    try Replacement.replace(waiting)
  }

  /// A hidden name for the file beside its place, under a lock that keeps others away.
  private func hiddenName() throws(FileFault) -> String {
    if let temporaryPath { return temporaryPath }
    _ = scene_lock(file)
    let name = TemporaryFiles.name(in: place.directory)
    guard Files.link(file, name) else { throw fault }
    return name
  }

  private var fault: FileFault { OutputFile.writeFault(path, code: Files.errno) }

  /// Syncs a file, sees that it holds what was written, and gives it the permissions of the old one.
  static func finish(_ file: Int32, path: String, length: Int) throws(FileFault) {
    guard fsync(file) == 0 else { throw writeFault(path, code: Files.errno) }
    let status = FileStatus(file: file)
    guard status?.size == length else {
      throw FileFault(
        "'\(path)' was changed by another program: it has \(status?.size ?? 0) bytes instead of \(length)",
        help: "run the build again; the existing file, if any, is unchanged")
    }
    if let old = FileStatus(path: path) { _ = fchmod(file, old.permissions) }
  }
}
