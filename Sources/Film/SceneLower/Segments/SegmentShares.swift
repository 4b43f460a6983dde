// SPDX-License-Identifier: MIT
import SceneGraphics
package import SceneModel

/// The division of a video among several machines, identical on each of them.
///
/// Shares are runs of segments, so that a machine mostly decodes the parts of a clip that it shows.
/// They are balanced by costs estimated from the model, as far as the segments allow.
package struct SegmentShares {
  package let segments: [Segment]
  /// The estimated CPU seconds of each segment on one core; actual times depend on the machine.
  package let costs: [Double]

  package init(_ model: SceneModel, _ segments: [Segment], metrics: any TextMetrics) {
    let steps = DrawingSteps(model)
    let clips = ClipLives(model)
    var work = DrawingWork(model, metrics: metrics)
    let pixels = Double(model.size.width * model.size.height)
    // In scenes with very many elements, the cost of drawing is sampled at only some segments.
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

  /// Creates shares of synthetic segments.
  package init(_ segments: [Segment], costs: [Double]) {
    self.segments = segments
    self.costs = costs
  }

  /// Costs in seconds per pixel: the overhead of a first frame, a changing frame, a repeated frame,
  /// and the decoding of a clip frame. Fitted to the video of `bench shards` with x264 at preset
  /// faster.
  private static let begin = 17e-9
  private static let moved = 9e-9
  private static let repeated = 3.5e-9
  private static let clip = 7.5e-9
  /// The time per drawing step in seconds.
  private static let step = 0.5e-9
  /// The maximum number of elements and nodes to examine.
  private static let mostWork = 2_000_000

  /// Returns the segment indices of each share; shares may be empty. The cost of the most expensive
  /// share is minimal.
  package func shares(_ count: Int) -> [Range<Int>] {
    var sums = [0.0]
    for (index, cost) in costs.enumerated() { sums.append(sums[index] + cost) }
    let ends = Self.ends(sums, atMost: Self.least(sums, dearest: costs.max() ?? 0, count: count))
    // The number of shares needed from each segment on.
    var needed = [Int](repeating: 0, count: sums.count)
    for start in costs.indices.reversed() { needed[start] = 1 + needed[ends[start]] }
    var shares: [Range<Int>] = []
    var start = 0
    for rest in (0..<count).reversed() {
      let even = (sums[costs.count] - sums[start]) / Double(rest + 1)
      var end = start
      // A segment belongs to the share that contains its midpoint, if the remaining segments still
      // fit.
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

  /// Returns for each segment the end of the longest run from there that costs at most `limit`.
  private static func ends(_ sums: [Double], atMost limit: Double) -> [Int] {
    var end = 0
    return sums.indices.map { start in
      while end + 1 < sums.count, sums[end + 1] - sums[start] <= limit { end += 1 }
      return max(end, start)
    }
  }

  /// Returns the minimal cost of the most expensive of `count` shares.
  private static func least(_ sums: [Double], dearest: Double, count: Int) -> Double {
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
