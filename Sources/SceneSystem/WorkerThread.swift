// SPDX-License-Identifier: MIT
import CLinux

/// A thread of its own with 8 MiB of stack.
package struct WorkerThread {
  private let handle: pthread_t

  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// `nil` when the system has no more threads.
  package init?(_ run: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, 8 << 20)
    var made = pthread_t()
    // Safe: the thread takes over the one reference.
    let body = unsafe Unmanaged.passRetained(Body(run))
    let status = unsafe pthread_create(
      &made, &attributes,
      { pointer in
        let body = unsafe pointer.map { unsafe Unmanaged<Body>.fromOpaque($0).takeRetainedValue() }
        body?.run()
        return nil
      }, body.toOpaque())
    guard status == 0 else {
      unsafe body.release()
      return nil
    }
    handle = made
  }

  package func join() { pthread_join(handle, nil) }

  /// Nobody waits for its end: then it gives back its stack by itself.
  package func detach() { pthread_detach(handle) }
}
