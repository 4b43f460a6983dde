// SPDX-License-Identifier: MIT
package import SceneAV
package import SceneLanguage

/// Writes an audio-only file. Used by one thread.
package final class SoundWriter {
  private let muxer: FormatContext
  private let stream: SoundStream

  package init(
    _ settings: SoundSettings, file: FileFormat, notes: FileNotes,
    from input: SoundInput,
    to store: any ByteStore
  ) throws(VideoError) {
    muxer = try FormatContext(format: file.muxer, store)
    stream = try SoundStream(settings, in: file, muxer, from: input)
    let end = Int64(settings.sampleCount) * 1000 / Int64(settings.rate)
    muxer.describe(notes, end: end)
    var options = AVOptions()
    options.setOfSound(file)
    options.set("fflags", "+bitexact")
    let status = muxer.writeHeader(&options)
    if status < 0 { throw VideoError("write the header", status) }
  }

  /// Writes the audio before a time.
  package func write(until seconds: Double) throws(VideoError) {
    try stream.write(until: seconds)
  }

  /// Writes the remaining audio. The file is incomplete until this returns.
  package func finish() throws(VideoError) {
    try stream.finish()
    try muxer.check("write the trailer of the file", muxer.writeTrailer())
    muxer.flush()
    try muxer.check("write the file", 0)
  }
}
