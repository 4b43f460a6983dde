// SPDX-License-Identifier: MIT
import SceneSystem
package import Synchronization

/// The standard output of the process.
package enum StandardOutput {
  /// Whether standard output was closed when the program started. Output is then discarded.
  package static let isClosed = Atomic<Bool>(false)

  private static let firstFailure = Atomic<Int32>(0)

  /// The errno of the first failed write, or 0. It determines the exit status of the program.
  package static var failure: Int32 { firstFailure.load(ordering: .relaxed) }

  /// Writes bytes, unless an earlier write failed.
  package static func write(_ bytes: [UInt8]) {
    guard failure == 0 else { return }
    firstFailure.store(Files.write(1, bytes), ordering: .relaxed)
  }
}
