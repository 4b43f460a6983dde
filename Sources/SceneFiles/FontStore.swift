// SPDX-License-Identifier: MIT

/// Where the font files of scenes go: what draws text knows them from then on.
package protocol FontStore: AnyObject, Sendable {
  /// The family of a font file that was added before.
  func family(of bytes: [UInt8]) -> String?

  /// Makes the face of a font file a family of its own, called as the file is. Answers the name;
  /// `nil` when the file is no font.
  func add(_ bytes: [UInt8], called name: String) -> String?
}
