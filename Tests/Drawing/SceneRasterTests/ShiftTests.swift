// SPDX-License-Identifier: MIT
import SceneTestSupport
import Testing

/// Tests `shift`, which moves an element within its own box.
@Suite(.cpuBudget(seconds: 1)) struct ShiftTests {
  /// Returns the ranges of rows and columns with ink in the middle of an effect of two seconds;
  /// `nil` without ink.
  private func ink(_ element: String, shift: String) throws -> (
    rows: ClosedRange<Int>, columns: ClosedRange<Int>
  )? {
    let drawing = try Drawing(
      """
      effect half() { shift: \(shift) }
      scene { for: 2s;  size: 200x200;  background: white;  \(element) }
      """)
    let pixels = try drawing.pixels(0)
    let dark = (0..<40_000).filter { pixels[4 * $0] < 128 }
    let (rows, columns) = (dark.map { $0 / 200 }, dark.map { $0 % 200 })
    guard let top = rows.min(), let bottom = rows.max(), let left = columns.min(),
      let right = columns.max()
    else { return nil }
    return (top...bottom, left...right)
  }

  private let box = "rect { size: 80x40;  fill: black;  enter: half over 2s }"

  @Test func theBoxCutsOffTheShiftedPart() throws {
    // The box covers columns 60 to 139 and rows 80 to 119.
    let down = try #require(try ink(box, shift: "(0, 0.5)"))
    #expect(down.rows == 100...119 && down.columns == 60...139)
    let up = try #require(try ink(box, shift: "(0, -0.25)"))
    #expect(up.rows == 80...109)
    let right = try #require(try ink(box, shift: "(0.5, 0)"))
    #expect(right.columns == 100...139 && right.rows == 80...119)
  }

  @Test func aShiftOfOneHidesAndOneOfZeroDoesNothing() throws {
    #expect(try ink(box, shift: "(0, 1)") == nil)
    #expect(try ink(box, shift: "(-1, 0)") == nil)
    let rest = try #require(try ink(box, shift: "(0, 0)"))
    #expect(rest.rows == 80...119 && rest.columns == 60...139)
  }

  @Test func aTurnedElementIsCutByItsTurnedBox() throws {
    let turned = "rect { size: 80x40;  rotate: 90deg;  fill: black;  enter: half over 2s }"
    // The lower edge of the rotated element is on the left.
    let found = try #require(try ink(turned, shift: "(0, 0.5)"))
    #expect(found.columns == 80...99 && found.rows == 60...139)
  }

  @Test(arguments: ["glyph", "word", "line"])
  func partsOfATextAreCutAtTheirOwnLowerEdge(_ unit: String) throws {
    let text = { (enter: String) in
      "text \"HHH\" { font-size: 60;  fill: black;  each \(unit) { \(enter) } }"
    }
    let whole = try #require(try ink(text(""), shift: "(0, 0)"))
    let half = try #require(try ink(text("enter: half over 2s"), shift: "(0, 0.25)"))
    #expect(half.columns == whole.columns)
    #expect(half.rows.lowerBound > whole.rows.lowerBound + 10)
    // The box of a line ends at row 137, below its capitals.
    #expect(half.rows.upperBound <= 137)
    #expect(try ink(text("enter: half over 2s"), shift: "(0, 1)") == nil)
  }

  @Test func linesOfATextAreCutOneByOne() throws {
    let text =
      "text \"HHH\\nHHH\" { font-size: 50;  line-height: 1.4;  fill: black;  each line { enter: half over 2s } }"
    let drawing = try Drawing(
      """
      effect half() { shift: (0, 0.6) }
      scene { for: 2s;  size: 200x200;  background: white;  \(text) }
      """)
    let pixels = try drawing.pixels(0)
    let rows = (0..<200).filter { y in (0..<200).contains { pixels[4 * (200 * y + $0)] < 128 } }
    // Two bands with a gap between them: the first line does not extend into the second.
    let gaps = zip(rows, rows.dropFirst()).filter { $1 - $0 > 1 }
    #expect(gaps.count == 1, "\(rows)")
  }

  @Test func glyphsOfAFormulaAreCutToo() throws {
    let formula = { (enter: String) in
      "math $x+1$ { font-size: 80;  fill: black;  each glyph { \(enter) } }"
    }
    let whole = try #require(try ink(formula(""), shift: "(0, 0)"))
    #expect(try ink(formula("enter: half over 2s"), shift: "(0, 1)") == nil)
    let half = try #require(try ink(formula("enter: half over 2s"), shift: "(0, 0.5)"))
    #expect(half.rows.lowerBound > whole.rows.lowerBound)
    #expect(half.rows.upperBound <= whole.rows.upperBound + 1)
  }
}
