// SPDX-License-Identifier: MIT
import Foundation

/// A temporary folder for scenes with synchronized flashes and clicks, from which the offset of
/// audio and video is measured.
enum FlashesAndClicks {
  /// Calls `body` with the path of a folder that contains `click.wav`, one loud sample, and removes
  /// the folder afterward.
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

  /// Returns the elements of a 64x64 scene with a white frame and a click at each of the given
  /// times.
  static func elements(at seconds: [Double]) -> String {
    seconds.map {
      "rect { size: 64x64;  fill: white;  at: \($0)s;  for: 1f }\n  audio \"click.wav\" { at: \($0)s }"
    }.joined(separator: "\n  ")
  }
}
