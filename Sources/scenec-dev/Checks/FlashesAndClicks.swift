// SPDX-License-Identifier: MIT
import Foundation

/// A folder of its own for scenes whose flashes each come with a click, by which sound and pictures are measured.
enum FlashesAndClicks {
  /// Calls `body` with the path of a folder that holds `click.wav`, one loud sample; the folder is removed after.
  static func inFolder(_ name: String, _ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "/scenec-\(name)-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try Child.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
        "aevalsrc='0.9*eq(n\\,0)|0.9*eq(n\\,0)':s=48000:d=0.1", "click.wav",
      ], in: folder)
    try body(folder)
  }

  /// The elements of a scene of 64x64: one frame of white with the click at each of these seconds.
  static func elements(at seconds: [Double]) -> String {
    seconds.map {
      "rect { size: 64x64;  fill: white;  at: \($0)s;  for: 1f }\n  audio \"click.wav\" { at: \($0)s }"
    }.joined(separator: "\n  ")
  }
}
