// SPDX-License-Identifier: MIT
package import Foundation
import Synchronization

/// A temporary folder, removed with its last reference or at the end of the process.
package final class Folder: Sendable {
  package let path: String

  /// The paths of all folders. Static properties are never released, so the end of the process
  /// removes theirs.
  private static let existing = Mutex<Set<String>>([])
  private static let isRemovedAtExit =
    atexit {
      for path in Folder.existing.withLock({ $0 }) {
        try? FileManager.default.removeItem(atPath: path)
      }
    } == 0

  package init() throws {
    path = NSTemporaryDirectory() + "/scenec-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    _ = Folder.isRemovedAtExit
    _ = Folder.existing.withLock { $0.insert(path) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    _ = Folder.existing.withLock { $0.remove(path) }
  }

  @discardableResult
  package func write(_ name: String, _ text: String) throws -> String {
    let whole = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: (whole as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.write(toFile: whole, atomically: true, encoding: .utf8)
    return path + "/" + name
  }

  /// Copies files of another folder.
  package func copy(_ names: String..., from other: Folder) throws {
    for name in names {
      try FileManager.default.copyItem(
        atPath: other.path + "/" + name, toPath: path + "/" + name)
    }
  }

  /// Copies a program into the folder. Another process copies it, because a child process that
  /// another thread forks at the same time inherits the files that this process has open, and a
  /// file that is open for writing cannot be executed (`ETXTBSY`).
  package func install(_ program: String, as name: String) throws {
    let run = try Program.run(
      ["/usr/bin/install", "-D", "-m", "700", program, path + "/" + name])
    guard run.status == 0 else { throw NotInstalled(errors: run.errors) }
  }

  private struct NotInstalled: Error {
    let errors: String
  }

  package func data(_ name: String) -> Data? {
    FileManager.default.contents(atPath: path + "/" + name)
  }

  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
