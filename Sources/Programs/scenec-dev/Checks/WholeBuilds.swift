// SPDX-License-Identifier: MIT
import Foundation
import SceneCLI
import Synchronization

/// Builds random scenes and verifies the output: the number of frames, exact timestamps, error-free
/// decoding, the content of frames, and identical bytes for any number of workers.
struct WholeBuilds {
  private let scenec = Child.scenec
  private let folder = FileManager.default.currentDirectoryPath + "/build/whole"

  /// Builds `count` random scenes; returns the number of failures.
  func run(count: Int, firstSeed: UInt64) throws -> Int {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try makeClips()
    let failures = Mutex<[UInt64]>([])
    DispatchQueue.concurrentPerform(iterations: count) { index in
      let seed = firstSeed + UInt64(index)
      do {
        try check(seed)
      } catch {
        failures.withLock { $0.append(seed) }
        Console.print("seed \(seed): \(error)\n")
      }
    }
    let failed = failures.withLock { $0.sorted() }
    Console.print(
      "\(count - failed.count) of \(count) whole builds hold from seed \(firstSeed) on\n")
    return failed.count
  }

  /// Creates the clips for the scenes.
  private func makeClips() throws {
    let place = folder + "/clips"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let pictures = "testsrc2=size=96x64:duration=4"
    let noise = "anoisesrc=duration=4:amplitude=0.3:seed=1"
    let made =
      RandomScene.clips.map { ($0.name, pictures, $0.options) }
      + RandomScene.sounds.map { ($0.name, noise, $0.options) }
    for (name, input, options) in made
    where !FileManager.default.fileExists(atPath: "\(place)/\(name)") {
      let run = try Tool.run(
        ["/usr/bin/ffmpeg", "-v", "error", "-f", "lavfi", "-i", input] + options + [name], in: place
      )
      guard run.status == 0 else { throw Failure(description: run.errors) }
    }
  }

  private func check(_ seed: UInt64) throws {
    let scene = RandomScene(seed: seed)
    let home = "\(folder)/\(seed)"
    let other = "\(home)/other"
    try? FileManager.default.removeItem(atPath: home)
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    for (place, clips) in [(home, "../clips/"), (other, "../../clips/")] {
      try scene.source.replacingOccurrences(of: RandomScene.clipFolder, with: clips).write(
        toFile: "\(place)/s.scene", atomically: true, encoding: .utf8)
    }
    let name = scene.ending == "png" ? "f-%03d.png" : "s.\(scene.ending)"
    try build(scene, name, jobs: 1, in: home)
    try build(scene, name, jobs: 2 + Int(seed % 2), in: other)
    let names = try FileManager.default.contentsOfDirectory(atPath: home).sorted()
    let wanted =
      scene.ending == "png"
      ? scene.frames.map { String(format: "f-%03d.png", $0) } : ["s.\(scene.ending)"]
    guard Set(names) == Set(wanted + ["s.scene", "other"]) else {
      throw Failure(description: "files are \(names)")
    }
    for file in wanted where try data("\(home)/\(file)") != data("\(other)/\(file)") {
      throw Failure(description: "\(file) has other bytes with other workers")
    }
    switch scene.ending {
    case "png": try checkStills(of: scene, names: wanted, in: home)
    case "y4m": try checkRaw(scene, home)
    default: try checkVideo(scene, home)
    }
    try FileManager.default.removeItem(atPath: home)
  }

  private func build(_ scene: RandomScene, _ name: String, jobs: Int, in place: String) throws {
    let run = try Tool.run(
      [scenec, "build", "s.scene", "--root", folder, "--jobs", "\(jobs)", "-o", name]
        + scene.options, in: place)
    guard run.status == 0 else {
      throw Failure(description: "the build ends with \(run.status): \(run.errors)")
    }
    guard !run.errors.contains("error") else { throw Failure(description: run.errors) }
  }

  private func data(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  // MARK: Formats

  private func checkStills(of scene: RandomScene, names: [String], in home: String) throws {
    let frame = scene.frames.lowerBound + scene.frames.count / 2
    guard try still(frame, home) == data("\(home)/\(names[frame - scene.frames.lowerBound])") else {
      throw Failure(description: "frame \(frame) differs from what 'scenec frame' draws")
    }
  }

  private func checkRaw(_ scene: RandomScene, _ home: String) throws {
    let bytes = try data("\(home)/s.y4m")
    let isWhole = scene.source.contains("yuv444p")
    let picture = scene.width * scene.height * (isWhole ? 6 : 3) / 2
    guard let line = bytes.firstIndex(of: 10),
      bytes.count - line - 1 == scene.frames.count * (picture + 6)
    else { throw Failure(description: "the raw video has \(bytes.count) bytes") }
  }

  private func checkVideo(_ scene: RandomScene, _ home: String) throws {
    let file = "s.\(scene.ending)"
    let probe = try Tool.run(
      [
        "/usr/bin/ffprobe", "-v", "warning", "-select_streams", "v", "-show_entries",
        "stream=time_base,duration_ts,avg_frame_rate:packet=pts,dts,flags", "-of",
        "json",
        file,
      ], in: home)
    guard probe.errors.isEmpty else { throw Failure(description: "ffprobe: \(probe.errors)") }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let report = try decoder.decode(Probe.self, from: Data(probe.output.utf8))
    let keys = try report.check(scene)
    try checkSound(of: scene, file: file, in: home)
    let count = scene.frames.count
    // Both sides of a joint between segments of two encoders.
    var samples: Set<Int> = [0, count - 1]
    if let joint = keys.dropFirst().first { samples.formUnion([joint - 1, joint]) }
    let list = samples.sorted()
    let select = list.map { "eq(n\\,\($0))" }.joined(separator: "+")
    let decoded = try Tool.run(
      [
        "/usr/bin/ffmpeg", "-v", "warning", "-i", file, "-vf", "select='\(select)',\(luma)",
        "-fps_mode", "passthrough", "-f", "rawvideo", "-y", "d.yuv",
      ], in: home)
    guard decoded.status == 0, decoded.errors.isEmpty else {
      throw Failure(description: "ffmpeg: \(decoded.errors)")
    }
    let pixels = try data("\(home)/d.yuv")
    let size = scene.width * scene.height * 3
    guard pixels.count == size * list.count else {
      throw Failure(description: "\(pixels.count / size) of \(list.count) pictures decode")
    }
    guard scene.isFaithful else { return }
    // A clip reduced to a few blocks consists of details only, and so do random pixels.
    let isDetailed = scene.width * scene.height < 4096 || scene.source.contains("filter filtered")
    let least = isDetailed ? 25.0 : 30
    for (index, frame) in list.enumerated() {
      let own = pixels[(index * size)..<((index + 1) * size)].prefix(size / 3)
      let ratio = psnr(own, try drawn(frame + scene.frames.lowerBound, home).prefix(size / 3))
      guard ratio > least else { throw Failure(description: "frame \(frame) has \(ratio) dB") }
    }
  }

  /// Verifies that there is an audio track if the scene has audio, and that its length matches the
  /// video, up to a padded last packet.
  private func checkSound(of scene: RandomScene, file: String, in home: String) throws {
    let probe = try Tool.run(
      [
        "/usr/bin/ffprobe", "-v", "warning", "-select_streams", "a", "-show_entries",
        "stream=sample_rate", "-of", "csv=p=0", file,
      ], in: home)
    guard probe.output.hasPrefix("48000") == scene.isHeard else {
      throw Failure(description: "sound: '\(probe.output)'")
    }
    guard scene.isHeard else { return }
    let decoded = try Tool.run(
      [
        "/usr/bin/ffmpeg", "-v", "warning", "-copyts", "-i", file, "-vn", "-af",
        "aresample=48000:async=1:first_pts=0", "-f", "f32le", "-y", "d.raw",
      ], in: home)
    guard decoded.status == 0, decoded.errors.isEmpty else {
      throw Failure(description: "ffmpeg of the sound: \(decoded.errors)")
    }
    let wanted = scene.frames.count * 48_000 * scene.rate.denominator / scene.rate.numerator
    let count = try data("\(home)/d.raw").count / 8
    guard abs(count - wanted) <= 1100 else {
      throw Failure(description: "\(count) samples of sound instead of \(wanted)")
    }
  }

  // MARK: Frames

  private func still(_ frame: Int, _ home: String) throws -> Data {
    let run = try Tool.run(
      [scenec, "frame", "s.scene", "--root", folder, "--frame", "\(frame)", "-o", "own.png"],
      in: home)
    guard run.status == 0 else { throw Failure(description: run.errors) }
    return try data("\(home)/own.png")
  }

  /// Returns the output of `scenec frame` as YUV with full chroma.
  private func drawn(_ frame: Int, _ home: String) throws -> Data {
    _ = try still(frame, home)
    let run = try Tool.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-i", "own.png", "-vf", luma, "-f", "rawvideo", "-y",
        "own.yuv",
      ], in: home)
    guard run.status == 0 else { throw Failure(description: run.errors) }
    return try data("\(home)/own.yuv")
  }

  /// The filter that makes luma the first plane. Chroma is reduced to a quarter by 4:2:0.
  private let luma = "scale=out_color_matrix=bt709:out_range=tv,format=yuv444p"

  /// Returns the PSNR of two limited-range planes in decibels.
  private func psnr(_ a: Data, _ b: Data) -> Double {
    guard a.count == b.count else { return 0 }
    let sum = zip(a, b).reduce(0.0) {
      let difference = Double($1.0) - Double($1.1)
      return $0 + difference * difference
    }
    return sum == 0 ? 99 : 10 * log10(219 * 219 * Double(a.count) / sum)
  }
}

/// The output of ffprobe for a file with one stream.
private struct Probe: Decodable {
  struct Packet: Decodable {
    let pts: Int
    /// The decoding timestamp; `nil` in Matroska, which stores none.
    let dts: Int?
    let flags: String
  }

  struct Stream: Decodable {
    let timeBase: String
    /// The duration; `nil` in Matroska, which stores only the duration of the file.
    let durationTs: Int?
    let avgFrameRate: String
  }

  let packets: [Packet]
  let streams: [Stream]

  /// Verifies that timestamps are exact. Returns the indices of keyframes.
  func check(_ scene: RandomScene) throws -> [Int] {
    let count = scene.frames.count
    guard let stream = streams.first, packets.count == count else {
      throw Failure(description: "\(packets.count) packets instead of \(count)")
    }
    let base = stream.timeBase.split(separator: "/").compactMap { Int($0) }
    let (numerator, denominator) = (scene.rate.numerator, scene.rate.denominator)
    /// Returns the presentation time of a frame in the time base: exact, or rounded to a
    /// millisecond in Matroska.
    func time(_ frame: Int) -> Int {
      (2 * frame * base[1] * denominator + numerator) / (2 * numerator)
    }
    let isExact = !["webm", "mkv"].contains(scene.ending)
    guard base[0] == 1, !isExact || base[1] * denominator % numerator == 0 else {
      throw Failure(description: "the frame duration is not a multiple of 1/\(base[1]) s")
    }
    guard !isExact || stream.durationTs == time(count) else {
      throw Failure(description: "lasts \(stream.durationTs ?? -1), not \(time(count))")
    }
    let shown = packets.map(\.pts).sorted()
    guard shown == (0..<count).map(time) else {
      throw Failure(description: "pictures are not shown at even times")
    }
    let decoded = packets.compactMap(\.dts)
    for (one, next) in zip(decoded, decoded.dropFirst()) where one >= next {
      throw Failure(description: "decoding times do not rise: \(one), \(next)")
    }
    for packet in packets {
      guard let dts = packet.dts, dts > packet.pts else { continue }
      throw Failure(description: "decoded at \(dts), shown at \(packet.pts)")
    }
    let rate = stream.avgFrameRate.split(separator: "/").compactMap { Int($0) }
    // In files that do not store the frame rate, ffprobe guesses it from a few rounded timestamps.
    guard !isExact || rate.count == 2, !isExact || rate[0] * denominator == rate[1] * numerator
    else {
      throw Failure(description: "says \(stream.avgFrameRate) frames a second")
    }
    return packets.filter { $0.flags.hasPrefix("K") }.compactMap { shown.firstIndex(of: $0.pts) }
      .sorted()
  }
}

/// Runs a program and captures its output.
enum Tool {
  struct Run: Equatable {
    let status: Int32
    let output: String
    let errors: String
  }

  static func run(_ command: [String], in folder: String) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardInput = FileHandle.nullDevice
    let files = ["out", "err"].map { URL(fileURLWithPath: "\(folder)/.run-\($0)") }
    for file in files { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    defer { for file in files { try? FileManager.default.removeItem(at: file) } }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    let isKilled = process.terminationReason == .uncaughtSignal
    return Run(
      status: process.terminationStatus + (isKilled ? 128 : 0), output: texts[0], errors: texts[1])
  }
}
