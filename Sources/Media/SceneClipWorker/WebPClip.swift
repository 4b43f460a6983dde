// SPDX-License-Identifier: MIT
import CWebP
import SceneClips
import SceneGraphics
import SceneModel
import ScenePixels
import SceneSystem

/// An animated WebP as a clip. It is decoded by libwebp, since libav does not support the format.
@safe final class WebPClip {
  private var webp = scene_webp()
  private let store: FileStore
  private let size: PixelSize
  private let count: Int
  private let hasAlpha: Bool

  /// The maximum file size in bytes. The whole file is held in memory.
  private static let greatest = 1 << 30

  /// Reads a WebP file; returns `nil` for other formats.
  init?(_ store: FileStore) throws(AssetError) {
    self.store = store
    let head = Files.head(of: store.file, count: 12)
    guard head.starts(with: Array("RIFF".utf8)), head.dropFirst(8) == Array("WEBP".utf8)[...] else {
      return nil
    }
    guard store.length <= WebPClip.greatest else {
      throw .tooLarge("the WebP file exceeds the limit of 1 GiB")
    }
    let isRead = scene_webp_read(&webp, store.file, store.length) != 0
    let (width, height, count, alpha) = (webp.width, webp.height, webp.count, webp.has_alpha)
    (size, self.count, hasAlpha) = (PixelSize(Int(width), Int(height)), Int(count), alpha != 0)
    guard isRead, count > 0 else { throw .undecodable("damaged WebP animation") }
  }

  deinit { scene_webp_close(&webp) }

  func index() throws(AssetError) -> ClipIndex {
    guard count > 1 else {
      throw .undecodable("the file is a still image; use 'image' to show it")
    }
    guard size.width <= ClipIndex.Limits.side, size.height <= ClipIndex.Limits.side else {
      throw .tooLarge(
        "a side of \(size) exceeds the limit of \(ClipIndex.Limits.side) pixels for a clip")
    }
    var format = PictureFormat(.bgra)
    format.hasAlpha = hasAlpha
    var track = ClipIndex.PictureTrack(
      stream: 0, codec: "webp", base: TimeBase(1, 1000), rate: nil, storedSize: size,
      aspect: TimeBase(1, 1), orientation: ClipOrientation(), format: format, pixels: 0)
    var end: Int64 = 0
    for number in 0..<count {
      let named = scene_webp_duration(&webp, Int32(number))
      guard named >= 0 else { break }
      // Browsers, too, show images of at most 10 ms for 100 ms.
      track.lastDuration = named <= 10 ? 100 : Int64(named)
      track.packets.append(
        ClipIndex.PicturePacket(
          shown: end, decoded: end, position: -1, size: 0, isKey: number == 0, isShown: true))
      end += track.lastDuration
    }
    let remark = "the file is truncated after \(track.packets.count) of \(count) frames"
    var hash = ContentHash()
    Files.head(of: store.file, count: store.length).lend { hash.add($0) }
    return ClipIndex(
      content: hash.digest, pictures: track, remarks: track.packets.count < count ? [remark] : [])
  }

  /// Writes a frame to a memory slot. Sequential access is fastest.
  private func write(_ number: Int, to slot: Int, of memory: SharedMemory) throws(AssetError) {
    let layout = PictureLayout(PictureFormat(.bgra), size)
    let start = slot * layout.byteCount
    guard slot >= 0, start + layout.byteCount <= memory.byteCount else {
      throw .undecodable("out of memory for the frame")
    }
    let end = memory.withWritableBytes(start..<start + layout.byteCount) { rows in
      unsafe scene_webp_decode(
        &webp, Int32(number), rows.bindMemory(to: UInt8.self).baseAddress, layout.planes[0].stride)
    }
    guard end >= 0 else { throw .undecodable("damaged data") }
  }

  /// Serves requests for frames until the client closes the channel.
  func serve(_ memory: SharedMemory, _ channel: MessageChannel) {
    while let request = channel.next().flatMap({ PictureRequest($0) }) {
      for (number, slot) in request.pictures {
        var reply = ClipReply.done(0)
        do throws(AssetError) {
          try write(number, to: slot, of: memory)
        } catch {
          reply = .refused(error)
        }
        guard channel.send(reply.bytes) else { return }
      }
    }
  }
}
