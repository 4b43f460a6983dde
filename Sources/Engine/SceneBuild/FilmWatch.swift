// SPDX-License-Identifier: MIT
import SceneFiles
package import SceneOutput
package import SceneSession
package import SceneSystem

/// Rebuilds the video of a scene on every change until interrupted.
package struct FilmWatch {
  /// The state of the video.
  package enum State: String, Sendable { case building, done, failed }

  /// The progress of a build.
  package struct Report: Sendable {
    package let state: State
    /// The number of finished frames.
    package var frame = 0
    package var count = 0
    /// The first output file, once complete.
    package var file: BuiltFile?
    /// The estimated remaining time in seconds, or `nil` if unknown.
    package var left: Double?
  }

  private let path: String
  private let load: LoadOptions
  private let options: BuildOptions
  private let reporter: any BuildReporter
  private let interruption: Interruption
  private let watcher: Watcher
  private let clock: any TimeSource

  package init(
    _ path: String, load: LoadOptions, options: BuildOptions, reporter: any BuildReporter,
    interruption: Interruption, clock: any TimeSource = SystemClock()
  ) {
    self.clock = clock
    watcher = Watcher(clock: clock)
    self.path = path
    self.load = load
    self.options = options
    self.reporter = reporter
    self.interruption = interruption
  }

  /// Runs until interrupted. `pace` is called before each frame is rendered, `show` whenever the
  /// state changes.
  package func run(
    pace: @escaping @Sendable () -> Void = {}, show: @escaping (Report) -> Void = { _ in }
  ) -> BuildOutcome {
    watcher.watch(InputFiles([path]))
    let session = Session(load)
    let leftover = Leftover()
    defer { leftover.wait() }
    let store = PacketStore.open(load.store, reporter)
    while interruption.caught == 0 {
      let started = clock.now
      // The change that triggers a check must not make the check itself outdated.
      watcher.renew()
      show(Report(state: .building))
      var made: BuiltFile?
      let outcome = build(
        in: session, store: store, leftover: leftover, pace: pace, made: { made = $0.first },
        drawn: { done, count in
          let rate = Double(done) / max(1e-3, (clock.now - started) / .seconds(1))
          show(
            Report(
              state: .building, frame: done, count: count,
              left: rate > 0 ? Double(count - done) / rate : nil))
        })
      if outcome == .invalidRequest { return .invalidRequest }
      if interruption.caught != 0 { break }
      let counts = store?.takeCounts()
      let hasChanged = watcher.hasChanged
      if !hasChanged {
        // A file saved between `renew` and the load already had its new content when it was read.
        if outcome == .interrupted { continue }
        if outcome == .done, let counts { reporter.note(counts) }
        show(Report(state: outcome == .done ? .done : .failed, file: made))
        note(outcome, clock.now - started)
      }
      guard watcher.wait(isKnown: hasChanged, until: { interruption.caught != 0 }) else { break }
    }
    return .interrupted
  }

  private func build(
    in session: Session, store: PacketStore?, leftover: Leftover,
    pace: @escaping @Sendable () -> Void, made: @escaping ([BuiltFile]) -> Void,
    drawn: @escaping (Int, Int) -> Void
  ) -> BuildOutcome {
    let own = InputFiles([path] + [load.data].compactMap { $0 })
    do {
      let check = try load.requests(for: path)[0].check
      var follower = BuildFollower()
      follower.isOutdated = { [watcher] in watcher.isOutdated }
      follower.pace = pace
      follower.hasRead = {
        watcher.watch($0.adding(load.data))
        leftover.wait()
      }
      follower.hasDrawn = drawn
      follower.hasMade = made
      follower.leave = leftover.add
      return Builder(
        options, reporter: reporter, interruption: interruption, store: store, follower: follower,
        clock: clock
      )
      .build(path, in: session, check: check)
    } catch {
      watcher.watch(own)
      return reporter.report(error)
    }
  }

  private func note(_ outcome: BuildOutcome, _ time: Duration) {
    let tenths = Int((time / .milliseconds(100)).rounded())
    let result = outcome == .done ? "built in \(tenths / 10).\(tenths % 10) s" : "build failed"
    let files = watcher.count == 1 ? "1 file" : "\(watcher.count) files"
    reporter.note("\(result); watching \(files) (Ctrl-C to stop)")
  }
}

/// The threads of a cancelled build. Each thread ends with the frame that it renders or encodes,
/// while the new text is already being loaded. Rendering starts only after they have ended, so the
/// memory of two builds is never in use at once.
private final class Leftover {
  private var threads: [WorkerThread] = []

  func add(_ threads: [WorkerThread]) { self.threads += threads }

  func wait() {
    for thread in threads { thread.join() }
    threads = []
  }
}
