// SPDX-License-Identifier: MIT
import Foundation
import SceneGraphics
import SceneIR
import SceneLower
import SceneMath
import SceneModel
import SceneRaster
import SceneTestSupport
import Testing

/// Tests morphs between formulas and between texts: glyphs that both share never change their
/// shape. `SCENEC_SOAK=1` tests 1,000 random pairs of formulas, and any other number tests that
/// many.
@Suite("Glyph morphs", .cpuBudget(seconds: 5)) struct GlyphMorphTests {
  private static let soak = ProcessInfo.processInfo.environment["SCENEC_SOAK"].flatMap { Int($0) }
  /// The number of random pairs of formulas.
  private static let count = soak.map { $0 > 1 ? $0 : 1000 } ?? 20
  /// The number of formulas in a scene.
  private static let batch = 40

  /// A generator of formulas.
  private struct Writer {
    var random: SeededGenerator

    mutating func pick<T>(_ items: [T]) -> T { items[Int(random.next() % UInt64(items.count))] }

    mutating func term(_ depth: Int) -> String {
      let letters = ["a", "b", "i", "j", "x", "y", "\\pi", "\\theta", "2", "8", "0", "\\xi"]
      guard depth > 0 else { return pick(letters) }
      switch random.next() % 9 {
      case 0: return "\\frac{\(sum(depth - 1))}{\(sum(depth - 1))}"
      case 1: return "\\sqrt{\(sum(depth - 1))}"
      case 2: return "\(pick(letters))^{\(sum(depth - 1))}"
      case 3: return "\(pick(letters))_{\(term(0))}"
      case 4: return "\\sin \(pick(letters))"
      case 5: return "\\left(\(sum(depth - 1))\\right)"
      case 6: return "\\text{\(pick(["grid", "if", "%", "ij"]))}"
      case 7: return "\\int_0^{\(term(0))} \(term(0))"
      default: return pick(letters)
      }
    }

    mutating func sum(_ depth: Int) -> String {
      var text = term(depth)
      for _ in 0..<(random.next() % 3) {
        text += " \(pick(["+", "-", "=", "\\div"])) \(term(depth))"
      }
      return text
    }

    /// Returns two formulas of the same terms in different order, with one term sometimes replaced,
    /// each as a sum, as an array or as a fraction.
    mutating func pair() -> (String, String) {
      let terms = (0..<(2 + random.next() % 4)).map { _ in term(2) }
      var others = terms.shuffled(using: &random)
      if random.next() % 2 == 0 { others[0] = sum(1) }
      return (joined(terms), joined(others))
    }

    private mutating func joined(_ terms: [String]) -> String {
      switch random.next() % 3 {
      case 0: terms.joined(separator: " + ")
      case 1: "\\begin{array}{l} \(terms.joined(separator: " \\\\ ")) \\end{array}"
      default: "\\frac{\(terms[0])}{\(terms.dropFirst().joined(separator: " "))}"
      }
    }
  }

  /// Contours for a comparison regardless of size and position: points relative to the first one,
  /// and the size.
  private struct Shape {
    let points: [Point]
    let commands: [Int]

    init(_ elements: some Sequence<Path.Element>) {
      var (points, commands) = ([Point](), [Int]())
      for element in elements {
        switch element {
        case .move(let p):
          points.append(p)
          commands.append(0)
        case .line(let p):
          points.append(p)
          commands.append(1)
        case .cubic(let a, let b, let c):
          points += [a, b, c]
          commands.append(2)
        case .close: commands.append(3)
        }
      }
      (self.points, self.commands) = (points, commands)
    }

    /// Returns whether two shapes are equal up to translation and scale, within a thousandth of
    /// their size.
    func isAlike(_ other: Shape) -> Bool {
      guard commands == other.commands, let p = points.first, let q = other.points.first else {
        return false
      }
      func size(_ points: [Point]) -> Double {
        points.map { max(abs($0.x - points[0].x), abs($0.y - points[0].y)) }.max() ?? 0
      }
      let (a, b) = (size(points), size(other.points))
      guard a > 0, b > 0 else { return false }
      return zip(points, other.points).allSatisfy { u, v in
        let (d, e) = ((u - p) * (1 / a), (v - q) * (1 / b))
        return abs(d.x - e.x) < 1e-3 && abs(d.y - e.y) < 1e-3
      }
    }
  }

  /// Returns the paths that are filled by ops.
  private static func fills(_ ops: [DrawOp]) -> [Path.Element] {
    ops.flatMap { op -> [Path.Element] in
      switch op {
      case .fill(let outline, _): outline.path.elements
      case .transformed(let map, let body): Path(fills(body)).transformed(by: map).elements
      case .layer(_, let body): fills(body)
      default: []
      }
    }
  }

  /// Returns the number of occurrences of a shape in a path.
  private static func occurrences(of shape: Shape, in elements: [Path.Element]) -> Int {
    let starts = elements.indices.filter { if case .move = elements[$0] { true } else { false } }
    return starts.count { start in
      let end = start + shape.commands.count
      return end <= elements.count && shape.isAlike(Shape(elements[start..<end]))
    }
  }

  /// Checks that every glyph that occurs in both formulas occurs as often during the change.
  private static func check(_ pairs: [(String, String)]) throws {
    let elements = pairs.enumerated().map { index, pair in
      "math $\(pair.0)$ { position: (\(index % 8 * 200), \(index / 8 * 150));  font-size: 40\n"
        + "change { at: 0s;  for: 1s;  content: $\(pair.1)$ } }"
    }
    let drawing = try Drawing(
      "scene { size: 1600x1000;  fps: 20;  for: 1.2s\n \(elements.joined(separator: "\n")) }")
    let font = try #require(drawing.metrics.formulaFont("Latin Modern Math"))
    let formulas = try pairs.map {
      [try Formula($0.0, font: font), try Formula($0.1, font: font)]
    }
    for frame in [3, 10, 16] {
      let ops = drawing.program(frame).ops
      try #require(ops.count == pairs.count)
      for (index, op) in ops.enumerated() {
        let drawn = fills([op])
        let (pair, a, b) = (pairs[index], formulas[index][0], formulas[index][1])
        for part in a.parts {
          let shape = Shape(part.outline.elements)
          func count(_ formula: Formula) -> Int {
            formula.parts.count { Shape($0.outline.elements).isAlike(shape) }
          }
          // The letters of a word move together, also to a word of another size, in which the font
          // can have other shapes for them.
          func variants(_ formula: Formula) -> Int {
            formula.parts.count {
              !$0.glyph.word.isEmpty && $0.sign == part.sign
                && !Shape($0.outline.elements).isAlike(shape)
            }
          }
          #expect(
            occurrences(of: shape, in: drawn) >= min(count(a), count(b))
              - max(variants(a), variants(b)),
            "\(pair.0) → \(pair.1), frame \(frame)")
        }
      }
    }
  }

  @Test func sharedGlyphsOfFormulasKeepTheirShape() throws {
    var writer = Writer(random: SeededGenerator(20_261))
    for start in stride(from: 0, to: Self.count, by: Self.batch) {
      try Self.check((start..<min(start + Self.batch, Self.count)).map { _ in writer.pair() })
    }
  }

  /// Letters with dots and accents that move to another line, out of a fraction, or below each
  /// other.
  @Test func glyphsOfSeveralOutlinesDoNotTear() throws {
    try Self.check([
      (
        "\\begin{array}{l} \\sin x \\\\ 1\\\\ 2\\end{array}",
        "\\begin{array}{l} 1 \\\\ 2 \\\\ \\sin x\\end{array}"
      ),
      ("\\text{is grid}", "\\begin{array}{l}\\text{at}\\\\ \\text{grid}\\end{array}"),
      ("\\frac{\\sin x}{2}", "\\sin x = i"), ("i : j = g", "\\frac{g}{j} = i"),
      ("x = y \\div 8", "\\frac{8}{y} = \\sqrt{x}"),
    ])
  }

  /// Letters that two texts share keep their shape between them.
  @Test(arguments: [
    ("\"sin grid\"", "\"grid sin\""), ("\"i\\nj\\nB\"", "\"B\\ni\\nj\""), ("\"8i%\"", "\"%i8 jo\""),
  ])
  func sharedLettersOfTextsKeepTheirShape(_ a: String, _ b: String) throws {
    let texts =
      "text a \(a) { position: center;  font-size: 60;  visible: false }\n"
      + "text b \(b) { position: center;  font-size: 90;  visible: false }\n"
    let scene = "scene { size: 800x400;  fps: 20;  for: 1s\n \(texts)"
    let moving = try Drawing("\(scene) path { data: a -> b over 1s } }")
    let still = try Drawing("\(scene) path { data: a } }")
    let target = try Drawing("\(scene) path { data: b } }")
    // Every letter of the shorter text occurs in the other one.
    let letters = Self.fills(still.program(0).ops)
    for frame in [4, 10, 15] {
      let drawn = Self.fills(moving.program(frame).ops)
      var start = 0
      for letter in Self.contours(letters) {
        let shape = Shape(letter)
        let count = min(
          Self.occurrences(of: shape, in: letters),
          Self.occurrences(of: shape, in: Self.fills(target.program(0).ops)))
        #expect(Self.occurrences(of: shape, in: drawn) >= count, "contour \(start) of \(a)")
        start += 1
      }
    }
  }

  private static func contours(_ elements: [Path.Element]) -> [[Path.Element]] {
    elements.split { if case .close = $0 { true } else { false } }.map { $0 + [.close] }
  }

  /// The units of `each` follow their glyphs through changes, and new glyphs leave like the others.
  @Test func unitsFollowTheirGlyphs() throws {
    let drawing = try Drawing(
      """
      scene { size: 800x300;  fps: 20;  for: 4s;  background: white
        math $a + b$ { position: center;  font-size: 80
          each glyph { fill: index == 0 ? red : black;  stagger: 0.1s;  enter: fade over 0.3s
            exit: fade over 0.2s }
          change { at: 1.5s;  for: 1s;  content: $b + c = a$ } } }
      """)
    func colors(_ frame: Int) -> [String] {
      func paints(_ ops: [DrawOp]) -> [String] {
        ops.flatMap { op -> [String] in
          switch op {
          case .fill(_, .color(let color)): [color.hexDescription]
          case .transformed(_, let body): paints(body)
          default: []
          }
        }
      }
      return paints(drawing.program(frame).ops)
    }
    #expect(colors(0).isEmpty)
    #expect(colors(25).count == 3)
    #expect(colors(25).filter { $0.hasPrefix("#ff0000") }.count == 1)
    #expect(colors(70).count == 5)
    #expect(colors(70).filter { $0.hasPrefix("#ff0000") }.count == 1)
    #expect(colors(40).filter { $0.hasPrefix("#ff0000") }.count == 1)
    let (rest, last) = (try drawing.pixels(70), try drawing.pixels(79))
    #expect(!last.allSatisfy { $0 == 255 } && last != rest)
  }
}
