// SPDX-License-Identifier: MIT
import SceneCLI
import SceneSystem

extension WorkerThread {
  /// So many threads, or as many as the system gives; at least one.
  static func start(_ count: Int, _ run: @escaping @Sendable () -> Void) throws(BuildFault)
    -> [WorkerThread]
  {
    let threads = (0..<max(1, count)).compactMap { _ in WorkerThread(run) }
    guard !threads.isEmpty else { throw .world("no thread can be started", help: nil) }
    return threads
  }
}
