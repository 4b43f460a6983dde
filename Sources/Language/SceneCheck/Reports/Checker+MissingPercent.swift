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

  /// Warns about `scale: 150` and `anchor: (0.5, 1)`, whose numbers are a factor and pixels.
  /// Inside an enlarged element, small lengths are common.
  func warnOfMissingPercent(_ i: ElementNode) {
    guard isWritten(.scale, on: i) || isWritten(.anchor, on: i) else { return }
    let parents = sequence(first: i.parent) { $0?.parent }
    let isEnlarged = parents.contains { $0?.properties[.scale] != nil }
    guard !isEnlarged else { return }
    if isWritten(.scale, on: i), let value = i.properties[.scale]?.value {
      warnOfScale(value, of: i)
    }
    if isWritten(.anchor, on: i), i.properties[.scale] == nil,
      let value = i.properties[.anchor]?.value
    {
      warnOfAnchor(value)
    }
  }

  /// Returns whether a property is in the body of the element, as opposed to a style.
  private func isWritten(_ property: Property, on i: ElementNode) -> Bool {
    guard let source = i.properties[property] else { return false }
    return source.made == nil && source.scope === i.scope
  }

  private func warnOfScale(_ value: Expression, of i: ElementNode) {
    let sizes = [Property.radius, .size, .width, .fontSize]
    guard let scale = value.literalNumber, scale >= Checker.leastUnlikelyScale,
      Checker.fullSized.contains(i.kind), sizes.allSatisfy({ i.properties[$0] == nil })
    else { return }
    let percentage = "\(text(at: value.span))%"
    report(
      Diagnostic(
        .shareOutOfRange, "the scale is the factor \(NumberFormat().text(scale))", at: value.span,
        label: "\(NumberFormat().text(scale)) times the size"
      ).fixing("write \(percentage)", replacing: value.span, with: percentage, isSafe: false))
  }

  private func warnOfAnchor(_ value: Expression) {
    guard case .pair(let x, let y) = value.kind, let a = x.literalNumber,
      let b = y.literalNumber, (0...1).contains(a), (0...1).contains(b), a + b > 0
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
