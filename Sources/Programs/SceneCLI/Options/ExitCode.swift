// SPDX-License-Identifier: MIT

/// The exit status of the program.
package enum ExitCode: Int32, Sendable, CaseIterable {
  case done = 0
  case sceneWrong = 1
  case callWrong = 2
  case worldRefused = 3
  case checkFailed = 4
  case interrupted = 130

  /// The description for help and the manual page.
  package var meaning: String {
    switch self {
    case .done: "success"
    case .sceneWrong: "a scene has errors"
    case .callWrong: "the command line is invalid"
    case .worldRefused: "a file cannot be read or written"
    case .checkFailed: "an expectation does not hold, or the compared versions differ"
    case .interrupted: "interrupted by SIGINT; for other signals, 128 plus their number"
    }
  }
}
