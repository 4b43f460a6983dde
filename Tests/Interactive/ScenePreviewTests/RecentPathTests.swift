// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel
import ScenePreview
import SceneTestSupport
import Testing

/// The derived paths that the threads of a revision share.
@Suite("Recent paths", .cpuBudget(seconds: 1)) struct RecentPathTests {
  private func model(_ radius: Double) -> DerivedPath {
    DerivedPath(.round(radius: .constant(radius)), [PathModel([])])
  }

  private func path(points: Int) -> Path {
    Path(
      (0..<points).map { $0 == 0 ? .move(.zero) : .line(Point(Double($0), 0)) })
  }

  @Test func pathsBelongToATime() {
    let paths = RecentPaths()
    paths.keep(path(points: 2), model(1), at: 10)
    paths.keep(path(points: 3), model(1), at: 20)
    #expect(paths.path(model(1), at: 10)?.elements.count == 2)
    #expect(paths.path(model(1), at: 20)?.elements.count == 3)
    #expect(paths.path(model(2), at: 10) == nil)
    #expect(paths.path(model(1), at: 30) == nil)
  }

  @Test func theLeastRecentTimeIsEvicted() {
    let paths = RecentPaths()
    for time in 1...4 { paths.keep(path(points: 2), model(1), at: Double(time)) }
    #expect(paths.path(model(1), at: 1) != nil)
    paths.keep(path(points: 2), model(1), at: 5)
    let known = (1...5).filter { paths.path(model(1), at: Double($0)) != nil }
    #expect(known == [1, 3, 4, 5])
  }

  @Test func theNumberOfPointsIsLimited() {
    let paths = RecentPaths(limit: 100)
    paths.keep(path(points: 60), model(1), at: 1)
    paths.keep(path(points: 60), model(1), at: 2)
    #expect(paths.path(model(1), at: 1) == nil)
    #expect(paths.path(model(1), at: 2) != nil)
    // The paths of one time also count together, and a replaced one does not count.
    paths.keep(path(points: 30), model(1), at: 2)
    paths.keep(path(points: 60), model(2), at: 2)
    #expect(paths.path(model(1), at: 2) != nil)
    for number in 3...20 {
      paths.keep(path(points: 60), model(Double(number)), at: 2)
      let known = (1...20).filter { paths.path(model(Double($0)), at: 2) != nil }
      #expect(known.count <= 2)
    }
    paths.keep(path(points: 101), model(1), at: 3)
    #expect(paths.path(model(1), at: 3) == nil)
  }
}
