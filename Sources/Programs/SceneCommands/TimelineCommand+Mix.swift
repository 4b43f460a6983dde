// SPDX-License-Identifier: MIT
import SceneBuild
import SceneCLI
import SceneOutput

/// Runs `scenec timeline`, with the levels of the mixed audio.
func timeline(_ call: Invocation, console: Console, interruption: Interruption) -> ExitCode {
  do {
    return try TimelineCommand(call: call, console: console) {
      try measureMix(of: $0, $1, parts: $2) {
        if interruption.caught != 0 { throw ReportedError(code: .interrupted) }
      }
    }.run()
  } catch {
    return console.report(error)
  }
}
