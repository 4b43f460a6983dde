// SPDX-License-Identifier: MIT
import CAV
import SceneAV
import SceneLanguage
import SceneModel

/// The audio track of an output file. Its packets are muxed as the video frames arrive.
final class SoundStream {
  private let settings: SoundSettings
  private let input: SoundInput
  private let encoder: SoundEncoder
  private let muxer: FormatContext
  private let stream: Stream
  /// The time base of the encoder.
  private let base: AVRational
  /// An offset added to timestamps, in samples.
  private let shift: Int64
  /// The number of samples per channel.
  private var sampleCount: Int
  private var position = 0

  /// The purpose of an audio track in its file.
  enum Role {
    /// The only audio track, or the first of several.
    case main, first
    /// The sound with descriptions.
    case described
  }

  init(
    _ settings: SoundSettings, in file: FileFormat, _ muxer: FormatContext, from input: SoundInput,
    role: Role = .main
  ) throws(VideoError) {
    self.settings = settings
    self.input = input
    sampleCount = settings.sampleCount
    self.muxer = muxer
    encoder = try SoundEncoder(settings, in: file)
    stream = try muxer.addStream()
    let copied = stream.describe(encoder.codec)
    if copied < 0 { throw VideoError("describe the audio track", copied) }
    base = encoder.codec.time_base
    stream.timeBase = base
    // Players subtract the Opus delay that the header of a Matroska file declares, so packet
    // timestamps must include it.
    let isMatroska = file == .webm || file == .mkv
    shift = isMatroska && settings.codec == .opus ? Int64(encoder.codec.initial_padding) : 0
    describe(role, in: file)
  }

  /// Sets the metadata by which players distinguish several audio tracks.
  private func describe(_ role: Role, in file: FileFormat) {
    switch role {
    case .main: break
    case .first: stream.disposition = AV_DISPOSITION_DEFAULT
    // Without a language, like the first track: players prefer a track in the language of the user.
    case .described:
      stream.disposition = AV_DISPOSITION_VISUAL_IMPAIRED
      // MP4 and MOV files have no titles of tracks.
      let key = file.captionCodec == .movText ? "handler_name" : "title"
      stream.setMetadata(key, DescriptionModel.title)
    }
  }

  /// Sets the length of the track, for settings without a length.
  func setLength(_ seconds: Double) {
    sampleCount = Int((seconds * Double(settings.rate)).rounded())
  }

  /// Writes the available audio before a time. If the length is unknown, no packet extends beyond
  /// that time, which may be the end of the track.
  func write(until seconds: Double) throws(VideoError) {
    let end = seconds * Double(settings.rate)
    switch input {
    case .packets(let packets):
      let sample = Int(min(1e15, end.rounded(.up)))
      while let packet = try packets.next(before: sample) { try write(packet) }
    case .samples(let source):
      while position < sampleCount, Double(position) < end {
        let count = min(encoder.frameSize, sampleCount - position)
        guard source.readyCount - position >= count,
          sampleCount < .max || Double(position + count) <= end
        else { return }
        position += count
        for packet in try encoder.encode(source.next(count), count: count) { try write(packet) }
      }
    }
  }

  /// Writes the remaining audio.
  func finish() throws(VideoError) {
    try write(until: .infinity)
    if case .samples = input { for packet in try encoder.finish() { try write(packet) } }
  }

  private func write(_ packet: Packet) throws(VideoError) {
    let end = packet.pts + packet.duration
    packet.pts += shift
    packet.dts += shift
    packet.assign(to: stream, from: base)
    if shift > 0 {
      // The muxer derives the duration of the file from the largest packet end, which must be the
      // end of playback. Without a duration, it would assume a whole frame.
      let played = av_rescale_q(end, base, stream.timeBase)
      packet.duration = max(1, played - packet.pts)
    }
    try muxer.check("write the file", muxer.write(packet))
  }
}
