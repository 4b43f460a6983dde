// SPDX-License-Identifier: MIT
package import CAV

// Owners of encoders and muxers.

/// An owned `AVCodecContext` that encodes.
@safe package final class CodecContext: AllocatedCodec {
  /// Allocates an encoder; returns `nil` if libav lacks it.
  package init?(encoder name: String) throws(VideoError) {
    guard let encoder = unsafe avcodec_find_encoder_by_name(name) else { return nil }
    try unsafe super.init(encoder, name: "the encoder")
  }

  /// Sends a frame; `nil` marks the end of the stream.
  package func send(_ frame: Frame?) -> Int32 { avcodec_send_frame(pointer, frame?.pointer) }

  package func receive(_ packet: Packet) -> Int32 {
    avcodec_receive_packet(pointer, packet.pointer)
  }

  package var headers: [UInt8] {
    unsafe Array(
      UnsafeBufferPointer(
        start: pointer.pointee.extradata, count: Int(pointer.pointee.extradata_size)))
  }
}

/// A stream of an output file, which `FormatContext` frees.
@safe package final class Stream: Allocated<AVStream> {
  private let format: FormatContext

  fileprivate init(of format: FormatContext) throws(VideoError) {
    self.format = format
    try unsafe super.init(avformat_new_stream(format.pointer, nil), name: "the stream") { _ in }
  }

  /// The index of the stream in its file.
  package var index: Int { unsafe Int(pointer.pointee.index) }

  /// The time base of timestamps. The muxer can change it when it writes the header.
  package var timeBase: AVRational {
    get { unsafe pointer.pointee.time_base }
    set { unsafe pointer.pointee.time_base = newValue }
  }

  package func describe(_ codec: CodecContext) -> Int32 {
    scene_describe(pointer, codec.pointer)
  }

  /// Describes a caption track for frames of a size.
  package func describe(captions codec: AVCodecID, width: Int, height: Int) {
    scene_describe_captions(pointer, codec, Int32(clamping: width), Int32(clamping: height))
  }

  package func setMetadata(_ key: String, _ value: String) {
    scene_set_stream_metadata(pointer, key, value)
  }

  /// Replaces the codec headers.
  package func setHeaders(_ bytes: [UInt8]) -> Int32 {
    unsafe scene_set_headers(pointer, bytes, Int32(bytes.count))
  }
}

/// An owned `AVFormatContext` that writes to a `ByteStore`.
@safe package final class FormatContext: Allocated<AVFormatContext> {
  private let output: StoreContext
  private let store: any ByteStore
  /// The contexts with which libav reads its own output to move the index to the front.
  private var readers: [StoreContext] = []

  package init(format name: String, _ store: any ByteStore) throws(VideoError) {
    self.store = store
    output = try StoreContext(store, isWriting: true)
    var made: UnsafeMutablePointer<AVFormatContext>?
    unsafe avformat_alloc_output_context2(&made, nil, name, nil)
    try unsafe super.init(made, name: "the file format") { unsafe avformat_free_context($0) }
    self.flags |= AVFMT_FLAG_CUSTOM_IO
    // Packets are buffered for files and flushed individually for pipes.
    if store.isSeekable { set("flush_packets", AVRational(num: 0, den: 1)) }
    unsafe pointer.pointee.pb = output.pointer
    // Safe: callbacks occur only during the lifetime of the context, which this object owns.
    unsafe pointer.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    unsafe pointer.pointee.io_open = { context, made, _, flags, _ in
      guard let opaque = unsafe context?.pointee.opaque, flags == AVIO_FLAG_READ else {
        return scene_averror(EPERM)
      }
      let owner = unsafe Unmanaged<FormatContext>.fromOpaque(opaque).takeUnretainedValue()
      guard let reader = try? StoreContext(owner.store, isWriting: false) else {
        return scene_averror(ENOMEM)
      }
      owner.readers.append(reader)
      unsafe made?.pointee = reader.pointer
      return 0
    }
    // Readers are freed with the owner.
    unsafe pointer.pointee.io_close2 = { _, _ in 0 }
  }

  package func addStream() throws(VideoError) -> Stream { try Stream(of: self) }

  package func setMetadata(_ key: String, _ value: String) {
    scene_set_metadata(format, key, value)
  }

  /// Adds a chapter. Times are in milliseconds.
  package func addChapter(_ title: String, from start: Int64, to end: Int64) {
    scene_add_chapter(format, start, end, title)
  }

  package func writeHeader(_ options: inout AVOptions) -> Int32 {
    unsafe avformat_write_header(pointer, &options.dictionary)
  }

  package func write(_ packet: Packet) -> Int32 {
    av_interleaved_write_frame(pointer, packet.pointer)
  }

  /// Sets an option of the muxer, if supported, that applies until the end.
  package func set(_ option: String, _ value: AVRational) {
    av_opt_set_q(pointer, option, value, AV_OPT_SEARCH_CHILDREN)
  }

  package func writeTrailer() -> Int32 { av_write_trailer(pointer) }

  package func flush() { scene_flush(format) }

  /// Throws if a call failed or if libav did not report the error of an earlier write.
  package func check(_ action: String, _ status: Int32) throws(VideoError) {
    if output.failure != 0 { throw VideoError(action, scene_averror(output.failure)) }
    if status < 0 { throw VideoError(action, status) }
    let late = scene_late_error(format)
    if late < 0 { throw VideoError(action, late) }
  }
}
