// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneTestSupport
import Testing

@Suite("Morphs", .cpuBudget(seconds: 1)) struct MorphTests {
  private static let paths = [
    "M0 0H100V100H0Z", "M50 0L100 100L0 100Z", "M0 50C0 0 100 0 100 50S0 100 0 50Z",
    "M0 0H90V90H0ZM20 20V70H70V20Z", "M0 0L50 50", "M10 10", "M5 5h0z",
    "M0 0L10 0L10 10L0 10ZM40 40l9 0l0 9zM80 0l9 9l-9 0z", "M0 0C30 80 60 -80 90 0",
  ]

  private static func commands(_ path: Path) -> String {
    path.elements.map { element in
      switch element {
      case .move: "M"
      case .line: "L"
      case .cubic: "C"
      case .close: "Z"
      }
    }.joined()
  }

  /// Any two paths get the same commands, and each keeps its shape.
  @Test func matchedPathsHaveTheSameCommands() throws {
    for a in Self.paths {
      for b in Self.paths {
        let (x, y) = (try SVGPathData.parse(a), try SVGPathData.parse(b))
        let (p, q) = Path.matched(x, y)
        #expect(Self.commands(p) == Self.commands(q), "\(a) \(b)")
        for (own, matched) in [(x, p), (y, q)] where own.length > 0 {
          #expect(abs(own.length - matched.length) < 1e-6 * own.length, "\(a) \(b)")
          let (m, n) = (own.bounds, matched.bounds)
          #expect(abs(m.x - n.x) < 1e-6 && abs(m.y - n.y) < 1e-6, "\(a) \(b)")
          #expect(abs(m.width - n.width) < 1e-6, "\(a) \(b)")
        }
        #expect(Path.mixed(p, q, at: 0.5).isFinite)
      }
    }
  }

  private static func glyphs(_ text: String) throws -> [GlyphOutline] {
    // Each letter is a stem with a dot, whose width depends on the letter.
    try text.enumerated().map { index, letter in
      let width = Int(letter.asciiValue ?? 0) - 60
      let x = index * 50
      return GlyphOutline(
        sign: String(letter),
        outline: try SVGPathData.parse("M\(x) 10h\(width)v30h-\(width)zM\(x) 0h5v5h-5z"))
    }
  }

  /// Equal glyphs are paired in order, then those whose order changed, then the others by position.
  @Test(arguments: [
    ("abc", "bcd", "1-0 2-1", "0", "2"), ("abc", "cab", "0-1 1-2 2-0", "", ""),
    ("aXa", "a", "0-0", "1 2", ""), ("", "ab", "", "", "0 1"),
  ])
  func glyphsArePaired(_ a: String, _ b: String, _ pairs: String, _ gone: String, _ come: String)
    throws
  {
    let match = GlyphMatch(from: try Self.glyphs(a), to: try Self.glyphs(b))
    #expect(match.pairs.map { "\($0.0)-\($0.1)" }.joined(separator: " ") == pairs)
    #expect(match.gone.map(String.init).joined(separator: " ") == gone)
    #expect(match.come.map(String.init).joined(separator: " ") == come)
  }

  /// Runs take precedence over single glyphs with the same letters.
  @Test func runsArePreferred() throws {
    let match = GlyphMatch(from: try Self.glyphs("abc"), to: try Self.glyphs("aXbXcabc"))
    #expect(match.pairs.map { "\($0.0)-\($0.1)" } == ["0-5", "1-6", "2-7"])
  }

  /// A glyph without a partner shrinks to a point, and the paths of both texts keep their commands.
  @Test func textsHaveTheSameCommands() throws {
    for (a, b) in [("abc", "bcdef"), ("bcdef", "abc"), ("abc", ""), ("x", "yz")] {
      let (left, right) = (try Self.glyphs(a), try Self.glyphs(b))
      let (p, q) = Path.matched(left, right)
      #expect(Self.commands(p) == Self.commands(q))
      #expect(!Self.commands(p).isEmpty)
    }
  }

  /// A square that becomes the same square with another start and orientation does not move.
  @Test func alikeFormsRest() throws {
    let a = try SVGPathData.parse("M0 0H100V100H0Z")
    let b = try SVGPathData.parse("M100 100V0H0V100Z")
    let (p, q) = Path.matched(a, b)
    let middle = Path.mixed(p, q, at: 0.5)
    #expect(abs(middle.length - 400) < 0.01)
    #expect(middle.bounds == Rect(x: 0, y: 0, width: 100, height: 100))
  }

  /// An outline that returns to its start without `close` is a loop as well. An open line keeps its
  /// direction.
  @Test func loopsWithoutCloseRest() throws {
    let a = try SVGPathData.parse("M0 0H100V100H0V0")
    for other in ["M100 100V0H0V100H100", "M100 100V0H0V100Z"] {
      let (p, q) = Path.matched(a, try SVGPathData.parse(other))
      let middle = Path.mixed(p, q, at: 0.5)
      #expect(abs(middle.length - 400) < 0.01, "\(other)")
      #expect(middle.bounds == Rect(x: 0, y: 0, width: 100, height: 100))
    }
    let (p, q) = Path.matched(
      try SVGPathData.parse("M0 0H100"), try SVGPathData.parse("M100 50H0"))
    #expect(Path.mixed(p, q, at: 0.5).bounds.width == 0)
  }

  /// Open curves are matched from end to end, so that their ends stay in place during the
  /// interpolation, even if the areas have opposite signs.
  @Test func bowsKeepTheirEnds() throws {
    let smile = try SVGPathData.parse("M0 0C30 40 70 40 100 0")
    let frown = try SVGPathData.parse("M0 40C20 10 40 0 50 0S80 10 100 40")
    let (p, q) = Path.matched(smile, frown)
    for share in [0, 0.25, 0.5, 0.75, 1] {
      let box = Path.mixed(p, q, at: share).bounds
      #expect(abs(box.x) < 1e-6 && abs(box.width - 100) < 1e-6, "\(share)")
    }
  }

  /// Holes remain holes: areas keep their signs during the interpolation.
  @Test func holesStayHoles() throws {
    let a = try SVGPathData.parse("M0 0H90V90H0ZM20 20V70H70V20Z")
    let b = try SVGPathData.parse("M0 0V80H80V0ZM20 20H60V60H20Z")
    let (p, q) = Path.matched(a, b)
    let middle = Path.mixed(p, q, at: 0.5)
    #expect(Self.commands(middle).filter { $0 == "Z" }.count == 2)
    #expect(abs(middle.length - (a.length + b.length) / 2) < 1)
  }
}
