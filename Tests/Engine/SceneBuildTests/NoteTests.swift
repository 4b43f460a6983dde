// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// The notes that a build prints in addition to its result.
@Suite("Notes of builds", .cpuBudget(seconds: 1)) struct NoteTests {
  private func build(_ scene: String, _ words: String..., in folder: Folder? = nil) throws -> Run {
    let folder = try folder ?? Folder()
    try folder.write("a.scene", scene)
    return try Program.run([Program.scenec, "build", "a.scene"] + words, in: folder.path)
  }

  /// A note on the size names the place that set it: the scene or the command line.
  @Test func theSizeIsThatOfTheCallOrOfTheScene() throws {
    let plain = "scene { for: 0.1s;  fps: 10;  circle { } }"
    let odd = plain.replacing("for:", with: "size: 15x33;  for:")
    let ofScene = try build(odd)
    #expect(ofScene.status == 1 && ofScene.errors.contains("use size: 16x34, or output"))
    #expect(ofScene.errors.contains("a.scene:1:15"))
    let ofCall = try build(plain, "--size", "15x33")
    #expect(ofCall.status == 1 && ofCall.errors.contains("use --size 16x34, or output"))
    let small = try build(plain, "--size", "8x8")
    #expect(small.status == 1 && small.errors.contains("the size is set by --size"))
    let own = try build(odd.replacing("15x33", with: "8x8"))
    #expect(own.status == 1 && !own.errors.contains("the call asks for"))
  }

  @Test func stillsOfALongerBuildAreNamed() throws {
    let folder = try Folder()
    let scene = "scene { size: 16x16;  fps: 10;  for: 0.4s;  circle { } }"
    let long = try build(scene, "-o", "f-%02d.png", in: folder)
    #expect(long.status == 0 && !long.errors.contains("not of this build"), "\(long.errors)")
    let short = try build(scene, "-o", "f-%02d.png", "--to", "2f", in: folder)
    #expect(short.status == 0)
    #expect(short.errors.contains("'f-02.png' and the files after it are from an earlier build"))
    #expect(folder.names == ["a.scene"] + (0..<4).map { "f-0\($0).png" })
  }
}
