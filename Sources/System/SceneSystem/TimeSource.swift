// SPDX-License-Identifier: MIT
import CLinux

/// A monotonic clock. Components that measure time or wait receive a clock as a value, so that a
/// test can control time.
package protocol TimeSource: Sendable {
  typealias Instant = ContinuousClock.Instant

  var now: Instant { get }

  /// Blocks the calling thread.
  func sleep(for duration: Duration)
}

extension TimeSource {
  /// Returns the time since an instant.
  package func elapsed(since start: Instant) -> Duration { now - start }
}

/// The system clock. No other code reads the time.
package struct SystemClock: TimeSource {
  package init() {}

  package var now: Instant { ContinuousClock.now }

  package func sleep(for duration: Duration) {
    usleep(UInt32(clamping: Int((duration / .microseconds(1)).rounded(.up))))
  }

  /// The current time of day in the local time zone, such as `12:04:51`.
  package static var timeOfDay: String {
    let seconds = Int(scene_second_of_day())
    return [seconds / 3600, seconds / 60 % 60, seconds % 60]
      .map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
  }

  /// The current time in seconds since 1970 (UTC), comparable with modification times.
  package static var secondsSince1970: Int { nanosecondsSince1970 / 1_000_000_000 }

  /// The current time in nanoseconds since 1970 (UTC), comparable with modification times.
  package static var nanosecondsSince1970: Int {
    Simulation.current?.nanosecondsSince1970 ?? scene_nanoseconds()
  }
}

extension TimeSource where Self == SystemClock {
  package static var system: SystemClock { SystemClock() }
}
