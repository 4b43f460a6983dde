// SPDX-License-Identifier: MIT
import SceneOutput
import ScenePixels
import SceneRaster
import SceneWriting
import SceneSystem

/// Writes a video from frames that a program draws one after another. Memory use does not grow with
/// the length of the video.
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
/// The file extension selects the format as on scenec's command line: `.mp4`, `.mov`, `.webm`,
/// `.gif`, stills such as `frame-%04d.png`, and more. When `finish` returns, the file is complete;
/// before that, it does not exist at its path. If the writer is deallocated earlier, no file is left
/// behind.
///
/// One thread appends while another encodes. When encoding falls behind, `append` blocks. In a
/// cancelled task, `append` throws `CancellationError`.
public final class FilmWriter {
  public let size: PixelSize
  /// The number of appended frames.
  public private(set) var frameCount = 0
  private let hasSound: Bool
  /// The color of areas without drawing.
  private let background: Color
  private let drawer: FrameDrawer
  private let sets: [PictureSet]
  private let queue: EncodingQueue
  private let encoder: FilmEncoder
  private var thread: WorkerThread?
  /// The frame program of the last frame, if known.
  private var last: FrameProgram?

  /// Starts a video with `rate` frames per second. 29.97 and similar rates select the exact
  /// broadcast rates. Files in `inputs` are never overwritten.
  ///
  /// - Throws: An error if the container, the codec or this build of libav does not support the
  ///   settings. Nothing has been rendered at that point.
  public init(
    size: PixelSize, rate: Double, to path: String, _ settings: FilmSettings = FilmSettings(),
    inputs: [String] = []
  ) throws(FilmError) {
    do {
      let plan = try settings.plan(size, rate: rate, path: path)
      if path == "-" {
        throw FilmError(
          .settings, "a video cannot be written to standard output; pass a file path")
      }
      let drawing = DrawingPlan([plan])
      var sets: [PictureSet] = []
      // One set is being drawn, one encoded and one displayed, and one waits.
      for _ in 0..<4 { sets.append(try PictureSet(drawing)) }
      let queue = EncodingQueue(setCount: sets.count)
      let encoder = try FilmEncoder(plan, sets, keeping: inputs)
      drawer = try FrameDrawer(drawing, Shared.resources)
      guard let thread = WorkerThread({ queue.serve(encoder) }) else {
        throw FilmError(.encoder, "cannot start a thread")
      }
      background = settings.isTransparent ? .transparent : .black
      hasSound = plan.settings.sound != nil
      (self.size, self.sets, self.queue, self.encoder) = (size, sets, queue, encoder)
      self.thread = thread
    } catch {
      throw FilmError(error)
    }
  }

  deinit { cancel() }

  // MARK: Frames

  /// Appends an image that `draw` creates and shows it for `frames` frames.
  public func append(frames: Int = 1, _ draw: (inout Drawing) throws -> Void) throws {
    var drawing = Drawing(size, on: background)
    try draw(&drawing)
    let program = drawing.program
    try append(frames, program: program) { set in
      try drawer.draw(program, frame: frameCount, into: set)
    }
    last = program
    withExtendedLifetime(drawing) {}
  }

  /// Appends an image that `draw` paints with Cairo on a transparent or black background.
  public func appendCairo(frames: Int = 1, _ draw: (DrawingContext) throws -> Void) throws {
    try append(frames, program: nil) { set in
      try drawer.draw(frame: frameCount, into: set) { try $0.draw(on: background, by: draw) }
    }
  }

  /// Appends an image whose pixels `write` stores as premultiplied BGRA: `size.height` rows of
  /// `size.width * 4` bytes, top row first. The buffer initially holds previous content. For an
  /// opaque video, the fourth byte of a pixel is ignored.
  public func appendPixels(
    frames: Int = 1, _ write: (inout MutableSpan<UInt8>) throws -> Void
  ) throws {
    try append(frames, program: nil) { set in
      try drawer.draw(frame: frameCount, into: set) { canvas in
        _ = try canvas.write { try $0.withBytes(write) }
      }
    }
  }

  /// Appends an image from rows of premultiplied BGRA, top row first. The stride is `bytesPerRow`
  /// bytes; by default, rows have no padding.
  public func append(frames: Int = 1, pixels: Span<UInt8>, bytesPerRow: Int? = nil) throws {
    let stride = bytesPerRow ?? size.width * 4
    guard pixels.count >= (size.height - 1) * stride + size.width * 4 else {
      throw FilmError(
        .settings, "expected pixels for a frame of \(size), found \(pixels.count) bytes")
    }
    try append(frames, program: nil) { set in
      try drawer.draw(frame: frameCount, into: set) { canvas in
        canvas.write { $0.take(pixels, stride: stride) }
      }
    }
  }

  /// Appends an image that `make` stores in an image set, unless it is known to equal the last one.
  private func append(
    _ frames: Int, program: FrameProgram?, make: (PictureSet) throws -> Void
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

  // MARK: Audio

  /// Appends interleaved stereo samples in the range -1 to 1 at the sample rate of the track.
  ///
  /// The audio starts with the video. A shorter track is padded with silence and a longer one is
  /// cut off. Samples ahead of the video wait in memory; append each second of audio with its
  /// frames.
  public func append(sound samples: [Float]) throws {
    guard hasSound else {
      throw FilmError(
        .settings, "the video has no audio track", help: "add an audio track to its settings")
    }
    try Task.checkCancellation()
    try queue.put(.sound(samples))
  }

  // MARK: Finishing

  /// The number of frames passed to the encoder. Can be read from any thread.
  public var encodedFrameCount: Int { queue.encodedFrames }

  /// Finishes the video and moves its file into place. An existing file is replaced only at this
  /// point.
  public func finish() throws(FilmError) {
    guard let thread else { throw FilmWriter.isOver }
    guard frameCount > 0 else { throw FilmError(.settings, "the video has no frames") }
    queue.end()
    thread.join()
    self.thread = nil
    try queue.check()
    queue.stop(FilmWriter.isOver)
    do { try encoder.commit() } catch { throw FilmError(error) }
  }

  /// Cancels the work immediately and removes all partial output.
  public func cancel() {
    queue.stop(FilmWriter.isOver)
    thread?.join()
    thread = nil
  }

  private static let isOver = FilmError(.over, "the video is already finished or canceled")
}
