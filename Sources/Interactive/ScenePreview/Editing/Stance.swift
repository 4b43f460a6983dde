// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneLanguage
import SceneLower
import SceneModel
import SceneSession

/// The geometry of an element in a frame.
///
/// A point of the element's box, as a fraction `f` of its size `s`, is at `position + (pivot -
/// anchor) * s + linear * ((f - pivot) * s)` in the content of the parent, with `anchor` and
/// `pivot` as fractions too. Elements in space are then rotated about the pivot.
struct Stance {
  /// The box in the element's own coordinates.
  let box: Rect
  let anchor: Point
  let pivot: Point
  /// The linear part of the map from the element's own coordinates to the content of the parent.
  let linear: Affine
  /// The place of the parent's content.
  let outer: FramePlace
  /// The map from the element's own coordinates to frame pixels.
  let whole: Projection
  /// The map from the content of the parent, rotated in space like the element, to frame pixels.
  let plane: Projection
  /// The point that rotations leave in place, in the content of the parent.
  let center: Point
  /// Whether the element is rotated in space.
  let isTurned: Bool
  /// The map from the element's own coordinates to the content of the parent, in space.
  let space: SpaceMap

  /// Returns a point of the box, given as fractions of its size, in the element's own coordinates.
  func own(_ share: Point) -> Point {
    Point(box.x + share.x * box.width, box.y + share.y * box.height)
  }

  /// Returns a point of the box in frame pixels; `nil` if it is behind the eye.
  func inFrame(_ share: Point) -> Point? {
    let point = own(share)
    return whole.weight(at: point) > Projection.near ? whole.apply(point) : nil
  }

  /// Converts a difference from the element's own coordinates to the content of the parent.
  func turned(_ by: Point) -> Point {
    Point(linear.a * by.x + linear.c * by.y, linear.b * by.x + linear.d * by.y)
  }

  /// Converts a point of the frame to the plane of a map; `nil` if it is behind the eye.
  static func back(_ point: Point, _ map: Projection) -> Point? {
    guard let inverse = map.inverted, inverse.weight(at: point) > 0 else { return nil }
    let found = inverse.apply(point)
    return found.x.isFinite && found.y.isFinite ? found : nil
  }

  /// Returns the frame pixels per unit of the element's own coordinates at a point of the box.
  func stretch(at share: Point) -> Double {
    max(1e-3, whole.tangent(at: own(share)).maximumStretch)
  }

  /// Returns the shift in the content of the parent that moves the element so that its point at
  /// `from` in the frame arrives at `to`. Returns `nil` if one of the points has no counterpart
  /// there.
  func shift(from: Point, to: Point) -> Point? {
    guard let point = Stance.back(from, whole) else { return nil }
    // A shift keeps the depth of the point.
    let depth = space.apply(point)
    let layer = outer.projection(atDepth: depth.z / depth.w)
    guard let start = Stance.back(from, layer), let end = Stance.back(to, layer) else { return nil }
    return end - start
  }
}

extension ElementAnswer {
  /// The geometry of the element at the current frame; `nil` for an element that is not drawn or
  /// has no box.
  var stance: Stance? {
    guard let drawn = element.drawn.first, let box = element.box else { return nil }
    let rect = Rect(
      x: evaluator(box.x), y: evaluator(box.y), width: evaluator(box.width),
      height: evaluator(box.height))
    let outer = outer
    let own = evaluator.affine(drawn.transform)
    let anchor = share(.anchor, of: rect) ?? Point(0.5, 0.5)
    let pivot = share(.pivot, of: rect) ?? anchor
    let center = own.apply(
      Point(rect.x + pivot.x * rect.width, rect.y + pivot.y * rect.height))
    var plane = SpaceMap.identity
    if let depth = drawn.depth { plane = evaluator.space(.identity, depth) }
    let isTurned =
      drawn.depth.map { evaluator($0.rotateX) != 0 || evaluator($0.rotateY) != 0 } ?? false
    return Stance(
      box: rect, anchor: anchor, pivot: pivot,
      linear: Affine(a: own.a, b: own.b, c: own.c, d: own.d, e: 0, f: 0), outer: outer,
      whole: outer.of(drawn, evaluator).projection, plane: outer.projection(through: plane),
      center: center, isTurned: isTurned, space: evaluator.space(of: drawn))
  }

  /// The place of the parent's content at the current frame.
  var outer: FramePlace {
    let elements = revision.scene.record?.elements ?? []
    let root = FramePlace(model, evaluator)
    var parent = element.parent
    while let place = parent {
      if let drawn = elements[place].drawn.first {
        return inside(drawn, among: model.elements, under: root) ?? root
      }
      parent = elements[place].parent
    }
    return root
  }

  /// Returns a point of the element's own box as fractions of its size.
  private func share(_ property: Property, of box: Rect) -> Point? {
    guard let numbers = element.properties.first(where: { $0.property == property })?.numbers,
      numbers.count == 2
    else { return nil }
    func share(_ number: SceneRecord.Number, of length: Double) -> Double {
      let own = evaluator(number.own)
      return (number.share.map { evaluator($0) } ?? 0) + (length > 0 ? own / length : 0)
    }
    return Point(share(numbers[0], of: box.width), share(numbers[1], of: box.height))
  }

  /// Returns the points of the rings of the rotations in the frame, by the names of their
  /// properties, for an element in space. Each ring has a point for every 5 degrees.
  func rings(_ stance: Stance) -> [String: [Point?]] {
    guard let drawn = element.drawn.first, let depth = drawn.depth, !depth.isInPlane else {
      return [:]
    }
    let radius = Math.hypot(stance.box.width, stance.box.height) / 2
    let start = SpaceMap.translation(evaluator.point(depth.pivot), z: evaluator(depth.translateZ))
    let aboutX = SpaceMap.rotationX(evaluator(depth.rotateX))
    let aboutY = SpaceMap.rotationY(evaluator(depth.rotateY))
    func ring(_ map: (Double) -> SpaceMap, _ point: Point) -> [Point?] {
      stride(from: 0.0, to: 360, by: 5).map { degrees in
        let projection = stance.outer.projection(through: start.concat(map(degrees)))
        return projection.weight(at: point) > Projection.near ? projection.apply(point) : nil
      }
    }
    return [
      "rotate-x": ring({ SpaceMap.rotationX($0) }, Point(0, radius)),
      "rotate-y": ring({ aboutX.concat(.rotationY($0)) }, Point(radius, 0)),
      "rotate": ring(
        { degrees in
          let (c, s) = (Math.cosDegrees(degrees), Math.sinDegrees(degrees))
          let turn = Affine(a: c, b: s, c: -s, d: c, e: 0, f: 0)
          return aboutX.concat(aboutY).concat(SpaceMap(turn))
        }, Point(radius, 0)),
    ]
  }
}
