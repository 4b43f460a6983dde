// SPDX-License-Identifier: MIT
import SceneCLI
import SceneAV
import SceneGraphics
import SceneAV
import SceneIR
import SceneLanguage
import SceneLower
import SceneModel
import SceneRaster
import SceneSystem
import SceneVideo

/// What a worker makes of a frame program.
enum Picture: Sendable {
  case video(VideoFrame)
  /// An image file.
  case still([UInt8])
  /// The frame equals the one before it.
  case same
}

/// Frames are drawn side by side by workers and handed on in order.
///
/// At most `workers + 2` pictures exist at a time, however long the video is. A worker compares its
/// program with that of the frame before, which another one may have made: an equal frame is neither
/// drawn nor converted.
final class FramePipeline: Sendable {
  enum Kind: Sendable {
    case video(PixelFormat)
    /// In the colours of palettes.
    case paletted(PalettePass)
    case png
  }

  private struct State {
    /// The next frame that nobody has taken.
    var next: Int
    /// Programs that the worker of the frame after waits for.
    var programs: [Int: FrameProgram] = [:]
    var ready: [Int: Picture] = [:]
    var free: [VideoFrame?] = []
    var fault: BuildFault?
    var isStopped = false

    var isOver: Bool { isStopped || fault != nil }
  }

  private let model: SceneModel
  private let metrics: any TextMetrics
  private let frames: Range<Int>
  private let kind: Kind
  private let size: PixelSize
  private let isOpaque: Bool
  private let resources: DrawingResources
  private let state: Monitor<State>

  init(
    model: SceneModel, frames: Range<Int>, size: PixelSize, kind: Kind, isOpaque: Bool,
    workers: Int,
    metrics: any TextMetrics, resources: DrawingResources
  ) throws(BuildFault) {
    self.model = model
    self.metrics = metrics
    self.frames = frames
    self.kind = kind
    self.isOpaque = isOpaque
    self.resources = resources
    self.size = size
    var state = State(next: frames.lowerBound)
    for _ in 0..<(workers + 2) {
      switch kind {
      case .video, .paletted:
        do {
          state.free.append(try VideoFrame(size, kind.format))
        } catch {
          throw .video(error)
        }
      case .png: state.free.append(nil)
      }
    }
    self.state = Monitor(state)
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
      case .still: give(back: nil)
      case .same: break
      }
    }
  }

  private func give(back frame: VideoFrame?) { state.update { $0.free.append(frame) } }

  // MARK: Workers

  private func work() {
    do {
      let canvas = try Canvas(size, isOpaque: isOpaque, resources: resources)
      var lowerer = Lowerer(model, metrics: metrics, size: size)
      while let (index, frame) = claim() {
        let program = lowerer.lower(frame: index)
        if program == exchange(program, index) {
          state.update {
            $0.ready[index] = .same
            $0.free.append(frame)
          }
          continue
        }
        try canvas.draw(program)
        let picture = try convert(canvas, frame, index)
        state.update { $0.ready[index] = picture }
      }
    } catch {
      state.update { $0.fault = $0.fault ?? BuildFault(error) }
    }
  }

  private func convert(_ canvas: Canvas, _ frame: VideoFrame?, _ index: Int) throws -> Picture {
    switch kind {
    case .png: return .still(try canvas.png())
    case .video, .paletted:
      guard let frame else { preconditionFailure("a video picture comes with its frame") }
      if case .paletted(let pass) = kind {
        try frame.take(canvas.rgba(), pass.palette(of: index))
      } else {
        try frame.take(canvas)
      }
      return .video(frame)
    }
  }

  /// The next frame, and a picture to draw it in; `nil` when there is none or the work is stopped.
  ///
  /// Number and picture are taken under one lock: else a later frame could hold the last picture.
  private func claim() -> (Int, VideoFrame?)? {
    state.wait { state -> (Int, VideoFrame?)?? in
      if state.isOver || state.next == frames.upperBound { return .some(nil) }
      guard let frame = state.free.popLast() else { return nil }
      state.next += 1
      return (state.next - 1, frame)
    }
  }

  /// Hands the program of a frame on; that of the frame before, once it is there.
  private func exchange(_ program: FrameProgram, _ index: Int) -> FrameProgram? {
    state.update { $0.programs[index] = program }
    guard index > frames.lowerBound else { return nil }
    return state.wait { state -> FrameProgram?? in
      if state.isOver { return .some(nil) }
      guard let before = state.programs.removeValue(forKey: index - 1) else { return nil }
      return before
    }
  }
}

extension FramePipeline.Kind {
  /// Of the pictures that are encoded.
  fileprivate var format: PixelFormat {
    if case .video(let format) = self { format } else { .pal8 }
  }
}

extension VideoFrame {
  /// Becomes what a canvas shows.
  func take(_ canvas: Canvas) throws(VideoFault) {
    guard isWrittenDirectly else { return try take(canvas.rgba()) }
    try withPlanes { y, u, v, strides in
      canvas.writeYUV(&y, &u, &v, strides: strides, isSubsampled: format == .yuv420p)
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
