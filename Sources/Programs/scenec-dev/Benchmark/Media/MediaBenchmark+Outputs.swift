// SPDX-License-Identifier: MIT
import Foundation

/// The overhead of output files, stills and checks of clips beyond the unavoidable work.
extension MediaBenchmark {
  func outputs() throws {
    try passThrough()
    try stillOfAClip()
    try checks()
    try severalFiles()
    try longGIF()
  }

  /// Returns the minimum CPU time of several runs.
  private func least(_ runs: Int, _ command: [String]) throws -> Double {
    try (0..<runs).map { _ in try Child.run(command, in: folder, isSampled: false).cpuSeconds }
      .min()
      ?? 0
  }

  private func write(_ name: String, _ scene: String) throws {
    try scene.write(toFile: "\(folder)/\(name).scene", atomically: true, encoding: .utf8)
  }

  /// Compares copying decoded frames directly to the encoder with the same operation in ffmpeg.
  ///
  /// Both use one thread: with two jobs, the second segment decodes the 90 frames after the only
  /// keyframe again, which costs 9 % of CPU and saves a seventh of the time. The rest of the
  /// difference is mostly x264, which takes 6 % more without AVX-512 (see `EncoderOptions`).
  private func passThrough() throws {
    try write(
      "pass",
      "scene { size: 1920x1080;  fps: 30;  video \"long.mp4\" { trim: 0s .. 6s };  output { audio: none } }"
    )
    let own = try least(
      2,
      [
        "\(bin)/scenec-render", "build", "pass.scene", "--quiet", "--jobs", "1", "--quality", "18",
        "-o", "pass.mp4",
      ])
    let other = try least(
      2,
      ffmpeg + [
        "-threads", "1", "-t", "6", "-i", "long.mp4", "-an", "-c:v", "libx264", "-preset", "faster",
        "-crf", "18", "-threads", "1", "peer-pass.mp4",
      ])
    show("180 frames of 1080p passed through", own: own, other: other, unit: "s", atMost: 1.03)
  }

  /// Renders frame 597 of a clip, 97 frames after its keyframe.
  private func stillOfAClip() throws {
    try write("still", "scene { size: 1920x1080;  fps: 30;  video \"long.mp4\" }")
    let own = try least(
      3, ["\(bin)/scenec", "frame", "still.scene", "--quiet", "--frame", "597", "-o", "still.png"])
    let other = try least(
      3, ffmpeg + ["-threads", "1", "-ss", "19.9", "-i", "long.mp4", "-frames:v", "1", "peer.png"])
    print(
      String(format: "  a still 97 pictures after a key one: %.2f s, ffmpeg %.2f s", own, other),
      board.judge("a still of a clip beyond ffmpeg, in s", own - other, atMost: 0.2))
  }

  private func checks() throws {
    let clips = (0..<10).map { "video \"copy\($0).mp4\"" }.joined(separator: "\n")
    for number in 0..<10 {
      try? FileManager.default.copyItem(
        atPath: "\(folder)/clip\(number % 6).mp4", toPath: "\(folder)/copy\(number).mp4")
    }
    try write("ten", "scene { size: 1920x1080;  fps: 30;  sequence { \(clips) } }")
    let cache = "\(folder)/cache"
    try? FileManager.default.removeItem(atPath: cache)
    let command = [
      "/usr/bin/env", "SCENEC_CACHE=\(cache)", "\(bin)/scenec", "check", "--quiet", "ten.scene",
    ]
    let first = try Child.run(command, in: folder, isSampled: false).wallSeconds
    let later =
      try (0..<3).map { _ in
        try Child.run(command, in: folder, isSampled: false).wallSeconds
      }.min() ?? 0
    print(
      String(format: "  check of ten clips: %.0f ms, then %.0f ms", first * 1000, later * 1000),
      board.judge("first check of ten clips in ms", first * 1000, atMost: 350),
      board.judge("second check of ten clips in ms", later * 1000, atMost: 30))
  }

  private static let drawn = """
    scene { size: 480x270;  fps: 30;  for: FORs;  background: #10151c
      for k in 0..12 {
        circle { radius: 20;  fill: hsl(30deg * k, 80%, 60%)
          position: (240 + 180 * cos(30deg * k + 90deg * t / 1s), 135 + 90 * sin(60deg * k + 60deg * t / 1s)) }
      }
      text "{floor(t / 1s)}" { font-size: 80;  fill: white }
    }
    """

  /// Compares one build with three output files with three separate builds, without the two
  /// repeated renderings.
  private func severalFiles() throws {
    try write("three", Self.drawn.replacingOccurrences(of: "FOR", with: "6"))
    func cost(_ files: [String]) throws -> Double {
      try least(
        2,
        ["\(bin)/scenec-render", "build", "three.scene", "--quiet"] + files.flatMap { ["-o", $0] })
    }
    let names = ["three.mp4", "three.webm", "three.gif"]
    let apart = try names.map { try cost([$0]) }.reduce(0, +)
    let drawing = try cost(["three.y4m"])
    let own = try cost(names)
    let ratio = own / (apart - 2 * drawing)
    print(
      String(
        format:
          "  mp4, webm and gif at once: %.2f s, apart %.2f s, of which drawing %.2f s; ratio %.2f",
        own, apart, 3 * drawing, ratio),
      board.judge("three files at once", ratio, atMost: 1.05))
  }

  private func longGIF() throws {
    func peak(_ seconds: Int) throws -> Double {
      try write("long", Self.drawn.replacingOccurrences(of: "FOR", with: "\(seconds)"))
      return try Child.run(
        ["\(bin)/scenec-render", "build", "long.scene", "--quiet", "-o", "long.gif"], in: folder
      ).peakMegabytes
    }
    let (short, long) = (try peak(10), try peak(40))
    print(
      String(format: "  GIF of 300 frames %.0f MB, of 1200 frames %.0f MB", short, long),
      board.judge("memory of a GIF of 1200 frames in MB", long, atMost: 150))
  }
}
