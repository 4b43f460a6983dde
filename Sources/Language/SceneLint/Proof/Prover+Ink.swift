// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel

// The colors of a text at the last evaluated time, and their contrast with the background.
extension Prover {
  /// The paints of a text or a part of it.
  struct Ink {
    /// The color of the text; `nil` if the paint has no single color.
    let color: Color?
    /// The color of an outline that separates the text from its background.
    var outline: Color?
  }

  /// The minimum width of the visible part of an outline that separates a text from its background,
  /// as a fraction of the shorter side of the frame: about one pixel at 1080p.
  private static let leastOutline = 0.0009

  /// The maximum width of the inner half of an outline in front of the fill, as a fraction of the
  /// font size. The outline hides this width on both sides of a stem, which is about 0.09 wide in a
  /// regular font.
  private static let mostHiding = 0.02
  /// The minimum weight of a regular font.
  private static let regularWeight = 400.0

  /// Returns the ink of a paint. `fontSize` is `nil` if the width of the stems is unknown. `map`
  /// maps the text to the frame; it is `nil` in a perspective.
  func ink(of paint: TextPaintModel, fontSize: Double?, under map: Affine?) -> Ink {
    guard case .color(let color)? = paint.fill ?? paint.stroke?.paint else {
      return Ink(color: nil)
    }
    let ink = Ink(color: evaluator.color(color))
    guard paint.fill != nil, let stroke = paint.stroke, case .color(let outline) = stroke.paint,
      stroke.dash.isEmpty, stroke.profile == nil, stroke.brush == nil, let map
    else { return ink }
    let stretch = abs(map.determinant) / max(1e-9, map.maximumStretch)
    let half = evaluator(stroke.width) / 2
    let width = half * (stroke.isSteady ? 1 : stretch)
    guard width >= Prover.leastOutline * min(canvas.width, canvas.height) else { return ink }
    // The fill hides the inner half of the outline, or the inner half hides a part of the fill.
    let hiding = half / (stroke.isSteady ? max(1e-9, stretch) : 1)
    guard paint.strokeIsFirst || hiding <= Prover.mostHiding * (fontSize ?? 0) else { return ink }
    return Ink(color: ink.color, outline: evaluator.color(outline))
  }

  /// Returns the inks of a text. Units with a fill of their own keep the outline of the text.
  func inks(
    of text: TextModel, _ paints: [TextPaintModel], _ units: TextUnitsModel?, under map: Affine?
  ) -> [Ink] {
    let own = zip(paints, text.runs).map { paint, run in
      // The font of a text that fits a width can be smaller.
      let isRegular = text.fitWidth == nil && evaluator(run.weight) >= Prover.regularWeight
      return ink(of: paint, fontSize: isRegular ? evaluator(run.size) : nil, under: map)
    }
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
      guard let outline = ink.outline, let least = Prover.leastContrast(of: color, to: outline)
      else { return .unknown(.background(unknown)) }
      return .least(least, unknown)
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

  /// Returns whether a condition that is true for some contrasts is also true for all greater ones.
  /// Only comparisons such as `contrast-of(title) >= 4.5` and their conjunctions are recognized.
  func followsFromLowerBounds(_ truth: Scalar) -> Bool {
    guard case .node(let index) = truth, readsContrast(truth) else { return true }
    let node = expectations.program.nodes[Int(index)]
    switch node.operation {
    case .and: return followsFromLowerBounds(node.a) && followsFromLowerBounds(node.b)
    case .less, .lessOrEqual:
      guard case .node(let right) = node.b else { return false }
      return isContrast(right) && !readsContrast(node.a)
    default: return false
    }
  }

  private func readsContrast(_ scalar: Scalar) -> Bool {
    evaluator.nodes(of: [scalar]).contains(where: isContrast)
  }

  private func isContrast(_ index: Int32) -> Bool {
    let node = expectations.program.nodes[Int(index)]
    guard node.operation == .measured,
      case .contrast = expectations.measurements[Int(node.index)]
    else { return false }
    return true
  }
}
