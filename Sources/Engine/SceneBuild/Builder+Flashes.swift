// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneFlash
import SceneIR
import SceneLower
import SceneModel
import SceneSession
import SceneSyntax
import SceneText

extension Builder {
  /// Returns a warning for each interval of a video that flashes, unless a comment on the line of
  /// the scene or of the element allows it.
  func warnings(of judge: FlashJudge, film: Film, _ scene: LoadedScene) -> [Diagnostic] {
    let places = film.model.places
    guard !places.allowed.contains(Code.flashes.rawValue) else { return [] }
    let findings = judge.findings
    var warnings = findings.compactMap { finding -> Diagnostic? in
      let source = FlashSource(finding.peak, film)
      let span = source.span ?? places.scene
      guard !scene.allows(.flashes, at: span) else { return nil }
      var warning = finding.warning(at: span, of: source.name, film.model)
      if finding.kind == .flashes, source.span != nil, let period = scene.shortPeriod(at: span) {
        warning.fixIts.append(
          FixIt("change the period to 0.34s: wave(0.34s)", replacing: period, with: "0.34s"))
      }
      return warning
    }
    if judge.furtherCount > 0, let last = warnings.indices.last {
      let further = NumberFormat.count(judge.furtherCount, of: "further range")
      warnings[last].notes.append(Note("\(further) of the video also flashes"))
    }
    return warnings
  }
}

extension LoadedScene {
  /// Returns whether a comment on the line of a span allows a warning.
  fileprivate func allows(_ code: Code, at span: SourceSpan) -> Bool {
    guard let source = sources.first(where: { $0.id == span.file }) else { return false }
    let range = source.lineRange(source.lineIndex(at: span.start))
    let line = source.text(source.span(range.lowerBound, range.upperBound))
    guard let comment = line.firstRange(of: "// scenec: allow ") else { return false }
    return AllowComment.codes(in: String(line[comment.lowerBound...]))
      .contains { $0 == code.rawValue }
  }
}

extension LoadedScene {
  /// Returns the location of the literal period of the only `wave` in the value at a span, or in the
  /// element whose head is there, if it is too short.
  fileprivate func shortPeriod(at span: SourceSpan) -> SourceSpan? {
    guard let source = sources.first(where: { $0.id == span.file }) else { return nil }
    let tree = parse(source).tree
    var recent: [Int] = []
    var periods: [Int] = []
    var depth = 0
    for index in tree.tokens.indices
    where !tree.tokens[index].kind.isTrivia && tree.span(ofToken: index).start >= span.start {
      let kind = tree.tokens[index].kind
      depth += kind == .leftBrace ? 1 : kind == .rightBrace ? -1 : 0
      // The head of an element is followed by its body.
      let isPast = tree.span(ofToken: index).start >= span.end
      if depth < 0 || isPast && depth == 0 && kind != .rightBrace { break }
      recent = recent.suffix(3) + [index]
      if kind == .identifier, tree.text(ofToken: index) == "wave" { periods.append(-1) }
      let kinds = recent.map { tree.tokens[$0].kind }
      if kinds == [.identifier, .leftParen, .number, .rightParen],
        tree.text(ofToken: recent[0]) == "wave"
      {
        periods[periods.count - 1] = recent[2]
      }
      if isPast && depth == 0 { break }
    }
    guard periods.count == 1, periods[0] >= 0 else { return nil }
    let text = tree.text(ofToken: periods[0])
    let scale = text.hasSuffix("ms") ? 1e-3 : 1
    guard text.hasSuffix("s"), let number = Double(text.prefix { $0.isNumber || $0 == "." }),
      number * scale < 0.34
    else { return nil }
    return tree.span(ofToken: periods[0])
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
    func time(_ frame: Int) -> String {
      "\(format.text((model.frameRate.time(ofFrame: frame).seconds * 10).rounded() / 10))s"
    }
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
    return Diagnostic(
      .flashes,
      "the video \(what) from \(time(frames.lowerBound)) to \(time(frames.upperBound)) (\(rule))",
      at: span, label: label,
      notes: [
        Note(
          help: kind == .flashes
            ? "let each flash last at least 0.34s, or change less than 10% of the luminance"
            : "flash less than twice a second, or for a shorter time")
      ])
  }
}
