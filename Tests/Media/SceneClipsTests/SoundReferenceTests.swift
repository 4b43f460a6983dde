// SPDX-License-Identifier: MIT
import Foundation
import SceneClips
import SceneModel
import SceneTestSupport
import Testing

/// Decoded sound, compared sample by sample to the sound that ffmpeg decodes from the same file.
@Suite("Sound beside ffmpeg", .cpuBudget(seconds: 5)) struct SoundReferenceTests {
  /// Returns a tone with a click each half a second and bursts of noise, which make encoders change
  /// their block lengths.
  private static func source(_ kind: Kind) -> String {
    let channel = { (tone: Int) in
      "0.2*sin(2*PI*\(tone)*t)+0.6*lt(mod(t\\,0.5)\\,0.002)+0.5*(random(0)-0.5)*exp(-40*mod(t\\,0.31))"
    }
    let expressions = (0..<kind.channels).map { channel(330 + 110 * $0) }.joined(separator: "|")
    return "aevalsrc='\(expressions)':s=\(kind.rate):d=2"
  }

  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    let options: String
    var rate = 48_000
    var channels = 2

    var testDescription: String { name }
  }

  static let vorbis =
    [(8000, 1), (11_025, 1), (16_000, 1), (22_050, 2), (32_000, 2), (44_100, 1), (44_100, 2)].map {
      rate, channels in
      Kind(
        name: "vorbis-\(rate)-\(channels).ogg", options: "-c:a libvorbis -q:a 3", rate: rate,
        channels: channels)
    }
    + [-1, 6, 10].map { Kind(name: "vorbis-q\($0).ogg", options: "-c:a libvorbis -q:a \($0)") }
    + [
      Kind(name: "vorbis-6.ogg", options: "-c:a libvorbis -q:a 4", channels: 6),
      Kind(name: "vorbis.webm", options: "-c:a libvorbis -q:a 4", rate: 44_100),
      Kind(name: "vorbis.mkv", options: "-c:a libvorbis -q:a 4"),
    ]

  static let others = [
    Kind(name: "u8.wav", options: "-c:a pcm_u8"), Kind(name: "s16.wav", options: "-c:a pcm_s16le"),
    Kind(name: "s24.mka", options: "-c:a pcm_s24le"),
    Kind(name: "s32.mov", options: "-c:a pcm_s32le"),
    Kind(name: "f64.wav", options: "-c:a pcm_f64le"), Kind(name: "aiff.aiff", options: ""),
    Kind(name: "ulaw.wav", options: "-c:a pcm_mulaw", rate: 8000, channels: 1),
    Kind(name: "flac.flac", options: "", rate: 44_100),
    Kind(name: "flac.ogg", options: "-c:a flac"),
    Kind(name: "flac.mp4", options: "-c:a flac -strict -2"),
    Kind(name: "alac.m4a", options: "-c:a alac", rate: 44_100),
    Kind(name: "aac.m4a", options: "-c:a aac -b:a 128k", rate: 44_100),
    Kind(name: "aac.ts", options: "-c:a aac -b:a 128k"),
    Kind(name: "mp3.mp3", options: "-c:a libmp3lame -b:a 128k", rate: 44_100),
    Kind(name: "mp3.mp4", options: "-c:a libmp3lame -q:a 4"),
    Kind(name: "mp3.mkv", options: "-c:a libmp3lame -q:a 4"),
    Kind(name: "opus.ogg", options: "-c:a libopus -b:a 96k"),
    Kind(name: "opus.webm", options: "-c:a libopus -b:a 96k"),
    Kind(name: "opus.mp4", options: "-c:a libopus -b:a 96k"),
    Kind(name: "ac3.ac3", options: "-c:a ac3 -b:a 192k"),
    Kind(name: "ac3.mp4", options: "-c:a ac3 -b:a 192k"),
    Kind(name: "eac3.mkv", options: "-c:a eac3 -b:a 192k"),
    Kind(name: "mp2.ts", options: "-c:a mp2 -b:a 192k"),
  ]

  /// The start of the files of `startsOfADTS`.
  private static let start = Kind(name: "a.aac", options: "-c:a aac -b:a 128k", rate: 44_100)

  /// The files of all kinds. One run of ffmpeg encodes them, and another one decodes them to
  /// `NAME.raw`.
  private static let generatedFiles = Result {
    let folder = try Folder()
    let kinds = vorbis + others + [start]
    let sources = Set(kinds.map { source($0) }).sorted()
    let inputs = sources.flatMap { ["-f", "lavfi", "-i", $0] }
    let encoded = kinds.flatMap { kind -> [String] in
      let input = sources.firstIndex(of: source(kind)) ?? 0
      return ["-map", "\(input)"] + kind.options.split(separator: " ").map(String.init)
        + [kind.name]
    }
    let decoded = kinds.indices.flatMap {
      ["-map", "\($0):a", "-f", "f32le", "\(kinds[$0].name).raw"]
    }
    for words in [inputs + encoded, kinds.flatMap { ["-i", $0.name] } + decoded] {
      let run = try Program.run(["/usr/bin/ffmpeg", "-v", "error"] + words, in: folder.path)
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }
    return folder
  }

  @Test(arguments: vorbis + others) func generated(_ kind: Kind) throws {
    let folder = try SoundReferenceTests.generatedFiles.get()
    let store = Clips.store()
    let path = folder.path + "/" + kind.name
    let info = try Clips.open(path, store)
    let sound = Reference.Sound(bytes: try #require(folder.data(kind.name + ".raw")))
    let count = try Reference.compareSound(path, info, in: store, to: sound)
    #expect(count >= 2 * kind.rate - 2500, "\(count) samples")
  }

  /// Returns bits as bytes, with the highest bit first and padded at the end.
  private static func bytes(_ bits: String) -> [UInt8] {
    let bits = Array(bits.utf8)
    return stride(from: 0, to: bits.count, by: 8).map { first in
      (first..<first + 8).reduce(0) { $0 << 1 | (bits.indices.contains($1) ? bits[$1] & 1 : 0) }
    }
  }

  /// Returns a block of AAC without sound, which may name its encoder.
  private static func block(_ encoder: String = "") -> [UInt8] {
    guard !encoder.isEmpty else { return bytes("111") }
    func binary(_ value: Int, _ count: Int) -> String {
      (0..<count).map { value >> (count - 1 - $0) & 1 == 1 ? "1" : "0" }.joined()
    }
    let name = binary(0, 17) + encoder.utf8.map { binary(Int($0), 8) }.joined()
    let size = (name.count + 7) / 8
    let fill = name + String(repeating: "0", count: size * 8 - name.count)
    return bytes("110" + "1111" + binary(size - 14, 8) + fill + "111")
  }

  /// Returns a frame of ADTS with the header of another frame.
  private static func frame(_ header: some Collection<UInt8>, _ content: [UInt8]) -> [UInt8] {
    var header = Array(header)
    let length = content.count + 7
    header[3] = header[3] & 0xFC | UInt8(length >> 11)
    header[4] = UInt8(length >> 3 & 0xFF)
    header[5] = UInt8(length & 7) << 5 | header[5] & 0x1F
    return header + content
  }

  /// The padding at the start of ADTS is skipped: that of known encoders, and packets without
  /// samples.
  @Test(arguments: [
    ("plain", [], ""), ("empty", [""], ""), ("twice", ["", ""], ""), ("faac", ["libfaac 1.28"], ""),
    ("other", ["Lavc 59.37.100"], ""), ("tagged", ["libfaac 1.28"], "ID3\u{4}\0\0\0\0\0\u{A}"),
  ]) func startsOfADTS(_ name: String, _ blocks: [String], _ tag: String) throws {
    let folder = try Folder()
    let files = try SoundReferenceTests.generatedFiles.get()
    let whole = [UInt8](try #require(files.data(Self.start.name)))
    var bytes = tag.isEmpty ? [] : Array(tag.utf8) + [UInt8](repeating: 0, count: 10)
    for block in blocks { bytes += Self.frame(whole.prefix(7), Self.block(block)) }
    let path = folder.path + "/\(name).aac"
    try Data(bytes + whole).write(to: URL(fileURLWithPath: path))
    try compare(path, leastSamples: 81_800)
  }

  @Test(arguments: [
    "media__sine440.mp3", "media__sound_0.mp3", "media__sound_5.oga", "webcodecs__sfx-opus.ogg",
    "webcodecs__sfx-pcm-f32.wav", "webcodecs__sfx-pcm-s16.wav", "webcodecs__sfx-pcm-s24.wav",
    "webcodecs__sfx-pcm-u8.wav", "webcodecs__sfx-ulaw.wav", "webcodecs__sfx-vorbis.ogg",
    "webcodecs__sfx.adts", "webcodecs__sfx.mp3", "media__movie_5.webm",
  ]) func files(_ name: String) throws {
    try compare(Repository.path + "/Tests/Conformance/clip/" + name, leastSamples: 1000)
  }

  private func compare(_ path: String, leastSamples: Int) throws {
    let store = Clips.store()
    let info = try Clips.open(path, store)
    let count = try Reference.compareSound(path, info, store)
    #expect(count ?? 0 >= leastSamples, "\(count ?? 0) samples")
  }
}
