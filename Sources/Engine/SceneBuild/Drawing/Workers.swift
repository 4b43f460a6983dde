// SPDX-License-Identifier: MIT
import SceneFiles
import SceneSystem
import SceneWriting

extension WorkerThread {
  /// Starts `count` threads, or as many as the system can provide. Throws if no thread can be
  /// started.
  static func start(_ count: Int, _ run: @escaping @Sendable () -> Void) throws(BuildError)
    -> [WorkerThread]
  {
    let threads = (0..<max(1, count)).compactMap { _ in WorkerThread(run) }
    guard !threads.isEmpty else { throw .media(.file(FileError("cannot start a thread"))) }
    return threads
  }
}
