// SPDX-License-Identifier: MIT
import SceneFuzz
import SceneServer
import SceneTestSupport
import Testing

/// Inputs on which the message fuzzer once failed, and randomly modified messages.
@Suite("Fuzz of messages", .cpuBudget(seconds: 1)) struct MessageFuzzTests {
  @Test func inputsThatFailedOnce() throws {
    for file in Repository.files(in: "Tests/Fuzz/messages") {
      tryMessages(try Repository.bytes(file))
    }
  }

  @Test func changedMessages() {
    var random = Generator(seed: 7)
    let message = Array(
      #"{"jsonrpc":"2.0","id":1,"method":"a","params":{"n":[1,-2.5e3,null,true,"\u00e9\ud83d\ude00"]}}"#
        .utf8)
    let two = FrameReader.frame(message) + FrameReader.frame(Array("[0]".utf8))
    for _ in 0..<2000 {
      var bytes = two
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: at)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: at)
        }
      }
      tryMessages(bytes)
    }
  }
}
