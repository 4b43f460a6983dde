// SPDX-License-Identifier: MIT
import CLinux
import SceneCLI

/// A lock with a condition: `Mutex` of the standard library has none.
// Safe: the state is only reached under the lock.
@safe final class Monitor<State>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var state: State

  init(_ state: State) {
    self.state = state
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe condition.initialize(to: pthread_cond_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Changes the state and wakes all that wait for it.
  func update<T>(_ body: (inout State) throws -> T) rethrows -> T {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(condition)
      unsafe pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Waits until `body` answers something.
  func wait<T>(_ body: (inout State) -> T?) -> T {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(condition)
      unsafe pthread_mutex_unlock(mutex)
    }
    while true {
      if let answer = body(&state) { return answer }
      unsafe pthread_cond_wait(condition, mutex)
    }
  }
}

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
