// SPDX-License-Identifier: MIT
package import SceneModel

/// The work of a video as shares for several machines, the same on each of them.
///
/// Shares are runs of segments: what one machine decodes of a clip it shows. They are as even as segments
/// let them be by what the model says of their cost.
package struct SegmentShares {
  package let segments: [Segment]
  /// For each segment, in frames that are drawn and encoded.
  package let costs: [Double]

  package init(_ model: SceneModel, _ segments: [Segment]) {
    let steps = DrawingSteps(model)
    let clips = ClipLives(model)
    self.init(
      segments,
      costs: segments.map { segment in
        SegmentShares.begin
          + segment.frames.reduce(0) { sum, frame in
            guard steps.mayMove[frame] || frame == segment.frames.lowerBound else {
              return sum + SegmentShares.repeated
            }
            return sum + 1 + SegmentShares.clip * Double(clips.count(in: frame))
          }
      })
  }

  /// For segments that are made up.
  package init(_ segments: [Segment], costs: [Double]) {
    self.segments = segments
    self.costs = costs
  }

  /// What a whole picture costs beyond others, a picture that is the one before, and the decoding of one.
  private static let begin = 2.0
  private static let repeated = 0.05
  private static let clip = 0.5

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
