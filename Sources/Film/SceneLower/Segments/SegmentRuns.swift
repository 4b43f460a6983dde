// SPDX-License-Identifier: MIT
import SceneIR
package import SceneModel

/// The consecutive segments that one worker encodes. Decoding a clip starts at a keyframe, so a
/// worker that begins between two keyframes repeats decoding work of the preceding worker.
///
/// Runs save time without changing the output: the segments are the same for any number of workers.
package struct SegmentRuns {
  /// The number of frames after a keyframe that may be decoded and discarded.
  private static let cheap = 15
  private static let longest = 4

  private let clips: ClipLives

  package init(_ model: SceneModel) { clips = ClipLives(model) }

  /// Returns the runs as ranges of segment indices, in order and without gaps.
  package func runs(of segments: [Segment], workers: Int) -> [Range<Int>] {
    guard !clips.lives.isEmpty else { return segments.indices.map { $0..<($0 + 1) } }
    let longest = max(1, min(SegmentRuns.longest, segments.count / (2 * max(1, workers))))
    var runs: [Range<Int>] = []
    var first = 0
    for index in segments.indices.dropFirst()
    where index - first >= longest || isCheap(at: segments[index].frames.lowerBound) {
      runs.append(first..<index)
      first = index
    }
    if first < segments.count { runs.append(first..<segments.count) }
    return runs
  }

  /// Returns whether a worker that begins at a frame discards few decoded frames.
  private func isCheap(at frame: Int) -> Bool {
    clips.shown(in: frame).allSatisfy { clip, picture in
      picture - (clip.pictures.key(before: picture)) <= SegmentRuns.cheap
    }
  }
}
