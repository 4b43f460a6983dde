// SPDX-License-Identifier: MIT
package import SceneCheck
package import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneLower
package import SceneModel
import SceneSyntax
package import SceneText

/// A builder of the timeline of a checked scene. Frames are lowered and compared, but not drawn.
package struct TimelineMaker {
  private let model: SceneModel
  private let record: SceneRecord
  private let sources: [SourceFile]
  private let metrics: any TextMetrics
  private let columns: Int
  private var evaluator: Evaluator
  private var soundEvaluator: Evaluator

  /// Creates a maker. `columns` is the number of equal intervals into which the timeline divides
  /// the duration.
  package init(
    _ model: SceneModel, record: SceneRecord, sources: [SourceFile],
    metrics: any TextMetrics, columns: Int
  ) {
    self.model = model
    self.record = record
    self.sources = sources
    self.metrics = metrics
    self.columns = max(1, columns)
    evaluator = Evaluator(model.program, metrics: metrics)
    soundEvaluator = Evaluator(model.sound.program, metrics: metrics)
  }

  /// Returns the timeline; `sound` holds the measurements of the audio mix.
  package mutating func timeline(_ checked: [Diagnostic], sound: Timeline.Mix? = nil)
    -> Timeline
  {
    let diagnostics =
      checked
      + [sound?.limited?.warning(at: model.places, isNormalized: model.isNormalized)]
      .compactMap { $0 }
    return Timeline(
      scene: model.name, size: model.size.description, framesPerSecond: model.frameRate.value,
      duration: Timeline.Time(model.duration), frameCount: model.frameCount, tracks: tracks(),
      picture: pictures(), sound: sound,
      cuts: SegmentPlanner(model).segments(of: 0..<model.frameCount).dropFirst().map {
        Timeline.Time(model.frameRate.time(ofFrame: $0.frames.lowerBound))
      },
      warnings: diagnostics.map {
        let (file, line) = place($0.span)
        return Timeline.Warning(
          code: $0.code.rawValue, message: $0.message, file: file, line: line)
      }, columns: columns)
  }

  private func place(_ span: SourceSpan) -> (file: String, line: Int) {
    let source = sources[Int(span.file.rawValue)]
    return (source.name, source.position(at: span.start).line)
  }

  private func text(_ span: SourceSpan) -> String {
    let source = sources[Int(span.file.rawValue)]
    let words = String(decoding: source.bytes[span.start..<span.end], as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 60 ? words.prefix(59) + "…" : words
  }

  // MARK: Frames

  private func pictures() -> [Timeline.Stretch] {
    var lowerer = Lowerer(model, metrics: metrics)
    var stretches: [(shown: Shown, first: Int)] = []
    var last: FrameProgram?
    let frames = 0..<model.frameCount
    let isCopying = model.outputs.contains(where: \.copies)
    let copies =
      isCopying
      ? CopyPlan(model, metrics: metrics, frames: frames).stretches : []
    let passed = PassedFrames(model)
    for frame in frames {
      let program = lowerer.lower(frame: frame)
      let clip = passed.clip(in: frame, program)
      let isPassed = clip != nil && clip?.obstacle == nil
      let kind: Timeline.Stretch.Kind =
        program.ops.isEmpty
        ? .empty
        : copies.contains { $0.frames.contains(frame) }
          ? .copied : program == last ? .still : isPassed ? .passed : .changing
      last = program
      var shown = Shown(kind: kind, clip: clip?.clip.path, reason: clip?.obstacle)
      if kind == .passed, isCopying {
        shown.reason = "no closed group of pictures (GOP) of the clip is shown alone"
      }
      // A freeze frame starts with the first of its identical frames.
      if kind == .still, let before = stretches.last, before.shown.kind == .changing {
        if before.first == frame - 1 { stretches.removeLast() }
        stretches.append((shown, frame - 1))
      } else if stretches.last?.shown != shown {
        stretches.append((shown, frame))
      }
    }
    let ends = stretches.dropFirst().map(\.first) + [model.frameCount]
    return zip(stretches, ends).map {
      Timeline.Stretch(
        kind: $0.shown.kind, start: Timeline.Time(model.frameRate.time(ofFrame: $0.first)),
        end: Timeline.Time(min(model.duration, model.frameRate.time(ofFrame: $1))),
        clip: $0.shown.clip, reason: $0.shown.reason)
    }
  }

  /// The common properties of all frames of an interval.
  private struct Shown: Equatable {
    let kind: Timeline.Stretch.Kind
    let clip: String?
    var reason: String?
  }

  // MARK: Tracks

  /// The common properties of a track's elements: the source location, the enclosing group and the
  /// media.
  private struct Place: Hashable {
    let head: SourceSpan
    let outer: Int?
    let material: Material?
  }

  /// The part of a file that an element plays.
  private struct Material: Hashable {
    let path: String
    let range: Range<Int64>
  }

  /// Returns the media that an element plays, if any.
  private func material(of element: SceneRecord.Element) -> Material? {
    if let voice = voices(of: element).first {
      return Material(path: voice.path, range: voice.range)
    }
    for part in element.drawn {
      if case .clip(let clip, _, _) = part.drawing {
        return Material(path: clip.path, range: clip.range)
      }
    }
    return nil
  }

  /// Elements that share a track, and the number of groups around them.
  private struct Group {
    let first: Int
    var all: [Int]
    let depth: Int
  }

  /// Returns the groups of elements that share a track, that is, those created by a loop from the
  /// same source location.
  ///
  /// Elements that play different media have separate tracks, since a track names only one file.
  private func groups() -> [Group] {
    var groups: [Group] = []
    var places: [Place: Int] = [:]
    // The group that contains the descendants of each element.
    var home: [Int: Int] = [:]
    // Whether an element is inside a component or nested scene, in which only audio and video
    // have tracks.
    var isInside: [Int: Bool] = [:]
    for (index, element) in record.elements.enumerated() {
      guard let parent = element.parent else { continue }
      let around = record.elements[parent]
      let outer = home[parent]
      guard around.parent == nil || outer != nil, !element.isTransition else { continue }
      // Only audio and video inside components and nested scenes have tracks.
      let isPlayed = [.audio, .video].contains(ElementKind(rawValue: element.kind))
      if !hasTrack(element) || isInside[parent] == true && !isPlayed {
        home[index] = outer
        isInside[index] = isInside[parent]
        continue
      }
      isInside[index] = element.definition != nil
      let place = Place(head: element.head, outer: outer, material: material(of: element))
      if let group = places[place] {
        groups[group].all.append(index)
        home[index] = group
      } else {
        home[index] = groups.count
        places[place] = groups.count
        let depth = outer.map { groups[$0].depth + 1 } ?? 0
        groups.append(Group(first: index, all: [index], depth: depth))
      }
    }
    return groups
  }

  private func hasTrack(_ element: SceneRecord.Element) -> Bool {
    guard let kind = ElementKind(rawValue: element.kind) else { return true }
    return kind.hasLife
  }

  /// Returns the lifetime of an element in video time, clipped to its ancestors; `nil` if it is
  /// empty.
  private func life(of element: SceneRecord.Element) -> (Ticks, Ticks)? {
    let voices = voices(of: element)
    if ElementKind(rawValue: element.kind) == .audio, !voices.isEmpty {
      // The lifetimes of voices are clipped to their ancestors and in video time.
      return held(voices.map(\.start).min(), voices.map(\.end).max())
    }
    guard var life = element.clock == .node(0) ? held(element.start, element.end) : drawn(element)
    else { return nil }
    var outer = element.parent
    while let around = outer.map({ record.elements[$0] }) {
      // The content of a step is drawn beyond the end of the step.
      if hasTrack(around), let shown = drawn(around) {
        life = (max(life.0, shown.0), min(life.1, shown.1))
      }
      outer = around.parent
    }
    return held(life.0, life.1)
  }

  /// Returns the interval in which an element is drawn, or `nil` if it draws nothing.
  private func drawn(_ element: SceneRecord.Element) -> (Ticks, Ticks)? {
    held(element.drawn.map(\.start).min(), element.drawn.map(\.end).max())
  }

  /// Returns an interval clipped to the video, or `nil` if it is empty.
  private func held(_ start: Ticks?, _ end: Ticks?) -> (Ticks, Ticks)? {
    guard let start, let end else { return nil }
    let held = (max(.zero, start), min(model.duration, end))
    return held.0 < held.1 ? held : nil
  }

  private mutating func tracks() -> [Timeline.Track] {
    let groups = groups()
    let found = groups.map { levels(of: $0.all) }
    var tracks: [Timeline.Track] = []
    for (group, levels) in zip(groups, found) {
      let element = record.elements[group.first]
      let lives = group.all.compactMap { life(of: record.elements[$0]) }
      guard let start = lives.map(\.0).min(), let end = lives.map(\.1).max() else { continue }
      let (file, line) = place(element.head)
      tracks.append(
        Timeline.Track(
          kind: kind(of: element), name: element.name, alternative: element.alternative, file: file,
          line: line, depth: group.depth, count: group.all.count, start: Timeline.Time(start),
          end: Timeline.Time(end),
          transitions: transitions(in: group.all), ramps: ramps(of: element),
          clip: clip(of: element), sound: sound(of: element),
          effects: element.properties.filter { [.enter, .exit].contains($0.property) }.map {
            "\($0.property.name) \(text($0.value))"
          },
          levels: levels))
    }
    return tracks
  }

  /// Returns the kind of an element; for a nested scene, the name of the scene.
  private func kind(of element: SceneRecord.Element) -> String {
    guard element.kind == "group", let name = element.definition else { return element.kind }
    return text(name)
  }

  private func transitions(in group: [Int]) -> [Timeline.Interval] {
    record.elements.filter { $0.isTransition && group.contains($0.parent ?? -1) }
      .compactMap(life).map {
        Timeline.Interval(start: Timeline.Time($0.0), end: Timeline.Time($0.1))
      }
  }

  private func ramps(of element: SceneRecord.Element) -> [Timeline.Ramp] {
    element.properties.flatMap { property in
      property.motions.filter { $0.clock == .node(0) }.flatMap(\.steps).compactMap { step in
        guard step.from < step.to, let start = Ticks(rounding: step.from),
          let end = Ticks(rounding: step.to)
        else { return nil }
        return Timeline.Ramp(
          property: property.property.name, from: step.start.map(text), to: text(step.value),
          start: Timeline.Time(start), end: Timeline.Time(end), easing: easing(of: step))
      }
    }
  }

  private func easing(of step: SceneRecord.Motion.Step) -> String? {
    if let written = step.clauses.first(where: { $0.word.text == "with" }) {
      return text(written.value.span)
    }
    return Easing.named.filter { $0.value == step.easing }.keys.min()
  }

  private mutating func clip(of element: SceneRecord.Element) -> Timeline.Clip? {
    if let voice = voice(of: element), ElementKind(rawValue: element.kind) == .audio {
      let played = part(of: voice)
      return Timeline.Clip(
        file: voice.path, from: Timeline.Time(played.from), to: Timeline.Time(played.to),
        pictures: nil, picturesPerSecond: nil,
        length: Timeline.Time(voice.sound.start + voice.sound.length))
    }
    for part in element.drawn {
      guard case .clip(let clip, _, _) = part.drawing, let (start, end) = life(of: element) else {
        continue
      }
      let later = Ticks(Int64(model.frameRate.frameTicks / 4))
      func picture(_ time: Ticks) -> Int {
        evaluator.evaluate(at: time + later)
        let next = evaluator(clip.time)
        evaluator.evaluate(at: time)
        return clip.image(at: evaluator(clip.time), later: next).frame
      }
      let last = model.frameRate.time(ofFrame: max(0, model.frameRate.frames(before: end) - 1))
      let ends = [picture(start), picture(max(start, last))]
      func time(_ picture: Int) -> Ticks {
        picture < clip.pictures.times.count
          ? clip.pictures.times.start(of: picture) : clip.pictures.times.length
      }
      return Timeline.Clip(
        file: clip.path,
        from: Timeline.Time(max(Ticks(clip.range.lowerBound), time(min(ends[0], ends[1])))),
        to: Timeline.Time(min(Ticks(clip.range.upperBound), time(max(ends[0], ends[1]) + 1))),
        pictures: ends,
        picturesPerSecond: clip.pictures.times.rate?.value,
        length: Timeline.Time(clip.pictures.times.length))
    }
    return nil
  }

  // MARK: Sound

  /// Returns the part of the media that a voice plays.
  private func part(of voice: VoiceModel) -> (from: Ticks, to: Ticks) {
    let range = (Ticks(voice.range.lowerBound), Ticks(voice.range.upperBound))
    guard case .steady(let from, let speed, false) = voice.clock,
      let to = Ticks(
        rounding: Double(from.rawValue) + Double((voice.end - voice.start).rawValue) * speed)
    else { return range }
    return (max(range.0, min(from, to)), min(range.1, max(from, to)))
  }

  private func voice(of element: SceneRecord.Element) -> VoiceModel? {
    voices(of: element).first
  }

  /// Returns the voices of an element. They are looked up by index, since all uses of a component
  /// share source locations.
  private func voices(of element: SceneRecord.Element) -> [VoiceModel] {
    element.voices.compactMap {
      model.sound.voices.indices.contains($0) ? model.sound.voices[$0] : nil
    }
  }

  private mutating func sound(of element: SceneRecord.Element) -> Timeline.Sound? {
    guard let voice = voice(of: element) else { return nil }
    let life = voice.end - voice.start
    let gains = (0..<24).map { part -> [Double?] in
      let time = voice.start + Ticks(life.rawValue * Int64(2 * part + 1) / 48)
      let factor = gain(of: voice, at: time)
      return [
        time.seconds,
        factor > 0 ? (2000 * Math.log(factor) / Math.log(10)).rounded() / 100 : nil,
      ]
    }
    func fade(_ isIn: Bool) -> Timeline.Time? {
      voice.fades.first { $0.isIn == isIn }.map { Timeline.Time($0.end - $0.start) }
    }
    var speed: Double?
    if case .steady(_, let it, _) = voice.clock { speed = it }
    return Timeline.Sound(
      gain: gains, ducked: ducked(voice), fadeIn: fade(true), fadeOut: fade(false), speed: speed)
  }

  /// Returns the intervals in which a voice is ducked: the frames at which a gain that its volume
  /// reads is below 0 dB.
  private func ducked(_ voice: VoiceModel) -> [[Double]] {
    let program = model.sound.program
    let gains = program.nodes(of: [voice.left, voice.right]).filter { program.readsGains($0) }
    guard !gains.isEmpty else { return [] }
    let rate = model.frameRate
    var stretches: [Range<Int>] = []
    for frame in rate.frames(before: voice.start)..<rate.frames(before: voice.end) {
      let time = Double(rate.time(ofFrame: frame).rawValue)
      guard gains.contains(where: { (program.value(of: .node($0), at: time) ?? 0) < -0.1 }) else {
        continue
      }
      if let last = stretches.last, last.upperBound == frame {
        stretches[stretches.count - 1] = last.lowerBound..<frame + 1
      } else {
        stretches.append(frame..<frame + 1)
      }
    }
    return stretches.map {
      [rate.time(ofFrame: $0.lowerBound).seconds, rate.time(ofFrame: $0.upperBound).seconds]
    }
  }

  /// Returns the gain of the louder channel, without fades.
  private mutating func gain(of voice: VoiceModel, at time: Ticks) -> Double {
    soundEvaluator.evaluate(at: time)
    return max(soundEvaluator(voice.left), soundEvaluator(voice.right))
  }

  private mutating func factor(of voice: VoiceModel, at time: Ticks) -> Double {
    voice.fades.reduce(gain(of: voice, at: time)) {
      $0 * $1.gain(at: Double(time.rawValue))
    }
  }

  // MARK: Levels

  /// Returns the height of a bar for an amplitude factor: 48 dB from full height to the lowest
  /// visible level.
  private static func height(_ factor: Double) -> Double {
    guard factor > 0 else { return 0 }
    return max(0.1, min(1, 1 + 20 * Math.log(factor) / Math.log(10) / 48))
  }

  private func time(ofColumn column: Int) -> Ticks {
    Ticks(model.duration.rawValue / Int64(2 * columns) * Int64(2 * column + 1))
  }

  /// Returns the visibility or loudness of the most visible element of a group, in each interval of
  /// the video.
  private mutating func levels(of group: [Int]) -> [Double?] {
    let elements = group.map { record.elements[$0] }
    let voices = elements.flatMap(voices)
    let isHeard = ElementKind(rawValue: elements[0].kind) == .audio
    let isRead = ElementKind(rawValue: elements[0].kind) == .description
    let lives = elements.map(life)
    func isAlive(_ index: Int, at time: Ticks) -> Bool {
      lives[index].map { $0.0 <= time && time < $0.1 } ?? false
    }
    return (0..<columns).map { column in
      let time = time(ofColumn: column)
      if isRead { return lives.indices.contains { isAlive($0, at: time) } ? 1 : nil }
      if isHeard {
        let alive = voices.filter { $0.start <= time && time < $0.end }
        return alive.map { TimelineMaker.height(factor(of: $0, at: time)) }.max()
      }
      evaluator.evaluate(at: time)
      var level: Double?
      for (index, element) in elements.enumerated() where isAlive(index, at: time) {
        for part in element.drawn where part.start <= time && time < part.end {
          let share = evaluator(part.visible) != 0 ? max(0, min(1, evaluator(part.opacity))) : 0
          level = max(level ?? 0, share)
        }
      }
      return level
    }
  }
}
