// SPDX-License-Identifier: MIT
import CAV

// Owners of what libav allocates. The numbers in its structures are read and set by their names:
// `frame.width`. What is a pointer there stays behind the owners' methods.

/// Owner of one structure that libav allocates and frees.
@safe @dynamicMemberLookup class Allocated<Structure> {
  let handle: UnsafeMutablePointer<Structure>
  private let free: (inout UnsafeMutablePointer<Structure>?) -> Void

  /// `free` gets what was made; nothing is an error.
  init(
    _ made: UnsafeMutablePointer<Structure>?, _ name: String,
    _ free: @escaping (inout UnsafeMutablePointer<Structure>?) -> Void
  ) throws(VideoFault) {
    guard let made = unsafe made else { throw VideoFault("make \(name)", scene_averror(ENOMEM)) }
    unsafe (handle, self.free) = (made, free)
  }

  deinit {
    var it: UnsafeMutablePointer<Structure>? = unsafe handle
    unsafe free(&it)
  }

  @safe subscript<V: BitwiseCopyable>(dynamicMember field: WritableKeyPath<Structure, V>) -> V {
    get { unsafe handle.pointee[keyPath: field] }
    set { unsafe handle.pointee[keyPath: field] = newValue }
  }
}

/// Owner of one `AVCodecContext`, which encodes.
@safe final class CodecContext: Allocated<AVCodecContext> {
  /// `nil` when this libav has no encoder of the name.
  init?(encoder name: String) throws(VideoFault) {
    guard let encoder = unsafe avcodec_find_encoder_by_name(name) else { return nil }
    try unsafe super.init(avcodec_alloc_context3(encoder), "the encoder") {
      unsafe avcodec_free_context(&$0)
    }
  }

  func open(_ options: inout AVOptions) -> Int32 {
    unsafe avcodec_open2(handle, nil, &options.dictionary)
  }

  /// Without a frame it is told that there is no more.
  func send(_ frame: Frame?) -> Int32 { unsafe avcodec_send_frame(handle, frame?.handle) }

  func receive(_ packet: Packet) -> Int32 { unsafe avcodec_receive_packet(handle, packet.handle) }

  var headers: [UInt8] {
    unsafe Array(
      UnsafeBufferPointer(
        start: handle.pointee.extradata, count: Int(handle.pointee.extradata_size)))
  }
}

/// Owner of one `AVFrame`.
@safe final class Frame: Allocated<AVFrame> {
  init() throws(VideoFault) {
    try unsafe super.init(av_frame_alloc(), "a picture") { unsafe av_frame_free(&$0) }
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
@safe final class Packet: Allocated<AVPacket> {
  init() throws(VideoFault) {
    try unsafe super.init(av_packet_alloc(), "a packet") { unsafe av_packet_free(&$0) }
  }

  /// Shares the bytes of another packet.
  func refer(to other: Packet) -> Int32 { unsafe av_packet_ref(handle, other.handle) }

  /// Times in one unit become times in another.
  func rescale(_ from: AVRational, _ to: AVRational) {
    unsafe av_packet_rescale_ts(handle, from, to)
  }
}

/// A stream of a file, which `FormatContext` frees.
@safe final class Stream: Allocated<AVStream> {
  private let format: FormatContext

  fileprivate init(of format: FormatContext) throws(VideoFault) {
    self.format = format
    try unsafe super.init(avformat_new_stream(format.handle, nil), "the stream") { _ in }
  }

  func describe(_ codec: CodecContext) -> Int32 {
    unsafe avcodec_parameters_from_context(handle.pointee.codecpar, codec.handle)
  }
}

/// Owner of one `AVDictionary`.
@safe struct AVOptions: ~Copyable {
  fileprivate var dictionary: OpaquePointer?

  init() {}

  deinit {
    var it: OpaquePointer? = unsafe dictionary
    unsafe av_dict_free(&it)
  }

  mutating func set(_ key: String, _ value: String) {
    unsafe av_dict_set(&dictionary, key, value, 0)
  }

  /// The first option that nobody took.
  var firstKey: String? {
    unsafe av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX)
      .map { unsafe String(cString: $0.pointee.key) }
  }
}

/// Owner of one `AVFormatContext` that writes to a `ByteStore`.
@safe final class FormatContext: Allocated<AVFormatContext> {
  private let output: StoreContext
  private let store: any ByteStore
  /// What libav opened to read its own file again, when it puts the index in front.
  private var readers: [StoreContext] = []

  init(format name: String, _ store: any ByteStore) throws(VideoFault) {
    self.store = store
    output = try StoreContext(store, isWriting: true)
    var made: UnsafeMutablePointer<AVFormatContext>?
    unsafe avformat_alloc_output_context2(&made, nil, name, nil)
    try unsafe super.init(made, "the file format") { unsafe avformat_free_context($0) }
    self.flags |= AVFMT_FLAG_CUSTOM_IO
    unsafe handle.pointee.pb = output.handle
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
      unsafe made?.pointee = reader.handle
      return 0
    }
    // Readers are freed with the owner.
    unsafe handle.pointee.io_close2 = { _, _ in 0 }
  }

  func addStream() throws(VideoFault) -> Stream { try Stream(of: self) }

  func setMetadata(_ key: String, _ value: String) {
    unsafe av_dict_set(&handle.pointee.metadata, key, value, 0)
  }

  /// Adds a chapter, with its beginning and end in milliseconds.
  func addChapter(_ title: String, _ start: Int64, _ end: Int64) {
    unsafe scene_add_chapter(handle, start, end, title)
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
