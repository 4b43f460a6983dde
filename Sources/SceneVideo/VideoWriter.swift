// SPDX-License-Identifier: MIT
import CAV
import SceneGraphics

/// Muxes packets into one file.
///
/// Used by one thread. The file is whole only after `finish`, which reports every late fault.
@safe package final class VideoWriter {
  private let settings: VideoSettings
  private let muxer: Muxer
  private let stream: UnsafeMutablePointer<AVStream>
  private let base: AVRational
  /// How many pictures later than it is decoded a picture may be shown.
  private let reorderDelay: Int64
  private var packetCount: Int64 = 0
  /// The parameter sets that every stretch has to fit.
  package let headers: [UInt8]

  /// Begins the file, and opens an encoder to see that it takes the settings and what its headers
  /// are.
  package init(_ settings: VideoSettings, to store: any ByteStore) throws(VideoFault) {
    self.settings = settings
    let stretch: VideoEncoder.Stretch = settings.isSegmented ? .moving : .whole
    let encoder = try VideoEncoder(settings, stretch)
    muxer = try Muxer(format: settings.container.rawValue, store)
    let format = unsafe muxer.format
    guard let stream = unsafe avformat_new_stream(format, nil) else {
      throw VideoFault("make the stream", scene_averror(ENOMEM))
    }
    unsafe self.stream = stream
    headers = encoder.headers
    base = unsafe encoder.codec.pointee.time_base
    reorderDelay = Int64(unsafe encoder.codec.pointee.has_b_frames)
    let copied = unsafe avcodec_parameters_from_context(stream.pointee.codecpar, encoder.codec)
    if copied < 0 { throw VideoFault("describe the stream", copied) }
    unsafe stream.pointee.time_base = base
    unsafe stream.pointee.avg_frame_rate = encoder.codec.pointee.framerate
    unsafe stream.pointee.r_frame_rate = encoder.codec.pointee.framerate
    describe()
    try writeHeader()
  }

  // MARK: Opening

  private func writeHeader() throws(VideoFault) {
    var options = AVOptions()
    if settings.container != .y4m {
      options.set("movflags", "+faststart")
      options.set("fflags", "+bitexact")
    }
    let status = unsafe avformat_write_header(muxer.format, &options.dictionary)
    if status < 0 { throw VideoFault("write the header", status) }
  }

  private func describe() {
    guard settings.container != .y4m else { return }
    let format = unsafe muxer.format
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
  ///
  /// Times of decoding are counted over the whole file, not taken from the encoder: one that has
  /// seen fewer pictures than it may reorder by does not know the delay yet, and the times of two
  /// stretches would then run into each other.
  package func write(_ packet: VideoPacket) throws(VideoFault) {
    unsafe packet.packet.pointee.dts = packetCount - reorderDelay
    packetCount += 1
    unsafe av_packet_rescale_ts(packet.packet, base, stream.pointee.time_base)
    unsafe packet.packet.pointee.stream_index = stream.pointee.index
    try muxer.check(
      "write the file", unsafe av_interleaved_write_frame(muxer.format, packet.packet))
  }

  /// Writes the end of the file.
  package func finish() throws(VideoFault) {
    try muxer.check("write the end of the file", unsafe av_write_trailer(muxer.format))
    unsafe avio_flush(muxer.format.pointee.pb)
    try muxer.check("write the file", 0)
  }
}

/// Sole owner of an `AVFormatContext` that writes to a `ByteStore`.
@safe private final class Muxer {
  let format: UnsafeMutablePointer<AVFormatContext>
  private let output: StoreContext
  private let store: any ByteStore
  /// What the muxer opened to read its own file again, when it puts the index in front.
  private var readers: [StoreContext] = []

  init(format name: String, _ store: any ByteStore) throws(VideoFault) {
    self.store = store
    output = try StoreContext(store, isWriting: true)
    var made: UnsafeMutablePointer<AVFormatContext>?
    let status = unsafe avformat_alloc_output_context2(&made, nil, name, nil)
    guard let format = unsafe made else { throw VideoFault("make the file format", status) }
    unsafe self.format = format
    unsafe format.pointee.pb = output.io
    unsafe format.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    // Safe: libav calls back only while the context lives, and this object owns it.
    unsafe format.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    unsafe format.pointee.io_open = { context, made, _, flags, _ in
      guard let opaque = unsafe context?.pointee.opaque, flags == AVIO_FLAG_READ else {
        return scene_averror(EPERM)
      }
      let muxer = unsafe Unmanaged<Muxer>.fromOpaque(opaque).takeUnretainedValue()
      guard let reader = try? StoreContext(muxer.store, isWriting: false) else {
        return scene_averror(ENOMEM)
      }
      muxer.readers.append(reader)
      unsafe made?.pointee = reader.io
      return 0
    }
    // Readers are freed with the muxer.
    unsafe format.pointee.io_close2 = { _, _ in 0 }
  }

  deinit { unsafe avformat_free_context(format) }

  /// Throws when a call failed, or a write before it whose error libav kept to itself.
  func check(_ action: String, _ status: Int32) throws(VideoFault) {
    if output.failure != 0 { throw VideoFault(action, scene_averror(output.failure)) }
    if status < 0 { throw VideoFault(action, status) }
    let late = unsafe format.pointee.pb.pointee.error
    if late < 0 { throw VideoFault(action, late) }
  }
}
