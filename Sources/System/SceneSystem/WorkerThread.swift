// SPDX-License-Identifier: MIT
import CLinux

/// A thread with a stack of 8 MiB.
package struct WorkerThread {
  private enum Handle {
    case system(pthread_t)
    case simulated(Int, any Simulator)
  }

  private let handle: Handle

  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private init(handle: Handle) { self.handle = handle }

  /// Starts a thread; returns `nil` if the system has reached its limit.
  package init?(_ run: @escaping @Sendable () -> Void) {
    if let simulator = Simulation.current {
      self.init(handle: .simulated(simulator.start(run), simulator))
    } else {
      guard let thread = WorkerThread.ofSystem(run) else { return nil }
      self = thread
    }
  }

  /// Starts a system thread, even in a simulation. Returns `nil` if the system refuses it.
  package static func ofSystem(_ run: @escaping @Sendable () -> Void) -> WorkerThread? {
    var made = pthread_t()
    // Safe: the thread takes over the reference.
    let body = unsafe Unmanaged.passRetained(Body(run))
    let status = unsafe scene_start_thread(
      &made,
      { pointer in
        let body = unsafe pointer.map { unsafe Unmanaged<Body>.fromOpaque($0).takeRetainedValue() }
        body?.run()
        return nil
      }, body.toOpaque())
    guard status == 0 else {
      unsafe body.release()
      return nil
    }
    return WorkerThread(handle: .system(made))
  }

  /// Blocks until the thread has ended.
  package func join() {
    switch handle {
    case .system(let thread): pthread_join(thread, nil)
    case .simulated(let thread, let simulator): simulator.join(thread)
    }
  }

  /// Releases the stack when the thread ends, without a `join`.
  package func detach() {
    if case .system(let thread) = handle { pthread_detach(thread) }
  }
}
