// SPDX-License-Identifier: MIT
import CAV
import SceneAV
import SceneLanguage

/// The sound track of a file that is being written: samples are taken, encoded and handed to the muxer
/// as the pictures come.
final class SoundStream {
  private let settings: SoundSettings
  private let source: any SampleSource
  private let encoder: SoundEncoder
  private let muxer: FormatContext
  private let stream: Stream
  /// Samples later than the encoder says.
  private let shift: Int64
  /// Samples of each channel.
  private var sampleCount: Int
  private var position = 0
  /// What was encoded before, or is being encoded.
  private var kept: EncodedSound.Reader?
  private var made = EncodedSound()

  init(
    _ settings: SoundSettings, in file: FileFormat, _ muxer: FormatContext,
    from source: any SampleSource
  ) throws(VideoFault) {
    self.settings = settings
    self.source = source
    sampleCount = settings.sampleCount
    self.muxer = muxer
    kept = source.encoded.map { EncodedSound.Reader($0) }
    encoder = try SoundEncoder(settings, hasGlobalHeader: ![.wav, .mp3].contains(file))
    stream = try muxer.addStream()
    let copied = stream.describe(encoder.codec)
    if copied < 0 { throw VideoFault("describe the sound track", copied) }
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
    while position < sampleCount, Double(position) < seconds * Double(settings.rate) {
      let count = min(encoder.frameSize, sampleCount - position)
      guard source.readyCount - position >= count,
        sampleCount < .max || Double(position + count) <= seconds * Double(settings.rate)
      else { return }
      position += count
      if kept == nil {
        let samples = try source.next(count)
        try write(
          encoder.encode(settings.channels == 1 ? mono(samples) : samples, count: count))
      } else {
        try writeKept(by: position)
      }
    }
  }

  private func mono(_ samples: [Float]) -> [Float] {
    stride(from: 0, to: samples.count, by: 2).map { (samples[$0] + samples[$0 + 1]) / 2 }
  }

  /// Writes the rest.
  func finish() throws(VideoFault) {
    try write(until: .infinity)
    guard kept == nil else { return try writeKept(by: .max) }
    position = .max
    try write(encoder.finish())
    if !made.isCut { source.keep(made) }
  }

  private func writeKept(by position: Int) throws(VideoFault) {
    while let packet = try kept?.next(by: position) { try write(packet) }
  }

  private func write(_ packets: [Packet]) throws(VideoFault) {
    for packet in packets {
      made.append(packet, at: position)
      try write(packet)
    }
  }

  private func write(_ packet: Packet) throws(VideoFault) {
    packet.pts += shift
    packet.dts += shift
    packet.rescale(encoder.codec.time_base, stream.time_base)
    packet.stream_index = stream.index
    try muxer.check("write the file", muxer.write(packet))
  }
}
