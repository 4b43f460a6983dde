// SPDX-License-Identifier: MIT
package import SceneOutput

extension Interruption {
  /// Returns the exit status of the process: 128 plus the number of the signal if one ended it, as
  /// shells expect.
  package func exitStatus(_ code: ExitCode) -> Int32 {
    code == .interrupted && caughtAtExit != 0 ? 128 + caughtAtExit : code.rawValue
  }
}
