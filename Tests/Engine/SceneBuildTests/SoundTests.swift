// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Sound in files: its position, its length, and its description.
@Suite("Sound of files", .cpuBudget(seconds: 16)) struct SoundTests {
  /// A file and the encoding of its sound.
  struct Row: Sendable, CustomTestStringConvertible {
    let file: String
    var codec = ""
    var testDescription: String { "\(file) \(codec)" }
    var ending: String { String(file.split(separator: ".")[1]) }
    var isAlone: Bool { !["mp4", "mov", "webm", "mkv"].contains(ending) }
    /// The name of its output.
    var output: String { "o\(ending)\(codec)" }
    /// The name of its file in `built`.
    var builtFile: String { "\(output).\(ending)" }
  }

  static let rows = [
    Row(file: "a.mp4"), Row(file: "a.mp4", codec: "flac"), Row(file: "a.mp4", codec: "mp3"),
    Row(file: "a.mp4", codec: "opus"), Row(file: "a.mov"), Row(file: "a.mov", codec: "pcm"),
    Row(file: "a.webm"), Row(file: "a.mkv"), Row(file: "a.mkv", codec: "flac"),
    Row(file: "a.mkv", codec: "aac"), Row(file: "a.mkv", codec: "mp3"),
    Row(file: "a.mkv", codec: "pcm"), Row(file: "a.wav"), Row(file: "a.flac"), Row(file: "a.mp3"),
    Row(file: "a.m4a"), Row(file: "a.opus"), Row(file: "a.ogg"),
  ]

  private static let instants = (0..<10).map { 0.2 + 0.32 * Double($0) }

  /// Returns a scene with ten flashes of one frame, each with a click of one sample.
  private static func source(_ output: String = "", others: String = "") -> String {
    let events = instants.map { time in
      """
          rect { size: 64x64;  fill: white;  at: \(time)s;  for: 0.04s }
          audio "click.wav" { at: \(time)s }
      """
    }
    return """
      scene { // scenec: allow W0516 the flashes mark the clicks
          size: 64x64;  fps: 25;  for: 4s;  background: black
          \(output.isEmpty ? "" : "output { \(output) }")
          \(others)
      \(events.joined(separator: "\n"))
      }
      """
  }

  /// The sounds of all scenes.
  private static let sounds = Result {
    let folder = try Folder()
    let clicks = "aevalsrc='0.9*eq(n\\,0)|0.9*eq(n\\,0)':s=48000:d=0.1"
    try ffmpeg(["-f", "lavfi", "-i", clicks, "click.wav"], in: folder)
    let tone = "aevalsrc='0.8*sin(440*2*PI*t)':s=44100:d=3"
    try ffmpeg(["-f", "lavfi", "-i", tone, "tone.wav"], in: folder)
    return folder
  }

  /// The files of all rows, from a single build.
  private static let built = Result {
    let folder = try Folder()
    let outputs = rows.map { row -> String in
      let settings = row.codec.isEmpty ? "" : "audio { codec: \(row.codec) }"
      return "output \(row.output) { \(settings) }"
    }
    try folder.write("a.scene", source(others: outputs.joined(separator: "\n")))
    try folder.copy("click.wav", from: sounds.get())
    let files = rows.flatMap { ["-o", "\($0.output)=\($0.builtFile)"] }
    let run = try Program.run([Program.scenec, "build", "a.scene"] + files, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    return folder
  }

  private func folder(_ source: String) throws -> Folder {
    let folder = try Folder()
    try folder.write("a.scene", source)
    try folder.copy("click.wav", "tone.wav", from: SoundTests.sounds.get())
    return folder
  }

  private static func ffmpeg(_ arguments: [String], in folder: Folder) throws {
    let run = try Program.run(
      ["/usr/bin/ffmpeg", "-v", "error", "-y"] + arguments, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
  }

  private func ffmpeg(_ arguments: String..., in folder: Folder) throws {
    try SoundTests.ffmpeg(arguments, in: folder)
  }

  @discardableResult
  private func build(_ file: String, _ options: String..., in folder: Folder) throws -> Run {
    let run = try Program.run(
      [Program.scenec, "build", "a.scene", "-o", file] + options, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  /// Returns the left channel at 48 kHz, from time 0 of the file. `others` are the options of
  /// another output of the same run of ffmpeg.
  private func samples(_ file: String, in folder: Folder, others: [String] = []) throws -> [Float] {
    // The delay that an MP3 states is not a timestamp.
    let times = file.hasSuffix(".mp3") ? [] : ["-copyts"]
    let filter = "aresample=48000:async=1:first_pts=0,pan=mono|c0=c0"
    let sound = ["-i", file, "-vn", "-af", filter, "-f", "f32le", "a.raw"]
    try SoundTests.ffmpeg(times + sound + others, in: folder)
    let data = try #require(folder.data("a.raw"))
    return SoundTests.numbers(data)
  }

  private static func numbers(_ data: Data) -> [Float] {
    unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
  }

  private func probe(_ file: String, _ entries: String, in folder: Folder) throws -> [String] {
    let run = try Program.run(
      ["/usr/bin/ffprobe", "-v", "error", "-show_entries", entries, "-of", "csv=p=0", file],
      in: folder.path)
    return run.output.split(whereSeparator: \.isNewline).map(String.init)
  }

  @Test(arguments: rows) func clicksAreWithTheirFlashes(_ row: Row) throws {
    let file = try SoundTests.built.get().path + "/" + row.builtFile
    let folder = try Folder()
    let pictures = [
      "-an", "-fps_mode", "passthrough", "-f", "rawvideo", "-vf", "scale=1:1", "-pix_fmt", "gray",
      "a.gray",
    ]
    let sound = try samples(file, in: folder, others: row.isAlone ? [] : pictures)
    for time in Self.instants {
      let place = Int((time * 48_000).rounded())
      let near = place - 2000..<place + 2000
      let click = near.max { abs(sound[$0]) < abs(sound[$1]) } ?? 0
      #expect(abs(click - place) <= 48, "at \(time): \(click - place) samples off")
    }
    #expect(abs(sound.count - 192_000) <= 1024)
    if row.isAlone { return }
    let facts = try probe(file, "packet=pts_time,stream_index:stream=duration", in: folder)
    let shown = facts.filter { $0.hasPrefix("0,") }
    #expect(shown.count == 100 && shown.contains { Double($0.dropFirst(2)) == 0 })
    // Where a container stores the lengths of its tracks, they are equal.
    if row.ending == "mp4" || row.ending == "mov" {
      #expect(facts.filter { !$0.contains(",") } == ["4.000000", "4.000000"])
    }
    let levels = [UInt8](try #require(folder.data("a.gray")))
    let flashes = levels.indices.filter { levels[$0] > 128 }
    #expect(flashes == Self.instants.map { Int(($0 * 25).rounded()) })
  }

  @Test func bytesDoNotDependOnJobs() throws {
    let folder = try folder(Self.source())
    for jobs in ["1", "2", "4"] { try build("\(jobs).mp4", "--jobs", jobs, in: folder) }
    #expect(folder.data("1.mp4") == folder.data("2.mp4"))
    #expect(folder.data("1.mp4") == folder.data("4.mp4"))
  }

  @Test func aPartHasItsPartOfTheSound() throws {
    let folder = try folder(Self.source())
    try build("a.mp4", "--from", "1s", "--to", "3s", in: folder)
    let sound = try samples("a.mp4", in: folder)
    let clicks = sound.indices.filter { abs(sound[$0]) > 0.4 }
    #expect(clicks == [7680, 23_040, 38_400, 53_760, 69_120, 84_480])
    #expect(try probe("a.mp4", "stream=duration", in: folder) == ["2.000000", "2.000000"])
  }

  @Test func rateAndChannelsAreThoseOfTheOutput() throws {
    let folder = try folder(
      """
      scene {
          size: 64x64;  fps: 25;  for: 2s;  background: black
          output { audio { codec: pcm;  sample-rate: 44100;  channels: 1 } }
          audio "tone.wav" { trim: 0s .. 2s }
      }
      """)
    try build("a.wav", in: folder)
    #expect(
      try probe("a.wav", "stream=sample_rate,channels,duration", in: folder) == ["44100,1,2.000000"]
    )
    // At its original rate again, the sound is the same except for the dither.
    try ffmpeg("-i", "a.wav", "-f", "f32le", "b.raw", in: folder)
    let data = try #require(folder.data("b.raw"))
    let sound = SoundTests.numbers(data)
    #expect(sound.count == 88_200)
    for k in stride(from: 500, to: 87_000, by: 97) {
      let expected = 0.8 * sin(440 * 2 * Double.pi * Double(k) / 44_100)
      #expect(abs(Double(sound[k]) - expected) < 1e-4)
    }
  }

  /// Sound of 24 bits has much finer steps than sound of 16 bits, and 32 bits need no dither.
  @Test(arguments: [
    ("a.wav", "codec: pcm;  bits: 24", "pcm_s24le"), ("a.flac", "bits: 24", "flac"),
    ("a.wav", "bits: 32", "pcm_s32le"),
  ]) func samplesAreAsFineAsAskedFor(_ file: String, _ settings: String, _ codec: String) throws {
    let folder = try folder(
      """
      scene {
          size: 64x64;  fps: 25;  for: 1s;  background: black
          output { audio { \(settings) } }
          audio "tone.wav" { trim: 0s .. 1s;  volume: -20dB }
      }
      """)
    try build(file, in: folder)
    #expect(try probe(file, "stream=codec_name", in: folder) == [codec])
    try ffmpeg("-i", file, "-f", "f32le", "b.raw", in: folder)
    let sound = SoundTests.numbers(try #require(folder.data("b.raw")))
    #expect(sound.count == 96_000)
    for k in stride(from: 500, to: 47_000, by: 97) {
      let expected = 0.08 * sin(440 * 2 * Double.pi * Double(k) / 48_000)
      // The clip itself has 16 bits.
      #expect(abs(Double(sound[2 * k]) - expected) < 4e-6)
    }
  }

  @Test func filesWithoutSoundSaySo() throws {
    let folder = try folder(Self.source())
    for file in ["a.gif", "%d.png"] {
      let run = try build(file, "--to", "0.2s", in: folder)
      #expect(run.errors.contains("has no audio track"), "\(file): \(run.errors)")
    }
    try folder.write("a.scene", Self.source("audio: none"))
    let silent = try build("a.mp4", in: folder)
    #expect(try probe("a.mp4", "stream=codec_type", in: folder) == ["video"])
    #expect(silent.errors.isEmpty)
    let alone = try Program.scenec("build", "a.scene", "-o", "a.wav", in: folder.path)
    #expect(alone.status == 2 && alone.errors.contains("audio: none"), "\(alone.errors)")
  }

  @Test func wrongSettingsAreErrors() throws {
    for (output, file, message) in [
      ("audio { codec: aac }", "a.webm", "AAC audio is not supported in a .webm file"),
      ("audio { codec: flac;  bitrate: 100kbps }", "a.mp4", "FLAC does not support 'bitrate'"),
      ("audio { bitrate: 1Mbps }", "a.mp4", "AAC audio does not support 1000 kbps"),
      (
        "audio { sample-rate: 44100 }", "a.webm",
        "Opus audio does not support a sample rate of 44100 Hz"
      ),
      ("audio { bits: 24 }", "a.mp4", "AAC audio does not support 'bits'"),
      ("audio { codec: flac;  bits: 32 }", "a.mp4", "FLAC audio does not support 32 bits"),
      ("audio { channels: 2 }", "a.gif", "a .gif file cannot contain audio"),
    ] {
      let folder = try folder(Self.source(output))
      let run = try Program.scenec("build", "a.scene", "-o", file, in: folder.path)
      #expect(run.status != 0 && run.errors.contains(message), "\(run.errors)")
      #expect(folder.data(file) == nil)
    }
  }

  @Test func whatIsTooLoudIsLoweredWithAWarning() throws {
    let folder = try folder(
      """
      scene {
          size: 64x64;  fps: 25;  for: 2s;  background: black
          audio "tone.wav" { trim: 0s .. 2s;  volume: 6dB }
      }
      """)
    let run = try build("a.wav", in: folder)
    #expect(
      run.errors.contains("W0512") && run.errors.contains("reduced it, by up to 5."),
      "\(run.errors)")
    #expect(run.errors.contains("a.scene:1:1"))
    let most = try samples("a.wav", in: folder).reduce(0) { max($0, abs($1)) }
    #expect(abs(most - 0.881) < 0.005)
  }

  /// Volumes are multiplied, and their product has a limit, even while it changes.
  @Test func volumesAreFinite() throws {
    let loud = try folder(
      "scene { size: 32x32; for: 1s\n group { volume: 1e20\n audio \"tone.wav\" { volume: 1e30 } } }"
    )
    for name in ["a.mp3", "a.mp4", "a.opus"] {
      let run = try Program.run(
        [Program.scenec, "build", "a.scene", "-o", name], in: loud.path)
      #expect(run.status == 1 && run.errors.contains("the limit is 10000"), "\(run)")
    }
    let rising = try folder(
      """
      scene { size: 32x32; for: 1s
          group { volume: 1 -> 1e300;  audio "tone.wav" { volume: 1 -> 1e300;  fade-in: 0.2s } }
          audio "tone.wav" { volume: 0dB -> 9000dB }
      }
      """)
    for name in ["b.mp3", "b.m4a", "b.wav"] { try build(name, in: rising) }
  }
}
