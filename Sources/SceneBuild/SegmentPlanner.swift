// SPDX-License-Identifier: MIT

/// A stretch of the video that is encoded on its own.
package struct Segment: Hashable, Sendable {
  package let frames: Range<Int>
  /// All of its frames are the same picture.
  package let isStill: Bool
}

/// Cuts a video into segments by what it shows alone: never by cores, time or machine.
///
/// A picture that stands for a second or more is a segment of its own. Else a segment ends where
/// something comes or goes, once it has a good length, and at the latest after a greatest length.
package struct SegmentPlanner {
  /// How a frame stands to the one before it.
  package enum Step: Hashable {
    case same, moved
    /// There are other drawings than before, or another background.
    case seam
  }

  /// Lengths in frames.
  package struct Lengths: Hashable {
    let leastStill: Int
    let greatestStill: Int
    /// From here on a seam is a cut.
    let good: Int
    let greatest: Int

    /// A second, eight, one and a half, and three, at a rate.
    package init(framesPerSecond: Double) {
      func frames(_ seconds: Double) -> Int {
        max(2, Int((seconds * framesPerSecond).rounded(.up)))
      }
      leastStill = frames(1)
      greatestStill = frames(8)
      good = frames(1.5)
      greatest = frames(3)
    }
  }

  private let lengths: Lengths
  private let end: Int
  /// Where the next segment begins.
  private var start: Int
  /// The steps of the frames after `start` that were looked at.
  private var steps: [Step] = []

  package init(frames: Range<Int>, lengths: Lengths) {
    start = frames.lowerBound
    end = frames.upperBound
    self.lengths = lengths
  }

  /// The next segment; `step` is asked for each frame but the first once, in order.
  package mutating func next(_ step: (Int) -> Step) -> Segment? {
    guard start < end else { return nil }
    let cut = findCut(step)
    let segment = Segment(
      frames: start..<cut,
      isStill: cut - start > 1 && steps.prefix(cut - start - 1).allSatisfy { $0 == .same })
    steps.removeFirst(min(steps.count, cut - start))
    start = cut
    return segment
  }

  private mutating func findCut(_ step: (Int) -> Step) -> Int {
    /// Where the picture that stands at `frame` began.
    var run = start
    var frame = start + 1
    while frame < end {
      if steps.count < frame - start { steps.append(step(frame)) }
      let kind = steps[frame - start - 1]
      if kind != .same {
        if frame - run >= lengths.leastStill { return run > start ? run : frame }
        run = frame
      }
      let length = frame - start
      let isStanding = run == start && kind == .same
      if length >= (isStanding ? lengths.greatestStill : lengths.greatest) {
        return kind == .same && run > start && frame - run >= lengths.leastStill / 2 ? run : frame
      }
      if kind == .seam, length >= lengths.good { return frame }
      frame += 1
    }
    return end - run >= lengths.leastStill && run > start ? run : end
  }
}
