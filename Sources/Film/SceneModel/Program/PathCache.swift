// SPDX-License-Identifier: MIT
package import SceneGraphics

/// Two paths between which an element interpolates.
package struct PathPair: Hashable {
  package let a: PathModel
  package let b: PathModel

  package init(_ a: PathModel, _ b: PathModel) {
    self.a = a
    self.b = b
  }
}

/// A store of derived paths that several evaluators of one program share. Computing an offset or a
/// union takes milliseconds.
package protocol DerivedPaths: AnyObject, Sendable {
  /// Returns the path at a time in ticks, if known.
  func path(_ model: DerivedPath, at time: Double) -> Path?

  func keep(_ path: Path, _ model: DerivedPath, at time: Double)
}

/// A cache of the paths at one time, which many nodes and elements share.
final class PathCache {
  typealias Location = (point: Point, degrees: Double)

  /// The location at a fraction of a path.
  private struct Found {
    let index: Int32
    let share: Double
    let location: Location?
  }

  /// The maximum number of cached points.
  private static let greatestSize = 500_000

  private var size = 0
  private var fixed: [Int32: MeasuredPath] = [:]
  private var moving: [Int32: MeasuredPath] = [:]
  private var pairs: [PathPair: (Path, Path)] = [:]
  private var derived: [DerivedPath: Path] = [:]
  /// The last location computed; the x, y and direction of a location are three nodes.
  private var last: Found?

  init() {}

  /// Creates the cache for another time, keeping only constant paths.
  init(after other: PathCache) {
    fixed = other.fixed
    size = fixed.values.reduce(0) { $0 + $1.path.elements.count }
  }

  func measured(_ index: Int32) -> MeasuredPath? { fixed[index] ?? moving[index] }

  func keep(_ path: MeasuredPath, _ index: Int32, isFixed: Bool) {
    makeRoom(for: path.path.elements.count)
    if isFixed { fixed[index] = path } else { moving[index] = path }
  }

  func matched(_ pair: PathPair) -> (Path, Path)? { pairs[pair] }

  func keep(_ paths: (Path, Path), _ pair: PathPair) {
    makeRoom(for: paths.0.elements.count * 2)
    pairs[pair] = paths
  }

  func known(_ path: DerivedPath) -> Path? { derived[path] }

  func keep(_ path: Path, _ model: DerivedPath) {
    makeRoom(for: path.elements.count)
    derived[model] = path
  }

  func location(on path: MeasuredPath, _ index: Int32, at share: Double) -> Location? {
    if let last, last.index == index, last.share == share { return last.location }
    let location = path.location(at: share)
    last = Found(index: index, share: share, location: location)
    return location
  }

  private func makeRoom(for count: Int) {
    size += count
    guard size > PathCache.greatestSize else { return }
    (fixed, moving, pairs, derived, size) = ([:], [:], [:], [:], count)
  }
}
