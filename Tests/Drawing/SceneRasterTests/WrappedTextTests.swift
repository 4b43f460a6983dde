// SPDX-License-Identifier: MIT
import SceneTestSupport
import Testing

/// Tests the start and end positions of wrapped lines.
@Suite(.cpuBudget(seconds: 1)) struct WrappedTextTests {
  /// Returns the first and last column with ink in each line of a text 200 pixels wide, from top to
  /// bottom.
  private func reaches(_ text: String, _ properties: String = "align: left") throws
    -> [ClosedRange<Int>]
  {
    let drawing = try Drawing(
      """
      scene {
          for: 1s;  size: 240x200;  background: white
          text "\(text)" {
              anchor: top-left;  position: (20, 10);  width: 200;  font-size: 20;  line-height: 2
              fill: black;  \(properties)
          }
      }
      """)
    let pixels = try drawing.pixels(0)
    func isInk(_ x: Int, _ y: Int) -> Bool { pixels[4 * (240 * y + x)] < 128 }
    return (0..<4).compactMap { line in
      let columns = (0..<240).filter { x in (0..<40).contains { isInk(x, 10 + 40 * line + $0) } }
      guard let first = columns.first, let last = columns.last else { return nil }
      return first...last
    }
  }

  @Test(arguments: [
    "HHHHHHHHHHHH          HHHH", "HHHHHHHHHHHH  HHHH", "HHHHHHHHHHHHH       HHHHHHHHHHH      HHHH",
    "HHHHHH HHHHHHH                                           HHHH",
  ])
  func spacesAtAWrapDoNotIndent(_ text: String) throws {
    let found = try reaches(text)
    #expect(found.count > 1)
    for line in found { #expect(abs(line.lowerBound - found[0].lowerBound) <= 1, "\(found)") }
  }

  @Test func spacesAfterALineSeparatorStay() throws {
    let found = try reaches("HHH\\n    HHH")
    #expect(found.count == 2)
    #expect(found[1].lowerBound > found[0].lowerBound + 10, "\(found)")
  }

  @Test func aCenteredLineIsCenteredWithoutTheSpacesBeforeIt() throws {
    let found = try reaches("HHHHHHHHHHHH          HHHH", "align: center")
    #expect(found.count == 2)
    #expect(abs(found[1].lowerBound + found[1].upperBound - 240) <= 4, "\(found)")
  }

  @Test func theLastLineOfAJustifiedTextBeginsWhereItsDirectionBegins() throws {
    let hebrew = "אבגד הוזח טיכל מנסע פצקר שתאב גדהו"
    for properties in ["align: justify", "align: justify;  direction: right-to-left"] {
      let found = try reaches(hebrew, properties)
      #expect(found.count > 1)
      for line in found { #expect(line.upperBound > 214, "\(properties): \(found)") }
    }
    let latin = try reaches("HHHH HHHH HHHH HHHH HHHH HHH", "align: justify")
    for line in latin { #expect(line.lowerBound < 26, "\(latin)") }
  }
}
