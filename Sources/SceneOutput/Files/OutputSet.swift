// SPDX-License-Identifier: MIT
import CLinux
package import SceneFiles
import SceneSystem

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
  package init(_ path: String, inputs: [String]) throws(FileFault) {
    self.inputs = FileIdentity.set(of: inputs)
    first = try OutputPlace(path, keeping: self.inputs)
    directory = first.directory
    TemporaryFiles.removeStale(in: directory)
    while true {
      let name = TemporaryFiles.name(in: directory)
      guard Files.makeFolder(name, permissions: 0o700) else {
        if Files.errno == EEXIST { continue }
        throw OutputPlace.refusal(directory)
      }
      TemporaryFiles.add(name)
      let file = Files.open(name, O_RDONLY | O_DIRECTORY)
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
  package func add(_ wanted: String, _ bytes: [UInt8]) throws(FileFault) {
    let path = try OutputPlace(wanted, keeping: inputs).path
    let temporary = staged(paths.count)
    let file = Files.open(temporary, O_RDWR | O_CREAT | O_EXCL, permissions: 0o666)
    guard file >= 0 else { throw OutputFile.writeFault(path, code: Files.errno) }
    defer { close(file) }
    let code = Files.write(file, bytes)
    guard code == 0 else { throw OutputFile.writeFault(path, code: code) }
    try OutputFile.finish(file, path: path, length: bytes.count)
    paths.append(path)
  }

  /// Puts all files in their places.
  package func commit() throws(FileFault) {
    try TemporaryFiles.undisturbed { () throws(FileFault) in
      for index in paths.indices {
        guard let code = replace(index) else { continue }
        for done in (0..<index).reversed() { restore(done) }
        throw FileFault(
          "cannot write '\(paths[index])': \(Files.reason(code))",
          help: "none of the \(paths.count) files was replaced")
      }
    }
    OutputPlace.sync(directory)
  }

  /// Exchanges a new file with the old one; the errno where that fails.
  private func replace(_ index: Int) -> Int32? {
    let (new, path) = (staged(index), paths[index])
    if Files.exchange(new, path) { return nil }
    // There is no old file, or the file system cannot exchange.
    if Files.exists(path), !Files.rename(path, new + ".old") {
      return Files.errno
    }
    if Files.rename(new, path) { return nil }
    let code = Files.errno
    Files.rename(new + ".old", path)
    return code
  }

  private func restore(_ index: Int) {
    let (new, path) = (staged(index), paths[index])
    if Files.exists(new) {
      Files.rename(new, path)
    } else if !Files.rename(new + ".old", path) {
      Files.remove(path)
    }
  }
}
