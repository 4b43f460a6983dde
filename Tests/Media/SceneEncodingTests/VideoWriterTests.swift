// SPDX-License-Identifier: MIT
import SceneAV
import SceneEncoding
import SceneGraphics
import SceneLanguage
import SceneTestSupport
import Testing

/// The times of the packets in a file, read back from its tables (ISO 14496-12).
@Suite("Video files", .cpuBudget(seconds: 1)) struct VideoWriterTests {
  private func settings(_ file: FileFormat = .mp4) -> VideoSettings {
    VideoSettings(
      file, file.codecs[0], size: PixelSize(64, 48), rateNumerator: 25, rateDenominator: 1)
  }

  /// Returns the packets of a segment with a moving texture.
  private func packets(_ count: Int, _ stretch: VideoEncoder.Stretch, _ settings: VideoSettings)
    throws -> [VideoPacket]
  {
    let encoder = try VideoEncoder(settings, stretch)
    let picture = try VideoFrame(settings.size, .yuv420p)
    var packets: [VideoPacket] = []
    for frame in 0..<count {
      try picture.withPlanes { (y, u, v, _) in
        for index in y.indices { y[index] = UInt8((index * index / 7 + frame * 3) % 200 + 16) }
        for index in u.indices { (u[index], v[index]) = (128, 128) }
      }
      packets += try encoder.encode(picture, index: frame, isRepeated: false)
    }
    return try packets + encoder.finish(endsVideo: true)
  }

  /// Segments follow each other without a gap, in both decoding and display order.
  ///
  /// They have one frame, fewer frames than may be reordered, and many frames.
  @Test func stretchesFollowEachOther() throws {
    let settings = settings()
    let file = MemoryFile()
    let writer = try VideoWriter(settings, to: file)
    var start = 0
    for (count, stretch) in [(30, .moving), (1, .still), (2, .moving), (40, .moving)]
      as [(Int, VideoEncoder.Stretch)]
    {
      for packet in try packets(count, stretch, settings) { try writer.write(packet, from: start) }
      start += count
    }
    try writer.finish()
    let steps = file.pairs("stts")
    #expect(steps.map(\.0) == [start] && steps.count == 1)
    let step = try #require(steps.first?.1)
    // Frames are displayed later than they are decoded, each at a different time.
    let offsets = file.pairs("ctts").flatMap { Array(repeating: $0.1, count: $0.0) }
    #expect(offsets.count == start)
    let times = offsets.indices.map { ($0 * step + offsets[$0]) / step }
    let first = try #require(times.min())
    #expect(times.sorted() == Array(first..<first + start))
  }

  @Test func headersAreThoseOfEachStretch() throws {
    let settings = settings()
    let writer = try VideoWriter(settings, to: MemoryFile())
    #expect(writer.headers == (try VideoEncoder(settings, .still).headers))
  }

  @Test func aStoreThatFailsIsReported() throws {
    final class Full: ByteStore {
      var isSeekable: Bool { true }
      func write(_ bytes: RawSpan, at offset: Int) -> Int32 { 28 }
      func read(_ bytes: inout MutableRawSpan, at offset: Int) -> Int { 0 }
    }
    let settings = settings()
    #expect(throws: VideoError.self) {
      let writer = try VideoWriter(settings, to: Full())
      for packet in try packets(3, .moving, settings) { try writer.write(packet, from: 0) }
      try writer.finish()
    }
  }

  @Test func settingsThatCannotBeMetAreRefused() {
    func refuses(_ change: (inout VideoSettings) -> Void) -> Bool {
      var settings = settings()
      change(&settings)
      return (try? VideoEncoder(settings, .moving)) == nil
    }
    #expect(!refuses { _ in })
    #expect(refuses { $0.preset = "quickest" })
    #expect(refuses { $0.profile = "wide" })
    #expect(refuses { $0.level = "9.9" })
    #expect(refuses { $0.size = PixelSize(63, 48) })
  }

  /// The encoder gets the quality of the settings with every preset.
  @Test(arguments: ["ultrafast", "faster", "medium", "veryslow"])
  func qualityIsKeptByEachPreset(_ preset: String) throws {
    func bytes(_ quality: Double) throws -> Int {
      var settings = settings()
      settings.preset = preset
      settings.rate = .quality(quality)
      return try packets(12, .moving, settings).reduce(0) { $0 + $1.byteCount }
    }
    #expect(try bytes(5) > bytes(25))
    #expect(try bytes(25) > bytes(45))
  }

  @Test func onlyQualitiesOfFilesAreCutIntoStretches() {
    var it = settings()
    #expect(it.isSegmented && !settings(.y4m).isSegmented)
    it.rate = .bitrate(1e6)
    #expect(!it.isSegmented)
  }

  /// Videos that differ only in metadata share segments.
  @Test func settingsOfPicturesLeaveOutTheRest() {
    var it = settings(.mov)
    (it.notes.title, it.notes.author, it.notes.comment, it.frameCount) = ("a", "b", "c", 9)
    it.notes.chapters = [.init(startMilliseconds: 1, title: "d")]
    it.sound = SoundSettings(.aac)
    #expect(it.ofPictures == settings().ofPictures)
    it.preset = "slow"
    #expect(it.ofPictures != settings().ofPictures)
  }

  /// Rows of table A-1 of H.264 give the lowest level for a size and a rate.
  @Test(arguments: [
    (1280, 720, 30, "3.1"), (1920, 1080, 30, "4"), (1920, 1080, 60, "4.2"),
    (3840, 2160, 30, "5.1"), (3840, 2160, 60, "5.2"), (176, 144, 15, "1"),
  ])
  func leastLevels(_ width: Int, _ height: Int, _ rate: Int64, _ level: String) {
    let it = VideoSettings(
      .mp4, .h264, size: PixelSize(width, height), rateNumerator: rate, rateDenominator: 1)
    #expect(it.leastLevel?.name == level)
  }

  @Test func thereIsALevelBeyondWhichNothingIs() {
    let it = VideoSettings(
      .mp4, .h264, size: PixelSize(16_384, 16_384), rateNumerator: 60, rateDenominator: 1)
    #expect(it.leastLevel == nil)
  }
}
