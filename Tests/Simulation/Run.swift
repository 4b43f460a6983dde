// SPDX-License-Identifier: MIT
import CLinux
import SceneSystem
import Synchronization

/// One simulated run: the scheduler of its seed, a folder, and the tools of the scenarios.
// Safe: only the thread that holds the baton of the scheduler accesses the state.
final class Run: @unchecked Sendable {
  let scheduler: SeededScheduler
  let scenario: String
  /// A folder that exists during the run and is empty at its start.
  let folder: String
  var random: SplitMix
  private var log: [String] = []

  init(_ scenario: Scenario, seed: UInt64, in base: String, isTraced: Bool) {
    self.scenario = scenario.rawValue
    folder = "\(base)/\(scenario.rawValue)-\(seed)"
    random = SplitMix(seed: seed &* 31 &+ 7)
    // Its run is set below, when `self` can report.
    let reporter = Reporter()
    scheduler = SeededScheduler(seed: seed) { reporter.fail($0) }
    scheduler.isTraced = isTraced
    reporter.run = self
  }

  /// A reporter for the scheduler, which is created before its run.
  // Safe: assigned once, before threads start.
  private final class Reporter: @unchecked Sendable {
    unowned(safe) var run: Run?

    func fail(_ message: String) -> Never { run?.fail(message) ?? exit(1) }
  }

  /// Adds an event to the log, which is printed on failure.
  func note(_ event: @autoclosure () -> String) {
    log.append("\(scheduler.time / .milliseconds(1)) ms: \(event())")
    if scheduler.isTraced { print(log.last ?? "") }
  }

  func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { fail(message()) }
  }

  /// Prints the seed, the events and the command for another run, and ends the process.
  func fail(_ message: String) -> Never {
    Simulation.use(nil)
    print("\(scenario), seed \(scheduler.seed): \(message)")
    for line in log.suffix(60) { print("  \(line)") }
    print("Threads:\n\(scheduler.report)")
    print("To run it again: scenec-simulate \(scenario) \(scheduler.seed)")
    _ = fflush(nil)
    Run.remove(folder)
    exit(1)
  }

  // MARK: Threads and time

  /// Starts a simulated thread.
  func thread(_ name: String, _ body: @escaping @Sendable () -> Void) -> WorkerThread {
    let thread = WorkerThread { [self] in
      scheduler.name(name)
      body()
    }
    guard let thread else { fail("no thread") }
    return thread
  }

  /// Sleeps for up to `milliseconds`; short times are as likely as long ones.
  func rest(upTo milliseconds: Int) {
    let longest = random.pick([1, milliseconds / 20, milliseconds / 4, milliseconds])
    scheduler.sleep(for: .microseconds(random.int(0...max(1, longest) * 1000)))
  }

  /// Sleeps long enough for everything that has started, and for all timers.
  func settle() { scheduler.sleep(for: .seconds(30)) }

  // MARK: Files

  /// The ways in which editors save a file.
  enum SaveStyle: CaseIterable { case overwrite, rename, pieces, backup, exchange }

  func save(_ path: String, _ text: String, as style: SaveStyle) {
    note("saves \(path.split(separator: "/").last ?? "") (\(style)): \(text.prefix(200))")
    let bytes = Array(text.utf8)
    switch style {
    case .overwrite: write(path, bytes)
    case .pieces:
      let isSame = read(path) == bytes
      let file = Files.open(path, O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o644)
      _ = Files.write(file, Array(bytes[..<(bytes.count / 2)]))
      rest(upTo: 20)
      _ = Files.write(file, Array(bytes[(bytes.count / 2)...]))
      if isSame { advanceTime(of: file) }
      close(file)
    case .rename:
      write(path + "~", bytes)
      Files.rename(path + "~", path)
    case .backup:
      Files.rename(path, path + "~")
      rest(upTo: 30)
      write(path, bytes)
    case .exchange:
      write(path + ".new", bytes)
      _ = Files.exchange(path + ".new", path)
      Files.remove(path + ".new")
    }
  }

  func write(_ path: String, _ bytes: [UInt8]) {
    let isSame = read(path) == bytes
    let file = Files.open(path, O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o644)
    expect(file >= 0 && Files.write(file, bytes) == 0, "cannot write \(path)")
    if isSame { advanceTime(of: file) }
    close(file)
  }

  /// Moves the modification time of a file that was saved with the same text. The clock of the file
  /// system advances between two saves of a person.
  private func advanceTime(of file: Int32) {
    guard let status = FileStatus(file: file) else { return }
    let later = timespec(tv_sec: status.written.0 + 1, tv_nsec: status.written.1)
    _ = unsafe [later, later].withUnsafeBufferPointer { unsafe futimens(file, $0.baseAddress) }
  }

  func read(_ path: String) -> [UInt8]? {
    let file = Files.open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return Files.head(of: file, count: FileStatus(file: file)?.size ?? 0)
  }

  /// Removes a folder and its contents.
  static func remove(_ folder: String) {
    for name in Files.names(in: folder) where !Files.remove("\(folder)/\(name)") {
      remove("\(folder)/\(name)")
    }
    Files.removeFolder(folder)
  }
}
