// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// Literal numbers that were probably meant as percentages.
extension Checker {
  /// Factors from this one on are probably percentages.
  private static let leastUnlikelyScale = 50.0

  /// Elements that are hardly ever enlarged by this factor. Paths in units of their own, images of
  /// few pixels, and groups of these often are.
  private static let fullSized: Set<ElementKind> = [
    .text, .math, .video, .rect, .circle, .ellipse, .star,
  ]

  /// Boxes up to this side, in pixels, often have an anchor in pixels, such as their center.
  private static let greatestTinySide = 2.0

  /// Warns about `scale: 150` and `anchor: (0.5, 1)`, whose numbers are a factor and pixels.
  /// Inside an enlarged element, small lengths are common.
  func warnOfMissingPercent(_ i: ElementNode) {
    guard Checker.fullSized.contains(i.kind), isWritten(.scale, on: i) || isWritten(.anchor, on: i)
    else { return }
    let parents = sequence(first: i.parent) { $0?.parent }
    let isEnlarged = parents.contains {
      $0?.properties[.scale] != nil || $0?.properties[.zoom] != nil
    }
    guard !isEnlarged else { return }
    if isWritten(.scale, on: i), let value = i.properties[.scale]?.value {
      warnOfScale(value, of: i)
    }
    if isWritten(.anchor, on: i), i.properties[.scale] == nil,
      let value = i.properties[.anchor]?.value
    {
      warnOfAnchor(value, of: i)
    }
  }

  /// Returns whether a property is in the body of the element, as opposed to a style.
  private func isWritten(_ property: Property, on i: ElementNode) -> Bool {
    guard let source = i.properties[property] else { return false }
    return source.made == nil && source.scope === i.scope
  }

  private func warnOfScale(_ value: Expression, of i: ElementNode) {
    guard let scale = value.literalNumber, scale >= Checker.leastUnlikelyScale, !hasOwnSize(i),
      i.changes[.scale] == nil, !effects(of: i).contains(where: { $0.sets([.scale]) })
    else { return }
    let factor = NumberFormat().text(scale)
    // The span of a number in parentheses includes them.
    let percentage = "\(factor)%"
    report(
      Diagnostic(
        .shareOutOfRange, "the scale is the factor \(factor)", at: value.span,
        label: "\(factor) times the size"
      ).fixing("write \(percentage)", replacing: value.span, with: percentage, isSafe: false))
  }

  /// Returns whether the scene sets a size of an element, which can be small to be enlarged.
  private func hasOwnSize(_ i: ElementNode) -> Bool {
    let sizes = [Property.radius, .size, .width, .fitWidth]
    let isLettered = [.text, .math].contains(i.kind)
    return sizes.contains { i.properties[$0] != nil }
      || isLettered && inherited(.fontSize, i) != nil
  }

  private func warnOfAnchor(_ value: Expression, of i: ElementNode) {
    guard case .pair(let x, let y) = value.kind, let a = x.literalNumber,
      let b = y.literalNumber, (0...1).contains(a), (0...1).contains(b), a + b > 0,
      let box = box(of: i, now: now), let width = box.width.constantValue,
      let height = box.height.constantValue, min(width, height) > Checker.greatestTinySide
    else { return }
    let shares = [a, b].map { NumberFormat().text($0 * 100) + "%" }
    let pair = "(\(shares.joined(separator: ", ")))"
    report(
      Diagnostic(
        .shareOutOfRange, "the numbers of the anchor are pixels", at: value.span,
        label: "at most 1 pixel from the top left corner"
      ).fixing("write \(pair)", replacing: value.span, with: pair, isSafe: false))
  }
}
