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
    "cards.scene": PackageResources.cards_scene,
    "charts.scene": PackageResources.charts_scene,
    "easings.scene": PackageResources.easings_scene,
    "effects.scene": PackageResources.effects_scene,
    "frames.scene": PackageResources.frames_scene,
    "gl-transitions.scene": PackageResources.gl_transitions_scene,
    "maps.scene": PackageResources.maps_scene,
    "particles.scene": PackageResources.particles_scene,
    "plot.scene": PackageResources.plot_scene,
    "sound.scene": PackageResources.sound_scene,
    "themes.scene": PackageResources.themes_scene,
    "titles.scene": PackageResources.titles_scene,
    "transitions.scene": PackageResources.transitions_scene,
  ]
}

/// The manual, as it lies in `Grammar/manual`: pages under headings such as "## `rect`", and the
/// recipes of `Examples/cookbook`, which `scenec-dev cookbook` copies there.
package enum Manual {
  /// One page, with the file it is in.
  package struct Page: Sendable {
    package let chapter: String
    package let word: String
    package let text: String

    /// What people call it elsewhere; recipes say so in a line of their own.
    package var searchWords: [String] {
      text.split(separator: "\n").filter { $0.hasPrefix("Search words: ") }.flatMap { line in
        line.dropFirst(14).split(separator: ",").map { word in
          let word = word.split(separator: " ").joined(separator: " ")
          return word.hasSuffix(".") ? String(word.dropLast()) : word
        }
      }
    }
  }

  package static let pages: [Page] = {
    let files = [
      ("element", PackageResources.elements_md), ("property", PackageResources.properties_md),
      ("function", PackageResources.functions_md), ("type", PackageResources.types_md),
      ("easing", PackageResources.easings_md), ("word", PackageResources.words_md),
      ("program", PackageResources.coming_from_md), ("recipe", PackageResources.recipes_txt),
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
