// SPDX-License-Identifier: MIT
import Foundation
import SceneSystem
import SceneDigest
import SceneSyntax
import SceneText

/// Checks and renders nearly valid scenes: those of the corpus and the examples with some tokens
/// changed, each in a separate process.
///
/// A finding ends with a signal, takes more than ten seconds of CPU time or more than 512 MiB of
/// memory. It is stored in `Tests/Fuzz`.
struct Mutations {
  private var random: Choices
  private let sources: [[String]]
  private let pool: [String]
  private let folder = FileManager.default.currentDirectoryPath + "/build/mutants"

  init(seed: UInt64) throws {
    random = Choices(seed: seed)
    let seeds = FileManager.default.currentDirectoryPath + "/build/mutants/seeds"
    try Seeds.run(seeds)
    sources = try FileManager.default.contentsOfDirectory(atPath: seeds).sorted().map { name in
      Mutations.tokens(try String(contentsOfFile: "\(seeds)/\(name)", encoding: .utf8))
    }
    let extremes = [
      "0", "-1", "1e308", "1e-308", "0.5", "99999", "1e9s", "0s", "-1s", "100%", "1e18deg",
      "(0 / 0)",
      "[]", "\"\"", "{", "}", "(", ")", "->", "none", "true", "scene", "100000", "loop", "0..99999",
    ]
    pool =
      Array(Set(sources.joined().filter { $0.contains { !$0.isWhitespace } })).sorted() + extremes
  }

  private static func tokens(_ text: String) -> [String] {
    let tree = parse(SourceFile(name: "seed.scene", text: text)).tree
    return tree.tokens.indices.map(tree.text(ofToken:)).filter { !$0.isEmpty }
  }

  mutating func run(seconds: Double) throws -> Int {
    let clock = SystemClock()
    let end = clock.now + .seconds(seconds)
    var tried = 0
    var drawn = 0
    var finds = 0
    while clock.now < end {
      let scene = mutant()
      let status = try draw(scene)
      tried += 1
      if status == 0 { drawn += 1 }
      guard status > 3 else { continue }
      finds += 1
      // Named by content, so that the same finding has the same name.
      let digest = SHA256(of: Array(scene.utf8)).description.prefix(8)
      let name = "Tests/Fuzz/mutant-\(digest).scene"
      try scene.write(toFile: name, atomically: true, encoding: .utf8)
      print("status \(status): \(name)")
    }
    print("\(tried) mutants, \(drawn) drawn, \(finds) finds")
    return finds
  }

  private mutating func mutant() -> String {
    var tokens = sources.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...6, using: &random) where !tokens.isEmpty {
      let at = Int.random(in: 0..<tokens.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: tokens.remove(at: at)
      case 1: tokens.insert(tokens[at], at: at)
      case 2: tokens.swapAt(at, Int.random(in: 0..<tokens.count, using: &random))
      case 3:
        // Inserts a part of another scene.
        let other = sources.randomElement(using: &random) ?? []
        guard let from = other.indices.randomElement(using: &random) else { break }
        tokens.insert(contentsOf: other[from...].prefix(12), at: at)
      default: tokens[at] = pool.randomElement(using: &random) ?? ""
      }
    }
    return tokens.joined()
  }

  /// Returns the exit status of a run with limits; above 127 if a signal ended it.
  private func draw(_ scene: String) throws -> Int32 {
    try scene.write(toFile: "\(folder)/mutant.scene", atomically: true, encoding: .utf8)
    let program = Child.scenec
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c",
      "ulimit -t 10; ulimit -d 524288; exec \"$0\" frame mutant.scene --width 320 -o mutant.png",
      program,
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
  }
}
