// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneTestSupport
import Testing

@Suite("Colors", .cpuBudget(seconds: 1)) struct ColorTests {
  @Test func okLabRoundTrip() {
    for red in stride(from: 0.0, through: 1, by: 0.25) {
      for green in stride(from: 0.0, through: 1, by: 0.25) {
        for blue in stride(from: 0.0, through: 1, by: 0.25) {
          let color = Color(red: red, green: green, blue: blue)
          let back = OKLab(color).color(alpha: 1)
          #expect(abs(back.red - red) < 1e-5)
          #expect(abs(back.green - green) < 1e-5)
          #expect(abs(back.blue - blue) < 1e-5)
        }
      }
    }
  }

  /// Known OKLab coordinates from the article that defines the color space.
  @Test func okLabOfWhite() {
    let white = OKLab(.white)
    #expect(abs(white.l - 1) < 1e-4)
    #expect(abs(white.a) < 1e-4)
  }

  @Test func mixingIsExactAtTheEnds() {
    let (a, b) = (Color(hex: 0xFF8A3D), Color(hex: 0x1B2A49))
    for space in ColorSpace.allCases {
      #expect(space.mix(a, b, at: 0) == a)
      #expect(space.mix(a, b, at: 1) == b)
    }
  }

  @Test func aClearEndHasNoHue() {
    let faded = ColorSpace.srgb.mix(
      Color(red: 1, green: 0, blue: 0, alpha: 0), Color(red: 0, green: 0, blue: 1), at: 0.5)
    #expect(faded == Color(red: 0, green: 0, blue: 1, alpha: 0.5))
  }

  @Test func hexForms() {
    #expect(Color(hexDigits: "f00") == Color(red: 1, green: 0, blue: 0))
    #expect(Color(hexDigits: "ff000080")?.alpha == 128.0 / 255)
    #expect(Color(hexDigits: "ff00") == Color(red: 1, green: 1, blue: 0, alpha: 0))
    #expect(Color(hexDigits: "12345") == nil)
    #expect(Color(hex: 0x0A0B0C).hexDescription == "#0a0b0c")
  }
}
