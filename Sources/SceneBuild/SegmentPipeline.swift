// SPDX-License-Identifier: MIT
import SceneCLI
import SceneAV
import SceneGraphics
import SceneIR
import SceneLower
import SceneLanguage
import SceneModel
import SceneRaster
import SceneSystem
import SceneVideo

/// Segments are drawn and encoded side by side by workers, and their packets handed on in order.
///
/// A worker has one canvas, one picture and one encoder, however long the video is; at most
/// `2 * workers` finished segments wait for an earlier one, and those of a run.
final class SegmentPipeline: Sendable {
  private struct State {
    var ready: [Int: [VideoPacket]] = [:]
    /// Runs that were claimed, and segments that were handed on.
    var claimedRuns = 0
    var written = 0
    var frames = 0
    var fault: BuildFault?
    var isStopped = false
  }

  private let model: SceneModel
  private let settings: VideoSettings
  private let headers: [UInt8]
  private let first: Int
  private let metrics: any TextMetrics
  private let resources: DrawingResources
  private let store: SegmentStore?
  private let waiting: Int
  private let state = Monitor(State())
  private let segments: [Segment]
  /// What a worker takes at a time.
  private let runs: [Range<Int>]

  /// `headers` are those of the file; every segment has to fit them. With a `store`, what other
  /// videos have in common with this one is taken from there.
  init(
    model: SceneModel, frames: Range<Int>, settings: VideoSettings, headers: [UInt8], workers: Int,
    metrics: any TextMetrics, resources: DrawingResources, store: SegmentStore?
  ) {
    self.store = store
    self.model = model
    self.settings = settings
    self.headers = headers
    self.metrics = metrics
    self.resources = resources
    first = frames.lowerBound
    waiting = 2 * workers
    segments = SegmentPlanner(model).segments(of: frames)
    runs = SegmentRuns(model).runs(of: segments, workers: workers)
  }

  /// Makes all segments with `workers` threads; `consume` gets the packets in order, with the frame at
  /// which their segment starts, on this thread.
  ///
  /// `progress` gets the number of frames that are done, and may stop the rest by a fault.
  func run(
    workers: Int, progress: (Int) throws(BuildFault) -> Void,
    consume: (VideoPacket, _ start: Int) throws(BuildFault) -> Void
  ) throws(BuildFault) {
    let crew = try WorkerThread.start(workers) { [self] in work() }
    defer {
      state.update { $0.isStopped = true }
      for thread in crew { thread.join() }
    }
    enum Event {
      case packets([VideoPacket], Int)
      case frames(Int)
      case end
      case fault(BuildFault)
    }
    var shown = 0
    while true {
      let event = state.wait { state -> Event? in
        if let fault = state.fault { return .fault(fault) }
        if let packets = state.ready.removeValue(forKey: state.written) {
          state.written += 1
          return .packets(packets, segments[state.written - 1].frames.lowerBound - first)
        }
        if state.frames > shown { return .frames(state.frames) }
        return segments.count == state.written ? .end : nil
      }
      switch event {
      case .packets(let packets, let start):
        for packet in packets { try consume(packet, start) }
      case .frames(let count):
        shown = count
        try progress(count)
      case .end: return
      case .fault(let fault): throw fault
      }
    }
  }

  /// Whether the video ends with a segment.
  private func isLast(_ segment: Segment) -> Bool {
    segment.frames.upperBound == segments.last?.frames.upperBound
  }

  // MARK: Workers

  private func work() {
    do {
      let worker = try Worker(self)
      while let run = claim() {
        for index in run {
          guard let packets = try worker.make(segments[index]) else { return }
          state.update { $0.ready[index] = packets }
        }
      }
    } catch {
      state.update { $0.fault = $0.fault ?? BuildFault(error) }
    }
  }

  /// The numbers of the next segments; `nil` when there are none or the work is stopped.
  private func claim() -> Range<Int>? {
    state.wait { state -> Range<Int>?? in
      if state.isStopped || state.fault != nil || state.claimedRuns == runs.count {
        return .some(nil)
      }
      guard runs[state.claimedRuns].lowerBound < state.written + waiting else { return nil }
      state.claimedRuns += 1
      return runs[state.claimedRuns - 1]
    }
  }

  /// What one thread draws and encodes with.
  private final class Worker {
    private let pipeline: SegmentPipeline
    private let canvas: Canvas
    private let picture: VideoFrame
    private var lowerer: Lowerer
    private var content: SegmentContent?

    init(_ pipeline: SegmentPipeline) throws {
      self.pipeline = pipeline
      let model = pipeline.model
      let settings = pipeline.settings
      canvas = try Canvas(
        settings.size, isOpaque: !settings.pixelFormat.hasAlpha, resources: pipeline.resources)
      picture = try VideoFrame(settings.size, settings.pixelFormat)
      lowerer = Lowerer(model, metrics: pipeline.metrics, size: pipeline.settings.size)
      if pipeline.store != nil {
        content = SegmentContent(model, metrics: pipeline.metrics, size: pipeline.settings.size)
      }
    }

    /// A still segment is encoded with less effort, if this x264 then writes the same headers.
    private func encoder(_ segment: Segment) throws(VideoFault) -> VideoEncoder {
      if segment.isStill {
        let still = try VideoEncoder(pipeline.settings, .still)
        if still.headers == pipeline.headers { return still }
      }
      return try VideoEncoder(pipeline.settings, .moving)
    }

    /// The packets of a segment; `nil` when the work is stopped.
    func make(_ segment: Segment) throws -> [VideoPacket]? {
      guard let store = pipeline.store, let bytes = try content?.bytes(of: segment) else {
        return try encode(segment)
      }
      let key = try SegmentStore.key(
        bytes, pipeline.settings, endsVideo: pipeline.isLast(segment))
      if let known = try store.packets(key) {
        return isStopped(after: segment.frames.count) ? nil : known
      }
      let made = try encode(segment)
      if let made { try store.keep(made, key) }
      return made
    }

    /// Counts frames that are done.
    private func isStopped(after count: Int) -> Bool {
      pipeline.state.update { state in
        state.frames += count
        return state.isStopped || state.fault != nil
      }
    }

    private func encode(_ segment: Segment) throws -> [VideoPacket]? {
      let encoder = try self.encoder(segment)
      var packets: [VideoPacket] = []
      var last: FrameProgram?
      for frame in segment.frames {
        let program: FrameProgram
        if segment.isStill, let last {
          program = last
        } else {
          program = lowerer.lower(frame: frame)
        }
        let isRepeated = program == last
        if !isRepeated {
          try canvas.draw(program)
          try picture.take(canvas)
          last = program
        }
        packets += try encoder.encode(
          picture, index: frame - segment.frames.lowerBound, isRepeated: isRepeated)
        if isStopped(after: 1) { return nil }
      }
      return packets + (try encoder.finish(endsVideo: pipeline.isLast(segment)))
    }
  }
}
