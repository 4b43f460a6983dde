// SPDX-License-Identifier: MIT
import Glibc
import Scenec

// 1500 frames in one GIF, drawn by Cairo: example-long-gif [FILM]

let path = CommandLine.arguments.dropFirst().first ?? "long.gif"
let film = try FilmWriter(size: PixelSize(320, 180), rate: 25, to: path)

for frame in 0..<1500 {
  let seconds = Double(frame) / 25
  try film.appendCairo { context in
    context.setSource(Color(oklchLightness: 0.97, chroma: 0.02, hue: seconds * 6))
    context.paint()
    // A line for each of twelve notes, which swings in its own time: all meet again after a minute.
    for note in 0..<12 {
      let turn = 2 * Double.pi * seconds * Double(40 + note) / 60
      let x = 26 + Double(note) * 24.4
      var line = Path()
      line.move(Point(160, 0))
      line.line(Point(x + 8 * sin(turn), 90 + 60 * cos(turn)))
      context.setSource(Color(oklchLightness: 0.55, chroma: 0.17, hue: Double(note) * 30))
      context.trace(line)
      context.stroke(StrokeStyle(width: 1.5))
      context.trace(.ellipse(center: Point(x + 8 * sin(turn), 90 + 60 * cos(turn)), 8, 8))
      context.fill()
    }
  }
}
try film.finish()
