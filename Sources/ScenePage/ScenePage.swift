// SPDX-License-Identifier: MIT

/// The page of the preview, as it lies in the folder `page`.
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
    uniqueKeysWithValues: contents.map { name, bytes in
      (name, File(bytes: bytes, type: type(of: name)))
    })

  private static let contents: [(String, [UInt8])] = [
    ("activity.js", PackageResources.activity_js),
    ("code.js", PackageResources.code_js),
    ("connection.js", PackageResources.connection_js),
    ("dom.js", PackageResources.dom_js),
    ("edits.js", PackageResources.edits_js),
    ("export.js", PackageResources.export_js),
    ("fields.js", PackageResources.fields_js),
    ("frames.js", PackageResources.frames_js),
    ("icon.svg", PackageResources.icon_svg),
    ("index.html", PackageResources.index_html),
    ("inspector.js", PackageResources.inspector_js),
    ("keys.js", PackageResources.keys_js),
    ("main.js", PackageResources.main_js),
    ("overlay.js", PackageResources.overlay_js),
    ("page.css", PackageResources.page_css),
    ("params.js", PackageResources.params_js),
    ("picture.js", PackageResources.picture_js),
    ("player.js", PackageResources.player_js),
    ("problems.js", PackageResources.problems_js),
    ("ring.js", PackageResources.ring_js),
    ("rows.js", PackageResources.rows_js),
    ("ruler.js", PackageResources.ruler_js),
    ("store.js", PackageResources.store_js),
    ("time.js", PackageResources.time_js),
    ("timeline.js", PackageResources.timeline_js),
    ("tree.js", PackageResources.tree_js),
  ]

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
