// SPDX-License-Identifier: MIT
import CCairo
package import SceneGraphics
package import SceneMath
import SceneSystem
import Synchronization

/// An owned `hb_font_t` of a font with a `MATH` table.
// Safe: HarfBuzz can read an immutable font from any thread; the cache is protected by the lock.
@safe package final class FormulaFont: MathFont, @unchecked Sendable {
  @safe private let handle: Owned<OpaquePointer>
  /// The font of the handle.
  private let font: scene_math
  private let unit: Double
  private let constants: [Double]
  private let outlines = Mutex<[GlyphID: Path]>([:])

  /// Opens a face of a font file; returns `nil` if it has no `MATH` table.
  init?(path: String, index: Int) {
    unsafe handle = Owned(always: scene_math_font(path, Int32(clamping: index)), hb_font_destroy)
    let font = unsafe scene_math(font: handle.pointer)
    self.font = font
    guard scene_math_is_there(font) != 0 else { return nil }
    let unit = 1 / Double(max(1, scene_math_units(font)))
    self.unit = unit
    let percents: Set<MathConstant> = [
      .scriptPercentScaleDown, .scriptScriptPercentScaleDown, .radicalDegreeBottomRaisePercent,
    ]
    constants = (0...MathConstant.minConnectorOverlap.rawValue).map { number in
      guard let name = MathConstant(rawValue: number) else { return 0 }
      if name == .minConnectorOverlap { return Double(scene_math_overlap(font)) * unit }
      let value = Double(scene_math_constant(font, Int32(number)))
      return percents.contains(name) ? value : value * unit
    }
  }

  package func constant(_ name: MathConstant) -> Double { constants[name.rawValue] }

  package func glyph(of scalar: Unicode.Scalar) -> GlyphID? {
    let glyph = scene_math_glyph(font, scalar.value)
    return glyph == 0 ? nil : glyph
  }

  private static func tag(_ name: StaticString) -> UInt32 {
    name.description.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static let scripts = tag("ssty")
  private static let dotless = tag("dtls")

  package func script(_ glyph: GlyphID, level: Int) -> GlyphID {
    scene_math_alternate(font, glyph, FormulaFont.scripts, level > 1 ? 1 : 0)
  }

  package func dotless(_ glyph: GlyphID) -> GlyphID {
    scene_math_alternate(font, glyph, FormulaFont.dotless, 0)
  }

  package func metrics(of glyph: GlyphID) -> GlyphMetrics {
    let it = scene_math_size(font, glyph)
    func em(_ units: Int32) -> Double { Double(units) * unit }
    return GlyphMetrics(
      advance: em(it.advance), left: em(it.left), right: em(it.left + it.width), top: em(it.top),
      bottom: em(it.top + it.height), italic: em(it.italic), accent: em(it.accent))
  }

  package func kern(_ glyph: GlyphID, _ corner: MathCorner, height: Double) -> Double {
    let units = Int32(exactly: (height / unit).rounded()) ?? 0
    return Double(scene_math_kern(font, glyph, Int32(corner.rawValue), units)) * unit
  }

  /// The maximum number of variants or parts that are read for a glyph, which no font reaches.
  private static let greatestCount: Int32 = 64

  package func variants(of glyph: GlyphID, _ side: StretchSide) -> [GlyphVariant] {
    var all: [GlyphVariant] = []
    for index in 0..<FormulaFont.greatestCount {
      let it = scene_math_variant(font, glyph, side == .vertical, index)
      if it.glyph == 0 { break }
      all.append(GlyphVariant(glyph: it.glyph, length: Double(it.length) * unit))
    }
    return all
  }

  package func assembly(of glyph: GlyphID, _ side: StretchSide) -> [GlyphPart] {
    var all: [GlyphPart] = []
    for index in 0..<FormulaFont.greatestCount {
      let it = scene_math_part(font, glyph, side == .vertical, index)
      if it.glyph == 0 { break }
      all.append(
        GlyphPart(
          glyph: it.glyph, startConnector: Double(it.start) * unit,
          endConnector: Double(it.end) * unit, length: Double(it.length) * unit,
          isExtender: it.is_extender != 0))
    }
    return all
  }

  package func outline(of glyph: GlyphID) -> Path {
    if let known = outlines.withLock({ $0[glyph] }) { return known }
    let pen = DrawingContext(.recording())
    pen.newPath()
    scene_math_trace(font, glyph, pen.handle.pointer)
    let path = pen.path(movedBy: .zero).transformed(
      by: Affine(a: unit, b: 0, c: 0, d: unit, e: 0, f: 0))
    outlines.withLock { $0[glyph] = path }
    return path
  }
}
