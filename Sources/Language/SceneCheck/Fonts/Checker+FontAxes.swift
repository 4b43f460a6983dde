// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// The axes of variable fonts.
extension Checker {
  /// Returns the axes of the font of a text or a span. Records of ancestors are merged.
  func fontAxes(of i: ElementNode, _ families: [String], now: Scalar) -> FontAxesModel {
    var model = FontAxesModel()
    var values: [String: Scalar] = [:]
    var next: ElementNode? = i
    while let it = next, let (source, owner) = inherited(.fontAxes, it) {
      let value = memo(.fontAxes, from: source, of: owner, now: now)
      for axis in asAxes(value, source.value.span) where values[axis.tag] == nil {
        values[axis.tag] = axis.value
        warn(ofMissing: axis.tag, in: families, at: source.value.span)
      }
      next = owner.parent
    }
    model.axes = values.sorted { $0.key < $1.key }
      .map { FontAxesModel.Axis(tag: $0.key, value: $0.value) }
    if let (value, span) = inheritedValue(.fontWidth, of: i, now: now),
      let width = asNumber(value, span)
    {
      if valueOutside(.between(0.1, 10), of: width) != nil {
        _ = report(
          .outOfRange, "the font width must be between 10% and 1000%", at: span,
          help: "100% is the normal width and 75% a condensed one")
      } else {
        model.width = width
        let isStatic = families.first.map { metrics.hasWidths($0) } ?? false
        if width != .one, !isStatic { warn(ofMissing: "wdth", in: families, at: span) }
      }
    }
    if let (value, span) = inheritedValue(.opticalSize, of: i, now: now) {
      model.opticalSize = asOpticalSize(value, span) ?? .none
    }
    if model.opticalSize == .auto {
      let large = families.map { family in
        let name = "\(family) Display"
        return metrics.hasFamily(name) ? name : family
      }
      if large != families { model.displayFamilies = large }
    }
    return model
  }

  /// Returns the axes in a record, and reports everything else.
  func asAxes(_ value: Value, _ span: SourceSpan) -> [FontAxesModel.Axis] {
    switch value {
    case .none: return []
    case .record(let fields):
      return fields.compactMap { tag, value in
        guard tag.utf8.count == 4, tag.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
          _ = report(
            .outOfRange, "invalid font axis tag '\(tag)'", at: span,
            label: "expected four ASCII characters, such as 'wdth'")
          return nil
        }
        return asNumber(value, span).map { FontAxesModel.Axis(tag: tag, value: $0) }
      }
    default:
      mismatch(
        "the axes of a font", value, at: span,
        help: "write their values by tag, such as (wdth: 75)")
      return []
    }
  }

  func asOpticalSize(_ value: Value, _ span: SourceSpan) -> FontAxesModel.OpticalSize? {
    switch value {
    case .none: return FontAxesModel.OpticalSize.none
    case .word(let word):
      if word == "auto" { return .auto }
      _ = asWord(value, span, from: ["auto", "none"])
      return nil
    default: return asNumber(value, span).map { .fixed($0) }
    }
  }

  /// Warns if the first family lacks the variation axis or is not a variable font.
  private func warn(ofMissing tag: String, in families: [String], at span: SourceSpan) {
    guard let family = families.first,
      missingAxes.insert("\(family) \(tag) \(span.start)").inserted
    else { return }
    let axes = metrics.axes(of: family)
    // Families that are not installed are reported elsewhere.
    guard !axes.isEmpty || metrics.hasFamily(family) else { return }
    if axes.contains(where: { $0.tag == tag }) { return }
    let there =
      axes.isEmpty
      ? "it is not a variable font"
      : "it has \(axes.map(\.tag).joined(separator: ", "))"
    report(
      Diagnostic(
        .idleAxis, "'\(family)' has no axis '\(tag)'", at: span, label: there,
        notes: axes.isEmpty
          ? [Note(help: "'scenec fonts' lists the axes of the installed variable fonts")] : []))
  }
}
