// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// What can go wrong in the world, and what then is left: the old file, whole.
@Suite("Faults", .serialized) struct FaultTests {
  private static let good = "scene { size: 128x128;  for: 1s;  circle { radius: t / 1s * 30 } }"
  private static let long =
    "scene { size: 1280x720;  for: 60s;  circle { radius: 200 * wave(1s) };  text \"{t}\" }"

  private func expectOnly(_ folder: Folder, _ names: String...) {
    #expect(folder.names == names.sorted(), "\(folder.names)")
  }

  @Test func exitCodesAndMessages() throws {
    let folder = try Folder()
    try folder.write("good.scene", Self.good)
    try folder.write("bad.scene", "scene { for: 1s;  circl { } }")
    let rows: [([String], Int32, String)] = [
      (["check", "good.scene"], 0, "good.scene: 128x128, 30 fps, 1s, 30 frames"),
      (["check", "bad.scene"], 1, "help: change to 'circle'"),
      (["check", "none.scene"], 3, "cannot read 'none.scene': No such file or directory"),
      (["check", "good"], 3, "did you mean 'good.scene'?"),
      (["chekc", "good.scene"], 2, "did you mean 'check'?"),
      (["good.scene"], 2, "did you mean 'scenec build good.scene'?"),
      (["build", "good.scene", "--qualty", "3"], 2, "did you mean '--quality'?"),
      (["build"], 2, "name a file"),
      (["frame", "good.scene", "--at", "9s"], 2, "behind the end"),
      (["frame", "good.scene", "--frame", "x"], 2, "whole number"),
      (["check", "good.scene", "--limit", "elments=3"], 2, "did you mean 'elements'?"),
      (["check", "good.scene", "--scene", "other"], 1, "there is no scene 'other'"),
      (["check", "good.scene", "--color", "blue"], 2, "one of auto|always|never"),
      (["explain", "E0201"], 0, ""), (["explain", "E9999"], 2, "there is no code"),
      (["explain"], 0, ""), (["explain", "201"], 0, ""),
      (["explain", "E0201", "E0202"], 2, "one code"),
      (["--version"], 0, ""), (["help", "build"], 0, ""), (["codecs"], 0, ""),
      (["fonts", "dejavu"], 0, ""), ([], 2, "Usage"),
    ]
    for (arguments, status, text) in rows {
      let run = try Program.run([Program.scenec] + arguments, in: folder.path)
      #expect(run.status == status, "\(arguments): \(run)")
      #expect(text.isEmpty || run.errors.contains(text), "\(arguments): \(run.errors)")
    }
  }

  @Test func diagnosticsAsJSON() throws {
    let folder = try Folder()
    try folder.write(
      "bad.scene", "scene {\n  for: 1s\n  circle { rädius: 3 }\n  text \"é\" { fill: steelblu }\n}")
    let run = try Program.scenec("check", "--format", "json", "bad.scene", in: folder.path)
    #expect(run.status == 1)
    let list = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
    #expect(list.count == 2)
    #expect(list[1]["code"] as? String == "E0203")
    let range = list[1]["range"] as? [String: [String: Int]]
    #expect(range?["start"] == ["line": 4, "column": 20])
    #expect(range?["end"] == ["line": 4, "column": 28])
    #expect(
      ((list[1]["fixes"] as? [[String: Any]])?.first?["replacement"] as? String) == "steelblue")
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
    for output in ["dir.mp4", "no/where.mp4", "/proc/x.mp4"] {
      let run = try Program.scenec("build", "b.scene", "-o", output, in: folder.path)
      #expect(run.status == 3, "\(output) \(run)")
    }
    #expect(
      try Program.scenec("frame", "b.scene", "-o", "b.scene.png", in: folder.path).status == 0)
    // A link is followed and what it points to is replaced.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link.mp4", withDestinationPath: "a.mp4")
    #expect(try Program.scenec("build", "b.scene", "-o", "link.mp4", in: folder.path).status == 0)
    #expect(folder.data("a.mp4") != Data("old".utf8))
    expectOnly(folder, "a.mp4", "a.scene", "b.scene", "b.scene.png", "dir.mp4", "link.mp4")
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
      "scene { size: 640x360;  for: 4s;  for i in 0..300 { circle { radius: 4;  position: (640 * random(i + floor(t / 1f)), 360 * random(i)) } } }"
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
      '\(Program.scenec)' build a.scene; echo "status $?"; cat a.mp4
      """
    let started = Date()
    let run = try Program.run(
      ["/usr/bin/unshare", "-rm", "/bin/sh", "-c", script], in: folder.path)
    #expect(run.output == "status 3\nold", "\(run)")
    #expect(run.errors.contains("cannot write in") && run.errors.contains("-o"), "\(run.errors)")
    #expect(Date().timeIntervalSince(started) < 5)
  }

  @Test func fileSizeLimitIsTold() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.long)
    let run = try Program.run(
      ["/bin/sh", "-c", "ulimit -f 40; '\(Program.scenec)' build a.scene --quality 1"],
      in: folder.path)
    #expect(run.status == 3, "\(run)")
    expectOnly(folder, "a.scene")
  }

  @Test(arguments: [(Int32(2), Int32(130)), (Int32(15), Int32(143)), (Int32(1), Int32(129))])
  func signalsStopWithinASecond(_ row: (Int32, Int32)) throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.long)
    try folder.write("a.mp4", "old")
    let process = try Program.start([Program.scenec, "build", "a.scene"], in: folder.path)
    #expect(eventually { folder.names.contains { $0.contains(".scenec-") } })
    usleep(300_000)
    let sent = Date()
    kill(process.processIdentifier, row.0)
    process.waitUntilExit()
    #expect(Date().timeIntervalSince(sent) < 1.5)
    #expect(process.terminationReason == .exit && process.terminationStatus == row.1)
    #expect(folder.data("a.mp4") == Data("old".utf8))
    expectOnly(folder, "a.mp4", "a.scene")
  }

  @Test func killedBuildsLeaveTheOldFileAndAreCleanedUp() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.long)
    try folder.write("a.mp4", "old")
    let process = try Program.start([Program.scenec, "build", "a.scene"], in: folder.path)
    #expect(eventually { folder.names.contains { $0.contains(".scenec-") } })
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(folder.data("a.mp4") == Data("old".utf8))
    try folder.write("a.scene", Self.good)
    #expect(try Program.scenec("build", "a.scene", in: folder.path).status == 0)
    expectOnly(folder, "a.mp4", "a.scene")
  }

  @Test func assetsStayInTheRoot() throws {
    let folder = try Folder()
    let png = Repository.path + "/Tests/Conformance/png/pngsuite/basn2c16.png"
    let inner = folder.path + "/inner"
    let manager = FileManager.default
    try manager.createDirectory(atPath: inner, withIntermediateDirectories: true)
    try manager.copyItem(atPath: png, toPath: folder.path + "/outside.png")
    try manager.copyItem(atPath: png, toPath: inner + "/inside.png")
    try manager.createSymbolicLink(atPath: inner + "/good.png", withDestinationPath: "inside.png")
    try manager.createSymbolicLink(
      atPath: inner + "/evil.png", withDestinationPath: "../outside.png")
    try manager.createSymbolicLink(atPath: inner + "/up", withDestinationPath: "..")
    _ = try Program.run(["/usr/bin/mkfifo", inner + "/fifo.png"])
    try Data("#EXTM3U\nfile:///etc/passwd".utf8).write(
      to: URL(fileURLWithPath: inner + "/list.png"))
    let whole = try Data(contentsOf: URL(fileURLWithPath: png))
    try whole.prefix(60).write(to: URL(fileURLWithPath: inner + "/cut.png"))
    let rows = [
      ("inside.png", Int32(0), ""), ("good.png", 0, ""), ("./inside.png", 0, ""),
      ("../outside.png", 1, "E0502"), ("evil.png", 1, "E0502"), ("up/outside.png", 1, "E0502"),
      ("/etc/passwd", 1, "E0502"), ("../../../../etc/shadow", 1, "E0502"), ("fifo.png", 1, "E0501"),
      ("missing.png", 1, "E0501"), ("list.png", 1, "E0503"), ("cut.png", 1, "E0503"),
      ("http://localhost/x.png", 1, "E0501"), (".", 1, "E0501"),
    ]
    for (name, status, code) in rows {
      try "scene { size: 64x64;  for: 1s;  image \"\(name)\" }".write(
        toFile: inner + "/a.scene", atomically: true, encoding: .utf8)
      let run = try Program.scenec("frame", "a.scene", "-o", "a.png", in: inner)
      #expect(
        run.status == status && (code.isEmpty || run.errors.contains(code)), "\(name): \(run)")
    }
    try "scene { size: 64x64;  for: 1s;  image \"../outside.png\" }".write(
      toFile: inner + "/a.scene", atomically: true, encoding: .utf8)
    #expect(try Program.scenec("check", "a.scene", "--root", "..", in: inner).status == 0)
  }

  @Test func brokenPipesAndClosedStreamsEndQuietly() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.long)
    let piped = try Program.run(
      [
        "/bin/bash", "-c",
        "'\(Program.scenec)' build a.scene -o - | head -c 1000 > /dev/null; echo ${PIPESTATUS[0]}",
      ], in: folder.path)
    #expect(["141\n", "0\n", "3\n"].contains(piped.output), "\(piped)")
    try folder.write("b.scene", Self.good)
    let closed = try Program.run(
      ["/bin/sh", "-c", "'\(Program.scenec)' build b.scene <&- >&- 2>&-"], in: folder.path)
    #expect(closed.status == 0)
    #expect(
      try Program.run(["/usr/bin/ffprobe", "-v", "error", "b.mp4"], in: folder.path).status == 0)
  }

  @Test func watchRebuildsKeepsAndRecovers() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.good)
    let log = URL(fileURLWithPath: folder.path + "/log")
    let process = try Program.start([Program.scenec, "watch", "a.scene"], in: folder.path, to: log)
    defer { process.terminate() }
    func logged() -> String { String(decoding: folder.data("log") ?? Data(), as: UTF8.self) }
    func builds() -> Int { logged().components(separatedBy: "built in ").count - 1 }
    #expect(eventually { builds() == 1 })
    let first = folder.data("a.mp4")
    // Foundation's atomic write saves by renaming, as editors do.
    try folder.write("a.scene", Self.good.replacingOccurrences(of: "30", with: "20"))
    #expect(eventually { builds() == 2 && folder.data("a.mp4") != first })
    let second = folder.data("a.mp4")
    try folder.write("a.scene", "scene { for: 1s;  circl { } }")
    #expect(eventually { logged().contains("E0202") })
    #expect(folder.data("a.mp4") == second)
    try FileManager.default.removeItem(atPath: folder.path + "/a.scene")
    usleep(400_000)
    try folder.write("a.scene", Self.good.replacingOccurrences(of: "30", with: "10"))
    #expect(eventually { builds() == 3 && folder.data("a.mp4") != second }, "\(logged())")
    // In place, without a new inode.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path + "/a.scene"))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(Self.good.utf8))
    try handle.close()
    #expect(eventually { builds() == 4 && folder.data("a.mp4") == first }, "\(logged())")
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
  }

  @Test func hugeScenesAreRefusedInTime() throws {
    let folder = try Folder()
    let sources = [
      "scene { for: 1s;  for i in 0..1000000000 { circle { } } }",
      "scene { for: 1s;  for i in 0..1000 { for j in 0..1000 { circle { } } } }",
      "scene { size: 1000000x1000000;  for: 1s }",
      "scene { for: 1s\n" + String(repeating: "group {\n", count: 5000),
      "scene { for: 1s;  circle { radius: " + String(repeating: "(", count: 100_000) + "1 } }",
      "component A() { A { } }\nscene { for: 1s;  A { } }",
      "fn f(x: number) -> number = f(x)\nscene { for: 1s;  circle { radius: f(1) } }",
      "let a = b\nlet b = a\nscene { for: 1s;  circle { radius: a } }",
    ]
    for (index, source) in sources.enumerated() {
      try folder.write("h.scene", source)
      let started = Date()
      let run = try Program.scenec("check", "h.scene", in: folder.path)
      #expect(run.status == 1, "\(index): \(run.status) \(run.errors.prefix(300))")
      #expect(Date().timeIntervalSince(started) < 10, "\(index)")
    }
  }
}
