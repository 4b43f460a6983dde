// SPDX-License-Identifier: MIT
import CLinux

/// A monotonic clock. Components that measure or wait receive one as a value, so that a test controls how
/// time passes.
package protocol TimeSource: Sendable {
  typealias Instant = ContinuousClock.Instant

  var now: Instant { get }

  /// Suspends the calling thread.
  func sleep(for duration: Duration)
}

extension TimeSource {
  /// The time that has passed since an instant.
  package func elapsed(since start: Instant) -> Duration { now - start }
}

/// The clock of the system, and the only code that reads it.
package struct SystemClock: TimeSource {
  package init() {}

  package var now: Instant { ContinuousClock.now }

  package func sleep(for duration: Duration) {
    usleep(UInt32(clamping: Int((duration / .microseconds(1)).rounded(.up))))
  }

  /// The time of day in the local time zone, such as `12:04:51`.
  package static var timeOfDay: String {
    let seconds = Int(scene_second_of_day())
    return [seconds / 3600, seconds / 60 % 60, seconds % 60]
      .map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
  }

  /// Seconds since 1970 in UTC, as in modification times.
  package static var secondsSince1970: Int { nanosecondsSince1970 / 1_000_000_000 }

  /// Nanoseconds since 1970 in UTC, by the clock that dates files.
  package static var nanosecondsSince1970: Int {
    Simulation.current?.nanosecondsSince1970 ?? scene_nanoseconds()
  }
}

extension TimeSource where Self == SystemClock {
  package static var system: SystemClock { SystemClock() }
}
