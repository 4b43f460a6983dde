// SPDX-License-Identifier: MIT
package import SceneModel

/// A stretch of the video that is encoded on its own.
package struct Segment: Hashable, Sendable {
  package let frames: Range<Int>
  /// Nothing in it can change: all of its frames are the same picture.
  package let isStill: Bool
  /// What it is copied from, in files that copy.
  package let copied: CopyPlan.Stretch?

  package init(frames: Range<Int>, isStill: Bool, copied: CopyPlan.Stretch? = nil) {
    self.frames = frames
    self.isStill = isStill
    self.copied = copied
  }
}

/// Cuts a video into segments by what it shows alone: never by cores, time or machine.
///
/// A picture that stands for long is a segment of its own. What moves is cut at anchors: where more
/// comes or goes than anywhere near, wherever in the film that is, so that an edit moves no cut far away.
/// From one to the next it is cut where most comes or goes, once a segment has a good length, else at a key
/// picture of a clip, and at the latest after a greatest length. Each segment has two frames or more,
/// unless the video has one.
package struct SegmentPlanner {
  /// Lengths in frames.
  package struct Lengths: Hashable {
    /// A shorter picture that stands is encoded with what moves around it.
    let leastStill: Int
    let greatestStill: Int
    /// From here on a seam is a cut.
    let good: Int
    let greatest: Int
    /// A shorter rest stays with what is before it.
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

  /// The segments of these frames, in order and without a gap.
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

  /// Where one picture stands for long; what is left between has no frame, or two and more.
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
    // One frame between takes another from the picture that stands.
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

  /// Seams that nothing within a good length comes up to; what is told apart by nothing else goes by marks.
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
      // Else where a clip can be decoded from, so that runs of segments begin there.
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
