// SPDX-License-Identifier: MIT
import Foundation
package import SceneSystem
import Synchronization

/// Waits until a condition holds and returns whether it does.
///
/// This is the only place in the Swift tests that sleeps or reads a clock. The limit is generous:
/// it only ends a test that would hang, on however busy a machine.
package func eventually(seconds: Double = 120, _ holds: () throws -> Bool) rethrows -> Bool {
  let end = TestClock.seconds + seconds
  var pause: UInt32 = 1000
  while TestClock.seconds < end {
    if try holds() { return true }
    usleep(pause)
    pause = min(50_000, pause * 2)
  }
  return try holds()
}

/// The clocks of the system, for `eventually` and for the accounting of the tests.
enum TestClock {
  /// Seconds of the monotonic clock.
  static var seconds: Double { read(CLOCK_MONOTONIC) }

  /// CPU seconds of the calling thread.
  static var threadSeconds: Double { read(CLOCK_THREAD_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Returns the CPU seconds that the calling thread spends in `body`; other tests run concurrently.
package func threadSeconds(_ body: () throws -> Void) rethrows -> Double {
  let start = TestClock.threadSeconds
  try body()
  return TestClock.threadSeconds - start
}

/// A clock whose time changes only when a test advances it or a component sleeps.
package final class ManualClock: TimeSource {
  private let time = Mutex(Instant.now)

  package init() {}

  package var now: Instant { time.withLock { $0 } }

  package func advance(by duration: Duration) { time.withLock { $0 += duration } }

  package func sleep(for duration: Duration) { advance(by: duration) }
}
