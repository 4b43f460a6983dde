// SPDX-License-Identifier: MIT
import CLinux

/// A lock with a condition variable, which `Mutex` of the standard library lacks.
// Safe: the state is only accessed under the lock, or by the one thread that a simulation lets run.
package final class Monitor<State>: @unchecked Sendable {
  private let lock = ConditionLock()
  private var state: State
  /// Whether a simulated thread is inside.
  private var isHeld = false
  /// Counts the wake-ups of a simulation.
  private var wakeCount = 0

  package init(_ state: State) { self.state = state }

  /// Changes the state and wakes all waiting threads.
  package func update<T, E>(_ body: (inout State) throws(E) -> T) throws(E) -> T {
    let simulator = Simulation.current
    enter(simulator)
    defer { leave(simulator) }
    return try body(&state)
  }

  /// Waits until `body` returns a value. It is called again after each update.
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

/// Owner of a `pthread_mutex_t` with a `pthread_cond_t`, which must not move.
@safe private final class ConditionLock {
  // Safe: the process cannot continue without memory.
  private let handle = unsafe Owned(always: scene_monitor_new(), scene_monitor_free)

  func lock() { unsafe scene_monitor_lock(handle.pointer) }

  func wait() { unsafe scene_monitor_wait(handle.pointer) }

  func wakeAndUnlock() { unsafe scene_monitor_wake_unlock(handle.pointer) }
}
