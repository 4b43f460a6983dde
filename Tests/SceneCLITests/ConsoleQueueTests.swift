// SPDX-License-Identifier: MIT
import Dispatch
import SceneCLI
import Synchronization
import Testing

/// What is said while nobody reads it.
@Suite("Messages that wait") struct ConsoleQueueTests {
  private final class Reader: Sendable {
    let gate = DispatchSemaphore(value: 0)
    let seen = Mutex<[String]>([])

    func read(_ text: String) {
      gate.wait()
      seen.withLock { $0.append(text) }
    }
  }

  @Test func progressIsLeftOutAndFaultsStay() {
    let reader = Reader()
    let queue = ConsoleQueue(limit: 200) { reader.read($0) }
    for number in 0..<1000 {
      #expect(queue.add("frame \(number)\n", isFault: false))
      if number == 500 { #expect(queue.add("error: a\n", isFault: true)) }
    }
    #expect(queue.add("error: b\n", isFault: true))
    for _ in 0..<100 { reader.gate.signal() }
    queue.end(within: 10_000)
    let seen = reader.seen.withLock { $0 }
    #expect(seen.contains { $0.hasSuffix("error: a\n") } && seen.last == "error: b\n")
    #expect(seen.contains("frame 999\n") && seen.count < 40)
    #expect(seen.contains { $0.contains("messages that nobody read are left out") })
    #expect(!queue.add("late\n", isFault: true))
  }

  @Test func theEndWaitsForNobody() {
    let reader = Reader()
    let queue = ConsoleQueue { reader.read($0) }
    #expect(queue.add("error: a\n", isFault: true))
    let begun = ContinuousClock.now
    queue.end(within: 50)
    #expect(ContinuousClock.now - begun < .seconds(5))
    reader.gate.signal()
  }
}
