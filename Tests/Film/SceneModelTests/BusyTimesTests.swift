// SPDX-License-Identifier: MIT
import SceneModel
import SceneTestSupport
import Testing

/// The times at which someone speaks, and the pauses between them.
@Suite("Busy times", .cpuBudget(seconds: 1)) struct BusyTimesTests {
  private func ranges(_ list: [(Int64, Int64)]) -> [Range<Ticks>] {
    list.map { Ticks($0.0)..<Ticks($0.1) }
  }

  private func numbers(_ list: [Range<Ticks>]) -> [[Int64]] {
    list.map { [$0.lowerBound.rawValue, $0.upperBound.rawValue] }
  }

  @Test func pausesAreBetweenMergedTimes() {
    let busy = BusyTimes(ranges([(50, 60), (10, 20), (15, 30), (30, 35), (40, 40)]))
    #expect(numbers(busy.pauses(in: Ticks(0)..<Ticks(100))) == [[0, 10], [35, 50], [60, 100]])
    #expect(numbers(busy.pauses(in: Ticks(12)..<Ticks(55))) == [[35, 50]])
    #expect(numbers(busy.pauses(in: Ticks(36)..<Ticks(40))) == [[36, 40]])
    #expect(numbers(busy.pauses(in: Ticks(70)..<Ticks(80))) == [[70, 80]])
    #expect(numbers(BusyTimes([]).pauses(in: Ticks(1)..<Ticks(3))) == [[1, 3]])
  }

  @Test func timesThatTouchDoNotOverlap() {
    let busy = BusyTimes(ranges([(10, 20), (40, 50)]))
    #expect(busy.first(in: Ticks(0)..<Ticks(10)) == nil)
    #expect(busy.first(in: Ticks(20)..<Ticks(40)) == nil)
    #expect(busy.first(in: Ticks(19)..<Ticks(45)) == Ticks(10)..<Ticks(20))
    #expect(busy.first(in: Ticks(20)..<Ticks(41)) == Ticks(40)..<Ticks(50))
    #expect(busy.first(in: Ticks(60)..<Ticks(70)) == nil)
  }

  /// Compares with a list of single ticks.
  @Test func pausesAreThoseOfSingleTicks() {
    var state: UInt64 = 7
    func random(_ count: Int64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(state >> 33) % count
    }
    for _ in 0..<200 {
      let times = (0..<random(8)).map { _ in
        let start = random(60)
        return Ticks(start)..<Ticks(start + random(12))
      }
      let busy = BusyTimes(times)
      let free = (Int64(5)..<55).filter { tick in !times.contains { $0.contains(Ticks(tick)) } }
      let found = busy.pauses(in: Ticks(5)..<Ticks(55)).flatMap {
        Array($0.lowerBound.rawValue..<$0.upperBound.rawValue)
      }
      #expect(found == free)
    }
  }
}
