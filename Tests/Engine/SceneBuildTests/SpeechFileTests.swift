// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Files that speech recognizers and aligners wrote.
@Suite("Files of speech recognizers", .cpuBudget(seconds: 1)) struct SpeechFileTests {
  private static let files = [
    "whisper.json", "faster-whisper.json", "whisperx.json", "stable-ts.json", "stable-ts.vtt",
    "whisper-cpp.json", "gentle.json",
  ]

  private func words(of file: String) throws -> [String] {
    try ConformanceTable("speech/words.tsv").rows.filter { $0["file"] == file }.map {
      "\($0["word"] ?? "") \($0["start_ms"] ?? "")"
    }
  }

  private func folder(_ file: String, _ properties: String) throws -> Folder {
    let folder = try Folder()
    try folder.write(file, try Repository.text("Tests/Conformance/speech/" + file))
    try folder.write(
      "a.scene", "scene { size: 4000x200;  for: 9s;  captions \"\(file)\" { \(properties) } }")
    return folder
  }

  /// The clocks of the words in one frame, in milliseconds, determine when they start.
  @Test(arguments: files) func wordsStartAtTheirTimes(_ file: String) throws {
    let properties = "width: 3900;  each word { translate: (t / 1ms, 0) }"
    let folder = try folder(file, properties)
    let run = try Program.run([Program.scenec, "ir", "a.scene", "--at", "2s"], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n").map { $0.split(separator: " ") }
    let first = try #require(lines.first { $0.first == "run" })
    let texts = first.dropFirst().joined(separator: " ").split(separator: "\"")[0].split(
      separator: " ")
    let starts = lines.filter { $0.first == "word" }.compactMap {
      Double($0[$0.count - 2]).map { 2000 - $0 }
    }
    let found = zip(texts, starts).map { "\($0) \(Int($1))" }
    #expect(texts.count == starts.count && starts.allSatisfy { $0 == $0.rounded() })
    #expect(try found == words(of: file))
  }

  /// The fragments of a file of aeneas become captions.
  @Test func fragmentsAreCaptions() throws {
    let folder = try folder("aeneas.json", "visible: false")
    let run = try Program.run([Program.scenec, "build", "a.scene", "-o", "a.vtt"], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    let text = String(decoding: try #require(folder.data("a.vtt")), as: UTF8.self)
    let lines = text.split(separator: "\n").dropFirst().map(String.init)
    let found = stride(from: 0, to: lines.count - 1, by: 2).map { index in
      let clock = lines[index].prefix(12).split { ":.".contains($0) }.compactMap { Int($0) }
      return "\(lines[index + 1]) \(clock[1] * 60_000 + clock[2] * 1000 + clock[3])"
    }
    #expect(try found == words(of: "aeneas.json"))
  }
}
