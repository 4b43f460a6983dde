// SPDX-License-Identifier: MIT
import CResources
import SceneResources

/// The page of the preview: the files of the folder `page`.
package enum ScenePage {
  /// A file of it, and what a browser is told that it is.
  package struct File: Sendable {
    package let bytes: [UInt8]
    package let type: String
  }

  /// The page itself. Where it says `{{build}}` the server puts the name of its build, and in the place of
  /// `{{modules}}` links to all of them.
  package static let index = "index.html"

  /// By name; nothing else is ever served.
  package static let files: [String: File] = Dictionary(
    uniqueKeysWithValues: scene_page.contents.map { name, bytes in
      (name, File(bytes: bytes, type: type(of: name)))
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
