// SPDX-License-Identifier: MIT
import SceneSystem
import SceneTestSupport
import Testing

@Suite("Owners of what C made", .cpuBudget(seconds: 1)) struct OwnedTests {
  private final class Log {
    var freed: [Int] = []
  }

  private struct Holder {
    let own: Owned<Int>
  }

  @Test func freeIt() throws {
    let log = Log()
    do {
      let local = try #require(Owned(1) { log.freed.append($0) })
      let holder = Holder(own: try #require(Owned(2) { log.freed.append($0) }))
      #expect(local.pointer + holder.own.pointer == 3)
    }
    #expect(log.freed.sorted() == [1, 2])
    #expect(Owned(nil) { log.freed.append($0) } === nil)
    #expect(log.freed.count == 2)
  }
}
