// SPDX-License-Identifier: MIT
import CLinux
import SceneFuzz
import SceneTestSupport
import Testing

/// Checks all inputs on which the fuzzer has ever failed, and truncated cases of the corpus.
@Suite("Fuzz", .cpuBudget(seconds: 2)) struct FuzzTests {
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

  /// Tests for leaks of elements and scopes, which form reference cycles during a check, since
  /// `watch` checks a file for hours. Runs in a separate process, so that no other code allocates
  /// memory.
  @Test func nothingIsLeftBehind() async {
    await #expect(processExitsWith: .success) {
      func used() -> Int {
        let heap = mallinfo2()
        return heap.uordblks + heap.hblkhd
      }
      let failed = Repository.files(in: "Tests/Fuzz").filter { !$0.hasSuffix(".txt") }
      let inputs =
        try Corpus.sources.map { Array($0.utf8) } + failed.map { try Repository.bytes($0) }
      for input in inputs { tryEverything(input) }
      for input in inputs {
        // A leak occurs in each round, unlike memory that other threads or the allocator retain. An
        // element takes more than 8 KiB.
        var left = Int.max
        for _ in 0..<3 where left > 8192 {
          let before = used()
          for _ in 0..<4 { tryEverything(input) }
          left = used() - before
        }
        if left > 8192 {
          Issue.record("\(left / 4) bytes are left of: \(String(decoding: input, as: UTF8.self))")
        }
      }
    }
  }
}
