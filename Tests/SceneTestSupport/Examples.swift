// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics

/// The small scenes of `Examples` that have no errors without their files.
package enum Examples {
  package struct Scene: Sendable {
    package let text: String
    /// Whether the check stays within the limits of `CheckOptions.brief`.
    package let isBrief: Bool
  }

  /// The scenes below 4000 bytes. They are checked only once for all suites.
  package static let small: [Scene] = Repository.files(in: "Examples", ending: ".scene")
    .compactMap { file in
      guard let text = try? Repository.text(file), text.utf8.count < 4000 else { return nil }
      let errors = checked(text, .brief).diagnostics.filter { $0.severity == .error }
      if errors.isEmpty { return Scene(text: text, isBrief: true) }
      guard errors.contains(where: { $0.code == .limitExceeded }),
        !checked(text).diagnostics.hasErrors
      else { return nil }
      return Scene(text: text, isBrief: false)
    }
}
