// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneTestSupport
import Testing

/// Letters on paths, and letters drawn by hand.
@Suite("Letters on paths and by hand", .cpuBudget(seconds: 5)) struct LetterTests {
  private func drawing(_ body: String) throws -> Drawing {
    try Drawing(
      "scene { size: 400x300;  for: 10f;  fps: 10;  background: white;  font: \"Inter\"\n\(body)\n}"
    )
  }

  private func pixels(_ body: String, frame: Int = 0) throws -> [UInt8] {
    try drawing(body).pixels(frame)
  }

  /// Returns the number of dark pixels of a box.
  private func ink(_ pixels: [UInt8], x: Range<Int> = 0..<400, y: Range<Int> = 0..<300) -> Int {
    y.reduce(0) { sum, row in
      sum + x.reduce(0) { $0 + 255 - Int(pixels[(row * 400 + $1) * 4]) }
    } / 255
  }

  private static let straight = "path p { move (20, 200);  line (380, 200);  stroke: none }\n"
  private static let valley =
    "path p { move (20, 60);  curve (150, 300), (250, 300), (380, 60);  stroke: none;  fill: none }\n"

  @Test func bentAndRigidLettersAreEqualOnAStraightPath() throws {
    let text = "text \"Ham by\" { along: p;  font-size: 60;  fill: black"
    let rigid = try pixels("\(Self.straight)\(text) }")
    let bent = try pixels("\(Self.straight)\(text);  along-shape: bent }")
    #expect(ink(rigid) > 1000)
    #expect(Pixels.greatestDifference(rigid, bent) < 30)
  }

  @Test(arguments: [
    "", "each glyph { rotate: 10deg }", "each glyph { enter: rise over 0.3s }", "underline: true",
    "stroke: red;  stroke-width: 2", "rotate-y: 40deg", "rough: 2",
    "each glyph { rotate-y: 30deg }",
  ])
  func bentLettersAllowEverything(_ more: String) throws {
    let text = "text \"Ham by\" { along: p;  font-size: 60;  fill: black;  \(more)"
    let rigid = try pixels("\(Self.valley)\(text) }", frame: 5)
    let bent = try pixels("\(Self.valley)\(text);  along-shape: bent }", frame: 5)
    #expect(abs(ink(rigid) - ink(bent)) < ink(rigid) / 5)
    #expect(Pixels.greatestDifference(rigid, bent) > 60)
  }

  @Test(arguments: ["0deg", "180deg", "90deg"]) func emptyAndTinyPathsAreHarmless(_ turn: String)
    throws
  {
    for data in ["M 10 10 L 10 10", "M 10 10", "M 10 10 L 10.0001 10", "M 0 0 C 0 0 0 0 300 0"] {
      for shape in ["rigid", "bent"] {
        _ = try pixels(
          "path p { data: \"\(data)\";  fill: none;  rotate: \(turn) }\n"
            + "text \"Ham by\" { along: p;  along-shape: \(shape);  font-size: 60;  fill: black }")
      }
    }
  }

  // MARK: Placement

  /// Returns the box of the dark pixels.
  private func box(_ pixels: [UInt8]) -> Rect {
    var box = Rect.empty
    for index in 0..<400 * 300 where pixels[4 * index] < 128 {
      box = box.union(
        Rect(x: Double(index % 400), y: Double(index / 400), width: 1, height: 1))
    }
    return box
  }

  @Test(arguments: ["rigid", "bent"]) func trimmedLettersStayOnTheirPath(_ shape: String) throws {
    let text =
      "text \"Ham by\" { along: p;  along-shape: \(shape);  font-size: 60;  fill: black"
    let whole = try pixels("\(Self.valley)\(text) }")
    let drawn = try pixels("\(Self.valley)\(text);  trim: 0% .. 100% }")
    #expect(Pixels.greatestDifference(whole, drawn) < 60)
    let part = try pixels("\(Self.valley)\(text);  enter: draw over 1s }", frame: 5)
    #expect((0.2...0.9).contains(Double(ink(part)) / Double(ink(whole))))
    #expect(box(whole).insetBy(-2).union(box(part)) == box(whole).insetBy(-2))
    let rough = try pixels("\(Self.valley)\(text);  rough: 2;  trim: 0% .. 100% }")
    #expect(box(whole).insetBy(-5).union(box(rough)) == box(whole).insetBy(-5))
    #expect(Pixels.greatestDifference(whole, rough) > 60)
  }

  @Test(arguments: ["rigid", "bent"]) func boxesContainTheLetters(_ shape: String) throws {
    let text =
      "text a \"Ham by\" { along: p;  along-shape: \(shape);  font-size: 60;  fill: black }"
    let letters = box(try pixels("\(Self.valley)\(text)"))
    let marks = ["top-left", "bottom-right"].map {
      "circle { position: a.\($0);  radius: 3;  fill: black }"
    }.joined(separator: "\n")
    let whole = box(try pixels("\(Self.valley)\(text)\n\(marks)"))
    #expect(whole.union(letters) == whole)
    // The box exceeds the letters only by the height of a line.
    #expect(whole.area < letters.insetBy(-35).area)
  }

  /// A text is transformed like its path and its letters together.
  @Test(arguments: ["rotate: 30deg", "translate: (30, -20)", "scale: 0.5", "rotate-y: 50deg"])
  func transformsApplyToTheLetters(_ transform: String) throws {
    let text = "text a \"Ham by\" { along: p;  font-size: 60;  fill: black"
    let own = try pixels("\(Self.valley)\(text);  \(transform) }")
    let group = try pixels(
      """
      \(Self.valley)\(text);  opacity: 0 }
      group { size: 400x300;  pivot: (a.left.x, a.top.y) * 0.5 + (a.right.x, a.bottom.y) * 0.5
        \(transform)
        path p { move (20, 60);  curve (150, 300), (250, 300), (380, 60);  stroke: none }
        text \"Ham by\" { along: p;  font-size: 60;  fill: black } }
      """)
    #expect(abs(ink(own) - ink(group)) < 40)
    let (a, b) = (box(own), box(group))
    #expect(a.center.distance(to: b.center) < 1.5)
  }

  @Test func positionsMoveTheBox() throws {
    let text = "text \"Ham by\" { along: p;  font-size: 40;  fill: black"
    let path = "path p { move (20, 60);  line (380, 60);  stroke: none }\n"
    let home = box(try pixels("\(path)\(text) }"))
    let moved = box(try pixels("\(path)\(text);  position: (200, 200) }"))
    #expect(abs(moved.center.x - home.center.x) < 1.5)
    #expect(abs(moved.center.y - 200) < 12)
  }

  /// A letter between two subpaths belongs to one of them.
  @Test func bentLettersDoNotContinueOnTheNextSubpath() throws {
    let gap = "path p { move (0, 80);  line (190, 80);  move (20, 250);  line (380, 250)\n"
    for offset in stride(from: 0, through: 60, by: 10) {
      let pixels = try pixels(
        "\(gap)stroke: none }\ntext \"MMMMMM\" { along: p;  along-shape: bent;  align: left\n"
          + "start-offset: \(offset);  font-size: 60;  fill: black }")
      #expect(ink(pixels, y: 100..<190) == 0)
    }
  }

  // MARK: Paths that change

  /// A motion between equal elements draws the same as the element.
  @Test(arguments: [
    "c -> e", "keyframes { 0s: c;  1s: e }", "t < 0.5s ? c : e", "[c, e][floor(t / 0.5s)]",
    "offset(c -> e, 0)",
  ])
  func elementsThatChangeStayInPlace(_ path: String) throws {
    let circles = ["c", "e"].map {
      "circle \($0) { radius: 80;  position: (60%, 50%);  fill: none;  stroke: none;"
        + "  rotate: 30deg }\n"
    }.joined()
    func letters(_ path: String) throws -> [UInt8] {
      try pixels(
        "\(circles)text \"Ham by\" { along: \(path);  font-size: 40;  fill: black }", frame: 3)
    }
    let (still, moved) = (box(try letters("c")), box(try letters(path)))
    #expect(still.width > 50)
    // A motion may begin at a different point of the outline.
    #expect(moved.center.distance(to: still.center) < 200)
    #expect(Rect(x: 110, y: 20, width: 260, height: 260).union(moved).width == 260)
  }

  @Test func pathsThatChangeKeepTheirTransforms() throws {
    let paths =
      "path p { move (0, 0);  line (300, 0);  translate: (40, 80);  stroke: none }\n"
      + "path q { move (0, 0);  line (300, 0);  translate: (40, 240);  stroke: none }\n"
    let text = "text \"Ham by\" { align: left;  font-size: 40;  fill: black;  along: "
    let home = box(try pixels("\(paths)\(text) p }"))
    let half = box(try pixels("\(paths)\(text) p -> q over 1s with linear }", frame: 5))
    #expect(abs(half.center.x - home.center.x) < 1.5)
    #expect(abs(half.center.y - home.center.y - 80) < 1.5)
    let changed = box(
      try pixels("\(paths)\(text) p;  change { at: 0s;  for: 0.2s;  along: q } }", frame: 5))
    #expect(abs(changed.center.y - home.center.y - 160) < 1.5)
  }

  /// Letters whose position is not a number are not drawn.
  @Test(arguments: ["rigid", "bent"], ["", "each glyph { rotate: 9deg }", "trim: 0% .. 50%"])
  func offsetsThatAreNoNumbersAreHarmless(_ shape: String, _ more: String) throws {
    let huge = "(1e300 * (t + 1s) / 1s * 1e300)"
    for offset in ["\(huge) - \(huge) * (1 + t / 1s)", huge, "-1 * \(huge)", "sqrt(t / 1s - 2)"] {
      _ = try pixels(
        "\(Self.valley)text a \"Ham by\" { along: p;  along-shape: \(shape);  font-size: 60\n"
          + "start-offset: \(offset);  fill: black;  \(more) }\n"
          + "circle { radius: 3;  position: a.left }", frame: 5)
    }
  }

  // MARK: By hand

  private func pen(_ body: String, frame: Int = 0) throws -> RoughPen? {
    func pen(_ ops: [DrawOp]) -> RoughPen? {
      ops.lazy.compactMap { op -> RoughPen? in
        switch op {
        case .text(_, _, _, let units): units?.rough
        case .transformed(_, let body): pen(body)
        default: nil
        }
      }.first
    }
    return pen(try drawing(body).program(frame).ops)
  }

  @Test func groupsPassTheirRoughnessOn() throws {
    let text = "text \"Ham\" { font-size: 90;  fill: black"
    #expect(try pen("\(text) }") == nil)
    #expect(try pen("\(text);  rough: 3 }")?.amount == 3)
    #expect(try pen("group { rough: 5\n\(text) } }")?.amount == 5)
    #expect(try pen("group { rough: 5\n\(text);  rough: 0 } }") == nil)
    #expect(
      try pen("\(text);  rough: 3;  boil: 2f }", frame: 1)
        != pen("\(text);  rough: 3;  boil: 2f }", frame: 2))
  }

  @Test(arguments: ["text \"Hand\" { font-size: 80", "math $a+b$ { font-size: 80"])
  func lettersStayLegible(_ element: String) throws {
    let exact = try pixels("\(element);  fill: black }")
    let rough = try pixels("\(element);  fill: black;  rough: 100 }")
    #expect(Pixels.greatestDifference(exact, rough) > 60)
    #expect(abs(ink(exact) - ink(rough)) < ink(exact) / 6)
    // A larger amount than the limit changes nothing.
    #expect(try pixels("\(element);  fill: black;  rough: 50 }") == rough)
    #expect(RoughPen(amount: 100, seed: 0).forLetters(ofSize: 80).amount == 3.2)
  }

  /// Both edges of a stem deviate together, so that it is nowhere much thinner than elsewhere.
  @Test func stemsKeepTheirWidth() throws {
    let width = 30.0
    let stem = Path.rect(Rect(x: 0, y: 0, width: width, height: 200), radius: 0)
    for seed in 0..<20 {
      let pen = RoughPen(amount: 100, seed: Double(seed)).forLetters(ofSize: 250)
      let points = points(of: pen.line(along: stem, pass: 0, ends: .joined))
      for row in stride(from: 20.0, through: 180, by: 8) {
        let near = points.filter { abs($0.y - row) < 8 }.map(\.x)
        #expect((near.max() ?? 0) - (near.min() ?? 0) > width * 0.5)
      }
    }
  }

  private func points(of path: Path) -> [Point] {
    path.pieces().flatMap { piece in
      (0...4).map { piece.cubic.point(at: Double($0) / 4) }
    }
  }

  @Test func equalLettersDiffer() throws {
    let pixels = try pixels(
      "text \"OO\" { font-size: 120;  letter-spacing: 20;  fill: black;  rough: 4;  tabular: true }"
    )
    let rows = (0..<300).map { y in
      (ink(pixels, x: 0..<200, y: y..<y + 1), ink(pixels, x: 200..<400, y: y..<y + 1))
    }
    #expect(rows.contains { abs($0.0 - $0.1) > 2 })
  }

  @Test(arguments: [
    "each glyph { rotate: 10deg }", "rotate-y: 30deg", "stroke: red;  stroke-width: 3",
    "underline: true", "each glyph { enter: rise over 0.4s;  stagger: 0.05s }", "trim: 0% .. 60%",
    "each glyph { rotate-x: 20deg }", "each glyph { blur: 3 }",
  ])
  func roughLettersAllowEverything(_ more: String) throws {
    let text = "text \"Hand\" { font-size: 90;  fill: black;  \(more)"
    let (exact, rough) = (
      try pixels("\(text) }", frame: 3), try pixels("\(text);  rough: 3 }", frame: 3)
    )
    #expect(Pixels.greatestDifference(exact, rough) > 40)
    #expect(abs(ink(exact) - ink(rough)) < ink(exact) / 3 + 100)
  }
}
