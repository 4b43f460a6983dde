// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneModel
import SceneTestSupport
import Testing

/// Proofs about contrasts and covered elements agree with the pixels of rendered frames.
@Suite("Proofs and pixels", .cpuBudget(seconds: 8)) struct ProofTests {
  private static let assets = "Grammar/pictures/assets"

  /// Returns the contrast ratio of WCAG 2.2.
  private static func contrast(_ a: UInt32, _ b: UInt32) -> Double {
    let (a, b) = (Color(hex: a).luminance, Color(hex: b).luminance)
    let (low, high) = (min(a, b), max(a, b))
    return (high + 0.05) / (low + 0.05)
  }

  private static func mostFrequent(_ colors: [UInt32]) -> UInt32? {
    Dictionary(grouping: colors) { $0 }.values.max { ($0.count, $0[0]) < ($1.count, $1[0]) }?[0]
  }

  /// Returns the lowest contrast of the captions in rendered frames: that of the fill to the most
  /// frequent color next to it.
  private func contrast(_ source: String, fill: UInt32) throws -> Double {
    let drawing = try Drawing(source, folder: Self.assets)
    let width = drawing.model.size.width
    var lowest = 99.0
    for frame in 0..<drawing.model.frameCount {
      let shown = try drawing.pixels(frame)
      // Frames without a caption are skipped.
      if try drawing.withoutCaptions.pixels(frame) == shown { continue }
      let beside = Pixels.colors(beside: fill, in: Pixels.colors(shown), width: width)
      guard let next = Self.mostFrequent(beside) else { continue }
      lowest = min(lowest, Self.contrast(fill, next))
    }
    return lowest
  }

  @Test(
    arguments: [
      ("background: white", "", "", 0xFFFFFF),
      ("background: black", "", "", 0xFFFFFF),
      ("background: #6a7a9a", "", "", 0xFFFFFF),
      ("background: white", "fill: #224466", "", 0x224466),
      ("background: white", "fill: white;  background: #333", "", 0xFFFFFF),
      ("background: #ffcc00", "background: #000000c0", "", 0xFFFFFF),
      (
        "background: #ffcc00", "fill: white", "rect { size: 100%;  fill: #00000080 }", 0xFFFFFF
      ),
      (
        "background: #ffcc00", "fill: white",
        "rect { size: (100%, 40%);  anchor: bottom;  position: (50%, 100%);  fill: #334;  for: 1s }",
        0xFFFFFF
      ),
      (
        "background: white", "fill: #ff4040;  stroke: #400000;  stroke-width: 12",
        "rect { size: (100%, 40%);  anchor: bottom;  position: (50%, 100%);  fill: #888;  at: 1s }",
        0xFF4040
      ),
    ])
  func captionsHaveTheContrastOfTheirPixels(
    background: String, look: String, ground: String, fill: Int
  ) throws {
    func scene(_ expectations: String) -> String {
      """
      scene {
        size: 1280x720;  fps: 3;  for: 3s;  \(background)
        \(ground)
        captions subs "talk.srt" { font-size: 110;  \(look) }
        \(expectations)
      }
      """
    }
    let pixels = try contrast(scene(""), fill: UInt32(fill))
    #expect((1...21).contains(pixels))
    let (_, diagnostics) = try Drawing.checking(
      scene(
        """
        expect "lower" { contrast-of(subs) >= \(pixels - 0.2) }
        expect "higher" { contrast-of(subs) >= \(pixels + 0.2) }
        """), folder: Self.assets)
    let failed = diagnostics.filter { [.expectationFails, .unknownContrast].contains($0.code) }
    #expect(
      failed.count == 1 && failed[0].message.hasPrefix("\"higher\" does not hold"),
      "\(pixels): \(failed.map(\.message))")
  }

  /// An element is covered if another hides more than half of its pixels.
  @Test func coveredElementsHideInPixels() throws {
    var generator = Generator(seed: 11)
    func shape(_ name: String, _ fill: String, isWhole: Bool) -> String {
      func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
      let (width, height) = (number(20...90), number(20...90))
      let turn =
        "rotate: \(number(0...179))deg;  position: (\(number(60...100)), \(number(30...60)))"
      let kind = number(0...2)
      let corner = kind == 1 ? "corner-radius: \(number(0...30));  " : ""
      let size =
        kind == 2
        ? "radius: (\(Double(width) / 2), \(Double(height) / 2))" : "size: \(width)x\(height)"
      let body = "\(size);  \(corner)\(turn);  fill: \(fill)"
      let element = "\(kind == 2 ? "ellipse" : "rect") \(name) { \(body) }"
      guard isWhole, number(0...2) == 0 else { return element }
      let box = "size: \(number(90...150))x\(number(60...90));  rotate: \(number(0...179))deg"
      return "group { \(box);  clip: true;  \(element) }"
    }
    var verdicts: [Bool: Int] = [:]
    for _ in 0..<60 {
      let (under, over) = (
        shape("under", "#ff0000", isWhole: false), shape("over", "#0000ff", isWhole: true)
      )
      func scene(_ body: String) -> String {
        "scene { size: 160x90;  fps: 5;  for: 0.2s;  background: black\n\(body) }"
      }
      func red(_ body: String) throws -> Double {
        Pixels.sumOfRed(try Drawing(scene(body)).pixels())
      }
      let hidden = try 1 - red("\(under)\n\(over)") / red(under)
      if abs(hidden - 0.5) < 0.03 { continue }
      let (_, diagnostics) = try Drawing.checking(
        scene("\(under)\n\(over)\nexpect { covered(under) }"))
      let isCovered = !diagnostics.contains { $0.code == .expectationFails }
      #expect(isCovered == (hidden > 0.5), "\(hidden): \(under) \(over)")
      verdicts[isCovered, default: 0] += 1
    }
    #expect(verdicts[true, default: 0] >= 5 && verdicts[false, default: 0] >= 5, "\(verdicts)")
  }

  /// Returns whether the second drawing hides more than half of the first one's pixels; `nil` close
  /// to a half.
  private func hidesMost(_ under: String, _ over: String) throws -> Bool? {
    func drawing(_ body: String) throws -> [UInt8] {
      let scene = "scene { size: 160x90;  fps: 5;  for: 0.2s;  background: black\n\(body) }"
      return try Drawing(scene).pixels()
    }
    // A pixel of the element is visible if it changes with the color of the element.
    func visible(_ over: String) throws -> Int {
      let red = try drawing("\(under.replacing("INK", with: "#ff0000"))\n\(over)")
      let green = try drawing("\(under.replacing("INK", with: "#00ff00"))\n\(over)")
      return Pixels.differences(Pixels.colors(red), Pixels.colors(green))
    }
    let whole = try visible("")
    guard whole > 0 else { return false }
    let hidden = 1 - Double(try visible(over)) / Double(whole)
    return abs(hidden - 0.5) < 0.03 ? nil : hidden > 0.5
  }

  private func isProven(_ body: String) throws -> Bool {
    let scene = "scene { size: 160x90;  fps: 5;  for: 0.2s;  background: black\n\(body) }"
    let (_, diagnostics) = try Drawing.checking(scene)
    #expect(!diagnostics.contains { $0.severity == .error }, "\(diagnostics.map(\.message))")
    return !diagnostics.contains {
      [.expectationFails, .unknownContrast, .notProven].contains($0.code)
    }
  }

  /// The parts of a group count once where they overlap, and not at all if they are transparent.
  @Test func coveredGroupsHideInPixels() throws {
    var generator = Generator(seed: 5)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    func rect(_ fill: String, _ more: String = "") -> String {
      "rect { size: \(number(15...60))x\(number(15...50));  position: (\(number(30...130)), \(number(20...70)));  rotate: \(number(0...179))deg;  fill: \(fill);  \(more) }"
    }
    var verdicts: [Bool: Int] = [:]
    for _ in 0..<40 {
      let parts = (0..<number(2...6)).map { _ in
        rect("INK", ["", "", "opacity: 0", "scale: (-1, 1)"][number(0...3)])
      }
      let under = "group under { \(parts.joined(separator: "\n")) }"
      let cover =
        "rect { size: \(number(50...120))x\(number(40...80));  position: (\(number(60...100)), \(number(30...60)));  fill: blue }"
      guard let isHidden = try hidesMost(under, cover) else {
        continue
      }
      let shown = under.replacing("INK", with: "red")
      let isCovered = try isProven("\(shown)\n\(cover)\nexpect { covered(under) }")
      #expect(isCovered == isHidden, "\(shown) \(cover)")
      verdicts[isCovered, default: 0] += 1
    }
    #expect(verdicts[true, default: 0] >= 5 && verdicts[false, default: 0] >= 5, "\(verdicts)")
  }

  @Test(
    arguments: [
      // Ten stacked parts have the area of one.
      (
        "group under { rect { size: 80;  anchor: top-left;  position: (0, 0);  fill: INK }\nfor i in 0..10 { rect { size: 40;  anchor: top-left;  position: (0, 0);  fill: INK } } }",
        "rect { size: 40;  anchor: top-left;  position: (0, 0);  fill: blue }"
      ),
      // A transparent part has no pixels, not even above the cover.
      (
        "group under { rect { size: 40;  position: (30, 30);  fill: INK }\nrect { size: 80;  position: (110, 45);  fill: INK;  opacity: 0 } }",
        "rect { size: 40;  position: (30, 30);  fill: blue }"
      ),
      // A ring of parts has a hole.
      (
        "group under { rect { size: 90x10;  position: (80, 10);  fill: INK }\nrect { size: 90x10;  position: (80, 80);  fill: INK }\nrect { size: 10x80;  position: (40, 45);  fill: INK }\nrect { size: 10x80;  position: (120, 45);  fill: INK } }",
        "rect { size: 70x56;  position: (80, 45);  fill: blue }"
      ),
    ])
  func coversHideInPixels(under: String, over: String) throws {
    let verdict = try hidesMost(under, over)
    let isHidden = try #require(verdict as Bool?)
    let shown = under.replacing("INK", with: "red")
    #expect(try isProven("\(shown)\n\(over)\nexpect { covered(under) }") == isHidden)
    #expect(try isProven("\(shown)\n\(over)\nexpect { not covered(under) }") == !isHidden)
  }

  /// Boxes with round corners hide a rectangle inside them. Larger radii than half a side have no
  /// effect.
  @Test(arguments: ["0", "20", "70", "999"], ["40x20", "90x40", "150x88"])
  func roundBoxesHideInPixels(radius: String, size: String) throws {
    let under = "rect under { size: \(size);  fill: INK }"
    let over =
      "text \"HHHH\" { font-size: 30;  fill: none;  background: blue;  corner-radius: \(radius) }"
    let verdict = try hidesMost(under, over)
    let isHidden = try #require(verdict as Bool?)
    let shown = under.replacing("INK", with: "red")
    #expect(try isProven("\(shown)\n\(over)\nexpect { covered(under) }") == isHidden)
  }

  static let boxedTexts: [(String, Bool)] = [
    ("\"HELLO\" { LOOK }", true), ("\"HELLO HELLO\\nHO\" { LOOK }", true),
    ("\"HELLO\\nHO\" { LOOK;  padding: 2;  line-height: 2 }", true),
    ("\"gjpqy\" { LOOK }", true),
    ("\"HELLO\" { LOOK;  each glyph { translate: (0, 0);  enter: fade over 0.1s } }", true),
    ("\"HELLO\" { LOOK;  each glyph { translate: (0, 30) } }", false),
    ("\"HELLO\" { LOOK;  each glyph { translate: (0, 30);  opacity: 0 } }", true),
    (
      "\"HE LO\" { LOOK;  each word { translate: (0, 30) -> (0, 0) over 0.1s after index * 1s } }",
      false
    ),
    ("\"HELLO\" { LOOK;  each glyph { rotate-y: 60deg } }", false),
    ("\"HELLO\" { LOOK;  padding: 0;  span \"SUPER\" { baseline-shift: 24 } }", false),
    ("\"HELLO\" { LOOK;  span \"SUPER\" { translate: (0, 30) } }", false),
    ("\"HELLO\" { LOOK;  padding: 8;  span \"SUPER\" { baseline-shift: 4 } }", true),
  ]

  /// The box behind a text is its background only if it is behind all glyphs.
  @Test(arguments: boxedTexts) func boxesAreBehindGlyphs(text: String, isBoxed: Bool) throws {
    let look = "font-size: 18;  fill: white;  background: black"
    let body = "rect { size: 160x90;  fill: white }\ntext a \(text.replacing("LOOK", with: look))"
    #expect(try isProven("\(body)\nexpect { contrast-of(a) >= 4.5 }") == isBoxed)
  }

  /// A warning requires a known background, and texts with one paint.
  @Test(arguments: boxedTexts.filter { !$0.0.contains("span") })
  func boxesBesideGlyphsCauseNoWarning(text: String, isBoxed: Bool) throws {
    let look = "font-size: 18;  fill: black;  background: black"
    let (_, diagnostics) = try Drawing.checking(
      """
      scene { size: 160x90;  fps: 5;  for: 0.2s;  background: white
          text a \(text.replacing("LOOK", with: look))
      }
      """)
    #expect(diagnostics.contains { $0.code == .lowContrast } == isBoxed)
  }

  /// A gradient of one color has the contrasts of the color, so a proof in front of the gradient
  /// must agree with the proof in front of the color.
  @Test(arguments: [
    ("contrast-of(a) >= contrast-of(b)", false), ("contrast-of(b) >= contrast-of(a)", false),
    ("contrast-of(a) < 5 or contrast-of(a) > 20", false), ("contrast-of(a) <= 21", false),
    ("not (contrast-of(a) < 12)", false), ("contrast-of(a) - contrast-of(b) < 30", false),
    ("contrast-of(a) >= 12.5", true), ("12.5 < contrast-of(a)", true),
    ("contrast-of(a) >= 12.5 and contrast-of(b) > 5.5", true),
    ("contrast-of(a) >= 12.5 and contrast-of(b) < 22", false),
    ("contrast-of(a) >= 12.5 and opacity-of(b) == 1", true),
    ("contrast-of(a) >= 12.8", false),
  ])
  func lowerBoundsProveOnlyLowerBounds(condition: String, isKnown: Bool) throws {
    func scene(_ white: String, _ black: String) -> String {
      """
      rect { size: 160x45;  position: (80, 22.5);  fill: \(white) }
      rect { size: 160x45;  position: (80, 67.5);  fill: \(black) }
      text a "AAAA" { fill: white;  stroke: #333;  stroke-width: 4;  paint-order: stroke;  font-size: 20;  position: (80, 22) }
      text b "BBBB" { fill: white;  stroke: #666;  stroke-width: 4;  paint-order: stroke;  font-size: 20;  position: (80, 67) }
      expect { \(condition) }
      """
    }
    let isTrue = try isProven(scene("white", "black"))
    let isProvenOnGradient = try isProven(
      scene("linear-gradient(white, white)", "linear-gradient(black, black)"))
    #expect(isProvenOnGradient == isKnown)
    #expect(isTrue || !isProvenOnGradient)
  }

  /// An outline in front of the fill must leave most of the fill visible.
  @Test(arguments: [
    ("stroke-width: 40", false), ("stroke-width: 40;  paint-order: stroke", true),
    ("stroke-width: 0.95", true), ("stroke-width: 1", false),
    ("stroke-width: 0.95;  font-weight: 300", false),
    ("stroke-width: 0.95;  fit-width: 150px", false),
    ("stroke-width: 1.3;  scale: 0.7", false),
  ])
  func outlinesLeaveTheFillVisible(look: String, isReadable: Bool) throws {
    let text = "text a \"Hello\" { fill: white;  font-size: 24;  stroke: black;  \(look) }"
    let body = "rect { size: 160x90;  fill: white }\n\(text)"
    #expect(try isProven("\(body)\nexpect { contrast-of(a) >= 4.5 }") == isReadable)
    // In a readable text, the outline leaves at least a third of the fill visible.
    func red(_ stroke: String) throws -> Double {
      let inked = text.replacing("fill: white", with: "fill: #ff0000")
        .replacing("stroke: black", with: stroke)
      let pixels = try Drawing("scene { size: 160x90;  fps: 5;  for: 0.2s\n\(inked) }").pixels()
      return Pixels.sumOfRed(pixels)
    }
    let share = try red("stroke: black") / red("stroke: none")
    if isReadable { #expect(share > 1.0 / 3, "\(share)") }
  }
}
