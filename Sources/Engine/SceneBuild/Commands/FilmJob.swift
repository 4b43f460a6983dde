// SPDX-License-Identifier: MIT
package import SceneCLI
package import SceneCheck
package import SceneSession
import SceneStore
package import SceneSystem

/// A single background build of a video by the rules of `build`.
package struct FilmJob: Sendable {
  /// The result of the job.
  package enum Outcome: Sendable {
    case done([String])
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
    _ path: String, _ load: LoadOptions, _ options: BuildOptions, _ interruption: Interruption,
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
    let said = ConsoleText()
    let console = Console(color: "never", isQuiet: true).writing(to: said)
    var made: [String] = []
    let follower = BuildFollower(
      isOutdated: isStopped, hasDrawn: hasDrawn, hasMade: { made = $0 })
    let code = Builder(
      options, console, interruption, store: PacketStore.open(load.store, console), follower,
      clock: clock
    ).build(path, Session(load), check)
    switch code {
    case .done: return .done(made)
    case .interrupted: return .stopped
    default:
      let lines = said.text.split(separator: "\n")
      let first = lines.first { $0.hasPrefix("error") } ?? lines.first
      return .failed(first.map(String.init) ?? "the video cannot be created")
    }
  }
}
