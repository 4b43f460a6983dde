// SPDX-License-Identifier: MIT
import Foundation
import SceneSystem

/// Verifies that audio and video stay in sync in long videos. Flashes of one frame and clicks of
/// one sample at ten times are written to each container and read back with ffmpeg. The same is
/// done with flashes and clicks from a clip.
struct LongSync {
  let minutes: Double
  private static let rate = 48_000
  private static let greatest = 0.001

  private var instants: [Double] {
    (0..<10).map { number in
      let time = minutes * 60 * (Double(number) + 0.5) / 10
      return (time * 25).rounded() / 25
    }
  }

  func run() throws {
    try FlashesAndClicks.inFolder("sync", run(in:))
  }

  private func run(in folder: String) throws {
    try write("drawn", FlashesAndClicks.elements(at: instants), in: folder)
    var failed = false
    for file in ["drawn.mp4", "drawn.mov", "drawn.mkv", "drawn.webm"] {
      failed = try build("drawn", to: file, in: folder) || failed
    }
    // The first file as a clip.
    try write("clip", "video \"drawn.mp4\"", in: folder)
    failed = try build("clip", to: "clip.mp4", in: folder) || failed
    guard !failed else { throw Failure(description: "sound and pictures are apart") }
  }

  private func write(_ name: String, _ body: String, in folder: String) throws {
    try """
    scene {
      size: 64x64;  fps: 25;  for: \(minutes * 60)s;  background: black
      \(body)
    }
    """.write(toFile: "\(folder)/\(name).scene", atomically: true, encoding: .utf8)
  }

  /// Builds a file and prints the offsets between clicks and flashes. Returns whether they are too
  /// large.
  private func build(_ scene: String, to file: String, in folder: String) throws -> Bool {
    let bin = Child.folder
    _ = try Child.run(
      ["\(bin)/scenec-render", "build", "\(scene).scene", "--quiet", "-o", file], in: folder,
      isSampled: false)
    let flashes = try flashes(file, folder)
    let clicks = try clicks(file, folder)
    guard flashes.count == instants.count, clicks.count == instants.count else {
      print("\(file): \(flashes.count) flashes and \(clicks.count) clicks of \(instants.count)")
      return true
    }
    let apart = zip(flashes, clicks).map { $1 - $0 }
    let moved = zip(flashes, instants).map { $0 - $1 }
    let most = apart.map(abs).max() ?? 0
    let drift = moved.map(abs).max() ?? 0
    print(
      String(
        format: "%@: clicks at most %.3f ms from their flashes, flashes %.3f ms from their times",
        file, most * 1000, drift * 1000))
    return most > LongSync.greatest || drift > LongSync.greatest
  }

  /// Returns the times of bright frames.
  private func flashes(_ file: String, _ folder: String) throws -> [Double] {
    let isBright =
      "metadata=mode=select:key=lavfi.signalstats.YAVG:value=128:function=greater"
    let run = try Tool.run(
      [
        "/usr/bin/ffprobe", "-v", "error", "-f", "lavfi", "-i",
        "movie=\(file),signalstats,\(isBright)", "-show_entries", "frame=pts_time", "-of",
        "csv=p=0",
      ], in: folder)
    return run.output.split(whereSeparator: { ",\n".contains($0) }).compactMap { Double($0) }
  }

  /// Returns the times of clicks: the loudest sample of each, positioned by ffmpeg according to
  /// timestamps.
  private func clicks(_ file: String, _ folder: String) throws -> [Double] {
    _ = try Child.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-y", "-copyts", "-i", file, "-vn", "-af",
        "aresample=\(LongSync.rate):async=1:first_pts=0,pan=mono|c0=c0", "-f", "s16le", "sound.raw",
      ], in: folder, isSampled: false)
    guard let sound = FileHandle(forReadingAtPath: "\(folder)/sound.raw") else { return [] }
    defer { try? sound.close() }
    var found: [(place: Int, loudness: Int)] = []
    var at = 0
    while let data = try sound.read(upToCount: 1 << 22), !data.isEmpty {
      let bytes = [UInt8](data)
      for k in stride(from: 0, to: bytes.count - 1, by: 2) {
        let sample = Int(Int16(truncatingIfNeeded: Int(bytes[k]) | Int(bytes[k + 1]) << 8))
        let (place, loudness) = (at + k / 2, abs(sample))
        guard loudness > 8000 else { continue }
        if let last = found.last, place - last.place < 4800 {
          if loudness > last.loudness { found[found.count - 1] = (place, loudness) }
        } else {
          found.append((place, loudness))
        }
      }
      at += bytes.count / 2
    }
    return found.map { Double($0.place) / Double(LongSync.rate) }
  }
}
