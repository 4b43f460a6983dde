// SPDX-License-Identifier: MIT
import CAV
package import SceneAV
import SceneGraphics
package import SceneLanguage
import SceneSystem

/// Encodes the frames of one segment into packets.
///
/// Used by one thread. The segments of a video are encoded independently and joined by their
/// packets: each segment starts with a keyframe, and all segments have the same headers.
package final class VideoEncoder {
  /// The kind of content, which selects the encoder's effort.
  package enum Stretch: Hashable, Sendable {
    /// The whole video.
    case whole
    /// A segment with motion.
    case moving
    /// A segment of identical frames.
    case still
  }

  let codec: CodecContext
  private let settings: VideoSettings
  private var hasPictures = false
  /// The index of the last encoded frame, and the repeated frame that has not been encoded yet.
  private var last = 0
  private var held: (picture: VideoFrame, index: Int)?
  /// The frame for libav. It shares the pixels, which other encoders use as well.
  private let frame: Frame
  private var isFinished = false

  /// Opens an encoder. Throws if the encoder does not support a setting.
  package init(_ settings: VideoSettings, _ stretch: Stretch) throws(VideoError) {
    av_log_set_level(AV_LOG_FATAL)
    VideoEncoder.quiet
    self.settings = settings
    let name = EncoderOptions.encoder(of: settings.codec)
    guard let codec = try CodecContext(encoder: name) else {
      throw VideoError(
        action: "find the encoder '\(name)'",
        reason:
          "it is not part of this libavcodec; install the Debian package '\(EncoderOptions.package)'",
        code: 0)
    }
    self.codec = codec
    frame = try Frame()
    try open(stretch)
  }

  deinit { if settings.codec == .av1, !isFinished { finishUnused() } }

  /// Encodes a blank frame and the end of the stream. SVT-AV1 hangs when freed without them, since
  /// it waits for its threads forever.
  private func finishUnused() {
    if !hasPictures, let blank = try? VideoFrame(settings.size, settings.pixelFormat) {
      _ = try? encode(blank, index: 0, isRepeated: false)
    }
    _ = try? finish(endsVideo: false)
  }

  private func open(_ stretch: Stretch) throws(VideoError) {
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
    // With more threads, the rate control of x264 depends on the timing of the threads.
    codec.thread_count = 1
    var options = AVOptions()
    if settings.file.isContainer { codec.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER) }
    // The tag "hvc1", as required by Apple's players.
    if settings.codec == .h265 { codec.codec_tag = 0x3163_7668 }
    if case .bitrate(let bits) = settings.rate {
      codec.bit_rate = Int64(bits)
      codec.rc_max_rate = Int64(bits * 1.5)
      codec.rc_buffer_size = Int32(clamping: Int64(bits * 2))
    }
    let own = EncoderOptions(settings, stretch)
    // Without B-frames, frames are stored in presentation order. The MP4 muxer computes the
    // duration from decoding timestamps.
    if settings.isVariable, [.h264, .h265].contains(settings.codec) { codec.max_b_frames = 0 }
    if let interval = own.keyInterval { codec.gop_size = interval }
    own.set(&options)
    let status = codec.open(&options)
    if status < 0 { throw VideoError("open the encoder with these settings", status) }
    if let unknown = options.firstKey {
      throw VideoError(
        action: "set '\(unknown)'", reason: "unknown option of the encoder", code: 0)
    }
  }

  /// Disables the log output of SVT-AV1. Runs once, before other threads exist, because it changes
  /// the environment.
  private static let quiet: Void = { _ = unsafe setenv("SVT_LOG", "1", 0) }()

  /// The parameter sets of the stream. Segments can be joined only if theirs are equal.
  package var headers: [UInt8] { codec.headers }

  /// Encodes an image as frame `index` of the segment. The same image may be encoded repeatedly.
  ///
  /// With a variable frame rate, a repeated frame extends the previous one. With a constant rate,
  /// `isRepeated` lets x264 skip the choice of a frame type and encode a P-frame of skipped blocks.
  /// For a mostly static title, this takes 7% of the time and produces a smaller file.
  package func encode(_ picture: VideoFrame, index: Int, isRepeated: Bool)
    throws(VideoError) -> [VideoPacket]
  {
    if isRepeated, settings.joinsEqualFrames, index - last < settings.longestPicture {
      held = (picture, index)
      return []
    }
    return try send(picture, index: index, isRepeated: isRepeated)
  }

  private func send(_ picture: VideoFrame, index: Int, isRepeated: Bool)
    throws(VideoError) -> [VideoPacket]
  {
    hasPictures = true
    (last, held) = (index, nil)
    var status = frame.refer(to: picture.frame)
    if status < 0 { throw VideoError("copy a frame", status) }
    defer { frame.clear() }
    frame.pts = Int64(index)
    let isSkipped = isRepeated && settings.codec == .h264
    frame.pict_type = isSkipped ? AV_PICTURE_TYPE_P : AV_PICTURE_TYPE_NONE
    status = codec.send(frame)
    if status < 0 { throw VideoError("encode frame \(index)", status) }
    return try packets()
  }

  /// Flushes the encoder. If the segment ends the video, a frame that was extended is encoded again
  /// as its last frame, because most containers do not store the duration of the last frame.
  ///
  /// Flushing takes as long as encoding many frames. `isUnwanted` is polled before each packet; the
  /// function throws once it returns `true`.
  package func finish(endsVideo: Bool, isUnwanted: () -> Bool = { false }) throws(VideoError)
    -> [VideoPacket]
  {
    isFinished = true
    var list: [VideoPacket] = []
    if endsVideo, settings.isVariable, let held {
      list = try send(held.picture, index: held.index, isRepeated: true)
    }
    let status = codec.send(nil)
    if status < 0 { throw VideoError("finish encoding", status) }
    return list + (try packets(isUnwanted))
  }

  /// Sets the duration of the last image of a WebP, whose images are all in a single packet.
  private func end(_ packet: Packet) throws(VideoError) {
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

  private func packets(_ isUnwanted: () -> Bool = { false }) throws(VideoError) -> [VideoPacket] {
    var list: [VideoPacket] = []
    while true {
      // SVT-AV1 must be drained completely.
      if settings.codec != .av1, isUnwanted() { throw VideoError("encode", scene_averror_exit()) }
      let packet = try VideoPacket()
      let status = codec.receive(packet.packet)
      if status == scene_averror(EAGAIN) || status == scene_averror_eof() { return list }
      if status < 0 { throw VideoError("encode", status) }
      packet.packet.duration = 1
      if settings.codec == .webp { try end(packet.packet) }
      list.append(packet)
    }
  }
}

/// An encoded frame, with timestamps in frames from the start of its segment.
///
/// Passed from the encoding thread to the writing thread and never used by both at once.
// Safe: ownership passes under the lock of the pipeline.
package final class VideoPacket: @unchecked Sendable {
  let packet: Packet

  convenience init() throws(VideoError) { self.init(try Packet()) }

  private init(_ packet: Packet) { self.packet = packet }

  /// Creates a packet from encoded bytes for a frame of the segment.
  package convenience init(copying bytes: [UInt8], frame: Int, isKey: Bool) throws(VideoError) {
    try self.init()
    try packet.fill(bytes)
    packet.pts = Int64(frame)
    packet.dts = packet.pts
    packet.duration = 1
    if isKey { packet.flags |= AV_PKT_FLAG_KEY }
  }

  package var byteCount: Int { Int(packet.size) }

  /// Serializes packets for the cache.
  package static func bytes(of packets: [VideoPacket]) -> [UInt8] {
    var bytes = message(packets.count)
    // Growing an array of several megabytes would copy it many times.
    bytes.reserveCapacity(packets.reduce(bytes.count) { $0 + $1.byteCount + 64 })
    for packet in packets { packet.packet.append(to: &bytes) }
    return bytes
  }

  /// Deserializes packets from the cache; returns `nil` for invalid data.
  package static func packets(_ bytes: ArraySlice<UInt8>) throws(VideoError) -> [VideoPacket]? {
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

/// An encoder that scenec supports.
package struct EncoderFacts {
  package let name: String
  package let description: String
  /// Whether this libav includes the encoder.
  package let isThere: Bool
}

/// Returns the supported encoders and whether this libav includes them.
package func availableEncoders() -> [EncoderFacts] {
  VideoCodec.allCases.filter { $0 != .jpeg }.map { codec in
    let name = EncoderOptions.encoder(of: codec)
    let files = FileFormat.allCases.filter { $0.codecs.contains(codec) }.map(\.ending)
    return EncoderFacts(
      name: name, description: "\(codec.title) for \(files.joined(separator: ", "))",
      isThere: scene_has_encoder(name)
    )
  }
    + SoundCodec.allCases.map { codec in
      let name = SoundSettings(codec).encoder
      let files = FileFormat.allCases.filter { $0.sounds(with: nil).contains(codec) }.map(\.ending)
      return EncoderFacts(
        name: name, description: "\(codec.title) audio for \(files.joined(separator: ", "))",
        isThere: scene_has_encoder(name)
      )
    }
}

extension FileFormat {
  /// The name of the muxer in libav.
  var muxer: String {
    switch self {
    case .mkv: "matroska"
    case .m4a: "ipod"
    case .y4m: "yuv4mpegpipe"
    default: rawValue
    }
  }
}
