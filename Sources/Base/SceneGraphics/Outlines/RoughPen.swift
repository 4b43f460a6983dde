// SPDX-License-Identifier: MIT

/// Redraws outlines as a hand draws them: with smooth deviations, and with lines that cross at
/// corners.
///
/// Outlines are divided at their corners. Each part is displaced by gradient noise of the arc
/// length, mostly across its direction. Only the outline and the seed determine the result, so that
/// neither moving nor scaling an element changes its lines.
package struct RoughPen: Hashable, Sendable {
  /// The treatment of the ends of a line.
  package enum Ends: Hashable {
    /// Lines end near the ends of the outline, and cross at its corners.
    case free
    /// As `free`, but closed curves end at their start, since dashes would fill each other's gaps.
    case dashed
    /// The line is drawn in one stroke and ends exactly at the ends of the outline.
    case pinned
    /// The line is drawn in one stroke and closed, so that it can be filled.
    case joined

    /// Whether corners divide the line.
    var isDivided: Bool { self == .free || self == .dashed }
  }

  /// The amplitude of the displacement, in pixels.
  package var amount: Double
  package var seed: Double
  /// The size of the deviations along the line, relative to those of large shapes.
  package let scale: Double
  /// Whether the outlines are those of letters, both sides of whose stems deviate together.
  private var isForLetters = false

  package init(amount: Double, seed: Double, scale: Double = 1) {
    self.amount = amount
    self.seed = seed
    self.scale = scale
  }

  /// The maximum deviation of letters as a fraction of the font size, so that they remain legible.
  private static let greatestShare = 0.04
  /// The font size of letters whose deviations are as long as those of shapes, in pixels.
  private static let fullFontSize = 160.0

  /// Returns the pen for letters of a font size.
  package func forLetters(ofSize size: Double) -> RoughPen {
    var pen = RoughPen(
      amount: min(amount, max(0, size) * RoughPen.greatestShare), seed: seed,
      scale: max(1e-3, size / RoughPen.fullFontSize))
    pen.isForLetters = true
    return pen
  }

  /// The fraction of the deviations of letters that is independent on the two sides of a stem.
  private static let shareOfEdges = 0.5
  /// The wavelength of the deviations of stems at the full font size, in pixels.
  private static let stemWavelength = 70.0

  /// Returns the path with its points displaced by noise that depends on their positions.
  private func displaced(_ path: Path) -> Path {
    let length = RoughPen.stemWavelength * scale
    func moved(_ p: Point) -> Point {
      let (x, y) = (p.x / length, p.y / length)
      return Point(
        p.x + amount * Noise.smooth(x: x, y: y, seed: seed + 11),
        p.y + amount * Noise.smooth(x: x, y: y, seed: seed + 12))
    }
    var result = Path()
    for element in path.elements {
      switch element {
      case .move(let p): result.move(moved(p))
      case .line(let p): result.line(moved(p))
      case .cubic(let a, let b, let p): result.cubic(moved(a), moved(b), to: moved(p))
      case .close: result.close()
      }
    }
    return result
  }

  /// The cosine of the least angle (30°) of a corner.
  static let cornerCosine = 0.866
  /// The length by which closed curves continue beyond their start, as a fraction.
  private static let overlap = 0.04
  /// The weight of the noise with a third of the wavelength.
  private static let detail = 0.35
  /// The displacement along the line, as a fraction of that across it.
  private static let slip = 0.6
  /// The maximum number of points of a part, apart from those of its pieces.
  private static let mostPoints = 4000.0

  /// Returns a hand-drawn line along a path. Each pass has different deviations.
  package func line(along path: Path, pass: Int, ends: Ends) -> Path {
    let base = Noise.random(seed, Double(pass))
    var result = Path()
    var index = 0
    for contour in RoughPen.contours(of: path) {
      var isOpen = false
      for run in runs(of: contour, isDivided: ends.isDivided) {
        let offset = Noise.random(Double(index), base) * 1000
        index += 1
        let drawn = RoughRun(run, pen: self, ends: ends, seed: base, offset: offset)
        drawn.append(to: &result, continues: isOpen && !ends.isDivided)
        isOpen = true
      }
      if ends == .joined, isOpen { result.close() }
    }
    return isForLetters ? displaced(result) : result
  }

  /// Returns the maximum distance between an outline and its line with the given amplitude.
  package static func reach(_ amount: Double) -> Double { 4 * amount }

  // MARK: Parts

  /// A part of an outline, up to the corners that divide it.
  struct Run {
    var pieces: [Path.Piece]
    /// Whether the line is a closed curve without a corner.
    var isLoop = false
    /// Whether the line has a corner where it returns to its start.
    var meetsItself = false
    var startsAtCorner = false
    var endsAtCorner = false

    var length: Double { pieces.reduce(0) { $0 + $1.length } }
  }

  /// Returns the pieces of each subpath, without those of zero length.
  private static func contours(of path: Path) -> [[Path.Piece]] {
    var contours: [[Path.Piece]] = []
    for piece in path.pieces() {
      if piece.starts || contours.isEmpty { contours.append([]) }
      if piece.length > 1e-9 || piece.closes { contours[contours.count - 1].append(piece) }
    }
    return contours
  }

  private func runs(of contour: [Path.Piece], isDivided: Bool) -> [Run] {
    let pieces = contour.filter { $0.length > 1e-9 }
    guard let first = pieces.first, let last = pieces.last else { return [] }
    let isClosed =
      contour.last?.closes == true || last.cubic.p3.distance(to: first.cubic.p0) < 1e-9
    let isCornerAtStart = isClosed && RoughPen.isCorner(last, first)
    let corners = (1..<pieces.count).filter { RoughPen.isCorner(pieces[$0 - 1], pieces[$0]) }
    if corners.isEmpty, !isCornerAtStart { return [Run(pieces: pieces, isLoop: isClosed)] }
    var runs: [Run] = []
    var from = 0
    for corner in corners + [pieces.count] {
      runs.append(Run(pieces: Array(pieces[from..<corner])))
      from = corner
    }
    if isClosed, !isCornerAtStart, runs.count > 1 {
      // The curve continues through its start.
      runs[0].pieces = runs[runs.count - 1].pieces + runs[0].pieces
      runs.removeLast()
    }
    guard isDivided else {
      return [Run(pieces: runs.flatMap(\.pieces), meetsItself: isClosed)]
    }
    return joined(runs, isClosed: isClosed)
  }

  /// Returns the parts, joining those that are too short for separate lines, such as those of a
  /// chart.
  private func joined(_ runs: [Run], isClosed: Bool) -> [Run] {
    let least = max(40 * scale, 6 * amount)
    var result: [Run] = []
    var lastLength = 0.0
    for run in runs {
      let length = run.length
      if !result.isEmpty, min(length, lastLength) < least {
        result[result.count - 1].pieces += run.pieces
      } else {
        result.append(run)
      }
      lastLength = length
    }
    for index in result.indices {
      result[index].startsAtCorner = isClosed || index > 0
      result[index].endsAtCorner = isClosed || index < result.count - 1
    }
    return result
  }

  private static func isCorner(_ a: Path.Piece, _ b: Path.Piece) -> Bool {
    let (p, q) = (direction(of: a, atEnd: true), direction(of: b, atEnd: false))
    return p.x * q.x + p.y * q.y < cornerCosine
  }

  static func direction(of piece: Path.Piece, atEnd: Bool) -> Point {
    let c = piece.cubic
    let ways =
      piece.isLine
      ? [c.p3 - c.p0]
      : atEnd
        ? [c.p3 - c.p2, c.p3 - c.p1, c.p3 - c.p0] : [c.p1 - c.p0, c.p2 - c.p0, c.p3 - c.p0]
    for way in ways {
      let size = Math.hypot(way.x, way.y)
      if size > 1e-9 { return way * (1 / size) }
    }
    return Point(1, 0)
  }

  // MARK: Noise

  /// The displacement of one part.
  struct Shift {
    let amount: Double
    let wavelength: Double
    let seed: Double
    let offset: Double
    private let longestStep: Double

    init(_ pen: RoughPen, length: Double, seed: Double, offset: Double) {
      let share = pen.isForLetters ? RoughPen.shareOfEdges : 1
      amount = share * min(pen.amount, length * 0.06)
      wavelength = max(30 * pen.scale, min(220 * pen.scale, 40 * pen.scale + 0.25 * length))
      longestStep = 16 * pen.scale
      (self.seed, self.offset) = (seed, offset)
    }

    /// Returns the displacement along a direction, and across it, at a position.
    func at(_ position: Double, _ direction: Point) -> Point {
      let x = position / wavelength + offset
      let across =
        amount
        * (Noise.smooth(x, seed: seed) + RoughPen.detail * Noise.smooth(3 * x, seed: seed + 1))
      let along =
        amount * RoughPen.slip
        * (Noise.smooth(x, seed: seed + 2)
          + RoughPen.detail * Noise.smooth(3 * x, seed: seed + 3))
      return Point(
        along * direction.x - across * direction.y, along * direction.y + across * direction.x)
    }

    /// Returns the length by which the part continues beyond its start or its end.
    func overshoot(atEnd: Bool, length: Double) -> Double {
      let share = Noise.random(offset, atEnd ? seed + 5 : seed + 4)
      return min(length * 0.08, amount * (0.2 + 1.8 * share))
    }

    /// Returns the distance between the points of a part with the given length.
    func step(_ length: Double) -> Double {
      max(length / RoughPen.mostPoints, min(longestStep, wavelength / 7))
    }
  }

  static func overlap(of length: Double) -> Double { length * overlap }
}
