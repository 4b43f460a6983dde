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
          drawing = work.frame(at: model.frameRate.time(ofFrame: middle)).steps / 1e9
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
  /// and the decoding of one. As measured with x264 at its preset faster.
  private static let begin = 80e-9
  private static let moved = 35e-9
  private static let repeated = 1.5e-9
  private static let clip = 15e-9
  /// Elements and nodes that are looked at.
  private static let mostWork = 2_000_000

  /// The numbers of the segments of each share; there may be none.
  package func shares(_ count: Int) -> [Range<Int>] {
    let whole = costs.reduce(0, +)
    var ends: [Int] = []
    var done = 0.0
    for (index, cost) in costs.enumerated() {
      // A segment belongs where its middle is.
      while ends.count < count - 1,
        (done + cost / 2) * Double(count) >= whole * Double(ends.count + 1)
      {
        ends.append(index)
      }
      done += cost
    }
    while ends.count < count { ends.append(costs.count) }
    return zip([0] + ends, ends).map { $0..<$1 }
  }

  package func cost(of share: Range<Int>) -> Double { costs[share].reduce(0, +) }
}
