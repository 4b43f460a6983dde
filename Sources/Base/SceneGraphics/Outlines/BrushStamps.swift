// SPDX-License-Identifier: MIT

/// The positions of brush stamps along a path.
///
/// The positions depend on the whole path, so that trimming and dashes reveal stamps without moving
/// them.
package struct BrushStamps {
  /// One copy of the image of a brush.
  package struct Stamp {
    /// The number of the stamp along the whole path.
    package let index: Int
    /// The length from the start of the path.
    package let position: Double
    package let center: Point
    /// The direction of the path, in degrees.
    package let degrees: Double
  }

  /// The variation of one stamp.
  package struct Variation {
    /// The displacement along the path and across it, from -1 to 1.
    package let shift: Point
    /// The change of the size and of the angle, from -1 to 1.
    package let size: Double
    package let turn: Double

    /// Creates the variation of a stamp, which depends only on its number and the seed.
    package init(of index: Int, seed: Double) {
      func random(_ part: Double) -> Double {
        2 * Noise.random(Double(index) * 4 + part, seed) - 1
      }
      shift = Point(random(0), random(1))
      (size, turn) = (random(2), random(3))
    }
  }

  /// The maximum number of stamps on a path.
  package static let greatestCount = 20_000

  /// The length of the path.
  package let length: Double
  /// The number of stamps on the whole path.
  package let count: Int
  private let contours: [Contour]

  private struct Contour {
    var pieces: [Path.Piece] = []
    var isClosed = false
    var length = 0.0
    var count = 0
    /// The distance between two stamps, which divides a closed contour evenly.
    var spacing = 0.0
  }

  /// Places stamps along a path. If there would be more than `mostStamps`, increases the spacing.
  package init(
    along path: Path, spacing: Double, mostStamps: Int = BrushStamps.greatestCount
  ) {
    var contours: [Contour] = []
    for piece in path.pieces() {
      if piece.starts || contours.isEmpty { contours.append(Contour()) }
      let last = contours.count - 1
      if piece.closes { contours[last].isClosed = true }
      if piece.length > 0 { contours[last].pieces.append(piece) }
      contours[last].length += piece.length
    }
    contours.removeAll { $0.pieces.isEmpty }
    let length = contours.reduce(0) { $0 + $1.length }
    let least = length / Double(max(1, mostStamps - contours.count))
    let spacing = max(spacing.isFinite ? spacing : 0, least, 1e-6)
    for index in contours.indices {
      let own = contours[index].length
      if let first = contours[index].pieces.first, let last = contours[index].pieces.last,
        last.cubic.p3.distance(to: first.cubic.p0) < 1e-9
      {
        contours[index].isClosed = true
      }
      if contours[index].isClosed {
        contours[index].count = max(1, Int((own / spacing).rounded()))
        contours[index].spacing = own / Double(contours[index].count)
      } else {
        contours[index].count = Int((own / spacing + 1e-9).rounded(.down)) + 1
        contours[index].spacing = spacing
      }
    }
    self.contours = contours
    self.length = length
    count = contours.reduce(0) { $0 + $1.count }
  }

  /// Returns the number of stamps at a spacing, regardless of `greatestCount`.
  package static func count(along path: Path, spacing: Double) -> Double {
    path.length / max(1e-9, spacing.isFinite ? spacing : 0)
  }

  /// Calls `use` with the stamps in the order of the path. `isDrawn` selects them by their
  /// position.
  package func forEach(where isDrawn: (Double) -> Bool, _ use: (Stamp) -> Void) {
    var (index, before) = (0, 0.0)
    for contour in contours {
      var (piece, start) = (0, 0.0)
      for number in 0..<contour.count {
        defer { index += 1 }
        let own = min(contour.length, Double(number) * contour.spacing)
        while piece < contour.pieces.count - 1, own > start + contour.pieces[piece].length {
          start += contour.pieces[piece].length
          piece += 1
        }
        guard isDrawn(before + own) else { continue }
        let it = contour.pieces[piece]
        let place = it.location(atLength: max(0, min(it.length, own - start)))
        use(
          Stamp(
            index: index, position: before + own, center: place.point, degrees: place.degrees))
      }
      before += contour.length
    }
  }
}
