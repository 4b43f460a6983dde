// SPDX-License-Identifier: MIT
import CPixels
package import SceneGraphics

/// A path as the numbers that pixel loops read.
package struct FlatPath {
  package private(set) var verbs: [UInt8] = []
  /// x and y in turn.
  package private(set) var points: [Double] = []

  package init(_ path: Path) {
    verbs.reserveCapacity(path.elements.count)
    points.reserveCapacity(path.elements.count * 4)
    for element in path.elements {
      switch element {
      case .move(let p): add(SCENE_MOVE, p)
      case .line(let p): add(SCENE_LINE, p)
      case .cubic(let a, let b, let p): add(SCENE_CURVE, a, b, p)
      case .close: add(SCENE_CLOSE)
      }
    }
  }

  /// A circle around the origin with the radius 1, for every ellipse under a map of its own.
  package static let circle = FlatPath(.ellipse(center: .zero, 1, 1))
  /// For the large ones, with twice as many curves.
  package static let largeCircle = FlatPath(
    Path.ellipse(center: .zero, 100, 100).transformed(by: .scale(0.01, 0.01)))

  private mutating func add(_ verb: Int, _ list: Point...) {
    verbs.append(UInt8(verb))
    for p in list {
      points.append(p.x)
      points.append(p.y)
    }
  }
}
