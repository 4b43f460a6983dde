// SPDX-License-Identifier: MIT
import Foundation

/// Renders the stills of the examples, `still.png` beside each `scene.scene`, with a width of 640
/// pixels.
///
/// The first line `Still at TIME.` of an example's README determines the time.
enum Stills {
  static func run(_ wanted: [String]) throws {
    _ = try Child.run([
      Child.scenec, "frame", "Grammar/pictures/easings.scene", "-o",
      "Grammar/pictures/easings.png",
    ])
    let names = try FileManager.default.contentsOfDirectory(atPath: "Examples").sorted()
    for name in names where wanted.isEmpty || wanted.contains(name) {
      let folder = "Examples/\(name)"
      guard FileManager.default.fileExists(atPath: "\(folder)/scene.scene"),
        let readme = try? String(contentsOfFile: "\(folder)/README.md", encoding: .utf8)
      else { continue }
      let time = readme.split(separator: "\n").first { $0.hasPrefix("Still at ") }
      let at = time.map { $0.dropFirst(9).trimmingCharacters(in: CharacterSet(charactersIn: ". ")) }
      _ = try Child.run([
        Child.scenec, "frame", "\(folder)/scene.scene", "--at", at ?? "1s", "--width",
        "640", "--compress", "-o", "\(folder)/still.png",
      ])
      print("\(folder)/still.png at \(at ?? "1s")")
    }
  }
}
