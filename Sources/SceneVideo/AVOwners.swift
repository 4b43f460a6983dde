// SPDX-License-Identifier: MIT
import CAV

// Owners of what libav allocates. The numbers in its structures are read and set by their names:
// `frame.width`. What is a pointer there stays behind the owners' methods.

/// Owner of one `AVCodecContext`, which encodes.
@safe @dynamicMemberLookup final class CodecContext {
  private let handle: UnsafeMutablePointer<AVCodecContext>
  private let encoder: UnsafePointer<AVCodec>

  /// `nil` when this libav has no encoder of the name.
  init?(encoder name: String) throws(VideoFault) {
    guard let encoder = unsafe avcodec_find_encoder_by_name(name) else { return nil }
    guard let made = unsafe avcodec_alloc_context3(encoder) else {
      throw VideoFault("make the encoder", scene_averror(ENOMEM))
    }
    unsafe self.encoder = encoder
    unsafe handle = made
  }

  deinit {
    var it: UnsafeMutablePointer<AVCodecContext>? = unsafe handle
    unsafe avcodec_free_context(&it)
  }

  @safe subscript<V: BitwiseCopyable>(dynamicMember field: WritableKeyPath<AVCodecContext, V>) -> V
  {
    get { unsafe handle.pointee[keyPath: field] }
    set { unsafe handle.pointee[keyPath: field] = newValue }
  }

  func open(_ options: inout AVOptions) -> Int32 {
    unsafe avcodec_open2(handle, encoder, &options.dictionary)
  }

  /// Without a frame it is told that there is no more.
  func send(_ frame: Frame?) -> Int32 { unsafe avcodec_send_frame(handle, frame?.handle) }

  func receive(_ packet: Packet) -> Int32 { unsafe avcodec_receive_packet(handle, packet.handle) }

  var headers: [UInt8] {
    let (start, count) = unsafe (handle.pointee.extradata, Int(handle.pointee.extradata_size))
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }

  fileprivate func describe(_ stream: UnsafeMutablePointer<AVStream>) -> Int32 {
    unsafe avcodec_parameters_from_context(stream.pointee.codecpar, handle)
  }
}

/// Owner of one `AVFrame`.
@safe @dynamicMemberLookup final class Frame {
  fileprivate let handle: UnsafeMutablePointer<AVFrame>

  init() throws(VideoFault) {
    guard let made = unsafe av_frame_alloc() else {
      throw VideoFault("make a picture", scene_averror(ENOMEM))
    }
    unsafe handle = made
  }

  deinit {
    var it: UnsafeMutablePointer<AVFrame>? = unsafe handle
    unsafe av_frame_free(&it)
  }

  @safe subscript<V: BitwiseCopyable>(dynamicMember field: WritableKeyPath<AVFrame, V>) -> V {
    get { unsafe handle.pointee[keyPath: field] }
    set { unsafe handle.pointee[keyPath: field] = newValue }
  }

  /// Gets memory for the size and format that were set.
  func allocate() -> Int32 { unsafe av_frame_get_buffer(handle, 0) }

  /// Makes sure that nobody else reads the memory.
  func makeWritable() -> Int32 { unsafe av_frame_make_writable(handle) }

  /// Bytes of a row.
  func stride(_ plane: Int32) -> Int { Int(unsafe scene_frame_stride(handle, plane)) }

  /// Lends a plane of so many rows.
  func withPlane(_ plane: Int32, rows: Int, _ body: (inout MutableSpan<UInt8>) -> Void) {
    let bytes = unsafe UnsafeMutableBufferPointer(
      start: scene_frame_plane(handle, plane), count: stride(plane) * rows)
    var span = unsafe bytes.mutableSpan
    body(&span)
  }
}

/// Owner of one `AVPacket`.
@safe @dynamicMemberLookup final class Packet {
  fileprivate let handle: UnsafeMutablePointer<AVPacket>

  init() throws(VideoFault) {
    guard let made = unsafe av_packet_alloc() else {
      throw VideoFault("make a packet", scene_averror(ENOMEM))
    }
    unsafe handle = made
  }

  deinit {
    var it: UnsafeMutablePointer<AVPacket>? = unsafe handle
    unsafe av_packet_free(&it)
  }

  @safe subscript<V: BitwiseCopyable>(dynamicMember field: WritableKeyPath<AVPacket, V>) -> V {
    get { unsafe handle.pointee[keyPath: field] }
    set { unsafe handle.pointee[keyPath: field] = newValue }
  }

  /// Shares the bytes of another packet.
  func refer(to other: Packet) -> Int32 { unsafe av_packet_ref(handle, other.handle) }

  /// Times in one unit become times in another.
  func rescale(_ from: AVRational, _ to: AVRational) {
    unsafe av_packet_rescale_ts(handle, from, to)
  }
}

/// A stream of a file, which its `FormatContext` owns.
@safe @dynamicMemberLookup struct Stream {
  private let handle: UnsafeMutablePointer<AVStream>
  private let format: FormatContext

  fileprivate init(_ handle: UnsafeMutablePointer<AVStream>, of format: FormatContext) {
    unsafe self.handle = handle
    self.format = format
  }

  @safe subscript<V: BitwiseCopyable>(dynamicMember field: WritableKeyPath<AVStream, V>) -> V {
    get { unsafe handle.pointee[keyPath: field] }
    nonmutating set { unsafe handle.pointee[keyPath: field] = newValue }
  }

  func describe(_ codec: CodecContext) -> Int32 { unsafe codec.describe(handle) }
}

/// Owner of one `AVDictionary`.
@safe struct AVOptions: ~Copyable {
  fileprivate var dictionary: OpaquePointer?

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

/// Owner of one `AVFormatContext` that writes to a `ByteStore`.
@safe final class FormatContext {
  private let handle: UnsafeMutablePointer<AVFormatContext>
  private let output: StoreContext
  private let store: any ByteStore
  /// What libav opened to read its own file again, when it puts the index in front.
  private var readers: [StoreContext] = []

  init(format name: String, _ store: any ByteStore) throws(VideoFault) {
    self.store = store
    output = try StoreContext(store, isWriting: true)
    var made: UnsafeMutablePointer<AVFormatContext>?
    let status = unsafe avformat_alloc_output_context2(&made, nil, name, nil)
    guard let handle = unsafe made else { throw VideoFault("make the file format", status) }
    unsafe self.handle = handle
    unsafe handle.pointee.pb = output.io
    unsafe handle.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    // Safe: libav calls back only while the context lives, and this object owns it.
    unsafe handle.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    unsafe handle.pointee.io_open = { context, made, _, flags, _ in
      guard let opaque = unsafe context?.pointee.opaque, flags == AVIO_FLAG_READ else {
        return scene_averror(EPERM)
      }
      let owner = unsafe Unmanaged<FormatContext>.fromOpaque(opaque).takeUnretainedValue()
      guard let reader = try? StoreContext(owner.store, isWriting: false) else {
        return scene_averror(ENOMEM)
      }
      owner.readers.append(reader)
      unsafe made?.pointee = reader.io
      return 0
    }
    // Readers are freed with the owner.
    unsafe handle.pointee.io_close2 = { _, _ in 0 }
  }

  deinit { unsafe avformat_free_context(handle) }

  func addStream() throws(VideoFault) -> Stream {
    guard let stream = unsafe avformat_new_stream(handle, nil) else {
      throw VideoFault("make the stream", scene_averror(ENOMEM))
    }
    return unsafe Stream(stream, of: self)
  }

  func setMetadata(_ key: String, _ value: String) {
    unsafe av_dict_set(&handle.pointee.metadata, key, value, 0)
  }

  /// Each with its title, and its beginning and end in milliseconds.
  func setChapters(_ chapters: [(title: String, start: Int64, end: Int64)]) {
    let size = unsafe MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride
    // The context frees the array and its entries.
    guard let memory = unsafe av_calloc(chapters.count, size) else { return }
    let list = unsafe memory.bindMemory(
      to: UnsafeMutablePointer<AVChapter>?.self, capacity: chapters.count)
    for (index, chapter) in chapters.enumerated() {
      guard let entry = unsafe av_mallocz(MemoryLayout<AVChapter>.size) else { break }
      let it = unsafe entry.bindMemory(to: AVChapter.self, capacity: 1)
      unsafe it.pointee.id = Int64(index)
      unsafe it.pointee.time_base = AVRational(num: 1, den: 1000)
      unsafe (it.pointee.start, it.pointee.end) = (chapter.start, chapter.end)
      unsafe av_dict_set(&it.pointee.metadata, "title", chapter.title, 0)
      unsafe list[index] = it
      unsafe handle.pointee.nb_chapters = UInt32(index + 1)
    }
    unsafe handle.pointee.chapters = list
  }

  func writeHeader(_ options: inout AVOptions) -> Int32 {
    unsafe avformat_write_header(handle, &options.dictionary)
  }

  func write(_ packet: Packet) -> Int32 { unsafe av_interleaved_write_frame(handle, packet.handle) }

  func writeTrailer() -> Int32 { unsafe av_write_trailer(handle) }

  func flush() { unsafe avio_flush(handle.pointee.pb) }

  /// Throws when a call failed, or a write before it whose error libav kept to itself.
  func check(_ action: String, _ status: Int32) throws(VideoFault) {
    if output.failure != 0 { throw VideoFault(action, scene_averror(output.failure)) }
    if status < 0 { throw VideoFault(action, status) }
    let late = unsafe handle.pointee.pb.pointee.error
    if late < 0 { throw VideoFault(action, late) }
  }
}
