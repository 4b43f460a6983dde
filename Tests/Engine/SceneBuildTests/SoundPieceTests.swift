// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Sound tracks that are encoded in pieces of eight seconds: their seams, and the pieces that an
/// edit causes to be encoded again.
@Suite("Pieces of sound", .cpuBudget(seconds: 22)) struct SoundPieceTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.copy("drums.wav", from: SoundPieceTests.sounds.get())
  }

  /// Tones of changing pitch together with bursts of noise like drums, which need windows of all
  /// lengths.
  private static let sounds = Result {
    let folder = try Folder()
    let left = "0.3*sin(2*PI*(200*t+30*t*t))+0.4*(random(0)-0.5)*exp(-30*mod(t\\,0.17))"
    let right = "0.3*sin(2*PI*331*t)+0.4*(random(1)-0.5)*exp(-20*mod(t\\,0.23))"
    let source = "aevalsrc='\(left)|\(right)':s=48000:d=20"
    try ffmpeg(["-f", "lavfi", "-i", source, "-c:a", "pcm_f32le", "drums.wav"], in: folder)
    return folder
  }

  private static func ffmpeg(_ arguments: [String], in folder: Folder) throws {
    let run = try Program.run(
      ["/usr/bin/ffmpeg", "-v", "error", "-y"] + arguments, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
  }

  private func ffmpeg(_ arguments: String...) throws {
    try SoundPieceTests.ffmpeg(arguments, in: folder)
  }

  /// Returns both channels at 48 kHz, from time 0 of the file.
  private func samples(_ file: String) throws -> [Float] {
    try ffmpeg("-i", file, "-f", "f32le", "-ac", "2", "-ar", "48000", "a.raw")
    let data = try #require(folder.data("a.raw"))
    return unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
  }

  /// Returns the level of the difference from the correct samples in decibels, for each part of
  /// 512.
  private func noise(_ file: String, beside right: [Float]) throws -> [Double] {
    let own = try samples(file)
    return (0..<min(own.count, right.count) / 1024).map { part in
      let sum = (part * 1024..<(part + 1) * 1024).reduce(0.0) { sum, k in
        let off = Double(own[k] - right[k])
        return sum + off * off
      }
      return 10 * log10(max(1e-12, sum / 1024))
    }
  }

  private static let half = "scene { size: 64x64;  fps: 10;  for: 20s;  audio \"drums.wav\" }"

  /// The seams have no more noise than other places, compared to an encoder that encodes everything
  /// in one piece.
  @Test func seamsAreNotHeard() throws {
    try folder.build(Self.half, to: "a.m4a")
    try ffmpeg("-i", "drums.wav", "-c:a", "aac", "-aac_coder", "fast", "-b:a", "192k", "b.m4a")
    let right = try samples("drums.wav")
    let (own, whole) = (try noise("a.m4a", beside: right), try noise("b.m4a", beside: right))
    #expect(own.count >= 1860 && whole.count >= 1860)
    func mean(_ parts: some Sequence<Int>) -> Double {
      let offs = parts.map { own[$0] - whole[$0] }
      return offs.reduce(0, +) / Double(offs.count)
    }
    #expect(abs(mean(0..<1860)) < 0.5, "\(mean(0..<1860))")
    for seam in [8, 16] {
      let parts = seam * 48_000 / 512 - 8..<seam * 48_000 / 512 + 8
      for part in parts { #expect(own[part] - whole[part] < 6, "\(seam): \(own[part])") }
      #expect(mean(parts) < 1, "\(seam): \(mean(parts))")
    }
  }

  /// The bytes depend only on the scene, not on the number of threads or the content of the cache.
  @Test func piecesAreTheSameWhoeverMakesThem() throws {
    for name in ["a.m4a", "a.wav", "a.opus", "a.mp3", "a.mp4"] {
      // Three pieces, one of them between others, or two.
      let scene = Self.half.replacing("20s", with: name == "a.m4a" ? "17s" : "9s")
      try folder.build(scene, to: name, "--no-cache", "--jobs", "1")
      let right = try #require(folder.data(name))
      try folder.build(scene, to: name, "--cache", "kept", "--jobs", "4")
      #expect(folder.data(name) == right, "\(name)")
      // Remove every other piece.
      let kept = folder.path + "/kept/packets/"
      let names = try FileManager.default.contentsOfDirectory(atPath: kept).sorted()
      for name in names.enumerated() where name.offset % 2 == 0 {
        try FileManager.default.removeItem(atPath: kept + name.element)
      }
      try folder.build(scene, to: name, "--cache", "kept")
      #expect(folder.data(name) == right, "\(name)")
      try FileManager.default.removeItem(atPath: folder.path + "/kept")
    }
  }

  /// An edit causes only those pieces to be encoded that contain it.
  @Test func onlyWhatChangedIsEncoded() throws {
    func scene(_ volume: Int, seconds: Int = 24) -> String {
      let parts = (0..<3).map { part in
        "audio \"drums.wav\" { at: \(8 * part + 2)s;  for: 3s;  volume: \(part == 1 ? volume : -9)dB }"
      }
      return """
        scene { size: 64x64;  fps: 25;  for: \(seconds)s;  output { audio { codec: aac } }
          \(parts.joined(separator: "\n"))
          audio "drums.wav" { loop: true;  for: \(seconds)s;  volume: -20dB }
        }
        """
    }
    func pieces(_ scene: String, isNew: Bool = true) throws -> Int {
      let run = try folder.build(scene, to: "a.m4a", "--cache", "kept", "--timings")
      let line = run.errors.split(separator: "\n").first { $0.hasPrefix("sound ") } ?? ""
      let alone = try #require(folder.data("a.m4a"))
      if isNew { try folder.build(scene, to: "b.m4a", "--no-cache") }
      #expect(folder.data("b.m4a") == alone)
      // The line is like "sound 0.1 s 5 times"; a single time is not mentioned.
      guard !line.isEmpty else { return 0 }
      return line.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 1
    }
    #expect(try pieces(scene(-9)) == 3)
    #expect(try pieces(scene(-9), isNew: false) == 0)
    #expect(try pieces(scene(-8)) == 1)
    #expect(try pieces(scene(-8, seconds: 26)) <= 2, "only the end is new")
  }

  /// Machines that share a build also share its sound.
  @Test func sharesHaveTheirPartOfTheSound() throws {
    try folder.build(Self.half, to: "a.mp4", "--no-cache")
    let right = try #require(folder.data("a.mp4"))
    for share in 1...3 {
      try folder.build(Self.half, to: "a.mp4", "--cache", "kept", "--shard", "\(share)/3")
    }
    let joined = try folder.build(Self.half, to: "a.mp4", "--cache", "kept", "--timings")
    #expect(!joined.errors.contains("\nsound "), "\(joined.errors)")
    #expect(folder.data("a.mp4") == right)
  }

  /// Loudness is measured only once.
  @Test func loudnessIsKept() throws {
    let scene = """
      scene { size: 64x64;  fps: 10;  for: 9s;  output { audio { loudness: -20 } }
        audio "drums.wav" }
      """
    try folder.build(scene, to: "a.m4a", "--no-cache")
    let right = try #require(folder.data("a.m4a"))
    for _ in 0..<2 {
      try folder.build(scene, to: "a.m4a", "--cache", "kept")
      #expect(folder.data("a.m4a") == right)
    }
  }
}

extension Folder {
  /// Builds a scene that must not fail.
  @discardableResult
  func build(_ scene: String, to name: String, _ words: String...) throws -> Run {
    try write("a.scene", scene)
    let run = try Program.run([Program.scenec, "build", "a.scene", "-o", name] + words, in: path)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }
}
