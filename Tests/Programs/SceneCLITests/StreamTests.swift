// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Standard streams that are closed, full or without a reader.
@Suite("Standard streams", .cpuBudget(seconds: 3)) struct StreamTests {
  private static let good = "scene { size: 128x128;  for: 1s;  circle { radius: t / 1s * 30 } }"

  private func expectOnly(_ folder: Folder, _ names: String...) {
    #expect(folder.names == names.sorted(), "\(folder.names)")
  }

  @Test func brokenPipesEndQuietly() throws {
    let folder = try Folder()
    try folder.write(
      "a.scene", "scene { size: 640x360;  for: 60s;  circle { radius: 9 + t / 1s } }")
    for command in [
      "build a.scene --quiet -o -", "docs rect", "ir a.scene --at 1s", "frame a.scene -o -",
    ] {
      let piped = try Program.run(
        [
          "/bin/bash", "-c",
          "'\(Program.scenec)' \(command) | head -c 10 > /dev/null; echo ${PIPESTATUS[0]}",
        ], in: folder.path)
      // The program may write all its output into the pipe before it is closed.
      #expect(["141\n", "0\n"].contains(piped.output) && piped.errors.isEmpty, "\(piped)")
    }
    // Progress without a reader does not end a build.
    let unread = try Program.run(
      [
        "/bin/bash", "-c",
        "'\(Program.scenec)' build a.scene --to 1s --preset ultrafast --progress plain 2>&1 >/dev/null | head -1 >/dev/null; echo ${PIPESTATUS[0]}",
      ], in: folder.path)
    #expect(unread.output == "0\n")
    expectOnly(folder, "a.mp4", "a.scene")
  }

  @Test func aFullDeviceIsReported() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.good)
    for command in [
      "frame a.scene -o -", "sheet a.scene -o -", "ir a.scene --at 0s", "docs rect",
      "build a.scene -o -", "check a.scene --format json", "help build", "explain E0201", "codecs",
      "--version",
    ] {
      let run = try Program.run(
        ["/bin/sh", "-c", "'\(Program.scenec)' \(command) > /dev/full"], in: folder.path)
      #expect(run.status == 3 && run.errors.contains("No space left"), "\(command): \(run)")
    }
  }

  private static let progress = ["plain", "json", "none"]
  private static let closedOutputs = ["b.mp4", "b.y4m", "f-%02d.png"]

  /// A folder with the outputs of builds whose standard streams are all open.
  private static let built: Folder? = {
    guard let folder = try? Folder() else { return nil }
    _ = try? folder.write("b.scene", good)
    for output in closedOutputs {
      _ = try? Program.scenec("build", "b.scene", "-o", output, in: folder.path)
    }
    return folder
  }()

  /// Each set of closed streams with one kind of progress; in a soak, with all kinds.
  private static let closings = (0..<8).flatMap { closed in
    (Soak.isRunning ? progress : [progress[closed % 3]]).map { (closed, $0) }
  }

  @Test("no closed stream becomes a part of the output", arguments: closings)
  func closedStreams(_ closed: Int, _ progress: String) throws {
    let folder = try Folder()
    try folder.write("b.scene", Self.good)
    let list = ["<&-", ">&-", "2>&-"].enumerated().filter { closed >> $0.offset & 1 == 1 }
    let words = list.map(\.element).joined(separator: " ")
    let place = try #require(Self.progress.firstIndex(of: progress))
    let output = Self.closedOutputs[(closed + place) % 3]
    let run = try Program.run(
      [
        "/bin/sh", "-c",
        "'\(Program.scenec)' build b.scene -o \(output) --progress \(progress) \(words)",
      ], in: folder.path)
    #expect(run.status == 0, "\(run)")
    let good = try #require(Self.built)
    #expect(good.names.count == 33)
    let names = good.names.filter {
      $0 == "b.scene" || $0 == output || output.hasPrefix("f-") && $0.hasPrefix("f-")
    }
    #expect(folder.names == names && names.count >= 2)
    for name in names { #expect(folder.data(name) == good.data(name), "\(name)") }
  }
}
