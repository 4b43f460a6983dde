// SPDX-License-Identifier: MIT
import SceneBuild
package import SceneCLI
package import SceneDiagnostics
import SceneSession
package import SceneSystem
package import SceneText
import Synchronization

/// Prints the messages and the progress of builds.
package final class BuildConsole: BuildReporter {
  package let console: Console
  private let isStrict: Bool
  private let style: ProgressStyle
  private let clock: any TimeSource
  private let progress = Mutex<Progress?>(nil)

  /// If `isStrict`, warnings are printed in quiet mode as well.
  package init(
    _ console: Console, _ style: ProgressStyle, isStrict: Bool = false,
    clock: any TimeSource = SystemClock()
  ) {
    self.console = console
    self.clock = clock
    self.isStrict = isStrict
    self.style = style
  }

  package func show(_ diagnostics: [Diagnostic], _ sources: [SourceFile]) {
    console.show(diagnostics, sources, isStrict: isStrict)
  }

  package func error(_ message: String, help: String?) { console.error(message, help: help) }

  package func refuse(_ message: String) {
    _ = console.report(Invocation.Failure(message: message))
  }

  package func note(_ message: String) { console.note(message) }

  package func result(_ path: String) { console.result(path) }

  package func begin(frames total: Int) {
    progress.withLock {
      $0 = Progress(style, isQuiet: console.isQuiet, total: total, clock: clock)
    }
  }

  package func advance(to done: Int) { progress.withLock { $0?.show(done) } }

  package func endFrames() {
    progress.withLock {
      $0?.clear()
      $0 = nil
    }
  }
}

extension ExitCode {
  /// Creates the exit status of a command whose build had this outcome.
  init(_ outcome: BuildOutcome) {
    self =
      switch outcome {
      case .done: .done
      case .invalidScene: .sceneWrong
      case .invalidRequest: .callWrong
      case .failed: .worldRefused
      case .interrupted: .interrupted
      }
  }
}
