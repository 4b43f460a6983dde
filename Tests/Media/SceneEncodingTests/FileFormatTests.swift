// SPDX-License-Identifier: MIT
import SceneEncoding
import SceneGraphics
import SceneLanguage
import SceneTestSupport
import Testing

/// Whole files in memory, for each format and codec.
@Suite("Files of every format", .cpuBudget(seconds: 2)) struct FileFormatTests {
  /// Every video format with each of its codecs.
  static let pairs = FileFormat.allCases.filter { !$0.isStills }.flatMap { file in
    file.codecs.map { Pair(file: file, codec: $0) }
  }

  struct Pair: Sendable, CustomTestStringConvertible {
    let file: FileFormat
    let codec: VideoCodec
    var testDescription: String { "\(codec.rawValue) in \(file.rawValue)" }

    func settings(_ rate: Int64 = 25) -> VideoSettings {
      VideoSettings(
        file, codec, size: PixelSize(64, 64), rateNumerator: rate, rateDenominator: 1)
    }
  }

  private func magic(_ file: FileFormat) -> (String, Int) {
    switch file {
    case .mp4, .mov: ("ftyp", 4)
    case .mkv: ("matroska", 24)
    case .webm: ("webm", 24)
    case .y4m: ("YUV4MPEG2 W64 H64 F25:1 ", 0)
    case .gif: ("GIF89a", 0)
    case .webp: ("WEBP", 8)
    default: ("PNG\r\n", 1)
    }
  }

  @Test(arguments: pairs) func filesBeginWithTheirMarks(_ pair: Pair) throws {
    let file = try Pictures(pair.settings()).file(5)
    let (text, offset) = magic(pair.file)
    #expect(file.has(text, at: offset), "\(file.bytes.prefix(48))")
  }

  /// The same frames give the same bytes.
  @Test(arguments: pairs) func bytesAreRepeatable(_ pair: Pair) throws {
    #expect(try Pictures(pair.settings()).file(5).bytes == Pictures(pair.settings()).file(5).bytes)
  }

  /// Players can start before the whole file has arrived.
  @Test(arguments: [FileFormat.mp4, .mov]) func tablesComeBeforeThePictures(_ format: FileFormat)
    throws
  {
    let settings = Pair(file: format, codec: .h264).settings()
    let file = try Pictures(settings).file(40)
    let (tables, pictures) = (try #require(file.place("moov")), try #require(file.place("mdat")))
    #expect(tables < pictures)
  }

  /// Raw video has a header, then each frame with its raw planes.
  @Test(arguments: [1, 2, 7]) func rawFramesHaveTheirSize(_ count: Int) throws {
    let file = try Pictures(Pair(file: .y4m, codec: .raw).settings()).file(count)
    let header = try #require(file.bytes.firstIndex(of: 10)) + 1
    #expect(file.bytes.count == header + count * ("FRAME\n".utf8.count + 64 * 64 * 3 / 2))
  }

  // MARK: Times of animated images

  /// The durations of all frames add up to that of the video, at any rate.
  @Test(arguments: [1, 7, 10, 24, 25, 30, 50, 60], [1, 2, 13])
  func durationsOfAWebPAddUp(_ rate: Int, _ count: Int) throws {
    let file = try Pictures(Pair(file: .webp, codec: .webp).settings(Int64(rate))).file(count)
    var (at, sum, pictures) = (12, 0, 0)
    while at + 8 <= file.bytes.count {
      let length = file.little(at + 4, 4)
      if file.has("ANMF", at: at) {
        sum += file.little(at + 20, 3)
        pictures += 1
      }
      at += 8 + length + length % 2
    }
    // A single frame is a WebP without an animation.
    guard pictures > 0 else {
      #expect(count == 1)
      return
    }
    #expect(sum == Int((Double(count) * 1000 / Double(rate)).rounded()), "\(pictures) pictures")
  }

  /// A GIF stores delays in hundredths of a second, whose rounding errors must not accumulate.
  @Test(arguments: [1, 7, 10, 24, 25, 30, 50], [1, 2, 13, 40])
  func delaysOfAGIFAddUp(_ rate: Int, _ count: Int) throws {
    let file = try Pictures(Pair(file: .gif, codec: .gif).settings(Int64(rate))).file(count)
    let delays = file.bytes.indices.dropLast(8).filter {
      Array(file.bytes[$0..<$0 + 3]) == [0x21, 0xF9, 4] && file.bytes[$0 + 7] == 0
    }.map { file.little($0 + 4, 2) }
    #expect(delays.count == count)
    let wanted = Double(count) * 100 / Double(rate)
    #expect(abs(Double(delays.reduce(0, +)) - wanted) <= 0.5, "\(delays)")
    #expect(delays.allSatisfy { abs(Double($0) - 100 / Double(rate)) <= 1 }, "\(delays)")
  }
}
