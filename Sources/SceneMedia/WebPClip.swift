// SPDX-License-Identifier: MIT
import CWebP
import SceneClips
import SceneGraphics
import SceneModel
import ScenePixels
import SceneSystem

/// An animated WebP as a clip: libav reads none, libwebp does.
@safe final class WebPClip {
  private var webp = unsafe scene_webp()
  private let bytes: Int
  let size: PixelSize
  let count: Int
  /// The picture that is decoded next.
  private var next = 0

  /// All of the file is in memory while it is read.
  private static let greatest = 1 << 30

  /// `nil` for any other file.
  init?(_ store: FileStore) throws(AssetFault) {
    let head = Files.head(of: store.file, count: 12)
    guard head.starts(with: Array("RIFF".utf8)), head.dropFirst(8) == Array("WEBP".utf8)[...] else {
      return nil
    }
    bytes = store.length
    let isRead =
      unsafe bytes <= WebPClip.greatest && scene_webp_read(&webp, store.file, bytes) != 0
    (size, count) = unsafe (PixelSize(Int(webp.width), Int(webp.height)), Int(webp.count))
    guard bytes <= WebPClip.greatest else { throw .tooLarge("a WebP of more than 1 GiB") }
    guard isRead, count > 0 else { throw .undecodable("the WebP animation is damaged") }
  }

  deinit { unsafe scene_webp_close(&webp) }

  func index() throws(AssetFault) -> ClipIndex {
    guard count > 1 else {
      throw .undecodable("it is a single picture; show it with 'image'")
    }
    guard size.width <= ClipIndex.Limits.side, size.height <= ClipIndex.Limits.side else {
      throw .tooLarge(
        "a side of \(size) is over \(ClipIndex.Limits.side) pixels, the limit 'clip-side'")
    }
    var format = PictureFormat(.bgra)
    format.hasAlpha = unsafe webp.has_alpha != 0
    var track = ClipIndex.PictureTrack(
      stream: 0, codec: "webp", base: TimeBase(1, 1000), rate: nil, storedSize: size,
      aspect: TimeBase(1, 1), orientation: ClipOrientation(), format: format, pixels: 0)
    var end: Int64 = 0
    for number in 0..<count {
      let named = unsafe scene_webp_duration(&webp, Int32(number))
      guard named >= 0 else { break }
      // As browsers do.
      track.lastDuration = named <= 10 ? 100 : Int64(named)
      track.packets.append(
        ClipIndex.PicturePacket(
          shown: end, decoded: end, position: -1, size: 0, isKey: number == 0, isShown: true))
      end += track.lastDuration
    }
    let remark = "it is cut short after \(track.packets.count) of \(count) pictures"
    var hash = ContentHash()
    unsafe hash.add(UnsafeRawBufferPointer(start: webp.own, count: bytes).bytes)
    return ClipIndex(
      content: hash.digest, pictures: track, remarks: track.packets.count < count ? [remark] : [])
  }

  /// Writes a picture into rows that have room for it. In order it is cheapest.
  func write(_ number: Int, to rows: UnsafeMutableRawBufferPointer, stride: Int)
    throws(AssetFault)
  {
    if number < next {
      unsafe scene_webp_rewind(&webp)
      next = 0
    }
    while next <= number {
      let place = next == number ? rows.baseAddress : nil
      guard unsafe scene_webp_next(&webp, place, stride) != 0 else {
        throw .undecodable("its data is damaged")
      }
      next += 1
    }
  }
}

/// Answers requests for pictures of a WebP until nobody asks any more.
func serveWebP(
  _ clip: WebPClip, _ memory: SharedMemory, _ channel: MessageChannel
) {
  let layout = PictureLayout(PictureFormat(.bgra), clip.size)
  while let request = channel.next().flatMap({ PictureRequest($0) }) {
    for (number, slot) in request.pictures {
      let start = slot * layout.byteCount
      var reply = ClipReply.done(0)
      if slot < 0 || start + layout.byteCount > memory.byteCount {
        reply = .refused(.undecodable("there is no memory for it"))
      } else {
        let fault = unsafe memory.withWritableBytes(start..<start + layout.byteCount) {
          rows -> AssetFault? in
          do throws(AssetFault) {
            try unsafe clip.write(number, to: rows, stride: layout.planes[0].stride)
            return nil
          } catch {
            return error
          }
        }
        if let fault { reply = .refused(fault) }
      }
      guard channel.send(reply.bytes) else { return }
    }
  }
}
