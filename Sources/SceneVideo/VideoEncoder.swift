// SPDX-License-Identifier: MIT
import CAV
package import SceneAV
import SceneGraphics

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

  /// Opens an encoder; a setting that cannot be met is refused here.
  package init(_ settings: VideoSettings, _ stretch: Stretch) throws(VideoFault) {
    av_log_set_level(AV_LOG_FATAL)
    self.settings = settings
    let name = settings.container == .y4m ? "wrapped_avframe" : "libx264"
    guard let codec = try CodecContext(encoder: name) else {
      throw VideoFault(
        action: "find the encoder \(name)",
        reason: "this libavcodec has none; install Debian's libavcodec59 (or -extra)", code: 0)
    }
    self.codec = codec
    try open(stretch)
  }

  private func open(_ stretch: Stretch) throws(VideoFault) {
    codec.width = Int32(settings.size.width)
    codec.height = Int32(settings.size.height)
    codec.pix_fmt = settings.isSubsampled ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_YUV444P
    let base = AVRational(
      num: Int32(settings.rateDenominator), den: Int32(settings.rateNumerator))
    codec.time_base = base
    codec.framerate = AVRational(num: base.den, den: base.num)
    codec.sample_aspect_ratio = AVRational(num: 1, den: 1)
    codec.color_range = AVCOL_RANGE_MPEG
    codec.colorspace = AVCOL_SPC_BT709
    codec.color_primaries = AVCOL_PRI_BT709
    codec.color_trc = AVCOL_TRC_BT709
    // The converter takes the mean of 2x2 pixels.
    codec.chroma_sample_location = AVCHROMA_LOC_CENTER
    // With more threads, x264 meets a bit rate by how far each of them happens to be.
    codec.thread_count = 1
    var options = AVOptions()
    if settings.container != .y4m {
      codec.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER)
      options.set("preset", settings.preset)
      options.set("x264-params", VideoEncoder.parameters(stretch, settings))
      switch settings.rate {
      case .quality(let value): options.set("crf", "\(value)")
      case .bitrate(let bits):
        codec.bit_rate = Int64(bits)
        codec.rc_max_rate = Int64(bits * 1.5)
        codec.rc_buffer_size = Int32(clamping: Int64(bits * 2))
      }
      if let profile = settings.profile { options.set("profile", profile) }
      if let level = settings.level { options.set("level", level) }
    }
    let status = codec.open(&options)
    if status < 0 { throw VideoFault("open the encoder with these settings", status) }
    if let unknown = options.firstKey {
      throw VideoFault(
        action: "set '\(unknown)'", reason: "the encoder has no such option", code: 0)
    }
  }

  /// What x264 is told beyond the preset; none of it changes the headers of the stream.
  private static func parameters(_ stretch: Stretch, _ settings: VideoSettings) -> String {
    let preset = settings.preset
    let short = ["ultrafast": 0, "superfast": 0, "veryfast": 10]
    // Looking further ahead than 15 frames makes stretches of a few seconds no smaller, and
    // costs a third of the time and of the memory.
    let lookahead = "rc-lookahead=\(short[preset] ?? 15)"
    let ofStretch =
      switch stretch {
      case .whole: lookahead
      case .moving: "stitchable=1:\(lookahead)"
      // One picture, and blocks that are skipped: with the coarsest quantiser nothing is left of what
      // later pictures would add to the grain of the first, half of the bytes. Presets above faster
      // optimise for the eye, which takes 2 off the quantiser of the chroma, in the headers; below
      // subme 6 that has to be said. Another whole picture on the way would be as coarse.
      case .still:
        "stitchable=1:keyint=infinite:rc-lookahead=0:mbtree=0:scenecut=0:b-adapt=0:subme=2:chroma-qp-offset="
          + (short[preset] != nil || preset == "faster" ? "0" : "-2")
          + (settings.rate == .quality(0) ? "" : ":zones=1,\(Int32.max),q=51")
      }
    return (instructions.map { "asm=\($0):" } ?? "") + ofStretch
  }

  /// The instructions that x264 may use, where this processor has them; else what it finds.
  ///
  /// Its sums for AVX-512 differ from those for AVX2, and for small pictures read memory that was
  /// never written: the bytes of a video would follow from the machine, or from nothing at all.
  private static let instructions: String? = scene_has_avx2() != 0 ? "avx2" : nil

  /// The parameter sets of the stream; stretches join only if theirs are equal.
  package var headers: [UInt8] { codec.headers }

  /// Encodes a picture as frame `index` of its stretch; the same picture may come again and again.
  ///
  /// Then `isRepeated` spares x264 the search for the best kind of frame: a P-frame of skipped blocks
  /// is (7 % of the time of a title that mostly stands, and a smaller file).
  package func encode(_ picture: VideoFrame, index: Int, isRepeated: Bool)
    throws(VideoFault) -> [VideoPacket]
  {
    picture.frame.pts = Int64(index)
    picture.frame.pict_type = isRepeated ? AV_PICTURE_TYPE_P : AV_PICTURE_TYPE_NONE
    let status = codec.send(picture.frame)
    if status < 0 { throw VideoFault("encode frame \(index)", status) }
    return try packets()
  }

  /// What the encoder still holds.
  package func finish() throws(VideoFault) -> [VideoPacket] {
    let status = codec.send(nil)
    if status < 0 { throw VideoFault("end the encoding", status) }
    return try packets()
  }

  private func packets() throws(VideoFault) -> [VideoPacket] {
    var list: [VideoPacket] = []
    while true {
      let packet = try VideoPacket()
      let status = codec.receive(packet.packet)
      if status == scene_averror(EAGAIN) || status == scene_averror_eof() { return list }
      if status < 0 { throw VideoFault("encode", status) }
      packet.packet.duration = 1
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

  init() throws(VideoFault) { packet = try Packet() }

  package var byteCount: Int { Int(packet.size) }

  /// Another packet with the same bytes, which both share.
  package func copy() throws(VideoFault) -> VideoPacket {
    let other = try VideoPacket()
    let status = other.packet.refer(to: packet)
    if status < 0 { throw VideoFault("share a packet", status) }
    return other
  }
}

/// What this libav can encode that scenec knows of.
package func availableEncoders() -> [(name: String, description: String, isThere: Bool)] {
  [("libx264", "H.264 for .mp4, .m4v, .mov"), ("wrapped_avframe", "raw pictures for .y4m and -")]
    .map {
      (name: $0.0, description: $0.1, isThere: unsafe avcodec_find_encoder_by_name($0.0) != nil)
    }
}
