// SPDX-License-Identifier: MIT
import SceneOutput
import ScenePixels
import SceneRaster
import SceneSystem

/// Writes a film from pictures that a program makes, one after another: as long as one likes, with memory
/// that does not grow.
///
/// ```swift
/// let film = try FilmWriter(size: PixelSize(640, 360), rate: 30, to: "dot.mp4")
/// for frame in 0..<90 {
///   try film.append { drawing in
///     drawing.fill(.color(.white))
///     drawing.fill(.ellipse(center: Point(Double(frame) * 7, 180), rx: 20, ry: 20), .color(.black))
///   }
/// }
/// try film.finish()
/// ```
///
/// The ending of the path says what is written, as it does for scenec: `.mp4`, `.mov`, `.webm`, `.gif`,
/// stills such as `frame-%04d.png`, and more. The file appears whole when `finish` returns; of a film that is
/// let go of before, nothing stays.
///
/// One thread appends; another one encodes meanwhile. When it falls behind, `append` waits for it. In a task
/// that was cancelled, `append` throws `CancellationError`.
public final class FilmWriter {
  public let size: PixelSize
  /// Frames that were appended.
  public private(set) var frameCount = 0
  private let hasSound: Bool
  /// What is where nothing is drawn.
  private let background: Color
  private let drawer: FrameDrawer
  private let sets: [PictureSet]
  private let queue: EncodingQueue
  private let encoder: FilmEncoder
  private var thread: WorkerThread?
  /// What the last frame shows, where that is known.
  private var last: FrameProgram?

  /// Begins a film of so many frames a second; 29.97 and its like mean the exact rates of television.
  /// Files of `inputs` are not overwritten.
  ///
  /// - Throws: What the file, the codec or this libav cannot do, before anything is drawn.
  public init(
    size: PixelSize, rate: Double, to path: String, _ settings: FilmSettings = FilmSettings(),
    inputs: [String] = []
  ) throws(FilmFault) {
    do {
      let plan = try settings.plan(size, rate, path)
      if path == "-" { throw FilmFault(.settings, "'-' does not name a file") }
      let drawing = DrawingPlan([plan])
      var sets: [PictureSet] = []
      // One is drawn, one encoded, one shown, and one waits.
      for _ in 0..<4 { sets.append(try PictureSet(drawing)) }
      let queue = EncodingQueue(setCount: sets.count)
      let encoder = try FilmEncoder(plan, sets, keeping: inputs)
      drawer = try FrameDrawer(drawing, Shared.resources)
      guard let thread = WorkerThread({ queue.serve(encoder) }) else {
        throw FilmFault(.encoder, "no thread can be started")
      }
      background = settings.isTransparent ? .transparent : .black
      hasSound = plan.settings.sound != nil
      (self.size, self.sets, self.queue, self.encoder) = (size, sets, queue, encoder)
      self.thread = thread
    } catch {
      throw FilmFault(error)
    }
  }

  deinit { cancel() }

  // MARK: Pictures

  /// Appends a picture, which is shown for some frames, by what `draw` puts on it.
  public func append(frames: Int = 1, _ draw: (inout Drawing) throws -> Void) throws {
    var drawing = Drawing(size, on: background)
    try draw(&drawing)
    let program = drawing.program
    try append(frames, program) { set in
      try drawer.draw(program, frame: frameCount, into: set)
    }
    last = program
    withExtendedLifetime(drawing) {}
  }

  /// Appends a picture that `draw` makes with Cairo, on what is clear or black.
  public func appendCairo(frames: Int = 1, _ draw: (DrawingContext) throws -> Void) throws {
    try append(frames, nil) { set in
      try drawer.draw(frame: frameCount, into: set) { try $0.draw(on: background, by: draw) }
    }
  }

  /// Appends a picture that `write` puts into pixels: premultiplied BGRA, `size.height` rows of
  /// `size.width * 4` bytes from the top down. They hold what was there before; of an opaque film the
  /// fourth byte means nothing.
  public func appendPixels(
    frames: Int = 1, _ write: (inout MutableSpan<UInt8>) throws -> Void
  ) throws {
    try append(frames, nil) { set in
      try drawer.draw(frame: frameCount, into: set) { canvas in
        _ = try canvas.write { try $0.withBytes(write) }
      }
    }
  }

  /// Appends rows of premultiplied BGRA from the top down, one each `bytesPerRow` bytes, by default
  /// without padding.
  public func append(frames: Int = 1, pixels: Span<UInt8>, bytesPerRow: Int? = nil) throws {
    let stride = bytesPerRow ?? size.width * 4
    guard pixels.count >= (size.height - 1) * stride + size.width * 4 else {
      throw FilmFault(
        .settings, "expected pixels for a frame of \(size), found \(pixels.count) bytes")
    }
    try append(frames, nil) { set in
      try drawer.draw(frame: frameCount, into: set) { canvas in
        canvas.write { $0.take(pixels, stride: stride) }
      }
    }
  }

  /// Appends what `make` puts into pictures, unless it is known to equal the last one.
  private func append(
    _ frames: Int, _ program: FrameProgram?, _ make: (PictureSet) throws -> Void
  ) throws {
    precondition(frames > 0, "a frame must be shown at least once")
    try Task.checkCancellation()
    if let program, program == last {
      try queue.put(.picture(set: nil, frames: frames))
    } else {
      let set = try queue.takeSet()
      do { try make(sets[set]) } catch {
        queue.give(set)
        throw error
      }
      try queue.put(.picture(set: set, frames: frames))
      last = nil
    }
    frameCount += frames
  }

  // MARK: Sound

  /// Appends sound: samples from -1 to 1 at the rate of the track, left and right by turns.
  ///
  /// It begins with the film. What is missing at the end is silence, and what is too long is left out.
  /// What is ahead of the pictures waits in memory, so append each second of sound with its pictures.
  public func append(sound samples: [Float]) throws {
    guard hasSound else {
      throw FilmFault(
        .settings, "the video has no audio track", help: "add an audio track to its settings")
    }
    try Task.checkCancellation()
    try queue.put(.sound(samples))
  }

  // MARK: The end

  /// Frames that the encoder has; any thread may ask.
  public var encodedFrameCount: Int { queue.encodedFrames }

  /// Ends the film and puts its file in its place; the old one, if any, is replaced only now.
  public func finish() throws(FilmFault) {
    guard let thread else { throw FilmWriter.isOver }
    guard frameCount > 0 else { throw FilmFault(.settings, "the video has no frames") }
    queue.end()
    thread.join()
    self.thread = nil
    try queue.check()
    queue.stop(FilmWriter.isOver)
    do { try encoder.commit() } catch { throw FilmFault(error) }
  }

  /// Ends the work at once; nothing is left of the film.
  public func cancel() {
    queue.stop(FilmWriter.isOver)
    thread?.join()
    thread = nil
  }

  private static let isOver = FilmFault(.over, "the video is already finished or canceled")
}
