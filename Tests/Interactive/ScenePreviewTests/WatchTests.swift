// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// `scenec watch` without a page, which builds after each change.
@Suite("Watch", .cpuBudget(seconds: 8)) struct WatchTests {
  private static let good = "scene { size: 128x128;  for: 1s;  circle { radius: t / 1s * 30 } }"

  @Test func watchSeesWhatChangesDuringABuild() throws {
    let folder = try Folder()
    let picture = Repository.path + "/Tests/Conformance/png/pngsuite/basn"
    let manager = FileManager.default
    try manager.copyItem(atPath: picture + "2c16.png", toPath: folder.path + "/w-1.png")
    try folder.write(
      "a.scene",
      "import \"lib.scene\"\nscene { size: 640x360;  for: 8s;  image \"w-*.png\" { fps: 30 };  circle { radius: r * wave(1s) } }"
    )
    try folder.write("lib.scene", "let r = 100")
    let log = URL(fileURLWithPath: folder.path + "/log")
    let process = try Program.start(
      [Program.scenec, "watch", "a.scene", "--progress", "plain", "--jobs", "1"], in: folder.path,
      to: log)
    defer { process.kill(SIGTERM) }
    func logged() -> String { String(decoding: folder.data("log") ?? Data(), as: UTF8.self) }
    func builds() -> Int { logged().components(separatedBy: "built in ").count - 1 }
    // An import and an image change during the first build.
    #expect(eventually { logged().contains("checked in") })
    try folder.write("lib.scene", "let r = 20")
    #expect(eventually { builds() == 1 }, "\(logged())")
    let first = folder.data("a.mp4")
    #expect(try Program.scenec("build", "a.scene", "-o", "own.mp4", in: folder.path).status == 0)
    #expect(first == folder.data("own.mp4"))
    // A new file that matches a pattern is also a change, but the video next to it is not.
    try manager.copyItem(
      atPath: Repository.path + "/Tests/Conformance/png/pngsuite/basi0g16.png",
      toPath: folder.path + "/w-2.png")
    #expect(eventually { builds() == 2 && folder.data("a.mp4") != first })
    // If the video triggered a build, it would come before the build of the next change.
    try folder.write("lib.scene", "let r = 30")
    #expect(try Program.scenec("build", "a.scene", "-o", "own.mp4", in: folder.path).status == 0)
    let last = folder.data("own.mp4")
    #expect(eventually { builds() >= 3 && folder.data("a.mp4") == last }, "\(logged())")
    #expect(builds() == 3)
  }

  @Test func watchRebuildsKeepsAndRecovers() throws {
    let folder = try Folder()
    // The scene is large enough that its check tests for cancellation.
    let good = Self.good.replacing(
      "circle {", with: "for i in 0..200 { rect { size: 2;  position: (i, 9) } };  circle {")
    try folder.write("a.scene", good)
    let log = URL(fileURLWithPath: folder.path + "/log")
    let process = try Program.start([Program.scenec, "watch", "a.scene"], in: folder.path, to: log)
    defer { process.kill(SIGTERM) }
    func logged() -> String { String(decoding: folder.data("log") ?? Data(), as: UTF8.self) }
    func builds() -> Int { logged().components(separatedBy: "built in ").count - 1 }
    #expect(eventually { builds() == 1 })
    let first = folder.data("a.mp4")
    // The atomic write of Foundation saves by renaming, as editors do.
    try folder.write("a.scene", good.replacingOccurrences(of: "30", with: "20"))
    #expect(eventually { builds() == 2 && folder.data("a.mp4") != first })
    let second = folder.data("a.mp4")
    try folder.write("a.scene", "scene { for: 1s;  circl { } }")
    #expect(eventually { logged().contains("E0202") })
    #expect(folder.data("a.mp4") == second)
    try FileManager.default.removeItem(atPath: folder.path + "/a.scene")
    #expect(eventually { logged().contains("No such file") }, "\(logged())")
    try folder.write("a.scene", good.replacingOccurrences(of: "30", with: "10"))
    #expect(eventually { builds() == 3 && folder.data("a.mp4") != second }, "\(logged())")
    // The file is written in place, without a new inode.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path + "/a.scene"))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(good.utf8))
    try handle.close()
    #expect(eventually { builds() == 4 && folder.data("a.mp4") == first }, "\(logged())")
    process.kill(SIGINT)
    #expect(process.wait().exitStatus == 130)
  }
}
