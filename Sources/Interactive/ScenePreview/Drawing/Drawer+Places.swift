// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneRaster
import SceneSession

// The positions of elements in a frame.
extension Drawer {
  /// Returns the corners of the boxes of all visible elements in frame pixels, in the binary format
  /// of the page with 40 bytes each.
  func boxes(_ revision: Revision, frame: Int, _ rows: [Int: (row: Int, round: Int)]) -> [UInt8] {
    guard let record = revision.scene.record else { return [] }
    return withLowerer(revision) { lowerer in
      lowerer.places(frame: frame).flatMap { placement -> [UInt8] in
        guard let place = record.element(of: placement.element), let row = rows[place],
          let box = record.elements[place].box
        else { return [] }
        let (x, y) = (lowerer.value(box.x), lowerer.value(box.y))
        let (right, bottom) = (x + lowerer.value(box.width), y + lowerer.value(box.height))
        let own = [Point(x, y), Point(right, y), Point(right, bottom), Point(x, bottom)]
        // A box that reaches behind the eye has no four corners.
        guard own.allSatisfy({ placement.map.weight(at: $0) > Projection.near }) else { return [] }
        let corners = own.map(placement.map.apply)
        let numbers = corners.flatMap { [Float($0.x).bitPattern, Float($0.y).bitPattern] }
        return ([UInt32(row.row), UInt32(row.round)] + numbers).flatMap { number in
          [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
        }
      }
    }
  }

  /// Returns the record indices of the elements with ink at a point of the frame, topmost first. The
  /// whole box of a text counts as ink.
  func hit(_ revision: Revision, frame: Int, _ point: Point) throws(DrawingError) -> [Int] {
    guard let record = revision.scene.record else { return [] }
    let isLate = isLate()
    let placements = withLowerer(revision) {
      $0.placements(frame: frame, near: point, isUnwanted: isLate)
    }
    guard let placements else { throw .givenUp }
    var found: [Int] = []
    for placement in placements {
      guard let place = record.element(of: placement.element), !found.contains(place) else {
        continue
      }
      var isHit = isInText(placement, at: point, of: record.elements[place], revision)
      if !isHit { isHit = try hasInk(placement, at: point, revision) }
      if isHit { found.append(place) }
    }
    return found
  }

  private func isInText(
    _ placement: Placement, at point: Point, of element: SceneRecord.Element, _ revision: Revision
  ) -> Bool {
    guard case .text = placement.element.drawing, let box = element.box,
      let own = Stance.back(point, placement.map)
    else { return false }
    return withLowerer(revision) { lowerer in
      guard lowerer.value(placement.element.opacity) > 0 else { return false }
      let (x, y) = (own.x - lowerer.value(box.x), own.y - lowerer.value(box.y))
      return x >= 0 && y >= 0 && x <= lowerer.value(box.width) && y <= lowerer.value(box.height)
    }
  }

  /// Returns whether anything is drawn within two pixels of a point, by rendering this small area.
  private func hasInk(_ placement: Placement, at point: Point, _ revision: Revision)
    throws(DrawingError) -> Bool
  {
    let ops = placement.opsInFrame
    guard !ops.isEmpty else { return false }
    let size = PixelSize(5, 5)
    let canvas = try canvas(size, isOpaque: false, revision.scene.resources)
    let moved = DrawOp.transformed(.translation(2.5 - point.x, 2.5 - point.y), body: ops)
    try canvas.draw(FrameProgram(size: size, background: nil, ops: [moved]))
    let pixels = canvas.rgba()
    return stride(from: 3, to: pixels.count, by: 4).contains { pixels[$0] > 16 }
  }
}
