// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneLower
import SceneModel
import SceneRaster
import SceneVideo

/// The palettes of a GIF: one for each stretch between hard cuts, so that few colours go a long way.
///
/// They are made from all different pictures, drawn at half the size in a first pass.
struct PalettePass {
  /// For each stretch its first frame and its palette, in order.
  private var stretches: [(start: Int, palette: Palette)] = []

  /// The mean change of a picture, of 255, that is a cut.
  private static let cut = 12.0

  init(_ film: Film, _ view: DrawingPlan.View, goOn: () throws(BuildFault) -> Void) throws {
    let frames = film.frames
    let half = PixelSize(max(1, view.size.width / 2), max(1, view.size.height / 2))
    let canvas = try Canvas(half, isOpaque: false, resources: film.resources)
    var lowerer = Lowerer(film.model, metrics: film.metrics)
    let least = Int(Double(Ticks.perSecond) / film.model.frameRate.frameTicks)
    var histogram = ColorHistogram()
    var (start, last): (Int, [UInt8]) = (frames.lowerBound, [])
    var program: FrameProgram?
    for frame in frames {
      try goOn()
      let next = lowerer.lower(frame: frame)
      if next == program { continue }
      program = next
      try canvas.draw(next.placed(in: half, view.fit))
      let pixels = canvas.rgba()
      if frame - start >= least, ColorHistogram.difference(last, pixels) > PalettePass.cut {
        stretches.append((start, Palette(histogram)))
        (start, histogram) = (frame, ColorHistogram())
      }
      histogram.add(pixels)
      last = pixels
    }
    stretches.append((start, Palette(histogram)))
  }

  /// The palette of a frame.
  func palette(of frame: Int) -> Palette {
    var index = stretches.count - 1
    while index > 0, stretches[index].start > frame { index -= 1 }
    return stretches[index].palette
  }
}
