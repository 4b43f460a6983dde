// SPDX-License-Identifier: MIT

/// A point or vector in pixels; x runs right, y down.
public struct Point: Hashable, Sendable, Encodable {
  public var x: Double
  public var y: Double

  public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  public static let zero = Point(0, 0)

  public static func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }
  public static func - (a: Point, b: Point) -> Point { Point(a.x - b.x, a.y - b.y) }
  public static func * (a: Point, k: Double) -> Point { Point(a.x * k, a.y * k) }

  /// Returns the Euclidean distance between both points.
  public func distance(to other: Point) -> Double { Math.hypot(other.x - x, other.y - y) }

  /// Returns the point at the fraction `u` of the line to another point.
  public func mixed(with other: Point, _ u: Double) -> Point {
    Point(x + (other.x - x) * u, y + (other.y - y) * u)
  }
}

/// A width and a height in pixels.
public struct Size: Hashable, Sendable {
  public var width: Double
  public var height: Double

  public init(_ width: Double, _ height: Double) {
    self.width = width
    self.height = height
  }
}

/// A whole number of pixels in each direction.
public struct PixelSize: Hashable, Sendable, Encodable, CustomStringConvertible {
  public let width: Int
  public let height: Int

  public init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }

  public var description: String { "\(width)x\(height)" }
}

/// The strides of the planes of a YUV frame, in bytes.
package struct PlaneStrides: Hashable, Sendable {
  package let y: Int
  package let u: Int
  package let v: Int

  package init(y: Int, u: Int, v: Int) {
    (self.y, self.u, self.v) = (y, u, v)
  }
}

/// An axis-aligned rectangle with a top left corner and an extent; empty if an extent is negative.
public struct Rect: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double

  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The empty rectangle; the neutral element of `union`.
  public static let empty = Rect(x: .infinity, y: .infinity, width: -.infinity, height: -.infinity)

  public var isEmpty: Bool { !(width >= 0 && height >= 0) }
  package var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }
  /// The area; 0 for an empty rectangle.
  package var area: Double { max(0, width) * max(0, height) }
  public var center: Point { Point(x + width / 2, y + height / 2) }
  public var maxX: Double { x + width }
  public var maxY: Double { y + height }

  public func union(_ other: Rect) -> Rect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return Rect(
      x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// Returns the intersection; empty if the rectangles do not overlap.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    return right > left && bottom > top
      ? Rect(x: left, y: top, width: right - left, height: bottom - top) : .empty
  }

  /// A rectangle larger than any surface.
  package static let everything = Rect(x: -1e6, y: -1e6, width: 2e6, height: 2e6)

  public func insetBy(_ distance: Double) -> Rect {
    isEmpty
      ? self
      : Rect(
        x: x + distance, y: y + distance, width: width - 2 * distance, height: height - 2 * distance
      )
  }

  /// Creates the smallest rectangle that contains all points; `empty` without points.
  public init(around points: some Sequence<Point>) {
    var reach = Reach()
    for point in points { reach.add(point) }
    self = reach.box
  }

  /// An incrementally computed bounding box of points.
  fileprivate struct Reach {
    private var low = Point(.infinity, .infinity)
    private var high = Point(-.infinity, -.infinity)

    mutating func add(_ point: Point) {
      low = Point(min(low.x, point.x), min(low.y, point.y))
      high = Point(max(high.x, point.x), max(high.y, point.y))
    }

    var box: Rect {
      low.x <= high.x
        ? Rect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y) : .empty
    }
  }
}

/// The affine map `x' = a·x + c·y + e`, `y' = b·x + d·y + f`, like SVG's `matrix(a b c d e f)`.
public struct Affine: Hashable, Sendable {
  public var a: Double
  public var b: Double
  public var c: Double
  public var d: Double
  public var e: Double
  public var f: Double

  public init(a: Double, b: Double, c: Double, d: Double, e: Double, f: Double) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
  }

  public static let identity = Affine(a: 1, b: 0, c: 0, d: 1, e: 0, f: 0)

  /// Returns the translation by `x`, `y`.
  public static func translation(_ x: Double, _ y: Double) -> Affine {
    Affine(a: 1, b: 0, c: 0, d: 1, e: x, f: y)
  }

  /// Returns the scaling about the origin.
  public static func scale(_ x: Double, _ y: Double) -> Affine {
    Affine(a: x, b: 0, c: 0, d: y, e: 0, f: 0)
  }

  /// Returns the map that applies `inner` first and then `self`.
  public func concat(_ inner: Affine) -> Affine {
    Affine(
      a: a * inner.a + c * inner.b, b: b * inner.a + d * inner.b,
      c: a * inner.c + c * inner.d, d: b * inner.c + d * inner.d,
      e: a * inner.e + c * inner.f + e, f: b * inner.e + d * inner.f + f)
  }

  public func apply(_ p: Point) -> Point { Point(a * p.x + c * p.y + e, b * p.x + d * p.y + f) }

  public var determinant: Double { a * d - b * c }

  /// Returns the bounding box of the transformed rectangle.
  public func apply(_ r: Rect) -> Rect {
    if r.isEmpty { return r }
    // Called very often, so the corners are not collected in an array.
    var reach = Rect.Reach()
    reach.add(apply(Point(r.x, r.y)))
    reach.add(apply(Point(r.maxX, r.y)))
    reach.add(apply(Point(r.x, r.maxY)))
    reach.add(apply(Point(r.maxX, r.maxY)))
    return reach.box
  }

  /// The inverse map; `nil` if the map is singular.
  public var inverted: Affine? {
    let d = determinant
    guard d.isFinite, abs(d) > 1e-18 else { return nil }
    return Affine(
      a: self.d / d, b: -b / d, c: -c / d, d: a / d, e: (c * f - self.d * e) / d,
      f: (b * e - a * f) / d)
  }

  public var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && e.isFinite && f.isFinite
  }

  /// The maximum factor by which the map scales a length (its larger singular value).
  package var maximumStretch: Double {
    let sum = a * a + b * b + c * c + d * d
    let difference = (sum * sum - 4 * determinant * determinant)
    return ((sum + max(0, difference).squareRoot()) / 2).squareRoot()
  }
}
