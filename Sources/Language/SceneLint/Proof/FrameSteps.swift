// SPDX-License-Identifier: MIT
import SceneModel

/// A frame that is evaluated, and the number of frames from it on that are equal to it.
struct FrameStep {
  let frame: Int
  let count: Int
}

/// The frames of an interval in which values can differ from those of the previous frame.
struct FrameSteps: Sequence {
  private let frames: Range<Int>
  /// The disjoint ascending ranges of frames that are evaluated.
  private var ranges: [Range<Int>] = []

  /// Creates the steps of values that change in `stretches` and at `events`.
  init(_ frames: Range<Int>, rate: FrameRate, stretches: Stretches, events: [Int64]) {
    self.frames = frames
    guard !frames.isEmpty else { return }
    func frame(_ time: Int64) -> Int { rate.frame(atOrAfter: Ticks(Swift.max(0, time))) }
    var all = [frames.lowerBound..<frames.lowerBound + 1]
    for range in stretches.ranges {
      all.append(frame(range.lowerBound)..<frame(range.upperBound) + 1)
    }
    for event in events { all.append(frame(event)..<frame(event) + 1) }
    let sorted = all.map { $0.clamped(to: frames) }.filter { !$0.isEmpty }.sorted {
      $0.lowerBound < $1.lowerBound
    }
    for range in sorted {
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
  }

  /// The number of frames to evaluate.
  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  func makeIterator() -> AnyIterator<FrameStep> {
    var place = 0
    var frame = frames.lowerBound
    return AnyIterator {
      guard place < ranges.count else { return nil }
      let range = ranges[place]
      frame = Swift.max(frame, range.lowerBound)
      let next: Int
      if frame + 1 < range.upperBound {
        next = frame + 1
      } else {
        place += 1
        next = place < ranges.count ? ranges[place].lowerBound : frames.upperBound
      }
      defer { frame = next }
      return FrameStep(frame: frame, count: next - frame)
    }
  }
}
