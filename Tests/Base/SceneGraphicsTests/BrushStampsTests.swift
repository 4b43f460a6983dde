// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneTestSupport
import Testing

/// The positions of stamps along paths.
@Suite("Stamps of brushes", .cpuBudget(seconds: 1)) struct BrushStampsTests {
  private let line: Path = {
    var path = Path()
    path.move(Point(0, 0))
    path.line(Point(100, 0))
    path.line(Point(100, 100))
    return path
  }()

  private func stamps(
    _ path: Path, spacing: Double, where isDrawn: (Double) -> Bool = { _ in true }
  ) -> [BrushStamps.Stamp] {
    var found: [BrushStamps.Stamp] = []
    BrushStamps(along: path, spacing: spacing).forEach(where: isDrawn) { found.append($0) }
    return found
  }

  @Test func stampsFollowThePath() {
    let found = stamps(line, spacing: 40)
    #expect(found.map(\.position) == [0, 40, 80, 120, 160, 200])
    #expect(found.map(\.center).last == Point(100, 100))
    #expect(found.map(\.degrees) == [0, 0, 0, 90, 90, 90])
    #expect(found.map(\.index) == [0, 1, 2, 3, 4, 5])
  }

  @Test func theSelectionMovesNothing() {
    let all = stamps(line, spacing: 7)
    let some = stamps(line, spacing: 7) { $0 > 50 && $0 < 120 }
    #expect(some.map(\.index) == all.filter { $0.position > 50 && $0.position < 120 }.map(\.index))
    #expect(some.allSatisfy { $0.center == all[$0.index].center })
  }

  @Test(arguments: [9.0, 10, 13.7, 77]) func closedOutlinesHaveNoSeam(_ spacing: Double) {
    let found = stamps(Path.ellipse(center: .zero, 50, 50), spacing: spacing)
    let distances = found.indices.map {
      found[$0].center.distance(to: found[($0 + 1) % found.count].center)
    }
    let (least, most) = (distances.min() ?? 0, distances.max() ?? 0)
    #expect(most - least < 0.01 * most)
    #expect(abs(Double(found.count) - 100 * .pi / spacing) <= 0.51)
  }

  @Test func eachSubpathStartsAnew() {
    var path = line
    path.move(Point(0, 300))
    path.line(Point(30, 300))
    let found = stamps(path, spacing: 60)
    #expect(found.map(\.position) == [0, 60, 120, 180, 200])
    #expect(found.last?.center == Point(0, 300))
  }

  @Test(arguments: [0, -5, 1e-9, Double.nan, .infinity]) func countsAreBounded(_ spacing: Double) {
    let stamps = BrushStamps(along: line, spacing: spacing)
    #expect(stamps.count <= BrushStamps.greatestCount)
    #expect(stamps.count >= 1)
    #expect(BrushStamps(along: Path(), spacing: spacing).count == 0)
  }

  @Test func variationsDependOnTheSeed() {
    let all = (0..<500).map { BrushStamps.Variation(of: $0, seed: 1) }
    let values = all.flatMap { [$0.shift.x, $0.shift.y, $0.size, $0.turn] }
    #expect(values.allSatisfy { (-1...1).contains($0) })
    let sum = values.reduce(0, +)
    #expect(abs(sum) < 100)
    #expect(all[3].size != BrushStamps.Variation(of: 3, seed: 2).size)
    #expect(all[3].size == BrushStamps.Variation(of: 3, seed: 1).size)
  }
}
