// SPDX-License-Identifier: MIT

/// A deterministic replacement for the scheduler of the system.
///
/// In a simulation, exactly one thread runs at any time. Each call of this module that can block,
/// or whose effect another thread can observe, is a point where the simulator may switch threads.
/// The order depends only on a seed, so every run can be replayed.
package protocol Simulator: AnyObject, Sendable {
  /// Lets the simulator switch to another thread.
  func pass()

  /// Blocks the calling thread until `isReady` returns `true` or the time is over; returns whether
  /// it is ready. `isReady` must not call anything that passes.
  func wait(atMost limit: Duration?, _ isReady: () -> Bool) -> Bool

  /// Starts a thread and returns its number.
  func start(_ body: @escaping @Sendable () -> Void) -> Int

  /// Blocks until a thread has ended.
  func join(_ thread: Int)

  /// Returns the `errno` with which a write to an open file fails; `nil` if the write succeeds.
  func refusal(ofWritingTo file: Int32) -> Int32?

  /// The current time for timestamps of files.
  var nanosecondsSince1970: Int { get }

  /// Sets the modification time of an open file that has changed.
  func date(_ file: Int32)
}

/// The simulator of this process. A process sets one only for a simulation, before it starts
/// threads.
package enum Simulation {
  // Safe: set before other threads start and after they have ended.
  nonisolated(unsafe) private static var simulator: (any Simulator)?

  package static var current: (any Simulator)? { unsafe simulator }

  package static func use(_ new: (any Simulator)?) { unsafe simulator = new }

  /// Lets the simulator, if any, switch to another thread.
  static func pass() { current?.pass() }

  /// Returns the result of a call, before which the simulator, if any, may switch to another
  /// thread.
  static func passing<T>(_ call: @autoclosure () -> T) -> T {
    pass()
    return call()
  }
}
