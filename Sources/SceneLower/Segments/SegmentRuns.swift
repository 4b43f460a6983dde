// SPDX-License-Identifier: MIT
import SceneIR
package import SceneModel

/// Which segments one worker makes in a row. A clip is decoded from one of its key pictures on, so a
/// worker that begins between two of them decodes again what the one before has decoded.
///
/// That saves time and changes no byte: segments are the same for any number of workers.
package struct SegmentRuns {
  /// Pictures from a key picture to the one that is wanted, which are decoded for nothing.
  private static let cheap = 15
  private static let longest = 4

  private let clips: ClipLives

  package init(_ model: SceneModel) { clips = ClipLives(model) }

  /// Numbers of segments in runs, in order and without a gap.
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

  /// Whether little is decoded for nothing by one who begins with a frame.
  private func isCheap(at frame: Int) -> Bool {
    clips.shown(in: frame).allSatisfy { clip, picture in
      picture - (clip.pictures.key(before: picture)) <= SegmentRuns.cheap
    }
  }
}
