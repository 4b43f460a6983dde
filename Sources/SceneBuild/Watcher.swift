// SPDX-License-Identifier: MIT
import CLinux
import SceneCLI
import SceneRaster

/// Notices changes of files, by their folders, so that saving by renaming is seen too.
@safe final class Watcher {
  private let file: Int32
  private var folders: [Int32: String] = [:]
  private var names: Set<String> = []
  private var states: [String: FileState] = [:]

  /// What tells one content from another without reading it.
  private struct FileState: Equatable {
    let device: UInt
    let inode: UInt
    let size: Int
    let seconds: Int
    let nanoseconds: Int
  }

  /// Without inotify, `wait` looks at the files from time to time.
  init() { file = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }

  deinit { if file >= 0 { close(file) } }

  /// Looks after these files from now on, whether they are there or not.
  func watch(_ paths: [String]) {
    names = Set(paths)
    states = Dictionary(uniqueKeysWithValues: names.map { ($0, Watcher.state($0)) })
      .compactMapValues { $0 }
    let wanted = Set(paths.map(Watcher.folder))
    for (handle, folder) in folders where !wanted.contains(folder) {
      inotify_rm_watch(file, handle)
      folders[handle] = nil
    }
    let events = UInt32(
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ATTRIB)
    for folder in wanted where !folders.values.contains(folder) {
      let handle = unsafe inotify_add_watch(file, folder, events)
      if handle >= 0 { folders[handle] = folder }
    }
  }

  private static func folder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func state(_ path: String) -> FileState? {
    var info = CLinux.stat()
    guard unsafe scene_status(path, &info) == 0 else { return nil }
    return FileState(
      device: UInt(info.st_dev), inode: UInt(info.st_ino), size: Int(info.st_size),
      seconds: Int(info.st_mtim.tv_sec), nanoseconds: Int(info.st_mtim.tv_nsec))
  }

  /// Whether a watched file is no longer what it was.
  var hasChanged: Bool { names.contains { Watcher.state($0) != states[$0] } }

  /// Waits until a file has changed and then for 60 ms of silence; `false` when told to stop.
  func wait(until isStopped: () -> Bool) -> Bool {
    while true {
      if isStopped() { return false }
      if hasChanged { break }
      pause(milliseconds: 300)
    }
    repeat { drain() } while pause(milliseconds: 60) && !isStopped()
    return !isStopped()
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
    var buffer = [UInt8](repeating: 0, count: 4096)
    while unsafe buffer.withUnsafeMutableBytes({
      unsafe read(file, $0.baseAddress, $0.count)
    }) > 0 {}
  }
}

/// `scenec watch`: builds again on every change until it is interrupted.
func watch(_ call: Invocation, _ console: Console, _ interruption: Interruption) -> ExitCode {
  guard call.operands.count == 1, let path = call.operands.first, path != "-" else {
    console.error("name one file: scenec watch intro.scene", help: "see 'scenec help watch'")
    return .callWrong
  }
  guard call.value("output") != "-" else {
    console.error("'watch' writes a file, not a pipe")
    return .callWrong
  }
  let watcher = Watcher()
  var paths = [path]
  watcher.watch(paths)
  while interruption.caught == 0 {
    let started = ContinuousClock.now
    let builder = Builder(call, console, interruption, isOutdated: { watcher.hasChanged })
    let outcome = builder.build(path)
    if outcome.code == .callWrong { return .callWrong }
    if interruption.caught != 0 { break }
    // A file that is gone for a moment keeps the list of the last build.
    if !outcome.paths.isEmpty || outcome.code == .done { paths = [path] + outcome.paths }
    let changedMeanwhile = watcher.hasChanged
    if !changedMeanwhile {
      let seconds = (ContinuousClock.now - started) / .seconds(1)
      let tenths = Int((seconds * 10).rounded())
      let result = outcome.code == .done ? "built in \(tenths / 10).\(tenths % 10) s" : "not built"
      let files = paths.count == 1 ? "1 file" : "\(paths.count) files"
      console.note("\(result); waiting for changes of \(files) (Ctrl-C ends)")
      watcher.watch(paths)
    }
    guard watcher.wait(until: { interruption.caught != 0 }) else { break }
    watcher.watch(paths)
  }
  return .interrupted
}
