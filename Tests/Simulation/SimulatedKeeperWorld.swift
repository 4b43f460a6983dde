// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneLSP
import SceneServer
import SceneSystem

/// The environment of a keeper whose worker processes and previews are threads of the simulation.
// Safe: only the thread that holds the baton of the scheduler accesses the state.
final class SimulatedKeeperWorld: KeeperWorld, @unchecked Sendable {
  /// A thread in place of a worker process. The keeper detects its end when its socket is shut
  /// down.
  final class Worker: KeptProcess {
    let number: Int32
    private let run: Run
    private let socket: Int32
    private var status: Int32 = 0
    fileprivate(set) var hasEnded = false

    init(_ number: Int32, _ socket: Int32, _ run: Run) {
      (self.number, self.socket, self.run) = (number, socket, run)
    }

    var seconds: Double { run.scheduler.time / .seconds(1) }

    let memory = 50 << 20

    func signal(_ number: Int32) {
      guard !hasEnded else { return }
      run.note("the worker \(self.number) dies")
      hasEnded = true
      status = -number
      scene_shut(socket)
    }

    func waitForEnd() -> Int32 { status }
  }

  let input: Int32
  var output: Int32 { input }
  /// The editor's end of the connection.
  let editor: Int32
  private let run: Run
  let previews: SimulatedPreviews
  private(set) var worker: Worker?
  private var count: Int32 = 0

  init(_ run: Run) {
    self.run = run
    previews = SimulatedPreviews(run)
    let ends = scene_socket_pair()
    (editor, input) = (ends.own, ends.other)
  }

  func start(_ words: [String]) -> (socket: Int32, process: any KeptProcess)? {
    if words.contains("--live") { return previews.start(words[2]) }
    // The program may be missing for a moment, for example while it is being installed.
    guard words.contains("--worker") else { return nil }
    let ends = scene_socket_pair()
    scene_unblock(ends.other)
    count += 1
    let made = Worker(count, ends.other, run)
    worker = made
    let handle = Held(made)
    _ = run.thread("worker \(count)") { [run] in
      LanguageServer(
        EditorWorld(Films.load(), clock: run.scheduler), version: "simulated", socket: ends.other,
        clock: run.scheduler
      ).run()
      handle.worker.hasEnded = true
      close(ends.other)
    }
    return (ends.own, made)
  }

  // Safe: only the thread that holds the baton accesses it.
  private final class Held: @unchecked Sendable {
    let worker: Worker

    init(_ worker: Worker) { self.worker = worker }
  }
}
