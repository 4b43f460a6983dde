// SPDX-License-Identifier: MIT
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
}
