// SPDX-License-Identifier: MIT
import SceneTestSupport
import Testing

/// Tests the boxes behind the lines of texts (`background`).
@Suite("Line boxes", .cpuBudget(seconds: 4)) struct LineBoxTests {
  private static let width = 400
  private static let height = 240

  /// The pixels of a scene with a white background.
  private struct Picture {
    let pixels: [UInt8]
    private let redColumns: [ClosedRange<Int>?]

    init(_ elements: String, frame: Int = 0, background: String = "white") throws {
      pixels = try Drawing(
        """
        scene { size: \(LineBoxTests.width)x\(LineBoxTests.height);  fps: 10;  for: 1s
            background: \(background);  \(elements)
        }
        """
      ).pixels(frame)
      redColumns = Pixels.columns(of: 0xFF0000, in: pixels, width: LineBoxTests.width)
    }

    func rgb(_ x: Int, _ y: Int) -> [Int] { pixels.rgb(x, y, width: LineBoxTests.width) }

    func isRed(_ x: Int, _ y: Int) -> Bool { rgb(x, y) == [255, 0, 0] }

    /// Returns the red columns of a row; `nil` if there are none.
    func columns(_ y: Int) -> ClosedRange<Int>? { redColumns[y] }

    /// The rows with red pixels.
    var rows: [Int] { redColumns.indices.filter { redColumns[$0] != nil } }
  }

  /// Returns the boxes of a text without visible letters, with antialiased edges rounded inward.
  private func boxes(_ text: String, _ properties: String = "padding: 0") throws -> Picture {
    try Picture(
      """
      text "\(text)" { font-size: 40;  fill: none;  background: red;  \(properties) }
      """)
  }

  @Test func paddingGrowsTheBox() throws {
    let plain = try boxes("HxH")
    let padded = try boxes("HxH", "padding: (20, 10)")
    let (a, b) = (try #require(plain.columns(120)), try #require(padded.columns(120)))
    #expect(b == a.lowerBound - 20...a.upperBound + 20)
    #expect(padded.rows == Array(plain.rows[0] - 10...(plain.rows.last ?? 0) + 10))
    // The default is relative to the font size: (30%, 10%).
    let usual = try boxes("HxH", "")
    #expect(usual.columns(120) == a.lowerBound - 12...a.upperBound + 12)
    #expect(usual.rows.count == plain.rows.count + 8)
  }

  @Test(arguments: ["HxH  ", "  HxH", "   HxH   "]) func spacesAtTheEndsHaveNoBox(_ text: String)
    throws
  {
    let count = try #require(try boxes("HxH").columns(120)).count
    #expect(abs(try #require(try boxes(text).columns(120)).count - count) <= 1)
  }

  @Test(arguments: ["ace", "Ågj|", "..."]) func theHeightFollowsFromTheFontAlone(_ text: String)
    throws
  {
    #expect(try boxes(text).rows == boxes("HxH").rows)
  }

  @Test func eachLineHasItsOwnBox() throws {
    let picture = try boxes("HHHHHH\\nHH", "padding: 0;  line-height: 2")
    let rows = picture.rows
    let gaps = zip(rows, rows.dropFirst()).filter { $1 > $0 + 1 }
    #expect(gaps.count == 1)
    let (top, bottom) = (picture.columns(rows[5]), picture.columns(rows[rows.count - 5]))
    #expect(try #require(top).count > 2 * (try #require(bottom).count))
  }

  @Test func emptyLinesHaveNoBox() throws {
    let rows = try boxes("HH\\n\\nHH", "padding: 0;  line-height: 1.2").rows
    #expect(zip(rows, rows.dropFirst()).contains { $1 > $0 + 40 })
    #expect(try boxes("  ").rows.isEmpty)
    #expect(try boxes("").rows.isEmpty)
  }

  @Test func overlappingBoxesAreOneArea() throws {
    let picture = try Picture(
      """
      text "HHHH\\nHH\\nHHH" { font-size: 40;  fill: none;  background: #ff000080;  padding: 12 }
      """)
    let colors = Set((40..<200).map { picture.rgb(200, $0) })
    #expect(colors.count == 1 && picture.rgb(200, 120) != [255, 255, 255], "\(colors)")
  }

  @Test(arguments: ["left", "right", "center"]) func linesOfRightToLeftTexts(_ align: String) throws
  {
    let text = "אבגד הוזח טיכל\\nמנסע"
    let properties = "align: \(align);  padding: 0;  line-height: 2"
    let boxes = try boxes(text, properties)
    let letters = try Picture("text \"\(text)\" { font-size: 40;  fill: red;  \(properties) }")
    for rows in [0..<120, 120..<240] {
      let box = rows.compactMap(boxes.columns), ink = rows.compactMap(letters.columns)
      let (left, right) = (ink.map(\.lowerBound).min() ?? 0, ink.map(\.upperBound).max() ?? 0)
      let outer = try #require(box.first)
      #expect(
        abs(outer.lowerBound - left) <= 5 && abs(outer.upperBound - right) <= 5, "\(outer) \(left)")
    }
  }

  @Test func cornersAreRoundInwardAndOutward() throws {
    let sharp = try boxes("HHHHHHHH\\nHH", "padding: 10")
    let round = try boxes("HHHHHHHH\\nHH", "padding: 10;  corner-radius: 16")
    let (rows, last) = (sharp.rows, sharp.rows.count - 1)
    let wide = try #require(sharp.columns(rows[0])),
      narrow = try #require(sharp.columns(rows[last]))
    #expect(!round.isRed(wide.lowerBound, rows[0]))
    #expect(!round.isRed(narrow.upperBound, rows[last]))
    // The inner corner, between the wide line and the narrow one.
    let step = try #require(rows.first { sharp.columns($0) == narrow })
    #expect(!sharp.isRed(narrow.lowerBound - 2, step + 1))
    #expect(round.isRed(narrow.lowerBound - 2, step + 1))
  }

  @Test(arguments: ["999", "70"]) func aLineWithLargeCornersIsAPill(_ radius: String) throws {
    let picture = try boxes("HHHH", "padding: (40, 20);  corner-radius: \(radius)")
    let rows = picture.rows
    let whole = try #require(picture.columns(120)).count
    // The straight part of the upper edge. An ellipse would have a few pixels there.
    #expect(try #require(picture.columns(rows[1])).count > whole - rows.count)
  }

  @Test func largeCornersKeepTheWidthsOfLines() throws {
    let picture = try boxes("HHHHHHHH\\nHH", "padding: 10;  corner-radius: 999")
    let widths = try [100, 150].map { try #require(picture.columns($0)).count }
    #expect(widths[0] > 200 && widths[1] < 140, "\(widths)")
  }

  @Test func edgesThatAlmostMeetAreAligned() throws {
    let picture = try boxes("HHHH.\\nHHHH", "align: left;  padding: 10;  corner-radius: 12")
    #expect(picture.columns(95) == picture.columns(145))
    let sharp = try boxes("HHHH.\\nHHHH", "align: left;  padding: 10")
    #expect(sharp.columns(95) != sharp.columns(145))
    let far = try boxes("HHHHHH\\nHHHH", "align: left;  padding: 10;  corner-radius: 12")
    #expect(far.columns(95) != far.columns(145))
  }

  @Test func narrowGapsAreClosed() throws {
    func rows(_ spacing: String) throws -> [Int] {
      try boxes("HH\\nHH", "padding: 0;  line-height: \(spacing)").rows
    }
    let near = try rows("1.28")
    #expect(near.count == (near.last ?? 0) - near[0] + 1)
    let far = try rows("1.6")
    #expect(far.count < (far.last ?? 0) - far[0] - 5)
  }

  /// The letters hide their box even while the text is translucent.
  @Test(arguments: ["opacity: 0.5", "opacity: 0 -> 1", "enter: fade over 1s"])
  func theBoxFadesTogetherWithItsText(_ opacity: String) throws {
    let picture = try Picture(
      "text \"HHH\" { font-size: 90;  font-weight: 900;  fill: white;  background: red;  \(opacity) }",
      frame: 5, background: "black")
    let colors = Set(
      (0..<Self.width * Self.height).map { picture.rgb($0 % Self.width, $0 / Self.width) })
    let top = try #require(colors.map { $0[0] }.max())
    #expect((100...200).contains(top))
    // White and red, each at the same opacity on black.
    #expect(colors.contains([top, top, top]) && colors.contains([top, 0, 0]))
  }

  @Test func paintsChangeOverTime() throws {
    let text = "text \"H\" { font-size: 80;  fill: none;  padding: 20;  "
    let change = try Picture(text + "background: red -> blue }", frame: 5)
    #expect(![[255, 0, 0], [0, 0, 255], [255, 255, 255]].contains(change.rgb(200, 70)))
    let later = try Picture(
      text + "background: none;  change { at: 0.2s;  for: 0.2s;  background: red } }", frame: 6)
    #expect(later.isRed(200, 70))
    let none = try Picture(text + "background: none }")
    #expect(none.rgb(200, 70) == [255, 255, 255])
  }

  @Test(arguments: ["font-size: 80;  padding: 40", "font-size: 100;  fit-width: 90;  padding: 50%"])
  func gradientsSpanThePaddedText(_ font: String) throws {
    let picture = try Picture(
      """
      text "HHH" { \(font);  fill: none;  background: linear-gradient(red, blue, angle: 0deg) }
      """)
    let colored = (0..<Self.width).filter { picture.rgb($0, 120) != [255, 255, 255] }
    let ends = try [#require(colored.first), #require(colored.last)].map { picture.rgb($0, 120) }
    #expect(ends[0][0] > 240 && ends[1][2] > 240, "\(ends)")
  }

  @Test func aFontThatShrinksHasLessPadding() throws {
    func rows(_ font: String) throws -> Int {
      try Picture("text \"HHHHHH\" { fill: none;  background: red;  padding: 50%;  \(font) }")
        .rows.count
    }
    // The box is 2.2 em high: 44 pixels at the fitted font size of about 20.
    let (full, fitted) = (try rows("font-size: 100"), try rows("font-size: 100;  fit-width: 90"))
    #expect(full > 200 && fitted < 60, "\(full) \(fitted)")
  }

  /// Effects, units and outlines apply to the letters; the box belongs to the whole text.
  @Test(arguments: [
    "each glyph { enter: fade over 0.1s after index * 0.2s }", "each word { translate: (0, 300) }",
    "trim: 0% .. 1%;  stroke: white", "rotate-y: 0deg", "stroke: white;  stroke-width: 4",
  ])
  func theBoxBelongsToTheWholeText(_ properties: String) throws {
    let plain = try boxes("HHHH"), other = try boxes("HHHH", "padding: 0;  \(properties)")
    #expect(
      other.rows == plain.rows && other.columns(plain.rows[1]) == plain.columns(plain.rows[1]))
  }

  @Test func textsOfFallbackFontsHaveTheBoxOfTheirFont() throws {
    let rows = try boxes("HHH").rows
    #expect(try boxes("H漢H").rows == rows)
  }
}
