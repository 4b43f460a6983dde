// SPDX-License-Identifier: MIT
import FoundationEssentials

/// The file `goldens.json`: the hashes of stored images, by their names.
package struct GoldenIndex: Codable {
  /// The stored facts about an image.
  package struct Entry: Codable {
    /// The SHA-256 of the pixels, straight RGBA without padding.
    package let pixels: String
    /// The SHA-256 of the PNG file.
    package let file: String
    /// The SHA-256 of the frame program.
    package let program: String
    package let width: Int
    package let height: Int
    package let scenec: String

    package init(
      pixels: String, file: String, program: String, width: Int, height: Int
    ) {
      self.pixels = pixels
      self.file = file
      self.program = program
      self.width = width
      self.height = height
      scenec = version
    }
  }

  private static let schema = "scenec/goldens/1"
  private var schema = GoldenIndex.schema
  package var frames: [String: Entry] = [:]

  package init() {}

  /// Reads the content of a file; `nil` if it is invalid.
  package init?(_ bytes: [UInt8]) {
    guard let index = try? JSONDecoder().decode(GoldenIndex.self, from: Data(bytes)),
      index.schema == GoldenIndex.schema, index.frames.keys.allSatisfy(GoldenIndex.isName)
    else { return nil }
    self = index
  }

  /// Returns whether a key can be the name of a stored image, not a path to another folder.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.first != UInt8(ascii: ".")
      && name.unicodeScalars.allSatisfy {
        switch $0 {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "~", "+", "-": true
        default: false
        }
      }
  }
}
