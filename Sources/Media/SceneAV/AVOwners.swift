// SPDX-License-Identifier: MIT
package import CAV
import Synchronization

// Owners of structures that libav allocates. Numeric fields are accessed by name, as in
// `frame.width`; `Packet` and `Stream` have accessors for fields that are accessed for each packet.
// Pointers are accessed only by the methods of the owners.

/// An owned structure that libav allocates and frees.
@safe @dynamicMemberLookup package class Allocated<Structure> {
  @safe package let pointer: UnsafeMutablePointer<Structure>
  private let free: (inout UnsafeMutablePointer<Structure>?) -> Void

  /// Takes over `made`, which `free` will free. Throws if `made` is null.
  init(
    _ made: UnsafeMutablePointer<Structure>?, name: String,
    free: @escaping (inout UnsafeMutablePointer<Structure>?) -> Void
  ) throws(VideoError) {
    guard let made = unsafe made else {
      throw VideoError("allocate \(name)", scene_averror(ENOMEM))
    }
    unsafe (pointer, self.free) = (made, free)
  }

  deinit {
    var it: UnsafeMutablePointer<Structure>? = pointer
    unsafe free(&it)
  }

  @safe package subscript<V: BitwiseCopyable>(dynamicMember field: WritableKeyPath<Structure, V>)
    -> V
  {
    get { pointer.pointee[keyPath: field] }
    set { pointer.pointee[keyPath: field] = newValue }
  }
}

extension Allocated<AVFormatContext> {
  /// The context as an argument of functions in C.
  @safe var format: scene_format { unsafe scene_format(context: pointer) }
}

/// An owned `AVFrame`.
@safe package final class Frame: Allocated<AVFrame> {
  package init() throws(VideoError) {
    try unsafe super.init(av_frame_alloc(), name: "a frame") { unsafe av_frame_free(&$0) }
  }

  /// Allocates memory for the size and format set before.
  package func allocate() -> Int32 { av_frame_get_buffer(pointer, 0) }

  /// Ensures that the memory has no other users.
  package func makeWritable() -> Int32 { av_frame_make_writable(pointer) }

  /// Shares the memory of another frame.
  package func refer(to other: Frame) -> Int32 { av_frame_ref(pointer, other.pointer) }

  /// The presentation timestamp in the time base of the decoder; `nil` if unknown.
  package var timestamp: Int? { self.pts == scene_no_time() ? nil : Int(self.pts) }

  /// Releases the frame's memory.
  package func clear() { av_frame_unref(pointer) }

  /// Returns the stride of a plane in bytes.
  package func stride(_ plane: Int32) -> Int { Int(scene_frame_stride(pointer, plane)) }

  /// Copies rows of `width` bytes, with a stride of `stride` bytes, into a plane.
  package func copy(_ rows: Int, of bytes: RawSpan, stride: Int, width: Int, to plane: Int32) {
    precondition(bytes.byteCount >= (rows - 1) * stride + width && width <= self.stride(plane))
    unsafe bytes.withUnsafeBytes {
      unsafe av_image_copy_plane(
        scene_frame_plane(pointer, plane), Int32(self.stride(plane)),
        $0.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(stride), Int32(width),
        Int32(rows))
    }
  }

  /// Provides a plane with `rows` rows.
  package func withPlane(_ plane: Int32, rows: Int, _ body: (inout MutableSpan<UInt8>) -> Void) {
    let bytes = unsafe UnsafeMutableBufferPointer(
      start: scene_frame_plane(pointer, plane), count: stride(plane) * rows)
    var span = unsafe bytes.mutableSpan
    body(&span)
  }
}

/// An owned `AVPacket`.
@safe package final class Packet: Allocated<AVPacket> {
  package init() throws(VideoError) {
    try unsafe super.init(av_packet_alloc(), name: "a packet") { unsafe av_packet_free(&$0) }
  }

  package var facts: scene_packet { scene_packet_facts(pointer) }

  // Direct accessors, because a key path is too slow for fields that are accessed for each packet.
  // Timestamps and durations are in the time base of the encoder or of the stream.

  /// The presentation timestamp.
  package var pts: Int64 {
    get { unsafe pointer.pointee.pts }
    set { unsafe pointer.pointee.pts = newValue }
  }

  /// The decoding timestamp.
  package var dts: Int64 {
    get { unsafe pointer.pointee.dts }
    set { unsafe pointer.pointee.dts = newValue }
  }

  package var duration: Int64 {
    get { unsafe pointer.pointee.duration }
    set { unsafe pointer.pointee.duration = newValue }
  }

  /// A combination of `AV_PKT_FLAG` bits.
  package var flags: Int32 {
    get { unsafe pointer.pointee.flags }
    set { unsafe pointer.pointee.flags = newValue }
  }

  /// The number of bytes.
  package var size: Int32 { unsafe pointer.pointee.size }

  /// The index of the stream in its file.
  package var streamIndex: Int { unsafe Int(pointer.pointee.stream_index) }

  /// Assigns the packet to a stream. Converts its timestamps and duration from `base` to the time
  /// base of the stream.
  package func assign(to stream: Stream, from base: AVRational) {
    av_packet_rescale_ts(pointer, base, stream.timeBase)
    unsafe pointer.pointee.stream_index = Int32(stream.index)
  }

  /// Provides the bytes.
  package func withBytes<T>(_ body: (RawSpan) -> T) -> T {
    unsafe body(
      UnsafeRawBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size)).bytes)
  }

  /// Releases the packet's bytes.
  package func clear() { av_packet_unref(pointer) }

  /// Shares the bytes of another packet.
  package func refer(to other: Packet) -> Int32 { av_packet_ref(pointer, other.pointer) }
}

/// An owned `AVCodecContext`.
@safe package class AllocatedCodec: Allocated<AVCodecContext> {
  /// Held while a codec with global state opens or closes. Each encoder of SVT-AV1 allocates the
  /// processor table of the process when it opens, and frees that table when it closes.
  private static let globalState = Mutex(())

  /// Whether the codec opens and closes while no other codec with global state does.
  package let hasGlobalState: Bool

  /// Runs `body`. If `isExclusive`, no other codec with global state opens or closes meanwhile.
  package static func run<T>(isExclusive: Bool, _ body: () -> T) -> T {
    isExclusive ? globalState.withLock { _ in body() } : body()
  }

  /// Whether a codec with global state is opening or closing.
  package static var isGlobalStateInUse: Bool { globalState.withLockIfAvailable { _ in } == nil }

  init(_ codec: UnsafePointer<AVCodec>, name: String) throws(VideoError) {
    let hasGlobalState =
      unsafe codec.pointee.id == AV_CODEC_ID_AV1 && av_codec_is_encoder(codec) != 0
    self.hasGlobalState = hasGlobalState
    try unsafe super.init(avcodec_alloc_context3(codec), name: name) { context in
      AllocatedCodec.run(isExclusive: hasGlobalState) { unsafe avcodec_free_context(&context) }
    }
  }

  /// Opens the codec. `options` keeps those that the codec does not have.
  ///
  /// As root, SVT-AV1 raises the calling thread and its own threads to the highest real-time
  /// priority, which can block all other processes. It is therefore opened without `CAP_SYS_NICE`.
  package func open(_ options: inout AVOptions) -> Int32 {
    AllocatedCodec.run(isExclusive: hasGlobalState) {
      let hadCapability = hasGlobalState && scene_set_nice_capability(false)
      defer { if hadCapability { _ = scene_set_nice_capability(true) } }
      return unsafe avcodec_open2(pointer, nil, &options.dictionary)
    }
  }

  /// Opens the codec without options.
  func open() -> Int32 {
    var none = AVOptions()
    return open(&none)
  }
}

/// An owned `AVDictionary`.
@safe package struct AVOptions: ~Copyable {
  var dictionary: OpaquePointer?

  package init() {}

  deinit { unsafe scene_free_options(dictionary) }

  package mutating func set(_ key: String, _ value: String) {
    unsafe av_dict_set(&dictionary, key, value, 0)
  }

  /// The key of the first option that has not been consumed; `nil` if all were.
  package var firstKey: String? {
    unsafe av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX)
      .map { unsafe String(cString: $0.pointee.key) }
  }
}
