// SPDX-License-Identifier: MIT
import SceneBuild
import SceneOutput
import SceneCheck
import SceneJSON
import SceneModel
import SceneSession
import SceneSystem

/// The exports requested by pages, one at a time, and the paths of the exported and built videos.
final class Exports: Sendable {
  private struct State {
    var last = 0
    var running: Int?
    var isStopped = false
    /// The videos by job. The video of the scene is job 0.
    var made: [Int: Made] = [:]
    var thread: WorkerThread?
  }

  /// A video on disk, with the options of its build.
  struct Made: Sendable {
    let path: String
    let options: BuildOptions
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

  /// Returns the video of a job or of the scene.
  func made(_ job: Int) -> Made? { state.update { $0.made[job] } }

  /// Returns the interval of the scene that a video contains.
  func interval(of made: Made, in model: SceneModel, _ scene: String) -> Range<Ticks> {
    let plans = try? OutputPlans(made.options, scene: scene, model: model).plans
    let plan = plans?.first { $0.path == made.path }
    let frames = plan?.frames(of: model, made.options) ?? 0..<model.frameCount
    let rate = model.frameRate
    return rate.time(ofFrame: frames.lowerBound)..<rate.time(ofFrame: frames.upperBound)
  }

  /// Records the path of the built video.
  func filmIsMade(_ path: String) {
    state.update { $0.made[0] = Made(path: path, options: call.build) }
  }

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
    state.update { state in
      state.running = nil
      if case .done(let files) = outcome, let path = files.first {
        state.made[job] = Made(path: path, options: options)
      }
    }
    switch outcome {
    case .done: tell(job, "done", path: path)
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
