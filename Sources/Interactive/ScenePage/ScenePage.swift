// SPDX-License-Identifier: MIT
import CResources
import SceneResources

/// The files of the preview page, from the folder `page`.
package enum ScenePage {
  /// A file with its media type.
  package struct File: Sendable {
    package let bytes: [UInt8]
    package let type: String
  }

  /// The name of the main document. The server replaces `{{build}}` with its build identifier and
  /// `{{modules}}` with links to all modules.
  package static let index = "index.html"

  /// The files by name. The server serves no other files.
  package static let files: [String: File] = Dictionary(
    uniqueKeysWithValues: scene_page.names.map { name in
      (name, File(bytes: scene_page[name] ?? [], type: type(of: name)))
    })

  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    default: "application/octet-stream"
    }
  }
}
