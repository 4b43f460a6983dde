// SPDX-License-Identifier: MIT
import CAV
import SceneAV
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel

/// A caption track of an output file. Its packets are muxed as the video frames arrive.
final class CaptionStream {
  private let codec: CaptionCodec
  private let muxer: FormatContext
  private let stream: Stream
  /// The captions that are not written yet.
  private var texts: ArraySlice<TimedText>
  /// The end of the written samples in milliseconds. The samples of timed text have no gaps.
  private var end: Int64 = 0
  /// The duration of the video in milliseconds.
  private let length: Int64

  /// Adds a track to a file with the given settings. The first one is the default track.
  init(
    _ track: CaptionTrack, as codec: CaptionCodec, isFirst: Bool, in settings: VideoSettings,
    _ muxer: FormatContext
  ) throws(VideoError) {
    self.codec = codec
    self.muxer = muxer
    length =
      Int64(settings.frameCount) * 1000 * settings.rateDenominator / settings.rateNumerator
    stream = try muxer.addStream()
    var disposition = isFirst ? AV_DISPOSITION_DEFAULT : 0
    if track.kind == .captions {
      disposition |= AV_DISPOSITION_CAPTIONS | AV_DISPOSITION_HEARING_IMPAIRED
    }
    stream.disposition = disposition
    switch codec {
    case .movText:
      texts = track.separateTexts[...]
      stream.describe(
        captions: AV_CODEC_ID_MOV_TEXT, width: settings.size.width, height: settings.size.height)
      let status = stream.setHeaders(CaptionStream.sampleDescription)
      if status < 0 { throw VideoError("describe the caption track", status) }
      stream.timeBase = AVRational(num: 1, den: CaptionStream.timescale)
      stream.setMetadata("language", LanguageTag(track.language)?.terminology ?? "und")
      if !track.label.isEmpty { stream.setMetadata("handler_name", track.label) }
    case .subRip, .webVTT:
      let isSubRip = codec == .subRip
      texts = isSubRip ? track.separateTexts[...] : track.timedTexts[...]
      stream.describe(
        captions: isSubRip ? AV_CODEC_ID_SUBRIP : AV_CODEC_ID_WEBVTT, width: 0, height: 0)
      stream.timeBase = CaptionStream.milliseconds
      stream.setMetadata("language", LanguageTag(track.language)?.bibliographic ?? "und")
      if !track.label.isEmpty { stream.setMetadata("title", track.label) }
    }
  }

  private static let milliseconds = AVRational(num: 1, den: 1000)
  /// The timescale of timed text. It is finer than the time bases of usual video and audio tracks:
  /// libav compares the end of the last sample with times of other tracks without a conversion, and
  /// would add a sample.
  private static let timescale: Int32 = 192_000
  /// The maximum duration of a sample in milliseconds. libav stores durations in 31 bits.
  private static let longestSample: Int64 = 3_600_000
  /// The maximum size of a sample's text in bytes. Its length field has 16 bits.
  private static let longestText = 65_535

  /// Writes the captions that start before a time.
  func write(until seconds: Double) throws(VideoError) {
    let limit = Int64(min(1e15, (seconds * 1000).rounded(.up)))
    if codec == .movText { return try writeSamples(until: limit) }
    while let text = texts.first, text.start < limit {
      let isSubRip = codec == .subRip
      try write(
        Array((isSubRip ? CaptionFile.subRipText(text) : CaptionFile.escaped(text.text)).utf8),
        settings: isSubRip ? "" : text.settings, from: text.start, to: text.end)
      texts.removeFirst()
    }
  }

  /// Writes the samples of timed text that start before a time. Where no caption is shown, the
  /// samples are empty.
  private func writeSamples(until limit: Int64) throws(VideoError) {
    while end < limit, !texts.isEmpty || end < length {
      let text = texts.first.flatMap { $0.start <= end ? $0 : nil }
      let next = text?.end ?? texts.first?.start ?? length
      let to = min(next, end + CaptionStream.longestSample)
      let content = (text?.text ?? "").utf8Prefix(CaptionStream.longestText)
      try write(
        [UInt8(content.count >> 8), UInt8(content.count & 255)] + content, settings: "",
        from: end, to: to)
      end = to
      if text != nil, to == next { texts.removeFirst() }
    }
  }

  private func write(_ content: [UInt8], settings: String, from start: Int64, to end: Int64)
    throws(VideoError)
  {
    let packet = try Packet()
    try packet.fill(content)
    if !settings.isEmpty { try packet.add(Array(settings.utf8), as: AV_PKT_DATA_WEBVTT_SETTINGS) }
    packet.pts = start
    packet.dts = start
    packet.duration = end - start
    packet.flags = AV_PKT_FLAG_KEY
    packet.assign(to: stream, from: CaptionStream.milliseconds)
    try muxer.check("write the file", muxer.write(packet))
  }

  /// The description of the samples of timed text (3GPP TS 26.245 section 5.16): white text at the
  /// bottom center, on a transparent background.
  private static let sampleDescription: [UInt8] = {
    let font = Array("Sans-Serif".utf8)
    let record = [0, 1, UInt8(font.count)] + font
    let table = Array("ftab".utf8) + [0, 1] + record
    let flags: [UInt8] = [0, 0, 0, 0]
    let justification: [UInt8] = [1, 255]
    let background: [UInt8] = [0, 0, 0, 0]
    let box = [UInt8](repeating: 0, count: 8)
    // The characters, the font, the face, the size and the color.
    let style: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 18, 255, 255, 255, 255]
    return flags + justification + background + box + style
      + [0, 0, 0, UInt8(table.count + 4)] + table
  }()
}

extension String {
  /// Returns the longest prefix in UTF-8 of at most `count` bytes that does not end within a
  /// character.
  fileprivate func utf8Prefix(_ count: Int) -> [UInt8] {
    guard utf8.count > count else { return Array(utf8) }
    var bytes = Array(utf8.prefix(count + 1))
    while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    return bytes
  }
}
