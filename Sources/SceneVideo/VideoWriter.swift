// SPDX-License-Identifier: MIT
import CAV
import SceneGraphics

/// Encodes pictures and muxes them into one file.
///
/// Used by one thread. The file is whole only after `finish`, which reports every late fault.
@safe package final class VideoWriter {
  private let settings: VideoSettings
  private let format: UnsafeMutablePointer<AVFormatContext>
  private let codec: UnsafeMutablePointer<AVCodecContext>
  private let stream: UnsafeMutablePointer<AVStream>
  private let packet: UnsafeMutablePointer<AVPacket>
  private var isOpen = false

  /// Opens encoder and file; a setting that cannot be met is refused here.
  ///
  /// `path` is a file that exists and may be overwritten, or `nil` for standard output.
  package init(_ settings: VideoSettings, path: String?) throws(VideoFault) {
    av_log_set_level(AV_LOG_FATAL)
    self.settings = settings
    let url = path.map { "file:" + $0 } ?? "pipe:1"
    var made: UnsafeMutablePointer<AVFormatContext>?
    let status = unsafe avformat_alloc_output_context2(
      &made, nil, settings.container.rawValue, url)
    guard let context = unsafe made else { throw VideoFault("make the file format", status) }
    unsafe format = context
    guard let packet = unsafe av_packet_alloc() else {
      throw VideoFault("make a packet", scene_averror(ENOMEM))
    }
    unsafe self.packet = packet
    let name = settings.container == .y4m ? "wrapped_avframe" : "libx264"
    guard let encoder = unsafe avcodec_find_encoder_by_name(name) else {
      throw VideoFault(
        action: "find the encoder \(name)",
        reason: "this libavcodec has none; install Debian's libavcodec59 (or -extra)", code: 0)
    }
    guard let codec = unsafe avcodec_alloc_context3(encoder),
      let stream = unsafe avformat_new_stream(context, nil)
    else { throw VideoFault("make the encoder", scene_averror(ENOMEM)) }
    unsafe self.codec = codec
    unsafe self.stream = stream
    try unsafe openEncoder(encoder)
    describe()
    try openFile(url)
  }

  deinit {
    var codec: UnsafeMutablePointer<AVCodecContext>? = unsafe codec
    unsafe avcodec_free_context(&codec)
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe av_packet_free(&packet)
    if isOpen { unsafe avio_closep(&format.pointee.pb) }
    unsafe avformat_free_context(format)
  }

  // MARK: Opening

  private func openEncoder(_ encoder: UnsafePointer<AVCodec>) throws(VideoFault) {
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
    // A fixed number: the file must not depend on the machine.
    unsafe codec.pointee.thread_count = VideoWriter.threads
    if unsafe format.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 {
      unsafe codec.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER)
    }
    var options = VideoWriter.Options()
    if settings.container != .y4m {
      options.set("preset", settings.preset)
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
    let copied = unsafe avcodec_parameters_from_context(stream.pointee.codecpar, codec)
    if copied < 0 { throw VideoFault("describe the stream", copied) }
    unsafe stream.pointee.time_base = base
    unsafe stream.pointee.avg_frame_rate = codec.pointee.framerate
    unsafe stream.pointee.r_frame_rate = codec.pointee.framerate
  }

  /// x264's own threads: two halve the waiting for 7 % more CPU than one.
  private static let threads: Int32 = 2

  private func openFile(_ url: String) throws(VideoFault) {
    let opened = unsafe avio_open2(&format.pointee.pb, url, AVIO_FLAG_WRITE, nil, nil)
    if opened < 0 { throw VideoFault("open the file", opened) }
    isOpen = true
    var options = VideoWriter.Options()
    if settings.container != .y4m {
      options.set("movflags", "+faststart")
      options.set("fflags", "+bitexact")
    }
    let status = unsafe avformat_write_header(format, &options.dictionary)
    if status < 0 { throw VideoFault("write the header", status) }
  }

  private func describe() {
    guard settings.container != .y4m else { return }
    let entries = [
      ("title", settings.title), ("artist", settings.author), ("comment", settings.comment),
    ]
    for (key, value) in entries where !value.isEmpty {
      unsafe av_dict_set(&format.pointee.metadata, key, value, 0)
    }
    guard !settings.chapters.isEmpty else { return }
    let count = settings.chapters.count
    let end = Int64(settings.frameCount) * 1000 * settings.rateDenominator / settings.rateNumerator
    let size = unsafe MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride
    // The context frees the array and its entries.
    guard let memory = unsafe av_calloc(count, size) else { return }
    let list = unsafe memory.bindMemory(to: UnsafeMutablePointer<AVChapter>?.self, capacity: count)
    for (index, chapter) in settings.chapters.enumerated() {
      guard let entry = unsafe av_mallocz(MemoryLayout<AVChapter>.size) else { break }
      let it = unsafe entry.bindMemory(to: AVChapter.self, capacity: 1)
      unsafe it.pointee.id = Int64(index)
      unsafe it.pointee.time_base = AVRational(num: 1, den: 1000)
      unsafe it.pointee.start = chapter.startMilliseconds
      let next = index + 1 < count ? settings.chapters[index + 1].startMilliseconds : end
      unsafe it.pointee.end = max(chapter.startMilliseconds, next)
      unsafe av_dict_set(&it.pointee.metadata, "title", chapter.title, 0)
      unsafe list[index] = it
      unsafe format.pointee.nb_chapters = UInt32(index + 1)
    }
    unsafe format.pointee.chapters = list
  }

  // MARK: Writing

  /// Encodes a picture as frame `index`; the same picture may come again and again.
  ///
  /// Then `isRepeated` spares x264 the search for the best kind of frame: a P-frame of skipped blocks
  /// is (7 % of the time of a title that mostly stands, and a smaller file).
  package func write(_ picture: VideoFrame, index: Int, isRepeated: Bool = false)
    throws(VideoFault)
  {
    unsafe picture.frame.pointee.pts = Int64(index)
    unsafe picture.frame.pointee.pict_type = isRepeated ? AV_PICTURE_TYPE_P : AV_PICTURE_TYPE_NONE
    let status = unsafe avcodec_send_frame(codec, picture.frame)
    if status < 0 { throw VideoFault("encode frame \(index)", status) }
    try drain()
  }

  /// Writes what the encoder still holds and the end of the file.
  package func finish() throws(VideoFault) {
    let status = unsafe avcodec_send_frame(codec, nil)
    if status < 0 { throw VideoFault("end the encoding", status) }
    try drain()
    let trailer = unsafe av_write_trailer(format)
    if trailer < 0 { throw VideoFault("write the end of the file", trailer) }
    let late = unsafe format.pointee.pb.pointee.error
    isOpen = false
    let closed = unsafe avio_closep(&format.pointee.pb)
    if late < 0 { throw VideoFault("write the file", late) }
    if closed < 0 { throw VideoFault("close the file", closed) }
  }

  private func drain() throws(VideoFault) {
    while true {
      let status = unsafe avcodec_receive_packet(codec, packet)
      if status == scene_averror(EAGAIN) || status == scene_averror_eof() { return }
      if status < 0 { throw VideoFault("encode", status) }
      unsafe packet.pointee.duration = 1
      unsafe av_packet_rescale_ts(packet, codec.pointee.time_base, stream.pointee.time_base)
      unsafe packet.pointee.stream_index = stream.pointee.index
      let written = unsafe av_interleaved_write_frame(format, packet)
      if written < 0 { throw VideoFault("write the file", written) }
      let late = unsafe format.pointee.pb.pointee.error
      if late < 0 { throw VideoFault("write the file", late) }
    }
  }

  /// Owner of an `AVDictionary`.
  @safe private struct Options: ~Copyable {
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
}

/// What this libav can encode that scenec knows of.
package func availableEncoders() -> [(name: String, description: String, isThere: Bool)] {
  [("libx264", "H.264 for .mp4, .m4v, .mov"), ("wrapped_avframe", "raw pictures for .y4m and -")]
    .map {
      (name: $0.0, description: $0.1, isThere: unsafe avcodec_find_encoder_by_name($0.0) != nil)
    }
}
