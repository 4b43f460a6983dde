// SPDX-License-Identifier: MIT
import Foundation
import SceneFiles
import SceneOutput
import SceneTestSupport
import Testing

/// An output file either replaces the previous file completely or leaves it unchanged.
@Suite("Output files", .cpuBudget(seconds: 1)) struct OutputFileTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func write(_ name: String, _ text: String, inputs: [String] = []) throws {
    let file = try OutputFile(path(name), inputs: inputs)
    try file.write(Array(text.utf8))
    try file.commit()
  }

  private func refusal(_ name: String, inputs: [String] = []) -> String {
    do throws(FileError) {
      _ = try OutputFile(name.hasPrefix("/") ? name : path(name), inputs: inputs)
      return ""
    } catch {
      return error.message.replacing(folder.path, with: "…")
    }
  }

  @Test func nothingIsThereUntilAllIs() throws {
    try folder.write("a.mp4", "old")
    do {
      let file = try OutputFile(path("a.mp4"), inputs: [])
      try file.write(Array("new".utf8))
      #expect(folder.data("a.mp4") == Data("old".utf8))
    }
    #expect(folder.data("a.mp4") == Data("old".utf8) && folder.names == ["a.mp4"])
    try write("a.mp4", "newer")
    #expect(folder.data("a.mp4") == Data("newer".utf8) && folder.names == ["a.mp4"])
  }

  @Test func whatCannotBeReplacedIsRefused() throws {
    try folder.write("in.scene", "scene")
    try folder.write("sub/a", "")
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: path("input"), withDestinationPath: "in.scene")
    try manager.createSymbolicLink(atPath: path("ring"), withDestinationPath: "ring")
    #expect(refusal("in.scene", inputs: [path("in.scene")]).hasSuffix("cannot be overwritten"))
    #expect(refusal("input", inputs: [path("in.scene")]).hasSuffix("cannot be overwritten"))
    #expect(refusal("sub") == "'…/sub' is a folder")
    #expect(refusal("sub/") == "'…/sub/' does not name a file")
    #expect(refusal("ring") == "'…/ring' is a link to itself")
    #expect(refusal("in.scene/a.mp4") == "'…/in.scene' is a file, not a folder")
    #expect(refusal("/dev/null") == "'/dev/null' is not a regular file")
    #expect(folder.names == ["in.scene", "input", "ring", "sub"])
  }

  @Test func linksStayAndTheirTargetsAreReplaced() throws {
    try folder.write("real.mp4", "old")
    for (link, target) in [("a.mp4", "real.mp4"), ("b.mp4", "later.mp4")] {
      try FileManager.default.createSymbolicLink(
        atPath: path(link), withDestinationPath: target)
      try write(link, "new")
      #expect(folder.data(target) == Data("new".utf8))
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path(link)) == target)
    }
  }

  @Test func aFolderIsMadeAndGoesAgainWithoutAFile() throws {
    do { #expect(try OutputFile(path("x/a.mp4"), inputs: []).madeFolder == path("x")) }
    #expect(folder.names == [])
    #expect(throws: FileError.self) { try OutputFile(path("x/y/a.mp4"), inputs: []) }
    #expect(folder.names == [])
    try write("x/a.mp4", "new")
    #expect(folder.data("x/a.mp4") == Data("new".utf8))
    #expect(try OutputFile(path("x/b.mp4"), inputs: []).madeFolder == nil)
  }

  @Test func permissionsAreThoseOfTheOldFile() throws {
    try folder.write("a.mp4", "old")
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path("a.mp4"))
    try write("a.mp4", "new")
    let found = try manager.attributesOfItem(atPath: path("a.mp4"))[.posixPermissions] as? Int
    #expect(found == 0o600)
  }

  /// Temporary files of a killed process are removed when writing begins. The folder is not scanned
  /// again for each file of a set, which may contain thousands.
  @Test func leftoversAreLookedForOnce() throws {
    let leftover = ".scenec-tmp-left"
    try folder.write(leftover, "half")
    let set = try OutputSet(path("f1.png"), inputs: [])
    #expect(!folder.names.contains(leftover))
    try folder.write(leftover, "half")
    for number in 1...3 { try set.add(path("f\(number).png"), [1]) }
    try set.commit()
    #expect(folder.names.contains(leftover))
  }

  @Test func aFullDiskSaysHowMuchIsLeft() {
    let full = OutputFile.writeError(path("a.mp4"), code: ENOSPC)
    #expect(full.message.hasPrefix("disk full while writing '\(path("a.mp4"))': "))
    #expect(full.message.hasSuffix(" MiB free") && full.help?.contains("-o") == true)
    let other = OutputFile.writeError("a.mp4", code: EIO)
    #expect(other.message == "cannot write 'a.mp4': Input/output error")
  }
}
