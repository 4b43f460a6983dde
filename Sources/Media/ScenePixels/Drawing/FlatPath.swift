// SPDX-License-Identifier: MIT
import CPixels
package import SceneGraphics

/// A path as flat arrays for the pixel loops.
package struct FlatPath {
  package private(set) var verbs: [UInt8] = []
  /// Alternating x and y coordinates.
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

  /// A unit circle around the origin, from which ellipses are derived by transformation.
  package static let circle = FlatPath(.ellipse(center: .zero, 1, 1))
  /// A unit circle with twice as many curves, for large ellipses.
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
