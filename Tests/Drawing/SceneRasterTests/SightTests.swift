// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneTestSupport
import SceneText
import Testing

/// Points of elements in space, read from other planes, lie where the viewer sees them.
@Suite("Sight", .cpuBudget(seconds: 2)) struct SightTests {
  private static let size = (width: 480, height: 360)

  /// Returns the center of the pixels that are brighter than half; `nil` if five or fewer are.
  private func center(_ body: String, perspective: String) throws -> Point? {
    let pixels = try Drawing(
      """
      scene { size: \(SightTests.size.width)x\(SightTests.size.height);  for: 1s;  fps: 10
        background: black;  perspective: \(perspective)
      \(body) }
      """
    ).pixels()
    var (sum, count) = (Point.zero, 0.0)
    for index in 0..<SightTests.size.width * SightTests.size.height
    where pixels[4 * index] > 127 {
      sum =
        sum
        + Point(
          Double(index % SightTests.size.width) + 0.5, Double(index / SightTests.size.width) + 0.5)
      count += 1
    }
    return count > 5 ? sum * (1 / count) : nil
  }

  private func angle(_ random: inout Generator, _ most: Int) -> String {
    "\(Int.random(in: -most...most, using: &random))deg"
  }

  /// Returns the head of a random group or camera in space.
  private func head(_ random: inout Generator, name: String) -> String {
    let place = "position: (\(Int.random(in: 35...65, using: &random))%, 50%);  size: 260x220"
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return "group \(name) { \(place);  rotate-y: \(angle(&random, 60))"
    case 1:
      return "group \(name) { \(place);  rotate-x: \(angle(&random, 50));  rotate: "
        + angle(&random, 90)
    case 2:
      return "group \(name) { \(place);  translate-z: \(Int.random(in: -300...90, using: &random))"
    case 3:
      return "group \(name) { \(place);  rotate-y: \(angle(&random, 40));  perspective: "
        + "\(Int.random(in: 300...900, using: &random))"
    default:
      return
        "camera \(name) { position: (50%, 50%);  size: 440x330;  orbit: (\(angle(&random, 40)), "
        + "\(angle(&random, 30)));  dolly: \(Int.random(in: -60...90, using: &random));  zoom: 0.9"
    }
  }

  @Test(arguments: 0..<24) func markersCoverTheirTargets(_ seed: Int) throws {
    var random = Generator(seed: UInt64(seed))
    let perspective = ["600", "auto", "none"].randomElement(using: &random) ?? "auto"
    let (outer, inner) = (head(&random, name: "a"), head(&random, name: "b"))
    let reader = head(&random, name: "c")
    func scene(_ target: String, _ marker: String) -> String {
      """
      \(outer)
        \(inner)
          circle dot { position: (60%, 40%);  radius: 5;  translate-z: 20;  fill: \(target) }
        }
      }
      \(reader)
        circle { position: a.b.dot;  radius: 5;  fill: \(marker) }
      }
      """
    }
    // Targets and markers behind the eye or outside a camera are not visible.
    guard let target = try center(scene("white", "none"), perspective: perspective),
      let marker = try center(scene("none", "white"), perspective: perspective)
    else { return }
    #expect(target.distance(to: marker) < 1.2, "\(target), \(marker): \(scene("white", "lime"))")
  }

  /// An arrow ends on the projected outline of an element.
  @Test(arguments: ["rotate-y: 50deg", "rotate-y: -70deg", "rotate-x: -60deg;  rotate: 30deg"])
  func arrowsEndOnProjectedOutlines(_ turn: String) throws {
    let width = 480
    func bright(_ page: String, _ arrow: String) throws -> [Bool] {
      let pixels = try Drawing(
        """
        scene { size: \(width)x360;  for: 1s;  background: black;  perspective: 500
          group card { size: 200x160;  \(turn);  rect page { size: 100%;  fill: \(page) } }
          for x in [20, 240, 460] {
            arrow { from: (x, 10);  to: card.page;  head: none;  stroke: \(arrow);  stroke-width: 2 }
          }
        }
        """
      ).pixels()
      return stride(from: 0, to: pixels.count, by: 4).map { pixels[$0] > 127 }
    }
    let page = try bright("white", "none")
    let lines = try bright("none", "white")
    #expect(page.count { $0 } > 4000)
    #expect(lines.count { $0 } > 200)
    #expect(zip(page, lines).count { $0 && $1 } < 6)
    // Each line ends within two pixels of the page.
    let near = lines.indices.filter { at in
      lines[at]
        && [0, 1, 2].contains { down in
          [-2, -1, 0, 1, 2].contains { right in
            let other = at + down * width + right
            return page.indices.contains(other) && page[other]
          }
        }
    }
    let columns = near.map { $0 % width }.sorted()
    let gaps = zip(columns, columns.dropFirst()).count { $1 - $0 > 12 }
    #expect(columns.count > 2 && gaps == 2, "\(columns)")
  }
}
