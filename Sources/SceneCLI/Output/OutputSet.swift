// SPDX-License-Identifier: MIT
import CLinux

/// Many files of one folder that replace others together: all or none.
///
/// They wait in a hidden folder beside their places. `commit` exchanges them with the old files, and
/// takes that back when one of them is refused.
package final class OutputSet {
  private let directory: String
  private let inputs: Set<FileIdentity>
  private let first: OutputPlace
  /// The hidden folder, locked by its descriptor.
  private let staging: String
  private let lock: Int32
  private var paths: [String] = []

  /// `path` is one of the files; `inputs` must not be overwritten.
  package init(_ path: String, inputs: [String]) throws(OutputFault) {
    self.inputs = FileIdentity.set(of: inputs)
    first = try OutputPlace(path, keeping: self.inputs)
    directory = first.directory
    TemporaryFiles.removeStale(in: directory)
    while true {
      let name = TemporaryFiles.name(in: directory)
      guard unsafe mkdir(name, 0o700) == 0 else {
        if scene_errno() == EEXIST { continue }
        throw OutputPlace.refusal(directory)
      }
      TemporaryFiles.add(name)
      let file = unsafe scene_open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
      if file >= 0, TemporaryFiles.hold(file) {
        (staging, lock) = (name, file)
        return
      }
      if file >= 0 { close(file) }
      TemporaryFiles.remove(name)
    }
  }

  deinit {
    TemporaryFiles.delete(staging)
    TemporaryFiles.remove(staging)
    close(lock)
    first.removeMadeFolders()
  }

  private func staged(_ index: Int) -> String { "\(staging)/\(index)" }

  /// Adds a file with its whole content.
  package func add(_ wanted: String, _ bytes: [UInt8]) throws(OutputFault) {
    let path = try OutputPlace(wanted, keeping: inputs).path
    let temporary = staged(paths.count)
    let file = unsafe scene_open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw OutputFile.writeFault(path, code: scene_errno()) }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe CLinux.write(file, $0.baseAddress, $0.count)
      }
      if count < 0, scene_errno() == EINTR { continue }
      guard count > 0 else { throw OutputFile.writeFault(path, code: scene_errno()) }
      rest = rest.dropFirst(count)
    }
    try OutputFile.finish(file, path: path, length: bytes.count)
    paths.append(path)
  }

  /// Puts all files in their places.
  package func commit() throws(OutputFault) {
    try TemporaryFiles.undisturbed { () throws(OutputFault) in
      for index in paths.indices {
        guard let code = replace(index) else { continue }
        for done in (0..<index).reversed() { restore(done) }
        throw OutputFault(
          "cannot write '\(paths[index])': \(unsafe String(cString: strerror(code)))",
          help: "none of the \(paths.count) files was replaced")
      }
    }
    OutputPlace.sync(directory)
  }

  /// Exchanges a new file with the old one; the errno where that fails.
  private func replace(_ index: Int) -> Int32? {
    let (new, path) = (staged(index), paths[index])
    if unsafe scene_exchange(new, path) == 0 { return nil }
    // There is no old file, or the file system cannot exchange.
    if unsafe access(path, F_OK) == 0, unsafe rename(path, new + ".old") != 0 {
      return scene_errno()
    }
    if unsafe rename(new, path) == 0 { return nil }
    let code = scene_errno()
    unsafe rename(new + ".old", path)
    return code
  }

  private func restore(_ index: Int) {
    let (new, path) = (staged(index), paths[index])
    if unsafe access(new, F_OK) == 0 {
      unsafe rename(new, path)
    } else if unsafe rename(new + ".old", path) != 0 {
      unsafe unlink(path)
    }
  }
}
