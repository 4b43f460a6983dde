// SPDX-License-Identifier: MIT
import CAV
import SceneGraphics

/// Muxes packets into one file.
///
/// Used by one thread. The file is whole only after `finish`, which reports every late fault.
@safe package final class VideoWriter {
  private let settings: VideoSettings
  private let format: UnsafeMutablePointer<AVFormatContext>
  private let stream: UnsafeMutablePointer<AVStream>
  private let base: AVRational
  private var isOpen = false
  /// The parameter sets that every stretch has to fit.
  package let headers: [UInt8]

  /// Opens the file, and an encoder to see that it takes the settings and what its headers are.
  ///
  /// `path` is a file that exists and may be overwritten, or `nil` for standard output.
  package init(_ settings: VideoSettings, path: String?) throws(VideoFault) {
    self.settings = settings
    let stretch: VideoEncoder.Stretch = settings.isSegmented ? .moving : .whole
    let encoder = try VideoEncoder(settings, stretch)
    let url = path.map { "file:" + $0 } ?? "pipe:1"
    var made: UnsafeMutablePointer<AVFormatContext>?
    let status = unsafe avformat_alloc_output_context2(
      &made, nil, settings.container.rawValue, url)
    guard let context = unsafe made else { throw VideoFault("make the file format", status) }
    unsafe format = context
    guard let stream = unsafe avformat_new_stream(context, nil) else {
      throw VideoFault("make the stream", scene_averror(ENOMEM))
    }
    unsafe self.stream = stream
    headers = encoder.headers
    base = unsafe encoder.codec.pointee.time_base
    let copied = unsafe avcodec_parameters_from_context(stream.pointee.codecpar, encoder.codec)
    if copied < 0 { throw VideoFault("describe the stream", copied) }
    unsafe stream.pointee.time_base = base
    unsafe stream.pointee.avg_frame_rate = encoder.codec.pointee.framerate
    unsafe stream.pointee.r_frame_rate = encoder.codec.pointee.framerate
    describe()
    try openFile(url)
  }

  deinit {
    if isOpen { unsafe avio_closep(&format.pointee.pb) }
    unsafe avformat_free_context(format)
  }

  // MARK: Opening

  private func openFile(_ url: String) throws(VideoFault) {
    let opened = unsafe avio_open2(&format.pointee.pb, url, AVIO_FLAG_WRITE, nil, nil)
    if opened < 0 { throw VideoFault("open the file", opened) }
    isOpen = true
    var options = AVOptions()
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

  /// Writes one packet; they come in the order of decoding.
  package func write(_ packet: VideoPacket) throws(VideoFault) {
    unsafe av_packet_rescale_ts(packet.packet, base, stream.pointee.time_base)
    unsafe packet.packet.pointee.stream_index = stream.pointee.index
    let written = unsafe av_interleaved_write_frame(format, packet.packet)
    if written < 0 { throw VideoFault("write the file", written) }
    let late = unsafe format.pointee.pb.pointee.error
    if late < 0 { throw VideoFault("write the file", late) }
  }

  /// Writes the end of the file.
  package func finish() throws(VideoFault) {
    let trailer = unsafe av_write_trailer(format)
    if trailer < 0 { throw VideoFault("write the end of the file", trailer) }
    let late = unsafe format.pointee.pb.pointee.error
    isOpen = false
    let closed = unsafe avio_closep(&format.pointee.pb)
    if late < 0 { throw VideoFault("write the file", late) }
    if closed < 0 { throw VideoFault("close the file", closed) }
  }
}
