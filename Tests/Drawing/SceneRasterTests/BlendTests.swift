// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneCairo
import SceneFiles
import SceneRaster
import SceneTestSupport
import Testing

/// Tests blend modes against the formulas of Compositing and Blending Level 1.
@Suite("Blending", .cpuBudget(seconds: 1)) struct BlendTests {
  /// Returns the result for one channel of an opaque source and backdrop; `nil` for modes that
  /// combine the channels.
  private func separable(_ mode: BlendMode, _ b: Double, _ s: Double) -> Double? {
    switch mode {
    case .normal: return s
    case .multiply: return b * s
    case .screen: return b + s - b * s
    case .overlay: return separable(.hardLight, s, b)
    case .darken: return min(b, s)
    case .lighten: return max(b, s)
    case .colorDodge: return b == 0 ? 0 : s == 1 ? 1 : min(1, b / (1 - s))
    case .colorBurn: return b == 1 ? 1 : s == 0 ? 0 : 1 - min(1, (1 - b) / s)
    case .hardLight: return s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1)
    case .softLight:
      if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
      let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
      return b + (2 * s - 1) * (d - b)
    case .difference: return abs(b - s)
    case .exclusion: return b + s - 2 * b * s
    case .plusLighter: return min(1, b + s)
    default: return nil
    }
  }

  @Test(arguments: BlendMode.allCases) func asCSSSays(_ mode: BlendMode) throws {
    let (below, above) = ((0.8, 0.4, 0.2), (0.6, 0.2, 0.8))
    func css(_ c: (Double, Double, Double)) -> String {
      "rgb(\(c.0 * 255), \(c.1 * 255), \(c.2 * 255))"
    }
    let drawing = try Drawing(
      """
      scene { size: 32x32;  for: 1s;  background: \(css(below))
        rect { size: 100%;  fill: \(css(above));  blend: \(mode.rawValue) }
      }
      """)
    let program = drawing.program()
    let canvas = try Canvas(program.size, isOpaque: true, resources: drawing.resources)
    try canvas.draw(program)
    let pixel = canvas.rgba()[0..<3].map { Double($0) / 255 }
    let pairs = [(below.0, above.0), (below.1, above.1), (below.2, above.2)]
    for (found, (b, s)) in zip(pixel, pairs) {
      guard let wanted = separable(mode, b, s) else { continue }
      #expect(abs(found - wanted) < 2.5 / 255, "\(mode): \(found) is not \(wanted)")
    }
    func luminance(_ c: [Double]) -> Double { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }
    let source = [above.0, above.1, above.2]
    let backdrop = [below.0, below.1, below.2]
    switch mode {
    case .hue, .saturation, .color:
      #expect(abs(luminance(pixel) - luminance(backdrop)) < 3 / 255.0)
    case .luminosity: #expect(abs(luminance(pixel) - luminance(source)) < 3 / 255.0)
    default: break
    }
  }
}
