// SPDX-License-Identifier: MIT
import CAV
package import SceneAV
import SceneGraphics
package import SceneLanguage
import SceneSystem

/// Encodes pictures of one stretch of the video into packets.
///
/// Used by one thread. The stretches of a video are encoded apart and joined by their packets: each
/// begins with a picture that stands alone, and all have the same headers.
package final class VideoEncoder {
  /// What the pictures are like, which decides how much the encoder looks for.
  package enum Stretch: Hashable, Sendable {
    /// All of a video.
    case whole
    /// A part in which something moves.
    case moving
    /// A part whose pictures are all the same.
    case still
  }

  let codec: CodecContext
  private let settings: VideoSettings
  private var hasPictures = false
  /// The frame of the last picture that was encoded, and of the one after it that equals it.
  private var last = 0
  private var held: (picture: VideoFrame, index: Int)?
  /// What libav is given: it shares the pixels, which others encode too.
  private let frame: Frame
  private var isFinished = false

  /// Opens an encoder; a setting that cannot be met is refused here.
  package init(_ settings: VideoSettings, _ stretch: Stretch) throws(VideoFault) {
    av_log_set_level(AV_LOG_FATAL)
    VideoEncoder.quiet
    self.settings = settings
    let name = EncoderOptions.encoder(of: settings.codec)
    guard let codec = try CodecContext(encoder: name) else {
      throw VideoFault(
        action: "find the encoder \(name)",
        reason:
          "it is not part of this libavcodec; install the Debian package '\(EncoderOptions.package)'",
        code: 0)
    }
    self.codec = codec
    frame = try Frame()
    try open(stretch)
  }

  deinit { if settings.codec == .av1, !isFinished { finishUnused() } }

  /// SVT-AV1 waits for ever for the end of its threads when it is freed before it got a picture and
  /// the end of the video.
  private func finishUnused() {
    if !hasPictures, let blank = try? VideoFrame(settings.size, settings.pixelFormat) {
      _ = try? encode(blank, index: 0, isRepeated: false)
    }
    _ = try? finish(endsVideo: false)
  }

  private func open(_ stretch: Stretch) throws(VideoFault) {
    codec.width = Int32(settings.size.width)
    codec.height = Int32(settings.size.height)
    let format = settings.pixelFormat
    codec.pix_fmt = format.number
    let base = AVRational(
      num: Int32(settings.rateDenominator), den: Int32(settings.rateNumerator))
    codec.time_base = base
    codec.framerate = AVRational(num: base.den, den: base.num)
    codec.sample_aspect_ratio = AVRational(num: 1, den: 1)
    codec.color_range = format.isYUV ? AVCOL_RANGE_MPEG : AVCOL_RANGE_JPEG
    codec.colorspace = format.isYUV ? AVCOL_SPC_BT709 : AVCOL_SPC_RGB
    codec.color_primaries = AVCOL_PRI_BT709
    codec.color_trc = format.isYUV ? AVCOL_TRC_BT709 : AVCOL_TRC_IEC61966_2_1
    if format.isYUV { codec.chroma_sample_location = AVCHROMA_LOC_LEFT }
    // With more threads, x264 meets a bit rate by how far each of them happens to be.
    codec.thread_count = 1
    var options = AVOptions()
    if settings.file.isContainer { codec.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER) }
    // "hvc1", as Apple's players want it.
    if settings.codec == .h265 { codec.codec_tag = 0x3163_7668 }
    if case .bitrate(let bits) = settings.rate {
      codec.bit_rate = Int64(bits)
      codec.rc_max_rate = Int64(bits * 1.5)
      codec.rc_buffer_size = Int32(clamping: Int64(bits * 2))
    }
    let own = EncoderOptions(settings, stretch)
    // In the order in which they are shown: an MP4 counts its length by times of decoding.
    if settings.isVariable, [.h264, .h265].contains(settings.codec) { codec.max_b_frames = 0 }
    if let interval = own.keyInterval { codec.gop_size = interval }
    own.set(&options)
    let status = codec.open(&options)
    if status < 0 { throw VideoFault("open the encoder with these settings", status) }
    if let unknown = options.firstKey {
      throw VideoFault(
        action: "set '\(unknown)'", reason: "unknown option of the encoder", code: 0)
    }
  }

  /// SVT-AV1 speaks for itself, unless its environment asks it not to; once, before there are threads.
  private static let quiet: Void = { _ = unsafe setenv("SVT_LOG", "1", 0) }()

  /// The parameter sets of the stream; stretches join only if theirs are equal.
  package var headers: [UInt8] { codec.headers }

  /// Encodes a picture as frame `index` of its stretch; the same picture may come again and again.
  ///
  /// Where frames may last, a repeated one makes the picture longer. Else `isRepeated` spares x264 the
  /// search for the best kind of frame: a P-frame of skipped blocks is (7 % of the time of a title that
  /// mostly stands, and a smaller file).
  package func encode(_ picture: VideoFrame, index: Int, isRepeated: Bool)
    throws(VideoFault) -> [VideoPacket]
  {
    if isRepeated, settings.joinsEqualFrames, index - last < settings.longestPicture {
      held = (picture, index)
      return []
    }
    return try send(picture, index: index, isRepeated: isRepeated)
  }

  private func send(_ picture: VideoFrame, index: Int, isRepeated: Bool)
    throws(VideoFault) -> [VideoPacket]
  {
    hasPictures = true
    (last, held) = (index, nil)
    var status = frame.refer(to: picture.frame)
    if status < 0 { throw VideoFault("copy a frame", status) }
    defer { frame.clear() }
    frame.pts = Int64(index)
    let isSkipped = isRepeated && settings.codec == .h264
    frame.pict_type = isSkipped ? AV_PICTURE_TYPE_P : AV_PICTURE_TYPE_NONE
    status = codec.send(frame)
    if status < 0 { throw VideoFault("encode frame \(index)", status) }
    return try packets()
  }

  /// What the encoder still holds. Where the video ends with the stretch, a picture that lasts comes
  /// once more as its last frame: most files do not say how long their last one is shown.
  ///
  /// This takes as long as many pictures: it throws as soon as `isUnwanted`, which is asked before each.
  package func finish(endsVideo: Bool, isUnwanted: () -> Bool = { false }) throws(VideoFault)
    -> [VideoPacket]
  {
    isFinished = true
    var list: [VideoPacket] = []
    if endsVideo, settings.isVariable, let held {
      list = try send(held.picture, index: held.index, isRepeated: true)
    }
    let status = codec.send(nil)
    if status < 0 { throw VideoFault("finish encoding", status) }
    return list + (try packets(isUnwanted))
  }

  /// The one packet of a WebP is all of its pictures.
  private func end(_ packet: Packet) throws(VideoFault) {
    let base = codec.time_base
    let seconds = Double(last + 1) * Double(base.num) / Double(base.den)
    let bytes = packet.content
    let ended = endWebP(bytes, at: Int((seconds * 1000).rounded()))
    guard ended != bytes else { return }
    let (pts, dts, duration, flags) = (packet.pts, packet.dts, packet.duration, packet.flags)
    packet.clear()
    try packet.fill(ended)
    (packet.pts, packet.dts, packet.duration, packet.flags) = (pts, dts, duration, flags)
  }

  private func packets(_ isUnwanted: () -> Bool = { false }) throws(VideoFault) -> [VideoPacket] {
    var list: [VideoPacket] = []
    while true {
      // SVT-AV1 has to be emptied.
      if settings.codec != .av1, isUnwanted() { throw VideoFault("encode", scene_averror_exit()) }
      let packet = try VideoPacket()
      let status = codec.receive(packet.packet)
      if status == scene_averror(EAGAIN) || status == scene_averror_eof() { return list }
      if status < 0 { throw VideoFault("encode", status) }
      packet.packet.duration = 1
      if settings.codec == .webp { try end(packet.packet) }
      list.append(packet)
    }
  }
}

/// One encoded picture, with times in frames from the start of its stretch.
///
/// Handed from the thread that encodes to the one that writes, never used by both.
// Safe: ownership passes under the lock of the pipeline.
package final class VideoPacket: @unchecked Sendable {
  let packet: Packet

  convenience init() throws(VideoFault) { self.init(try Packet()) }

  private init(_ packet: Packet) { self.packet = packet }

  /// One that was encoded elsewhere, for a frame of its stretch.
  package convenience init(copying bytes: [UInt8], frame: Int, isKey: Bool) throws(VideoFault) {
    try self.init()
    try packet.fill(bytes)
    packet.pts = Int64(frame)
    packet.dts = packet.pts
    packet.duration = 1
    if isKey { packet.flags |= AV_PKT_FLAG_KEY }
  }

  package var byteCount: Int { Int(packet.size) }

  /// Packets as bytes, for those who keep them.
  package static func bytes(of packets: [VideoPacket]) -> [UInt8] {
    packets.reduce(into: message(packets.count)) { $0 += $1.packet.bytes }
  }

  /// The packets that were kept; `nil` where the bytes are not those of packets.
  package static func packets(_ bytes: ArraySlice<UInt8>) throws(VideoFault) -> [VideoPacket]? {
    var reader = MessageReader(bytes)
    let count = reader.number()
    var packets: [VideoPacket] = []
    while packets.count < count {
      guard let packet = try Packet(&reader) else { return nil }
      packets.append(VideoPacket(packet))
    }
    return reader.isAtEnd ? packets : nil
  }
}

/// What this libav can encode that scenec knows of.
package func availableEncoders() -> [(name: String, description: String, isThere: Bool)] {
  VideoCodec.allCases.filter { $0 != .jpeg }.map { codec in
    let name = EncoderOptions.encoder(of: codec)
    let files = FileFormat.allCases.filter { $0.codecs.contains(codec) }.map(\.ending)
    return (
      name: name, description: "\(codec.title) for \(files.joined(separator: ", "))",
      isThere: scene_has_encoder(name)
    )
  }
    + SoundCodec.allCases.map { codec in
      let name = SoundSettings(codec).encoder
      let files = FileFormat.allCases.filter { $0.sounds(with: nil).contains(codec) }.map(\.ending)
      return (
        name: name, description: "\(codec.title) audio for \(files.joined(separator: ", "))",
        isThere: scene_has_encoder(name)
      )
    }
}

extension FileFormat {
  /// libav's name of what writes it.
  var muxer: String {
    switch self {
    case .mkv: "matroska"
    case .m4a: "ipod"
    case .y4m: "yuv4mpegpipe"
    default: rawValue
    }
  }
}
