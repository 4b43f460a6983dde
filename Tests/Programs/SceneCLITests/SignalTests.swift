// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Signals end a program cleanly, with the right status and with either the old or the new file.
@Suite("Signals", .cpuBudget(seconds: 13)) struct SignalTests {
  private static let good = "scene { size: 128x128;  for: 1s;  circle { radius: t / 1s * 30 } }"
  private static let long =
    "scene { size: 1280x720;  for: 60s;  circle { radius: 200 * wave(1s) };  text \"{t}\" }"

  private func expectOnly(_ folder: Folder, _ names: String...) {
    #expect(folder.names == names.sorted(), "\(folder.names)")
  }

  /// Starts a long build and waits until it draws; it has written its stills by then.
  private func startDrawing(_ folder: Folder, _ output: String, settings: [String] = []) throws
    -> RunningProgram
  {
    let names = Set(folder.names)
    let process = try Program.start(
      [Program.scenec, "build", "a.scene", "-o", output] + settings, in: folder.path)
    #expect(process.awaitHandlers() && process.awaitWork(seconds: 0.25))
    #expect(output.hasSuffix("mp4") || eventually { !names.isSuperset(of: folder.names) })
    return process
  }

  /// The signals for builds of a video. `aSlowFrameIsLeftAtOnce` always sends the others.
  private static let signals: [Int32] =
    Soak.isRunning
    ? [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2]
    : [SIGTERM, SIGXCPU, SIGUSR2]
  private static let endings =
    signals.map { ($0, "a.mp4") } + [SIGINT, SIGTERM, SIGUSR2].map { ($0, "f-%03d.png") }

  @Test("a signal ends a build in order", arguments: endings)
  func signalsLeaveNothing(_ number: Int32, _ output: String) throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.long)
    try folder.write("a.mp4", "old")
    try folder.write("f-000.png", "old")
    let process = try startDrawing(folder, output)
    process.kill(number)
    #expect(process.wait().exitStatus == 128 + number)
    #expect(folder.data("a.mp4") == Data("old".utf8))
    #expect(folder.data("f-000.png") == Data("old".utf8))
    expectOnly(folder, "a.mp4", "a.scene", "f-000.png")
  }

  /// A scene with a frame that takes minutes.
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
    #expect(process.awaitHandlers() && process.awaitWork(seconds: 0.1))
    process.kill(number)
    // The frame would take minutes to render. A busy machine may take any time to end the process.
    #expect(eventually { !process.isRunning })
    process.kill(SIGTERM)
    #expect(process.wait().exitStatus == 128 + number)
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
    #expect(process.awaitHandlers() && process.awaitWork(seconds: 0.1))
    #expect(process.isRunning)
    process.kill(SIGINT)
    #expect(eventually { !process.isRunning })
    process.kill(SIGTERM)
    #expect(process.wait().exitStatus == 130)
    expectOnly(folder, "a.scene")
  }

  @Test func whatTheCallerIgnoresStaysIgnored() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.long)
    let script = """
      trap '' HUP INT TERM QUIT USR1 ALRM
      exec '\(Program.scenec)' build a.scene --to 4s --preset ultrafast --progress plain
      """
    let log = URL(fileURLWithPath: folder.path + "/log")
    let process = try Program.start(["/bin/sh", "-c", script], in: folder.path, to: log)
    #expect(eventually { !(folder.data("log") ?? Data()).isEmpty })
    for number in [SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGALRM] { process.kill(number) }
    #expect(process.wait().exitStatus == 0)
    expectOnly(folder, "a.mp4", "a.scene", "log")
  }

  @Test(arguments: ["a.mp4", "f-%03d.png"])
  func killedBuildsLeaveTheOldFileAndAreCleanedUp(_ output: String) throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.long)
    try folder.write("a.mp4", "old")
    let process = try startDrawing(folder, output)
    process.kill(SIGKILL)
    process.wait()
    #expect(folder.data("a.mp4") == Data("old".utf8))
    // The next build removes the temporary files of the killed build, but not the locked files of a
    // running build.
    let running = try startDrawing(folder, output, settings: ["--jobs", "1"])
    try folder.write("b.scene", Self.good)
    #expect(try Program.scenec("build", "b.scene", in: folder.path).status == 0)
    #expect(running.isRunning)
    // The same holds in another PID namespace, for example in a container.
    let inside = try Program.run(
      ["/usr/bin/unshare", "-rpf", Program.scenec, "build", "b.scene"], in: folder.path)
    #expect(inside.status == 0 && running.isRunning, "\(inside)")
    running.kill(SIGTERM)
    #expect(running.wait().exitStatus == 143)
    expectOnly(folder, "a.mp4", "a.scene", "b.mp4", "b.scene")
  }

  /// A crash is reported in one sentence, and the process still ends with the signal of the crash.
  @Test(arguments: [
    ("SIGSEGV", SIGSEGV), ("SIGBUS", SIGBUS), ("SIGTRAP", SIGTRAP), ("SIGILL", SIGILL),
    ("SIGABRT", SIGABRT), ("SIGFPE", SIGFPE),
  ])
  func crashesAreReported(_ name: String, _ number: Int32) throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.long)
    try folder.write("a.mp4", "old")
    let errors = URL(fileURLWithPath: folder.path + "/errors")
    let process = try Program.start(
      ["/usr/bin/env", "-u", "SWIFT_BACKTRACE", Program.scenec, "build", "a.scene", "--quiet"],
      in: folder.path, to: errors)
    #expect(process.awaitHandlers() && process.awaitWork(seconds: 0.25))
    process.kill(number)
    #expect(process.wait().status == 128 + number)
    let said = try String(contentsOf: errors, encoding: .utf8)
    #expect(
      said == """
        error: scenec crashed (\(name))
          help: if memory or threads are short, free some or raise 'ulimit -v' and 'ulimit -u'; \
        otherwise report a bug

        """)
    #expect(folder.data("a.mp4") == Data("old".utf8))
  }
}
