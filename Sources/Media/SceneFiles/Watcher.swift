// SPDX-License-Identifier: MIT
import CLinux
package import SceneSystem

/// Detects changes of files by watching their folders, which includes saving by renaming.
package final class Watcher: Sendable {
  private struct State {
    var folders: [Int32: String] = [:]
    var inputs = InputFiles()
    /// The time and the result of the last comparison by `isOutdated`.
    var lastLook: ContinuousClock.Instant?
    var isOutdated = false
  }

  private let file: Int32
  /// An event descriptor that wakes a waiting thread.
  private let bell: Int32
  private let state = Monitor(State())
  private let clock: any TimeSource

  /// Creates a watcher without files. Without inotify, `wait` polls the files.
  package init(clock: any TimeSource = SystemClock()) {
    self.clock = clock
    file = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    bell = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
  }

  deinit { for it in [file, bell] where it >= 0 { close(it) } }

  /// Sets the watched files, whether they exist or not.
  ///
  /// Files are compared with their state at the time of reading instead of the current state. A
  /// build may take long, and changes during the build must be detected.
  package func watch(_ inputs: InputFiles) {
    // A newly created file is closed after writing.
    let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB)
    let wanted = Set(inputs.folders)
    state.update { state in
      state.inputs = inputs
      state.isOutdated = false
      for (handle, folder) in state.folders where !wanted.contains(folder) {
        inotify_rm_watch(file, handle)
        state.folders[handle] = nil
      }
      for folder in wanted where !state.folders.values.contains(folder) {
        let handle = Files.watch(file, in: folder, events: events)
        if handle >= 0 { state.folders[handle] = folder }
      }
    }
    // A change between reading and the start of the watch causes no event.
    if hasChanged { wake() }
  }

  /// Takes the current state of the files as the reference, before they are read again.
  package func renew() {
    drain()
    state.update { state in
      state.inputs = state.inputs.renewed
      (state.lastLook, state.isOutdated) = (nil, false)
    }
  }

  /// Whether any watched file has changed since it was read.
  package var hasChanged: Bool { state.update { $0.inputs.haveChanged } }

  /// The watched files that have changed since they were read.
  package var changed: [String] { state.update { $0.inputs.changed } }

  /// Whether any watched file has changed since it was read, for frequent polling. Files are
  /// compared at most every five milliseconds, and the result stays `true` until the files are read
  /// again.
  package var isOutdated: Bool {
    state.update { state in
      let now = clock.now
      if state.isOutdated { return true }
      if let last = state.lastLook, now - last < .milliseconds(5) { return false }
      state.lastLook = now
      state.isOutdated = state.inputs.haveChanged
      return state.isOutdated
    }
  }

  /// The number of watched files.
  package var count: Int { state.update { $0.inputs.count } }

  /// Blocks until a file has changed; returns `false` when told to stop.
  ///
  /// A file that was closed or moved into place is complete, so the function returns immediately. A
  /// missing file is about to reappear if an editor saves by renaming, and a file that changed
  /// without an event may still be written. In both cases the function waits until nothing has
  /// happened for 60 ms.
  ///
  /// Pass `isKnown` if a change has been detected already. It counts even if the file is restored
  /// in the meantime.
  package func wait(isKnown: Bool = false, until isStopped: () -> Bool) -> Bool {
    var isEvent = pause(milliseconds: 0)
    while !isStopped() {
      if isKnown || hasChanged {
        if !isEvent || state.update({ $0.inputs.someAreMissing }) {
          while pause(milliseconds: 60), !isStopped() {}
        }
        return !isStopped()
      }
      isEvent = pause(milliseconds: 300)
    }
    return false
  }

  /// Blocks until an event, a wake-up or the timeout. Returns `false` after the timeout.
  @discardableResult
  package func pause(milliseconds: Int32) -> Bool {
    let happened = Files.hasInput([file, bell], within: milliseconds)
    if happened { drain() }
    return happened
  }

  /// Wakes a waiting thread.
  package func wake() { _ = Files.write(bell, [1] + [UInt8](repeating: 0, count: 7)) }

  /// The descriptors that become readable after an event, for callers that wait for other
  /// descriptors, too.
  package var events: [Int32] { [file, bell].filter { $0 >= 0 } }

  /// Discards all pending events.
  package func drain() {
    _ = Files.next(bell, upTo: 8)
    while file >= 0, let events = Files.next(file, upTo: 4096), !events.isEmpty {}
  }
}
