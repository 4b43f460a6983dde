// SPDX-License-Identifier: MIT
import SceneEncoding
import SceneGraphics
import SceneLanguage
import SceneTestSupport
import Testing

/// The packets of encoders, and their form in a cache.
@Suite("Packets", .cpuBudget(seconds: 1)) struct PacketTests {
  private func settings(_ codec: VideoCodec) throws -> VideoSettings {
    VideoSettings(
      try #require(FileFormat(of: codec)), codec, size: PixelSize(64, 64), rateNumerator: 25,
      rateDenominator: 1)
  }

  private static let joining = VideoCodec.allCases.filter(\.joins)

  /// Each frame has a packet, even if the encoder reorders frames.
  @Test(arguments: joining, [1, 2, 3, 20]) func everyFrameHasAPacket(
    _ codec: VideoCodec, _ count: Int
  )
    throws
  {
    for stretch in [VideoEncoder.Stretch.moving, .whole] {
      let packets = try Pictures(settings(codec)).packets(count, stretch)
      #expect(packets.count == count && packets.allSatisfy { $0.byteCount > 0 })
    }
  }

  /// Parts of a video can only be joined if the headers of their encoders are equal.
  @Test(arguments: joining) func stretchesHaveTheSameHeaders(_ codec: VideoCodec) throws {
    let settings = try settings(codec)
    let headers = try [VideoEncoder.Stretch.moving, .still].map {
      try VideoEncoder(settings, $0).headers
    }
    #expect(headers[0] == headers[1])
  }

  // MARK: In a cache

  private func bytes(_ codec: VideoCodec, _ count: Int) throws -> [UInt8] {
    VideoPacket.bytes(of: try Pictures(settings(codec)).packets(count, .moving))
  }

  @Test(arguments: [VideoCodec.h264, .vp9, .ffv1]) func packetsAreReadBack(_ codec: VideoCodec)
    throws
  {
    let bytes = try bytes(codec, 9)
    let packets = try #require(try VideoPacket.packets(bytes[...]))
    #expect(packets.count == 9 && VideoPacket.bytes(of: packets) == bytes)
    // Packets from the cache give the same file as packets that were never cached.
    func file(_ packets: [VideoPacket]) throws -> [UInt8] {
      let file = MemoryFile()
      let writer = try VideoWriter(settings(codec), to: file)
      for packet in packets { try writer.write(packet, from: 0) }
      try writer.finish()
      return file.bytes
    }
    #expect(try file(packets) == file(Pictures(settings(codec)).packets(9, .moving)))
  }

  @Test func noPacketsAreReadBackToo() throws {
    #expect(try VideoPacket.packets(VideoPacket.bytes(of: [])[...])?.isEmpty == true)
  }

  /// A list of packets that is truncated or followed by other bytes is refused.
  @Test func cutListsAreRefused() throws {
    let bytes = try bytes(.h264, 3)
    for count in 0..<bytes.count {
      let read = try? VideoPacket.packets(bytes[..<count])
      #expect((read ?? nil) == nil, "\(count) of \(bytes.count)")
    }
    #expect(try VideoPacket.packets((bytes + [0])[...]) == nil)
  }

  @Test func packetsOfOtherEncodersKeepTheirBytes() throws {
    let packet = try VideoPacket(copying: [1, 2, 3], frame: 7, isKey: true)
    #expect(packet.byteCount == 3)
    let bytes = VideoPacket.bytes(of: [packet])
    let other = VideoPacket.bytes(of: [try VideoPacket(copying: [1, 2, 3], frame: 8, isKey: true)])
    let delta = VideoPacket.bytes(of: [try VideoPacket(copying: [1, 2, 3], frame: 7, isKey: false)])
    #expect(Set([bytes, other, delta]).count == 3)
    #expect(try VideoPacket.packets(bytes[...]).map { VideoPacket.bytes(of: $0) } == bytes)
  }

  // MARK: Frames that last

  /// Repeated frames become one packet of at most five seconds.
  ///
  /// The last frame of the video is written too, so that the file has its full duration.
  @Test(arguments: [(1, 1), (2, 2), (100, 2), (125, 2), (126, 2), (127, 3), (400, 5)])
  func repeatedFramesAreJoined(_ count: Int, _ packets: Int) throws {
    var settings = try settings(.h264)
    settings.isVariable = true
    let pictures = try Pictures(settings)
    let encoder = try VideoEncoder(settings, .moving)
    let picture = try pictures.frame(0)
    var list: [VideoPacket] = []
    for index in 0..<count {
      list += try encoder.encode(picture, index: index, isRepeated: index > 0)
    }
    list += try encoder.finish(endsVideo: true)
    #expect(list.count == packets)
  }

  @Test func anUnwantedEndIsGivenUp() throws {
    let settings = try settings(.h264)
    let encoder = try VideoEncoder(settings, .moving)
    let pictures = try Pictures(settings)
    for index in 0..<20 {
      _ = try encoder.encode(pictures.frame(index), index: index, isRepeated: false)
    }
    #expect(throws: (any Error).self) { try encoder.finish(endsVideo: true) { true } }
  }

  @Test func encodersAreListed() {
    let all = availableEncoders()
    let names = all.map(\.name)
    #expect(Set(names).count == names.count && all.allSatisfy { !$0.description.isEmpty })
    for name in ["libx264", "libvpx-vp9", "gif", "aac", "flac", "pcm_s16le"] {
      #expect(all.contains { $0.name == name && $0.isThere }, "\(name)")
    }
  }
}
