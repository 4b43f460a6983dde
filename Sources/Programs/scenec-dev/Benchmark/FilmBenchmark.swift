// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import SceneSystem

/// Measures rebuilding a five-minute video from scratch and after edits, with the cache of the
/// first build.
struct FilmBenchmark {
  let board: Scoreboard
  private let folder = FileManager.default.currentDirectoryPath + "/build/bench/film"
  private let scenec = Child.scenec

  /// The cost of a build and its message about segments.
  private struct Built {
    let cpuSeconds: Double
    let wallSeconds: Double
    let drawn: String
  }

  func run() throws {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.copyItem(atPath: "Examples/bench-film", toPath: folder)
    let source = try String(contentsOfFile: "\(folder)/scene.scene", encoding: .utf8)
    print("a film of five minutes, 1080p, at default settings")
    try report("first build", build(source))
    let again = try (0..<3).map { _ in try build(source) }
    guard let best = again.min(by: { $0.cpuSeconds < $1.cpuSeconds }) else { return }
    report("nothing changed", best, atMost: 0.6, seconds: 0.3)
    try report("a comment", build("// One more.\n" + source), atMost: 0.6)
    try report("one word of a list", build(replaced("\"Quays\"", by: "\"Piers\"", in: source)))
    try report("another volume", build(replaced("-14dB", by: "-13dB", in: source)))
    let front = "sequence {\n        circle { for: 2s;  radius: 10 -> 900;  fill: paper }\n"
    try report("two seconds in front", build(replaced("sequence {\n", by: front, in: source)))
    let later = try replaced("loop: true;", by: "loop: true;  at: 2s;", in: source)
    try report("and the sound with them", build(replaced("sequence {\n", by: front, in: later)))
    try report(
      "a color that all use",
      build(replaced("let night = #10182a", by: "let night = #10182b", in: source), to: "20s"))
    try memory()
  }

  /// Verifies that a video of ten times the length needs no additional memory.
  private func memory() throws {
    func peak(_ seconds: Int) throws -> Double {
      try """
      scene { size: 640x360;  fps: 25;  for: \(seconds)s;  background: #10182a
        circle { radius: 60;  fill: orange;  position: (320 + 200 * sin(40deg * t / 1s), 180) }
        audio "theme.opus" { loop: true;  for: \(seconds)s }
      }
      """.write(toFile: "\(folder)/long.scene", atomically: true, encoding: .utf8)
      return try Child.run(
        [scenec, "build", "long.scene", "--quiet", "--cache", "cache", "-o", "long.mp4"],
        in: folder
      ).peakMegabytes
    }
    let (short, long) = (try peak(60), try peak(600))
    print(
      String(
        format: "  memory of 60 s %.1f MB, of 600 s %.1f MB, ratio %.3f", short, long, long / short),
      board.judge("memory of 600 s of film to 60 s", long / short, atMost: 1.05))
  }

  private func replaced(_ text: String, by other: String, in source: String) throws -> String {
    guard source.contains(text) else { throw Failure(description: "the film has no '\(text)'") }
    return source.replacingOccurrences(of: text, with: other)
  }

  private func build(_ source: String, to end: String? = nil) throws -> Built {
    try source.write(toFile: "\(folder)/scene.scene", atomically: true, encoding: .utf8)
    let before = scene_child_cpu_seconds()
    let clock = SystemClock()
    let started = clock.now
    let run = try Tool.run(
      [scenec, "build", "scene.scene", "--cache", "cache", "-o", "film.mp4"]
        + (end.map { ["--to", $0] } ?? []), in: folder)
    guard run.status == 0 else { throw Failure(description: run.errors) }
    let lines = run.errors.split(separator: "\n").map(String.init)
    return Built(
      cpuSeconds: scene_child_cpu_seconds() - before,
      wallSeconds: clock.elapsed(since: started) / .seconds(1),
      drawn: lines.first { $0.contains(" segments ") } ?? "rendered everything")
  }

  /// Prints a row. `limit` applies to CPU time and `wall` to elapsed time, in seconds.
  private func report(
    _ row: String, _ built: Built, atMost limit: Double? = nil, seconds wall: Double? = nil
  ) {
    let name = row.padding(toLength: 24, withPad: " ", startingAt: 0)
    let cost = String(format: "%8.2f s of CPU %8.2f s", built.cpuSeconds, built.wallSeconds)
    let judged = limit.map { board.judge("film, \(row)", built.cpuSeconds, atMost: $0) } ?? ""
    let timed =
      wall.map { board.judge("film, \(row), on the clock", built.wallSeconds, atMost: $0) } ?? ""
    print("  \(name)\(cost)  \(built.drawn) \(judged) \(timed)")
  }
}
