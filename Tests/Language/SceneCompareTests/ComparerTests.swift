// SPDX-License-Identifier: MIT
import SceneCheck
import SceneCompare
import SceneTestSupport
import SceneText
import Testing

@Suite("Causes of differences", .cpuBudget(seconds: 1)) struct ComparerTests {
  private func side(_ text: String) throws -> SceneSide {
    var options = CheckOptions()
    options.recordsElements = true
    let checked = checked(text, options)
    return SceneSide(
      try #require(checked.model), record: try #require(checked.record),
      sources: [SourceFile(name: "a.scene", text: text)], metrics: FixedMetrics())
  }

  /// Every range has one frame and 11 elements: the scene and ten boxes.
  @Test(arguments: [(110, 0), (109, 1), (22, 8), (0, 10)])
  func searchesEndAtALimit(_ limit: Int, _ count: Int) throws {
    func scene(_ color: String) -> String {
      """
      scene { size: 64x64;  fps: 10;  for: 10s
        for n in 0..10 { rect box { at: n * 1s;  for: 1f;  fill: \(color) } }
      }
      """
    }
    var comparer = Comparer(try side(scene("red")), try side(scene("blue")))
    let comparison = comparer.comparison(mostElements: limit)
    #expect(comparison.ranges.count == 10 && comparison.unexaminedCount == count)
    for (index, range) in comparison.ranges.enumerated() {
      #expect(range.elements.isEmpty == (index >= 10 - count))
    }
  }

  /// A thousand ranges with as many elements stay below the limit.
  @Test func theLimitIsHigh() {
    #expect(Comparer.mostElements >= 1000 * 1100 * 3)
  }
}
