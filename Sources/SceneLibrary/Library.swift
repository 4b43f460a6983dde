// SPDX-License-Identifier: MIT

/// The files that a scene reaches by `std/…`, as they lie in the folder `std`.
package enum Library {
  /// The bytes of a file by its path below `std/`.
  package static func file(_ path: String) -> [UInt8]? { files[path] }

  package static var paths: [String] { files.keys.sorted() }

  /// The files whose names are known without an import; each sees the names of those before.
  package static let prelude = ["transitions.scene", "effects.scene"]

  private static let files: [String: [UInt8]] = [
    "callouts.scene": PackageResources.callouts_scene,
    "charts.scene": PackageResources.charts_scene,
    "easings.scene": PackageResources.easings_scene,
    "effects.scene": PackageResources.effects_scene,
    "frames.scene": PackageResources.frames_scene,
    "particles.scene": PackageResources.particles_scene,
    "titles.scene": PackageResources.titles_scene,
    "transitions.scene": PackageResources.transitions_scene,
  ]
}

/// The manual, as it lies in `Grammar/manual`: pages under headings such as "## `rect`".
package enum Manual {
  /// One page, with the file it is in.
  package struct Page: Sendable {
    package let chapter: String
    package let word: String
    package let text: String
  }

  package static let pages: [Page] = {
    let files = [
      ("element", PackageResources.elements_md), ("property", PackageResources.properties_md),
      ("function", PackageResources.functions_md), ("type", PackageResources.types_md),
      ("easing", PackageResources.easings_md), ("word", PackageResources.words_md),
    ]
    return files.flatMap { chapter, bytes in
      String(decoding: bytes, as: UTF8.self).split(separator: "\n## `").dropFirst().map { part in
        let word = part.prefix { $0 != "`" }
        return Page(
          chapter: chapter, word: String(word), text: String(part.dropFirst(word.count + 1)))
      }
    }
  }()
}
