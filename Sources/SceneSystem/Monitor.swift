// SPDX-License-Identifier: MIT
import CLinux

/// A lock with a condition: `Mutex` of the standard library has none.
// Safe: the state is only reached under the lock.
package final class Monitor<State>: @unchecked Sendable {
  private let lock = ConditionLock()
  private var state: State

  package init(_ state: State) { self.state = state }

  /// Changes the state and wakes all that wait for it.
  package func update<T>(_ body: (inout State) throws -> T) rethrows -> T {
    lock.lock()
    defer { lock.wakeAndUnlock() }
    return try body(&state)
  }

  /// Waits until `body` answers something.
  package func wait<T>(_ body: (inout State) -> T?) -> T {
    lock.lock()
    defer { lock.wakeAndUnlock() }
    while true {
      if let answer = body(&state) { return answer }
      lock.wait()
    }
  }
}

/// Owner of a `pthread_mutex_t` and a `pthread_cond_t`, which must not move.
@safe private final class ConditionLock {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  func lock() { unsafe pthread_mutex_lock(mutex) }

  func wait() { unsafe pthread_cond_wait(condition, mutex) }

  func wakeAndUnlock() {
    unsafe pthread_cond_broadcast(condition)
    unsafe pthread_mutex_unlock(mutex)
  }
}
