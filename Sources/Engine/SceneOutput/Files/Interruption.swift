// SPDX-License-Identifier: MIT
import CLinux
import SceneSystem
import Synchronization

/// Handles Ctrl-C and all other signals that terminate a process.
///
/// A dedicated thread waits for the signals. Work that polls `caught` has a short time for a clean
/// exit. After that, or if nothing polls, unfinished files are removed and the process exits.
package final class Interruption: Sendable {
  /// The time that polling work has to end after a signal.
  private static let patience = Duration.milliseconds(250)

  private let signal = Atomic<Int32>(0)
  private let isAsked = Atomic<Bool>(false)

  /// An interruption that never occurs.
  package static let never = Interruption(isNever: ())

  /// Creates an interruption that only `interrupt` triggers.
  package static func manual() -> Interruption { Interruption(isNever: ()) }

  private init(isNever: Void) {}

  /// Ends the work like Ctrl-C.
  package func interrupt() { signal.store(SIGINT, ordering: .sequentiallyConsistent) }

  /// Blocks the signals and starts the thread that waits for them. Must be created before any other
  /// thread, since threads inherit the blocked signals.
  package init() {
    // Writing to a closed pipe or beyond RLIMIT_FSIZE is reported as an error of the write.
    scene_ignore(SIGPIPE)
    scene_ignore(SIGXFSZ)
    var set = scene_no_signals()
    // Signals that the caller ignores, as `nohup` does, stay ignored.
    for number in Interruption.ending where scene_is_ignored(number) == 0 {
      set = scene_signals_with(set, number)
    }
    scene_block_signals(set)
    let waited = set
    _ = WorkerThread { [self] in wait(for: waited) }
  }

  private static let ending = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2,
    SIGPOLL,
  ]

  private func wait(for signals: sigset_t) {
    while true {
      let number = scene_next_signal(signals)
      guard number != 0 else { continue }
      // A second signal exits immediately.
      let caught = number
      let isFirst = signal.exchange(number, ordering: .sequentiallyConsistent) == 0
      if isFirst, isAsked.load(ordering: .sequentiallyConsistent) {
        _ = WorkerThread {
          SystemClock().sleep(for: Interruption.patience)
          TemporaryFiles.removeAll(thenExit: 128 + caught)
        }
      } else {
        TemporaryFiles.removeAll(thenExit: 128 + caught)
      }
    }
  }

  /// The caught signal, or 0. Callers must keep polling and end soon after a signal.
  package var caught: Int32 {
    isAsked.store(true, ordering: .sequentiallyConsistent)
    return signal.load(ordering: .sequentiallyConsistent)
  }

  /// The caught signal, or 0. Unlike `caught`, reading it does not oblige the caller to end soon.
  package var caughtAtExit: Int32 { signal.load(ordering: .sequentiallyConsistent) }
}
