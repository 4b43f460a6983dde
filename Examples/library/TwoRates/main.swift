// SPDX-License-Identifier: MIT
import Scenec

// Two seconds at 30 frames per second and two at 15, for phones of 2010: H.264 Baseline 3.1 at
// 1.2 Mbit/s. example-two-rates [FILM]

let path = CommandLine.arguments.dropFirst().first ?? "two-rates.m4v"
let film = try FilmWriter(
  size: PixelSize(640, 360), rate: 30, to: path,
  FilmSettings(bitrate: 1_200_000, profile: "baseline", level: "3.1", isVariable: true))
let font = FontSpec(families: ["Inter", "sans-serif"], size: 40, weight: 600)

/// Draws a ball that falls and bounces, at `rate` frames per second.
func show(_ rate: Int, at seconds: Double, in drawing: inout Drawing) {
  drawing.fill(.color(Color(hex: 0xF4EFE6)))
  let phase = seconds.truncatingRemainder(dividingBy: 1)
  let height = 4 * phase * (1 - phase)
  let center = Point(120 + 100 * seconds, 290 - 210 * height)
  drawing.fill(.ellipse(center: center, rx: 30, ry: 30), .color(Color(hex: 0x1D3557)))
  drawing.fill(
    .rect(Rect(x: 0, y: 320, width: 640, height: 40), radius: 0), .color(Color(hex: 0xA8B5A2)))
  drawing.write(
    "\(rate) a second", at: Point(616, 20), font: font, paint: .color(.black), align: .right)
}

for frame in 0..<60 {
  try film.append { show(30, at: Double(frame) / 30, in: &$0) }
}
for frame in 0..<30 {
  // Each is shown for two frames of the film.
  try film.append(frames: 2) { show(15, at: 2 + Double(frame) / 15, in: &$0) }
}
try film.finish()
