// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneTestSupport
import SceneText
import Testing

/// The consecutive segments that one worker encodes in a video with clips.
@Suite("Segment runs", .cpuBudget(seconds: 1)) struct SegmentRunsTests {
  private func runs(_ source: String, workers: Int) throws -> (segments: Int, runs: [Range<Int>]) {
    let model = try #require(checked(source).model)
    let segments = SegmentPlanner(model).segments(of: 0..<model.frameCount)
    return (segments.count, SegmentRuns(model).runs(of: segments, workers: workers))
  }

  @Test func withoutClipsEachIsOne() throws {
    let (count, runs) = try runs(
      "scene { for: 60s;  circle { radius: 10 -> 500 } }", workers: 2)
    #expect(count > 10 && runs == (0..<count).map { $0..<($0 + 1) })
  }

  /// The clip of the tests has a single keyframe, its first frame.
  @Test(arguments: [1, 2, 3, 8]) func aClipIsDecodedInRuns(_ workers: Int) throws {
    let (count, runs) = try runs(
      "scene { for: 100s;  fps: 25;  video \"waves.mp4\" { time: 1s + t / 12 } }", workers: workers)
    #expect(runs.first?.lowerBound == 0 && runs.last?.upperBound == count)
    #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    #expect(runs.allSatisfy { (1...4).contains($0.count) })
    let longest = max(1, min(4, count / (2 * workers)))
    #expect(runs.dropLast().allSatisfy { $0.count == longest })
  }

  /// No decoded frames are discarded where the clip restarts.
  @Test func aRunEndsWhereTheClipBegins() throws {
    let source = """
      scene { fps: 25
        sequence {
          video "waves.mp4" { for: 4s }
          video "waves.mp4" { for: 4s }
          video "waves.mp4" { for: 4s }
          video "waves.mp4" { for: 4s }
        }
      }
      """
    let model = try #require(checked(source).model)
    let segments = SegmentPlanner(model).segments(of: 0..<model.frameCount)
    let runs = SegmentRuns(model).runs(of: segments, workers: 1)
    let starts = runs.map { segments[$0.lowerBound].frames.lowerBound }
    for cut in segments.map(\.frames.lowerBound) where cut % 100 == 0 {
      #expect(starts.contains(cut))
    }
  }
}
