// SPDX-License-Identifier: MIT
import SceneIR
import SceneModel
import SceneTestSupport
import SceneText
import Testing

/// Tests that scenes designed to hang or exhaust memory end within seconds of CPU time, with a
/// result or an error.
@Suite("Hostile drawings", .cpuBudget(seconds: 6)) struct HostileTests {
  private static let nested = (0..<60).reduce("circle { radius: 50 }") { inner, _ in
    "group { opacity: 0.9;  \(inner) }"
  }
  private static let clips = (0..<60).reduce("circle { radius: 50 }") { inner, k in
    "group { size: 600x300;  clip: true;  rotate: \(k)deg;  \(inner) }"
  }
  private static let masks = (0..<25).reduce("circle { radius: 50 }") { inner, _ in
    "group { \(inner);  mask { circle { radius: 100 } } }"
  }
  private static let blurs = (0..<25).reduce("circle { radius: 50 }") { inner, _ in
    "group { filter: blur(8);  \(inner) }"
  }
  private static let marks = String(repeating: "\u{301}\u{323}", count: 2000)

  static let bodies: [String] =
    [
      // Numbers
      "circle { radius: 1e300 }", "circle { radius: -5 }", "circle { radius: 1e-320 }",
      "rect { size: (1e9, 1e9);  stroke: red }", "rect { size: 0 }", "rect { size: (1e300, 1) }",
      "line { from: (0, 0);  to: (1e12, 1e12) }", "line { from: (-1e308, 0);  to: (1e308, 0) }",
      "star { points: 1000;  radius: 1e7 }", "arc { radius: 100;  sweep: 1e12deg }",
      "circle { position: (1e30, -1e30) }", "rect { scale: 1e20 }", "rect { scale: 1e-20 }",
      "rect { rotate: 1e18deg }", "rect { skew: 90deg }", "rect { skew: (89.9999deg, 89.9999deg) }",
      "rect { corner-radius: 1e30 }", "rect { opacity: 1e30 }", "rect { z: 1e300 }",
      "polygon { points: [for i in 0..20000: (mod(i * 7919, 640), mod(i * 104729, 360))] }",
      "polyline { points: [for i in 0..5000: (mod(i * 7919, 640), mod(i * 104729, 360))];  stroke-width: 30 }",
      // Strokes and dashes
      "circle { radius: 40;  stroke: red;  stroke-width: 1e8 }",
      "circle { radius: 40;  stroke: red;  stroke-width: 1e-9 }",
      "path { dash: [0.0001, 0.0001];  stroke-width: 1e6;  stroke: red;  move (0, 0);  curve (1e5, 0), (0, 1e5), (1e5, 1e5) }",
      "path { dash: [0.0001];  stroke: red;  move (0, 0);  line (1e6, 0) }",
      "path { dash: [1e300, 1e-300];  stroke: red;  move (0, 0);  line (90, 0) }",
      "path { dash: [1, 1];  dash-offset: 1e300;  stroke: red;  move (0, 0);  line (90, 0) }",
      "path { dash: [0, 0];  stroke: red;  move (0, 0);  line (90, 0) }",
      "star { points: 500;  radius: 150;  stroke: red;  stroke-width: 60;  miter-limit: 1e9 }",
      "circle { radius: 100;  fill: none;  stroke: red;  trim: -1e9 .. 1e9 }",
      "path { stroke: red;  move (0, 0);  through \((0..<500).map { "(\($0), \($0 * 7919 % 360))" }.joined(separator: ", ")) }",
      // Filters, shadows, layers
      "rect { filter: blur(1e9) }", "rect { filter: blur(10000) }",
      "rect { size: 100%;  filter: blur(500) }",
      "rect { size: 100%;  backdrop-filter: blur(1e9) }",
      "rect { size: 1e6;  rotate: 31deg;  scale: (1e6, 1e-6);  backdrop-filter: blur(500) }",
      "rect { size: 1e6;  skew: (89deg, 0deg);  filter: blur(500);  edge: extend }",
      "rect { size: (0.001, 400);  filter: blur(40);  edge: extend }",
      (0..<25).reduce("circle { backdrop-filter: blur(40) }") { inner, _ in
        "group { opacity: 0.9;  rect { backdrop-filter: blur(90) }  \(inner) }"
      },
      "rect { filter: [\((0..<40).map { "blur(\($0))" }.joined(separator: ", "))] }",
      "rect { filter: brightness(1e300) }", "rect { filter: hue-rotate(1e300deg) }",
      "rect { shadow: shadow(offset: (1e9, 1e9), blur: 1e9) }",
      "rect { shadow: shadow(offset: (-1e300, 0), blur: 0) }",
      "for i in 0..300 { rect { size: 100%;  opacity: 0.5;  circle { radius: 10 };  blend: multiply } }",
      nested, clips, masks, blurs,
      "rect { size: 100%;  clip { for i in 0..2000 { circle { radius: 50;  position: (i, i) } } } }",
      "rect { size: 1e6;  clip: true;  circle { radius: 1e6 } }",
      "group { size: (1e7, 1e7);  opacity: 0.5;  rect { size: 100% };  circle { radius: 1e6 } }",
      // Gradients and patterns
      "rect { fill: linear-gradient(\((0..<999).map { "hsl(\($0)deg, 50%, 50%)" }.joined(separator: ", "))) }",
      "rect { fill: linear-gradient(red, blue, from: (50, 50), to: (50, 50)) }",
      "rect { fill: radial-gradient(red, blue, radius: 0) }",
      "rect { fill: radial-gradient(red, blue, radius: 1e300) }",
      "rect { fill: conic-gradient(red, blue, angle: 1e300deg) }",
      "rect { fill: linear-gradient(red, blue, from: (-1e300, 0), to: (1e300, 0)) }",
      "rect { size: 100%;  fill: pattern(\"image/libjpeg-turbo/testorig.jpg\", size: 0.001) }",
      "rect { size: 100%;  fill: pattern(\"image/libjpeg-turbo/testorig.jpg\", size: 1e9) }",
      // Text
      "text \"Hi\" { font-size: 1e9 }", "text \"Hi\" { font-size: 10000 }",
      "text \"Hi\" { font-size: 1e-9 }",
      "text \"a\(marks)\"",
      "text \"\(String(repeating: "W", count: 20_000))\" { width: 600;  font-size: 8 }",
      "text \"Hi\" { letter-spacing: 1e9 }", "text \"Hi\" { line-height: 1e9 }",
      "text \"\(String(repeating: "ab ", count: 400))\" { width: 600;  font-size: 12;  each glyph { blur: 3 } }",
      "text \"Hi there\" { width: 1e-9 }", "text \"Hi\" { fit-width: 1e-300 }",
      "text \"\\u{202E}abc\\u{202C}\\u{2066}\\u{0}\"",
      "path p { move (0, 0);  line (1e-300, 0) }\ntext \"abc\" { along: p }",
      // Layout, cameras, motion
      "camera { zoom: 1e300;  circle { } }", "camera { zoom: 1e-300;  circle { } }",
      "grid { columns: 10000;  gap: 1e300;  for i in 0..500 { circle { } } }",
      "row { padding: -1e9;  fill: red;  circle { radius: 5 } }",
      "arrow { from: (0, 0);  to: (0, 0) }",
      "arrow { from: (0, 0);  to: (1e300, 0);  stroke-width: 1e9 }",
      "path { data: path(\"M0 0L1 1\") -> path(\"\(String(repeating: "M0 0h9v9z", count: 400))\");  fill: red }",
    ]

  @Test func thereAreEnough() { #expect(Self.bodies.count >= 68) }

  @Test(arguments: bodies.indices) func ends(_ index: Int) throws {
    let source = "scene { size: 640x360;  for: 1s\n\(Self.bodies[index])\n}"
    let spent = try threadSeconds {
      let (drawing, diagnostics) = try Drawing.checking(source)
      guard let drawing else {
        #expect(!diagnostics.isEmpty)
        return
      }
      let pixels = try drawing.pixels(15)
      #expect(pixels.count == 640 * 360 * 4)
    }
    #expect(spent < 4, "\(Self.bodies[index].prefix(120)): \(spent)")
  }
}
