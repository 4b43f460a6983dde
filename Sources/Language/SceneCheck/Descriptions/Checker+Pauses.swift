// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Descriptions that overlap speech, and the pauses into which they fit.
extension Checker {
  /// The level in decibels above which a sound with `speech: true` counts as speech.
  private static let speechThreshold = -40.0

  /// Warns about descriptions that overlap speech. Each warning suggests the nearest pause that is
  /// long enough, and no other warning suggests the same pause.
  func warnOfCoveredSpeech(_ hearing: Hearing, in model: SceneModel, _ root: ElementNode) {
    guard !hearing.descriptions.isEmpty else { return }
    let spoken = speech(of: hearing, in: model, root)
    let speech = BusyTimes(spoken)
    var order: [SourceSpan] = []
    var uses: [SourceSpan: [HeardDescription]] = [:]
    for one in hearing.descriptions {
      if uses[one.element.span] == nil { order.append(one.element.span) }
      uses[one.element.span, default: []].append(one)
    }
    for span in order { noteCovered(uses[span] ?? [], nil, at: span) }
    if speech.isEmpty { return }
    var places = uses.mapValues { $0.flatMap(\.shown) }
    for span in order {
      guard let all = uses[span],
        let first = all.first(where: { $0.shown.contains { speech.first(in: $0) != nil } }),
        let covered = first.shown.lazy.compactMap({ speech.first(in: $0) }).first
      else { continue }
      // Each search sorts the speech and the descriptions.
      guard spend((spoken.count + hearing.descriptions.count) / 10, span) else { return }
      places[span] = nil
      let search = PauseSearch(
        uses: all, covered: first, busy: BusyTimes(spoken + places.values.joined()))
      let old = at(of: first.element)
      let move = search.nearest(from: old?.isLiteral == true ? old?.time ?? .zero : .zero)
      places[span] = move.map { search.places(shiftedBy: $0.shift) } ?? all.flatMap(\.shown)
      let warning = warning(first, covers: covered, in: search, move: move, from: old)
      noteCovered(all, warning, at: span)
    }
  }

  /// Records the result for a description in one scene. The result of the outermost scene replaces
  /// those of the scenes that it plays, since its captions include theirs. Of several scenes at the
  /// same depth, one with a warning takes precedence.
  private func noteCovered(
    _ uses: [HeardDescription], _ warning: Diagnostic?, at span: SourceSpan
  ) {
    let depth = uses.map(\.element.depth).max() ?? 0
    if let known = coveredSpeech[span] {
      if known.depth > depth { return }
      if known.depth == depth, known.warning != nil { return }
    }
    coveredSpeech[span] = (depth, warning)
  }

  /// Reports the warnings of all scenes of the file.
  func reportCoveredSpeech() {
    let order = coveredSpeech.keys.sorted { ($0.file, $0.start) < ($1.file, $1.start) }
    for span in order { if let warning = coveredSpeech[span]?.warning { report(warning) } }
  }

  private func warning(
    _ first: HeardDescription, covers speech: Range<Ticks>, in search: PauseSearch,
    move: PauseSearch.Move?, from old: StartSetting?
  ) -> Diagnostic {
    let warning = Diagnostic(
      .descriptionOverSpeech, "the description overlaps speech", at: first.element.span,
      label: "speech from \(speech.lowerBound.description) to \(speech.upperBound.description)")
    if let move {
      let what = "start it in the pause at \(move.start.description)"
      guard let old, let edit = edit(old, move) else { return warning.advising(what) }
      return warning.fixing(what, replacing: edit.span, with: edit.text)
    }
    return advice(for: first, in: search).map(warning.advising) ?? warning
  }

  /// Returns the advice for a description that fits into no pause. Returns `nil` if its clock is
  /// not linear, since the duration of a pause is then unknown.
  private func advice(for description: HeardDescription, in search: PauseSearch) -> String? {
    guard search.hasLinearClock else { return nil }
    let last = "remove the description, or shorten the speech"
    guard let pause = search.longest else { return "there is no pause; \(last)" }
    guard search.uses.count == 1 else {
      return "no pause is free in every repetition; shorten the description, or the speech"
    }
    let place = "to fit the longest one"
    if let limit = description.lengthSource {
      let longest = search.longestDuration(in: pause)
      guard longest > .zero else { return "no pause is long enough; \(last)" }
      return
        "no pause is long enough: shorten \(limit) to \(longest.description) \(place), at \(pause.lowerBound.description)"
    }
    let letters = description.text.count
    let free = pause.upperBound - pause.lowerBound
    let share =
      Double(free.rawValue)
      / Double((search.length.upperBound - search.length.lowerBound).rawValue)
    let kept = min(letters - 1, Int((Double(letters) * share).rounded(.down)))
    guard kept > 0 else { return "no pause is long enough; \(last)" }
    return
      "no pause is long enough: remove \(NumberFormat.count(letters - kept, of: "letter")) \(place), \(free.description) at \(pause.lowerBound.description)"
  }

  // MARK: Speech

  /// Returns the times at which someone speaks: those of the captions in the main language, or of
  /// the sounds with `speech: true` if there are no captions.
  private func speech(of hearing: Hearing, in model: SceneModel, _ root: ElementNode)
    -> [Range<Ticks>]
  {
    let tracks = model.captions.filter { !$0.cues.isEmpty }
    guard let first = tracks.first else { return hearing.speech.flatMap(spoken) }
    func base(_ language: String) -> Substring? {
      language.lowercased().split(separator: "-").first
    }
    let own = base(constantText(.language, of: root))
    let main = tracks.contains { base($0.language) == own } ? own : base(first.language)
    return tracks.filter { base($0.language) == main }.flatMap { track in
      track.cues.map { $0.start..<max($0.start, $0.end) }
    }
  }

  private func spoken(_ sound: Hearing.Speech) -> [Range<Ticks>] {
    let place = sound.place
    func range(_ from: Double, _ to: Double) -> Range<Ticks>? {
      guard let start = Ticks(rounding: max(place.start, min(from, to))),
        let end = Ticks(rounding: min(place.end, max(from, to))), start < end
      else { return nil }
      return start..<end
    }
    let measured: [Range<Int>]
    do throws(Reported) {
      measured = try speech(
        of: sound.element, above: Checker.speechThreshold, sound.element.span)
    } catch { return [] }
    guard let clock = place.clock else { return [range(place.start, place.end)].compactMap { $0 } }
    return measured.compactMap {
      range(
        clock.time(Double($0.lowerBound) * Checker.levelTicks),
        clock.time(Double($0.upperBound) * Checker.levelTicks))
    }
  }

  /// Returns the intervals in which a sound exceeds a threshold, in 1/100 s of the current clock.
  func speech(of i: ElementNode, above threshold: Double, _ span: SourceSpan) throws(Reported)
    -> [Range<Int>]
  {
    func need<T>(_ converted: T?) throws(Reported) -> T {
      guard let converted else { throw reports.expected(span) }
      return converted
    }
    let levels = try self.levels(of: i, .power, span)
    let start = try need(self.start(of: i, span))
    let end = try need(self.end(of: i, span))
    let clip = try need(footage(of: i))
    let first = Double((clip.info.sound?.start ?? .zero).rawValue)
    // The clock node is replaced by each sampled time below.
    let time = materialTime(of: i, start: start, length: clip.length(i.kind), at: .node(0))
    var gain = Scalar.one
    if let (value, span) = self.value(.volume, of: i, now: .node(0)) {
      gain = try need(asGain(value, span))
    }
    let from = Int(start.rawValue / Int64(Checker.levelTicks))
    let count = min(
      Int((end - start).rawValue / Int64(Checker.levelTicks)) + 1, 24 * 3600 * SoundMeasure.rate)
    guard spend(count / 10, span) else { throw reports.expected(span) }
    var evaluator: Evaluator?
    let moves = gain.constantValue == nil
    var heard: [Float] = []
    heard.reserveCapacity(count)
    var factor = Checker.decibels(gain.constantValue ?? 1)
    for step in 0..<count {
      let now = Double(start.rawValue) + (Double(step) + 0.5) * Checker.levelTicks
      // The time depends on few nodes. The volume may depend on many, so it is sampled ten times
      // per second.
      guard let played = builder.program.value(of: time, at: now) else { break }
      if moves, step % 10 == 0 {
        var it = evaluator ?? Evaluator(builder.program, metrics: metrics)
        it.evaluateAll(at: Ticks(Int64(now)))
        factor = Checker.decibels(it(gain))
        evaluator = it
      }
      let place = Int(((played - first) / Checker.levelTicks).rounded(.down))
      heard.append(levels.indices.contains(place) ? levels[place] + factor : -200)
    }
    return SoundLevels.speech(heard, threshold: threshold).map {
      ($0.lowerBound + from)..<($0.upperBound + from)
    }
  }

  // MARK: Edits

  /// The start of an element in the source.
  private struct StartSetting {
    let time: Ticks
    /// Whether the value is a number that can be replaced.
    let isLiteral: Bool
    /// The value, or the location at which the property can be inserted.
    let span: SourceSpan
    let isInserted: Bool
  }

  /// Returns the start of an element, or `nil` if its source location cannot be edited.
  private func at(of i: ElementNode) -> StartSetting? {
    if i.parent?.kind == .sequence { return nil }
    guard let source = i.properties[.at] else { return insertion(in: i) }
    guard isSetInBody(source, of: i), let time = time(source, of: i, "'at'") else { return nil }
    var isLiteral = false
    if case .number = source.value.kind { isLiteral = true }
    return StartSetting(
      time: time, isLiteral: isLiteral, span: source.value.span, isInserted: false)
  }

  /// Returns the location of a new `at`: the opening brace after the text, or the end of the text;
  /// `nil` if there is none.
  private func insertion(in i: ElementNode) -> StartSetting? {
    guard let end = i.syntax.subject?.span else { return nil }
    var span = SourceSpan(file: end.file, start: end.end, end: end.end)
    if let body = i.syntax.body {
      let rest = text(at: SourceSpan(file: end.file, start: end.end, end: body.end))
      guard let brace = rest.utf8.firstIndex(of: UInt8(ascii: "{")) else { return nil }
      let start = end.end + rest.utf8.distance(from: rest.startIndex, to: brace)
      span = SourceSpan(file: end.file, start: start, end: start + 1)
    }
    return StartSetting(time: .zero, isLiteral: true, span: span, isInserted: true)
  }

  private func edit(_ old: StartSetting, _ move: PauseSearch.Move)
    -> (span: SourceSpan, text: String)?
  {
    func seconds(_ time: Ticks) -> String { NumberFormat().text(time.seconds) + "s" }
    if old.isInserted {
      let isBody = old.span.start < old.span.end
      let at = "at: \(seconds(move.value))"
      return (old.span, isBody ? "{ \(at); " : " { \(at) }")
    }
    if old.isLiteral { return (old.span, seconds(move.value)) }
    let written = text(at: old.span)
    let isEarlier = move.value < .zero
    let shift = seconds(isEarlier ? .zero - move.value : move.value)
    return (old.span, "(\(written)) \(isEarlier ? "-" : "+") \(shift)")
  }
}

/// A search for a pause into which a description fits. A description in a repeated scene must fit
/// at each repetition.
private struct PauseSearch {
  let uses: [HeardDescription]
  let covered: HeardDescription
  /// The speech and the other descriptions.
  let busy: BusyTimes

  /// A new start of a description.
  struct Move {
    /// The distance on the clock of the description.
    let shift: Ticks
    /// The new value of `at`, or the distance if the value is computed.
    let value: Ticks
    /// The start of the first covered description in the built scene.
    let start: Ticks
  }

  /// The steps to which a start is rounded: hundredths of a second, else milliseconds.
  private static let steps = [Ticks.perSecond / 100, Ticks.perSecond / 1000]

  /// The interval of the covered description in the built scene, including the part that is cut
  /// off.
  var length: Range<Ticks> { time(of: covered, shiftedBy: .zero) ?? .zero ..< .zero }

  private func time(of use: HeardDescription, shiftedBy shift: Ticks) -> Range<Ticks>? {
    guard let clock = use.around.clock else { return nil }
    let ends = [use.start + shift, use.end + shift].map { clock.time(Double($0.rawValue)) }
    guard let start = Ticks(rounding: min(ends[0], ends[1])),
      let end = Ticks(rounding: max(ends[0], ends[1]))
    else { return nil }
    return start..<end
  }

  private func bounds(of use: HeardDescription) -> Range<Ticks>? {
    guard let start = Ticks(rounding: use.around.start), let end = Ticks(rounding: use.around.end),
      start < end
    else { return nil }
    return start..<end
  }

  /// Returns the intervals of the built scene in which the description is read after a move.
  func places(shiftedBy shift: Ticks) -> [Range<Ticks>] {
    uses.compactMap { time(of: $0, shiftedBy: shift) }
  }

  private func isFree(shiftedBy shift: Ticks) -> Bool {
    uses.allSatisfy { use in
      guard let time = time(of: use, shiftedBy: shift), let bounds = bounds(of: use) else {
        return false
      }
      return time.lowerBound >= bounds.lowerBound && time.upperBound <= bounds.upperBound
        && busy.first(in: time) == nil
    }
  }

  /// Returns the shortest move into a pause. `base` is the value to which the distance is added
  /// before it is rounded. Returns `nil` if there is none.
  func nearest(from base: Ticks) -> Move? {
    guard let bounds = bounds(of: covered), let clock = covered.around.clock else { return nil }
    let own = length
    let duration = own.upperBound - own.lowerBound
    let starts = busy.pauses(in: bounds).compactMap { pause -> Ticks? in
      let last = pause.upperBound - duration
      return last < pause.lowerBound ? nil : min(max(own.lowerBound, pause.lowerBound), last)
    }.sorted { abs(($0 - own.lowerBound).rawValue) < abs(($1 - own.lowerBound).rawValue) }
    for start in starts.prefix(PauseSearch.mostPlaces / uses.count) {
      let distance = Double((start - own.lowerBound).rawValue) * clock.speed
      guard let shift = Ticks(rounding: distance) else { continue }
      for step in PauseSearch.steps {
        let low = Ticks(floor((base + shift).rawValue, to: step))
        for value in [low, low + Ticks(step)] where isFree(shiftedBy: value - base) {
          guard let found = time(of: covered, shiftedBy: value - base) else { continue }
          return Move(shift: value - base, value: value, start: found.lowerBound)
        }
      }
    }
    return nil
  }

  /// The maximum number of positions that are tried.
  private static let mostPlaces = 100_000

  /// Whether the times of all repetitions can be computed.
  var hasLinearClock: Bool { uses.allSatisfy { $0.around.clock != nil } }

  /// Returns the longest duration on the clock of the description that fits into a pause and is
  /// shorter than the current one, in hundredths of a second.
  func longestDuration(in pause: Range<Ticks>) -> Ticks {
    let speed = abs(covered.around.clock?.speed ?? 1)
    let free = Double((pause.upperBound - pause.lowerBound).rawValue) * speed
    let shorter = min(Int64(free), (covered.end - covered.start).rawValue - 1)
    return Ticks(floor(shorter, to: PauseSearch.steps[0]))
  }

  private func floor(_ value: Int64, to step: Int64) -> Int64 {
    let rest = value % step
    return value - (rest < 0 ? rest + step : rest)
  }

  /// The longest pause within the elements around the covered description.
  var longest: Range<Ticks>? {
    bounds(of: covered).flatMap { bounds in
      busy.pauses(in: bounds).max {
        $0.upperBound - $0.lowerBound < $1.upperBound - $1.lowerBound
      }
    }
  }
}
