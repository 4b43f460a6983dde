// SPDX-License-Identifier: MIT
import Foundation
import SceneFiles
import SceneOutput
import SceneTestSupport
import Testing

/// The files of a set replace the previous files either together or not at all.
@Suite("Output sets", .cpuBudget(seconds: 1)) struct OutputSetTests {
  @Test func allFilesAreReplacedTogether() throws {
    let folder = try Folder()
    for name in ["1", "2", "9"] { try folder.write("f\(name).png", "old \(name)") }
    let set = try OutputSet(folder.path + "/f1.png", inputs: [])
    for name in ["1", "2", "3"] {
      try set.add(folder.path + "/f\(name).png", Array("new \(name)".utf8))
    }
    #expect(folder.data("f1.png") == Data("old 1".utf8))
    try set.commit()
    for name in ["1", "2", "3"] {
      #expect(folder.data("f\(name).png") == Data("new \(name)".utf8))
    }
    #expect(folder.data("f9.png") == Data("old 9".utf8))
  }

  @Test func whenOneIsRefusedNoneIsReplaced() throws {
    let folder = try Folder()
    try folder.write("f1.png", "old 1")
    do {
      let set = try OutputSet(folder.path + "/f1.png", inputs: [])
      try set.add(folder.path + "/f1.png", Array("new 1".utf8))
      try set.add(folder.path + "/f2.png", Array("new 2".utf8))
      // No file system supports names of 300 bytes.
      try set.add(folder.path + "/" + String(repeating: "n", count: 300), [1])
      #expect(throws: FileError.self) { try set.commit() }
    }
    #expect(folder.data("f1.png") == Data("old 1".utf8))
    #expect(folder.names == ["f1.png"])
  }

  /// The output files of one build are replaced together, like the files of a set.
  @Test func filesOfABuildReplaceOthersTogether() throws {
    let folder = try Folder()
    try folder.write("a.mp4", "old a")
    func files(_ last: String) throws -> [OutputFile] {
      try ["a.mp4", "b.gif", last].map {
        let file = try OutputFile(folder.path + "/" + $0, inputs: [])
        try file.write(Array("new \($0)".utf8))
        return file
      }
    }
    do {
      let refused = try files(String(repeating: "n", count: 300))
      #expect(throws: FileError.self) { try OutputFile.commit(refused) }
    }
    #expect(folder.names == ["a.mp4"] && folder.data("a.mp4") == Data("old a".utf8))
    try OutputFile.commit(try files("c.webm"))
    #expect(folder.names == ["a.mp4", "b.gif", "c.webm"])
    #expect(folder.data("a.mp4") == Data("new a.mp4".utf8))
  }

  @Test func inputsAreNotReplaced() throws {
    let folder = try Folder()
    try folder.write("f2.png", "input")
    let set = try OutputSet(folder.path + "/f1.png", inputs: [folder.path + "/f2.png"])
    #expect(throws: FileError.self) { try set.add(folder.path + "/f2.png", [1]) }
  }

  @Test func aFileThatAnotherWroteIntoIsNotPutInPlace() throws {
    let folder = try Folder()
    try folder.write("a.mp4", "old")
    let file = try OutputFile(folder.path + "/a.mp4", inputs: [])
    try file.write(Array("new".utf8))
    let own = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first {
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/" + $0)
      return target?.contains((folder.path as NSString).lastPathComponent) == true
    }
    let other = try FileHandle(
      forWritingTo: URL(fileURLWithPath: "/proc/self/fd/" + (try #require(own))))
    try other.seekToEnd()
    try other.write(contentsOf: Data("95/1200 frames".utf8))
    #expect(throws: FileError.self) { try file.commit() }
    #expect(folder.data("a.mp4") == Data("old".utf8))
  }
}
