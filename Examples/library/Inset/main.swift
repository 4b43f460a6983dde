// SPDX-License-Identifier: MIT
import Scenec

// A photograph with a second photograph in its corner, and a caption below: example-inset LARGE
// SMALL CAPTION [FILM]

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
      large,
      in: Rect(x: 320 - 320 * scale, y: 180 - 180 * scale, width: 640 * scale, height: 360 * scale),
      .cover)

    let inset = Rect(x: 436, y: 24, width: 180, height: 120)
    let shadow = Shadow(
      offset: Point(0, 6), deviation: 10, color: Color(red: 0, green: 0, blue: 0, alpha: 0.6))
    drawing.layer(LayerStyle(shadow: shadow)) { layer in
      layer.clipped(to: .rect(inset, radius: 14)) { $0.draw(small, in: inset, .cover) }
      layer.stroke(.rect(inset, radius: 14), style: StrokeStyle(width: 3), paint: .color(.white))
    }

    let fade = [
      GradientStop(.transparent, at: 0),
      GradientStop(Color(red: 0, green: 0, blue: 0, alpha: 0.8), at: 1),
    ]
    drawing.fill(
      .rect(Rect(x: 0, y: 260, width: 640, height: 100), radius: 0),
      .linear(from: Point(0, 260), to: Point(0, 360), stops: fade))
    let height = Drawing.size(of: caption, font, width: 560).height
    drawing.write(
      caption, at: Point(320, 336 - height), font: font, paint: .color(.white), align: .center,
      width: 560)
  }
}
try film.finish()
