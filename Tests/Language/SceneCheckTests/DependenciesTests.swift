// SPDX-License-Identifier: MIT
import SceneCheck
import SceneTestSupport
import SceneText
import Testing

@Suite("What depends on itself", .cpuBudget(seconds: 1)) struct DependenciesTests {
  private let place = SourceSpan(file: FileID(0), start: 0, end: 1)

  private func chain(_ keys: [String]) -> Dependencies<String> {
    var chain = Dependencies<String>()
    for key in keys { chain.begin(key, { "the \(key)" }, at: place) }
    return chain
  }

  @Test func aRingBeginsWhereItsKeyWasBegun() {
    let chain = chain(["a", "b", "c"])
    #expect(chain.ring(closedBy: "b")?.map(\.key) == ["b", "c"])
    #expect(chain.ring(closedBy: "a")?.map { $0.describe() } == ["the a", "the b", "the c"])
    #expect(chain.ring(closedBy: "c")?.map(\.key) == ["c"])
    #expect(chain.ring(closedBy: "d") == nil)
  }

  @Test func whatHasEndedClosesNoRing() {
    var chain = chain(["a", "b"])
    chain.end()
    #expect(chain.ring(closedBy: "b") == nil && !chain.isEmpty)
    chain.end()
    #expect(chain.ring(closedBy: "a") == nil && chain.isEmpty)
  }
}
