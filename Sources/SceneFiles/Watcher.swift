// SPDX-License-Identifier: MIT
import CLinux
package import SceneSystem

/// Notices changes of files, by their folders, so that saving by renaming is seen too.
package final class Watcher: Sendable {
  private struct State {
    var folders: [Int32: String] = [:]
    var inputs = InputFiles()
    /// When the files were last compared, by whoever asks all the time, and the answer.
    var lastLook: ContinuousClock.Instant?
    var isOutdated = false
  }

  private let file: Int32
  /// Read when somebody else has something for who waits.
  private let bell: Int32
  private let state = Monitor(State())
  private let clock: any TimeSource

  /// Without inotify, `wait` looks at the files from time to time.
  package init(clock: any TimeSource = SystemClock()) {
    self.clock = clock
    file = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    bell = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
  }

  deinit { for it in [file, bell] where it >= 0 { close(it) } }

  /// Looks after these files from now on, whether they are there or not.
  ///
  /// They are compared with what they were when they were read, not with what they are now: a build
  /// may take long, and what changes meanwhile must be seen.
  package func watch(_ inputs: InputFiles) {
    // A file that is created is closed after it is written.
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
        let handle = Files.watch(file, folder, events)
        if handle >= 0 { state.folders[handle] = folder }
      }
    }
  }

  /// Takes the files to be what they are now: they are read again right after this.
  package func renew() {
    drain()
    state.update { state in
      state.inputs = state.inputs.renewed
      (state.lastLook, state.isOutdated) = (nil, false)
    }
  }

  /// Whether a watched file is no longer what it was when it was read.
  package var hasChanged: Bool { state.update { $0.inputs.haveChanged } }

  /// The watched files that are no longer what they were.
  package var changed: [String] { state.update { $0.inputs.changed } }

  /// The same for who asks all the time: the files are compared every five milliseconds at most, and what
  /// is outdated remains so until the files are read again.
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

  /// How many files are watched.
  package var count: Int { state.update { $0.inputs.count } }

  /// Waits until a file has changed; `false` when told to stop.
  ///
  /// A file that was closed or moved here is whole, and this returns at once. One that is missing is
  /// about to come back where an editor saves by renaming, and one whose change came without an event
  /// may still be written: these get until nothing has happened for 60 ms.
  ///
  /// Pass `isKnown` if a change has been seen already. It counts even if the file is restored meanwhile.
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

  /// Waits for an event, the bell or the time; whether there was one of the first two.
  @discardableResult
  package func pause(milliseconds: Int32) -> Bool {
    let happened = Files.hasInput([file, bell], within: milliseconds)
    if happened { drain() }
    return happened
  }

  /// Ends a pause of another thread.
  package func wake() { _ = Files.write(bell, [1] + [UInt8](repeating: 0, count: 7)) }

  /// What can be read when something happened, for those who wait for other files too.
  package var events: Int32 { file }

  /// Forgets what happened.
  package func drain() {
    _ = Files.next(bell, upTo: 8)
    while file >= 0, let events = Files.next(file, upTo: 4096), !events.isEmpty {}
  }
}
