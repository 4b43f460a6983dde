// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// Texts on paths. The own coordinates of the text are those of its parent, as for a `path`:
// transforms apply to the letters on the path, and a `position` moves the anchor of their box.
extension Checker {
  /// Returns whether an element is a text on a path.
  func followsPath(_ i: ElementNode) -> Bool { i.kind == .text && i.properties[.along] != nil }

  /// Returns the outlines or the box of a text on a path; `nil` for other texts and after errors.
  func letters(
    of i: ElementNode, _ text: TextModel, _ part: LetterPathModel.Part, now: Scalar
  ) -> LetterPathModel? {
    guard let (value, span) = value(.along, of: i, now: now) else { return nil }
    var path: PathModel?
    if case .element(let other) = value {
      path = outlinePath(of: other, in: context(of: i, now: now), at: span)
    } else {
      path = asPath(value, span)
    }
    guard let path else { return nil }
    let shape: LetterShape = i.properties[.alongShape] == nil ? .rigid : word(.alongShape, of: i)
    return LetterPathModel(
      text, on: path, start: startOffset(of: i, text, on: path, now: now), isBent: shape == .bent,
      part: part)
  }

  /// Reports line breaks in a text on a path, and properties that wrap its line.
  func requireOneLine(of i: ElementNode, _ text: TextModel) {
    guard followsPath(i) else { return }
    let rule = "a text on a path has one line"
    for property in [Property.width, .maxWidth] {
      guard let source = i.properties[property] else { continue }
      report(
        Diagnostic(
          .propertyElsewhere, "'\(property.name)' cannot be combined with 'along'",
          at: source.nameSpan, label: rule
        ).advising("remove '\(property.name)'"))
    }
    guard text.runs.contains(where: \.text.hasLineBreak) else { return }
    report(
      Diagnostic(
        .propertyElsewhere, rule, at: i.properties[.content]?.value.span ?? i.span,
        label: "this text has a line break"
      ).advising("write one text for each line, each with its own path"))
  }

  /// Returns the outlines of a text, straight or on its path.
  func glyphs(of i: ElementNode, _ text: TextModel, now: Scalar) -> PathModel {
    PathModel([letters(of: i, text, .glyphs, now: now).map { .letters($0) } ?? .text(text)])
  }

  /// Returns the start offset as a fraction of the path. The default follows from the alignment:
  /// start, middle or end.
  private func startOffset(of i: ElementNode, _ text: TextModel, on path: PathModel, now: Scalar)
    -> Scalar
  {
    if let (value, span) = value(.startOffset, of: i, now: now) {
      guard let (pixels, share) = opened(value).lengthParts else {
        return asLength(value, span, of: .one) ?? .zero
      }
      return pixels == .zero
        ? share : builder.add(share, builder.divide(pixels, length(of: path)))
    }
    switch text.align {
    case .left, .justify: return .zero
    case .center: return .constant(0.5)
    case .right: return .one
    }
  }

  /// Returns the length of a path in pixels, at least a hundredth.
  private func length(of path: PathModel) -> Scalar {
    if path.isConstant {
      return .constant(max(0.01, Evaluator(Program(), metrics: metrics).path(path).length))
    }
    let whole = builder.make(.pathPoint, a: .zero, index: builder.register(path) * 4 + 3)
    return builder.make(.maximum, a: .constant(0.01), b: whole)
  }

  /// Returns the box in which the paints of a text are placed. The paints of a text on a path
  /// follow its letters. Returns `nil` after an error.
  func layoutBox(of i: ElementNode, now: Scalar) -> BoxModel? {
    guard followsPath(i) else { return box(of: i, now: now) }
    guard let text = textModel(of: i, now: now) else { return nil }
    let extent = extent(of: text, in: i)
    return BoxModel(x: .zero, y: .zero, width: extent.width, height: extent.height)
  }
}
