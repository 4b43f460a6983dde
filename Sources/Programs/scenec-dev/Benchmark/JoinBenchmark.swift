// SPDX-License-Identifier: MIT
import Foundation

/// Measures the cost of encoding segments independently: compares the files of S1 to S4 with those
/// of a single encoder with the same settings, in bytes and in SSIM relative to the source.
struct JoinBenchmark {
  let board: Scoreboard
  private let scenec = Child.scenec
  private let folder = FileManager.default.currentDirectoryPath + "/build/bench/joins"

  func run() throws {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    print("300 frames of 1080p at default settings: joined, by one encoder, and the difference")
    for (name, scene) in [("S1", "title"), ("S2", "flow"), ("S3", "slides"), ("S4", "busy")] {
      let source = FileManager.default.currentDirectoryPath + "/Examples/bench-\(scene)"
      func build(_ files: [String]) throws {
        _ = try Child.run(
          [scenec, "build", "\(source)/scene.scene", "--quiet", "--no-cache"]
            + files.flatMap { ["-o", "\(folder)/\($0)"] }, isSampled: false)
      }
      try build(["joined.mp4"])
      // An additional output in frame order makes the video use a single encoder.
      try build(["whole.mp4", "raw.y4m"])
      let (joined, whole) = (try measure("joined.mp4"), try measure("whole.mp4"))
      let ratio = Double(joined.bytes) / Double(whole.bytes)
      print(
        "\(name) \(scene)".padding(toLength: 40, withPad: " ", startingAt: 0)
          + String(
            format: "%8d B %6.3f dB %8d B %6.3f dB %7.3f %+7.3f dB ", joined.bytes, joined.ssim,
            whole.bytes, whole.ssim, ratio, joined.ssim - whole.ssim),
        board.judge("\(name), joined to whole", ratio, atMost: 1.03))
      try FileManager.default.removeItem(atPath: "\(folder)/raw.y4m")
    }
  }

  /// Returns the size of a file, and its SSIM in decibels relative to the raw frames.
  private func measure(_ file: String) throws -> (bytes: Int, ssim: Double) {
    let run = try Tool.run(
      [
        "/usr/bin/ffmpeg", "-hide_banner", "-nostats", "-i", file, "-i", "raw.y4m", "-lavfi",
        "ssim",
        "-f", "null", "-",
      ], in: folder)
    // "… All:0.996543 (24.612345)"
    guard let all = run.errors.range(of: "All:", options: .backwards),
      let value = run.errors[all.upperBound...].split(whereSeparator: { "()\n".contains($0) })
        .dropFirst().first.flatMap({ Double($0) })
    else { throw Failure(description: "ffmpeg gives no SSIM: \(run.errors)") }
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")
    return (attributes[.size] as? Int ?? 0, value)
  }
}
