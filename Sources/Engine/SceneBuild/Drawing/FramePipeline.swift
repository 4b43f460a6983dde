// SPDX-License-Identifier: MIT
import SceneAV
import SceneFiles
import SceneIR
import SceneLower
import SceneModel
import SceneRaster
import SceneSystem
import SceneWriting

/// A pipeline in which workers render frames concurrently and each file receives all frames in
/// order on its own thread.
///
/// At most `workers + 2` image sets exist at a time, independent of the length of the video. A
/// worker compares its frame program with that of the previous frame, which another worker may have
/// lowered. An equal frame is neither rendered nor converted.
final class FramePipeline: Sendable {
  /// A rendered frame that some files have not received yet.
  private struct Ready {
    /// The index of the image set; `nil` if the frame equals the previous one.
    let set: Int?
    var left: Int
  }

  private struct State {
    /// The next unclaimed frame.
    var next: Int
    /// Frame programs for comparison by the workers of the following frames.
    var programs: [Int: FrameProgram] = [:]
    var ready: [Int: Ready] = [:]
    var free: [Int]
    /// The number of files that still need each image set.
    var holders: [Int]
    /// The number of frames that each file has received.
    var taken: [Int]
    var ended = 0
    var failure: BuildError?
    var isStopped = false

    var isOver: Bool { isStopped || failure != nil }
  }

  private let film: Film
  private let files: [OrderedFile]
  private let plan: DrawingPlan
  private let palettes: [Int: PalettePass]
  private let sets: [PictureSet]
  private let judge: FlashJudge
  private let state: Monitor<State>

  /// Prepares a video for `run`. `palettes` maps the indices of paletted views to their palettes.
  init(
    _ film: Film, _ files: [OrderedFile], palettes: [Int: PalettePass], judge: FlashJudge,
    workers: Int
  ) throws(BuildError) {
    self.film = film
    self.judge = judge
    self.files = files
    self.palettes = palettes
    plan = film.drawing
    do throws(VideoError) {
      var sets: [PictureSet] = []
      for _ in 0..<(workers + 2) { sets.append(try PictureSet(plan)) }
      self.sets = sets
    } catch {
      throw .media(.video(error))
    }
    state = Monitor(
      State(
        next: film.frames.lowerBound, free: Array(sets.indices),
        holders: sets.map { _ in 0 }, taken: files.map { _ in 0 }))
  }

  /// Renders all frames on `workers` threads. `progress` receives the number of frames that all
  /// files have received, and can throw to stop the pipeline. `leave` receives the threads at the
  /// end.
  func run(
    workers: Int, leave: ([WorkerThread]) -> Void, progress: (Int) throws(BuildError) -> Void
  ) throws(BuildError) {
    var threads = try WorkerThread.start(workers) { [self] in work() }
    defer {
      state.update { $0.isStopped = true }
      leave(threads)
    }
    for file in files.indices {
      threads += try WorkerThread.start(1) { [self] in serve(file) }
    }
    var shown = 0
    while true {
      let count = state.wait { state -> Result<Int, BuildError>? in
        if let failure = state.failure { return .failure(failure) }
        let count = state.taken.min() ?? 0
        return count > shown || state.ended == files.count ? .success(count) : nil
      }
      let done = try count.get()
      if done > shown { try progress(done) }
      if done == shown { return }
      shown = done
    }
  }

  // MARK: Files

  /// Passes all frames to a file, in order.
  private func serve(_ file: Int) {
    do throws(MediaError) {
      var held: Int?
      for index in film.frames {
        guard let (set, _) = take(index) else { return }
        if file == 0 { judge.add(set.flatMap { sets[$0].grid }) }
        try files[file].take(index, set.map { sets[$0] })
        state.update { state in
          state.taken[file] += 1
          if set != nil, let held { release(held, &state) }
        }
        held = set ?? held
      }
      try files[file].end(isUnwanted: film.isUnwanted)
      state.update { state in
        if let held { release(held, &state) }
        state.ended += 1
      }
    } catch {
      state.update { $0.failure = $0.failure ?? .media(error) }
    }
  }

  /// Blocks until the frame `index` is available and takes it for one file. Returns `nil` when the
  /// pipeline has stopped.
  private func take(_ index: Int) -> (set: Int?, left: Int)? {
    state.wait { state -> (set: Int?, left: Int)?? in
      if state.isOver { return .some(nil) }
      guard var ready = state.ready.removeValue(forKey: index) else { return nil }
      ready.left -= 1
      if ready.left > 0 { state.ready[index] = ready }
      return (ready.set, ready.left)
    }
  }

  private func release(_ set: Int, _ state: inout State) {
    state.holders[set] -= 1
    if state.holders[set] == 0 { state.free.append(set) }
  }

  // MARK: Workers

  private func work() {
    do {
      let drawer = try FrameDrawer(
        plan, film.resources, hasGrids: true, isUnwanted: film.isUnwanted
      ) { [palettes] view, frame in
        palettes[view]?.palette(of: frame)
      }
      var lowerer = Lowerer(film.model, metrics: film.metrics)
      while let (index, set) = claim() {
        film.pace()
        guard let program = lowerer.lower(frame: index, isUnwanted: film.isUnwanted) else {
          throw DrawingError.givenUp
        }
        let isSame = program == exchange(program, index)
        if !isSame { try drawer.draw(program, frame: index, into: sets[set]) }
        state.update { state in
          state.ready[index] = Ready(set: isSame ? nil : set, left: files.count)
          if isSame { state.free.append(set) } else { state.holders[set] = files.count }
        }
      }
    } catch {
      state.update { $0.failure = $0.failure ?? BuildError(error) }
    }
  }

  /// Returns the next frame and an image set to render it into; `nil` when all frames are claimed
  /// or the pipeline has stopped.
  ///
  /// Both are claimed under one lock. Otherwise a later frame could hold the last free image set.
  private func claim() -> (Int, Int)? {
    state.wait { state -> (Int, Int)?? in
      if state.isOver || state.next == film.frames.upperBound { return .some(nil) }
      guard let set = state.free.popLast() else { return nil }
      state.next += 1
      return (state.next - 1, set)
    }
  }

  /// Publishes the frame program of a frame, blocks until that of the previous frame is available,
  /// and returns it. Returns `nil` for the first frame and after the end of the pipeline.
  private func exchange(_ program: FrameProgram, _ index: Int) -> FrameProgram? {
    state.update { $0.programs[index] = program }
    guard index > film.frames.lowerBound else { return nil }
    return state.wait { state -> FrameProgram?? in
      if state.isOver { return .some(nil) }
      guard let before = state.programs.removeValue(forKey: index - 1) else { return nil }
      return before
    }
  }
}

/// The error that ended a build.
enum BuildError: Error, Sendable {
  case drawing(DrawingError)
  case media(MediaError)
  case interrupted(Int32)

  init(_ error: any Error) {
    switch error {
    case let failure as DrawingError: self = .drawing(failure)
    case let failure as VideoError: self = .media(.video(failure))
    case let failure as MediaError: self = .media(failure)
    case let failure as BuildError: self = failure
    default: self = .media(.file(FileError("\(error)")))
    }
  }
}
