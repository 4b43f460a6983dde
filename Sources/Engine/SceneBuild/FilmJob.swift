// SPDX-License-Identifier: MIT
package import SceneCheck
import SceneDiagnostics
package import SceneOutput
package import SceneSession
import SceneStore
package import SceneSystem
import SceneText
import Synchronization

/// A single background build of a video by the rules of `build`.
package struct FilmJob: Sendable {
  /// The result of the job.
  package enum Outcome: Sendable {
    case done([BuiltFile])
    case stopped
    /// The error message that `build` would print.
    case failed(String)
  }

  private let path: String
  private let load: LoadOptions
  private let options: BuildOptions
  private let interruption: Interruption
  private let clock: any TimeSource

  package init(
    _ path: String, load: LoadOptions, options: BuildOptions, interruption: Interruption,
    clock: any TimeSource = SystemClock()
  ) {
    self.clock = clock
    self.path = path
    self.load = load
    self.options = options
    self.interruption = interruption
  }

  /// Runs the build. `isStopped` is polled between frames; `hasDrawn` receives the number of
  /// finished frames and the total.
  package func run(
    _ check: CheckOptions, isStopped: @escaping @Sendable () -> Bool,
    hasDrawn: @escaping (Int, Int) -> Void
  ) -> Outcome {
    let reporter = FirstError()
    var made: [BuiltFile] = []
    var follower = BuildFollower()
    follower.isOutdated = isStopped
    follower.hasDrawn = hasDrawn
    follower.hasMade = { made = $0 }
    let outcome = Builder(
      options, reporter: reporter, interruption: interruption,
      store: PacketStore.open(load.store, reporter), follower: follower,
      clock: clock
    ).build(path, in: Session(load), check: check)
    switch outcome {
    case .done: return .done(made)
    case .interrupted: return .stopped
    default: return .failed(reporter.text ?? "the video cannot be created")
    }
  }
}

/// Keeps the first line of the first reported error.
private final class FirstError: BuildReporter {
  private let kept = Mutex<String?>(nil)

  var text: String? { kept.withLock { $0 } }

  private func keep(_ line: String) { kept.withLock { if $0 == nil { $0 = line } } }

  func show(_ diagnostics: [Diagnostic], _ sources: [SourceFile]) {
    guard let first = diagnostics.first(where: { $0.severity == .error }) else { return }
    let lines = DiagnosticPrinter(files: sources, colored: false).print([first])
      .split(separator: "\n")
    keep(lines.first.map(String.init) ?? first.message)
  }

  func error(_ message: String, help: String?) { keep("error: \(visible(message))") }

  func refuse(_ message: String) { error(message, help: nil) }

  func note(_ message: String) {}

  func result(_ path: String) {}
}
