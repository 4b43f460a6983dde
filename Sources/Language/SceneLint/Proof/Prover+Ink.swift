// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel

// The colors of a text at the last evaluated time, and their contrast to those behind it.
extension Prover {
  /// The paints of a text or a part of it.
  struct Ink {
    /// `nil` if the paint has no single color.
    let color: Color?
    /// The color of an outline that separates the text from its background.
    var outline: Color?
  }

  /// The width of the visible part of an outline, as a share of the shorter side of the frame, from
  /// which it separates a text from its background: about a pixel in a video of 1080 lines.
  private static let leastOutline = 0.0009

  /// Returns the ink of a paint. `map` leads from the text to the frame; `nil` in a perspective.
  func ink(of paint: TextPaintModel, under map: Affine?) -> Ink {
    guard case .color(let color)? = paint.fill ?? paint.stroke?.paint else {
      return Ink(color: nil)
    }
    let ink = Ink(color: evaluator.color(color))
    guard paint.fill != nil, let stroke = paint.stroke, case .color(let outline) = stroke.paint,
      stroke.dash.isEmpty, stroke.profile == nil, stroke.brush == nil, let map
    else { return ink }
    // The inner half of an outline is hidden by the fill, or hides it.
    let stretch = abs(map.determinant) / max(1e-9, map.maximumStretch)
    let width = evaluator(stroke.width) / 2 * (stroke.isSteady ? 1 : stretch)
    guard width >= Prover.leastOutline * min(canvas.width, canvas.height) else { return ink }
    return Ink(color: ink.color, outline: evaluator.color(outline))
  }

  /// Returns the inks of a text. Units with a fill of their own keep the outline of the text.
  func inks(
    of paints: [TextPaintModel], _ units: TextUnitsModel?, under map: Affine?
  ) -> [Ink] {
    let own = paints.map { ink(of: $0, under: map) }
    guard let units else { return own }
    let outline = own.allSatisfy { $0.outline == own[0].outline } ? own.first?.outline : nil
    let fills = (units.units + units.spans.map(\.unit)).compactMap(\.fill)
    let inks = fills.map { fill in
      guard case .color(let color) = fill else { return Ink(color: nil) }
      return Ink(color: evaluator.color(color), outline: outline)
    }
    // The units contain all letters of the text.
    let areAllFilled = !units.units.isEmpty && units.units.allSatisfy { $0.fill != nil }
    return areAllFilled ? inks : own + inks
  }

  /// Returns the lowest contrast of an ink to the colors behind it. A color behind the text counts
  /// only where the outline does not separate the text from it.
  func contrast(of ink: Ink, to behind: Backings) -> Contrast {
    guard let color = ink.color else { return .unknown(.background("its own fill")) }
    if let unknown = behind.unknown {
      let reason = Proof.Reason.background(unknown)
      guard let outline = ink.outline, let least = Prover.leastContrast(of: color, to: outline)
      else { return .unknown(reason) }
      return .least(least, reason)
    }
    return behind.list.map { back -> Contrast in
      let ratio = color.over(back.color).contrast(with: back.color)
      let outline = ink.outline?.over(back.color)
      let outlined = outline.map { color.over($0).contrast(with: $0) } ?? 0
      guard let outline, outlined > ratio else {
        return .ratio(
          ratio,
          "behind it is \(back.name), whose color is \(back.color.hexDescription) at that time")
      }
      return .ratio(
        outlined,
        "its outline is \(outline.hexDescription) at that time, in front of \(back.name)")
    }
    .reduce(nil) { lowest, next in lowest?.lower(next) ?? next }
      ?? .unknown(.background("its background"))
  }

  /// Returns the lowest contrast of a text to its outline on any background; `nil` if a background
  /// can give both the same luminance.
  private static func leastContrast(of color: Color, to outline: Color) -> Double? {
    guard color.alpha >= 1 else { return nil }
    let white = Color(red: 1, green: 1, blue: 1, alpha: 1)
    let extremes = [outline.over(.black), outline.over(white)]
    let (low, high) = (extremes[0].luminance, extremes[1].luminance)
    guard color.luminance < low || color.luminance > high else { return nil }
    return extremes.map { color.contrast(with: $0) }.min()
  }
}
