// SPDX-License-Identifier: MIT
import CAV
import SceneGraphics

/// Encodes pictures of one stretch of the video into packets.
///
/// Used by one thread. The stretches of a video are encoded apart and joined by their packets: each
/// begins with a picture that stands alone, and all have the same headers.
@safe package final class VideoEncoder {
  /// What the pictures are like, which decides how much the encoder looks for.
  package enum Stretch: Hashable, Sendable {
    /// All of a video.
    case whole
    /// A part in which something moves.
    case moving
    /// A part whose pictures are all the same.
    case still
  }

  let codec: UnsafeMutablePointer<AVCodecContext>
  private let settings: VideoSettings

  /// Opens an encoder; a setting that cannot be met is refused here.
  package init(_ settings: VideoSettings, _ stretch: Stretch) throws(VideoFault) {
    av_log_set_level(AV_LOG_FATAL)
    self.settings = settings
    let name = settings.container == .y4m ? "wrapped_avframe" : "libx264"
    guard let encoder = unsafe avcodec_find_encoder_by_name(name) else {
      throw VideoFault(
        action: "find the encoder \(name)",
        reason: "this libavcodec has none; install Debian's libavcodec59 (or -extra)", code: 0)
    }
    guard let codec = unsafe avcodec_alloc_context3(encoder) else {
      throw VideoFault("make the encoder", scene_averror(ENOMEM))
    }
    unsafe self.codec = codec
    try unsafe open(encoder, stretch)
  }

  deinit {
    var codec: UnsafeMutablePointer<AVCodecContext>? = unsafe codec
    unsafe avcodec_free_context(&codec)
  }

  private func open(_ encoder: UnsafePointer<AVCodec>, _ stretch: Stretch) throws(VideoFault) {
    unsafe codec.pointee.width = Int32(settings.size.width)
    unsafe codec.pointee.height = Int32(settings.size.height)
    unsafe codec.pointee.pix_fmt = settings.isSubsampled ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_YUV444P
    let base = AVRational(
      num: Int32(settings.rateDenominator), den: Int32(settings.rateNumerator))
    unsafe codec.pointee.time_base = base
    unsafe codec.pointee.framerate = AVRational(num: base.den, den: base.num)
    unsafe codec.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    unsafe codec.pointee.color_range = AVCOL_RANGE_MPEG
    unsafe codec.pointee.colorspace = AVCOL_SPC_BT709
    unsafe codec.pointee.color_primaries = AVCOL_PRI_BT709
    unsafe codec.pointee.color_trc = AVCOL_TRC_BT709
    // The converter takes the mean of 2x2 pixels.
    unsafe codec.pointee.chroma_sample_location = AVCHROMA_LOC_CENTER
    // With more threads, x264 meets a bit rate by how far each of them happens to be.
    unsafe codec.pointee.thread_count = 1
    var options = AVOptions()
    if settings.container != .y4m {
      unsafe codec.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER)
      options.set("preset", settings.preset)
      options.set("x264-params", VideoEncoder.parameters(stretch, preset: settings.preset))
      switch settings.rate {
      case .quality(let value): options.set("crf", "\(value)")
      case .bitrate(let bits):
        unsafe codec.pointee.bit_rate = Int64(bits)
        unsafe codec.pointee.rc_max_rate = Int64(bits * 1.5)
        unsafe codec.pointee.rc_buffer_size = Int32(clamping: Int64(bits * 2))
      }
      if let profile = settings.profile { options.set("profile", profile) }
      if let level = settings.level { options.set("level", level) }
    }
    let status = unsafe avcodec_open2(codec, encoder, &options.dictionary)
    if status < 0 { throw VideoFault("open the encoder with these settings", status) }
    if let unknown = options.firstKey {
      throw VideoFault(
        action: "set '\(unknown)'", reason: "the encoder has no such option", code: 0)
    }
  }

  /// What x264 is told beyond the preset; none of it changes the headers of the stream.
  private static func parameters(_ stretch: Stretch, preset: String) -> String {
    let short = ["ultrafast": 0, "superfast": 0, "veryfast": 10]
    // Looking further ahead than 15 frames makes stretches of a few seconds no smaller, and
    // costs a third of the time and of the memory.
    let lookahead = "rc-lookahead=\(short[preset] ?? 15)"
    let ofStretch =
      switch stretch {
      case .whole: lookahead
      case .moving: "stitchable=1:\(lookahead)"
      // One picture, and blocks that are skipped. Presets above faster optimise for the eye, which
      // takes 2 off the quantiser of the chroma, in the headers; below subme 6 that has to be said.
      case .still:
        "stitchable=1:rc-lookahead=0:mbtree=0:scenecut=0:b-adapt=0:subme=2:chroma-qp-offset="
          + (short[preset] != nil || preset == "faster" ? "0" : "-2")
      }
    return (instructions.map { "asm=\($0):" } ?? "") + ofStretch
  }

  /// The instructions that x264 may use, where this processor has them; else what it finds.
  ///
  /// Its sums for AVX-512 differ from those for AVX2, and for small pictures read memory that was
  /// never written: the bytes of a video would follow from the machine, or from nothing at all.
  private static let instructions: String? = scene_has_avx2() != 0 ? "avx2" : nil

  /// The parameter sets of the stream; stretches join only if theirs are equal.
  package var headers: [UInt8] {
    unsafe Array(
      UnsafeBufferPointer(
        start: codec.pointee.extradata, count: Int(codec.pointee.extradata_size)))
  }

  /// Encodes a picture as frame `index`; the same picture may come again and again.
  ///
  /// Then `isRepeated` spares x264 the search for the best kind of frame: a P-frame of skipped blocks
  /// is (7 % of the time of a title that mostly stands, and a smaller file).
  package func encode(_ picture: VideoFrame, index: Int, isRepeated: Bool)
    throws(VideoFault) -> [VideoPacket]
  {
    unsafe picture.frame.pointee.pts = Int64(index)
    unsafe picture.frame.pointee.pict_type = isRepeated ? AV_PICTURE_TYPE_P : AV_PICTURE_TYPE_NONE
    let status = unsafe avcodec_send_frame(codec, picture.frame)
    if status < 0 { throw VideoFault("encode frame \(index)", status) }
    return try packets()
  }

  /// What the encoder still holds.
  package func finish() throws(VideoFault) -> [VideoPacket] {
    let status = unsafe avcodec_send_frame(codec, nil)
    if status < 0 { throw VideoFault("end the encoding", status) }
    return try packets()
  }

  private func packets() throws(VideoFault) -> [VideoPacket] {
    var list: [VideoPacket] = []
    while true {
      let packet = try VideoPacket()
      let status = unsafe avcodec_receive_packet(codec, packet.packet)
      if status == scene_averror(EAGAIN) || status == scene_averror_eof() { return list }
      if status < 0 { throw VideoFault("encode", status) }
      unsafe packet.packet.pointee.duration = 1
      list.append(packet)
    }
  }
}

/// One encoded picture, with times in frames.
///
/// Handed from the thread that encodes to the one that writes, never used by both.
// Safe: ownership passes under the lock of the pipeline.
@safe package final class VideoPacket: @unchecked Sendable {
  let packet: UnsafeMutablePointer<AVPacket>

  init() throws(VideoFault) {
    guard let made = unsafe av_packet_alloc() else {
      throw VideoFault("make a packet", scene_averror(ENOMEM))
    }
    unsafe packet = made
  }

  deinit {
    var it: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe av_packet_free(&it)
  }

  package var byteCount: Int { Int(unsafe packet.pointee.size) }

  /// Another packet with the same bytes, which both share.
  package func copy() throws(VideoFault) -> VideoPacket {
    let other = try VideoPacket()
    let status = unsafe av_packet_ref(other.packet, packet)
    if status < 0 { throw VideoFault("share a packet", status) }
    return other
  }
}

/// Owner of an `AVDictionary`.
@safe struct AVOptions: ~Copyable {
  var dictionary: OpaquePointer?

  init() { unsafe dictionary = nil }

  deinit {
    var it: OpaquePointer? = unsafe dictionary
    unsafe av_dict_free(&it)
  }

  mutating func set(_ key: String, _ value: String) {
    unsafe av_dict_set(&dictionary, key, value, 0)
  }

  /// The first option that nobody took.
  var firstKey: String? {
    guard let entry = unsafe av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX) else {
      return nil
    }
    return unsafe String(cString: entry.pointee.key)
  }
}

/// What this libav can encode that scenec knows of.
package func availableEncoders() -> [(name: String, description: String, isThere: Bool)] {
  [("libx264", "H.264 for .mp4, .m4v, .mov"), ("wrapped_avframe", "raw pictures for .y4m and -")]
    .map {
      (name: $0.0, description: $0.1, isThere: unsafe avcodec_find_encoder_by_name($0.0) != nil)
    }
}
