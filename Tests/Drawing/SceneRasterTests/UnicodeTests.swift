// SPDX-License-Identifier: MIT
import Foundation
import SceneGraphics
import SceneIR
import SceneModel
import SceneCairo
import SceneFiles
import SceneRaster
import SceneTestSupport
import Testing

/// Runs the test files of the Unicode Character Database (Debian's package unicode-data).
@Suite("Unicode", .cpuBudget(seconds: 4)) struct UnicodeTests {
  private static let folder = "/usr/share/unicode/"

  private func lines(_ file: String) throws -> [Substring] {
    let text = try String(contentsOfFile: Self.folder + file, encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
  }

  private func text(_ codes: some StringProtocol) -> String {
    var result = String.UnicodeScalarView()
    for code in codes.split(separator: " ") {
      if let value = UInt32(code, radix: 16), let scalar = Unicode.Scalar(value) {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private let metrics = PangoMetrics(FontLibrary())

  private func block(_ text: String) -> TextBlock {
    TextBlock(runs: [TextRun(text, font: FontSpec(families: ["Inter", "sans-serif"], size: 32))])
  }

  /// `each glyph` counts the grapheme clusters of UAX 29, except white space.
  @Test func graphemeClusters() throws {
    var count = 0
    var wrong: [String] = []
    for line in try lines("auxiliary/GraphemeBreakTest.txt") {
      let rule = line.split(separator: "#")[0]
      let clusters = rule.split(separator: "÷").map { text($0.replacing("×", with: " ")) }
        .filter { !$0.isEmpty }
      let whole = clusters.joined()
      // Control characters and line ends are not glyphs.
      guard !whole.unicodeScalars.contains(where: { $0.value < 0x20 || $0.properties.isWhitespace })
      else { continue }
      count += 1
      if metrics.count(.glyph, in: block(whole)) != clusters.count { wrong.append(String(rule)) }
    }
    #expect(count > 300)
    // Swift's standard library splits two joined dingbats.
    #expect(wrong.allSatisfy { $0.contains("2701 × 200D × 2701") }, "\(wrong)")
  }

  /// Line breaks follow UAX 14. Words in Thai and similar scripts require a dictionary instead.
  @Test func lineBreaks() throws {
    var count = 0
    var wrong: [String] = []
    for line in try lines("auxiliary/LineBreakTest.txt") where !line.contains("(SA_") {
      let rule = line.prefix { $0 != "#" }
      let marks = rule.split(whereSeparator: \.isWhitespace).filter { $0 == "÷" || $0 == "×" }
      // Every test has no break at the start and a break at the end.
      let expected = marks.dropFirst().dropLast().map { $0 == "÷" }
      let whole = text(rule.replacing("÷", with: " ").replacing("×", with: " "))
      count += 1
      if metrics.lineBreaks(in: block(whole)) != expected { wrong.append(String(line)) }
    }
    #expect(count > 7000)
    #expect(wrong.prefix(3) == [])
  }

  /// Every fully-qualified emoji is one unit and a single glyph of the color font.
  @Test func emojiAreOneGlyph() throws {
    guard FontLibrary().families.contains("Noto Color Emoji") else { return }
    var count = 0
    var apart: [String] = []
    for line in try lines("emoji/emoji-test.txt") where line.contains("; fully-qualified") {
      let emoji = text(line.prefix { $0 != ";" })
      count += 1
      let block = block(emoji)
      let isOne =
        metrics.count(.glyph, in: block) == 1 && metrics.unknownGlyphCount(block) == 0
        && metrics.measure(block).width < 32 * 1.6
      if !isOne { apart.append(emoji) }
    }
    #expect(count > 3500)
    #expect(apart.isEmpty, "\(apart.count): \(apart.prefix(20))")
  }

  /// Long words are broken without inserted characters.
  @Test func wordsAreBrokenWithoutHyphens() throws {
    for word in ["withoutanybreaks", "Donaudampfschifffahrtsgesellschaft", "aaaa-bbbb-cccc"] {
      func width(_ text: String, _ width: Double?) -> Int {
        let block = TextBlock(
          runs: [TextRun(text, font: FontSpec(families: ["Inter"], size: 30))], width: width)
        return metrics.outline(of: block).elements.count
      }
      #expect(width(word, nil) == width(word, 120), "\(word)")
    }
  }
}
