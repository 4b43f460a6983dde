// SPDX-License-Identifier: MIT
import CAV
import SceneAV
import SceneLanguage

/// The sound track of a file that is being written: its packets are handed to the muxer as the pictures
/// come.
final class SoundStream {
  private let settings: SoundSettings
  private let input: SoundInput
  private let encoder: SoundEncoder
  private let muxer: FormatContext
  private let stream: Stream
  /// Samples later than the encoder says.
  private let shift: Int64
  /// Samples of each channel.
  private var sampleCount: Int
  private var position = 0

  init(
    _ settings: SoundSettings, in file: FileFormat, _ muxer: FormatContext, from input: SoundInput
  ) throws(VideoFault) {
    self.settings = settings
    self.input = input
    sampleCount = settings.sampleCount
    self.muxer = muxer
    encoder = try SoundEncoder(settings, in: file)
    stream = try muxer.addStream()
    let copied = stream.describe(encoder.codec)
    if copied < 0 { throw VideoFault("describe the audio track", copied) }
    stream.time_base = encoder.codec.time_base
    // Of the delay of Opus, players take off what the header of a Matroska says; the times of its packets
    // are to be with it.
    let isMatroska = file == .webm || file == .mkv
    shift = isMatroska && settings.codec == .opus ? Int64(encoder.codec.initial_padding) : 0
  }

  /// Says how long it is, where the settings do not.
  func setLength(_ seconds: Double) {
    sampleCount = Int((seconds * Double(settings.rate)).rounded())
  }

  /// Writes what sounds before a time, as far as it is there, and nothing after it where it may be the end.
  func write(until seconds: Double) throws(VideoFault) {
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

  /// Writes the rest.
  func finish() throws(VideoFault) {
    try write(until: .infinity)
    if case .samples = input { for packet in try encoder.finish() { try write(packet) } }
  }

  private func write(_ packet: Packet) throws(VideoFault) {
    let end = packet.pts + packet.duration
    packet.pts += shift
    packet.dts += shift
    packet.rescale(encoder.codec.time_base, stream.time_base)
    if shift > 0 {
      // The muxer takes the greatest end of a packet for the length of the file, which is that of what plays.
      // Without a duration, it would take the whole frame.
      let played = av_rescale_q(end, encoder.codec.time_base, stream.time_base)
      packet.duration = max(1, played - packet.pts)
    }
    packet.stream_index = stream.index
    try muxer.check("write the file", muxer.write(packet))
  }
}
