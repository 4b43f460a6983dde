// SPDX-License-Identifier: MIT
import SceneTestSupport
import Testing

/// A clip changes no pixel inside it, and leaves everything outside it untouched: shapes, glyphs
/// and particles are antialiased in the same way with and without a clip.
@Suite("Clipped pixels", .cpuBudget(seconds: 2)) struct ClippedPixelTests {
  private static let side = 120

  /// Content of about 40 pixels around a position.
  private static let contents = [
    "circle { position: PLACE;  radius: 17.3;  fill: black }",
    "rect { position: PLACE;  size: 33x21;  corner-radius: 6.5;  fill: crimson }",
    "rect { position: PLACE;  size: 31x23;  rotate: 20deg;  fill: #00408080 }",
    "text \"Ag\" { position: PLACE;  font-size: 24;  fill: black;  each glyph { rotate: 4deg } }",
    "circle { position: PLACE;  radius: 14;  fill: navy;  shadow: shadow(blur: 2, color: black) }",
    "group { position: PLACE;  size: 30;  opacity: 0.6;  circle { radius: 15;  fill: black } }",
    "particles { from: PLACE;  burst: 40;  life: 9s;  speed: 0 .. 3;  size: 2 .. 6;  fill: teal }",
  ]

  /// Returns the frames of content at a position inside an element.
  private func frames(_ content: String, at place: String, in element: String) throws -> [[UInt8]] {
    let drawing = try Drawing(
      """
      scene { size: \(Self.side)x\(Self.side);  for: 6s;  fps: 1;  background: white
        \(element)
          \(content.replacing("PLACE", with: place)) }
      }
      """
    )
    return try (1..<6).map { try drawing.pixels($0) }
  }

  /// Returns whether two images have the same pixels where `isCompared` holds.
  private func same(_ a: [UInt8], _ b: [UInt8], where isCompared: (Int, Int) -> Bool) -> Bool {
    (0..<Self.side * Self.side).allSatisfy {
      !isCompared($0 % Self.side, $0 / Self.side)
        || a[4 * $0] == b[4 * $0] && a[4 * $0 + 1] == b[4 * $0 + 1]
          && a[4 * $0 + 2] == b[4 * $0 + 2]
    }
  }

  /// The content crosses the sides of the clip.
  @Test(arguments: contents)
  func wholePixelsCutExactly(_ content: String) throws {
    let place = "(21.37 * (t / 1s) - 20, 19.3 * (t / 1s))"
    let box = "group { position: (60, 60);  size: 80x80"
    let cut = try frames(content, at: place, in: "\(box);  clip: true")
    for (cut, whole) in zip(cut, try frames(content, at: place, in: box)) {
      func isInside(_ x: Int, _ y: Int) -> Bool { (20..<100).contains(x) && (20..<100).contains(y) }
      #expect(same(cut, whole, where: isInside))
      #expect(same(cut, [UInt8](repeating: 255, count: cut.count)) { !isInside($0, $1) })
    }
  }

  @Test(arguments: contents)
  func otherOutlinesKeepWhatLiesInside(_ content: String) throws {
    let place = "(48 + 1.37 * (t / 1s), 53 - 1.21 * (t / 1s))"
    for box in [
      "group { position: (60, 60);  size: (99.5, 98.7)", "circle { radius: 55;  fill: none",
      "rect { position: (60.5, 60);  size: 99x100;  corner-radius: 30;  fill: none",
    ] {
      let whole = try frames(content, at: place, in: box)
      #expect(try frames(content, at: place, in: "\(box);  clip: true") == whole, "\(box)")
    }
  }

  @Test func clipsIntersect() throws {
    let content = "circle { position: PLACE;  radius: 30;  fill: black }"
    let place = "(9 * (t / 1s), 30.6)"
    func element(_ clip: String) -> String {
      "group { size: 50x100;  \(clip)  group { size: 60x40;  \(clip)  \(content) }"
    }
    let cut = try frames(element("clip: true;"), at: place, in: "")
    for (cut, whole) in zip(cut, try frames(element(""), at: place, in: "")) {
      func isInside(_ x: Int, _ y: Int) -> Bool { (35..<85).contains(x) && (40..<80).contains(y) }
      #expect(same(cut, whole, where: isInside))
      #expect(same(cut, [UInt8](repeating: 255, count: cut.count)) { !isInside($0, $1) })
    }
  }

  /// A background and a shape of the same computed color have the same pixels.
  @Test func colorsRoundInOneWay() throws {
    for share in stride(from: 0.1, to: 1, by: 0.2) {
      let color = "mix(red, blue, \(share))"
      let drawn = try Drawing(
        """
        scene { size: 64x64;  for: 1s;  fps: 1;  background: \(color)
          circle { radius: 20;  fill: \(color) }
          rect { position: (10, 10);  size: 10;  fill: \(color) } }
        """
      ).pixels()
      #expect(Set(stride(from: 0, to: drawn.count, by: 4).map { drawn.rgb($0 / 4, 0) }).count == 1)
    }
  }
}
