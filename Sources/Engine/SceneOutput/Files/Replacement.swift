// SPDX-License-Identifier: MIT
import CLinux
import SceneFiles
import SceneSystem

/// A new file with a hidden name and its final path. The old file is kept until all replacements
/// are done.
struct Replacement {
  private let new: String
  private let path: String

  init(_ new: String, _ path: String) {
    self.new = new
    self.path = path
  }

  /// Moves all files into place. If one of them fails, the previous ones are reverted.
  static func replace(_ all: [Replacement]) throws(FileError) {
    for (index, it) in all.enumerated() {
      guard let code = it.put() else { continue }
      for done in all[..<index].reversed() { done.restore() }
      throw FileError(
        "cannot write '\(it.path)': \(Files.reason(code))",
        help: "run the build again; none of the \(all.count) files was replaced")
    }
  }

  /// Exchanges the new file with the old one; returns the errno on failure.
  private func put() -> Int32? {
    if Files.exchange(new, path) { return nil }
    // There is no old file, or the file system does not support exchanging.
    if Files.exists(path), !Files.rename(path, new + ".old") { return Files.errno }
    if Files.rename(new, path) { return nil }
    let code = Files.errno
    Files.rename(new + ".old", path)
    return code
  }

  private func restore() {
    if Files.exists(new) {
      Files.rename(new, path)
    } else if !Files.rename(new + ".old", path) {
      Files.remove(path)
    }
  }

  /// Removes the files with hidden names: the old file, or the new one after a failure.
  func clean() {
    Files.remove(new)
    Files.remove(new + ".old")
  }
}
