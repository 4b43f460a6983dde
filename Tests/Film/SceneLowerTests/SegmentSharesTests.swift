// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneCheck
import SceneLower
import SceneModel
import SceneTestSupport
import Testing

@Suite("Shares of the work", .cpuBudget(seconds: 1)) struct SegmentSharesTests {
  private func plan(_ costs: [Double]) -> SegmentShares {
    let segments = costs.indices.map { Segment(frames: $0 * 10..<($0 + 1) * 10, isStill: false) }
    return SegmentShares(segments, costs: costs)
  }

  /// Every segment is in exactly one share, for any number of shares.
  @Test(arguments: [1, 2, 3, 4, 7, 40, 1000])
  func sharesAreAPartition(_ count: Int) {
    let lists: [[Double]] = [
      [], [1], [1, 1, 1], [9, 1, 1, 1], [1, 1, 1, 9], [0, 0, 5], (1...99).map { Double($0) },
    ]
    for costs in lists {
      let shares = plan(costs).shares(count)
      #expect(shares.count == count)
      #expect(shares.flatMap { Array($0) } == Array(costs.indices))
    }
  }

  @Test func sharesAreEven() {
    #expect(plan([1, 1, 1, 1]).shares(2) == [0..<2, 2..<4])
    #expect(plan([3, 1, 1, 1]).shares(2) == [0..<1, 1..<4])
    #expect(plan([1, 1, 1, 3]).shares(2) == [0..<3, 3..<4])
    let costs = (0..<400).map { Double($0 * 7 % 10 + 1) }
    let plan = plan(costs)
    let mean = costs.reduce(0, +) / 40
    for share in plan.shares(40) {
      let cost = plan.cost(of: share)
      #expect(abs(cost - mean) <= 10)
    }
  }

  /// The shares are optimal, compared with an exhaustive search.
  @Test func theGreatestShareIsTheLeast() {
    var generator = Generator(seed: 3)
    for _ in 0..<300 {
      let costs = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
        Double(Int.random(in: 0...9, using: &generator)) / 8
      }
      let count = Int.random(in: 1...4, using: &generator)
      func least(_ start: Int, _ count: Int) -> Double {
        guard count > 1 else { return costs[start...].reduce(0, +) }
        return (start...costs.count).map {
          max(costs[start..<$0].reduce(0, +), least($0, count - 1))
        }.min() ?? 0
      }
      let plan = plan(costs)
      let shares = plan.shares(count)
      #expect(shares.flatMap { Array($0) } == Array(costs.indices))
      #expect(shares.map(plan.cost).max() == least(0, count), "\(costs) in \(count)")
    }
  }

  @Test func whatStandsCostsLittle() throws {
    let model = try #require(
      checked(scene("for: 20s;  rect { for: 10s;  size: 10 -> 90 }").replacing("for: 4s", with: ""))
        .model)
    let plan = SegmentShares(
      model, SegmentPlanner(model).segments(of: 0..<model.frameCount), metrics: FixedMetrics())
    let whole = 6e-9 * Double(model.size.width * model.size.height)
    for (segment, cost) in zip(plan.segments, plan.costs) {
      #expect((cost > whole * Double(segment.frames.count)) == !segment.isStill, "\(segment)")
    }
    #expect(plan.segments.contains { $0.isStill } && plan.segments.contains { !$0.isStill })
  }
}
