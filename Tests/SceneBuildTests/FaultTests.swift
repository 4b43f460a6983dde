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
      (["frame", "good.scene", "--at", "9s"], 2, "after the end"),
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
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/ring.mp4", withDestinationPath: "ring.mp4")
    for output in ["dir.mp4", "a.mp4/where.mp4", "ring.mp4", "/proc/x.mp4"] {
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
    // So is a link to what is not there yet.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/next.mp4", withDestinationPath: "dir.mp4/c.mp4")
    #expect(try Program.scenec("build", "b.scene", "-o", "next.mp4", in: folder.path).status == 0)
    #expect(folder.data("dir.mp4/c.mp4") != nil)
    // Folders that are missing are made, and taken away again when the build fails.
    #expect(
      try Program.scenec("build", "b.scene", "-o", "new/er/b.mp4", in: folder.path).status == 0)
    #expect(folder.data("new/er/b.mp4") != nil)
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
      '\(Program.scenec)' build a.scene --progress plain; echo "status $?"; cat a.mp4
      """
    let run = try Program.run(
      ["/usr/bin/unshare", "-rm", "/bin/sh", "-c", script], in: folder.path)
    #expect(run.output == "status 3\nold", "\(run)")
    #expect(run.errors.contains("cannot write in") && run.errors.contains("-o"), "\(run.errors)")
    #expect(!run.errors.contains("frame"), "it has drawn: \(run.errors)")
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

  /// Starts a long build and waits until it draws.
  private func startDrawing(_ folder: Folder, _ words: [String]) throws -> Process {
    let log = URL(fileURLWithPath: folder.path + "/log")
    let process = try Program.start(
      [Program.scenec] + words + ["--progress", "plain"], in: folder.path, to: log)
    #expect(eventually { !(folder.data("log") ?? Data()).isEmpty })
    return process
  }

  @Test(
    "a signal ends a build in order",
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2],
    ["a.mp4", "f-%03d.png"])
  func signalsLeaveNothing(_ number: Int32, _ output: String) throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.long)
    try folder.write("a.mp4", "old")
    try folder.write("f-000.png", "old")
    let process = try startDrawing(folder, ["build", "a.scene", "-o", output])
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 128 + number)
    #expect(folder.data("a.mp4") == Data("old".utf8))
    #expect(folder.data("f-000.png") == Data("old".utf8))
    expectOnly(folder, "a.mp4", "a.scene", "f-000.png", "log")
  }

  /// A frame that takes minutes.
  private static let slow =
    "scene { size: 4000x4000;  for: 1s;  for i in 0..400 { rect { size: 100%;  fill: radial-gradient(red, blue);  filter: blur(200);  opacity: 0.5 } } }"

  @Test(arguments: [
    ("frame", SIGINT), ("sheet", SIGINT), ("build", SIGINT), ("frame", SIGTERM), ("sheet", SIGHUP),
    ("frame", SIGQUIT), ("sheet", SIGALRM), ("frame", SIGUSR1),
  ])
  func aSlowFrameIsLeftAtOnce(_ command: String, _ number: Int32) throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.slow)
    let process = try Program.start(
      [Program.scenec, command, "a.scene", "--limit", "drawing=1000000000000"], in: folder.path)
    #expect(Program.awaitHandlers(of: process))
    usleep(300_000)
    kill(process.processIdentifier, number)
    // The frame would take minutes; how long a busy machine needs to end a process is not ours.
    #expect(eventually { !process.isRunning })
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 128 + number)
    expectOnly(folder, "a.scene")
  }

  @Test(arguments: ["check", "frame", "sheet", "build", "watch", "ir"])
  func aSlowCheckIsLeftAtOnce(_ command: String) throws {
    let folder = try Folder()
    let functions = (1..<40).map {
      "fn f\($0)(x: number) -> number = f\($0 - 1)(x) + f\($0 - 1)(x + 1)\n"
    }
    try folder.write(
      "a.scene",
      "fn f0(x: number) -> number = x + t / 1s\n\(functions.joined())scene { for: 1s;  circle { radius: f39(1) } }"
    )
    let process = try Program.start(
      [Program.scenec, command, "a.scene", "--limit", "steps=1000000000000"]
        + (command == "ir" ? ["--at", "0s"] : []), in: folder.path)
    #expect(Program.awaitHandlers(of: process))
    usleep(300_000)
    #expect(process.isRunning)
    kill(process.processIdentifier, SIGINT)
    #expect(eventually { !process.isRunning })
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    expectOnly(folder, "a.scene")
  }

  @Test func whatTheCallerIgnoresStaysIgnored() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.long)
    let script = """
      trap '' HUP INT TERM QUIT USR1 ALRM
      '\(Program.scenec)' build a.scene --to 4s --preset ultrafast & sleep 0.5
      for s in HUP INT TERM QUIT USR1 ALRM; do kill -$s $!; done; wait $!; echo "status $?"
      """
    let run = try Program.run(["/bin/sh", "-c", script], in: folder.path)
    #expect(run.output == "a.mp4\nstatus 0\n", "\(run)")
  }

  @Test(arguments: ["a.mp4", "f-%03d.png"])
  func killedBuildsLeaveTheOldFileAndAreCleanedUp(_ output: String) throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.long)
    try folder.write("a.mp4", "old")
    let process = try startDrawing(folder, ["build", "a.scene", "-o", output])
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(folder.data("a.mp4") == Data("old".utf8))
    // What a running build has locked is left alone, what nobody holds is not.
    let running = try startDrawing(folder, ["build", "a.scene", "-o", output])
    try folder.write("b.scene", Self.good)
    #expect(try Program.scenec("build", "b.scene", in: folder.path).status == 0)
    #expect(running.isRunning)
    // Nor by one that counts its processes anew, as in another container.
    let inside = try Program.run(
      ["/usr/bin/unshare", "-rpf", Program.scenec, "build", "b.scene"], in: folder.path)
    #expect(inside.status == 0 && running.isRunning, "\(inside)")
    kill(running.processIdentifier, SIGTERM)
    running.waitUntilExit()
    #expect(running.terminationStatus == 143)
    expectOnly(folder, "a.mp4", "a.scene", "b.mp4", "b.scene", "log")
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
      // What fits into the pipe may be written before it is closed.
      #expect(["141\n", "0\n"].contains(piped.output) && piped.errors.isEmpty, "\(piped)")
    }
    // Progress that nobody reads is no reason to stop.
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

  @Test(
    "no closed stream becomes a part of the output", arguments: 0..<8, ["plain", "json", "none"])
  func closedStreams(_ closed: Int, _ progress: String) throws {
    let folder = try Folder()
    try folder.write("b.scene", Self.good)
    let list = ["<&-", ">&-", "2>&-"].enumerated().filter { closed >> $0.offset & 1 == 1 }
    let words = list.map(\.element).joined(separator: " ")
    for output in ["b.mp4", "b.y4m", "f-%02d.png"] {
      let run = try Program.run(
        [
          "/bin/sh", "-c",
          "'\(Program.scenec)' build b.scene -o \(output) --progress \(progress) \(words)",
        ], in: folder.path)
      #expect(run.status == 0, "\(run)")
    }
    let good = try Folder()
    try good.write("b.scene", Self.good)
    for output in ["b.mp4", "b.y4m", "f-%02d.png"] {
      #expect(try Program.scenec("build", "b.scene", "-o", output, in: good.path).status == 0)
    }
    for name in good.names { #expect(folder.data(name) == good.data(name), "\(name)") }
  }

  @Test func oddCalls() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.good)
    try folder.write("\u{1B}[31m.scene", "scene { for: 1s;  circl { } }")
    let rows: [(String, Int32, String)] = [
      ("build a.scene -o=b.mp4", 0, ""), ("new /", 2, "does not name a scene"),
      ("new x/", 2, "does not name a scene"), ("check \"$(printf '\\377')\"", 2, "not valid UTF-8"),
      ("build a.scene --fps 1000000/1", 2, "from 0.01 to 1000"),
      ("build a.scene --fps 1/1000000", 2, "from 0.01 to 1000"),
      ("build a.scene --fps 0/1", 2, "a number or a ratio"),
      ("build a.scene --scale 0", 2, "a factor from 0.01 to 16"),
      ("build a.scene --scale 0.5 --width 9", 2, "not both"),
      ("frame a.scene --at 0s --frame 3", 2, "not both"),
      ("sheet a.scene --every 1s --count 3", 2, "not both"),
      ("check a.scene --row 2", 2, "'--row' needs a table"),
      ("build a.scene -o '{scene'", 2, "no ending that is known"),
    ]
    for (call, status, text) in rows {
      let run = try Program.run(
        ["/bin/sh", "-c", "'\(Program.scenec)' \(call)"], in: folder.path)
      #expect(run.status == status, "\(call): \(run)")
      #expect(text.isEmpty || run.errors.contains(text), "\(call): \(run)")
    }
    let escape = try Program.scenec("check", "\u{1B}[31m.scene", in: folder.path)
    #expect(!escape.errors.contains("\u{1B}") && escape.errors.contains("E0202"))
    // Faults of the call and of the scene, in one run.
    try folder.write("bad.scene", "scene { for: 1s;  circl { } }")
    let both = try Program.scenec(
      "build", "bad.scene", "--jobs", "zero", "--quality", "199", in: folder.path)
    #expect(both.status == 2)
    for text in ["--jobs", "--quality", "E0202"] { #expect(both.errors.contains(text)) }
    expectOnly(folder, "a.scene", "b.mp4", "bad.scene", "\u{1B}[31m.scene")
  }

  @Test func watchSeesWhatChangesDuringABuild() throws {
    let folder = try Folder()
    let picture = Repository.path + "/Tests/Conformance/png/pngsuite/basn"
    let manager = FileManager.default
    try manager.copyItem(atPath: picture + "2c16.png", toPath: folder.path + "/w-1.png")
    try folder.write(
      "a.scene",
      "import \"lib.scene\"\nscene { size: 640x360;  for: 20s;  image \"w-*.png\" { fps: 30 };  circle { radius: r * wave(1s) } }"
    )
    try folder.write("lib.scene", "let r = 100")
    let log = URL(fileURLWithPath: folder.path + "/log")
    let process = try Program.start(
      [Program.scenec, "watch", "a.scene", "--progress", "plain", "--jobs", "1"], in: folder.path,
      to: log)
    defer { process.terminate() }
    func logged() -> String { String(decoding: folder.data("log") ?? Data(), as: UTF8.self) }
    func builds() -> Int { logged().components(separatedBy: "built in ").count - 1 }
    // While the first build draws, an import and a picture change.
    #expect(eventually { logged().contains("read after") })
    try folder.write("lib.scene", "let r = 20")
    #expect(eventually(seconds: 60) { builds() == 1 }, "\(logged())")
    let first = folder.data("a.mp4")
    #expect(try Program.scenec("build", "a.scene", "-o", "own.mp4", in: folder.path).status == 0)
    #expect(first == folder.data("own.mp4"))
    // A new file for a pattern is a change as well, the video beside it none.
    try manager.copyItem(
      atPath: Repository.path + "/Tests/Conformance/png/pngsuite/basi0g16.png",
      toPath: folder.path + "/w-2.png")
    #expect(eventually(seconds: 60) { builds() == 2 && folder.data("a.mp4") != first })
    usleep(800_000)
    #expect(builds() == 2)
  }

  @Test func watchRebuildsKeepsAndRecovers() throws {
    let folder = try Folder()
    // Long enough for its check to ask whether it is still wanted.
    let good = Self.good.replacing(
      "circle {", with: "for i in 0..200 { rect { size: 2;  position: (i, 9) } };  circle {")
    try folder.write("a.scene", good)
    let log = URL(fileURLWithPath: folder.path + "/log")
    let process = try Program.start([Program.scenec, "watch", "a.scene"], in: folder.path, to: log)
    defer { process.terminate() }
    func logged() -> String { String(decoding: folder.data("log") ?? Data(), as: UTF8.self) }
    func builds() -> Int { logged().components(separatedBy: "built in ").count - 1 }
    #expect(eventually { builds() == 1 })
    let first = folder.data("a.mp4")
    // Foundation's atomic write saves by renaming, as editors do.
    try folder.write("a.scene", good.replacingOccurrences(of: "30", with: "20"))
    #expect(eventually { builds() == 2 && folder.data("a.mp4") != first })
    let second = folder.data("a.mp4")
    try folder.write("a.scene", "scene { for: 1s;  circl { } }")
    #expect(eventually { logged().contains("E0202") })
    #expect(folder.data("a.mp4") == second)
    try FileManager.default.removeItem(atPath: folder.path + "/a.scene")
    usleep(400_000)
    try folder.write("a.scene", good.replacingOccurrences(of: "30", with: "10"))
    #expect(eventually { builds() == 3 && folder.data("a.mp4") != second }, "\(logged())")
    // In place, without a new inode.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path + "/a.scene"))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(good.utf8))
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
      let measured = try Program.measure([Program.scenec, "check", "h.scene"], in: folder.path)
      let run = measured.run
      #expect(run.status == 1, "\(index): \(run.status) \(run.errors.prefix(300))")
      #expect(measured.cpuSeconds < 10, "\(index)")
    }
  }
}
