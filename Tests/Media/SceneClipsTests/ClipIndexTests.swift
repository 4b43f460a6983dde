// SPDX-License-Identifier: MIT
import SceneClips
import SceneGraphics
import SceneModel
import SceneTestSupport
import Testing

@Suite("Indexes of clips", .cpuBudget(seconds: 1)) struct ClipIndexTests {
  /// An index of five packets, shown in the order 0 2 3 1, with the last one outside an edit.
  private var index: ClipIndex {
    let shown: [Int64] = [0, 3, 1, 2, 4]
    var track = ClipIndex.PictureTrack(
      stream: 1, codec: "h264", base: TimeBase(1, 30), rate: FrameRate(30, 1),
      storedSize: PixelSize(720, 576), aspect: TimeBase(16, 11),
      orientation: ClipOrientation(quarterTurns: 1, isMirrored: true),
      format: PictureFormat(.yuv422, depth: 10, isFullRange: true, siting: .center), pixels: 64)
    track.packets = shown.enumerated().map { at, time in
      ClipIndex.PicturePacket(
        shown: time, decoded: Int64(at) - 1, position: Int64(at) * 1000 + 48, size: 900 - at,
        isKey: at == 0 || at == 1, isShown: at != 4)
    }
    let sound = ClipIndex.SoundTrack(
      stream: 0, codec: "aac", rate: 48000, channels: 2, base: TimeBase(1, 48000), priming: 1024,
      sampleCount: 2048, start: -100,
      packets: [
        ClipIndex.SoundPacket(sample: 0, shown: -1024, position: 9),
        ClipIndex.SoundPacket(sample: 1024, shown: 0, position: -1),
      ])
    return ClipIndex(
      content: ClipDigest(high: .max, low: 7), pictures: track, sound: sound, remarks: ["ö", ""])
  }

  @Test func itsBytesAreItself() {
    #expect(ClipIndex(index.bytes) == index)
    let empty = ClipIndex(content: ClipDigest(high: 0, low: 0))
    #expect(ClipIndex(empty.bytes) == empty)
  }

  /// Wrong bytes are decoded to a valid index or to `nil`.
  @Test func wrongBytes() {
    let bytes = index.bytes
    for count in bytes.indices { #expect(ClipIndex(Array(bytes.prefix(count))) == nil) }
    #expect(ClipIndex(bytes + [0]) == nil)
    var seed: UInt64 = 1
    for _ in 0..<20_000 {
      var wrong = bytes
      for _ in 0..<3 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        wrong[Int(seed >> 33) % wrong.count] = UInt8(truncatingIfNeeded: seed >> 24)
      }
      guard let found = ClipIndex(wrong) else { continue }
      guard let info = ClipInfo(found, digest: found.content), let pictures = info.pictures else {
        continue
      }
      #expect(pictures.storedSize.width <= 8192 && pictures.times.count <= 5)
      #expect(PictureLayout(pictures.format, pictures.storedSize).byteCount > 0)
    }
  }

  @Test func orderOfDecoding() throws {
    let order = PictureOrder(try #require(index.pictures))
    #expect(order.packets == [0, 2, 3, 1])
    #expect(order.pictures == [0, 3, 1, 2, -1])
    // Frames 1 and 2 are shown before keyframe 3 but follow it in the file, so decoding starts at
    // the previous keyframe.
    #expect((0..<4).map { order.key(for: $0) } == [0, 0, 0, 1])
    #expect(order.key(for: 3, before: 1) == 0)
  }

  @Test func whatAClipIs() throws {
    let info = try #require(ClipInfo(index, digest: index.content))
    let pictures = try #require(info.pictures)
    #expect(pictures.times.count == 4 && pictures.times.rate == FrameRate(30, 1))
    #expect(pictures.size == PixelSize(576, 1047) && pictures.keys == [0, 3])
    #expect(info.sound?.sampleCount == 2048)
  }

  @Test func equalContentHasEqualDigests() {
    let bytes = (0..<100).map { UInt8($0) }
    var digests: Set<ClipDigest> = []
    for count in 0...100 { digests.insert(ContentHash.digest(of: Array(bytes.prefix(count)))) }
    #expect(digests.count == 101)
    #expect(ContentHash.digest(of: bytes) == ContentHash.digest(of: bytes))
  }
}
