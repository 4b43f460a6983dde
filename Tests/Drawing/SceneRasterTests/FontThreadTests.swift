// SPDX-License-Identifier: MIT
import SceneCairo
import SceneIR
import SceneModel
import SceneRaster
import SceneTestSupport
import Testing

/// Texts in many fonts on several threads.
@Suite("Fonts of several threads", .cpuBudget(seconds: 2)) struct FontThreadTests {
  /// Font files of fonts-lmodern and fonts-inter: more than Cairo keeps open.
  private static let fonts: [FontSpec] =
    [
      "Latin Modern Roman", "Latin Modern Sans", "Latin Modern Mono", "Latin Modern Mono Prop",
      "Latin Modern Roman Slanted", "Latin Modern Roman Caps", "Latin Modern Roman Dunhill",
      "Latin Modern Roman Demi", "Latin Modern Mono Slanted", "Latin Modern Mono Caps", "Inter",
      "Inter Display", "JetBrains Mono", "DejaVu Sans", "DejaVu Serif",
    ].flatMap { family in
      [400, 700].flatMap { weight in
        [false, true].map { FontSpec(families: [family], size: 20, weight: weight, italic: $0) }
      }
    }

  /// The number of texts of each thread: four of each font.
  private static let rounds = 4 * fonts.count

  @Test func manyFacesAreUsedAtOnce() async {
    let library = FontLibrary()
    let inks = await withTaskGroup(of: [Int].self) { group in
      for task in 0..<4 {
        group.addTask {
          let metrics = PangoMetrics(library)
          return (0..<Self.rounds).map { round in
            let font = Self.fonts[(round * 7 + task * 13) % Self.fonts.count]
            let letters = String(UnicodeScalar(UInt8(33 + (round + task) % 90)))
            let size = Double(10 + round % 37)
            let spec = FontSpec(
              families: font.families, size: size, weight: font.weight, italic: font.italic)
            let extent = metrics.measure(TextBlock(runs: [TextRun("A\(letters)g", font: spec)]))
            return extent.width > 0 ? 1 : 0
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(inks.count == 4 * Self.rounds)
    #expect(inks.allSatisfy { $0 == 1 })
  }
}
