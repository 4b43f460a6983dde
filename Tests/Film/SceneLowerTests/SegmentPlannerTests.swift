// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLower
import SceneModel
import SceneTestSupport
import Testing

/// Segment boundaries of a video with 10 frames per second.
@Suite("Segment plans", .cpuBudget(seconds: 1)) struct SegmentPlannerTests {
  /// Returns the lengths of the segments; those of still segments are negative.
  ///
  /// Each letter describes a frame relative to the previous one: `=` equal, `~` changed, `|` a
  /// seam, `#` a seam of two drawings, `k` changed at a keyframe of a clip.
  private func cut(_ letters: String, of frames: Range<Int>? = nil) -> [Int] {
    let letters = Array(letters)
    let steps = DrawingSteps(
      mayMove: letters.map { $0 != "=" },
      seams: letters.map { $0 == "|" ? 1 : $0 == "#" ? 2 : 0 },
      keys: Set(letters.indices.filter { letters[$0] == "k" }))
    let planner = SegmentPlanner(steps, lengths: SegmentPlanner.Lengths(framesPerSecond: 10))
    let segments = planner.segments(of: frames ?? letters.indices)
    var end = frames?.lowerBound ?? 0
    for segment in segments {
      #expect(segment.frames.lowerBound == end, "no gap")
      end = segment.frames.upperBound
    }
    #expect(end == frames?.upperBound ?? letters.count)
    return segments.map { $0.isStill ? -$0.frames.count : $0.frames.count }
  }

  private func times(_ letter: String, _ count: Int) -> String {
    String(repeating: letter, count: count)
  }

  @Test func aStandingPictureIsItsOwn() {
    #expect(cut("~") == [1])
    #expect(cut(times("=", 20)) == [-20])
    // Seven changing frames, a freeze frame of 20 frames, two changing frames.
    #expect(cut(times("~", 7) + "~" + times("=", 19) + "~~") == [7, -20, 2])
    // Freeze frames shorter than two seconds do not count.
    #expect(cut(times("~", 5) + times("=", 15) + times("~", 5)) == [25])
    // Consecutive freeze frames.
    #expect(cut(times("=", 30) + "~" + times("=", 30)) == [-30, -31])
  }

  @Test func lengthsAreBounded() {
    #expect(cut(times("~", 95)) == [40, 40, 15])
    #expect(cut(times("~", 90)) == [40, 50])
    #expect(cut(times("=", 175)) == [-80, -80, -15])
    #expect(cut(times("=", 170)) == [-80, -90])
    #expect(cut(times("~", 195), of: 100..<195) == [40, 40, 15])
  }

  @Test func theSeamOfMostIsACutOnceThereIsALength() {
    // The seam of two drawings, too close to the start to be a cut, keeps the other seams from
    // being anchors.
    let early = times("~", 9) + "#" + times("~", 23)
    #expect(cut(early + "|" + times("~", 30)) == [33, 31])
    #expect(cut(early + "|~~#" + times("~", 30)) == [36, 31])
    #expect(cut(early + "|~~|" + times("~", 30)) == [33, 34])
  }

  /// An anchor is a cut regardless of the preceding cuts.
  @Test func anchorsDoNotFollowFromOtherCuts() {
    let part = times("~", 44) + "#" + times("~", 9) + "|" + times("~", 31)
    for front in 40...70 {
      let cuts = ends(cut(times("~", front) + part + part + part))
      let anchors = (0..<3).map { front + 44 + $0 * part.count }
      #expect(Set(anchors).isSubset(of: cuts), "\(front)")
    }
    // Of two equal seams, the one with the greater mark is the anchor; with equal marks, the first.
    func anchor(_ first: UInt64, _ second: UInt64) -> [Int] {
      var (seams, marks) = ([Int](repeating: 0, count: 120), [UInt64](repeating: 0, count: 120))
      (seams[50], seams[60], marks[50], marks[60]) = (1, 1, first, second)
      let steps = DrawingSteps(
        mayMove: seams.map { _ in true }, seams: seams, marks: marks)
      let planner = SegmentPlanner(steps, lengths: SegmentPlanner.Lengths(framesPerSecond: 10))
      return planner.segments(of: 0..<120).map(\.frames.lowerBound).filter {
        [50, 60].contains($0)
      }
    }
    #expect(anchor(1, 1) == [50])
    #expect(anchor(1, 2) == [60])
    #expect(anchor(2, 1) == [50])
  }

  private func ends(_ lengths: [Int]) -> Set<Int> {
    var end = 0
    return Set(
      lengths.map { length in
        end += abs(length)
        return end
      })
  }

  /// Inserting two seconds at the start shifts the later cuts with their content.
  @Test func whatIsPutInFrontMovesCuts() throws {
    func cuts(_ shift: Int) throws -> [Int] {
      let front = shift == 0 ? "" : "circle { for: \(shift)s;  radius: 5 -> 50 }"
      let model = try #require(
        checked(
          """
          scene { for: \(60 + shift)s;  fps: 10;  background: white
            \(front)
            for i in 0..20 {
              text "{i} and {7 * i}" { at: \(shift)s + 3s * i;  for: 3.5s;  rotate: 0deg -> 90deg }
            }
          }
          """
        ).model)
      return SegmentPlanner(model).segments(of: 0..<model.frameCount)
        .map { $0.frames.lowerBound - 10 * shift }
    }
    let (before, after) = (try cuts(0), try cuts(2))
    #expect(before.count > 14)
    #expect(Set(before).subtracting(after).allSatisfy { $0 < 100 }, "\(before) \(after)")
  }

  /// Without seams, a clip is cut at the last keyframe after at least one second.
  @Test func aKeyPictureIsACut() {
    #expect(cut(times("~", 25) + "k" + times("~", 40)) == [25, 41])
    #expect(cut(times("~", 5) + "k" + times("~", 60)) == [40, 26])
    #expect(cut(times("~", 15) + "k" + times("~", 15) + "k" + times("~", 40)) == [31, 41])
    #expect(cut(times("~", 20) + "k" + times("~", 11) + "|" + times("~", 40)) == [32, 41])
  }

  /// No segment has a single frame: a single changing frame gets a neighbor, even at the ends of
  /// the video.
  @Test func noSegmentIsOfOneFrame() {
    #expect(cut("~~" + times("=", 30)) == [2, -30])
    #expect(cut("~" + "~" + times("=", 30) + "~") == [2, -29, 2])
    #expect(cut(times("=", 30) + "~~" + times("=", 30)) == [-30, 2, -30])
    #expect(cut("~" + times("~", 40) + times("=", 30)).allSatisfy { abs($0) > 1 })
  }

  @Test func anEditMovesNoCutFarAway() throws {
    func cuts(_ radius: Int) throws -> [Segment] {
      let model = try #require(
        checked(
          """
          scene { for: 60s;  fps: 10;  background: white
            circle { at: 1s;  for: \(radius)s;  radius: 10 -> \(radius) over 2s }
            for i in 0..8 { rect { at: 6s + 6s * i;  for: 6s;  size: 40 -> 90 over 2s } }
          }
          """
        ).model)
      return SegmentPlanner(model).segments(of: 0..<model.frameCount)
    }
    let (before, after) = (try cuts(3), try cuts(4))
    #expect(before != after)
    #expect(
      before.filter { $0.frames.lowerBound >= 80 } == after.filter { $0.frames.lowerBound >= 80 })
    #expect(before.count { $0.isStill } >= 8)
  }
}
