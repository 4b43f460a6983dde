// SPDX-License-Identifier: MIT
package import CAV
import SceneSystem

// Owners of demuxers and decoders.

/// An owned `AVFormatContext` that reads from a `ByteStore` and opens no other files.
@safe package final class Demuxer: Allocated<AVFormatContext> {
  private let input: StoreContext

  /// Opens a file. `formats` and `codecs` are comma-separated lists of allowed names in libav.
  package init(_ store: any ByteStore, formats: String, codecs: String) throws(VideoError) {
    input = try StoreContext(store, isWriting: false)
    var status: Int32 = 0
    let made = unsafe scene_open_input(input.pointer, formats, codecs, &status)
    if status < 0 { throw VideoError("open the file", status) }
    try unsafe super.init(made, name: "the demuxer") { unsafe avformat_close_input(&$0) }
  }

  /// Reads the properties of streams from their first packets. Without decoding, some streams have
  /// no pixel format until `readHead`.
  package func findStreams(decodes: Bool) -> Int32 { scene_find_streams(format, decodes) }

  /// Returns whether the header of the first frame of a stream determines its pixel format.
  package func tellsByHead(_ stream: Int) -> Bool { scene_tells_by_head(format, UInt32(stream)) }

  /// Determines the pixel format of a packet's stream from a frame header; returns `false` if the
  /// header does not contain it.
  package func readHead(_ packet: Packet) -> Bool { scene_read_head(format, packet.pointer) >= 0 }

  package var formatName: String { unsafe String(cString: pointer.pointee.iformat.pointee.name) }

  package func stream(_ number: Int) -> scene_stream {
    precondition(number < Int(self.nb_streams))
    return scene_stream_facts(format, UInt32(number))
  }

  /// Returns the codec headers of a stream.
  package func headers(of stream: Int) -> [UInt8] {
    precondition(stream < Int(self.nb_streams))
    // Safe: the index is valid, and every stream has parameters.
    let codec = unsafe pointer.pointee.streams[stream]!.pointee.codecpar.pointee
    return unsafe Array(
      UnsafeBufferPointer(start: codec.extradata, count: Int(max(0, codec.extradata_size))))
  }

  /// Restricts reading to some streams.
  package func choose(_ streams: [Int]) {
    for number in 0..<Int(self.nb_streams) {
      scene_choose(format, UInt32(number), streams.contains(number))
    }
  }

  /// Returns the number of samples per channel in a packet of `bytes` bytes; 0 if the size does not
  /// determine it.
  package func soundLength(of stream: Int, bytes: Int32) -> Int {
    precondition(stream < Int(self.nb_streams))
    return Int(scene_sound_length(format, UInt32(stream), bytes))
  }

  /// The number of errors in the file that libav has reported, if its log output is disabled.
  package var errorCount: Int { Int(scene_error_count(format)) }

  package func read(_ packet: Packet) -> Int32 { av_read_frame(pointer, packet.pointer) }

  /// Seeks to a keyframe of a stream at or before a time.
  package func seek(_ stream: Int, to time: Int64) -> Int32 {
    av_seek_frame(pointer, Int32(stream), time, AVSEEK_FLAG_BACKWARD)
  }

  /// Seeks to a byte offset in the file.
  package func seek(toByte position: Int64) -> Int32 {
    av_seek_frame(pointer, -1, position, AVSEEK_FLAG_BYTE)
  }
}

/// Determines the lengths of Vorbis packets from their headers.
@safe package final class VorbisLengths {
  @safe private let parser: Owned<OpaquePointer>

  /// Creates a parser for a stream. `headers` is the result of `Demuxer.headers`. Returns `nil` if
  /// the headers are not those of Vorbis.
  package init?(headers: [UInt8]) {
    let made = unsafe Owned(
      av_vorbis_parse_init(headers, Int32(clamping: headers.count)), scene_free_vorbis)
    guard let parser = unsafe made else { return nil }
    unsafe self.parser = parser
  }

  /// Returns the number of samples in the next packet, which also depends on the previous packet; 0
  /// for an invalid packet.
  package func length(of packet: Packet) -> Int {
    unsafe max(
      0, Int(av_vorbis_parse_frame(parser.pointer, packet.pointer.pointee.data, packet.size)))
  }
}

/// An owned `AVCodecContext` that decodes on one thread.
///
/// With `keepsAll`, the output includes audio samples that the file declares as padding.
@safe package final class DecodingContext: AllocatedCodec {
  /// Opens a decoder for a stream of a file; returns `nil` if libav lacks the decoder.
  package init?(
    decoder name: String, of stream: Int, in demuxer: Demuxer, reordering: Int32 = 0,
    keepsAll: Bool = false
  ) throws(VideoError) {
    guard let decoder = unsafe avcodec_find_decoder_by_name(name) else { return nil }
    try unsafe super.init(decoder, name: "the decoder")
    var status = scene_describe_stream(demuxer.format, UInt32(stream), pointer)
    if status < 0 { throw VideoError("describe the stream", status) }
    self.thread_count = 1
    self.max_pixels = 8192 * 8192
    if keepsAll { self.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL }
    if reordering > 0 { self.has_b_frames = reordering }
    status = open()
    if status < 0 { throw VideoError("open the decoder", status) }
  }

  /// Opens a decoder for the output of an audio encoder. Returns `nil` if libav lacks the decoder.
  /// The output includes the encoder's priming.
  package init?(decoder name: String, of encoder: CodecContext) throws(VideoError) {
    guard let decoder = unsafe avcodec_find_decoder_by_name(name) else { return nil }
    try unsafe super.init(decoder, name: "the decoder")
    var status = scene_describe_decoder(pointer, encoder.pointer)
    if status < 0 { throw VideoError("describe the audio track", status) }
    self.thread_count = 1
    self.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
    status = open()
    if status < 0 { throw VideoError("open the decoder", status) }
  }

  /// Sends a packet; `nil` marks the end of the stream.
  package func send(_ packet: Packet?) -> Int32 {
    avcodec_send_packet(pointer, packet?.pointer)
  }

  package func receive(_ frame: Frame) -> Int32 {
    avcodec_receive_frame(pointer, frame.pointer)
  }

  /// Discards all sent packets.
  package func flush() { avcodec_flush_buffers(pointer) }
}

/// Returns the name of a codec in libav.
package func codecName(_ codec: Int32) -> String {
  unsafe String(cString: avcodec_get_name(AVCodecID(UInt32(bitPattern: codec))))
}

/// Disables the log output of libav in the process. The errors of demuxers are counted.
package func silenceLibav() { scene_silence_libav() }
