// SPDX-License-Identifier: MIT
import Foundation
import SceneGraphics
import SceneCheck
import SceneModel
import SceneTestSupport
import Testing

/// Compares CSS colors in the notation of scenes with the results of Chromium.
@Suite("Color conformance", .cpuBudget(seconds: 1)) struct ColorConformanceTests {
  /// Translates `rgb(1 2 3 / 50%)` and similar colors; `nil` for unsupported syntax.
  static func translated(_ css: String) -> String? {
    let text = css.trimmingCharacters(in: .whitespaces)
    guard text == text.lowercased(), !text.contains("\\"), !text.contains("none"),
      !text.contains("calc"), !text.contains("/*")
    else { return nil }
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return text }
    var name = String(text[..<open])
    if name == "rgba" || name == "hsla" { name.removeLast() }
    guard ["rgb", "hsl", "oklch"].contains(name) else { return nil }
    let inner = text[text.index(after: open)...].dropLast()
    var parts = inner.split { " ,/\t\n".contains($0) }.map(String.init)
    guard parts.count >= 3 else { return nil }
    // A sign or point without digits and units such as `grad` exist only in CSS.
    parts = parts.map { part in
      var it = part.hasPrefix("+") ? String(part.dropFirst()) : part
      if it.hasPrefix(".") { it = "0" + it }
      if it.hasPrefix("-.") { it = "-0" + it.dropFirst() }
      return it
    }
    if parts.contains(where: { $0.hasSuffix("grad") || $0.hasSuffix(".") }) { return nil }
    if name == "hsl", Double(parts[0]) != nil { parts[0] += "deg" }
    if name == "hsl" {
      for index in 1...2 where Double(parts[index]) != nil { parts[index] += "%" }
    }
    if name == "oklch", Double(parts[2]) != nil { parts[2] += "deg" }
    if name == "oklch", parts[1].hasSuffix("%") {
      // 100% of chroma is 0.4 in CSS.
      parts[1] = "\((Double(parts[1].dropLast()) ?? 0) * 0.004)"
    }
    return "\(name)(\(parts.joined(separator: ", ")))"
  }

  private func color(_ written: String) -> Color? {
    guard let model = checked(scene("rect { fill: \(written) }")).model,
      case .outline(_, let fill, _, _, _, _) = model.elements[0].drawing,
      case .color(let color)? = fill
    else { return nil }
    return color.constant
  }

  @Test func parse() throws {
    var count = 0
    for row in try ConformanceTable("color/parse.tsv").rows {
      guard ["rgb", "hsl", "hex", "named", "oklch"].contains(row["feature"] ?? ""),
        row["outcome"] == "valid", let css = row["input"], let written = Self.translated(css),
        let hex = row["rgba8"], let wanted = Color(hexDigits: hex.dropFirst())
      else { continue }
      if css.contains("currentcolor") { continue }
      let own = try #require(color(written), "\(css) as \(written)")
      let pairs = [
        (own.red, wanted.red), (own.green, wanted.green), (own.blue, wanted.blue),
        (own.alpha, wanted.alpha),
      ]
      for (a, b) in pairs {
        #expect(abs((a * 255).rounded() - b * 255) <= 1, "\(css): \(own)")
      }
      count += 1
    }
    #expect(count > 500)
  }

  @Test func color3Keywords() throws {
    var count = 0
    for row in try ConformanceTable("color/color3.tsv").rows {
      guard let css = row["input"], css.allSatisfy({ $0.isLetter && $0.isLowercase }),
        css != "currentcolor", row["outcome"] == "valid"
      else { continue }
      let channels = (row["rgba_floats"] ?? "").split(separator: ",").map { text -> Double in
        let parts = text.split(separator: "/").compactMap { Double($0) }
        return parts.count == 2 ? parts[0] / parts[1] : parts.first ?? -1
      }
      let own = try #require(Color(name: css), "\(css)")
      // Some rows contain bytes for red, green and blue, others fractions.
      let isBytes = channels.prefix(3).contains { $0 > 1 }
      let scale = isBytes ? 255.0 : 1
      let values = [own.red * scale, own.green * scale, own.blue * scale, own.alpha]
      for (a, b) in zip(values, channels) {
        #expect(abs(a - b) < 0.01, "\(css)")
      }
      count += 1
    }
    #expect(count > 100)
  }

  @Test(arguments: ["#12", "#12345", "#ggg", "rgb(1, 2)", "nocolor"])
  func invalid(_ written: String) { #expect(color(written) == nil) }
}
