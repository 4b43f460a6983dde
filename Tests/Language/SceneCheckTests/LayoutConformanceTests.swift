// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneDiagnostics
import SceneIR
import SceneLower
import SceneTestSupport
import Testing

/// Compares rows and columns with Chromium: fixtures of Yoga, which Tests/Layout/convert.py
/// converts to scenes with the boxes of their elements.
@Suite("Layouts of others", .cpuBudget(seconds: 1)) struct LayoutConformanceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let scene: String
    /// Left, top, width and height of each element.
    let boxes: [[Double]]

    var testDescription: String { name }
  }

  private static let cases: [Case] = {
    let text = (try? Repository.text("Tests/Conformance/layout/yoga.txt")) ?? ""
    return text.components(separatedBy: "=== ").dropFirst().compactMap { part in
      let halves = part.components(separatedBy: "\n---\n")
      guard halves.count == 2, let line = halves[0].firstIndex(of: "\n") else { return nil }
      return Case(
        name: String(halves[0][..<line]), scene: String(halves[0][line...]),
        boxes: halves[1].split(separator: "\n").map {
          $0.split(separator: " ").compactMap { Double($0) }
        }
      )
    }
  }()

  /// Cases with different boxes, and the reason.
  private static let others: [String: String] = [
    "align_baseline_child_multiline_no_override_on_secondline": "the baseline of a second line",
    "flex_grow_within_constrained_min_row": "growing in a row that has only a least width",
    "rounding_inner_node_controversy_vertical": "growing in a column that has only one length",
    "percent_of_minmax_cross_stretched": "percentages of a length that follows from the content",
    "physical_and_relative_edge_defined": "percentages are of the box with its padding",
    "static_position_relative_child_containing_block_content_box":
      "percentages are of the box with its padding",
  ]

  @Test func thereAreEnough() {
    #expect(Self.cases.count >= 140 && Self.others.count * 20 <= Self.cases.count)
  }

  @Test(arguments: cases) func boxesAreThoseOfChromium(_ it: Case) throws {
    let found = try Self.boxes(of: it.scene)
    let isRight = it.boxes.enumerated().allSatisfy { number, box in
      // An element with an empty box is not drawn.
      guard box[2] > 0, box[3] > 0 else { return true }
      guard let own = found?[0x100000 + 0x1357 * (number + 1)] else { return false }
      return zip(own, box).allSatisfy { abs($0 - $1) <= 1 }
    }
    #expect(isRight == (Self.others[it.name] == nil), "\(String(describing: found))\(it.scene)")
  }

  /// Returns the boxes of all elements by color; `nil` if the scene has errors.
  private static func boxes(of scene: String) throws -> [Int: [Double]]? {
    let checked = checked("scene { size: 1000x1000;  for: 1s\n\(scene) }")
    guard !checked.diagnostics.hasErrors, let model = checked.model else { return nil }
    var lowerer = Lowerer(model, metrics: FixedMetrics())
    var boxes: [Int: [Double]] = [:]
    var shifts: [(indent: Int, x: Double, y: Double)] = [(-1, 0, 0)]
    for line in lowerer.lower(frame: 0).description.split(separator: "\n") {
      let indent = line.prefix { $0 == " " }.count
      while let last = shifts.last, last.indent >= indent { shifts.removeLast() }
      let words = line.dropFirst(indent).split { " []".contains($0) }
      let numbers = words.compactMap { Double($0) }
      let shift = try #require(shifts.last)
      if words.first == "transform" {
        #expect(numbers.prefix(4) == [1, 0, 0, 1], "\(line)")
        shifts.append((indent, shift.x + numbers[4], shift.y + numbers[5]))
      } else if words.starts(with: ["fill", "rect"]), let color = words.last?.dropFirst() {
        boxes[Int(color, radix: 16) ?? 0] = [
          shift.x + numbers[0], shift.y + numbers[1], numbers[2], numbers[3],
        ]
      }
    }
    return boxes
  }
}
