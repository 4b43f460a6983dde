// SPDX-License-Identifier: MIT
import CAV
import CLinux
import CPixels
import SceneAV
import SceneClips
import SceneGraphics
import SceneModel
import ScenePixels
import SceneSystem

/// Serves requests for frames of one clip until the client closes the channel.
func servePictures(
  of clip: FileStore, index: [UInt8], memory: SharedMemory, channel: MessageChannel
) {
  guard let track = ClipIndex(index)?.pictures else { return }
  var writer = PictureWriter(track, memory)
  let opened: Result<ClipCursor, AssetError>
  do throws(AssetError) {
    opened = .success(try ClipCursor(clip, track))
  } catch {
    opened = .failure(error)
  }
  var cursor = try? opened.get()
  while let request = channel.next().flatMap({ PictureRequest($0) }) {
    for (number, slot) in request.pictures {
      let reply: ClipReply
      do throws(AssetError) {
        _ = try opened.get()
        if let before = writer.wanted(before: number), let frame = try? cursor?.picture(before) {
          writer.keep(frame, before)
        }
        guard let frame = try cursor?.picture(number) else { return }
        try writer.write(frame, number, to: slot)
        reply = .done(0)
      } catch {
        reply = .refused(error)
      }
      guard channel.send(reply.bytes) else { return }
    }
  }
}

/// Writes decoded frames to shared memory in the pixel format and size of the index.
struct PictureWriter {
  private let track: ClipIndex.PictureTrack
  private let layout: PictureLayout
  private let memory: SharedMemory
  /// The converter for frames whose format or size differs from the index.
  private var scaler: Scaler?
  /// The last frame of an interlaced clip. Its second field is combined with the next frame.
  private var kept: (number: Int, frame: Frame)?

  init(_ track: ClipIndex.PictureTrack, _ memory: SharedMemory) {
    self.track = track
    self.memory = memory
    layout = PictureLayout(track.format, track.storedSize)
  }

  private var hasFields: Bool { track.format.fields != .progressive }

  /// Returns the number of the frame that must be decoded before an interlaced frame; `nil` if none
  /// is needed.
  func wanted(before number: Int) -> Int? {
    hasFields && number > 0 && kept?.number != number - 1 ? number - 1 : nil
  }

  mutating func keep(_ frame: Frame, _ number: Int) {
    guard hasFields, let copy = try? Frame(), copy.refer(to: frame) >= 0 else { return }
    kept = (number, copy)
  }

  mutating func write(_ frame: Frame, _ number: Int, to slot: Int) throws(AssetError) {
    guard slot >= 0, slot < memory.byteCount / layout.byteCount else {
      throw .undecodable("out of memory for the frame")
    }
    let start = slot * layout.byteCount
    let size = track.storedSize
    let isAsExpected =
      Int(frame.width) == size.width && Int(frame.height) == size.height
      && Int(frame.format) == track.pixels && track.format.layout != .bgra
    let isWritten = memory.withWritableBytes(start..<start + layout.byteCount) { bytes in
      let planes = layout.planes.map { plane in
        // Safe: the slot has room for all planes.
        unsafe scene_plane(
          bytes: bytes.baseAddress!.advanced(by: plane.offset)
            .assumingMemoryBound(to: UInt8.self), stride: Int32(plane.stride))
      }
      guard isAsExpected else { return scale(frame, to: planes) }
      guard hasFields else { return copy(frame, to: planes) }
      let before = kept.flatMap { $0.number == number - 1 ? $0.frame : nil }
      return join(before ?? frame, frame, to: planes)
    }
    keep(frame, number)
    guard isWritten else { throw .undecodable("unknown pixel format") }
  }

  /// Copies the samples of a frame, which has the size and format of the track.
  private func copy(_ frame: Frame, to planes: [scene_plane]) -> Bool {
    for (number, plane) in layout.planes.enumerated() {
      let (source, target) = (frame.samples(Int32(number)), planes[number])
      unsafe av_image_copy_plane(
        target.bytes, target.stride, source.bytes, source.stride, Int32(plane.width),
        Int32(plane.rows))
    }
    return true
  }

  /// Deinterlaces a frame, which has the size and format of the track, using the previous frame if
  /// it has the same size and format.
  private func join(_ before: Frame, _ frame: Frame, to planes: [scene_plane]) -> Bool {
    let isSame =
      (before.width, before.height, before.format) == (frame.width, frame.height, frame.format)
    let before = isSame ? before : frame
    let deep: Int32 = track.format.depth > 8 ? 1 : 0
    for (number, plane) in layout.planes.enumerated() {
      let fields = scene_fields(
        width: Int32(plane.width) >> deep, rows: Int32(plane.rows), is_deep: deep,
        first: track.format.fields == .topFirst ? 0 : 1)
      scene_join_fields(
        before.samples(Int32(number)), frame.samples(Int32(number)), fields, planes[number])
    }
    return true
  }

  private mutating func scale(_ frame: Frame, to planes: [scene_plane]) -> Bool {
    if scaler?.source != Scaler.Form(of: frame) {
      let format = track.format
      scaler = Scaler(
        Scaler.Form(of: frame), to: Scaler.Form(track), matrix: format.matrix.number,
        isFullRange: format.isFullRange)
    }
    let missing = Array(repeating: scene_plane(), count: 4 - planes.count)
    let all = planes + missing
    return unsafe scaler?.convert(frame, into: all.map(\.bytes), strides: all.map(\.stride))
      ?? false
  }
}

extension Frame {
  /// Returns the samples of a plane, which are valid as long as the frame.
  fileprivate func samples(_ plane: Int32) -> scene_plane {
    unsafe scene_plane(bytes: scene_frame_plane(pointer, plane), stride: Int32(stride(plane)))
  }
}

extension Scaler.Form {
  /// Creates the form of the frames in shared memory.
  fileprivate init(_ track: ClipIndex.PictureTrack) {
    let format =
      track.format.layout == .bgra ? AV_PIX_FMT_BGRA : AVPixelFormat(Int32(track.pixels))
    self.init(format, width: track.storedSize.width, height: track.storedSize.height)
  }
}

extension PictureFormat.Matrix {
  fileprivate var number: Int32 {
    switch self {
    case .bt601: SWS_CS_ITU601
    case .bt709: SWS_CS_ITU709
    case .bt2020: SWS_CS_BT2020
    }
  }
}
