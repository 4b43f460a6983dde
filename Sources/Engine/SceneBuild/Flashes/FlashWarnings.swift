// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
package import SceneFlash
import SceneIR
import SceneLower
import SceneModel
import SceneSession
import SceneSyntax
import SceneText

/// The ranges of a video that flash.
package struct FlashFindings {
  package let ranges: [FlashFinding]
  /// The number of further ranges, which are only counted.
  package let furtherCount: Int
  /// The number of frames that were not drawn, because their packets are copied.
  package let skippedCount: Int
}

extension LoadedScene {
  /// Returns a warning for each range of a video that flashes, unless a comment on the line of the
  /// scene or of the element allows it. `model` is the layout of the judged frames. If `isUnwanted`
  /// returns `true`, the causes of the remaining ranges are not searched.
  func warnings(
    about findings: FlashFindings, in model: SceneModel,
    isUnwanted: @escaping () -> Bool = { false }
  ) -> [Diagnostic] {
    guard !model.places.allowed.contains(Code.flashes.rawValue) else { return [] }
    var warnings = findings.ranges.compactMap { finding -> Diagnostic? in
      let source = FlashSource(finding.peak, in: model, of: self, isUnwanted: isUnwanted)
      let span = source.span ?? model.places.scene
      guard !allows(.flashes, at: span) else { return nil }
      var warning = finding.warning(at: span, of: source.name, model)
      if finding.kind == .flashes, source.span != nil {
        // Seven transitions take three periods, but only two periods if the start or the end of the
        // element is the first or the last transition.
        let period = source.isBounded ? 0.5 : 0.34
        warning.fixIts += [flashFix(at: span, rate: finding.rate, period: period)].compactMap { $0 }
      }
      return warning
    }
    if findings.furtherCount > 0, let last = warnings.indices.last {
      let further = NumberFormat.count(findings.furtherCount, of: "further range")
      warnings[last].notes.append(Note("\(further) of the video also flashes"))
    }
    return warnings
  }

  /// Returns whether a comment on the line of a span allows a warning.
  private func allows(_ code: Code, at span: SourceSpan) -> Bool {
    guard let source = sources.first(where: { $0.id == span.file }) else { return false }
    let range = source.lineRange(source.lineIndex(at: span.start))
    let line = source.text(source.span(range.lowerBound, range.upperBound))
    guard let comment = line.firstRange(of: "// scenec: allow ") else { return false }
    return AllowComment.codes(in: String(line[comment.lowerBound...]))
      .contains { $0 == code.rawValue }
  }
}

extension FlashFinding {
  /// Returns the warning about the range, at the element that causes it.
  fileprivate func warning(at span: SourceSpan, of name: String?, _ model: SceneModel)
    -> Diagnostic
  {
    let format = NumberFormat()
    // Transitions are at whole frames, so the rate is near that of the scene; it exceeds 3.
    let isWhole = rate > 3.5 && abs(rate - rate.rounded()) < 0.2
    let count = format.text(isWhole ? rate.rounded() : max(3.1, (rate * 10).rounded() / 10))
    let (start, end) = (
      model.frameRate.time(ofFrame: frames.lowerBound).seconds,
      model.frameRate.time(ofFrame: frames.upperBound).seconds
    )
    func time(_ seconds: Double) -> String { "\(format.text((seconds * 10).rounded() / 10))s" }
    let standard = model.flashLimit == .web ? "WCAG 2.3.1" : "ITU-R BT.1702"
    let rule =
      kind == .flashes
      ? "\(standard) allows 3" : "\(standard) allows 4 of 5 seconds"
    var label = ""
    if let name {
      let percent = format.text((peak.share * 100).rounded())
      label = "'\(name)' changes \(percent)% of the frame"
    } else {
      label = "\(format.text((peak.share * 100).rounded()))% of the frame changes"
    }
    func luminance(_ value: Double) -> String { format.text((value * 100).rounded() / 100) }
    label +=
      peak.isRed
      ? " between saturated red and another color"
      : "; its luminance goes from \(luminance(peak.low)) to \(luminance(peak.high))"
    let what =
      kind == .flashes
      ? "flashes \(count) times a second" : "flashes about twice a second for too long,"
    var warning = Diagnostic(
      .flashes, "the video \(what) from \(time(start)) to \(time(end)) (\(rule))",
      at: span, label: label,
      notes: [
        Note(
          help: kind == .flashes
            ? "let each flash last at least 0.34s, or change less than 10% of the luminance"
            : "let it flash less than twice a second, or for at most 4s")
      ])
    (warning.instant, warning.end) = (start, end)
    return warning
  }
}
