// SPDX-License-Identifier: MIT
import Foundation
import SceneCairo
import SceneModel
import SceneRaster
import SceneSound
import SceneSystem
import SceneText

/// Measures the cost of mixing and encoding one second of audio.
enum SoundBenchmark {
  /// Noise that costs nothing to read.
  private struct Noise: SoundSource {
    private static let samples = (0..<1 << 20).map { Float(($0 &* 7_919) % 20_011) / 40_000 - 0.25 }

    func samples(_ clip: ClipDigest, from: Int, count: Int) throws -> [Float] {
      Array(Noise.samples[0..<2 * count])
    }
  }

  private static let seconds = 30

  static func run(_ board: Scoreboard) throws {
    print("\nCPU ms a second of stereo sound (the most it should take)")
    for (name, rates, limit) in [
      ("one voice, copied", [48_000], 4.0), ("one voice, resampled from 44.1 kHz", [44_100], 6),
      ("4 voices, one resampled", [48_000, 48_000, 48_000, 44_100], 10),
    ] {
      let cost = try mixing(rates)
      show(name, cost: cost, atMost: limit, on: board)
    }
    let (own, bare) = try encoding()
    let ratio = (own / bare * 100).rounded() / 100
    print(
      "  \((own * 100).rounded() / 100)  AAC; to ffmpeg's encoder \(ratio)",
      board.judge("AAC to ffmpeg's encoder", ratio, atMost: 1.1))
  }

  private static func show(
    _ name: String, cost: Double, atMost limit: Double, on board: Scoreboard
  ) {
    print(
      "  \((cost * 100).rounded() / 100) \(board.judge(name, milliseconds: cost, atMost: limit))  \(name)"
    )
  }

  private static func mixing(_ rates: [Int]) throws -> Double {
    let voices = rates.enumerated().map { number, rate in
      let length = Ticks(Ticks.perSecond * Int64(seconds))
      return VoiceModel(
        name: "voice", span: SourceSpan(file: FileID(0), start: 0, end: 0), path: "voice.wav",
        digest: ClipDigest(high: 0, low: UInt64(number)),
        sound: ClipSound(
          codec: "pcm", rate: rate, channels: 2, start: .zero, sampleCount: rate * seconds),
        start: .zero, end: length, clock: .steady(from: .zero, speed: 1, loops: false),
        range: 0..<length.rawValue, left: .constant(0.5), right: .constant(0.4), fades: [],
        keepsPitch: false)
    }
    var mixer = Mixer(
      SoundModel(voices: voices), duration: Ticks(Ticks.perSecond * Int64(seconds)),
      source: Noise(), metrics: PangoMetrics(FontLibrary()))
    let started = OwnProcess.cpuSeconds
    for from in stride(from: 0, to: mixer.sampleCount, by: 4096) {
      _ = try mixer.mix(from: from, count: 4096)
    }
    return (OwnProcess.cpuSeconds - started) * 1000 / Double(seconds)
  }

  /// Returns the additional time for `.m4a` compared with `.wav`, and ffmpeg's time for the same
  /// audio.
  private static func encoding() throws -> (own: Double, bare: Double) {
    let folder = "build/bench"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let theme = "\(folder)/theme.opus"
    try? FileManager.default.removeItem(atPath: theme)
    try FileManager.default.copyItem(atPath: "Grammar/pictures/assets/theme.opus", toPath: theme)
    let scene =
      "scene { for: \(seconds)s;  audio \"theme.opus\" { loop: true;  fade-out: 1s } }"
    try scene.write(toFile: "\(folder)/sound.scene", atomically: true, encoding: .utf8)
    let costs = try ["wav", "m4a"].map { ending in
      try (0..<3).map { _ in
        try Child.run([
          ".build/release/scenec-render", "build", "\(folder)/sound.scene", "--quiet",
          "-o", "\(folder)/sound.\(ending)",
        ]).cpuSeconds
      }.min() ?? 0
    }
    let bare =
      try (0..<3).map { _ in
        try Child.run([
          "/usr/bin/ffmpeg", "-v", "error", "-y", "-i", "\(folder)/sound.wav", "-c:a", "aac",
          "-b:a",
          "192k", "\(folder)/bare.m4a",
        ]).cpuSeconds
      }.min() ?? 0
    return ((costs[1] - costs[0]) * 1000 / Double(seconds), bare * 1000 / Double(seconds))
  }
}
