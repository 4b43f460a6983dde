// SPDX-License-Identifier: MIT
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Numbers are rounded to the nearest value, regardless of their number of digits.
@Suite("Numbers", .cpuBudget(seconds: 1)) struct NumberTests {
  private func value(_ text: String) -> Double? {
    let tree = parse(SourceFile(name: "x", text: "let a = \(text)")).tree
    guard case .letDecl(let it)? = declarations(of: tree).first,
      case .number(let value, _) = it.value.kind
    else { return nil }
    return value
  }

  @Test func everyLengthIsExact() {
    var digits: UInt64 = 7
    for count in 1...24 {
      for decimals in 0..<count {
        digits = digits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let all = String(repeating: String(digits), count: 2).prefix(count)
        let text =
          decimals == 0 ? String(all) : all.dropLast(decimals) + "." + all.suffix(decimals)
        let written = text.hasPrefix(".") ? "0" + text : text
        #expect(value(written) == Double(written), "\(written)")
      }
    }
  }

  @Test(arguments: [
    ("0", 0), ("007", 7), ("1_000.5", 1000.5), ("1_0e1_0", 1e11), ("1e-3", 0.001), ("2.5E+2", 250),
    ("123456789012345", 123_456_789_012_345), ("1234567890123456789", 1_234_567_890_123_456_768),
    ("40px", 40), ("0.1s", 0.1),
  ])
  func formsAreRead(_ text: String, _ meant: Double) { #expect(value(text) == meant) }
}
