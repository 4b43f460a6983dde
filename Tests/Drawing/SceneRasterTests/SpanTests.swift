// SPDX-License-Identifier: MIT
import SceneRaster
import SceneTestSupport
import Testing

/// Tests animated spans, raised letters and balanced lines to the pixel. Each glyph of Ahem is a
/// square.
@Suite("Spans", .cpuBudget(seconds: 1)) struct SpanTests {
  private static func isDark(_ body: String, frame: Int = 0) throws -> (Int, Int) -> Bool {
    let drawing = try Drawing(
      """
      scene { size: 200x100;  for: 2s;  background: white
        text { font: "font/Ahem.ttf";  font-size: 10;  fill: black;  anchor: top-left
          position: (0, 0);  line-height: 2;  \(body) } }
      """)
    let pixels = try drawing.pixels(frame)
    return { x, y in pixels[(y * 200 + x) * 4] < 128 }
  }

  @Test func aSpanComesWhereItsPlaceIs() throws {
    let body = "span \"X\";  span \"X\" { at: 1s };  span \"X\" { for: 0.5s }"
    let before = try Self.isDark(body.replacing(";  span", with: "\nspan"))
    #expect(before(5, 10) && !before(15, 10) && before(25, 10))
    let after = try Self.isDark(body.replacing(";  span", with: "\nspan"), frame: 30)
    #expect(after(5, 10) && after(15, 10) && !after(25, 10))
  }

  /// Nested spans are transformed about their own centers, starting with the outermost.
  @Test func spansMoveInSpans() throws {
    let dark = try Self.isDark(
      """
      span "X"
      span "X" { translate: (0, 40)
        span "X" { translate: (20, 0) } }
      """)
    #expect(dark(5, 10) && dark(15, 50) && dark(45, 50))
    #expect(!dark(15, 10) && !dark(25, 50))
    let large = try Self.isDark("span \"X X\" { scale: 2;  translate: (40, 40) }")
    // A width of 30 about (15, 10) is scaled to -15 to 45, then moved.
    #expect(large(27, 50) && !large(50, 50) && large(80, 50) && !large(20, 50))
  }

  /// The corners of spans in x, y, width and height. Each letter is 10 wide, each line 20 high.
  @Test(arguments: [
    ("span \"XX \"\nspan hero \"XXX\"", "hero", [30, 0, 30, 20]),
    ("width: 40;  align: left\nspan \"XX \"\nspan hero \"XXX\"", "hero", [0, 20, 30, 20]),
    ("width: 100;  align: right\nspan \"XX \"\nspan hero \"XXX\"", "hero", [70, 0, 30, 20]),
    ("width: 40;  align: left\nspan hero \"XX XXX\"", "hero", [0, 0, 30, 40]),
    ("fit-width: 30\nspan \"XX\"\nspan hero \"XX\"", "hero", [15, 0, 15, 15]),
    (
      "span outer \"X\" {\nspan hero \"X\" { translate: (20, 10) } }", "outer.hero",
      [30, 10, 10, 20]
    ),
    (
      "span \"XXX\"\nspan hero \"XX\" { scale: 2;  translate: (0, 20) }", "hero", [20, 10, 40, 40]
    ),
    ("span \"{round(t / 1s)}X\"\nspan hero \"XX\"", "hero", [20, 0, 20, 20]),
    ("span \"X\"\nspan hero \"X\" { font-size: 10 -> 20 over 0.5s }", "hero", [10, 0, 20, 40]),
  ])
  func spansHaveTheirOwnBox(_ body: String, span: String, box: [Int]) throws {
    let corners = ["top-left", "bottom-right"].map {
      "rect { anchor: \($0);  position: q.\(span).\($0);  size: 2;  fill: red }"
    }
    let drawing = try Drawing(
      """
      scene { size: 200x100;  for: 2s;  background: white
        text q { font: "font/Ahem.ttf";  font-size: 10;  fill: black;  anchor: top-left
          position: (0, 0);  line-height: 2;  \(body) }
        \(corners.joined(separator: "\n")) }
      """)
    let pixels = try drawing.pixels(30)
    let red = (0..<200 * 100).filter { pixels[$0 * 4] > 128 && pixels[$0 * 4 + 2] < 128 }
    let (columns, rows) = (red.map { $0 % 200 }, red.map { $0 / 200 })
    let left = try #require(columns.min())
    let right = try #require(columns.max()) + 1
    let top = try #require(rows.min())
    let bottom = try #require(rows.max()) + 1
    #expect([left, top, right - left, bottom - top] == box)
  }

  @Test func whiteSpaceStays() throws {
    let dark = try Self.isDark("span \"X \" { opacity: 0.9 }\nspan \"X\" { opacity: 0.9 }")
    #expect(dark(5, 10) && !dark(15, 10) && dark(25, 10))
  }

  @Test func lettersAreAboveTheLine() throws {
    let dark = try Self.isDark("span \"X\"\nspan \"X\" { baseline-shift: 10 }")
    #expect(dark(5, 10) && dark(15, 2) && !dark(15, 10))
    let below = try Self.isDark("span \"X\"\nspan \"X\" { baseline-shift: -100% }")
    #expect(below(15, 20) && !below(15, 10))
  }

  /// The lines are "XX" and "XX X" instead of "XX XX" and "X".
  @Test(arguments: [("left", 0), ("center", 10), ("right", 20)])
  func linesAreBalanced(_ align: String, _ left: Int) throws {
    let dark = try Self.isDark(
      "content: \"XX XX X\";  width: 60;  wrap: balance;  align: \(align)")
    // The second line takes 40 of 60 pixels.
    #expect(dark(left + 5, 30) && dark(left + 15, 30) && !dark(left + 25, 30))
    #expect(dark(left + 35, 30) && !dark(left + 45, 30))
    #expect(!dark(45 + left / 2, 10) || align == "right")
    #expect(!dark(5, 50))
  }

  @Test func aWordIsNotBrokenForBalance() throws {
    let dark = try Self.isDark("content: \"XXXXX X\";  width: 60;  wrap: balance;  align: left")
    #expect(dark(45, 10) && dark(5, 30) && !dark(15, 30))
  }
}
