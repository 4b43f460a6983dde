// SPDX-License-Identifier: MIT
import SceneLibrary
import SceneTestSupport
import Testing

/// Every transition of the library begins with the old clip alone and ends with the new one alone.
@Suite(.cpuBudget(seconds: 1)) struct TransitionTests {
  /// The names of all, as their files declare them.
  private static let names: [String] = ["transitions.scene", "gl-transitions.scene"].flatMap {
    String(decoding: Library.file($0) ?? [], as: UTF8.self).split(separator: "\n").compactMap {
      line in
      line.hasPrefix("transition ")
        ? String(line.dropFirst(11).prefix { $0 != "(" }) : nil
    }
  }

  @Test func thereAreMany() {
    #expect(Self.names.count > 40 && Set(Self.names).count == Self.names.count)
  }

  @Test(arguments: names)
  func isTheOldClipAtFirstAndTheNewOneAtLast(_ name: String) throws {
    // A thousand frames a second: the first and last steps are small, whatever moves.
    let drawing = try Drawing(
      """
      import "std/gl-transitions.scene"
      scene {
          size: 64x36;  fps: 1000
          sequence {
              rect { for: 1s;  size: 100%;  fill: linear-gradient(#204060, #c0a040, angle: 30deg) }
              rect {
                  for: 1s;  size: 100%;  fill: linear-gradient(#d05030, #30c0a0, angle: 120deg)
                  transition: \(name) over 0.5s with linear
              }
          }
      }
      """)
    let (old, new) = (try drawing.pixels(400), try drawing.pixels(1400))
    func difference(_ frame: Int, _ other: [UInt8]) throws -> Double {
      let pixels = try drawing.pixels(frame)
      return zip(pixels, other).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) }
        / Double(other.count)
    }
    #expect(try difference(501, old) < 4)
    #expect(try difference(998, new) < 4)
    #expect(try difference(700, old) > 3)
    #expect(try difference(700, new) > 3)
  }
}
