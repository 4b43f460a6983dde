// SPDX-License-Identifier: MIT
import SceneAV
import SceneEncoding
import SceneLanguage
import SceneTestSupport
import Testing

/// Audio files in memory, and the division of a track into pieces.
@Suite("Audio files", .cpuBudget(seconds: 5)) struct SoundWriterTests {
  /// Samples of both channels that are ready from the start.
  private final class Samples: SampleSource {
    private let samples: [Float]
    private var position = 0

    init(_ samples: [Float]) { self.samples = samples }

    var readyCount: Int { samples.count / 2 }

    func next(_ count: Int) throws(VideoError) -> [Float] {
      defer { position += 2 * count }
      return Array(samples[position..<position + 2 * count])
    }
  }

  private func noise(_ count: Int, seed: Int = 1) -> [Float] {
    var random = Generator(seed: UInt64(seed))
    return (0..<2 * count).map { _ in Float.random(in: -0.9...0.9, using: &random) }
  }

  private func file(_ settings: SoundSettings, as format: FileFormat, of samples: [Float]) throws
    -> MemoryFile
  {
    var settings = settings
    settings.sampleCount = samples.count / 2
    let file = MemoryFile()
    let writer = try SoundWriter(
      settings, file: format, notes: FileNotes(), from: .samples(Samples(samples)), to: file)
    try writer.finish()
    return file
  }

  /// Returns the chunk of a WAV file that contains the samples.
  private func data(_ file: MemoryFile) throws -> ArraySlice<UInt8> {
    try #require(file.has("RIFF", at: 0) && file.has("WAVE", at: 8))
    #expect(file.little(4, 4) == file.bytes.count - 8)
    var at = 12
    while !file.has("data", at: at) {
      at += 8 + file.little(at + 4, 4)
      try #require(at + 8 <= file.bytes.count)
    }
    return file.bytes[at + 8..<at + 8 + file.little(at + 4, 4)]
  }

  /// Returns the integers of a WAV file as values from -1 to 1.
  private func samples(_ data: ArraySlice<UInt8>, _ bits: Int) -> [Double] {
    let size = bits / 8
    return stride(from: data.startIndex, to: data.endIndex, by: size).map { at in
      let raw = (0..<size).reduce(0) { $0 | Int(data[at + $1]) << (8 * $1) }
      let signed = raw >= 1 << (bits - 1) ? raw - 1 << bits : raw
      return Double(signed) / Double(1 << (bits - 1))
    }
  }

  @Test(arguments: [16, 24, 32], [0, 1, 4095, 4096, 10_000])
  func aWAVHasEverySample(_ bits: Int, _ count: Int) throws {
    var settings = SoundSettings(.pcm)
    settings.bits = bits
    let heard = noise(count, seed: bits + count)
    let data = try data(file(settings, as: .wav, of: heard))
    #expect(data.count == count * 2 * bits / 8)
    // The tolerance is half a step of rounding plus a step of dither; floats have 24 bits.
    let most = max(1.5 / Double(1 << (bits - 1)), 0x1p-23)
    for (own, wanted) in zip(samples(data, bits), heard) {
      #expect(abs(own - Double(wanted)) <= most)
    }
  }

  @Test func oneChannelIsTheMean() throws {
    var settings = SoundSettings(.pcm)
    settings.channels = 1
    let heard = noise(3000)
    let own = samples(try data(file(settings, as: .wav, of: heard)), 16)
    #expect(own.count == 3000)
    for (index, sample) in own.enumerated() {
      let wanted = Double(heard[2 * index] + heard[2 * index + 1]) / 2
      #expect(abs(sample - wanted) <= 1.5 / 32768)
    }
  }

  @Test(arguments: [16, 24]) func silenceStaysSilent(_ bits: Int) throws {
    var settings = SoundSettings(.pcm)
    settings.bits = bits
    let data = try data(file(settings, as: .wav, of: [Float](repeating: 0, count: 9000)))
    #expect(data.allSatisfy { $0 == 0 })
  }

  @Test(arguments: [
    (SoundCodec.pcm, FileFormat.wav, "WAVE", 8), (.flac, .flac, "fLaC", 0), (.aac, .m4a, "ftyp", 4),
    (.opus, .opus, "OggS", 0), (.opus, .ogg, "OggS", 0), (.mp3, .mp3, "ID3", 0),
  ]) func filesBeginWithTheirMarks(
    _ codec: SoundCodec, _ format: FileFormat, _ mark: String, _ offset: Int
  ) throws {
    let heard = noise(30_000)
    let file = try file(SoundSettings(codec), as: format, of: heard)
    #expect(file.has(mark, at: offset), "\(file.bytes.prefix(16))")
    #expect(try self.file(SoundSettings(codec), as: format, of: heard).bytes == file.bytes)
  }

  // MARK: Pieces

  private static let codecs: [(SoundCodec, FileFormat)] = [
    (.aac, .m4a), (.pcm, .wav), (.opus, .ogg), (.mp3, .mp3), (.flac, .flac),
  ]

  /// Pieces follow each other without a gap, and each one is within the range that its encoder
  /// gets.
  @Test(arguments: codecs, [0, 1, 1023, 384_000, 384_001, 2_000_000])
  func piecesCoverTheTrack(_ pair: (SoundCodec, FileFormat), _ count: Int) throws {
    var settings = SoundSettings(pair.0)
    settings.sampleCount = count
    let pieces = try SoundPieces(settings, in: pair.1, isChained: false)
    var end = 0
    for piece in 0..<pieces.count {
      let (own, reach) = (pieces.samples(of: piece), pieces.reach(of: piece))
      #expect(own.lowerBound == end && (own.count > 0 || count == 0))
      #expect(reach.lowerBound <= own.lowerBound && reach.upperBound >= own.upperBound)
      #expect(reach.lowerBound >= 0 && reach.upperBound <= count)
      #expect(pieces.start(of: piece) <= own.lowerBound)
      end = own.upperBound
    }
    #expect(end == count && pieces.count >= 1)
    #expect(pieces.count <= count / 300_000 + 1)
  }

  @Test func onlySomeCodecsAreEncodedApart() throws {
    for (codec, format) in Self.codecs {
      let apart = try SoundPieces(SoundSettings(codec), in: format, isChained: false)
      #expect(apart.isChained == ![.aac, .pcm].contains(codec), "\(codec)")
      #expect(try SoundPieces(SoundSettings(codec), in: format, isChained: true).isChained)
    }
  }

  /// The bytes of a piece depend only on its samples, not on the pieces that were encoded before
  /// it.
  @Test(arguments: codecs) func piecesDoNotDependOnTheirOrder(_ pair: (SoundCodec, FileFormat))
    throws
  {
    var settings = SoundSettings(pair.0)
    settings.sampleCount = 900_000
    let pieces = try SoundPieces(settings, in: pair.1, isChained: false)
    // AAC takes several times as long to encode tones.
    let heard = noise(settings.sampleCount)
    let samples: SoundPieceEncoder.Samples = { piece, range throws(VideoError) in
      Array(heard[2 * range.lowerBound..<2 * range.upperBound])
    }
    func encode(_ order: [Int]) throws -> [Int: [UInt8]] {
      let encoder = SoundPieceEncoder(pieces)
      var made: [Int: [UInt8]] = [:]
      for piece in order { made[piece] = try encoder.encode(piece, samples) }
      return made
    }
    let forwards = try encode(Array(0..<pieces.count))
    #expect(pieces.count == 3 && forwards.values.allSatisfy { !$0.isEmpty })
    #expect(try encode([2, 0, 1]) == forwards && encode([1])[1] == forwards[1])
  }
}
