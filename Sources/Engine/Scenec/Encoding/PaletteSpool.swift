// SPDX-License-Identifier: MIT
import SceneAV
import SceneEncoding
import SceneOutput
import SceneWriting

/// A buffer for the frames of a GIF up to the next hard cut, where their palette is known and they
/// are encoded.
///
/// Buffered frames are stored in an unnamed temporary file beside the output to bound memory. Used
/// by one thread.
final class PaletteSpool {
  private struct Waiting {
    let index: Int
    var frames: Int
  }

  private let file: OrderedFile
  private let picture: VideoFrame
  private let spool: OutputFile
  private let byteCount: Int
  private var maker: PaletteMaker
  private var last: [UInt8] = []
  private var waiting: [Waiting] = []

  init(_ plan: OutputPlan, _ file: OrderedFile) throws {
    let settings = plan.settings
    self.file = file
    picture = try VideoFrame(settings.size, settings.pixelFormat)
    spool = try OutputFile(plan.path, inputs: [])
    byteCount = settings.size.width * settings.size.height * 4
    maker = PaletteMaker(
      Double(settings.rateNumerator) / Double(settings.rateDenominator), from: 0)
  }

  /// Appends a frame as straight RGBA; `nil` repeats the previous one.
  func take(_ index: Int, _ rgba: [UInt8]?, frames: Int) throws {
    guard let rgba, rgba != last else {
      waiting[waiting.count - 1].frames += frames
      return
    }
    if let palette = maker.add(rgba, frame: index) { try write(palette) }
    let status = spool.write(rgba, at: waiting.count * byteCount)
    guard status == 0 else { throw OutputFile.writeError(spool.path, code: status) }
    waiting.append(Waiting(index: index, frames: frames))
    last = rgba
  }

  /// Writes the buffered frames.
  func end() throws { try write(maker.palette) }

  private func write(_ palette: Palette) throws {
    for (number, it) in waiting.enumerated() {
      let rgba = try spool.bytes(at: number * byteCount, count: byteCount)
      try picture.take(rgba, palette)
      try file.take(it.index, picture)
      for more in 1..<max(1, it.frames) { try file.take(it.index + more, nil as VideoFrame?) }
    }
    waiting = []
  }
}
