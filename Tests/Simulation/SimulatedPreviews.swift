// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneCLI
import SceneOutput
import ScenePreview
import SceneServer
import SceneSession
import SceneSystem

/// The previews that a keeper starts, with threads in place of processes. Each one has its own
/// network.
// Safe: only the thread that holds the baton of the scheduler accesses the state.
final class SimulatedPreviews: @unchecked Sendable {
  /// A preview in place of the process `scenec watch --live`.
  final class Process: KeptProcess, @unchecked Sendable {
    let number: Int32
    private let run: Run
    private let socket: Int32
    private var status: Int32 = 0
    fileprivate(set) var network: SimulatedNetwork?
    fileprivate(set) var hasEnded = false

    init(_ number: Int32, _ socket: Int32, _ run: Run) {
      (self.number, self.socket, self.run) = (number, socket, run)
    }

    var seconds: Double { run.scheduler.time / .seconds(1) }

    let memory = 50 << 20

    func signal(_ number: Int32) {
      guard !hasEnded else { return }
      run.note("the preview \(self.number) dies")
      hasEnded = true
      status = -number
      scene_shut(socket)
    }

    func waitForEnd() -> Int32 { status }
  }

  private let run: Run
  private(set) var started: [Process] = []

  init(_ run: Run) { self.run = run }

  /// Starts a preview of a scene with its connection to the keeper.
  func start(_ path: String) -> (socket: Int32, process: any KeptProcess) {
    let ends = scene_socket_pair()
    let process = Process(Int32(started.count + 1), ends.other, run)
    started.append(process)
    _ = run.thread("preview \(process.number)") { [run] in
      let load = Films.load()
      var call = Preview.Call(
        path: path, load: load, check: load.check,
        build: Films.options("watch", path, "--progress", "none"), .manual())
      let link = EditorLink(socket: ends.other)
      (call.link, call.clock) = (link, run.scheduler)
      let preview = Preview(call, port: 4400 + Int(process.number), token: "token") {
        process.network = SimulatedNetwork($0, run)
        return process.network
      }
      guard let preview else { run.fail("no preview") }
      while !link.isEnded { run.scheduler.sleep(for: .milliseconds(500)) }
      preview.end()
      process.hasEnded = true
      close(ends.other)
    }
    return (ends.own, process)
  }
}
