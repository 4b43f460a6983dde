// SPDX-License-Identifier: MIT
import Foundation
import SceneSystem
import SceneCLI
import SceneCheck
import SceneIR
import SceneLibrary
import SceneLower
import SceneRaster
import SceneCairo
import SceneFiles
import SceneSyntax
import SceneText

/// Compares scenec with a hand-written program and the bare encoder in the same run.
struct Benchmark {
  private let bin = ".build/release"
  private let folder = "build/bench"
  private let frames = 300.0
  /// The scenes with their maximum CPU time, relative to that of the bare encoder.
  private let scenes = [
    ("S1", "title", 0.75), ("S2", "flow", 1.15), ("S3", "slides", 1.1), ("S4", "busy", 1.1),
  ]
  /// The CPU time of the bare encoder per frame of each scene on the reference machine, in
  /// milliseconds.
  private let reference = 37.6 + 153 + 126 + 240
  private let board = Scoreboard()

  /// Runs all benchmarks or the selected ones: `S1` … for single scenes, `drawing` for rendering
  /// only, optionally followed by a part of the names of its scenes, `film` for incremental builds,
  /// `proofs` for expectations, `media` for clips, `joins` for segment boundaries, `shards` for
  /// several machines, `check` and a folder of other programs for checks.
  func run(only wanted: [String]) throws {
    if wanted.first == "drawing", wanted.count <= 2 {
      try DrawingBenchmark(board: board).run(only: wanted.dropFirst().first)
      return try board.finish()
    }
    if wanted == ["film"] {
      try FilmBenchmark(board: board).run()
      return try board.finish()
    }
    if wanted == ["proofs"] {
      try ProofBenchmark.run(board)
      return try board.finish()
    }
    if wanted == ["joins"] {
      try JoinBenchmark(board: board).run()
      return try board.finish()
    }
    if wanted.first == "check", wanted.count <= 2 {
      return try CheckBenchmark(old: wanted.dropFirst().first).run()
    }
    if wanted == ["shards"] { return try ShardBenchmark().run() }
    if wanted == ["media"] {
      try MediaBenchmark(board: board).run()
      return try board.finish()
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    print(
      "CPU ms a frame, wall seconds and peak memory for 300 frames of 1080p, x264 medium crf 18")
    print(
      "scene        scenec                 pycairo pipe           encoder alone   ratio to pipe, encoder"
    )
    var encoder = 0.0
    for (name, scene, limit) in scenes where wanted.isEmpty || wanted.contains(name) {
      encoder += try measure(name, scene, atMost: limit) * 1000 / frames
    }
    if wanted.isEmpty {
      board.take(encoder: encoder, reference: reference)
      try memory()
      try startUp()
      try DrawingBenchmark(board: board).run()
      try FilmBenchmark(board: board).run()
      try ProofBenchmark.run(board)
      try MediaBenchmark(board: board).run()
    }
    try board.finish()
  }

  /// Measures a scene and returns the CPU time of the bare encoder in seconds.
  private func measure(_ name: String, _ scene: String, atMost limit: Double) throws -> Double {
    let file = "Examples/bench-\(scene)/scene.scene"
    let raw = "\(folder)/\(scene).y4m"
    let own = try Child.run([
      "\(bin)/scenec-render", "build", file, "--preset", "medium", "--quality", "18", "--quiet",
      "-o",
      "\(folder)/\(scene).mp4",
    ])
    let photos = FileManager.default.currentDirectoryPath + "/Examples/bench-slides"
    let peers = FileManager.default.currentDirectoryPath + "/Sources/Programs/scenec-dev/Peers"
    let out = FileManager.default.currentDirectoryPath + "/\(folder)/peer-\(scene).mp4"
    let peer = try Child.run(
      ["/usr/bin/python3", "\(peers)/pycairo_scene.py", name, out], in: photos)
    _ = try Child.run(["\(bin)/scenec-render", "build", file, "--quiet", "-o", raw])
    let bare = try Child.run([
      "/usr/bin/ffmpeg", "-v", "error", "-y", "-i", raw, "-c:v", "libx264", "-preset", "medium",
      "-crf",
      "18", "-pix_fmt", "yuv420p", "\(folder)/bare-\(scene).mp4",
    ])
    try FileManager.default.removeItem(atPath: raw)
    func text(_ cost: Cost) -> String {
      pad(number(cost.cpuSeconds * 1000 / frames, 1) + " ms", 10)
        + pad(number(cost.wallSeconds, 1) + " s", 8) + pad(number(cost.peakMegabytes, 0) + " MB", 7)
    }
    let ratios =
      pad(number(own.cpuSeconds / peer.cpuSeconds, 2), 8)
      + pad(number(own.cpuSeconds / bare.cpuSeconds, 2), 6)
      + board.judge("\(name) to encoder", own.cpuSeconds / bare.cpuSeconds, atMost: limit)
    print(pad("\(name) \(scene)", 11) + text(own) + text(peer) + text(bare) + ratios)
    return bare.cpuSeconds
  }

  /// Verifies that ten times as many frames need no additional memory.
  private func memory() throws {
    let source = try String(contentsOfFile: "Examples/bench-flow/scene.scene", encoding: .utf8)
    let long = "\(folder)/long.scene"
    try source.replacingOccurrences(of: "for: 10s", with: "for: 100s")
      .write(toFile: long, atomically: true, encoding: .utf8)
    func peak(_ file: String) throws -> Double {
      try Child.run([
        "\(bin)/scenec-render", "build", file, "--preset", "ultrafast", "--quiet", "-o",
        "\(folder)/memory.mp4",
      ]).peakMegabytes
    }
    let short = try peak("Examples/bench-flow/scene.scene")
    let tenfold = try peak(long)
    print(
      "memory: 300 frames \(number(short, 0)) MB, 3000 frames \(number(tenfold, 0)) MB, ratio \(number(tenfold / short, 3))",
      board.judge("memory of 3000 frames to 300", tenfold / short, atMost: 1.05)
    )
  }

  private func startUp() throws {
    try Data(Templates.all[0].scene).write(to: URL(fileURLWithPath: "\(folder)/small.scene"))
    var lines = ["scene {", "for: 1s"]
    for i in 0..<3333 {
      lines += [
        "circle {", "  radius: \(i % 50 + 1) -> 20 over 0.5s;  position: (\(i), 40 + t / 1s)", "}",
      ]
    }
    lines.append("}")
    try lines.joined(separator: "\n").write(
      toFile: "\(folder)/large.scene", atomically: true, encoding: .utf8)
    // Runs the command twenty times in one shell, so that the cost of starting a process from here
    // is excluded.
    func report(_ row: String, _ command: [String], atMost limit: Double) throws {
      let line = command.map { "'\($0)'" }.joined(separator: " ")
      let script = "i=0; while [ $i -lt 20 ]; do \(line) >/dev/null; i=$((i+1)); done"
      let runs = try (0..<3).map { _ in
        try Child.run(["/bin/sh", "-c", script], isSampled: false).cpuSeconds / 20
      }
      let best = (runs.min() ?? 0) * 1000
      print(
        "\(row): \(number(best, 1)) ms of CPU", board.judge(row, milliseconds: best, atMost: limit))
    }
    try report("empty program", ["/bin/true"], atMost: 5)
    let check = ["\(bin)/scenec", "check", "--quiet"]
    try report("check of a small scene", check + ["\(folder)/small.scene"], atMost: 40)
    try report("check of 10 000 lines", check + ["\(folder)/large.scene"], atMost: 125)
    try report(
      "first 1080p still of S1",
      [
        "\(bin)/scenec", "frame", "Examples/bench-title/scene.scene", "--frame", "100", "-o",
        "\(folder)/still.png",
      ], atMost: 120)
    print("evaluation of S4's frame program: \(number(try evaluation(), 2)) ms")
  }

  /// Returns the time to lower one frame of S4 in milliseconds, averaged over 100 frames.
  private func evaluation() throws -> Double {
    let path = "Examples/bench-busy/scene.scene"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let fonts = FontLibrary()
    guard
      let assets = AssetFolder(
        root: "Examples/bench-busy", folder: "Examples/bench-busy", fonts: fonts)
    else { throw Failure(description: "no folder Examples/bench-busy") }
    let metrics = PangoMetrics(fonts)
    let parsed = parse(SourceFile(id: FileID(0), name: path, bytes: Array(bytes)))
    let checked = check(parsed, options: CheckOptions(), metrics: metrics, assets: assets)
    guard let model = checked.model else { throw Failure(description: "S4 has errors") }
    var lowerer = Lowerer(model, metrics: metrics)
    _ = lowerer.lower(frame: 0)
    let clock = SystemClock()
    let started = clock.now
    var ops = 0
    for frame in 1...100 { ops += lowerer.lower(frame: frame).ops.count }
    guard ops == 105_000 else { throw Failure(description: "S4 has \(ops) ops") }
    return clock.elapsed(since: started) / .seconds(1) * 10
  }

  private func number(_ value: Double, _ decimals: Int) -> String {
    String(format: "%.\(decimals)f", value)
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
