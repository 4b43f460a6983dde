// SPDX-License-Identifier: MIT
import CLinux
import SceneCLI
import SceneFiles
import SceneSession
import SceneSystem
import Synchronization

/// Notices changes of files, by their folders, so that saving by renaming is seen too.
final class Watcher: Sendable {
  private struct State {
    var folders: [Int32: String] = [:]
    var inputs = InputFiles()
    /// When the files were last compared, by whoever asks all the time.
    var lastLook: ContinuousClock.Instant?
  }

  private let file: Int32
  private let state = Mutex(State())

  /// Without inotify, `wait` looks at the files from time to time.
  init() { file = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }

  deinit { if file >= 0 { close(file) } }

  /// Looks after these files from now on, whether they are there or not.
  ///
  /// They are compared with what they were when they were read, not with what they are now: a build
  /// may take long, and what changes meanwhile must be seen.
  func watch(_ inputs: InputFiles) {
    // A file that is created is closed after it is written.
    let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB)
    let wanted = Set(inputs.folders)
    state.withLock { state in
      state.inputs = inputs
      for (handle, folder) in state.folders where !wanted.contains(folder) {
        inotify_rm_watch(file, handle)
        state.folders[handle] = nil
      }
      for folder in wanted where !state.folders.values.contains(folder) {
        let handle = unsafe inotify_add_watch(file, folder, events)
        if handle >= 0 { state.folders[handle] = folder }
      }
    }
  }

  /// Whether a watched file is no longer what it was when it was read.
  var hasChanged: Bool { state.withLock { $0.inputs.haveChanged } }

  /// The same for who asks all the time: the files are compared every five milliseconds at most.
  var isOutdated: Bool {
    state.withLock { state in
      let now = ContinuousClock.now
      if let last = state.lastLook, now - last < .milliseconds(5) { return false }
      state.lastLook = now
      return state.inputs.haveChanged
    }
  }

  /// How many files are watched.
  var count: Int { state.withLock { $0.inputs.count } }

  /// Waits until a file has changed; `false` when told to stop.
  ///
  /// A file that was closed or moved here is whole, and this returns at once. One that is missing is
  /// about to come back where an editor saves by renaming, and one whose change came without an event
  /// may still be written: these get until nothing has happened for 60 ms.
  func wait(until isStopped: () -> Bool) -> Bool {
    var isEvent = false
    while !isStopped() {
      if hasChanged {
        if !isEvent || state.withLock({ $0.inputs.someAreMissing }) {
          while pause(milliseconds: 60), !isStopped() {}
        }
        return !isStopped()
      }
      isEvent = pause(milliseconds: 300)
    }
    return false
  }

  /// Waits for an event or the time; whether there was one.
  @discardableResult
  private func pause(milliseconds: Int32) -> Bool {
    if file < 0 {
      usleep(UInt32(milliseconds) * 1000)
      return false
    }
    var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    let happened = unsafe poll(&request, 1, milliseconds) > 0
    if happened { drain() }
    return happened
  }

  private func drain() {
    guard file >= 0 else { return }
    while let events = Files.next(file, upTo: 4096), !events.isEmpty {}
  }
}

/// `scenec watch`: builds again on every change until it is interrupted.
func watch(_ call: Invocation, _ console: Console, _ interruption: Interruption) -> ExitCode {
  guard call.operands.count == 1, let path = call.operands.first, path != "-" else {
    console.error("name one file: scenec watch intro.scene", help: "see 'scenec help watch'")
    return .callWrong
  }
  var reader = OptionReader(call)
  let load = LoadOptions(&reader)
  let options = BuildOptions(&reader)
  if options.outputs.contains(where: { $0.path == "-" }) {
    reader.report("'watch' writes a file, not a pipe")
  }
  if load.data != nil, load.row == nil { reader.report("'watch' makes one video: add --row 1") }
  do { try console.accept(reader, load, [path]) } catch { return error.code }
  let watcher = Watcher()
  watcher.watch(InputFiles([path]))
  let session = Session(load)
  let store = PacketStore.open(load.store, console)
  while interruption.caught == 0 {
    let started = ContinuousClock.now
    let outcome: ExitCode
    do {
      let check = try load.requests(for: path)[0].check
      let builder = Builder(
        options, console, interruption, store: store, isOutdated: { watcher.isOutdated },
        hasRead: { watcher.watch($0.adding(load.data)) })
      outcome = builder.build(path, session, check)
    } catch {
      outcome = console.report(error)
      watcher.watch(InputFiles([path] + [load.data].compactMap { $0 }))
    }
    if outcome == .callWrong { return .callWrong }
    if interruption.caught != 0 { break }
    let counts = store?.takeCounts()
    if !watcher.hasChanged {
      if outcome == .done, let counts { console.note(counts) }
      let seconds = (ContinuousClock.now - started) / .seconds(1)
      let tenths = Int((seconds * 10).rounded())
      let result = outcome == .done ? "built in \(tenths / 10).\(tenths % 10) s" : "not built"
      let files = watcher.count == 1 ? "1 file" : "\(watcher.count) files"
      console.note("\(result); waiting for changes of \(files) (Ctrl-C ends)")
    }
    guard watcher.wait(until: { interruption.caught != 0 }) else { break }
  }
  return .interrupted
}
