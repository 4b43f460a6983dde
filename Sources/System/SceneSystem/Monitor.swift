// SPDX-License-Identifier: MIT
import CLinux

/// A lock with a condition variable, which the standard library's `Mutex` lacks.
// Safe: the state is accessed only under the lock, or by the one thread that runs in a simulation.
package final class Monitor<State>: @unchecked Sendable {
  private let lock = ConditionLock()
  private var state: State
  /// Whether a simulated thread holds the lock.
  private var isHeld = false
  /// The number of wake-ups in a simulation.
  private var wakeCount = 0

  package init(_ state: State) { self.state = state }

  /// Modifies the state and wakes all waiting threads.
  package func update<T, E>(_ body: (inout State) throws(E) -> T) throws(E) -> T {
    let simulator = Simulation.current
    enter(simulator)
    defer { leave(simulator) }
    return try body(&state)
  }

  /// Blocks until `body` returns a value. It is called again after each update.
  package func wait<T>(_ body: (inout State) -> T?) -> T {
    let simulator = Simulation.current
    enter(simulator)
    defer { leave(simulator) }
    while true {
      if let answer = body(&state) { return answer }
      suspend(simulator)
    }
  }

  private func enter(_ simulator: (any Simulator)?) {
    guard let simulator else { return lock.lock() }
    simulator.pass()
    take(simulator)
  }

  private func leave(_ simulator: (any Simulator)?) {
    guard simulator != nil else { return lock.wakeAndUnlock() }
    isHeld = false
    wakeCount += 1
  }

  private func suspend(_ simulator: (any Simulator)?) {
    guard let simulator else { return lock.wait() }
    isHeld = false
    let count = wakeCount
    _ = simulator.wait(atMost: nil) { wakeCount != count }
    take(simulator)
  }

  private func take(_ simulator: any Simulator) {
    while isHeld { _ = simulator.wait(atMost: nil) { !isHeld } }
    isHeld = true
  }
}

/// An owned `pthread_mutex_t` with a `pthread_cond_t`, which must not move in memory.
@safe private final class ConditionLock {
  // Safe: allocation aborts the process if out of memory.
  private let handle = unsafe Owned(always: scene_monitor_new(), scene_monitor_free)

  func lock() { unsafe scene_monitor_lock(handle.pointer) }

  func wait() { unsafe scene_monitor_wait(handle.pointer) }

  func wakeAndUnlock() { unsafe scene_monitor_wake_unlock(handle.pointer) }
}
