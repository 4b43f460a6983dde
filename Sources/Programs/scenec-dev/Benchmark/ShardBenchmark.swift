// SPDX-License-Identifier: MIT
import Foundation

/// Estimates the speedup with several machines. Each segment of the five-minute video is rendered
/// once on one core, and the times are summed up for the shards of `scenec plan`.
struct ShardBenchmark {
  private let scenec = Child.scenec
  private let folder = FileManager.default.currentDirectoryPath + "/build/bench/shards"

  /// The output of `scenec plan --format json`.
  private struct Plan: Decodable {
    let segments: [Part]?
    let shares: [Part]?
  }

  private struct Part: Decodable {
    let number: Int
    let firstFrame: Int
    let segments: Int
    let seconds: Double
  }

  private struct Event: Decodable {
    let name: String
    let tid: Int
    /// The start and the duration in microseconds.
    let ts: Double
    let dur: Double
  }

  func run() throws {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.copyItem(atPath: "Examples/bench-film", toPath: folder)
    let segments = try plan([])
    print("a film of five minutes of \(segments.count) segments; each is drawn by one core")
    let drawn = try Child.run(
      command(["--jobs", "1", "--timings=t.json"]), in: folder, isSampled: false)
    let (costs, sound) = try self.costs(segments.count)
    let whole = costs.reduce(0, +) + sound
    // The remaining work once all shards are available.
    let join = try Child.run(command([]), in: folder, isSampled: false).wallSeconds
    let empty = try Child.run(
      [scenec, "check", "--quiet", "scene.scene"], in: folder, isSampled: false
    ).wallSeconds
    print(
      String(
        format:
          "one core: %.1f s, of which pictures %.1f s, sound %.1f s; the longest segment %.2f s; to join %.2f s; to begin %.2f s",
        drawn.wallSeconds, whole - sound, sound, costs.max() ?? 0, join, empty))
    print("shards   longest share   estimate   in all   times as fast   efficiency   what limits")
    for count in [1, 4, 40, 200] {
      let shares = try plan(["--shards", "\(count)"])
      var first = 0
      let own = shares.map { share -> Double in
        defer { first += share.segments }
        return costs[first..<first + share.segments].reduce(sound / Double(count), +)
      }
      let most = own.max() ?? 0
      let time = empty + most + join
      let longest = costs.max() ?? 0
      let limit =
        join > most
        ? "joining"
        : most - sound / Double(count) <= longest * 1.001 && count > 1
          ? "the longest segment" : "the share that costs most"
      print(
        String(
          format: "%6d %12.2f s %9.2f s %7.2f s %12.1f %12.0f %%   ", count, most,
          shares.map(\.seconds).max() ?? 0, time, drawn.wallSeconds / time,
          drawn.wallSeconds / time / Double(count) * 100) + limit)
    }
  }

  private func command(_ words: [String]) -> [String] {
    [scenec, "build", "scene.scene", "--quiet", "--cache", "cache", "-o", "film.mp4"] + words
  }

  private func plan(_ words: [String]) throws -> [Part] {
    let run = try Tool.run(
      [scenec, "plan", "scene.scene", "--quiet", "--format", "json"] + words, in: folder)
    guard run.status == 0 else { throw Failure(description: run.errors) }
    let plan = try JSONDecoder().decode(Plan.self, from: Data(run.output.utf8))
    return plan.shares ?? plan.segments ?? []
  }

  /// Returns the times of each segment and of the audio in seconds.
  private func costs(_ count: Int) throws -> (segments: [Double], sound: Double) {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/t.json"))
    let events = try JSONDecoder().decode([Event].self, from: data)
    let own = events.filter { $0.tid == 1 }.sorted { $0.ts < $1.ts }
    // A segment starts with its key and ends when it is stored.
    let begins = own.filter { $0.name == "key" }.map(\.ts)
    let ends = own.filter { $0.name == "keep" }.map { $0.ts + $0.dur }
    guard begins.count == count, ends.count == count else {
      throw Failure(description: "\(begins.count) of \(count) segments were drawn")
    }
    let sound = events.filter { $0.name == "sound" }.reduce(0) { $0 + $1.dur }
    return (zip(begins, ends).map { ($1 - $0) / 1e6 }, sound / 1e6)
  }
}
