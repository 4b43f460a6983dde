// SPDX-License-Identifier: MIT
import Foundation
import SceneCLI
import Synchronization

/// Edits random scenes and builds each step with a shared cache and without one. The outputs must
/// be byte-identical, regardless of the cache and of killed builds.
struct EditedBuilds {
  private let scenec = Child.scenec
  private let folder = FileManager.default.currentDirectoryPath + "/build/edits"
  private static let editsOfAScene = 8

  /// The results of all builds.
  private struct Sum {
    var edits = 0
    var failures = 0
    var kept = 0
    var killed = 0
  }

  /// Tests `count` edits of random scenes; returns the number of failures.
  func run(count: Int, firstSeed: UInt64) throws -> Int {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try makeFiles()
    let sum = Mutex(Sum())
    let scenes = (count + EditedBuilds.editsOfAScene - 1) / EditedBuilds.editsOfAScene
    DispatchQueue.concurrentPerform(iterations: scenes) { index in
      let seed = firstSeed + UInt64(index)
      do {
        try check(seed, sum)
      } catch {
        sum.withLock { $0.failures += 1 }
        Console.print("seed \(seed): \(error)\n")
      }
    }
    let all = sum.withLock { $0 }
    Console.print(
      "\(all.edits) edits from seed \(firstSeed) on, \(all.kept) builds took segments from the cache, \(all.killed) were killed before: \(all.failures) differ\n"
    )
    return all.failures
  }

  /// Creates images of the same dimensions and file size, which differ only in content, a clip and
  /// a sound.
  private func makeFiles() throws {
    for call in [
      ["testsrc2=size=96x64:duration=4:rate=24", "-c:v", "libx264", "-g", "30", "clip.mp4"],
      ["anoisesrc=duration=4:amplitude=0.3:seed=1", "-ar", "44100", "-ac", "1", "tone.flac"],
    ] {
      let run = try Tool.run(
        ["/usr/bin/ffmpeg", "-v", "error", "-f", "lavfi", "-i"] + call, in: folder)
      guard run.status == 0 else { throw Failure(description: run.errors) }
    }
    for (index, color) in ["red", "blue", "lime"].enumerated() {
      let run = try Tool.run(
        [
          "/usr/bin/ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=\(color):s=40x30",
          "-frames:v", "1", "-compression_level", "0", "-pred", "none", "p\(index).png",
        ], in: folder)
      guard run.status == 0 else { throw Failure(description: run.errors) }
    }
  }

  private func check(_ seed: UInt64, _ sum: borrowing Mutex<Sum>) throws {
    var pick = Choices(seed: seed)
    let home = "\(folder)/\(seed)"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    for name in ["clip.mp4", "tone.flac"] {
      try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(home)/\(name)")
    }
    var edits = SceneEdits(&pick)
    for _ in 0..<EditedBuilds.editsOfAScene {
      try edits.source.write(toFile: "\(home)/s.scene", atomically: true, encoding: .utf8)
      try showPicture(edits.picture, home)
      let call = [scenec, "build", "s.scene", "--quiet"] + edits.options
      let alone = try Tool.run(call + ["--no-cache", "-o", "alone.mp4"], in: home)
      let cached = call + ["--cache", "\(folder)/cache", "-o", "kept.mp4"]
      let isKilled = pick.chance(0.2)
      if isKilled {
        let part = Double(pick.int(20...300)) / 1000
        _ = try Tool.run(["/usr/bin/timeout", "-s", "KILL", "\(part)"] + cached, in: home)
      }
      let kept = try Tool.run(cached.filter { $0 != "--quiet" }, in: home)
      guard alone.status == kept.status else {
        throw Failure(description: "statuses \(alone.status) and \(kept.status): \(kept.errors)")
      }
      if alone.status == 0 {
        let files = try ["alone.mp4", "kept.mp4"].map {
          try Data(contentsOf: URL(fileURLWithPath: "\(home)/\($0)"))
        }
        guard files[0] == files[1] else {
          throw Failure(description: "the bytes differ; see \(home)")
        }
      }
      sum.withLock { sum in
        sum.edits += 1
        sum.kept += kept.errors.contains("drawn before") ? 1 : 0
        sum.killed += isKilled ? 1 : 0
      }
      edits.next(&pick)
    }
    try FileManager.default.removeItem(atPath: home)
  }

  /// Replaces the image with one of the variants, with the same date and in the same file.
  private func showPicture(_ number: Int, _ home: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/p\(number).png"))
    let place = "\(home)/photo.png"
    if let handle = FileHandle(forWritingAtPath: place) {
      try handle.write(contentsOf: bytes)
      try handle.close()
    } else {
      try bytes.write(to: URL(fileURLWithPath: place))
    }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: place)
  }
}

/// A random scene that undergoes typical edits and stays valid.
private struct SceneEdits {
  private var elements: [String] = []
  private var tint = "orange"
  private var seconds = 0
  private var shift = 0
  private var rate = 10
  private(set) var picture = 0
  private(set) var options: [String] = []

  init(_ pick: inout Choices) {
    rate = pick.one([10, 12, 25, 30])
    seconds = pick.int(4...16)
    for _ in 0..<pick.int(2...6) { elements.append(element(&pick)) }
  }

  var source: String {
    let front = shift == 0 ? "" : "    rect { for: \(shift)f;  size: 5 -> 60 }\n"
    let lines = elements.map { "        \($0)\n" }.joined()
    return """
      param word: text = "word"
      style tinted { fill: \(tint) }
      scene {
          size: 160x96;  fps: \(rate);  for: \(seconds)s + \(shift)f;  background: navy
      \(front)    group {
              at: \(shift)f;  for: \(seconds)s
      \(lines)    }
      }

      """
  }

  private func element(_ pick: inout Choices) -> String {
    let at = pick.int(0...max(0, seconds - 2))
    let life = pick.int(1...max(1, seconds - at))
    let (a, b) = (pick.int(1...40), pick.int(10...90))
    let turn = pick.one([
      "", "rotate: 0deg -> \(b)deg", "opacity: 0 -> 1 over 1s", "enter: fade over 0.5s",
    ])
    let common = "style: tinted;  at: \(at)s;  for: \(life)s;  \(turn)"
    switch pick.int(0...9) {
    case 0: return "circle { \(common);  radius: \(a) -> \(b) }"
    case 1: return "rect { \(common);  size: \(b) }"
    case 2:
      return "text \"\(pick.one(["one", "two", "three"])) {word}\" { \(common);  font-size: \(a) }"
    case 3: return "text \"{round(\(a) * t / 1s)}\" { \(common);  font-size: \(a) -> \(b) }"
    case 4: return "image \"photo.png\" { \(common);  width: \(b) }"
    case 5: return "rect { \(common);  size: 20;  translate: (\(b) * noise(t / 1s, \(a)), 0) }"
    case 6: return "text \"Ab\" { \(common);  font-weight: 300 -> 800;  font-size: \(b) }"
    case 7:
      let part = pick.one(["speed: 2", "trim: 1s .. 3s", "speed: -1", "loop: true"])
      return "video \"clip.mp4\" { at: \(at)s;  for: \(life)s;  \(part);  size: \(b)% }"
    case 8:
      let part = pick.one(["volume: -6dB", "volume: 0% -> 80%", "speed: 0.7", "fade-in: 0.2s"])
      return "audio \"tone.flac\" { at: \(at)s;  for: \(life)s;  \(part) }"
    default:
      return
        "circle { \(common);  radius: \(b) / 2;  position: (10% -> 90% with ease-in-out, \(a)%) }"
    }
  }

  mutating func next(_ pick: inout Choices) {
    let index = pick.int(0...(elements.count - 1))
    switch pick.int(0...9) {
    case 0: elements[index] = element(&pick)
    case 1: elements.insert(element(&pick), at: index)
    case 2 where elements.count > 1: elements.remove(at: index)
    case 3: elements.swapAt(index, pick.int(0...(elements.count - 1)))
    case 4: tint = pick.one(["orange", "teal", "white"])
    case 5: picture = pick.int(0...2)
    case 6: shift = pick.int(0...3 * rate)
    case 7: seconds = max(4, seconds + pick.int(-2...2))
    case 8:
      options = pick.one([
        [], ["--set", "word=other"], ["--quality", "25"], ["--scale", "0.5"], ["--to", "3s"],
        ["--from", "1s"], ["--jobs", "1"], ["--preset", "veryfast"],
      ])
    default: elements[index] = digitChanged(elements[index], &pick)
    }
  }

  /// Returns the text with one digit replaced.
  private func digitChanged(_ text: String, _ pick: inout Choices) -> String {
    let places = text.indices.filter { ("1"..."9").contains(text[$0]) }
    guard !places.isEmpty else { return text }
    var text = text
    let place = pick.one(places)
    text.replaceSubrange(place...place, with: "\(pick.int(1...9))")
    return text
  }
}
