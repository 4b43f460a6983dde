// SPDX-License-Identifier: MIT
import Scenec

// Photographs, two seconds each, with a number on every one: example-slideshow FILM PHOTO...

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { fatalError("usage: example-slideshow FILM PHOTO...") }
let photos = arguments.dropFirst(2)
let film = try FilmWriter(size: PixelSize(640, 360), rate: 30, to: arguments[1])
let font = FontSpec(families: ["Inter", "sans-serif"], size: 26, weight: 700)

/// A photograph with its number in the corner.
func show(_ photo: Image, _ number: Int, in drawing: inout Drawing) {
  drawing.draw(photo, in: drawing.frame, .cover)
  let center = Point(52, 308)
  drawing.fill(.ellipse(center: center, rx: 26, ry: 26), .color(Color(hex: 0xE5383B)))
  let size = Drawing.size(of: "\(number)", font)
  drawing.write(
    "\(number)", at: center - Point(0, size.height / 2), font: font, paint: .color(.white),
    align: .center)
}

var before: Image?
for (index, path) in photos.enumerated() {
  let photo = try Image(path)
  // It appears over the one before within half a second, and stays for one and a half.
  for step in 1...15 {
    try film.append { drawing in
      if let before { show(before, index, in: &drawing) }
      drawing.layer(LayerStyle(opacity: Double(step) / 15)) { show(photo, index + 1, in: &$0) }
    }
  }
  try film.append(frames: 45) { show(photo, index + 1, in: &$0) }
  before = photo
}
try film.finish()
