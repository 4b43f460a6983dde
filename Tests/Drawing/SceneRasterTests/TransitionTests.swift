// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneLibrary
import SceneTestSupport
import Testing

/// Tests that every transition of the library starts with only the old clip and ends with only the
/// new one.
@Suite(.cpuBudget(seconds: 2)) struct TransitionTests {
  /// The names of all transitions, as declared in their files.
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
    // At 1000 fps, the first and last steps are small for any motion.
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
      return Pixels.difference(pixels, other, limit: 255).mean
    }
    #expect(try difference(501, old) < 4)
    #expect(try difference(998, new) < 4)
    #expect(try difference(700, old) > 3)
    #expect(try difference(700, new) > 3)
  }

  /// Where a wipe has revealed a new clip without a background, the old clip is not visible.
  @Test(arguments: ["wipe(left)", "wipe(right)", "wipe(top)", "wipe(bottom)", "iris()"])
  func theOldClipEndsWhereTheNewOneBegins(_ name: String) throws {
    let drawing = try Drawing(
      """
      scene {
          size: 80x60;  fps: 1000;  background: black
          sequence {
              rect { for: 1s;  size: 100%;  fill: white }
              group { for: 1s;  transition: \(name) over 0.5s with linear }
          }
      }
      """)
    let counts = try [501, 600, 750, 900, 998].map { frame in
      let pixels = try drawing.pixels(frame)
      return stride(from: 0, to: pixels.count, by: 4).count { pixels[$0] > 127 }
    }
    #expect(counts == counts.sorted(by: >), "\(counts)")
    #expect(counts[0] > 4700 && counts[2] < 3400 && counts[4] < 300, "\(counts)")
  }

  /// Returns whether the white new clip is visible at a position, after a fraction of the
  /// transition. x and y are in 0 to 1, with y upward as in GLSL. The old clip is black.
  private func shows(_ transition: String, _ progress: Double) throws -> (Double, Double) -> Bool {
    let drawing = try Drawing(
      """
      import "std/gl-transitions.scene"
      scene {
          size: 160x90;  fps: 1000
          sequence {
              rect { for: 1s;  size: 100%;  fill: black }
              rect { for: 1s;  size: 100%;  fill: white;  transition: \(transition) over 0.5s with linear }
          }
      }
      """)
    let pixels = try drawing.pixels(500 + Int((progress * 500).rounded()))
    return { x, y in pixels[4 * (160 * Int((1 - y) * 90) + Int(x * 160))] > 127 }
  }

  /// Positions around the center with their angles in the stretched frame, counterclockwise.
  private static let places = (0..<72).map { index -> (angle: Double, x: Double, y: Double) in
    let angle = (Double(index) + 0.5) * 5 * Double.pi / 180
    return (angle, 0.5 + 0.4 * Math.cos(angle), 0.5 + 0.4 * Math.sin(angle))
  }

  @Test(arguments: [0.2, 0.5, 0.7])
  func thePinwheelTurnsAsTheOriginal(_ progress: Double) throws {
    let isNew = try shows("pinwheel", progress)
    for place in Self.places {
      let blade = Double.pi / 4
      let angle = place.angle + 2 * progress
      let part = angle - (angle / blade).rounded(.down) * blade
      // Skips the soft edges.
      guard abs(part - progress) > 0.04, part > 0.04, part < blade - 0.04 else { continue }
      #expect(isNew(place.x, place.y) == (part < progress), "\(place)")
    }
  }

  @Test(arguments: [0.25, 0.6])
  func theHandOfAngularTurnsAsTheOriginal(_ progress: Double) throws {
    let isNew = try shows("angular", progress)
    for place in Self.places {
      let turned = (place.angle - Double.pi / 2) / (2 * Double.pi)
      let share = turned - turned.rounded(.down)
      guard abs(share - progress) > 0.02, share > 0.02, share < 0.98 else { continue }
      #expect(isNew(place.x, place.y) == (share < progress), "\(place)")
    }
  }

  @Test(arguments: [("scale-in", 0.35, true), ("doorway", 0.3, false)])
  func theNewClipHasTheSizeOfTheOriginal(_ row: (name: String, x: Double, isSeen: Bool)) throws {
    // Halfway, a square with a fifth of the width is twice as large, or half as large behind the
    // doors.
    let drawing = try Drawing(
      """
      import "std/gl-transitions.scene"
      scene {
          size: 160x90;  fps: 1000
          sequence {
              rect { for: 1s;  size: 100%;  fill: black }
              group {
                  for: 1s;  transition: \(row.name) over 0.5s with linear
                  rect { size: 100%;  fill: black }
                  rect { size: (20%, 50%);  fill: white }
              }
          }
      }
      """)
    let line = try drawing.pixels(750)[(4 * 160 * 45)..<(4 * 160 * 46)]
    let bright = (0..<160).filter { line[line.startIndex + 4 * $0] > 60 }
    #expect(abs(bright.count - (row.isSeen ? 64 : 16)) <= 2, "\(bright)")
  }

  /// Content outside the frame of a clip is not visible in the other clip.
  @Test(arguments: ["left", "right", "top"]) func pushedClipsDoNotOverlap(_ side: String) throws {
    let drawing = try Drawing(
      """
      scene {
          size: 160x90;  fps: 100;  background: black
          sequence {
              rect { for: 1s;  size: 100%;  fill: #806040;  scale: 1.2 }
              rect {
                  for: 1s;  size: 100%;  fill: #406080;  scale: 1.2
                  transition: push(from: \(side)) over 0.5s with linear
              }
          }
      }
      """)
    for frame in stride(from: 50, to: 100, by: 7) {
      let pixels = try drawing.pixels(frame)
      let isAcross = side != "top"
      let line = (0..<(isAcross ? 160 : 90)).map {
        pixels.rgb(isAcross ? $0 : 80, isAcross ? 45 : $0, width: 160)
      }
      #expect(line.count { $0 != [0x80, 0x60, 0x40] && $0 != [0x40, 0x60, 0x80] } <= 1)
      let new = Double(line.count { $0 == [0x40, 0x60, 0x80] })
      #expect(abs(new - Double(line.count * (frame - 50)) / 50) <= 2)
    }
  }

  /// Clips that share the pixels of an edge show nothing of the background there.
  @Test(arguments: ["left", "top"]) func pushHasNoSeam(_ side: String) throws {
    let drawing = try Drawing(
      """
      scene {
          size: 160x90;  fps: 100;  background: black
          sequence {
              rect { for: 1s;  size: 100%;  fill: #c0c0c0 }
              rect { for: 1s;  size: 100%;  fill: #c0c0c0;  transition: push(from: \(side)) over 0.5s }
          }
      }
      """)
    for frame in stride(from: 50, to: 100, by: 3) {
      let pixels = try drawing.pixels(frame)
      for x in 0..<160 {
        for y in [10, 45, 80] {
          #expect(pixels.rgb(x, y, width: 160).allSatisfy { abs($0 - 0xC0) <= 1 }, "\(frame) \(x)")
        }
      }
    }
  }
}
