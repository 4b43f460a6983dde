// SPDX-License-Identifier: MIT
import SceneCLI
import ScenePreview
import SceneSystem

/// The preview options of `scenec watch`.
struct WatchOptions {
  /// The requested port; 0 for any free port.
  let port: Int?
  let opensBrowser: Bool
  let isReadOnly: Bool
  let hasPreview: Bool
  let hasVideo: Bool
  /// The command that opens a location in an editor, with its arguments.
  let editor: [String]?
  /// The host names and ports under which the server is reachable from elsewhere.
  let otherHosts: [String]
  /// The editor that started the preview, connected to standard input.
  let link: EditorLink?

  init(_ reader: inout OptionReader) {
    port = reader.count("port", in: 0...65_535)
    opensBrowser = reader.has("open")
    isReadOnly = reader.has("read-only")
    hasPreview = !reader.has("no-preview")
    hasVideo = !reader.has("no-video")
    let command = reader.text("editor") ?? OwnProcess.environment("SCENEC_EDITOR")
    editor = command.map { $0.split(separator: " ").map(String.init) }
    otherHosts = reader.all("also-host")
    link = reader.has("live") ? EditorLink() : nil
    if editor?.isEmpty == true { reader.report("'--editor' requires a command") }
    if !hasPreview, !hasVideo {
      reader.report("'--no-preview' and '--no-video' cannot be combined")
    }
  }
}
