// SPDX-License-Identifier: MIT
import Scenec

// A photograph with another one in its corner, and a caption below: example-inset LARGE SMALL CAPTION [FILM]

let arguments = CommandLine.arguments
guard arguments.count >= 4 else {
  fatalError("usage: example-inset LARGE SMALL CAPTION [FILM]")
}
let (large, small) = (try Image(arguments[1]), try Image(arguments[2]))
let caption = arguments[3]
let film = try FilmWriter(
  size: PixelSize(640, 360), rate: 30, to: arguments.count > 4 ? arguments[4] : "inset.mp4")
let font = FontSpec(families: ["Inter", "sans-serif"], size: 24, weight: 600)

for frame in 0..<90 {
  let share = Double(frame) / 90
  try film.append { drawing in
    // The large one comes slowly nearer.
    let scale = 1 + 0.08 * share
    drawing.draw(
      large, in: Rect(320 - 320 * scale, 180 - 180 * scale, 640 * scale, 360 * scale), .cover)

    let inset = Rect(436, 24, 180, 120)
    let shadow = Shadow(offset: Point(0, 6), deviation: 10, color: Color(0, 0, 0, 0.6))
    drawing.layer(LayerStyle(shadow: shadow)) { layer in
      layer.clipped(to: .rect(inset, radius: 14)) { $0.draw(small, in: inset, .cover) }
      layer.stroke(.rect(inset, radius: 14), StrokeStyle(width: 3), .color(.white))
    }

    let fade = [GradientStop(.transparent, at: 0), GradientStop(Color(0, 0, 0, 0.8), at: 1)]
    drawing.fill(
      .rect(Rect(0, 260, 640, 100), radius: 0),
      .linear(from: Point(0, 260), to: Point(0, 360), stops: fade))
    let height = Drawing.size(of: caption, font, width: 560).height
    drawing.write(
      caption, at: Point(320, 336 - height), font, .color(.white), align: .center, width: 560)
  }
}
try film.finish()
