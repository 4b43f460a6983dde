// SPDX-License-Identifier: MIT
import SceneCompare
import SceneTestSupport
import Testing

@Suite("Alignment of frames", .cpuBudget(seconds: 1)) struct FrameAlignmentTests {
  private func alignment(_ old: [Int], _ new: [Int]) -> FrameAlignment {
    FrameAlignment(old: old.map { Fingerprint($0) }, new: new.map { Fingerprint($0) })
  }

  /// Returns the parts as text, such as `=0..4/0..4`.
  private func text(_ alignment: FrameAlignment) -> String {
    alignment.parts.map { part in
      "\(part.isEqual ? "=" : "!")\(part.old)/\(part.new)"
    }
    .joined(separator: " ")
  }

  @Test func changedFramesAreFound() {
    #expect(text(alignment([1, 2, 3, 4], [1, 2, 3, 4])) == "=0..<4/0..<4")
    #expect(
      text(alignment([1, 2, 3, 4], [1, 9, 3, 4]))
        == "=0..<1/0..<1 !1..<2/1..<2 =2..<4/2..<4")
    #expect(
      text(alignment([1, 1, 1, 1], [1, 1, 2, 1]))
        == "=0..<2/0..<2 !2..<3/2..<3 =3..<4/3..<4")
  }

  @Test func movedFramesMatch() {
    #expect(text(alignment([1, 2, 3], [8, 9, 1, 2, 3])) == "!0..<0/0..<2 =0..<3/2..<5")
    #expect(text(alignment([1, 2, 3, 4], [1, 4])) == "=0..<1/0..<1 !1..<3/1..<1 =3..<4/1..<2")
    let old = Array(0..<50) + Array(100..<150)
    let new = Array(0..<50) + Array(200..<220) + Array(100..<149) + [7777]
    #expect(
      text(alignment(old, new))
        == "=0..<50/0..<50 !50..<50/50..<70 =50..<99/70..<119 !99..<100/119..<120")
  }

  /// Videos of equal length are compared by position if that has fewer differences.
  @Test func aRepeatedFrameDoesNotMove() {
    #expect(
      text(alignment([1, 5, 5, 2], [5, 1, 5, 2])) == "!0..<2/0..<2 =2..<4/2..<4")
  }

  @Test func partsCoverBothVideos() {
    var random = SeededGenerator(4)
    for _ in 0..<400 {
      let old = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Int.random(in: 0...12, using: &random)
      }
      var new = old
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let place = Int.random(in: 0...new.count, using: &random)
        if Bool.random(using: &random) || place == new.count {
          new.insert(Int.random(in: 0...12, using: &random), at: place)
        } else {
          new.remove(at: place)
        }
      }
      let found = alignment(old, new)
      var (i, j) = (0, 0)
      for part in found.parts {
        #expect(part.old.lowerBound == i && part.new.lowerBound == j)
        if part.isEqual { #expect(Array(old[part.old]) == Array(new[part.new])) }
        (i, j) = (part.old.upperBound, part.new.upperBound)
      }
      #expect(i == old.count && j == new.count)
      #expect((found.differingCount == 0) == (old == new))
    }
  }
}
