// SPDX-License-Identifier: MIT
import CLinux
import Synchronization

/// Ctrl-C and its like: noted by a thread of their own, so that work ends in an orderly way.
final class Interruption: Sendable {
  private let signal = Atomic<Int32>(0)

  /// Must be made before any other thread, since those inherit the blocked signals.
  init() {
    // A file that grows over RLIMIT_FSIZE is told of by the write.
    scene_ignore(SIGXFSZ)
    var set = Interruption.signals
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    _ = WorkerThread { [self] in
      var set = Interruption.signals
      while true {
        var caught: Int32 = 0
        guard unsafe sigwait(&set, &caught) == 0 else { continue }
        // The second one means at once.
        if signal.exchange(caught, ordering: .sequentiallyConsistent) != 0 { _exit(128 + caught) }
      }
    }
  }

  private static var signals: sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&set, number) }
    return set
  }

  /// The signal that came, or 0.
  var caught: Int32 { signal.load(ordering: .sequentiallyConsistent) }
}
