// SPDX-License-Identifier: MIT
import CProcess
import SceneCLI
import SceneOutput
import ScenePreview
import SceneServer
import SceneSession
import SceneSystem

/// The previews that a keeper starts in place of `scenec watch --live`. Each one has its own network.
// Safe: only the thread that holds the baton of the scheduler accesses the state.
final class SimulatedPreviews: @unchecked Sendable {
  private let run: Run
  private(set) var started: [SimulatedProcess] = []

  init(_ run: Run) { self.run = run }

  /// Starts a preview of a scene with its connection to the keeper.
  func start(_ path: String) -> (socket: Int32, process: any KeptProcess) {
    let ends = scene_socket_pair()
    let number = Int32(started.count + 1)
    let process = SimulatedProcess("preview", number: number, socket: ends.other, run: run) {
      [run] process in
      let load = Films.load()
      var call = Preview.Call(
        path: path, load: load, check: load.check,
        build: Films.options("watch", path, "--progress", "none"), .manual())
      let link = EditorLink(socket: ends.other)
      (call.link, call.clock) = (link, run.scheduler)
      let preview = Preview(call, port: 4400 + Int(number), token: "token") {
        process.network = SimulatedNetwork($0, run)
        return process.network
      }
      guard let preview else { run.fail("no preview") }
      while !link.isEnded { run.scheduler.sleep(for: .milliseconds(500)) }
      preview.end()
    }
    started.append(process)
    return (ends.own, process)
  }
}
