// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel

/// Small images in hover texts: as characters, or as SVG if the client displays images.
enum Sketch {
  private static let bars = Array("▁▂▃▄▅▆▇█")

  /// Returns the curve of an easing.
  static func curve(_ easing: Easing, _ showsImages: Bool) -> String {
    guard showsImages else {
      return String(
        (0...15).map { step -> Character in
          let value = easing.value(at: Double(step) / 15)
          let share = value.isFinite ? max(0, min(1, value)) : 0
          return bars[Int((share * Double(bars.count - 1)).rounded())]
        })
    }
    let points = (0...40).map { step -> String in
      let x = Double(step) / 40
      let value = easing.value(at: x)
      let share = value.isFinite ? max(-0.4, min(1.4, value)) : 0
      return "\(text(4 + x * 152)),\(text(60 - share * 40))"
    }.joined(separator: " ")
    return picture(
      "<svg xmlns='http://www.w3.org/2000/svg' width='160' height='80'>"
        + "<path d='M4 60H156M4 20H156' stroke='#8888' fill='none'/>"
        + "<polyline points='\(points)' stroke='#4a9eff' stroke-width='2' fill='none'/></svg>")
  }

  /// Returns a color swatch.
  static func swatch(_ color: Color) -> String {
    picture(
      "<svg xmlns='http://www.w3.org/2000/svg' width='48' height='24'>"
        + "<rect width='48' height='24' rx='4' fill='\(color.clamped.hexDescription)'/></svg>")
  }

  private static func text(_ value: Double) -> String {
    NumberFormat().text((value * 10).rounded() / 10)
  }

  private static func picture(_ svg: String) -> String {
    "![](data:image/svg+xml;base64,\(base64(Array(svg.utf8))))"
  }

  /// Encodes bytes as Base64 (RFC 4648, section 4).
  private static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    var index = 0
    while index < bytes.count {
      let group = Array(bytes[index..<min(index + 3, bytes.count)])
      let bits = group.indices.reduce(0) { $0 | Int(group[$1]) << (16 - 8 * $1) }
      for place in 0..<4 {
        text.append(place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : "=")
      }
      index += 3
    }
    return text
  }
}
