// SPDX-License-Identifier: MIT
import SceneCLI
import SceneAV
import SceneFiles
import SceneIR
import SceneLower
import SceneModel
import SceneRaster
import SceneSystem
import Scenec

/// Frames are drawn side by side by workers and taken in order by the files, each on its own thread.
///
/// At most `workers + 2` pictures exist at a time, however long the video is. A worker compares its
/// program with that of the frame before, which another one may have made: an equal frame is neither
/// drawn nor converted.
final class FramePipeline: Sendable {
  /// A frame that waits for some of the files.
  private struct Ready {
    /// The number of its pictures; `nil` when the frame equals the one before it.
    let set: Int?
    var left: Int
  }

  private struct State {
    /// The next frame that nobody has taken.
    var next: Int
    /// Programs that the worker of the frame after waits for.
    var programs: [Int: FrameProgram] = [:]
    var ready: [Int: Ready] = [:]
    var free: [Int]
    /// For each set of pictures the files that still need it.
    var holders: [Int]
    /// For each file the frames that it has, and how many have ended.
    var taken: [Int]
    var ended = 0
    var fault: BuildFault?
    var isStopped = false

    var isOver: Bool { isStopped || fault != nil }
  }

  private let film: Film
  private let files: [OrderedFile]
  private let plan: DrawingPlan
  private let palettes: [Int: PalettePass]
  private let sets: [PictureSet]
  private let state: Monitor<State>

  /// `palettes` are those of views in few colors.
  init(_ film: Film, _ files: [OrderedFile], palettes: [Int: PalettePass], workers: Int)
    throws(BuildFault)
  {
    self.film = film
    self.files = files
    self.palettes = palettes
    plan = film.drawing
    do throws(VideoFault) {
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

  /// Draws all frames with `workers` threads. `progress` gets the number of frames that all files have,
  /// and may stop the rest by a fault. `leave` gets the threads at the end.
  func run(
    workers: Int, leave: ([WorkerThread]) -> Void, progress: (Int) throws(BuildFault) -> Void
  ) throws(BuildFault) {
    var crew = try WorkerThread.start(workers) { [self] in work() }
    defer {
      state.update { $0.isStopped = true }
      leave(crew)
    }
    for file in files.indices {
      crew += try WorkerThread.start(1) { [self] in serve(file) }
    }
    var shown = 0
    while true {
      let count = state.wait { state -> Result<Int, BuildFault>? in
        if let fault = state.fault { return .failure(fault) }
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

  /// Gives a file its frames, in order.
  private func serve(_ file: Int) {
    do throws(MediaFault) {
      var held: Int?
      for index in film.frames {
        guard let (set, _) = take(index) else { return }
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
      state.update { $0.fault = $0.fault ?? .media(error) }
    }
  }

  /// A frame for one of the files, once it is there; `nil` when the work is stopped.
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
      let drawer = try FrameDrawer(plan, film.resources, isUnwanted: film.isUnwanted) {
        [palettes] view, frame in palettes[view]?.palette(of: frame)
      }
      var lowerer = Lowerer(film.model, metrics: film.metrics)
      while let (index, set) = claim() {
        film.pace()
        guard let program = lowerer.lower(frame: index, isUnwanted: film.isUnwanted) else {
          throw DrawingFault.givenUp
        }
        let isSame = program == exchange(program, index)
        if !isSame { try drawer.draw(program, frame: index, into: sets[set]) }
        state.update { state in
          state.ready[index] = Ready(set: isSame ? nil : set, left: files.count)
          if isSame { state.free.append(set) } else { state.holders[set] = files.count }
        }
      }
    } catch {
      state.update { $0.fault = $0.fault ?? BuildFault(error) }
    }
  }

  /// The next frame, and pictures to draw it in; `nil` when there is none or the work is stopped.
  ///
  /// Both are taken under one lock: else a later frame could hold the last pictures.
  private func claim() -> (Int, Int)? {
    state.wait { state -> (Int, Int)?? in
      if state.isOver || state.next == film.frames.upperBound { return .some(nil) }
      guard let set = state.free.popLast() else { return nil }
      state.next += 1
      return (state.next - 1, set)
    }
  }

  /// Hands the program of a frame on; that of the frame before, once it is there.
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

/// Why there is no video.
enum BuildFault: Error, Sendable {
  case drawing(DrawingFault)
  case media(MediaFault)
  case interrupted(Int32)

  init(_ error: any Error) {
    switch error {
    case let fault as DrawingFault: self = .drawing(fault)
    case let fault as VideoFault: self = .media(.video(fault))
    case let fault as MediaFault: self = .media(fault)
    case let fault as BuildFault: self = fault
    default: self = .media(.file(FileFault("\(error)")))
    }
  }
}
