// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// What players decode from an output: its peak and loudness, its rate, and the times of `duck`.
@Suite("Sound of outputs", .cpuBudget(seconds: 32)) struct SoundOutputTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// The sounds of several tests, as `NAME.wav`.
  private static let sounds = Result {
    let folder = try Folder()
    var sources = Signal.allCases.map { (name: $0.rawValue, source: $0.source) }
    sources += [
      (name: "tone", source: "sine=d=4:r=48000"),
      (
        name: "voice", source: "aevalsrc='0.2*sin(2*PI*500*t)*between(t\\,0.5\\,2.5)|0':s=48000:d=3"
      ),
      (name: "music", source: "aevalsrc='0|0.25*sin(2*PI*1000*t)':s=48000:d=9"),
    ]
    let inputs = sources.flatMap { ["-f", "lavfi", "-i", $0.source] }
    let outputs = sources.indices.flatMap {
      ["-map", "\($0)", "-c:a", "pcm_f32le", "\(sources[$0].name).wav"]
    }
    _ = try ffmpeg(inputs + outputs, in: folder)
    return folder
  }

  private static func ffmpeg(_ arguments: [String], in folder: Folder) throws -> Run {
    let run = try Program.run(["/usr/bin/ffmpeg", "-nostats", "-y"] + arguments, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  private func ffmpeg(_ arguments: [String]) throws -> Run {
    try SoundOutputTests.ffmpeg(arguments, in: folder)
  }

  private func make(_ file: String, from source: String, options: String = "") throws {
    let words = options.split(separator: " ").map(String.init)
    _ = try ffmpeg(["-f", "lavfi", "-i", source] + words + [file])
  }

  /// Returns the samples of each file; one run of ffmpeg decodes all of them.
  private func samples(of files: [String]) throws -> [[Float]] {
    let inputs = files.flatMap { ["-i", $0] }
    let outputs = files.indices.flatMap { ["-map", "\($0):a", "-f", "f32le", "\($0).raw"] }
    _ = try ffmpeg(inputs + outputs)
    var all: [[Float]] = []
    for index in files.indices {
      let data = try #require(folder.data("\(index).raw"))
      let own = unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
      all.append(own)
    }
    return all
  }

  private func samples(_ file: String) throws -> [Float] { try samples(of: [file])[0] }

  // MARK: Lengths

  /// The video is as long as the scene, although Opus in Matroska starts 6.5 ms before its first
  /// sample.
  ///
  /// This start is not part of the length of the file. The last packet holds 3 to 20 ms of sound.
  @Test(arguments: [6, 57, 61, 62]) func theFileIsAsLongAsTheScene(_ frames: Int) throws {
    try folder.copy("tone.wav", from: SoundOutputTests.sounds.get())
    let files = ["a.webm", "a.mkv"]
    try folder.build(
      "scene { size: 64x64;  for: \(frames)f;  circle { }  audio \"tone.wav\" }", to: files[0],
      "-o", files[1])
    let decoded = try samples(of: files)
    for (file, own) in zip(files, decoded) {
      let probe = try Program.run(
        [
          "/usr/bin/ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0",
          file,
        ], in: folder.path)
      let length = try #require(Double(probe.output.split(separator: "\n").first ?? ""))
      #expect(abs(length - Double(frames) / 30) < 0.0011, "\(file): \(length)")
      #expect(own.count == frames * 1600 * 2, "\(file)")
    }
  }

  // MARK: Peaks

  /// Signals whose peaks after encoding differ much from those of the mix.
  enum Signal: String, CaseIterable, Sendable {
    case brown, drums, sweep

    /// The length, of two pieces of sound or, in `make soak`, of three.
    static let seconds = Soak.isRunning ? 18 : 9

    var source: String {
      switch self {
      case .brown:
        "anoisesrc=d=\(Self.seconds):r=48000:a=0.9:seed=5,lowpass=f=5:p=1,highpass=f=20,"
          + "volume=20dB,aeval=val(0)|val(0)"
      case .drums:
        "aevalsrc='0.1*sin(2*PI*(200*t+30*t*t))+0.9*(random(0)-0.5)*exp(-60*mod(t\\,0.17))"
          + "|0.1*sin(2*PI*331*t)+0.9*(random(1)-0.5)*exp(-50*mod(t\\,0.23))'"
          + ":s=48000:d=\(Self.seconds)"
      case .sweep:
        "aevalsrc='0.9*sin(2*PI*(20*t+500*t*t))|0.9*sin(2*PI*(20*t+500*t*t))'"
          + ":s=48000:d=\(Self.seconds)"
      }
    }
  }

  /// Returns the integrated loudness and the true peak of a file, as ffmpeg measures them.
  private func measure(_ file: String) throws -> (loudness: Double, peak: Double) {
    let run = try ffmpeg(["-i", file, "-af", "ebur128=peak=true", "-f", "null", "-"])
    let summary = run.errors.components(separatedBy: "Summary:").last ?? ""
    func number(_ name: String) throws -> Double {
      let rest = try #require(summary.components(separatedBy: name).dropFirst().first)
      return try #require(rest.split(separator: " ").first.flatMap { Double($0) })
    }
    return (try number("I:"), try number("Peak:"))
  }

  /// `make soak` tests each signal in each format with two peak limits.
  private static let signals: [(Signal, String)] =
    Soak.isRunning
    ? Signal.allCases.flatMap { signal in ["m4a", "mp3", "opus", "webm"].map { (signal, $0) } }
    : [(.brown, "m4a"), (.brown, "opus"), (.drums, "m4a"), (.drums, "mp3"), (.sweep, "webm")]

  @Test(arguments: signals)
  func encodedPeaksAreBelowThePeakOfTheFile(_ signal: Signal, _ file: String) throws {
    let sound = "\(signal.rawValue).wav"
    try folder.copy(sound, from: SoundOutputTests.sounds.get())
    for peak in Soak.isRunning ? [-1.0, -3.0] : [-1] {
      // A target loudness would keep the sweep far below the peak.
      let loudness = signal == .sweep ? nil : peak == -1 ? -14.0 : -16
      let settings = loudness.map { "loudness: \(Int($0));  " } ?? ""
      let run = try folder.build(
        """
        scene {
            size: 64x64;  fps: 10;  for: \(Signal.seconds)s;  audio "\(sound)"
            output { audio { \(settings)peak: \(Int(peak))dB } }
        }
        """, to: "a.\(file)")
      #expect(!run.errors.contains("true peak"), "\(run.errors)")
      if signal == .drums { #expect(run.errors.contains("the limiter reduced"), "\(run.errors)") }
      let found = try measure("a.\(file)")
      #expect(found.peak <= peak + 0.1, "\(found)")
      if let loudness { #expect(abs(found.loudness - loudness) <= 0.2, "\(found)") }
    }
  }

  @Test func oneChannelIsBelowThePeakToo() throws {
    try folder.copy("brown.wav", from: SoundOutputTests.sounds.get())
    try folder.build(
      "scene { for: 9s;  audio \"brown.wav\" { volume: 12dB }\n output { audio { channels: mono } } }",
      to: "a.opus")
    #expect(try measure("a.opus").peak <= -0.9)
  }

  /// A mono file is 3 LU below the target, also if the channels of the mix differ.
  @Test(arguments: [
    "0.3*sin(2*PI*330*t)|0", "0.2*sin(2*PI*330*t)|0.2*sin(2*PI*330*t)",
    "0.3*sin(2*PI*330*t)|0.1*sin(2*PI*550*t)",
  ])
  func oneChannelReachesTheLoudness(_ signal: String) throws {
    try make("s.wav", from: "aevalsrc='\(signal)':s=48000:d=4")
    let scene =
      "scene { audio \"s.wav\"\n output { audio { loudness: -23;  channels: mono } } }"
    for file in ["a.wav", "a.opus"] {
      try folder.build(scene, to: file)
      #expect(abs(try measure(file).loudness + 26) <= 0.3, "\(file)")
    }
  }

  /// Each way to build finds the same peaks, although they depend on all pieces.
  @Test(arguments: ["mp4", "opus"]) func bytesAreThoseOfEveryWayToBuild(_ file: String) throws {
    try folder.copy("brown.wav", from: SoundOutputTests.sounds.get())
    let scene = """
      scene {
          size: 64x64;  fps: 10;  for: \(Signal.seconds)s;  audio "brown.wav"
          output { audio { loudness: -14 } }
      }
      """
    try folder.build(scene, to: "1.\(file)", "--jobs", "1", "--no-cache")
    if file == "mp4" {
      for share in 1...2 {
        try folder.build(
          scene, to: "4.mp4", "--jobs", "4", "--cache", "kept", "--shard", "\(share)/2")
      }
    }
    for name in ["4", "kept"] {
      try folder.build(scene, to: "\(name).\(file)", "--jobs", "4", "--cache", "kept")
    }
    let bytes = try #require(folder.data("1.\(file)"))
    for name in ["4", "kept"] { #expect(folder.data("\(name).\(file)") == bytes, "\(name)") }
  }

  @Test func quietSoundIsEncodedOnce() throws {
    try make("s.wav", from: "aevalsrc='0.1*sin(2*PI*440*t)':s=48000:d=4", options: "-c:a pcm_f32le")
    let run = try folder.build("scene { audio \"s.wav\" }", to: "a.m4a", "--timings")
    let pieces = run.errors.split(whereSeparator: \.isNewline).filter { $0.contains("sound") }
    #expect(!pieces.isEmpty, "\(run.errors)")
    #expect(abs(try measure("a.m4a").peak + 20) < 0.5)
  }

  // MARK: Rates

  private static let rates = [
    8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000,
  ]

  /// Files of 16 and 24 bits at each rate, and their copies, all decoded to `NAME.raw`.
  private static let copies = Result {
    let folder = try Folder()
    let kinds = rates.flatMap { rate -> [(rate: Int, bits: Int)] in
      [(rate: rate, bits: 16), (rate: rate, bits: 24)]
    }
    let inputs = rates.flatMap { rate -> [String] in
      let left = "0.3*sin(2*PI*330*t)+0.3*(random(0)-0.5)"
      return ["-f", "lavfi", "-i", "aevalsrc='\(left)|0.2*sin(900*t*t)':s=\(rate):d=1"]
    }
    let encoded = kinds.enumerated().flatMap { index, kind -> [String] in
      ["-map", "\(index / 2)", "-c:a", "pcm_s\(kind.bits)le", "s\(kind.rate)x\(kind.bits).wav"]
    }
    _ = try ffmpeg(inputs + encoded, in: folder)
    let scenes = kinds.map { kind -> String in
      let audio = "audio { sample-rate: \(kind.rate);  bits: \(kind.bits) }"
      return """
        scene s\(kind.rate)x\(kind.bits) {
            for: 1s;  audio "s\(kind.rate)x\(kind.bits).wav"
            output { \(audio) }
            output flac { \(audio) }
        }
        """
    }
    try folder.build(
      scenes.joined(separator: "\n"), to: "{scene}-a.wav", "-o", "flac={scene}-a.flac")
    let files = kinds.flatMap { kind -> [String] in
      [".wav", "-a.wav", "-a.flac"].map { "s\(kind.rate)x\(kind.bits)\($0)" }
    }
    let decoded = files.indices.flatMap {
      ["-map", "\($0):a", "-f", "f32le", "\(files[$0]).raw"]
    }
    _ = try ffmpeg(files.flatMap { ["-i", $0] } + decoded, in: folder)
    return folder
  }

  /// A file that plays unchanged is neither resampled nor dithered.
  @Test(arguments: rates) func aFileAtTheRateOfTheOutputIsCopied(_ rate: Int) throws {
    let copies = try SoundOutputTests.copies.get()
    for clip in ["s\(rate)x16", "s\(rate)x24"] {
      // Samples of 32 bits in stereo.
      let wanted = try #require(copies.data("\(clip).wav.raw"))
      for file in ["\(clip)-a.wav", "\(clip)-a.flac"] {
        let found = try #require(copies.data("\(file).raw"))
        #expect(found.count == 2 * rate * 4, "\(file)")
        #expect(found == wanted, "\(file)")
      }
    }
  }

  @Test func changedSoundIsDithered() throws {
    try make(
      "s.wav", from: "aevalsrc='0.3*sin(2*PI*330*t)|0':s=44100:d=1", options: "-c:a pcm_s16le")
    try folder.build(
      "scene { audio \"s.wav\" { volume: -0.1dB }\n output { audio { sample-rate: 44100 } } }",
      to: "a.wav")
    let (own, clip) = (try samples("a.wav"), try samples("s.wav"))
    let offs = stride(from: 0, to: own.count, by: 2).map { own[$0] - clip[$0] * Float(0.988553) }
    let noise = (offs.reduce(0) { $0 + $1 * $1 } / Float(offs.count)).squareRoot() * 32768
    // Rounding and triangular dither together make half a step of noise.
    #expect(noise > 0.4 && noise < 0.6, "\(noise)")
  }

  /// Returns the level of a tone in a part of a file, in decibels relative to full scale.
  private func level(_ frequency: Double, _ file: String, rate: Int) throws -> Double {
    let own = try samples(file)
    let part = stride(from: rate, to: 3 * rate, by: 2).map { own[$0] }
    var (sine, cosine) = (0.0, 0.0)
    for (k, sample) in part.enumerated() {
      let angle = 2 * Double.pi * frequency * Double(k) / Double(rate)
      sine += Double(sample) * sin(angle)
      cosine += Double(sample) * cos(angle)
    }
    return 20 * log10((sine * sine + cosine * cosine).squareRoot() * 2 / Double(rate))
  }

  /// High frequencies are preserved, even at sample rates without a whole number of ticks per
  /// sample.
  ///
  /// Such sound is resampled from the next usual rate.
  @Test(arguments: [(96_000, 30_000.0), (88_200, 30_000), (192_000, 60_000), (100_001, 40_000)])
  func tonesBeyond24kHzAreInFilesThatHoldThem(_ rate: Int, _ frequency: Double) throws {
    try make(
      "s.wav",
      from: "aevalsrc='0.25*sin(2*PI*\(frequency)*t)|0.25*sin(2*PI*\(frequency)*t)':s=192000:d=2",
      options: "-c:a pcm_f32le")
    try folder.build(
      """
      scene {
          audio "s.wav"
          output { audio { sample-rate: \(rate);  bits: 24 } }
      }
      """, to: "a.wav")
    #expect(abs(try level(frequency, "a.wav", rate: rate) + 12.04) < 0.1)
  }

  /// Frequencies above the range of the output do not fold back.
  @Test(arguments: [8000, 22_050, 44_100]) func lowRatesHaveNoAliases(_ rate: Int) throws {
    try make(
      "s.wav", from: "aevalsrc='0.25*sin(2*PI*23000*t)|0.25*sin(2*PI*23000*t)':s=48000:d=2",
      options: "-c:a pcm_f32le")
    try folder.build(
      "scene { audio \"s.wav\"\n output { audio { sample-rate: \(rate);  bits: 24 } } }",
      to: "a.wav")
    let middle = try samples("a.wav")[rate..<3 * rate]
    #expect(middle.allSatisfy { abs($0) < 1e-5 })
  }

  // MARK: Ducking

  struct Ducking: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The time range of the voice; the music is quiet from 0.2 s before to 0.2 s after it.
    var voice: ClosedRange<Double>
    /// The text of the voice element, where `voice.wav` sounds from 0.5 s to 2.5 s.
    var text: String
    var attack = 0.25
    var release = 0.8
    var words = ""
  }

  static let duckings = [
    Ducking(testDescription: "plain", voice: 4.5...6.5, text: "at: 4s"),
    Ducking(
      testDescription: "slow", voice: 4.5...6.5, text: "at: 4s", attack: 0.6, release: 1.5,
      words: ", attack: 0.6s, release: 1.5s"),
    Ducking(testDescription: "odd time", voice: 4.507...6.507, text: "at: 4.007s"),
    Ducking(testDescription: "trimmed", voice: 4...5, text: "at: 4s;  trim: 1s .. 2s"),
    Ducking(testDescription: "fast", voice: 4.25...5.25, text: "at: 4s;  speed: 2"),
    Ducking(testDescription: "cut", voice: 4.5...5.25, text: "at: 4s;  for: 1.25s"),
  ]

  /// Returns the gain of the music over time; the left channel is the voice, the right one the
  /// music.
  private func music(_ voices: String, _ words: String = "") throws -> [Double] {
    try folder.copy("voice.wav", "music.wav", from: SoundOutputTests.sounds.get())
    try folder.build(
      """
      scene {
          for: 9s
          \(voices)
          audio "music.wav" { volume: duck(by: -14dB, under: [voice, more]\(words)) }
          output { audio { bits: 32 } }
      }
      """, to: "a.wav")
    let own = try samples("a.wav")
    // The level in decibels in each interval of 2 ms, which is two periods.
    return stride(from: 0, to: own.count - 191, by: 192).map { first in
      let sum = stride(from: first + 1, to: first + 192, by: 2).reduce(0.0) {
        $0 + Double(own[$1]) * Double(own[$1])
      }
      return 10 * log10(max(sum / 96 * 32, 1e-9))
    }
  }

  private static let none = "audio more \"voice.wav\" { for: 0.1s }"

  @Test(arguments: duckings) func musicIsDownAroundTheVoice(_ it: Ducking) throws {
    let gains = try music("audio voice \"voice.wav\" { \(it.text) }\n\(Self.none)", it.words)
    func gain(_ time: Double) -> Double { gains[Int(time * 500)] }
    let (down, up) = (it.voice.lowerBound - 0.2, it.voice.upperBound + 0.2)
    #expect(abs(gain(down - it.attack - 0.02)) < 0.05)
    #expect(abs(gain(down + 0.02) + 14) < 0.05 && abs(gain(up - 0.02) + 14) < 0.05)
    #expect(abs(gain(up + it.release + 0.02)) < 0.05)
    // The times at which the gain is halfway down and halfway up.
    let start = Int((down - it.attack - 0.1) * 500)
    let fall = try #require(gains[start...].firstIndex { $0 < -7 })
    let rise = try #require(gains[Int(up * 500)...].firstIndex { $0 > -7 })
    #expect(abs(Double(fall) / 500 - (down - it.attack / 2)) < 0.02, "\(Double(fall) / 500)")
    #expect(abs(Double(rise) / 500 - (up + it.release / 2)) < 0.02, "\(Double(rise) / 500)")
  }

  /// The music returns in a pause of 1.4 s in addition to its fades, which makes 2.45 s.
  @Test(arguments: [(2.35, false), (2.55, true)]) func musicStaysDownInShortPauses(
    _ pause: Double, _ comesBack: Bool
  ) throws {
    let gains = try music(
      """
      audio voice "voice.wav" { at: 1s }
      audio more "voice.wav" { at: \(3 + pause)s }
      """)
    let most = gains[Int(3.5 * 500)..<Int((3.5 + pause) * 500)].max() ?? 0
    #expect(comesBack ? abs(most) < 0.05 : most < -13.9, "\(most)")
  }

  /// The music does not return after a voice that ends within the last 2.2 s.
  @Test(arguments: [(2.1, false), (2.3, true)]) func musicStaysDownAtTheEnd(
    _ left: Double, _ comesBack: Bool
  ) throws {
    let gains = try music("audio voice \"voice.wav\" { at: \(6.5 - left)s }\n\(Self.none)")
    #expect(comesBack ? abs(gains[4480]) < 0.05 : gains[4480] < -13.9, "\(gains[4480])")
  }
}
