// SPDX-License-Identifier: MIT
import CClipper

/// A boolean operation on outlines, which are filled by the nonzero rule.
package enum PathOperation: String, Hashable, Sendable, Encodable, CaseIterable {
  /// The area inside at least one outline.
  case union
  /// The area inside all outlines.
  case intersect
  /// The area inside the first outline and outside all others.
  case subtract
  /// The area inside an odd number of outlines.
  case exclude

  fileprivate var number: Int32 {
    switch self {
    case .union: Int32(SCENE_CLIP_UNION)
    case .intersect: Int32(SCENE_CLIP_INTERSECT)
    case .subtract: Int32(SCENE_CLIP_SUBTRACT)
    case .exclude: Int32(SCENE_CLIP_EXCLUDE)
    }
  }
}

/// The corners of an offset outline.
package enum OffsetJoin: String, Hashable, Sendable, Encodable, CaseIterable { case round, miter }

// The functions of Clipper that scenec uses. Only this file imports Clipper. Its input is polygons
// with integer coordinates, so that intersections are computed robustly; curves are flattened.
extension Path {
  /// Combines outlines into one, which consists of closed, non-intersecting polygons. Returns `nil`
  /// if the outlines may have too many crossings.
  package static func combined(_ operation: PathOperation, _ paths: [Path]) -> Path? {
    guard let grid = ClipGrid(around: paths) else { return Path() }
    scene_clip_begin()
    for path in paths { grid.add(path, keepsOpen: false) }
    guard scene_clip_combine(operation.number) != 0 else { return nil }
    return grid.result()
  }

  /// Returns the outline offset outward, or inward for a negative distance. An open line becomes
  /// the area within the distance of it. Returns `nil` if the outline may have too many crossings.
  package func offset(by distance: Double, _ join: OffsetJoin) -> Path? {
    guard distance.isFinite, let grid = ClipGrid(around: [self], reach: 4 * abs(distance)) else {
      return Path()
    }
    scene_clip_begin()
    grid.add(self, keepsOpen: true)
    let isDone = scene_clip_offset(
      distance * grid.scale, join == .round ? 1 : 0, 4, grid.tolerance * grid.scale)
    return isDone != 0 ? grid.result() : nil
  }
}

/// The integer grid for points, and the maximum distance between a curve and its flattened lines.
private struct ClipGrid {
  /// The number of grid steps per pixel.
  let scale: Double
  let tolerance: Double

  /// The tolerance in pixels, which is invisible even if the frame is enlarged six times. Outlines
  /// smaller than 200 pixels may be drawn much larger, so they are divided into as many line
  /// segments as an outline of 200 pixels.
  private static let finest = 0.01
  private static let perSize = finest / 200
  private static let greatestLines = 1000.0

  /// Creates a grid for paths; `nil` if all of them are empty or a coordinate is too large.
  init?(around paths: [Path], reach: Double = 0) {
    var (farthest, largest) = (0.0, 0.0)
    for path in paths where path.isFinite && !path.isEmpty {
      let box = path.controlBounds
      for edge in [box.x, box.y, box.x + box.width, box.y + box.height] {
        farthest = max(farthest, abs(edge))
      }
      largest = max(largest, box.width, box.height)
    }
    farthest += reach
    guard largest > 1e-9, farthest < 1e15 else { return nil }
    // Below 2^30 Clipper computes with 64 bits. A power of two preserves the equality of shared
    // points.
    scale = Double(sign: .plus, exponent: 29 - farthest.exponent, significand: 1)
    tolerance = max(2 / scale, min(ClipGrid.finest, largest * ClipGrid.perSize))
  }

  func add(_ path: Path, keepsOpen: Bool) {
    scene_clip_outline()
    guard path.isFinite else { return }
    for contour in path.subpaths {
      scene_clip_contour(contour.isClosed || !keepsOpen ? 1 : 0)
      point(contour.start)
      var current = contour.start
      for element in contour.elements {
        switch element {
        case .line(let p):
          point(p)
          current = p
        case .cubic(let c1, let c2, let p):
          add(Cubic(from: current, c1, c2, to: p))
          current = p
        case .move, .close: break
        }
      }
    }
  }

  private func point(_ p: Point) {
    scene_clip_point(Int64((p.x * scale).rounded()), Int64((p.y * scale).rounded()))
  }

  /// Flattens a curve. If it is divided into n parts, its distance from their chords is at most the
  /// larger second difference times 3 / (4 n²).
  private func add(_ curve: Cubic) {
    let first = curve.p0 - curve.p1 * 2 + curve.p2
    let second = curve.p1 - curve.p2 * 2 + curve.p3
    let bend = max(Math.hypot(first.x, first.y), Math.hypot(second.x, second.y))
    let count = (0.75 * bend / tolerance).squareRoot().rounded(.up)
    let lines = Int(max(1, min(count, ClipGrid.greatestLines)))
    for index in 1..<max(1, lines) { point(curve.point(at: Double(index) / Double(lines))) }
    point(curve.p3)
  }

  /// Returns the output of Clipper. Outer contours run clockwise, holes counterclockwise. Each
  /// contour begins at its top left, so that dashes and trims are stable while the outline moves.
  func result() -> Path {
    var contours: [(key: Double, points: [Point])] = []
    for contour in 0..<scene_clip_contour_count() {
      let points = (0..<scene_clip_point_count(contour)).map { index in
        Point(
          Double(scene_clip_x(contour, index)) / scale,
          Double(scene_clip_y(contour, index)) / scale)
      }
      guard isThick(points) else { continue }
      let keys = points.map { $0.y + 0.3 * $0.x }
      guard let first = keys.indices.min(by: { keys[$0] < keys[$1] }) else { continue }
      contours.append((keys[first], Array(points[first...] + points[..<first])))
    }
    scene_clip_begin()
    var path = Path()
    for contour in contours.sorted(by: { $0.key < $1.key }) {
      path.move(contour.points[0])
      for point in contour.points.dropFirst() { path.line(point) }
      path.close()
    }
    return path
  }

  /// Returns whether a contour is visible. Nearly touching contours leave slivers, which are
  /// dropped.
  private func isThick(_ points: [Point]) -> Bool {
    guard var before = points.last, points.count > 2 else { return false }
    let origin = before
    var (area, length) = (0.0, 0.0)
    for point in points {
      let (a, b) = (before - origin, point - origin)
      area += (a.x * b.y - b.x * a.y) / 2
      length += before.distance(to: point)
      before = point
    }
    return abs(area) * 2 > length * tolerance
  }
}

extension Path {
  /// A subpath, without its initial move.
  fileprivate struct Subpath {
    let start: Point
    var elements: [Element] = []
    var isClosed = false
  }

  fileprivate var subpaths: [Subpath] {
    var list: [Subpath] = []
    var contour: Subpath?
    var current = Point.zero
    func end() {
      guard var it = contour, !it.elements.isEmpty else { return }
      it.isClosed = it.isClosed || current == it.start
      list.append(it)
    }
    for element in elements {
      switch element {
      case .move(let p):
        end()
        contour = Subpath(start: p)
        current = p
      case .line(let p), .cubic(_, _, let p):
        if contour == nil { contour = Subpath(start: current) }
        contour?.elements.append(element)
        current = p
      case .close:
        guard let start = contour?.start else { continue }
        contour?.isClosed = true
        end()
        contour = nil
        current = start
      }
    }
    end()
    return list
  }
}
