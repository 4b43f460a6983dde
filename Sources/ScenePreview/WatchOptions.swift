// SPDX-License-Identifier: MIT
import SceneCLI
import SceneSystem

/// What a call of `watch` says of the preview.
struct WatchOptions {
  /// The port that was asked for; 0 for any.
  let port: Int?
  let opensBrowser: Bool
  let isReadOnly: Bool
  let hasPreview: Bool
  let hasVideo: Bool
  /// The command that opens a place in an editor, in parts.
  let editor: [String]?
  /// Names of the port as seen from elsewhere.
  let otherHosts: [String]
  /// The editor that started it, at the other end of the standard input.
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
