// SPDX-License-Identifier: MIT
import SceneCLI
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneRaster
import SceneSystem
import SceneVideo

/// What a worker makes of a frame program.
enum Picture: Sendable {
  case video(VideoFrame)
  /// A PNG file.
  case png([UInt8])
  /// The frame equals the one before it.
  case same
}

/// Frames are drawn side by side by workers and handed on in order.
///
/// At most `workers + 2` pictures exist at a time, however long the video is. Programs are made in
/// order, so that a frame equal to the one before is known and neither drawn nor converted.
final class FramePipeline: Sendable {
  enum Kind: Sendable { case video(isSubsampled: Bool), png }

  private struct State {
    var ready: [Int: Picture] = [:]
    var free: [VideoFrame?] = []
    var fault: BuildFault?
    var isStopped = false
  }

  /// What claiming the next frame needs; used by one worker at a time.
  private struct Source {
    var next: Int
    var lowerer: Lowerer
    var last: FrameProgram?
  }

  private let frames: Range<Int>
  private let kind: Kind
  private let size: PixelSize
  private let isOpaque: Bool
  private let resources: DrawingResources
  private let state: Monitor<State>
  private let source: Monitor<Source>

  init(
    model: SceneModel, frames: Range<Int>, size: PixelSize, kind: Kind, isOpaque: Bool,
    workers: Int,
    metrics: any TextMetrics, resources: DrawingResources
  ) throws(BuildFault) {
    self.frames = frames
    self.kind = kind
    self.isOpaque = isOpaque
    self.resources = resources
    self.size = size
    var state = State()
    for _ in 0..<(workers + 2) {
      switch kind {
      case .video(let isSubsampled):
        do {
          state.free.append(try VideoFrame(size, isSubsampled: isSubsampled))
        } catch {
          throw .video(error)
        }
      case .png: state.free.append(nil)
      }
    }
    self.state = Monitor(state)
    source = Monitor(
      Source(next: frames.lowerBound, lowerer: Lowerer(model, metrics: metrics, size: size)))
  }

  /// Draws all frames with `workers` threads; `consume` gets them in order on this thread.
  ///
  /// It is called with `.same` for repeated ones. What it throws stops the rest.
  func run(
    workers: Int, consume: (Int, Picture) throws(BuildFault) -> Void
  ) throws(BuildFault) {
    let crew = try WorkerThread.start(workers) { [self] in work() }
    defer {
      state.update { $0.isStopped = true }
      for thread in crew { thread.join() }
    }
    var held: VideoFrame?
    for index in frames {
      let result = state.wait { state -> Result<Picture, BuildFault>? in
        if let fault = state.fault { return .failure(fault) }
        return state.ready.removeValue(forKey: index).map { .success($0) }
      }
      let picture = try result.get()
      try consume(index, picture)
      switch picture {
      case .video(let frame):
        if let held { give(back: held) }
        held = frame
      case .png: give(back: nil)
      case .same: break
      }
    }
  }

  private func give(back frame: VideoFrame?) { state.update { $0.free.append(frame) } }

  // MARK: Workers

  private func work() {
    do {
      let canvas = try Canvas(size, isOpaque: isOpaque, resources: resources)
      while let (index, program, frame) = claim() {
        try canvas.draw(program)
        let picture = try convert(canvas, frame)
        state.update { $0.ready[index] = picture }
      }
    } catch {
      state.update { $0.fault = $0.fault ?? BuildFault(error) }
    }
  }

  private func convert(_ canvas: Canvas, _ frame: VideoFrame?) throws -> Picture {
    switch kind {
    case .png: return .png(try canvas.png())
    case .video(let isSubsampled):
      guard let frame else { preconditionFailure("a video picture comes with its frame") }
      try frame.withPlanes { y, u, v, strides in
        canvas.writeYUV(&y, &u, &v, strides: strides, isSubsampled: isSubsampled)
      }
      return .video(frame)
    }
  }

  /// The next frame that differs from the one before, and a picture to draw it in.
  ///
  /// Number and picture are taken under one lock: else a later frame could hold the last picture.
  private func claim() -> (Int, FrameProgram, VideoFrame?)? {
    source.update { source in
      while source.next < frames.upperBound {
        let free = state.wait { state -> VideoFrame??? in
          if state.isStopped || state.fault != nil { return .some(nil) }
          return state.free.isEmpty ? nil : .some(state.free.removeLast())
        }
        guard let frame = free else { return nil }
        let index = source.next
        source.next += 1
        let program = source.lowerer.lower(frame: index)
        if program == source.last {
          state.update {
            $0.ready[index] = .same
            $0.free.append(frame)
          }
          continue
        }
        source.last = program
        return (index, program, frame)
      }
      return nil
    }
  }
}

/// Why there is no video.
enum BuildFault: Error, Sendable {
  case drawing(DrawingFault)
  case video(VideoFault)
  case world(String, help: String?)
  case interrupted(Int32)

  init(_ error: any Error) {
    switch error {
    case let fault as DrawingFault: self = .drawing(fault)
    case let fault as VideoFault: self = .video(fault)
    case let fault as BuildFault: self = fault
    default: self = .world("\(error)", help: nil)
    }
  }
}
