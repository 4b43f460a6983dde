// SPDX-License-Identifier: MIT
import Foundation
import SceneSystem
import SceneDigest
import SceneSyntax
import SceneText

/// Checks and renders nearly valid scenes: those of the corpus and the examples with some tokens
/// changed, each in a separate process.
///
/// Most mutants are made of scenes that can be drawn, among them earlier mutants, and most changes
/// replace a token by one of the same kind, so that many of them can be drawn, too.
///
/// A finding ends with a signal, takes more than ten seconds of CPU time or more than 512 MiB of
/// memory. It is stored in `Tests/Fuzz`.
struct Mutations {
  private var random: Choices
  private let sources: [[String]]
  /// The sources that have not been drawn without changes.
  private var unseen: [[String]]
  private let pool: [String]
  /// The tokens of all sources by their kind.
  private let kinds: [TokenKind: [String]]
  /// Scenes that can be drawn.
  private var drawable: [[String]] = []
  private static let mostDrawable = 4000
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
    unseen = sources.shuffled(using: &random)
    var kinds: [TokenKind: Set<String>] = [:]
    for source in sources {
      for (index, token) in source.enumerated() {
        kinds[TokenKind(token, next: source.dropFirst(index + 1)), default: []].insert(token)
      }
    }
    self.kinds = kinds.mapValues { $0.sorted() }
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
      let isMutant =
        unseen.isEmpty || drawable.count > 50 && Int.random(in: 0..<4, using: &random) > 0
      let tokens = isMutant ? mutant() : unseen.removeLast()
      let scene = tokens.joined()
      let status = try draw(scene)
      if isMutant { tried += 1 }
      if status == 0 {
        if isMutant { drawn += 1 }
        keep(tokens)
      }
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

  /// Adds a scene that can be drawn to those of which mutants are made.
  private mutating func keep(_ tokens: [String]) {
    if drawable.count < Mutations.mostDrawable { return drawable.append(tokens) }
    drawable[Int.random(in: 0..<drawable.count, using: &random)] = tokens
  }

  private mutating func mutant() -> [String] {
    let isDrawable = Int.random(in: 0..<5, using: &random) > 0
    var tokens =
      (isDrawable && !drawable.isEmpty ? drawable : sources).randomElement(using: &random) ?? []
    repeat {
      if tokens.isEmpty { break }
      let at = Int.random(in: 0..<tokens.count, using: &random)
      if Int.random(in: 0..<4, using: &random) > 0 {
        replace(&tokens, at: at)
      } else {
        disturb(&tokens, at: at)
      }
    } while Int.random(in: 0..<3, using: &random) == 0
    return tokens
  }

  /// Replaces a token by one of the same kind. Numbers are often replaced by extreme ones.
  private mutating func replace(_ tokens: inout [String], at index: Int) {
    let kind = TokenKind(tokens[index], next: tokens.dropFirst(index + 1))
    if case .number(let unit) = kind, Int.random(in: 0..<2, using: &random) == 0 {
      let numbers = ["0", "-1", "-0.001", "1e308", "1e-308", "0.5", "99999", "1e9", "7.3"]
      tokens[index] = (numbers.randomElement(using: &random) ?? "0") + unit
    } else {
      tokens[index] = kinds[kind]?.randomElement(using: &random) ?? tokens[index]
    }
  }

  /// Changes tokens regardless of their meaning.
  private mutating func disturb(_ tokens: inout [String], at index: Int) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: tokens.remove(at: index)
    case 1: tokens.insert(tokens[index], at: index)
    case 2: tokens.swapAt(index, Int.random(in: 0..<tokens.count, using: &random))
    case 3:
      // Inserts a part of another scene.
      let other = sources.randomElement(using: &random) ?? []
      guard let from = other.indices.randomElement(using: &random) else { break }
      tokens.insert(contentsOf: other[from...].prefix(12), at: index)
    default: tokens[index] = pool.randomElement(using: &random) ?? ""
    }
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

/// The kind of a token, by its first character and the token after it.
private enum TokenKind: Hashable {
  case number(unit: String)
  case name(before: Character?)
  case other(first: Character)

  init(_ token: String, next rest: ArraySlice<String>) {
    guard let first = token.first else {
      self = .other(first: " ")
      return
    }
    if first.isNumber {
      self = .number(unit: String(token.drop { $0.isNumber || $0 == "." }))
    } else if first.isLetter {
      let next = rest.first { $0.contains { !$0.isWhitespace } }
      let sign = next?.first { !$0.isWhitespace }
      self = .name(before: sign.flatMap { "{(:.".contains($0) ? $0 : nil })
    } else {
      self = .other(first: first.isWhitespace ? " " : first)
    }
  }
}
