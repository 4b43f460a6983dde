// SPDX-License-Identifier: MIT
import Glibc
import Scenec

// A Bézier curve whose points wander, with its handles: example-bezier [FILM]

let path = CommandLine.arguments.dropFirst().first ?? "bezier.mp4"
let film = try FilmWriter(size: PixelSize(640, 360), rate: 30, to: path)

/// Where a point is at a time: on a figure of its own around a place.
func wander(_ place: Point, _ number: Double, _ seconds: Double) -> Point {
  let turn = 2 * Double.pi * seconds / 4
  return place + Point(80 * sin(turn + number), 60 * sin(2 * turn + 2 * number))
}

for frame in 0..<120 {
  let seconds = Double(frame) / 30
  let places = [Point(110, 200), Point(230, 110), Point(410, 250), Point(530, 160)]
  let points = places.enumerated().map { wander($1, Double($0), seconds) }
  try film.append { drawing in
    drawing.fill(.color(Color(hex: 0x10141F)))
    for (from, to) in [(0, 1), (2, 3)] {
      var handle = Path()
      handle.move(points[from])
      handle.line(points[to])
      drawing.stroke(
        .path(handle), style: StrokeStyle(width: 2), paint: .color(Color(hex: 0x4A5578)))
    }
    var curve = Path()
    curve.move(points[0])
    curve.cubic(points[1], points[2], to: points[3])
    let stops = [
      GradientStop(Color(hex: 0xFF5D73), at: 0), GradientStop(Color(hex: 0xFFC15E), at: 1),
    ]
    drawing.stroke(
      .path(curve), style: StrokeStyle(width: 8, cap: .round),
      paint: .linear(from: points[0], to: points[3], stops: stops))
    for point in points {
      drawing.fill(.ellipse(center: point, rx: 9, ry: 9), .color(.white))
    }
  }
}
try film.finish()
