// SPDX-License-Identifier: MIT
import SceneEncoding
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneLower
import SceneModel
import SceneRaster
import SceneWriting

/// The palettes of a GIF: one for each interval between hard cuts, so that few colors suffice.
///
/// They are computed in a first pass from all distinct frames, rendered at half size.
struct PalettePass {
  /// The first frame and the palette of each interval, in order.
  private var stretches: [(start: Int, palette: Palette)] = []

  init(_ film: Film, _ view: DrawingPlan.View, goOn: () throws(BuildError) -> Void) throws {
    let frames = film.frames
    let half = PixelSize(max(1, view.size.width / 2), max(1, view.size.height / 2))
    let canvas = try Canvas(half, isOpaque: false, resources: film.resources)
    var lowerer = Lowerer(film.model, metrics: film.metrics)
    var maker = PaletteMaker(film.model.frameRate.value, from: frames.lowerBound)
    var start = frames.lowerBound
    var program: FrameProgram?
    for frame in frames {
      try goOn()
      guard let next = lowerer.lower(frame: frame, isUnwanted: film.isUnwanted) else {
        throw DrawingError.givenUp
      }
      if next == program { continue }
      program = next
      try canvas.draw(next.placed(in: half, view.fit), isUnwanted: film.isUnwanted)
      guard let palette = maker.add(canvas.rgba(), frame: frame) else { continue }
      stretches.append((start, palette))
      start = frame
    }
    stretches.append((start, maker.palette))
  }

  /// Returns the palette of a frame.
  func palette(of frame: Int) -> Palette {
    var index = stretches.count - 1
    while index > 0, stretches[index].start > frame { index -= 1 }
    return stretches[index].palette
  }
}
