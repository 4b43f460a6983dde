// SPDX-License-Identifier: MIT
import Foundation
import SceneCLI

/// Damages caches, and runs two builds concurrently with the same cache. All outputs must be
/// byte-identical to those of a build without a cache.
struct StoreTrials {
  private let scenec = Child.scenec
  private let folder = FileManager.default.currentDirectoryPath + "/build/store"
  private var cache: String { folder + "/cache" }

  /// Returns a scene with five parts of two seconds, with audio, an image and a clip, that varies
  /// with a number.
  private static func source(_ tint: Int) -> String {
    """
    scene { size: 96x64;  fps: 12;  for: 10s;  background: navy
      circle { for: 2s;  radius: 5 -> 30;  fill: hsl(\(tint)deg, 80%, 60%) }
      rect { at: 2s;  for: 2s;  size: 8 -> 60;  rotate: 0deg -> 90deg }
      text "word" { at: 4s;  for: 2s;  font-size: 10 -> 30 }
      image "p.png" { at: 6s;  for: 2s;  size: 20 -> 60 }
      video "clip.mp4" { at: 8s;  for: 2s;  size: 80% }
      audio "tone.flac" { loop: true;  for: 10s;  volume: -\(tint % 7 + 1)dB }
    }

    """
  }

  /// Tests `count` damaged caches and a quarter as many pairs of builds; returns the number of
  /// failures.
  func run(count: Int, seed: UInt64) throws -> Int {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for call in [
      ["testsrc2=size=96x64:duration=3:rate=12", "-c:v", "libx264", "clip.mp4"],
      ["anoisesrc=duration=4:amplitude=0.3:seed=1", "-ar", "44100", "-ac", "1", "tone.flac"],
      ["color=red:s=40x30", "-frames:v", "1", "p.png"],
    ] {
      let run = try Tool.run(
        ["/usr/bin/ffmpeg", "-v", "error", "-f", "lavfi", "-i"] + call, in: folder)
      guard run.status == 0 else { throw Failure(description: run.errors) }
    }
    var pick = Choices(seed: seed)
    var failures = 0
    let right = try alone(0)
    try write(0)
    for number in 0..<count {
      guard try build("kept.mp4") == right else {
        Console.print("the bytes differ before damage \(number)\n")
        failures += 1
        continue
      }
      try damage(&pick)
    }
    if try build("kept.mp4") != right { failures += 1 }
    for number in 0..<(count + 3) / 4 {
      if try !pair(number, &pick) { failures += 1 }
    }
    let said = failures == 1 ? "1 differs" : "\(failures) differ"
    Console.print("\(count) damages and \((count + 3) / 4) pairs of builds: \(said)\n")
    return failures
  }

  private func write(_ tint: Int) throws {
    try Self.source(tint).write(
      toFile: "\(folder)/s.scene", atomically: true, encoding: .utf8)
  }

  private func command(_ name: String, _ words: [String]) -> [String] {
    [scenec, "build", "s.scene", "--quiet", "-o", name] + words
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
  }

  /// Returns the output of a build without a cache.
  private func alone(_ tint: Int) throws -> Data {
    try write(tint)
    let run = try Tool.run(command("alone.mp4", ["--no-cache"]), in: folder)
    guard run.status == 0 else { throw Failure(description: run.errors) }
    return try bytes("alone.mp4")
  }

  private func build(_ name: String) throws -> Data? {
    let run = try Tool.run(command(name, ["--cache", cache]), in: folder)
    guard run.status == 0 else {
      Console.print(run.errors)
      return nil
    }
    return try bytes(name)
  }

  // MARK: Damage

  /// All files in the cache.
  private var files: [String] {
    let all = try? FileManager.default.subpathsOfDirectory(atPath: cache)
    return (all ?? []).map { "\(cache)/\($0)" }.filter { path in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return attributes?[.type] as? FileAttributeType == .typeRegular
    }
    .sorted()
  }

  /// Damages one or several of the files.
  private func damage(_ pick: inout Choices) throws {
    let files = files
    guard !files.isEmpty else { return }
    for _ in 0..<pick.one([1, 1, 1, 4]) {
      let path = pick.one(files)
      guard let old = try? Data(contentsOf: URL(fileURLWithPath: path)) else { continue }
      var bytes = [UInt8](old)
      let at = pick.int(0...max(0, bytes.count - 1))
      switch pick.int(0...9) {
      case 0: bytes = []
      case 1: bytes = Array(bytes.prefix(at))
      case 2: bytes += bytes.prefix(at + 1)
      // The content of another file: its checksum is valid, but its key differs. Empty if that file
      // was removed.
      case 3: bytes = (try? [UInt8](Data(contentsOf: URL(fileURLWithPath: pick.one(files))))) ?? []
      case 4:
        try FileManager.default.removeItem(atPath: path)
        continue
      default: if !bytes.isEmpty { bytes[at] ^= UInt8(pick.int(1...255)) }
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
  }

  // MARK: Pairs

  /// Returns whether two concurrent builds, one of which may be killed, and a third one after them
  /// are correct.
  private func pair(_ number: Int, _ pick: inout Choices) throws -> Bool {
    // A video that is not in the cache.
    let right = try alone(number + 1)
    let calls = ["one.mp4", "two.mp4"].map { command($0, ["--cache", cache]) }
    let isKilled = pick.chance(0.3)
    let processes = try calls.enumerated().map { index, call in
      let process = Process()
      let part = "\(Double(pick.int(10...200)) / 1000)"
      let limit = isKilled && index == 1 ? ["/usr/bin/timeout", "-s", "KILL", part] : []
      process.executableURL = URL(fileURLWithPath: (limit + call)[0])
      process.arguments = Array((limit + call).dropFirst())
      process.currentDirectoryURL = URL(fileURLWithPath: folder)
      try process.run()
      return process
    }
    for process in processes { process.waitUntilExit() }
    var made = [try bytes("one.mp4")]
    if !isKilled { made.append(try bytes("two.mp4")) }
    if let after = try build("kept.mp4") { made.append(after) }
    guard made.count == (isKilled ? 2 : 3), made.allSatisfy({ $0 == right }) else {
      Console.print("the bytes differ in pair \(number)\n")
      return false
    }
    return true
  }
}
