// SPDX-License-Identifier: MIT
import Foundation
import SceneClips
import SceneModel
import SceneTestSupport
import Testing

/// Decoded sound is what ffmpeg decodes from the same file, sample by sample.
@Suite("Sound beside ffmpeg", .cpuBudget(seconds: 6)) struct SoundReferenceTests {
  /// A tone with a click each half a second and bursts of noise, for which encoders change block lengths.
  private static func source(rate: Int, channels: Int) -> String {
    let channel = { (tone: Int) in
      "0.2*sin(2*PI*\(tone)*t)+0.6*lt(mod(t\\,0.5)\\,0.002)+0.5*(random(0)-0.5)*exp(-40*mod(t\\,0.31))"
    }
    let expressions = (0..<channels).map { channel(330 + 110 * $0) }.joined(separator: "|")
    return "aevalsrc='\(expressions)':s=\(rate):d=4"
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

  @Test(arguments: vorbis + others) func generated(_ kind: Kind) throws {
    let folder = try Folder()
    let source = Self.source(rate: kind.rate, channels: kind.channels)
    let options = kind.options.split(separator: " ").map(String.init)
    let run = try Program.run(
      ["/usr/bin/ffmpeg", "-v", "error", "-f", "lavfi", "-i", source] + options + [kind.name],
      in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    try compare(folder.path + "/" + kind.name, leastSamples: 4 * kind.rate - 2500)
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
