// SPDX-License-Identifier: MIT
import SceneAV
import SceneClips
import SceneEncoding
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneLower
import SceneModel
import SceneOutput
import SceneRaster
import SceneSystem
import SceneWriting

/// A pipeline in which workers render and encode segments concurrently and the packets are consumed
/// in order.
///
/// Each rendering worker has one canvas per size, one image per form and one encoder per file,
/// independent of the length of the video. At most `2 * workers` finished segments, plus the rest
/// of a run, wait for an earlier segment.
final class SegmentPipeline: Sendable {
  private let film: Film
  private let outputs: [Output]
  private let store: PacketStore?
  private let timings: Timings?
  private let segments: [Segment]
  /// The packets of each segment for each file. Progress is counted in frames.
  private let work: OrderedWork<[[VideoPacket]], BuildError>

  /// The settings of an output file, and the headers that every segment must match.
  typealias Output = (settings: VideoSettings, headers: [UInt8])

  /// Prepares the rendering of all or some segments of a film. Segments found in `store` are
  /// neither rendered nor encoded.
  init(
    _ film: Film, segments: [Segment], for outputs: [Output], workers: Int, store: PacketStore?,
    timings: Timings?
  ) {
    self.store = store
    self.timings = timings
    self.film = film
    self.segments = segments
    self.outputs = outputs
    work = OrderedWork(
      SegmentRuns(film.model).runs(of: segments, workers: workers), ahead: 2 * workers)
  }

  /// Renders all segments on `workers` threads. `consume` is called on the calling thread with the
  /// packets of each file, in order, and the first frame of their segment.
  ///
  /// `progress` receives the number of finished frames and can throw to stop the pipeline. `leave`
  /// receives the threads at the end.
  func run(
    workers: Int, leave: ([WorkerThread]) -> Void, progress: (Int) throws(BuildError) -> Void,
    consume: (_ file: Int, VideoPacket, _ start: Int) throws(BuildError) -> Void
  ) throws(BuildError) {
    let threads = try WorkerThread.start(workers) { [self] in draw() }
    defer {
      work.stop()
      leave(threads)
    }
    var shown = 0
    while true {
      switch work.next(shown: shown) {
      case .piece(let packets, let number):
        let start = segments[number].frames.lowerBound - film.frames.lowerBound
        for (file, packets) in packets.enumerated() {
          for packet in packets { try consume(file, packet, start) }
        }
      case .progress(let count):
        shown = count
        try progress(count)
      case .end: return
      case .failure(let failure): throw failure
      }
    }
  }

  /// Returns the packets of a segment for each file that copies them from the clip; `nil` for other
  /// files.
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

  private func draw() {
    do {
      let worker = try Worker(self, work.join())
      while let run = work.claim() {
        for index in run {
          guard let packets = try worker.make(segments[index]) else { return }
          work.finish(index, packets)
        }
      }
    } catch {
      work.fail(BuildError(error))
    }
  }

  /// The state of one worker thread, which reads segments from the store or renders and encodes
  /// them.
  private final class Worker {
    private let pipeline: SegmentPipeline
    private var keys: SegmentKeys?
    /// Created when the first segment is rendered.
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

    /// Returns the packets of a segment for each file; `nil` when the pipeline has stopped.
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
        if pipeline.work.isOver(after: segment.frames.count) { return nil }
      } else {
        if let key = drawn.first.flatMap({ known?[$0] }) { pipeline.store?.noteOther(key) }
        guard let made = try drawing.get().encode(segment, for: drawn) else { return nil }
        for (file, made) in zip(drawn, made) {
          // Segments with substituted frames of damaged clips are not cached, so each build repeats
          // the warning.
          if let key = known?[file], pipeline.film.resources.images.clips.held == nil {
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

  /// The rendering and encoding state of one worker thread.
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
      drawer = try FrameDrawer(film.drawing, film.resources, isUnwanted: film.isUnwanted)
      pictures = try PictureSet(film.drawing)
      lowerer = Lowerer(film.model, metrics: film.metrics)
    }

    /// Returns the packets of a segment for some of the files; `nil` when the pipeline has stopped.
    func encode(_ segment: Segment, for files: [Int]) throws -> [[VideoPacket]]? {
      var streams = try files.map { try Stream(pipeline, file: $0, segment) }
      var last: FrameProgram?
      for frame in segment.frames {
        pipeline.film.pace()
        let program: FrameProgram
        if segment.isStill, let last {
          program = last
        } else {
          let lowered = timings.measure(.lower, thread: number) {
            lowerer.lower(frame: frame, isUnwanted: pipeline.film.isUnwanted)
          }
          guard let lowered else { throw DrawingError.givenUp }
          program = lowered
        }
        let isRepeated = program == last
        if !isRepeated {
          try timings.measure(.draw, thread: number, frame: frame) {
            try drawer.draw(program, frame: frame, into: pictures)
          }
          last = program
        }
        try timings.measure(.encode, thread: number) {
          for index in streams.indices where !pipeline.film.isUnwanted() {
            try streams[index].encode(
              pictures, index: frame - segment.frames.lowerBound, isRepeated: isRepeated)
          }
        }
        if pipeline.work.isOver(after: 1) { return nil }
        if pipeline.film.isUnwanted() { throw BuildError.interrupted(0) }
      }
      let endsVideo = segment.frames.upperBound == pipeline.film.frames.upperBound
      return try streams.map {
        try $0.packets
          + $0.encoder.finish(endsVideo: endsVideo, isUnwanted: pipeline.film.isUnwanted)
      }
    }
  }

  /// The encoder and the packets of one segment for one file.
  private struct Stream {
    let encoder: VideoEncoder
    private let form: Int
    private(set) var packets: [VideoPacket] = []

    /// Uses a faster preset for a still segment if x264 produces the same headers with it.
    init(_ pipeline: SegmentPipeline, file: Int, _ segment: Segment) throws(VideoError) {
      form = pipeline.film.drawing.formOfFile[file]
      let (settings, headers) = pipeline.outputs[file]
      let still = segment.isStill ? try VideoEncoder(settings, .still) : nil
      encoder =
        if let still, still.headers == headers { still } else {
          try VideoEncoder(settings, .moving)
        }
    }

    mutating func encode(_ pictures: PictureSet, index: Int, isRepeated: Bool) throws(VideoError) {
      guard let frame = pictures.frames[form] else { return }
      packets += try encoder.encode(frame, index: index, isRepeated: isRepeated)
    }
  }
}
