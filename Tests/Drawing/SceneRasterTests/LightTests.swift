// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneTestSupport
import Testing

/// Layers in linear light, compared with formulas in double precision.
@Suite("Light", .cpuBudget(seconds: 1)) struct LightTests {
  /// A color with straight channels and alpha in `0...1`.
  private struct Paint {
    var channels: [Double]
    var alpha: Double

    /// Returns a random color whose values are multiples of 1/255.
    static func random(_ pick: inout Generator, alpha: ClosedRange<Int>) -> Paint {
      Paint(
        channels: (0..<3).map { _ in Double(Int.random(in: 0...255, using: &pick)) / 255 },
        alpha: Double(Int.random(in: alpha, using: &pick)) / 255)
    }

    var css: String {
      let parts = channels.map { "\(Int(($0 * 255).rounded()))" }.joined(separator: ", ")
      return "alpha(rgb(\(parts)), \(alpha))"
    }
  }

  /// An element that covers the pixels 0 to 31 of a row, with a shadow without blur from 16 to 47.
  private struct Layer {
    let fill: Paint
    let shadow: Paint?
    let opacity: Double
    let blend: BlendMode

    init(_ pick: inout Generator) {
      shadow = Bool.random(using: &pick) ? .random(&pick, alpha: 60...255) : nil
      // Pixels above a shadow have 8 bits.
      fill = .random(&pick, alpha: shadow == nil ? 20...255 : 255...255)
      opacity = Double(Int.random(in: 20...100, using: &pick)) / 100
      blend = [.normal, .normal, .plusLighter, .screen, .multiply].randomElement(using: &pick)!
    }

    var scene: String {
      let cast = shadow.map { "shadow: shadow(offset: (16, 0), blur: 0, color: \($0.css));  " }
      return """
        rect {
            position: (0, 0);  anchor: top-left;  size: 32x4;  fill: \(fill.css)
            opacity: \(opacity);  blend: \(blend.rawValue);  \(cast ?? "")
            light: linear
        }
        """
    }

    /// Returns the color of an opaque backdrop with the layer at a pixel.
    func over(_ backdrop: [Double], at x: Int) -> [Double] {
      let own = x < 32 ? fill.alpha : 0
      let cast = x >= 16 && x < 48 ? (shadow?.alpha ?? 0) * fill.alpha * (1 - own) : 0
      let alpha = own + cast
      if alpha == 0 { return backdrop }
      return (0..<3).map { channel in
        let below = decoded(backdrop[channel])
        let above =
          (decoded(fill.channels[channel]) * own
            + decoded(shadow?.channels[channel] ?? 0) * cast) / alpha
        let mixed =
          switch blend {
          case .multiply: below * above
          case .screen: 1 - (1 - below) * (1 - above)
          default: above
          }
        let share = alpha * opacity
        let sum = blend == .plusLighter ? below : below * (1 - share)
        return encoded(min(1, sum + mixed * share))
      }
    }

    private func decoded(_ s: Double) -> Double {
      return s <= 0.04045 ? s / 12.92 : Math.pow((s + 0.055) / 1.055, 2.4)
    }

    private func encoded(_ l: Double) -> Double {
      return l <= 0.0031308 ? 12.92 * l : 1.055 * Math.pow(l, 1 / 2.4) - 0.055
    }
  }

  /// Random stacks differ from the formulas by at most one step.
  @Test func stacksAreExact() throws {
    var pick = Generator(seed: 41)
    for number in 0..<(Soak.isRunning ? 200 : 80) {
      let ground = Paint.random(&pick, alpha: 255...255)
      let layers = (0..<Int.random(in: 1...2, using: &pick)).map { _ in Layer(&pick) }
      let drawing = try Drawing(
        """
        scene { size: 64x4;  for: 1s;  background: \(ground.css)
        \(layers.map(\.scene).joined(separator: "\n"))
        }
        """)
      let pixels = try drawing.pixels()
      for x in [8, 24, 40, 56] {
        let wanted = layers.reduce(ground.channels) { $1.over($0, at: x) }
        for channel in 0..<3 {
          let difference = Double(pixels[(64 + x) * 4 + channel]) - wanted[channel] * 255
          #expect(
            abs(difference) <= 1,
            "stack \(number), pixel \(x), channel \(channel): \(difference)\n\(layers.map(\.scene))"
          )
        }
      }
    }
  }

  /// The middle of a blurred edge has half of the light.
  @Test(arguments: [8, 20, 60]) func blursAverageLight(_ deviation: Int) throws {
    let drawing = try Drawing(
      """
      scene { size: 400x40;  for: 1s;  background: black
          rect { position: (200, -400);  anchor: top-left;  size: 1000;  fill: white
                 filter: blur(\(deviation));  light: linear }
      }
      """)
    let pixels = try drawing.pixels()
    for step in -2...2 {
      let x = 200 + step * deviation / 2
      // The mean of both pixels at the position.
      let found = (Double(pixels[(20 * 400 + x) * 4]) + Double(pixels[(20 * 400 + x - 1) * 4])) / 2
      // The integral of the Gaussian up to 0, 1/2 and 1 deviations.
      let upTo = [0.5, 0.691462, 0.841345][abs(step)]
      let light = step < 0 ? 1 - upTo : upTo
      let wanted = 255 * (1.055 * Math.pow(light, 1 / 2.4) - 0.055)
      #expect(abs(found - wanted) <= 3, "\(step): \(found) instead of \(wanted)")
    }
  }

  /// The middle of a dissolve, by default and in linear light.
  @Test(arguments: [("dissolve", 128.0), ("dissolve(light: linear)", 188)])
  func dissolves(_ transition: String, _ wanted: Double) throws {
    let drawing = try Drawing(
      """
      scene { size: 40x40;  fps: 10;  background: #400000
          sequence { transition: \(transition) over 1s
              rect { for: 2s;  size: 100%;  fill: black }
              rect { for: 2s;  size: 100%;  fill: white }
          }
      }
      """)
    let pixels = try drawing.pixels(15)
    for channel in 0..<3 {
      let found = Double(pixels[(20 * 40 + 20) * 4 + channel])
      #expect(abs(found - wanted) <= 1, "\(found)")
    }
  }

  /// A layer in a rounded clip and on a transparent canvas has the same colors.
  @Test func clipsAndTransparencyKeepLight() throws {
    let body =
      "rect { size: 100%;  fill: red }\n"
      + "rect { size: 100%;  fill: lime;  opacity: 0.5;  light: linear }"
    for (head, open) in [
      ("background: black", "group {"), ("background: none", "group {"),
      ("background: black", "group { size: 100%;  clip { circle { radius: 20 } }"),
    ] {
      let drawing = try Drawing("scene { size: 40x40;  for: 1s;  \(head)\n\(open)\n\(body) } }")
      let pixels = try drawing.pixels()
      let at = (20 * 40 + 20) * 4
      #expect(Array(pixels[at..<(at + 4)]) == [188, 188, 0, 255], "\(head) \(open)")
    }
  }
}
