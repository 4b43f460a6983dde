// SPDX-License-Identifier: MIT

/// The registry for the font files of scenes, which makes them available to the text renderer.
package protocol FontStore: AnyObject, Sendable {
  /// Returns the family of a font file that was added before; `nil` for other files.
  func family(of bytes: [UInt8]) -> String?

  /// Adds the faces of a font file as a family named after the file. Returns the family name; `nil`
  /// if the file is not a font.
  func add(_ bytes: [UInt8], called name: String) -> String?
}
