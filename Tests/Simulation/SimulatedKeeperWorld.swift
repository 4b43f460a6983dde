// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneLSP
import SceneServer
import SceneSystem

/// The environment of a keeper whose worker processes and previews are threads of the simulation.
// Safe: only the thread that holds the baton of the scheduler accesses the state.
final class SimulatedKeeperWorld: KeeperWorld, @unchecked Sendable {
  let input: Int32
  var output: Int32 { input }
  /// The editor's end of the connection.
  let editor: Int32
  private let run: Run
  let previews: SimulatedPreviews
  private(set) var worker: SimulatedProcess?
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
    let made = SimulatedProcess("worker", number: count, socket: ends.other, run: run) { [run] _ in
      LanguageServer(
        EditorWorld(Films.load(), clock: run.scheduler), version: "simulated", socket: ends.other,
        clock: run.scheduler
      ).run()
    }
    worker = made
    return (ends.own, made)
  }
}
