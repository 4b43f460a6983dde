// SPDX-License-Identifier: MIT
import Dispatch
import SceneCLI
import SceneTestSupport
import Synchronization
import Testing

/// Messages while their reader is slow or stopped.
@Suite("Messages that wait", .cpuBudget(seconds: 1)) struct ConsoleQueueTests {
  private final class Reader: Sendable {
    let gate = DispatchSemaphore(value: 0)
    let began = DispatchSemaphore(value: 0)
    let seen = Mutex<[String]>([])

    func read(_ text: String) {
      began.signal()
      gate.wait()
      seen.withLock { $0.append(text) }
    }
  }

  @Test func progressIsLeftOutAndErrorsStay() {
    let reader = Reader()
    let queue = ConsoleQueue(limit: 200) { text, _ in reader.read(text) }
    for number in 0..<1000 {
      #expect(queue.add("frame \(number)\n", .progress))
      if number == 500 { #expect(queue.add("error: a\n", .failure)) }
    }
    #expect(queue.add("error: b\n", .failure))
    for _ in 0..<100 { reader.gate.signal() }
    #expect(queue.end(within: 10_000))
    let seen = reader.seen.withLock { $0 }
    #expect(seen.contains { $0.hasSuffix("error: a\n") } && seen.last == "error: b\n")
    #expect(seen.contains("frame 999\n") && seen.count < 40)
    #expect(seen.contains { $0.contains("messages were dropped") })
    #expect(!queue.add("late\n", .failure))
  }

  @Test(arguments: [
    (1, "… 1 message was dropped, the output was not read\n"),
    (2, "… 2 messages were dropped, the output was not read\n"),
  ])
  func leftOutIsCounted(_ count: Int, _ text: String) {
    let reader = Reader()
    let queue = ConsoleQueue(limit: 30) { text, _ in reader.read(text) }
    // The first message is being written, and one of the others fits into the queue.
    #expect(queue.add("first\n", .progress))
    reader.began.wait()
    for _ in 0...count { #expect(queue.add("a line of 20 bytes..\n", .progress)) }
    for _ in 0..<9 { reader.gate.signal() }
    #expect(queue.end(within: 10_000))
    #expect(reader.seen.withLock { $0 }.contains { $0.hasPrefix(text) })
  }

  @Test func theEndWaitsForNobody() {
    let reader = Reader()
    let queue = ConsoleQueue { text, _ in reader.read(text) }
    #expect(queue.add("error: a\n", .failure))
    // The reader continues only afterwards, so an end that waited for it would never return.
    #expect(!queue.end(within: 50))
    reader.gate.signal()
  }

  @Test func resultsStayAndKeepTheirPlace() {
    let reader = Reader()
    let queue = ConsoleQueue(limit: 200) { text, kind in
      reader.read(kind == .result ? "result \(text)" : text)
    }
    for number in 0..<400 {
      #expect(queue.add("frame \(number)\n", .progress))
      if number % 4 == 0 { #expect(queue.add("\(number)\n", .result)) }
    }
    for _ in 0..<500 { reader.gate.signal() }
    #expect(queue.end(within: 10_000))
    let seen = reader.seen.withLock { $0 }
    let results = seen.filter { $0.hasPrefix("result ") }
    #expect(results == (0..<100).map { "result \(4 * $0)\n" })
    let places = ["result 396\n", "frame 397\n"].map { seen.lastIndex(of: $0) ?? -1 }
    #expect(places[0] >= 0 && places[0] < places[1])
  }
}
