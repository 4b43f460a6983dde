// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import SceneClips
import SceneModel
import SceneSystem
import SceneTestSupport
import Testing

/// Sound by the number of its samples: a tone with a click, in files of many kinds.
@Suite("Sound of clips", .cpuBudget(seconds: 9)) struct SoundTests {
  /// The rate of the test sound: one and a half seconds of a quiet tone, with a click of one sample
  /// at half a second.
  private static let rate = 48_000
  private static let click = 24_000

  private func make(_ name: String, _ options: String) throws -> String {
    let clips = ClipFiles.shared
    _ = try clips.path(ClipKind.all[0])
    let path = clips.path(name)
    if FileManager.default.fileExists(atPath: path) { return path }
    let tone = "aevalsrc='0.1*sin(440*2*PI*t)+0.8*eq(n\\,24000)|0.05*sin(440*2*PI*t)':s=48000:d=1.5"
    try clips.run(
      "timeout 20 ffmpeg -v error -y -f lavfi -i \"\(tone)\" \(options) '\(name)'", name)
    return path
  }

  /// For each kind: codec and container, the tolerance for the position of the click, and whether
  /// samples are lossless.
  ///
  /// The tolerance is large for AAC in Matroska, which does not state the padding of its encoder.
  static let kinds: [(name: String, options: String, off: Int, isExact: Bool)] = [
    ("a.wav", "-c:a pcm_s16le", 0, true), ("b.wav", "-c:a pcm_f32le", 0, true),
    ("c.mkv", "-c:a pcm_s24le", 0, true), ("d.flac", "", 0, true), ("e.m4a", "-c:a alac", 0, true),
    ("f.m4a", "-c:a aac -b:a 160k", 1, false), ("g.mp4", "-c:a libmp3lame -b:a 192k", 1, false),
    ("h.mp3", "-c:a libmp3lame -b:a 192k", 1, false),
    ("i.webm", "-c:a libopus -b:a 160k", 1, false),
    ("j.ogg", "-c:a libvorbis -q:a 6", 1, false), ("k.ogg", "-c:a libopus -b:a 160k", 1, false),
    ("vorbis.webm", "-c:a libvorbis -q:a 6", 1, false),
    ("vorbis.mkv", "-c:a libvorbis -q:a 6", 1, false),
    ("l.mkv", "-c:a aac -b:a 160k", 1024, false), ("m.mp4", "-c:a ac3 -b:a 320k", 256, false),
    ("n.ac3", "-c:a ac3 -b:a 320k", 256, false), ("o.ts", "-c:a mp2 -b:a 320k", 481, false),
  ]

  @Test(arguments: ["x.wav", "x.mp3", "x.flac", "x.m4a"]) func aFileThatEndsEarlyIsNamed(
    _ name: String
  ) throws {
    let clips = ClipFiles.shared
    _ = try clips.path(ClipKind.all[0])
    let options = name == "x.m4a" ? "-movflags faststart" : ""
    try clips.run(
      "timeout 20 ffmpeg -v error -y -f lavfi -i sine=r=48000:d=10 \(options) whole-\(name) && head -c $(( $(stat -c %s whole-\(name)) / 2 )) whole-\(name) > '\(name)'",
      name)
    let whole = try Clips.open(clips.path("whole-" + name), Clips.store())
    #expect(whole.remarks == [])
    let cut = try Clips.open(clips.path(name), Clips.store())
    #expect(
      cut.remarks.contains { $0.hasPrefix("the file is truncated at") && $0.hasSuffix("of 10s") },
      "\(cut.remarks)")
  }

  /// A file with a hole in the middle plays on or is reported as damaged, but its decoder does not
  /// crash.
  @Test(arguments: ["flac", "ogg", "mp3", "wav", "m4a", "mka"]) func aHoleIsNoCrash(
    _ ending: String
  )
    throws
  {
    let folder = try Folder()
    let run = try Program.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=2",
        "a." + ending,
      ],
      in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let whole = try #require(folder.data("a." + ending))
    for place in stride(from: whole.count / 8, to: whole.count - 5000, by: whole.count / 8) {
      try (whole.prefix(place) + whole.dropFirst(place + 4096))
        .write(to: URL(fileURLWithPath: folder.path + "/hole." + ending))
      do {
        let store = Clips.store()
        let info = try Clips.open(folder.path + "/hole." + ending, store)
        guard let sound = info.sound else { continue }
        let samples = try store.sound(info.digest, from: 0, count: sound.sampleCount)
        #expect(samples.allSatisfy { $0.isFinite })
      } catch {
        #expect(!"\(error)".contains("crash"), "\(place): \(error)")
      }
    }
  }

  /// Returns a file of 48 kHz with given samples.
  private func floatingPoint(
    _ values: [Double], _ format: String, channels: Int = 1, in folder: Folder,
    name: String = "a.wav"
  ) throws -> String {
    func bytes(_ value: Double) -> [UInt8] {
      let isSingle = format.hasPrefix("f32")
      let bits = isSingle ? UInt64(Float(value).bitPattern) : value.bitPattern
      let little = (0..<(isSingle ? 4 : 8)).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
      return format.hasSuffix("be") ? little.reversed() : little
    }
    try Data(values.flatMap(bytes)).write(to: URL(fileURLWithPath: folder.path + "/a.raw"))
    let run = try Program.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-f", format, "-ar", "48000", "-ac", "\(channels)", "-i",
        "a.raw", "-c", "copy", name,
      ], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    return "\(folder.path)/\(name)"
  }

  /// Samples that are NaN or infinite are silent. Others are kept, or clamped far beyond full scale.
  @Test(arguments: [
    ("f32le", "a.wav"), ("f64le", "a.wav"), ("f32be", "a.aiff"), ("f64be", "a.aiff"),
  ])
  func samplesAreFinite(_ format: String, _ name: String) throws {
    let folder = try Folder()
    let odd: [Double] = [.nan, .infinity, -.infinity, 1e30, -0.5, .signalingNaN, 0.25, 1e-40]
    let file = try floatingPoint(
      (0..<9600).map { odd[$0 % 8] }, format, in: folder, name: name)
    let store = Clips.store()
    let info = try Clips.open(file, store)
    let samples = try store.sound(info.digest, from: 0, count: 9600)
    #expect(samples.prefix(7) == [0, 0, 0, 10_000, -0.5, 0, 0.25])
    #expect(samples.allSatisfy(\.isFinite) && abs(samples[7]) < 1e-30)
    #expect(info.invalidSamples == InvalidSamples(count: 4800, first: 0, last: 9597))
  }

  @Test func invalidSamplesAreCounted() throws {
    let folder = try Folder()
    let store = Clips.store()
    func found(_ odd: [Int: Double], channels: Int) throws -> InvalidSamples? {
      let file = try floatingPoint(
        (0..<96_000 * channels).map { odd[$0] ?? 0.1 }, "f32le", channels: channels, in: folder,
        name: "\(odd.count)-\(channels).wav")
      return try Clips.open(file, store).invalidSamples
    }
    #expect(try found([:], channels: 1) == nil)
    #expect(try found([7: 1e30, 8: -1e30, 9: 1e-40], channels: 1) == nil)
    #expect(
      try found([60_000: .nan, 90_000: .infinity], channels: 1)
        == InvalidSamples(count: 2, first: 60_000, last: 90_000))
    #expect(
      try found([120_001: -.infinity], channels: 2)
        == InvalidSamples(count: 1, first: 60_000, last: 60_000))
  }

  /// Times that run ahead of the samples by 300 ppm give a note, but rounded times do not.
  @Test func aWrongClockIsNoted() throws {
    let clips = ClipFiles.shared
    _ = try clips.path(ClipKind.all[0])
    for (name, times, lag) in [("slow.mkv", "PTS*1.0003", 1152.0), ("true.mkv", "PTS", 0)] {
      let make =
        "timeout 60 ffmpeg -v error -y -f lavfi -i sine=r=48000:d=80 -c:a pcm_s16le -bsf:a \"setts=pts=\(times)\" '\(name)'"
      try clips.run(make, name)
      let sound = try #require(try Clips.open(clips.path(name), Clips.store()).sound)
      #expect(sound.lags.count == (lag > 0 ? 9 : 0))
      #expect(abs(sound.lag(at: 80) - lag) < 24, "\(name): \(sound.lags)")
      #expect(abs(sound.lag(at: 40) - lag / 2) < 24)
      #expect(sound.sampleCount == 80 * 48_000)
    }
  }

  @Test(arguments: kinds.indices) func samplesAreWhereTheyWere(_ index: Int) throws {
    let kind = Self.kinds[index]
    let path = try make(kind.name, kind.options)
    let store = Clips.store()
    let info = try Clips.open(path, store)
    let sound = try #require(info.sound)
    #expect(sound.rate == Self.rate && sound.channels == 2)
    let whole = try store.sound(info.digest, from: 0, count: 72_000)
    let left = stride(from: 0, to: whole.count, by: 2).map { abs(whole[$0]) }
    let loudest = try #require(left.indices.max { left[$0] < left[$1] })
    #expect(abs(loudest - Self.click) <= kind.off, "\(kind.name): \(loudest)")
    // Packets of AC-3 and MP2 are complete at the end. WebM rounds to milliseconds, and Matroska
    // with AAC or Vorbis does not state the padding.
    let more =
      kind.isExact
      ? 0
      : kind.off == 1024
        ? 2100
        : kind.name.hasPrefix("vorbis")
          ? 1100 : kind.name == "j.ogg" ? 0 : kind.off > 0 && kind.off != 1 ? 1600 : 48
    #expect(abs(sound.sampleCount - 72_000) <= more, "\(kind.name): \(sound.sampleCount)")
    // Parts that are read in any order equal those of the whole sound.
    var generator = Generator(seed: 5)
    for _ in 0..<12 {
      let from = Int.random(in: 0..<70_000, using: &generator)
      let part = try store.sound(info.digest, from: from, count: 2000)
      #expect(part.count == 4000)
      let off = part.indices.map { abs(part[$0] - whole[from * 2 + $0]) }.max() ?? 0
      #expect(off <= (kind.isExact ? 0 : 0.002), "\(kind.name) at \(from): \(off)")
    }
    // Outside the sound there is silence.
    #expect(try store.sound(info.digest, from: -100, count: 50).allSatisfy { $0 == 0 })
    #expect(try store.sound(info.digest, from: 200_000, count: 50).allSatisfy { $0 == 0 })
  }

  /// From the second band of a sound on, a single pass measures all bands, with the same result.
  @Test(arguments: [8000, 44_100, 48_000, 192_000]) func bandsAreTheSameFromOnePass(_ rate: Int)
    throws
  {
    let folder = try Folder()
    let run = try Program.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-f", "lavfi", "-i",
        "anoisesrc=r=\(rate):d=1.234,volume='t':eval=frame", "-ac", "2", "a.wav",
      ], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let many = Clips.store()
    let info = try Clips.open(folder.path + "/a.wav", many)
    let count = try #require(info.sound).levelCount
    #expect(count == 124)
    let bands: [(Double, Double)] = [
      (20, 150), (1, 21), (0, 1), (150.04, 999.99), (1000, 100_000), (99_999, 100_000),
      (3999, 4001), (20, 150), (440, 440.05),
    ]
    for (low, high) in bands {
      let alone = Clips.store()
      let own = try Clips.open(folder.path + "/a.wav", alone)
      let measure = SoundMeasure.band(low: low, high: high)
      let wanted = try alone.levels(own.digest, measure)
      #expect(wanted.count == count)
      #expect(try many.levels(info.digest, measure) == wanted, "\(low) to \(high)")
    }
    // The spectra are not needed any more, and the band can be measured again.
    let band = SoundMeasure.band(low: 300, high: 500)
    let before = try many.levels(info.digest, band)
    many.forgetSpectra()
    for _ in 0..<2 { #expect(try many.levels(info.digest, band) == before) }
  }

  /// Many bands of a sound do not cause it to be read many times.
  @Test func manyBandsAreOnePass() throws {
    let folder = try Folder()
    let run = try Program.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=20", "-ac", "2",
        "a.opus",
      ], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    func cost(_ bands: Int) throws -> Double {
      try folder.write(
        "a.scene",
        """
        scene { size: 64x64;  for: 20s;  audio a "a.opus" { }
          for k in 1..\(bands) { circle { radius: level(a, from: k * 9Hz, to: k * 9Hz + 200Hz) } }
        }
        """)
      let check = try Program.measure(
        [
          "/usr/bin/env", "XDG_CACHE_HOME=\(folder.path)/\(bands)", Program.scenec, "check",
          "a.scene",
        ], in: folder.path)
      #expect(check.run.status == 0, "\(check.run.errors)")
      return check.cpuSeconds
    }
    let two = try cost(2)
    #expect(try cost(300) < 4 * two + 0.5)
  }
}
