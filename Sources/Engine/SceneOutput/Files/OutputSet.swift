// SPDX-License-Identifier: MIT
import CLinux
package import SceneFiles
import SceneSystem

/// A set of files in one folder that replace others together: all or none.
///
/// The files are written to a hidden folder. `commit` exchanges them with the old files and reverts
/// the exchange if one of them fails.
package final class OutputSet {
  private let directory: String
  private let inputs: Set<FileIdentity>
  private let first: OutputPlace
  /// The hidden folder, which `lock` protects.
  private let staging: String
  private let lock: Int32
  private var paths: [String] = []

  /// The folder, if it was missing and has been created.
  package var madeFolder: String? { first.madeFolder }

  /// Opens the set. `path` is one of the files. Files in `inputs` are never overwritten.
  package init(_ path: String, inputs: [String]) throws(FileError) {
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
    first.removeMadeFolder()
  }

  private func staged(_ index: Int) -> String { "\(staging)/\(index)" }

  /// Adds a file with its complete content.
  package func add(_ wanted: String, _ bytes: [UInt8]) throws(FileError) {
    let path = try OutputPlace(wanted, keeping: inputs).path
    let temporary = staged(paths.count)
    let file = Files.open(temporary, O_RDWR | O_CREAT | O_EXCL, permissions: 0o666)
    guard file >= 0 else { throw OutputFile.writeError(path, code: Files.errno) }
    defer { close(file) }
    let code = Files.write(file, bytes)
    guard code == 0 else { throw OutputFile.writeError(path, code: code) }
    try OutputFile.finish(file, path: path, length: bytes.count)
    paths.append(path)
  }

  /// Moves all files into place.
  package func commit() throws(FileError) {
    try TemporaryFiles.undisturbed { () throws(FileError) in
      try Replacement.replace(paths.indices.map { Replacement(staged($0), paths[$0]) })
    }
    OutputPlace.sync(directory)
  }
}
