// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneText
import SceneTypes

// The caption tracks of a scene.
extension Checker {
  /// Returns the captions of an element in the time of the built scene. `start` is the element's
  /// start on its own clock, and `place` is its part of the built scene. Returns `nil` for other
  /// elements and after an error.
  func captionTrack(of i: ElementNode, from start: Ticks, in place: SoundPlace) -> CaptionTrack? {
    guard let plan = i.captionPlan, let language = language(of: i) else { return nil }
    var align: CaptionPlacement.TextAlignment?
    if let (value, span) = value(.align, of: i, now: now) {
      align = asWord(value, span, from: TextAlign.allCases.map(\.rawValue))
        .flatMap(CaptionPlacement.TextAlignment.init)
    }
    let looks = place.clock == nil ? looks(at: place, i.span) : []
    var cues: [CaptionTrack.Cue] = []
    for entry in plan.entries {
      let caption = entry.caption
      let own = [caption.start, caption.end].map {
        Double(start.rawValue) + ($0 * Double(Ticks.perSecond)).rounded()
      }
      let lines = caption.lines.map { $0.map(\.text).joined() }
      guard let shown = shown(from: own[0], to: own[1], in: place, looks, i.span) else {
        return nil
      }
      cues += shown.map {
        CaptionTrack.Cue(
          start: $0.lowerBound, end: $0.upperBound, lines: lines,
          alignment: align ?? caption.placement.alignment,
          isAtTop: plan.isAtTop ?? caption.placement.isAtTop)
      }
    }
    return CaptionTrack(
      captionKind(of: i), language: language, label: constantText(.label, of: i), span: i.span,
      isDrawn: bool(.visible, of: i, now: now) != .zero, cues: cues)
  }

  /// Returns the intervals of the built scene in which a part of an element's clock is shown.
  /// `looks` are those of a place with a nonlinear clock. Returns `nil` if a limit is exceeded.
  func shown(
    from: Double, to: Double, in place: SoundPlace, _ looks: [Look], _ span: SourceSpan
  ) -> [Range<Ticks>]? {
    var shown: [Range<Ticks>] = []
    func add(_ start: Double, _ end: Double) {
      guard let start = Ticks(rounding: start), let end = Ticks(rounding: end), start <= end
      else { return }
      shown.append(start..<end)
    }
    if place.clock != nil {
      if let part = part(of: place, from: from, to: to) { add(part.start, part.end) }
      return shown
    }
    guard spend(looks.count, span) else { return nil }
    var first: Double?
    for look in looks {
      let isShown = look.time.map { from <= $0 && $0 < to } ?? false
      if isShown, first == nil { first = look.start }
      if !isShown, let begin = first {
        add(begin, look.start)
        first = nil
      }
    }
    return shown
  }

  func constantText(_ property: Property, of i: ElementNode) -> String {
    guard let (value, span) = value(property, of: i, now: now) else { return "" }
    return asConstantText(value, span) ?? ""
  }

  private func captionKind(of i: ElementNode) -> CaptionKind {
    guard let (value, span) = value(.kind, of: i, now: now),
      let word = asWord(value, span, from: CaptionKind.written.map(\.rawValue))
    else { return .captions }
    return CaptionKind(rawValue: word) ?? .captions
  }

  /// Returns the language tag of a text or a track; empty without a language, `nil` after an error.
  /// File names can contain it.
  func language(of i: ElementNode) -> String? {
    guard let (value, span) = inheritedValue(.language, of: i, now: now) else { return "" }
    guard let text = asConstantText(value, span) else { return nil }
    if text.isEmpty { return "" }
    if let tag = LanguageTag(text) { return tag.text }
    // Each text has its own value of an inherited language.
    guard reports.isNew(span) else { return nil }
    var diagnostic = Diagnostic(
      .outOfRange, "'\(text)' is not a language tag", at: span,
      label: "expected a BCP 47 tag, such as en or pt-BR")
    if let tag = LanguageTag.intended(by: text)?.text {
      diagnostic.label = "write \"\(tag)\""
      if self.text(at: span) == "\"\(text)\"" {
        diagnostic.fixIts = [
          FixIt("change to \"\(tag)\"", replacing: span, with: "\"\(tag)\"")
        ]
      }
    }
    report(diagnostic)
    return nil
  }

  // MARK: Nonlinear clocks

  /// A frame of the built scene and the time on the clock of an element that it shows; `nil` where
  /// the element is not alive.
  struct Look {
    let start: Double
    let time: Double?
  }

  /// Returns the frames of a place with a nonlinear clock, and the end of the last one. The clock
  /// cannot be inverted, so captions begin and end with frames.
  func looks(at place: SoundPlace, _ span: SourceSpan) -> [Look] {
    guard let start = Ticks(rounding: place.start), let end = Ticks(rounding: place.end) else {
      return []
    }
    let frames =
      frameRate.frame(
        atOrAfter: start)..<max(
        frameRate.frame(atOrAfter: start), frameRate.frames(before: end))
    guard spend(frames.count * place.lives.count, span) else { return [] }
    let scalars = place.lives.map(\.clock)
    let program = builder.finish(uses: scalars.map { ($0, start.rawValue..<end.rawValue) })
    var evaluator = Evaluator(program, metrics: metrics)
    var looks: [Look] = frames.map { frame in
      let time = frameRate.time(ofFrame: frame)
      evaluator.evaluate(only: scalars, at: time)
      let isAlive = place.lives.allSatisfy { life in
        (life.from..<max(life.from, life.to)).contains(evaluator(life.clock))
      }
      return Look(
        start: Double(time.rawValue),
        time: isAlive ? place.lives.last.map { evaluator($0.clock) } : nil)
    }
    looks.append(Look(start: place.end, time: nil))
    return looks
  }

  /// Returns whether the scene places captions in the upper half of the frame.
  func isAtTop(_ i: ElementNode) -> Bool {
    guard let (value, span) = value(.position, of: i, now: now) else { return false }
    let y = asPoint(value, span, in: context(of: i, now: now), width: .one, height: .one)?.y
    return y?.constantValue.map { $0 < 0.5 } ?? false
  }

  /// Warns about the tracks of output files that have no language.
  func checkCaptions(of model: SceneModel) {
    guard let output = model.outputs.first(where: \.captions.hasTracks) else { return }
    for track in model.captions where track.language.isEmpty {
      report(
        Diagnostic(
          .trackWithoutLanguage, "the caption track has no language", at: track.span,
          label: "set its language, such as language: \"en\"",
          notes: [Note("the captions become a text track here", at: output.place(of: "captions"))]))
    }
  }
}
