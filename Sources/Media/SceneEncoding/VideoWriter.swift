// SPDX-License-Identifier: MIT
import CAV
package import SceneAV
import SceneGraphics
package import SceneLanguage
package import SceneModel

/// Muxes packets into one file.
///
/// Used by one thread. The file is incomplete until `finish` returns, which also reports delayed
/// errors.
package final class VideoWriter {
  private let settings: VideoSettings
  private let muxer: FormatContext
  private let stream: Stream
  private let base: AVRational
  /// The maximum delay in frames between decoding and presentation.
  private let reorderDelay: Int64
  private var packetCount: Int64 = 0
  /// The largest frame number written so far.
  private var lastShown: Int64 = 0
  private let sounds: [SoundStream]
  private let captions: [CaptionStream]
  private var frameCount: Int
  /// The end of the written frames, in seconds.
  private var time = 0.0
  /// The parameter sets that every segment must match.
  package let headers: [UInt8]

  /// Starts the file. Opens an encoder to validate the settings and to obtain the headers.
  /// `isWhole` is `true` if a single encoder encodes the whole video even where segments could be
  /// joined. `inputs` are the sources of the audio tracks if the settings have audio: the sound of the
  /// scene, and the same sound with descriptions. `tracks` are the caption tracks, with times from the first
  /// frame.
  package init(
    _ settings: VideoSettings, isWhole: Bool = false, to store: any ByteStore,
    sound inputs: [SoundInput] = [], captions tracks: [CaptionTrack] = []
  )
    throws(VideoError)
  {
    self.settings = settings
    frameCount = settings.frameCount
    let stretch: VideoEncoder.Stretch = settings.isSegmented && !isWhole ? .moving : .whole
    let encoder = try VideoEncoder(settings, stretch)
    muxer = try FormatContext(format: settings.file.muxer, store)
    stream = try muxer.addStream()
    headers = encoder.headers
    base = encoder.codec.time_base
    reorderDelay = max(
      settings.knownReorderDelay ?? Int64(encoder.codec.has_b_frames),
      Int64(settings.copied?.delay ?? 0))
    let described = stream.describe(encoder.codec)
    if described < 0 { throw VideoError("describe the stream", described) }
    if let copied = settings.copied {
      let status = stream.setHeaders(copied.sets + (copied.ownNumber == nil ? [] : headers))
      if status < 0 { throw VideoError("describe the stream", status) }
    }
    stream.timeBase = base
    if !settings.isVariable {
      stream.avg_frame_rate = encoder.codec.framerate
      stream.r_frame_rate = encoder.codec.framerate
    }
    var sounds: [SoundStream] = []
    if let track = settings.sound {
      for input in inputs {
        let role: SoundStream.Role =
          inputs.count == 1 ? .main : sounds.isEmpty ? .first : .described
        sounds.append(try SoundStream(track, in: settings.file, muxer, from: input, role: role))
      }
    }
    self.sounds = sounds
    var captions: [CaptionStream] = []
    if let codec = settings.file.captionCodec {
      for track in tracks {
        captions.append(
          try CaptionStream(
            track, as: codec, isFirst: captions.isEmpty, in: settings, muxer))
      }
    }
    self.captions = captions
    if settings.file.isContainer {
      let length = Int64(settings.frameCount) * 1000 * settings.rateDenominator
      muxer.describe(settings.notes, end: length / settings.rateNumerator)
    }
    try writeHeader()
  }

  // MARK: Opening

  private func writeHeader() throws(VideoError) {
    var options = AVOptions()
    switch settings.file {
    case .mp4, .mov: options.set("movflags", "+faststart")
    case .webm, .mkv: options.set("cues_to_front", "1")
    // GIF counts the repetitions after the first play; -1 means a single play.
    case .gif: options.set("loop", "\(settings.plays.map { $0 == 1 ? -1 : $0 - 1 } ?? 0)")
    case .webp: options.set("loop", "\(settings.plays ?? 0)")
    case .apng: options.set("plays", "\(settings.plays ?? 0)")
    case .y4m, .pngStills, .jpegStills, .wav, .flac, .mp3, .m4a, .opus, .ogg, .vtt,
      .srt, .txt:
      break
    }
    if !sounds.isEmpty { options.setOfSound(settings.file) }
    if settings.file != .y4m { options.set("fflags", "+bitexact") }
    let status = muxer.writeHeader(&options)
    if status < 0 { throw VideoError("write the header", status) }
  }

  // MARK: Writing

  /// Writes a packet of the segment that starts at frame `start`. Packets must arrive in decoding
  /// order.
  ///
  /// Decoding timestamps are counted over the whole file instead of taken from the encoder. An
  /// encoder that has received fewer frames than its reorder depth does not know the delay yet, and
  /// the timestamps of two segments could overlap.
  package func write(_ packet: VideoPacket, from start: Int) throws(VideoError) {
    packet.packet.pts += Int64(start)
    lastShown = max(lastShown, packet.packet.pts)
    packet.packet.dts = reorderDelay == 0 ? packet.packet.pts : packetCount - reorderDelay
    packetCount += 1
    // Audio is written up to the next frame.
    let shown = max(packet.packet.pts, packet.packet.dts + 1)
    time = Double(shown) * Double(base.num) / Double(base.den)
    try writeSound()
    for track in captions { try track.write(until: time) }
    packet.packet.assign(to: stream, from: base)
    try muxer.check("write the file", muxer.write(packet.packet))
  }

  /// Writes the available audio up to the end of the written frames.
  package func writeSound() throws(VideoError) {
    for sound in sounds { try sound.write(until: time) }
  }

  /// Sets the number of frames, for settings without a length.
  package func setLength(_ frames: Int) {
    frameCount = frames
    for sound in sounds {
      sound.setLength(Double(frames) * Double(base.num) / Double(base.den))
    }
  }

  /// Writes the end of the file.
  package func finish() throws(VideoError) {
    for sound in sounds { try sound.finish() }
    for track in captions { try track.write(until: .infinity) }
    // Otherwise the last frame would have the duration of the previous one.
    let end = Int64(frameCount)
    switch settings.file {
    case .gif:
      muxer.set(
        "final_delay", AVRational(num: Int32(hundredths(end) - hundredths(lastShown)), den: 1))
    case .apng:
      muxer.set("final_delay", AVRational(num: base.num * Int32(end - lastShown), den: base.den))
    default: break
    }
    try muxer.check("write the trailer of the file", muxer.writeTrailer())
    muxer.flush()
    try muxer.check("write the file", 0)
  }

  /// Returns the start time of a frame in hundredths of a second.
  private func hundredths(_ frame: Int64) -> Int64 {
    av_rescale_q(frame, base, AVRational(num: 1, den: 100))
  }
}

extension FormatContext {
  /// Sets the metadata and chapters of the file. `end` is the end of the last chapter in
  /// milliseconds.
  func describe(_ notes: FileNotes, end: Int64) {
    let entries = [("title", notes.title), ("artist", notes.author), ("comment", notes.comment)]
    for (key, value) in entries where !value.isEmpty { setMetadata(key, value) }
    guard !notes.chapters.isEmpty else { return }
    let ends = notes.chapters.dropFirst().map(\.startMilliseconds) + [end]
    for (chapter, end) in zip(notes.chapters, ends) {
      let start = chapter.startMilliseconds
      addChapter(chapter.title, from: start, to: max(start, end))
    }
  }
}

extension AVOptions {
  /// Sets the options that keep audio and video in sync: priming has negative timestamps, and edit
  /// lists count samples.
  mutating func setOfSound(_ file: FileFormat) {
    // FLAC in MP4 is experimental in libav.
    if file == .mp4 { set("strict", "experimental") }
    set("avoid_negative_ts", "disabled")
    if file == .m4a { set("movflags", "+faststart") }
    if [.mp4, .mov, .m4a].contains(file) { set("movie_timescale", "48000") }
  }
}
