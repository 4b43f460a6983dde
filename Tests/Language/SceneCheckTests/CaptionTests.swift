// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLower
import SceneMath
import SceneModel
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Metrics with characters of half an em. Lines wrap at the width of the text.
private struct LineMetrics: TextMetrics {
  private let fixed = FixedMetrics()

  private func lines(_ block: TextBlock) -> Int {
    let size = block.runs.map(\.font.size).max() ?? 0
    return block.string.split(separator: "\n").reduce(0) { count, line in
      let width = Double(line.count) * size / 2
      return count + max(1, Int((width / (block.width ?? .infinity)).rounded(.up)))
    }
  }

  func measure(_ block: TextBlock) -> TextExtent {
    var extent = fixed.measure(block)
    extent.height *= Double(lines(block))
    let longest = block.string.split(separator: "\n").map(\.count).max() ?? 0
    extent.width = block.width ?? Double(longest) * (block.runs.first?.font.size ?? 0) / 2
    return extent
  }

  func count(_ kind: TextUnitKind, in block: TextBlock) -> Int {
    kind == .line ? lines(block) : fixed.count(kind, in: block)
  }
  func outline(of block: TextBlock) -> Path { fixed.outline(of: block) }
  func fallbackFamilies(of block: TextBlock) -> [String] { [] }
  func unknownGlyphCount(_ block: TextBlock) -> Int { 0 }
  func hasFamily(_ name: String) -> Bool { fixed.hasFamily(name) }
  var families: [String] { fixed.families }
  func formulaFont(_ family: String) -> (any MathFont)? { nil }
}

/// Positions of captions, in a frame of 1000x500 with a font size of 25 and a line height of 31.25.
@Suite("Captions", .cpuBudget(seconds: 1)) struct CaptionTests {
  /// A text of a frame with its box.
  struct Shown: CustomStringConvertible {
    let text: String
    let box: Rect
    let align: TextAlign
    let isTurned: Bool
    let size: Double
    let clip: Rect?

    var description: String { "\"\(text)\" \(box)" }
  }

  private static func shown(
    _ file: String, _ properties: String = "", at seconds: Double = 1, name: String = "c.vtt"
  ) throws -> [Shown] {
    let source = """
      scene { size: 1000x500;  for: 9s;  background: black
          captions "\(name)" { \(properties) }
      }
      """
    let checked = check(
      parse(SourceFile(name: "a.scene", text: source)), options: CheckOptions(),
      metrics: LineMetrics(), assets: OneImage(texts: [name: file]))
    let model = try #require(checked.model, "\(checked.diagnostics)")
    var lowerer = Lowerer(model, metrics: LineMetrics())
    let time = try #require(Ticks(rounding: seconds * Double(Ticks.perSecond)))
    return lowerer.lower(at: time).ops.flatMap { texts(in: $0, .identity, clip: nil) }
  }

  private static func texts(in op: DrawOp, _ map: Affine, clip: Rect?) -> [Shown] {
    switch op {
    case .text(let block, _, let at, _):
      let extent = LineMetrics().measure(block)
      let corners = [Point(at.x, at.y), Point(at.x + extent.width, at.y + extent.height)]
      let shown = Shown(
        text: block.string, box: Rect(around: corners.map { map.apply($0) }), align: block.align,
        isTurned: abs(map.b) > 0.5, size: block.runs[0].font.size, clip: clip)
      return [shown]
    case .transformed(let inner, let body):
      return body.flatMap { texts(in: $0, map.concat(inner), clip: clip) }
    case .clipped(let outline, let body):
      var clip = clip
      if case .rect(let rect, _) = outline { clip = map.apply(rect) }
      return body.flatMap { texts(in: $0, map, clip: clip) }
    case .layer(_, let body): return body.flatMap { texts(in: $0, map, clip: clip) }
    default: return []
    }
  }

  private static func one(
    _ settings: String, text: String = "ab", properties: String = ""
  ) throws -> Shown {
    let shown = try shown(
      "WEBVTT\n\n00:00.000 --> 00:09.000 \(settings)\n\(text)\n", properties)
    return try #require(shown.first)
  }

  private static func isNear(_ a: Rect, _ b: Rect) -> Bool {
    abs(a.x - b.x) < 0.01 && abs(a.y - b.y) < 0.01 && abs(a.width - b.width) < 0.01
      && abs(a.height - b.height) < 0.01
  }

  /// Returns the tops of texts, rounded to thousandths of a pixel.
  private static func tops(_ shown: [Shown]) -> [String: Double] {
    Dictionary(
      uniqueKeysWithValues: shown.map { ($0.text, ($0.box.y * 1000).rounded() / 1000) })
  }

  // MARK: Cue settings

  @Test(arguments: [
    ("", Rect(x: 100, y: 428.75, width: 800, height: 31.25)),
    // Lines are counted from 8% and 92% of the height.
    ("line:0", Rect(x: 100, y: 40, width: 800, height: 31.25)),
    ("line:2", Rect(x: 100, y: 102.5, width: 800, height: 31.25)),
    ("line:-1", Rect(x: 100, y: 428.75, width: 800, height: 31.25)),
    ("line:-3", Rect(x: 100, y: 366.25, width: 800, height: 31.25)),
    ("line:50%", Rect(x: 100, y: 250, width: 800, height: 31.25)),
    ("line:50%,center", Rect(x: 100, y: 234.375, width: 800, height: 31.25)),
    ("line:50%,end", Rect(x: 100, y: 218.75, width: 800, height: 31.25)),
    ("line:50%,start", Rect(x: 100, y: 250, width: 800, height: 31.25)),
    // Line numbers are rounded, and lines are clamped to the frame.
    ("line:1.5", Rect(x: 100, y: 102.5, width: 800, height: 31.25)),
    ("line:100", Rect(x: 100, y: 428.75, width: 800, height: 31.25)),
    ("line:-100", Rect(x: 100, y: 40, width: 800, height: 31.25)),
    ("line:0%", Rect(x: 100, y: 20, width: 800, height: 31.25)),
    ("line:100%", Rect(x: 100, y: 448.75, width: 800, height: 31.25)),
    ("line:99999999999999999999999", Rect(x: 100, y: 428.75, width: 800, height: 31.25)),
  ])
  func line(_ settings: String, _ box: Rect) throws {
    let shown = try Self.one(settings)
    #expect(Self.isNear(shown.box, box), "\(shown)")
  }

  @Test(arguments: [
    ("position:20%", Rect(x: 0, y: 428.75, width: 400, height: 31.25)),
    ("position:20%,line-left", Rect(x: 200, y: 428.75, width: 760, height: 31.25)),
    ("position:80%,line-right", Rect(x: 40, y: 428.75, width: 760, height: 31.25)),
    ("position:80%,center", Rect(x: 600, y: 428.75, width: 400, height: 31.25)),
    ("size:30%", Rect(x: 350, y: 428.75, width: 300, height: 31.25)),
    ("size:100%", Rect(x: 40, y: 428.75, width: 920, height: 31.25)),
    ("size:30% position:50%,line-left", Rect(x: 500, y: 428.75, width: 300, height: 31.25)),
    ("size:30% position:90%,line-left", Rect(x: 860, y: 428.75, width: 100, height: 31.25)),
    ("align:left", Rect(x: 40, y: 428.75, width: 760, height: 31.25)),
    ("align:right", Rect(x: 200, y: 428.75, width: 760, height: 31.25)),
    ("align:start", Rect(x: 500, y: 428.75, width: 460, height: 31.25)),
    ("align:end", Rect(x: 40, y: 428.75, width: 460, height: 31.25)),
    ("align:center", Rect(x: 100, y: 428.75, width: 800, height: 31.25)),
    ("align:start position:0%", Rect(x: 40, y: 428.75, width: 760, height: 31.25)),
    // A box without available space has a tenth of the frame's width.
    ("position:0%", Rect(x: 40, y: 428.75, width: 100, height: 31.25)),
    ("position:100%,center", Rect(x: 860, y: 428.75, width: 100, height: 31.25)),
    ("position:100%,line-left", Rect(x: 860, y: 428.75, width: 100, height: 31.25)),
  ])
  func position(_ settings: String, _ box: Rect) throws {
    let shown = try Self.one(settings)
    #expect(Self.isNear(shown.box, box), "\(shown)")
  }

  /// `left` of a text is the start of its lines, which is the right side of Hebrew text.
  @Test(arguments: [
    ("align:left", "ab", TextAlign.left), ("align:right", "ab", .right),
    ("align:start", "ab", .left), ("align:end", "ab", .right), ("align:center", "ab", .center),
    ("align:left", "שלום", .right), ("align:right", "שלום", .left),
    ("align:start", "שלום", .left), ("align:end", "\"(שלום)\"", .right),
  ])
  func alignment(_ settings: String, _ text: String, _ align: TextAlign) throws {
    #expect(try Self.one(settings, text: text).align == align)
  }

  /// The side of `start` depends on the direction of the text in the box.
  @Test func startOfRightToLeft() throws {
    let shown = try Self.one("align:start", text: "\u{202B}12 שלום")
    #expect(Self.isNear(shown.box, Rect(x: 40, y: 428.75, width: 460, height: 31.25)), "\(shown)")
  }

  /// A narrow caption has more lines and grows from its line; a long one shrinks to two lines.
  @Test func narrowCaptionsWrap() throws {
    let words = "twenty letters, then"
    let shown = try Self.one("size:10%", text: words)
    #expect(Self.isNear(shown.box, Rect(x: 450, y: 366.25, width: 100, height: 93.75)), "\(shown)")
    let third = try Self.one("line:-3 size:10%", text: words)
    #expect(Self.isNear(third.box, Rect(x: 450, y: 366.25, width: 100, height: 93.75)), "\(third)")
    let long = String(repeating: "a", count: 150)
    #expect(try Self.one("line:0", text: long).size < 25)
  }

  @Test(arguments: [
    // Without a line, a vertical caption is on the side of the last column.
    ("vertical:rl", Rect(x: 40, y: 50, width: 31.25, height: 400)),
    ("vertical:lr", Rect(x: 928.75, y: 237.5, width: 31.25, height: 25)),
    ("vertical:rl line:0", Rect(x: 928.75, y: 50, width: 31.25, height: 400)),
    ("vertical:rl line:1", Rect(x: 897.5, y: 50, width: 31.25, height: 400)),
    ("vertical:rl line:-2", Rect(x: 71.25, y: 50, width: 31.25, height: 400)),
    ("vertical:lr line:0", Rect(x: 40, y: 237.5, width: 31.25, height: 25)),
    ("vertical:lr line:-2", Rect(x: 897.5, y: 237.5, width: 31.25, height: 25)),
    ("vertical:rl line:50%,center", Rect(x: 484.375, y: 50, width: 31.25, height: 400)),
    ("vertical:lr line:0 align:left", Rect(x: 40, y: 20, width: 31.25, height: 25)),
    ("vertical:rl position:10%,line-left size:20%", Rect(x: 40, y: 50, width: 31.25, height: 100)),
  ])
  func vertical(_ settings: String, _ box: Rect) throws {
    let shown = try Self.one(settings)
    #expect(Self.isNear(shown.box, box) && shown.isTurned, "\(shown)")
  }

  /// Columns advance to the left or right, and East Asian characters are upright.
  @Test func columns() throws {
    func all(_ settings: String, _ text: String, with properties: String = "") throws -> [Shown] {
      try Self.shown("WEBVTT\n\n00:00.000 --> 00:09.000 \(settings)\n\(text)\n", properties)
    }
    let latin = try all("vertical:lr line:0", "ab\ncd")
    #expect(latin.map(\.text) == ["ab", "cd"])
    #expect(latin.map { $0.box.x.rounded() } == [40, 71])
    let right = try all("vertical:rl line:0", "縦書\n二行")
    #expect(right.map(\.text) == ["縦\n書", "二\n行"])
    #expect(right.map { ($0.box.x + $0.box.width / 2).rounded() } == [944, 913])
    #expect(right.allSatisfy { !$0.isTurned })
    let left = try all("vertical:lr line:0", "縦書\n二行")
    #expect(left.map { ($0.box.x + $0.box.width / 2).rounded() } == [56, 87])
    // The padding keeps the boxes of columns apart: 10% of the font size, or 30% of it.
    let boxes = try all("vertical:lr line:0", "ab\ncd", with: "background: black")
    #expect(boxes.map { $0.box.x.rounded() } == [43, 79])
    let stacked = try all("vertical:lr line:0", "縦書\n二行", with: "background: black")
    #expect(stacked.map { ($0.box.x + $0.box.width / 2).rounded() } == [63, 109])
    // Characters shrink if a column is too long.
    let long = try #require(
      try all("vertical:rl size:50%", String(repeating: "字", count: 20)).first)
    #expect(abs(long.box.height - 250) < 0.01, "\(long)")
  }

  // MARK: Styles

  /// Tags result in spans: bold, italic, underlined, colored.
  @Test func spans() throws {
    let file = "WEBVTT\n\n00:00.000 --> 00:09.000\n<i>ab</i> <c.red><b>cd</b></c><u>e</u>\n"
    let source = "scene { for: 2s;  captions \"c.vtt\" { fill: gold } }"
    let checked = check(
      parse(SourceFile(name: "a.scene", text: source)), options: CheckOptions(),
      metrics: FixedMetrics(), assets: OneImage(texts: ["c.vtt": file]))
    #expect(checked.diagnostics.isEmpty, "\(checked.diagnostics)")
    var lowerer = Lowerer(try #require(checked.model), metrics: FixedMetrics())
    let program = lowerer.lower(frame: 0).description
    for line in [
      "run \"ab\" Inter|sans-serif 54px 500 italic fill #ffd700", "run \" \" Inter",
      "run \"cd\" Inter|sans-serif 54px 700 fill #ff0000",
      "run \"e\" Inter|sans-serif 54px 500 underline fill #ffd700",
    ] {
      #expect(program.contains(line), "\(line) in \(program)")
    }
  }

  // MARK: The scene

  /// Properties in the scene take precedence over the file.
  @Test(arguments: [
    ("position: (30%, 40%)", Rect(x: -100, y: 168.75, width: 800, height: 31.25), TextAlign.center),
    ("anchor: top", Rect(x: 100, y: 460, width: 800, height: 31.25), .center),
    ("align: right", Rect(x: 40, y: 40, width: 260, height: 31.25), .right),
    ("width: 50%", Rect(x: 40, y: 40, width: 500, height: 31.25), .left),
    ("fill: red", Rect(x: 40, y: 40, width: 260, height: 31.25), .left),
  ])
  func sceneIsStronger(_ properties: String, _ box: Rect, _ align: TextAlign) throws {
    let shown = try Self.one("line:0 position:0% align:left size:30%", properties: properties)
    #expect(Self.isNear(shown.box, box) && shown.align == align, "\(shown)")
  }

  /// A caption has as many lines as the scene permits.
  @Test func mostLines() throws {
    #expect(try Self.one("", text: "a\nb\nc").text == "a b c")
    #expect(try Self.one("", text: "a\nb\nc", properties: "max-lines: 3").text == "a\nb\nc")
    #expect(try Self.one("", text: "a\nb", properties: "max-lines: 1").text == "a b")
  }

  // MARK: Other captions

  private static let together = """
    WEBVTT

    00:00.000 --> 00:05.000
    a

    00:01.000 --> 00:03.000
    b

    00:02.000 --> 00:06.000
    c

    00:05.000 --> 00:06.000
    d
    """

  /// A caption keeps its position, and later ones use the next free one.
  @Test(arguments: [
    (0.5, "", ["a": 428.75]), (1.5, "", ["a": 428.75, "b": 397.5]),
    (2.5, "", ["a": 428.75, "b": 397.5, "c": 366.25]), (4, "", ["a": 428.75, "c": 366.25]),
    (5.5, "", ["c": 366.25, "d": 428.75]),
    (2.5, "position: (50%, 10%); anchor: top", ["a": 50, "b": 81.25, "c": 112.5]),
    (2.5, "position: (50%, 50%)", ["a": 218.75, "b": 187.5, "c": 156.25]),
    // The boxes are 2.5 higher than the lines on both sides.
    (2.5, "background: black", ["a": 428.75, "b": 366.25, "c": 303.75]),
    // Moving captions may overlap.
    (4, "position: (50%, 50% -> 60% over 1s)", ["a": 268.75, "c": 268.75]),
  ])
  func overlaps(_ time: Double, _ properties: String, _ tops: [String: Double]) throws {
    let shown = try Self.shown(Self.together, properties, at: time)
    #expect(Self.tops(shown) == tops)
  }

  @Test(arguments: [
    ("line:0", [40, 71.25]), ("line:-1", [428.75, 397.5]),
    // Percentages result in the closest free position, which may be above.
    ("line:50%", [250, 218.75]), ("line:100%", [448.75, 417.5]), ("line:0%", [20, 51.25]),
    // Captions side by side do not overlap.
    ("line:0 size:20% position:10%,line-left", [40, 40]),
  ])
  func overlapsOfSettings(_ settings: String, _ tops: [Double]) throws {
    let second = settings.replacing("position:10%", with: "position:50%")
    let shown = try Self.shown(
      """
      WEBVTT

      00:00.000 --> 00:05.000 \(settings)
      a

      00:00.000 --> 00:04.000 \(second)
      b
      """)
    #expect(shown.map { ($0.box.y * 1000).rounded() / 1000 } == tops, "\(shown)")
  }

  /// If a frame is full, additional captions keep their positions.
  @Test func fullFrame() throws {
    let cue = "\n00:00.000 --> 00:09.000\nx\n"
    let shown = try Self.shown("WEBVTT\n" + String(repeating: cue, count: 20))
    let tops = shown.map { ($0.box.y * 1000).rounded() }
    #expect(Set(tops).count == 13)
    #expect(tops.count { $0 == 428_750 } == 8)
  }

  // MARK: Regions

  private static func region(_ settings: String) -> String {
    """
    WEBVTT

    REGION
    id:r \(settings)

    00:00.000 --> 00:04.000 region:r align:left
    a

    00:01.000 --> 00:03.000 region:r align:left
    b

    00:02.000 --> 00:05.000 region:r align:left
    c
    """
  }

  @Test(arguments: [
    (0.5, "width:40% regionanchor:0%,100% viewportanchor:10%,90%", ["a": 418.75]),
    (2.5, "width:40% viewportanchor:10%,90%", ["c": 418.75, "b": 387.5, "a": 356.25]),
    (3.5, "width:40% viewportanchor:10%,90%", ["c": 418.75, "a": 387.5]),
    (4.5, "width:40% viewportanchor:10%,90%", ["c": 418.75]),
    (0.5, "lines:4 regionanchor:0%,0% viewportanchor:10%,10%", ["a": 143.75]),
    (0.5, "lines:2 regionanchor:0%,50% viewportanchor:10%,50%", ["a": 250]),
    // A region is inside the margin.
    (0.5, "", ["a": 448.75]),
  ])
  func regions(_ time: Double, _ settings: String, _ tops: [String: Double]) throws {
    let shown = try Self.shown(Self.region(settings), at: time)
    #expect(Self.tops(shown) == tops, "\(shown)")
  }

  /// Lines outside a region are clipped, and the next line scrolls in from below.
  @Test func regionsScroll() throws {
    let file = Self.region("lines:2 width:40% viewportanchor:10%,90% scroll:up")
    let shown = try Self.shown(file, at: 2 + 0.433 / 2)
    let tops = shown.map { ($0.box.y - 418.75) / 31.25 }
    #expect(zip(tops, [-1.5, -0.5, 0.5]).allSatisfy { abs($0 - $1) < 0.001 }, "\(tops)")
    for text in shown {
      let clip = try #require(text.clip)
      #expect(Self.isNear(clip, Rect(x: 100, y: 387.5, width: 400, height: 62.5)), "\(clip)")
    }
    #expect(Self.tops(try Self.shown(file, at: 0.1)) == ["a": 418.75])
  }

  /// Captions with a line, a size or a vertical direction ignore their region.
  @Test(arguments: ["line:0", "size:50%", "vertical:rl"])
  func regionsGiveWay(_ setting: String) throws {
    let with = "WEBVTT\n\nREGION\nid:r\n\n00:00.000 --> 00:09.000 region:r \(setting)\nab\n"
    #expect(try Self.shown(with).map(\.box) == [Self.one(setting).box])
  }

  // MARK: SubRip

  @Test(arguments: [
    (1, Point(0.04, 0.92)), (2, Point(0.5, 0.92)), (3, Point(0.96, 0.92)),
    (4, Point(0.04, 0.5)), (5, Point(0.5, 0.5)), (6, Point(0.96, 0.5)),
    (7, Point(0.04, 0.08)), (8, Point(0.5, 0.08)), (9, Point(0.96, 0.08)),
  ])
  func placesOfSubRip(_ place: Int, _ point: Point) throws {
    let file = "1\n00:00:00,000 --> 00:00:05,000\n{\\an\(place)}ab\n"
    let shown = try #require(try Self.shown(file, name: "c.srt").first)
    let (box, column, row) = (shown.box, (place - 1) % 3, (place - 1) / 3)
    let x = [box.x, box.x + box.width / 2, box.x + box.width][column] / 1000
    let y = [box.y + box.height, box.y + box.height / 2, box.y][row] / 500
    #expect(abs(x - point.x) < 1e-6 && abs(y - point.y) < 1e-6, "\(shown)")
  }
}
