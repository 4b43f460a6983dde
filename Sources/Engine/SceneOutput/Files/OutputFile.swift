// SPDX-License-Identifier: MIT
import CLinux
package import SceneFiles
import SceneSystem

/// An output file that is moved into place atomically.
///
/// It has no name until `commit` moves it into place, so an interrupted build leaves nothing
/// behind. On file systems without unnamed files, it is written to a hidden file in the same
/// folder, which `deinit`, a signal or the next build removes.
package final class OutputFile {
  /// The final path. Links are followed and their targets replaced.
  package let path: String
  private let place: OutputPlace
  private var file: Int32
  /// The hidden name, if the file system requires one.
  private var temporaryPath: String?
  /// The expected length of the file in bytes.
  private var length = 0
  private var isCommitted = false

  /// The folder, if it was missing and has been created.
  package var madeFolder: String? { place.madeFolder }

  /// Opens the file. Files in `inputs` are never overwritten. A missing folder is created if its
  /// parent exists. `nameHelp` is the help of the error if the name cannot be used.
  package init(_ wanted: String, inputs: [String], nameHelp: String? = nil) throws(FileError) {
    place = try OutputPlace(wanted, inputs: inputs, nameHelp: nameHelp)
    path = place.path
    TemporaryFiles.removeStale(in: place.directory)
    file = Files.open(place.directory, O_RDWR | scene_o_tmpfile, permissions: 0o666)
    // Naming the file requires /proc, which a container may lack.
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

  /// Creates a locked file with a hidden name.
  private static func named(in directory: String) throws(FileError) -> (Int32, String) {
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

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    let code = write(bytes, at: length)
    guard code == 0 else { throw OutputFile.writeError(path, code: code) }
  }

  /// Writes bytes at `offset`; returns 0 or an errno.
  package func write(_ bytes: [UInt8], at offset: Int) -> Int32 {
    bytes.lend { write($0, at: offset) }
  }

  /// Writes bytes at `offset`; returns 0 or an errno.
  package func write(_ bytes: RawSpan, at offset: Int) -> Int32 {
    let code = Files.write(file, bytes, at: offset)
    if code == 0 { length = max(length, offset + bytes.byteCount) }
    return code
  }

  /// Returns bytes written at `offset`.
  package func bytes(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    let bytes = Files.head(of: file, from: offset, count: count)
    guard bytes.count == count else { throw OutputFile.writeError(path, code: EIO) }
    return bytes
  }

  /// Reads bytes written at `offset`; returns the number of bytes, 0 at the end, or a negative
  /// errno.
  package func read(_ bytes: inout MutableRawSpan, at offset: Int) -> Int {
    Files.read(file, &bytes, at: offset)
  }

  /// Returns the error for a failed write, with the free space if the disk is full.
  package static func writeError(_ path: String, code: Int32) -> FileError {
    if code == ENOSPC || code == EDQUOT {
      let free = Files.freeMebibytes(in: OutputPlace.split(path).directory)
      let tenths = (free * 10).rounded() / 10
      return FileError(
        "disk full while writing '\(path)': \(tenths) MiB free",
        help: "free disk space, or choose another folder with -o; the existing file is unchanged")
    }
    let reason = Files.reason(code)
    return FileError(
      "cannot write '\(path)': \(reason)",
      help: "choose another folder with -o; the existing file, if any, is unchanged")
  }

  /// Moves the finished file into place.
  package func commit() throws(FileError) { try OutputFile.commit([self]) }

  /// Moves files into place once all of them are complete.
  package static func commit(_ files: [OutputFile]) throws(FileError) {
    for it in files { try finish(it.file, path: it.path, length: it.length) }
    try TemporaryFiles.undisturbed { () throws(FileError) in
      if files.count == 1 { try files[0].putInPlace() } else { try replaceTogether(files) }
      for it in files { it.isCommitted = true }
    }
    for it in files {
      if let path = it.temporaryPath { TemporaryFiles.remove(path) }
      OutputPlace.sync(it.place.directory)
    }
  }

  private func putInPlace() throws(FileError) {
    if temporaryPath == nil {
      if Files.link(file, path) { return }
      guard Files.errno == EEXIST else { throw failure }
    }
    // `link` cannot replace an existing name, but `rename` can.
    let hidden = try hiddenName()
    guard Files.rename(hidden, path) else {
      let failure = self.failure
      if temporaryPath == nil { Files.remove(hidden) }
      throw failure
    }
  }

  /// Moves all files into place, or none of them.
  private static func replaceTogether(_ files: [OutputFile]) throws(FileError) {
    var waiting: [Replacement] = []
    defer { for it in waiting { it.clean() } }
    for it in files { waiting.append(Replacement(try it.hiddenName(), it.path)) }
    try Replacement.replace(waiting)
  }

  /// Returns a hidden name for the file in its folder, with a lock that protects it from cleanup.
  private func hiddenName() throws(FileError) -> String {
    if let temporaryPath { return temporaryPath }
    _ = scene_lock(file)
    let name = TemporaryFiles.name(in: place.directory)
    guard Files.link(file, name) else { throw failure }
    return name
  }

  private var failure: FileError { OutputFile.writeError(path, code: Files.errno) }

  /// Syncs a file, verifies its length, and copies the permissions of the old file.
  static func finish(_ file: Int32, path: String, length: Int) throws(FileError) {
    guard fsync(file) == 0 else { throw writeError(path, code: Files.errno) }
    let status = FileStatus(file: file)
    guard status?.size == length else {
      throw FileError(
        "'\(path)' was changed by another program: it has \(status?.size ?? 0) bytes instead of \(length)",
        help: "run the build again; the existing file, if any, is unchanged")
    }
    if let old = FileStatus(path: path) { _ = fchmod(file, old.permissions) }
  }
}
