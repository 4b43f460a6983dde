// SPDX-License-Identifier: MIT
import SceneCLI
import SceneAV
import SceneClips
import SceneGraphics
import SceneIR
import SceneLower
import SceneLanguage
import SceneModel
import SceneOutput
import SceneRaster
import SceneSystem
import SceneVideo
import Scenec

/// Segments are drawn and encoded side by side by workers, and their packets handed on in order.
///
/// A worker that draws has one canvas for each size, one picture for each format and one encoder for each file, however
/// long the video is; at most `2 * workers` finished segments wait for an earlier one, and those of a run.
final class SegmentPipeline: Sendable {
  private struct State {
    /// For each segment the packets of each file.
    var ready: [Int: [[VideoPacket]]] = [:]
    /// Runs that were claimed, and segments that were handed on.
    var claimedRuns = 0
    var workers = 0
    var written = 0
    var frames = 0
    var fault: BuildFault?
    var isStopped = false
  }

  private let film: Film
  private let outputs: [Output]
  private let store: PacketStore?
  private let timings: Timings?
  private let waiting: Int
  private let state = Monitor(State())
  private let segments: [Segment]
  /// What a worker takes at a time.
  private let runs: [Range<Int>]

  /// A file that gets packets: every segment has to fit its headers.
  typealias Output = (settings: VideoSettings, headers: [UInt8])

  /// Makes all or some of the segments of a film. With a `store`, segments that are there already
  /// are neither drawn nor encoded.
  init(
    _ film: Film, _ segments: [Segment], for outputs: [Output], workers: Int, store: PacketStore?,
    _ timings: Timings?
  ) {
    self.store = store
    self.timings = timings
    self.film = film
    self.segments = segments
    self.outputs = outputs
    waiting = 2 * workers
    runs = SegmentRuns(film.model).runs(of: segments, workers: workers)
  }

  /// Makes all segments with `workers` threads; `consume` gets the packets of each file in order, with
  /// the frame at which their segment starts, on this thread.
  ///
  /// `progress` gets the number of frames that are done, and may stop the rest by a fault.
  func run(
    workers: Int, progress: (Int) throws(BuildFault) -> Void,
    consume: (_ file: Int, VideoPacket, _ start: Int) throws(BuildFault) -> Void
  ) throws(BuildFault) {
    let crew = try WorkerThread.start(workers) { [self] in work() }
    defer {
      state.update { $0.isStopped = true }
      for thread in crew { thread.join() }
    }
    enum Event {
      case packets([[VideoPacket]], Int)
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
          return .packets(
            packets, segments[state.written - 1].frames.lowerBound - film.frames.lowerBound)
        }
        if state.frames > shown { return .frames(state.frames) }
        return segments.count == state.written ? .end : nil
      }
      switch event {
      case .packets(let packets, let start):
        for (file, packets) in packets.enumerated() {
          for packet in packets { try consume(file, packet, start) }
        }
      case .frames(let count):
        shown = count
        try progress(count)
      case .end: return
      case .fault(let fault): throw fault
      }
    }
  }

  /// For each file the packets of a segment where they are copied.
  private func copied(_ segment: Segment) throws -> [[VideoPacket]?] {
    guard let copied = segment.copied, outputs.contains(where: { $0.settings.copied != nil })
    else { return outputs.map { _ in nil } }
    let packets = try film.resources.images.clips.packets(copied.clip, copied.pictures)
    return try outputs.map { output in
      guard output.settings.copied != nil else { return nil }
      return try packets.map {
        try VideoPacket(copying: $0.bytes, frame: $0.index, isKey: $0.isKey)
      }
    }
  }

  // MARK: Workers

  private func work() {
    do {
      let number = state.update { state in
        state.workers += 1
        return state.workers
      }
      let worker = try Worker(self, number)
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

  /// Counts frames that are done; whether that is enough.
  private func isStopped(after count: Int) -> Bool {
    state.update { state in
      state.frames += count
      return state.isStopped || state.fault != nil
    }
  }

  /// What one thread takes from the store, or draws and encodes.
  private final class Worker {
    private let pipeline: SegmentPipeline
    private var keys: SegmentKeys?
    /// Made for the first segment that has to be drawn.
    private lazy var drawing = Result { try Drawing(pipeline, number) }
    private let number: Int
    private var timings: Timings? { pipeline.timings }

    init(_ pipeline: SegmentPipeline, _ number: Int) throws {
      self.pipeline = pipeline
      self.number = number
      if pipeline.store != nil {
        keys = try SegmentKeys(pipeline.film, pipeline.outputs.map(\.settings))
      }
    }

    /// The packets of a segment for each file; `nil` when the work is stopped.
    func make(_ segment: Segment) throws -> [[VideoPacket]]? {
      var packets = try pipeline.copied(segment)
      func missing() -> [Int] { packets.indices.filter { packets[$0] == nil } }
      var known: [SegmentKey]?
      if !missing().isEmpty {
        known = try timings.measure(.key, thread: number) { try keys?.keys(of: segment) }
      }
      if let store = pipeline.store, let known {
        try timings.measure(.read, thread: number) {
          for file in missing() {
            packets[file] = try store.read(known[file].packets)
              .flatMap { try VideoPacket.packets($0) }
          }
        }
      }
      let drawn = missing()
      if drawn.isEmpty {
        if pipeline.isStopped(after: segment.frames.count) { return nil }
      } else {
        if let key = drawn.first.flatMap({ known?[$0] }) { pipeline.store?.noteOther(key) }
        guard let made = try drawing.get().encode(segment, for: drawn) else { return nil }
        for (file, made) in zip(drawn, made) {
          if let key = known?[file] {
            timings.measure(.keep, thread: number) {
              pipeline.store?.keep(VideoPacket.bytes(of: made), key)
            }
          }
          packets[file] = made
        }
      }
      if known != nil { pipeline.store?.count(isDrawn: !drawn.isEmpty) }
      return packets.map { $0 ?? [] }
    }
  }

  /// What one thread draws and encodes with.
  private final class Drawing {
    private let pipeline: SegmentPipeline
    private let drawer: FrameDrawer
    private let pictures: PictureSet
    private var lowerer: Lowerer
    private let number: Int
    private var timings: Timings? { pipeline.timings }

    init(_ pipeline: SegmentPipeline, _ number: Int) throws {
      self.pipeline = pipeline
      self.number = number
      let film = pipeline.film
      drawer = try FrameDrawer(film.drawing, film.resources)
      pictures = try PictureSet(film.drawing)
      lowerer = Lowerer(film.model, metrics: film.metrics)
    }

    /// The packets of a segment for some of the files; `nil` when the work is stopped.
    func encode(_ segment: Segment, for files: [Int]) throws -> [[VideoPacket]]? {
      var streams = try files.map { try Stream(pipeline, file: $0, segment) }
      var last: FrameProgram?
      for frame in segment.frames {
        pipeline.film.pace()
        let program: FrameProgram
        if segment.isStill, let last {
          program = last
        } else {
          program = timings.measure(.lower, thread: number) { lowerer.lower(frame: frame) }
        }
        let isRepeated = program == last
        if !isRepeated {
          try timings.measure(.draw, thread: number, frame: frame) {
            try drawer.draw(program, frame: frame, into: pictures)
          }
          last = program
        }
        try timings.measure(.encode, thread: number) {
          for index in streams.indices {
            try streams[index].encode(
              pictures, index: frame - segment.frames.lowerBound, isRepeated: isRepeated)
          }
        }
        if pipeline.isStopped(after: 1) { return nil }
      }
      let endsVideo = segment.frames.upperBound == pipeline.film.frames.upperBound
      return try streams.map { try $0.packets + $0.encoder.finish(endsVideo: endsVideo) }
    }
  }

  /// The packets of one segment for one file.
  private struct Stream {
    let encoder: VideoEncoder
    private let form: Int
    private(set) var packets: [VideoPacket] = []

    /// A still segment is encoded with less effort, if this x264 then writes the same headers.
    init(_ pipeline: SegmentPipeline, file: Int, _ segment: Segment) throws(VideoFault) {
      form = pipeline.film.drawing.formOfFile[file]
      let (settings, headers) = pipeline.outputs[file]
      let still = segment.isStill ? try VideoEncoder(settings, .still) : nil
      encoder =
        if let still, still.headers == headers { still } else {
          try VideoEncoder(settings, .moving)
        }
    }

    mutating func encode(_ pictures: PictureSet, index: Int, isRepeated: Bool) throws(VideoFault) {
      guard let frame = pictures.frames[form] else { return }
      packets += try encoder.encode(frame, index: index, isRepeated: isRepeated)
    }
  }
}
