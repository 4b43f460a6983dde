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
  /// The cache keys; `nil` without a store.
  private let keys: SegmentKeys?
  /// The finished segments. Progress is counted in frames.
  private let work: OrderedWork<Piece, BuildError>

  /// A finished segment.
  private struct Piece {
    /// The packets for each file.
    var packets: [[VideoPacket]]
    /// The grids of the frames.
    var grids: SegmentGrids
  }

  /// The settings of an output file, and the headers that every segment must match.
  typealias Output = (settings: VideoSettings, headers: [UInt8])

  /// Prepares the rendering of all or some segments of a `Film`. Segments found in `store` are
  /// neither rendered nor encoded.
  init(
    _ film: Film, segments: [Segment], for outputs: [Output], workers: Int, store: PacketStore?,
    timings: Timings?
  ) throws {
    keys = store == nil ? nil : try SegmentKeys(film, outputs.map(\.settings))
    self.store = store
    self.timings = timings
    self.film = film
    self.segments = segments
    self.outputs = outputs
    work = OrderedWork(
      SegmentRuns(film.model).runs(of: segments, workers: workers), ahead: 2 * workers)
  }

  /// Renders all segments on `workers` threads. `consume` is called on the calling thread with the
  /// packets of each file, in order, and the first frame of their segment. The frames are passed to
  /// `judge` in the same order.
  ///
  /// `progress` receives the number of finished frames and can throw to stop the pipeline. `leave`
  /// receives the threads at the end.
  func run(
    workers: Int, judge: FlashJudge? = nil, leave: ([WorkerThread]) -> Void,
    progress: (Int) throws(BuildError) -> Void,
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
      case .piece(let piece, let number):
        judge?.add(piece.grids, count: segments[number].frames.count)
        let start = segments[number].frames.lowerBound - film.frames.lowerBound
        for (file, packets) in piece.packets.enumerated() {
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
      let worker = Worker(self, work.join())
      while let run = work.claim() {
        for index in run {
          guard let piece = try worker.make(segments[index]) else { return }
          work.finish(index, piece)
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
    /// The rendering state, which is created when the first segment is rendered.
    private lazy var drawing = Result { try Drawing(pipeline, number) }
    private let number: Int
    private var timings: Timings? { pipeline.timings }

    init(_ pipeline: SegmentPipeline, _ number: Int) {
      self.pipeline = pipeline
      self.number = number
    }

    /// Returns a segment; `nil` when the pipeline has stopped.
    func make(_ segment: Segment) throws -> Piece? {
      var packets = try pipeline.copied(segment)
      func missing() -> [Int] { packets.indices.filter { packets[$0] == nil } }
      var known: SegmentKeySet?
      var grids: ArraySlice<UInt8>?
      // Frames whose packets are copied are not decoded.
      let isJudged = !missing().isEmpty
      if isJudged {
        known = try timings.measure(.key, thread: number) { try pipeline.keys?.keys(of: segment) }
      }
      if let store = pipeline.store, let known {
        try timings.measure(.read, thread: number) {
          for file in missing() {
            packets[file] = try store.read(known.files[file].packets)
              .flatMap { try VideoPacket.packets($0) }
          }
          grids = store.read(known.grids)
        }
      }
      let drawn = missing()
      var gridsKey = known?.grids
      let isDrawn = isJudged && (!drawn.isEmpty || grids == nil)
      if !isDrawn {
        if pipeline.work.isOver(after: segment.frames.count) { return nil }
      } else {
        if let key = drawn.first.flatMap({ known?.files[$0] }) { pipeline.store?.noteOther(key) }
        guard let made = try drawing.get().encode(segment, for: drawn) else { return nil }
        // Once a damaged frame has been substituted, drawn segments are not cached, so that each
        // build repeats the warning.
        let isCacheable = pipeline.film.resources.images.clips.held == nil
        if isCacheable { keep(made, of: drawn, known) } else { gridsKey = nil }
        for (file, made) in zip(drawn, made.packets) { packets[file] = made }
        grids = made.grids.encoded
      }
      if known != nil { pipeline.store?.count(isDrawn: isDrawn) }
      return Piece(
        packets: packets.map { $0 ?? [] },
        grids: SegmentGrids(grids, key: gridsKey, isCached: isJudged && !isDrawn))
    }

    /// Caches a rendered segment.
    private func keep(_ made: Piece, of files: [Int], _ keys: SegmentKeySet?) {
      guard let keys else { return }
      timings.measure(.keep, thread: number) {
        for (file, packets) in zip(files, made.packets) {
          pipeline.store?.keep(VideoPacket.bytes(of: packets), keys.files[file])
        }
        if let grids = made.grids.encoded { pipeline.store?.keep(Array(grids), keys.grids) }
      }
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
      drawer = try FrameDrawer(
        film.drawing, film.resources, hasGrids: true, isUnwanted: film.isUnwanted)
      pictures = try PictureSet(film.drawing)
      lowerer = Lowerer(film.model, metrics: film.metrics)
    }

    /// Returns a segment with the packets for some of the files; `nil` when the pipeline has
    /// stopped.
    func encode(_ segment: Segment, for files: [Int]) throws -> Piece? {
      var streams = try files.map { try Stream(pipeline, file: $0, segment) }
      var grids = FlashGrids()
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
        grids.add(isRepeated ? nil : pictures.grid)
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
      let packets = try streams.map {
        try $0.packets
          + $0.encoder.finish(endsVideo: endsVideo, isUnwanted: pipeline.film.isUnwanted)
      }
      return Piece(packets: packets, grids: SegmentGrids(grids.bytes[...]))
    }
  }

  /// The encoder and the packets of one segment for one file.
  private struct Stream {
    let encoder: VideoEncoder
    private let form: Int
    private(set) var packets: [VideoPacket] = []

    /// Opens the encoder. Still segments use a faster preset if x264 produces the same headers.
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
