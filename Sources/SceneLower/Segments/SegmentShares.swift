// SPDX-License-Identifier: MIT
import SceneGraphics
package import SceneModel
import SceneReview

/// The work of a video as shares for several machines, the same on each of them.
///
/// Shares are runs of segments: what one machine decodes of a clip it shows. They are as even as segments
/// let them be by what the model says of their cost.
package struct SegmentShares {
  package let segments: [Segment]
  /// For each segment about the seconds that one core takes, which differ from machine to machine.
  package let costs: [Double]

  package init(_ model: SceneModel, _ segments: [Segment], metrics: any TextMetrics) {
    let steps = DrawingSteps(model)
    let clips = ClipLives(model)
    var work = DrawingWork(model, metrics: metrics)
    let pixels = Double(model.size.width * model.size.height)
    // A scene of very many elements is not looked at in each of its segments.
    let count = model.elements.reduce(0) { $0 + $1.drawingCount } + model.program.nodes.count / 4
    let stride = 1 + count * segments.count / SegmentShares.mostWork
    var drawing = 0.0
    self.init(
      segments,
      costs: segments.enumerated().map { index, segment in
        if index.isMultiple(of: stride) {
          let middle = segment.frames.lowerBound + segment.frames.count / 2
          drawing = work.frame(at: model.frameRate.time(ofFrame: middle)).steps * SegmentShares.step
        }
        return segment.frames.reduce(SegmentShares.begin * pixels) { sum, frame in
          guard steps.mayMove[frame] || frame == segment.frames.lowerBound else {
            return sum + SegmentShares.repeated * pixels
          }
          let decoding = SegmentShares.clip * Double(clips.count(in: frame))
          return sum + (SegmentShares.moved + decoding) * pixels + drawing
        }
      })
  }

  /// For segments that are made up.
  package init(_ segments: [Segment], costs: [Double]) {
    self.segments = segments
    self.costs = costs
  }

  /// Seconds a pixel: what the first picture costs beyond others, one that moves, one that is the one before,
  /// and the decoding of one. As fitted to the film of `bench shards`, with x264 at its preset faster.
  private static let begin = 17e-9
  private static let moved = 9e-9
  private static let repeated = 3.5e-9
  private static let clip = 7.5e-9
  /// Seconds for a step of drawing.
  private static let step = 0.5e-9
  /// Elements and nodes that are looked at.
  private static let mostWork = 2_000_000

  /// The numbers of the segments of each share; there may be none. No other runs have a greatest share that
  /// costs less.
  package func shares(_ count: Int) -> [Range<Int>] {
    var sums = [0.0]
    for (index, cost) in costs.enumerated() { sums.append(sums[index] + cost) }
    let ends = Self.ends(sums, atMost: Self.least(sums, costs.max() ?? 0, count))
    // The shares that what begins at a segment needs.
    var needed = [Int](repeating: 0, count: sums.count)
    for start in costs.indices.reversed() { needed[start] = 1 + needed[ends[start]] }
    var shares: [Range<Int>] = []
    var start = 0
    for rest in (0..<count).reversed() {
      let even = (sums[costs.count] - sums[start]) / Double(rest + 1)
      var end = start
      // A segment belongs where its middle is, if the others can be shared out then.
      while end < ends[start],
        needed[end] > rest || (sums[end] + sums[end + 1]) / 2 - sums[start] < even
      {
        end += 1
      }
      shares.append(start..<end)
      start = end
    }
    return shares
  }

  /// For each segment the end of the longest run from there that costs no more than `limit`.
  private static func ends(_ sums: [Double], atMost limit: Double) -> [Int] {
    var end = 0
    return sums.indices.map { start in
      while end + 1 < sums.count, sums[end + 1] - sums[start] <= limit { end += 1 }
      return max(end, start)
    }
  }

  /// The least that the greatest of so many shares can cost.
  private static func least(_ sums: [Double], _ dearest: Double, _ count: Int) -> Double {
    var (low, high) = (dearest, sums[sums.count - 1])
    for _ in 0..<60 where low < high {
      let middle = (low + high) / 2
      let ends = Self.ends(sums, atMost: middle)
      var start = 0
      for _ in 0..<count { start = ends[start] }
      if start == sums.count - 1 { high = middle } else { low = middle }
    }
    return high
  }

  package func cost(of share: Range<Int>) -> Double { costs[share].reduce(0, +) }
}
