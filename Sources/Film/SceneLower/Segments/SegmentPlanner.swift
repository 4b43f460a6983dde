// SPDX-License-Identifier: MIT
package import SceneModel

/// An interval of the video that is encoded independently.
package struct Segment: Hashable, Sendable {
  package let frames: Range<Int>
  /// Whether all frames of the segment are identical.
  package let isStill: Bool
  /// The source of the frames, for output files that copy clips.
  package let copied: CopyPlan.Stretch?

  package init(frames: Range<Int>, isStill: Bool, copied: CopyPlan.Stretch? = nil) {
    self.frames = frames
    self.isStill = isStill
    self.copied = copied
  }
}

/// Splits a video into segments by its content alone, never by cores, time or machine.
///
/// A long freeze frame becomes a separate segment. Moving parts are cut at anchors, that is, at
/// seams larger than any nearby seam. Anchors do not depend on their position in the video, so an
/// edit does not move distant cuts. Between anchors, a cut is placed at the largest seam once a
/// segment is long enough, else at a keyframe of a clip, and at the latest at a maximum length.
/// Each segment has at least two frames, unless the video has only one.
package struct SegmentPlanner {
  /// Segment lengths in frames.
  package struct Lengths: Hashable {
    /// The minimum length of a freeze frame; shorter ones are encoded with the surrounding frames.
    let leastStill: Int
    let greatestStill: Int
    /// The minimum length of a segment before it is cut at a seam.
    let good: Int
    let greatest: Int
    /// The minimum length of the remainder; shorter ones are joined to the preceding segment.
    let leastRest: Int

    package init(framesPerSecond: Double) {
      func frames(_ seconds: Double) -> Int {
        max(4, Int((seconds * framesPerSecond).rounded(.up)))
      }
      leastStill = frames(2)
      greatestStill = frames(8)
      good = frames(3)
      greatest = frames(4)
      leastRest = frames(1)
    }
  }

  private let lengths: Lengths
  private let steps: DrawingSteps

  package init(_ steps: DrawingSteps, lengths: Lengths) {
    (self.steps, self.lengths) = (steps, lengths)
  }

  package init(_ model: SceneModel) {
    let rate = Double(model.frameRate.numerator) / Double(model.frameRate.denominator)
    self.init(DrawingSteps(model), lengths: Lengths(framesPerSecond: rate))
  }

  /// Returns the segments of a range of frames, in order and without gaps.
  package func segments(of frames: Range<Int>) -> [Segment] {
    var segments: [Segment] = []
    var end = frames.lowerBound
    for still in stills(in: frames) {
      cutMoving(end..<still.lowerBound, &segments)
      cutStill(still, &segments)
      end = still.upperBound
    }
    cutMoving(end..<frames.upperBound, &segments)
    return segments
  }

  /// Returns the long freeze frames. The gaps between them have no frame or at least two.
  private func stills(in frames: Range<Int>) -> [Range<Int>] {
    var stills: [Range<Int>] = []
    var begin = frames.lowerBound
    for frame in frames.dropFirst() where steps.mayMove[frame] {
      append(begin..<frame, to: &stills, frames)
      begin = frame
    }
    append(begin..<frames.upperBound, to: &stills, frames)
    return stills
  }

  private func append(_ run: Range<Int>, to stills: inout [Range<Int>], _ frames: Range<Int>) {
    guard run.count >= lengths.leastStill else { return }
    // A gap of a single frame takes another frame from the freeze frame.
    let before = run.lowerBound - (stills.last?.upperBound ?? frames.lowerBound)
    let after = frames.upperBound - run.upperBound
    stills.append(
      (run.lowerBound + (before == 1 ? 1 : 0))..<(run.upperBound - (after == 1 ? 1 : 0)))
  }

  private func cutStill(_ run: Range<Int>, _ segments: inout [Segment]) {
    var start = run.lowerBound
    while run.upperBound - start > lengths.greatestStill + lengths.leastRest {
      segments.append(Segment(frames: start..<(start + lengths.greatestStill), isStill: true))
      start += lengths.greatestStill
    }
    segments.append(Segment(frames: start..<run.upperBound, isStill: true))
  }

  private func cutMoving(_ run: Range<Int>, _ segments: inout [Segment]) {
    var start = run.lowerBound
    for anchor in anchors(in: run) {
      cutBetween(start..<anchor, &segments)
      start = anchor
    }
    cutBetween(start..<run.upperBound, &segments)
  }

  /// Returns the seams that are larger than all other seams within a good length. Ties are broken
  /// by marks.
  private func anchors(in run: Range<Int>) -> [Int] {
    let near = lengths.good - 1
    return run.dropFirst(lengths.leastRest).dropLast(lengths.leastRest).filter { frame in
      guard steps.seams[frame] > 0 else { return false }
      let own = (steps.seams[frame], steps.marks[frame])
      let around = max(0, frame - near)...min(steps.seams.count - 1, frame + near)
      return around.allSatisfy { other in
        let rank = (steps.seams[other], steps.marks[other])
        return rank < own || rank == own && other >= frame
      }
    }
  }

  private func cutBetween(_ run: Range<Int>, _ segments: inout [Segment]) {
    var start = run.lowerBound
    while run.upperBound - start > lengths.greatest + lengths.leastRest {
      let window = (start + lengths.good)...(start + lengths.greatest)
      let most = window.map { steps.seams[$0] }.max() ?? 0
      let seam = most > 0 ? window.first { steps.seams[$0] == most } : nil
      // Otherwise cut where a clip can be decoded from, so that runs of segments can begin there.
      let reach = (start + lengths.leastRest)...window.upperBound
      let cut = seam ?? reach.last { steps.keys.contains($0) } ?? window.upperBound
      segments.append(Segment(frames: start..<cut, isStill: false))
      start = cut
    }
    if start < run.upperBound {
      segments.append(Segment(frames: start..<run.upperBound, isStill: false))
    }
  }
}
