// SPDX-License-Identifier: MIT
import CResources
import SceneResources

/// The library files that a scene imports as `std/…`, from the folder `std`.
package enum Library {
  /// Returns the bytes of a file by its path below `std/`; `nil` if there is none.
  package static func file(_ path: String) -> [UInt8]? { scene_std[path] }

  package static var paths: [String] { scene_std.names.sorted() }

  /// The files whose names are visible without an import; each file sees the names of the preceding
  /// ones.
  package static let prelude = ["transitions.scene", "effects.scene"]
}

/// The manual from `Grammar/manual`: pages with headings such as "## `rect`", and the recipes of
/// `Examples/cookbook`, which `scenec-dev cookbook` copies there.
package enum Manual {
  /// A page, with the file that contains it.
  package struct Page: Sendable {
    package let chapter: String
    package let word: String
    package let text: String

    /// The search words of the page, which recipes list on a line of their own.
    package var searchWords: [String] { Manual.searchWords(in: text) }
  }

  /// Returns the words of the lines that begin with "Search words: ".
  package static func searchWords(in text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("Search words: ") }.flatMap { line in
      line.dropFirst(14).split(separator: ",").map { word in
        let word = word.split(separator: " ").joined(separator: " ")
        return word.hasSuffix(".") ? String(word.dropLast()) : word
      }
    }
  }

  /// A file of the manual, with the pages of one chapter.
  package struct File: Sendable {
    /// The file name without its extension, such as `coming-from`.
    package let name: String
    /// The first paragraph.
    package let introduction: String
    package let pages: [Page]
  }

  package static let files: [File] = {
    let chapters = [
      ("element", "elements.md"), ("property", "properties.md"), ("function", "functions.md"),
      ("type", "types.md"), ("easing", "easings.md"), ("word", "words.md"),
      ("topic", "topics.md"), ("program", "coming-from.md"), ("recipe", "recipes.txt"),
    ]
    return chapters.map { chapter, file in
      let text = String(decoding: scene_manual[file] ?? [], as: UTF8.self)
      let parts = text.split(separator: "\n## `")
      let introduction = parts.first?.split(separator: "\n").dropFirst().first ?? ""
      let pages = parts.dropFirst().map { part in
        let word = part.prefix { $0 != "`" }
        return Page(
          chapter: chapter, word: String(word), text: String(part.dropFirst(word.count + 1)))
      }
      return File(
        name: String(file.prefix { $0 != "." }), introduction: String(introduction), pages: pages)
    }
  }()

  package static let pages: [Page] = files.flatMap(\.pages)
}

/// The JSON Schemas in `Grammar/schemas`.
package enum Schemas {
  /// Returns the text of a schema by its name, such as `check`; `nil` if there is none.
  package static func text(_ name: String) -> String? {
    scene_schemas["\(name).json"].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names of the schemas, sorted alphabetically.
  package static var names: [String] { scene_schemas.names.map { String($0.dropLast(5)) }.sorted() }
}
