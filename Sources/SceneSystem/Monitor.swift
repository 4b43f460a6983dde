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

/// Owner of a `pthread_mutex_t` with a `pthread_cond_t`, which must not move.
@safe private final class ConditionLock {
  // Safe: without memory there is nothing that could be done.
  private let handle = unsafe Owned(always: scene_monitor_new(), scene_monitor_free)

  func lock() { unsafe scene_monitor_lock(handle.pointer) }

  func wait() { unsafe scene_monitor_wait(handle.pointer) }

  func wakeAndUnlock() { unsafe scene_monitor_wake_unlock(handle.pointer) }
}
