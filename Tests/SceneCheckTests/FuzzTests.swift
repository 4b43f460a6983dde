// SPDX-License-Identifier: MIT
import CLinux
import SceneFuzz
import SceneTestSupport
import Testing

/// Every input that the fuzzer ever failed on, and the corpus cut in half.
@Suite("Fuzz") struct FuzzTests {
  @Test func inputsThatFailedOnce() throws {
    for file in Repository.files(in: "Tests/Fuzz") where !file.hasSuffix(".txt") {
      tryEverything(try Repository.bytes(file))
    }
  }

  @Test func halvesOfTheCorpus() throws {
    for file in Repository.files(in: "Tests/Corpus") {
      let bytes = try Repository.bytes(file)
      for start in stride(from: 0, to: bytes.count, by: 997) {
        tryEverything(
          Array("scene { for: 1s\n".utf8) + bytes[start..<min(bytes.count, start + 400)])
      }
    }
  }

  /// Elements and scopes hold each other while a file is checked, and must be let go of: `watch`
  /// checks a file for hours. In a process of its own, where nothing else takes memory.
  @Test func nothingIsLeftBehind() async {
    let ended = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      func used() -> Int {
        let heap = mallinfo2()
        return heap.uordblks + heap.hblkhd
      }
      let failed = Repository.files(in: "Tests/Fuzz").filter { !$0.hasSuffix(".txt") }
      let inputs =
        try Corpus.sources.map { Array($0.utf8) } + failed.map { try Repository.bytes($0) }
      for input in inputs { tryEverything(input) }
      for input in inputs {
        let before = used()
        for _ in 0..<4 { tryEverything(input) }
        let left = used() - before
        // What the allocator keeps for itself is less than that; one element takes more.
        if left > 8192 {
          fatalError("\(left / 4) bytes are left of: \(String(decoding: input, as: UTF8.self))")
        }
      }
    }
    if let ended, ended.exitStatus != .exitCode(0) {
      Issue.record("\(String(decoding: ended.standardErrorContent, as: UTF8.self))")
    }
  }
}
