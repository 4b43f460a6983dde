// SPDX-License-Identifier: MIT
import Foundation

/// Writes every case of the corpus and every example to a file of its own, as seeds for the fuzzer.
enum Seeds {
  static func run(_ folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var count = 0
    func write(_ source: String) throws {
      count += 1
      try source.write(toFile: "\(folder)/seed-\(count)", atomically: true, encoding: .utf8)
    }
    for file in try FileManager.default.contentsOfDirectory(atPath: "Tests/Corpus").sorted() {
      let text = try String(contentsOfFile: "Tests/Corpus/\(file)", encoding: .utf8)
      for part in text.components(separatedBy: "=== ").dropFirst() {
        let source = String(part.drop { $0 != "\n" }).components(separatedBy: "\n---\n")[0]
        try write(source.contains("scene") ? source : "scene { for: 1s\n\(source)\n}")
      }
    }
    for example in try FileManager.default.contentsOfDirectory(atPath: "Examples").sorted() {
      let path = "Examples/\(example)/scene.scene"
      if let text = try? String(contentsOfFile: path, encoding: .utf8), text.utf8.count < 2000 {
        try write(text)
      }
    }
  }
}
