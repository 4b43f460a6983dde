// SPDX-License-Identifier: MIT
package import SceneDiagnostics
import SceneFiles
import SceneOutput
import SceneSession
package import SceneText

/// Receives the messages and the progress of builds. Commands print them; the preview shows them.
package protocol BuildReporter: Sendable {
  /// Reports the diagnostics of a scene.
  func show(_ diagnostics: [Diagnostic], _ sources: [SourceFile])

  /// Reports an error outside the scene, such as an unwritable folder.
  func error(_ message: String, help: String?)

  /// Reports an error in the request itself, such as an unknown output.
  func refuse(_ message: String)

  /// Reports additional information, such as the number of cached segments.
  func note(_ message: String)

  /// Reports the path of a complete output file.
  func result(_ path: String)

  /// Called before the first frame is rendered, with the number of all frames.
  func begin(frames total: Int)

  /// Called with the number of finished frames.
  func advance(to done: Int)

  /// Called once no more frames are rendered, even after an error.
  func endFrames()
}

extension BuildReporter {
  package func begin(frames total: Int) {}
  package func advance(to done: Int) {}
  package func endFrames() {}
}

/// The result of a build, from the best to the worst.
package enum BuildOutcome: Int, Comparable, Sendable {
  case done, invalidScene, invalidRequest, failed, interrupted

  package static func < (a: BuildOutcome, b: BuildOutcome) -> Bool { a.rawValue < b.rawValue }
}

/// An error that has already been reported and only ends the build.
struct ReportedBuildError: Error {
  let outcome: BuildOutcome
}

extension BuildReporter {
  /// Reports the error that ended a build and returns its outcome.
  func report(_ failure: any Error) -> BuildOutcome {
    switch failure {
    case let failure as ReportedBuildError: return failure.outcome
    case let failure as CallError:
      refuse(failure.message)
      return .invalidRequest
    case PlanError.call(let message):
      refuse(message)
      return .invalidRequest
    case let failure as FileError: error(failure.message, help: failure.help)
    default: error("\(failure)", help: nil)
    }
    return .failed
  }

  /// Reports the number of rendered segments if some came from the cache.
  package func note(_ counts: PacketStore.Counts) {
    for other in counts.others { note(other) }
    if let text = counts.text { note(text) }
  }
}
