// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Failed builds leave the previous file intact.
@Suite("Kept files", .cpuBudget(seconds: 5)) struct KeptFileTests {
  private static let good = "scene { size: 128x128;  for: 1s;  circle { radius: t / 1s * 30 } }"

  private static let long =
    "scene { size: 1280x720;  for: 60s;  circle { radius: 200 * wave(1s) };  text \"{t}\" }"

  private func expectOnly(_ folder: Folder, _ names: String...) {
    #expect(folder.names == names.sorted(), "\(folder.names)")
  }

  @Test func wrongSceneAndBadPlacesKeepTheOldFile() throws {
    let folder = try Folder()
    try folder.write("a.scene", "scene { for: 1s;  circl { } }")
    try folder.write("a.mp4", "old")
    #expect(try Program.scenec("build", "a.scene", in: folder.path).status == 1)
    #expect(folder.data("a.mp4") == Data("old".utf8))
    try folder.write("b.scene", Self.good)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/dir.mp4", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/ring.mp4", withDestinationPath: "ring.mp4")
    for output in ["dir.mp4", "a.mp4/where.mp4", "ring.mp4", "/proc/x.mp4"] {
      let run = try Program.scenec("build", "b.scene", "-o", output, in: folder.path)
      #expect(run.status == 3, "\(output) \(run)")
    }
    #expect(
      try Program.scenec("frame", "b.scene", "-o", "b.scene.png", in: folder.path).status == 0)
    // Symbolic links are followed, and their target is replaced.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link.mp4", withDestinationPath: "a.mp4")
    #expect(try Program.scenec("build", "b.scene", "-o", "link.mp4", in: folder.path).status == 0)
    #expect(folder.data("a.mp4") != Data("old".utf8))
    // The same applies to a link whose target is missing.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/next.mp4", withDestinationPath: "dir.mp4/c.mp4")
    #expect(try Program.scenec("build", "b.scene", "-o", "next.mp4", in: folder.path).status == 0)
    #expect(folder.data("dir.mp4/c.mp4") != nil)
    // A missing output folder is created if its parent exists, and removed again if the build
    // fails.
    let made = try Program.scenec("build", "b.scene", "-o", "new/b.mp4", in: folder.path)
    #expect(
      made.status == 0 && made.errors.contains("created folder 'new'"),
      "\(made.errors)")
    #expect(folder.data("new/b.mp4") != nil)
    let again = try Program.scenec("build", "b.scene", "-o", "new/b.mp4", in: folder.path)
    #expect(again.status == 0 && !again.errors.contains("created folder"), "\(again.errors)")
    for path in ["no/where/b.mp4", "no/where/b####.png"] {
      let refused = try Program.scenec("build", "b.scene", "-o", path, in: folder.path)
      #expect(
        refused.status == 3 && refused.errors.contains("folder 'no' not found"), "\(refused)")
    }
    let still = try Program.scenec("frame", "b.scene", "-o", "no/where/b.png", in: folder.path)
    #expect(still.status == 3 && still.errors.contains("not found"), "\(still)")
    #expect(
      try Program.scenec(
        "build", "b.scene", "--fps", "0.5", "--from", "0.9s", "-o", "x/b.mp4", in: folder.path
      ).status == 2)
    expectOnly(
      folder, "a.mp4", "a.scene", "b.scene", "b.scene.png", "dir.mp4", "link.mp4", "new",
      "next.mp4",
      "ring.mp4"
    )
  }

  @Test func inputsAreNotOverwritten() throws {
    let folder = try Folder()
    try FileManager.default.copyItem(
      atPath: Repository.path + "/Tests/Conformance/png/pngsuite/basn2c16.png",
      toPath: folder.path + "/p.png")
    try folder.write("a.scene", "scene { size: 64x64;  for: 1s;  image \"p.png\" }")
    let before = folder.data("p.png")
    #expect(try Program.scenec("frame", "a.scene", "-o", "p.png", in: folder.path).status == 3)
    #expect(folder.data("p.png") == before)
  }

  @Test func fullDiskKeepsTheOldFile() throws {
    let folder = try Folder()
    try folder.write(
      "a.scene",
      "scene { size: 640x360;  for: 1s;  for i in 0..150 { circle { radius: 4;  position: (640 * random(i + floor(t / 1f)), 360 * random(i)) } } }"
    )
    for kilobytes in [16, 200] {
      let script = """
        set -e; mkdir -p disk; mount -t tmpfs -o size=\(kilobytes)k none disk; printf old > disk/a.mp4
        set +e; '\(Program.scenec)' build a.scene --quality 2 -o disk/a.mp4; echo "status $?"; ls -A disk; cat disk/a.mp4
        """
      let run = try Program.run(
        ["/usr/bin/unshare", "-rm", "/bin/sh", "-c", script], in: folder.path)
      #expect(run.output.contains("status 3\na.mp4\nold"), "\(run)")
      #expect(run.errors.contains("disk full"), "\(run)")
    }
  }

  @Test func readOnlyFolderIsToldBeforeTheWork() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.long)
    try folder.write("a.mp4", "old")
    let script = """
      mount --bind . . && mount -o remount,ro,bind . && cd "$PWD" || exit 9
      '\(Program.scenec)' build a.scene --progress plain; echo "status $?"; cat a.mp4
      """
    let run = try Program.run(
      ["/usr/bin/unshare", "-rm", "/bin/sh", "-c", script], in: folder.path)
    #expect(run.output == "status 3\nold", "\(run)")
    #expect(
      run.errors.contains("cannot write to folder") && run.errors.contains("-o"), "\(run.errors)")
    #expect(!run.errors.contains("frame"), "it has drawn: \(run.errors)")
  }

  @Test func fileSizeLimitIsTold() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.long.replacing("1280x720", with: "320x180"))
    let run = try Program.run(
      ["/bin/sh", "-c", "ulimit -f 40; '\(Program.scenec)' build a.scene --quality 1"],
      in: folder.path)
    #expect(run.status == 3, "\(run)")
    expectOnly(folder, "a.scene")
  }
}
