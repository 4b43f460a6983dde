// SPDX-License-Identifier: MIT
import SceneBuild
import SceneOutput
import SceneCheck
import SceneJSON
import SceneModel
import SceneSession
import SceneSystem
import SceneDiagnostics
import SceneIR

/// The exports requested by pages, one at a time, and the exported and built videos.
final class Exports: Sendable {
  private struct State {
    var last = 0
    var running: Int?
    var isStopped = false
    /// The videos by job. The video of the scene is job 0.
    var made: [Int: BuiltFile] = [:]
    var thread: WorkerThread?
  }

  /// The parameters of an export.
  struct Order: Sendable {
    let output: OutputRequest
    let frames: Range<Int>?
    let check: CheckOptions
  }

  private let call: Preview.Call
  private let outlet: Outlet
  private let state = Monitor(State())

  init(_ call: Preview.Call, _ outlet: Outlet) {
    self.call = call
    self.outlet = outlet
  }

  var check: CheckOptions { call.check }

  /// Returns the finished file of an export job, or the video of the scene for job 0.
  func made(_ job: Int) -> BuiltFile? { state.update { $0.made[job] } }

  /// Records the built video.
  func filmIsMade(_ file: BuiltFile) { state.update { $0.made[0] = file } }

  /// Starts an export and returns its job number.
  func start(_ order: Order) throws(Refusal) -> Int {
    let begun: (job: Int, old: WorkerThread?)? = state.update { state in
      guard state.running == nil else { return nil }
      state.last += 1
      (state.running, state.isStopped) = (state.last, false)
      defer { state.thread = nil }
      return (state.last, state.thread)
    }
    guard let (job, old) = begun else {
      throw Refusal("busy", "an export is already running; stop it or wait for it to finish")
    }
    old?.join()
    let thread = WorkerThread { [self] in
      OwnProcess.giveWay()
      run(order, job)
    }
    state.update { $0.thread = thread }
    return job
  }

  func stop(_ job: Int) { state.update { if $0.running == job { $0.isStopped = true } } }

  func end() {
    state.update { state -> WorkerThread? in
      state.isStopped = true
      return state.thread
    }?.join()
  }

  private func run(_ order: Order, _ job: Int) {
    let path = order.output.path
    tell(job, "drawing", path: path)
    var lastEvent = call.clock.now
    let options = call.build.export(order.output, frames: order.frames)
    let outcome = FilmJob(
      call.path, load: call.load, options: options, interruption: call.interruption,
      clock: call.clock
    ).run(
      order.check, isStopped: { [self] in state.update(\.isStopped) },
      hasDrawn: { [self] done, count in
        guard call.clock.now - lastEvent > .milliseconds(100) else { return }
        lastEvent = call.clock.now
        tell(job, "drawing", path: path, more: ["frame": .int(done), "of": .int(count)])
      })
    let made: BuiltFile? = if case .done(let files) = outcome { files.first } else { nil }
    state.update { state in
      state.running = nil
      if let made { state.made[job] = made }
    }
    switch outcome {
    case .done: tell(job, "done", path: path, more: ["tracks": made?.tracksJSON ?? []])
    case .stopped: tell(job, "stopped", path: path)
    case .failed(let reason): tell(job, "failed", path: path, more: ["reason": .string(reason)])
    }
  }

  private func tell(_ job: Int, _ word: String, path: String, more: [String: JSON] = [:]) {
    let all: [String: JSON] = [
      "job": .int(job), "state": .string(word), "path": .string(path), "frame": 0, "of": 0,
    ]
    outlet.event("job", all.merging(more) { $1 }, replaces: true)
  }
}

extension BuiltFile {
  /// The attributes of the text tracks.
  var tracksJSON: JSON {
    .array(
      tracks.map {
        [
          "kind": .string($0.kind.rawValue), "language": .string($0.language),
          "label": .string(visible($0.label)),
        ]
      })
  }
}
