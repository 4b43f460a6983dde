// SPDX-License-Identifier: MIT
import CLinux
import SceneOutput
import SceneSystem
import Synchronization

/// Ctrl-C and every other signal that ends a process.
///
/// A thread of their own waits for them. Work that asks `caught` gets a moment to end in an orderly
/// way; after that, or when nothing asks, unfinished files are removed and the process ends.
package final class Interruption: Sendable {
  /// How long work that is asked to end may take.
  private static let patience = Duration.milliseconds(250)

  private let signal = Atomic<Int32>(0)
  private let isAsked = Atomic<Bool>(false)

  /// For work that no signal ends.
  package static let never = Interruption(isNever: ())

  /// For work that `interrupt` ends, not a signal.
  package static func manual() -> Interruption { Interruption(isNever: ()) }

  private init(isNever: Void) {}

  /// Ends the work as Ctrl-C does.
  package func interrupt() { signal.store(SIGINT, ordering: .sequentiallyConsistent) }

  /// Must be made before any other thread, since those inherit the blocked signals.
  package init() {
    // What cannot be written is reported by the write: to a closed pipe, or over RLIMIT_FSIZE.
    scene_ignore(SIGPIPE)
    scene_ignore(SIGXFSZ)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    // What the caller ignores, as nohup does, stays ignored.
    for number in Interruption.ending where scene_is_ignored(number) == 0 {
      unsafe sigaddset(&set, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    let waited = set
    _ = WorkerThread { [self] in wait(for: waited) }
  }

  private static let ending = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2,
    SIGPOLL,
  ]

  private func wait(for signals: sigset_t) {
    var signals = signals
    while true {
      var number: Int32 = 0
      guard unsafe sigwait(&signals, &number) == 0 else { continue }
      // The second one means at once.
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

  /// The signal that came, or 0. Whoever asks has to go on asking, and to end soon once there is one.
  package var caught: Int32 {
    isAsked.store(true, ordering: .sequentiallyConsistent)
    return signal.load(ordering: .sequentiallyConsistent)
  }

  /// What the process ends with: 128 and the signal where one ended it, as shells expect.
  package func exitStatus(_ code: ExitCode) -> Int32 {
    let number = signal.load(ordering: .sequentiallyConsistent)
    return code == .interrupted && number != 0 ? 128 + number : code.rawValue
  }
}
