// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
package import SceneIR
import SceneLanguage
import SceneLower
import SceneModel
import SceneSyntax
import SceneText

/// Compares two versions of a scene.
///
/// Every frame of both is lowered, and frames whose programs are equal have equal pixels, so no
/// difference is missed. The reverse does not hold: a change behind an opaque element changes only
/// the program. For such frames, `isVisible` compares the pixels.
package struct Comparer {
  /// The number of frames that are examined for the causes of all differences. It is exceeded if
  /// three frames of every range are more than that.
  private static let samples = 600
  /// The minimum and the maximum number of examined frames of a range.
  private static let samplesOfRange = 3...16
  /// The maximum number of elements that are examined for causes, counted again in every frame.
  package static let mostElements = 4_000_000

  var old: SceneSide
  var new: SceneSide
  let pairs: [ElementPairs.Pair]
  /// The pair of `captions` elements that each pair of captions belongs to.
  let ownersOfCaptions: [ElementPairs.Pair: ElementPairs.Pair]

  package init(_ old: SceneSide, _ new: SceneSide) {
    (self.old, self.new) = (old, new)
    pairs = ElementPairs(old, new).pairs
    ownersOfCaptions = Comparer.owners(ofCaptions: pairs, old, new)
  }

  /// Returns the differences. `isVisible` is called for pairs of frames with different programs, or
  /// with equal programs if `isSuspect` returns `true` for the program, and returns whether their
  /// pixels differ.
  package mutating func comparison(
    mostElements: Int = Comparer.mostElements,
    isSuspect: (FrameProgram) -> Bool = { _ in false },
    isVisible: ((FrameProgram, FrameProgram) throws -> Bool)? = nil
  ) rethrows -> VideoComparison {
    var parts = alignment().parts
    if let isVisible {
      parts = try parts.flatMap { try seen($0, isSuspect: isSuspect, isVisible: isVisible) }
    }
    var ranges: [VideoComparison.Range] = []
    for part in parts where !part.isEqual {
      ranges.append(
        VideoComparison.Range(
          old: part.old, new: part.new, differingCount: part.differingCount, elements: []))
    }
    ranges = Comparer.merged(ranges)
    let share = Self.samples / max(1, ranges.count)
    let room = max(Self.samplesOfRange.lowerBound, min(Self.samplesOfRange.upperBound, share))
    var unexaminedCount = 0
    var work = 0
    for (index, range) in ranges.enumerated() {
      work += pairs.count * min(room, max(range.old.count, range.new.count))
      guard work <= mostElements else {
        unexaminedCount = ranges.count - index
        break
      }
      ranges[index].elements = causes(of: range, room)
    }
    return VideoComparison(
      settings: settings(), ranges: ranges, unexaminedCount: unexaminedCount,
      moves: Comparer.moves(parts), sound: soundChanges(), alternatives: alternativeChanges(),
      oldFrameCount: old.model.frameCount, newFrameCount: new.model.frameCount)
  }

  // MARK: Frames

  private mutating func alignment() -> FrameAlignment {
    guard old.model.frameRate == new.model.frameRate else {
      // Frames at equal times are compared.
      let prints = (0..<new.model.frameCount).map { frame -> Fingerprint? in
        let time = new.model.frameRate.time(ofFrame: frame)
        return time < old.model.duration ? Fingerprint(old.program(at: time)) : nil
      }
      return FrameAlignment(byPosition: prints.compactMap(\.self), new.fingerprints())
    }
    let (a, b) = (old.fingerprints(), new.fingerprints())
    return old.model.size == new.model.size
      ? FrameAlignment(old: a, new: b) : FrameAlignment(byPosition: a, b)
  }

  /// Returns the program of a frame of the alignment in the old version.
  package mutating func oldProgram(_ frame: Int) -> FrameProgram {
    old.model.frameRate == new.model.frameRate
      ? old.program(frame) : old.program(at: new.model.frameRate.time(ofFrame: frame))
  }

  /// Returns the frame of the old version at the time of a frame of the alignment.
  private func oldFrame(_ frame: Int) -> Int {
    guard old.model.frameRate != new.model.frameRate else { return frame }
    let time = new.model.frameRate.time(ofFrame: frame)
    return max(0, old.model.frameRate.frames(before: Ticks(time.rawValue + 1)) - 1)
  }

  /// Returns the program of a frame in the new version.
  package mutating func newProgram(_ frame: Int) -> FrameProgram { new.program(frame) }

  /// Two frames whose pixels were compared.
  private struct SeenFrames {
    let old: FrameProgram
    let new: FrameProgram
    let differs: Bool
  }

  /// Divides a part into parts whose pixels are equal and parts whose pixels differ.
  private mutating func seen(
    _ part: FrameAlignment.Part, isSuspect: (FrameProgram) -> Bool,
    isVisible: (FrameProgram, FrameProgram) throws -> Bool
  ) rethrows -> [FrameAlignment.Part] {
    guard part.old.count == part.new.count else { return [part] }
    var parts: [FrameAlignment.Part] = []
    var last: SeenFrames?
    for (a, b) in zip(part.old, part.new) {
      let programs = (oldProgram(a), newProgram(b))
      var differs = !part.isEqual || isSuspect(programs.1)
      if differs {
        if let last, last.old == programs.0, last.new == programs.1 {
          differs = last.differs
        } else {
          differs = try isVisible(programs.0, programs.1)
          last = SeenFrames(old: programs.0, new: programs.1, differs: differs)
        }
      }
      let piece = FrameAlignment.Part(old: a..<a + 1, new: b..<b + 1, isEqual: !differs)
      if let last = parts.last, last.isEqual == piece.isEqual {
        parts[parts.count - 1] = FrameAlignment.Part(
          old: last.old.lowerBound..<a + 1, new: last.new.lowerBound..<b + 1,
          isEqual: piece.isEqual)
      } else {
        parts.append(piece)
      }
    }
    return parts
  }

  /// Merges ranges between which at most two frames are equal.
  private static func merged(_ ranges: [VideoComparison.Range]) -> [VideoComparison.Range] {
    ranges.reduce(into: []) { merged, next in
      guard let last = merged.last,
        next.old.lowerBound - last.old.upperBound == next.new.lowerBound - last.new.upperBound,
        next.old.lowerBound - last.old.upperBound <= 2
      else { return merged.append(next) }
      merged[merged.count - 1] = VideoComparison.Range(
        old: last.old.lowerBound..<next.old.upperBound,
        new: last.new.lowerBound..<next.new.upperBound,
        differingCount: last.differingCount + next.differingCount, elements: [])
    }
  }

  /// Returns the equal parts whose position differs, one for each distance.
  private static func moves(_ parts: [FrameAlignment.Part]) -> [VideoComparison.Move] {
    parts.reduce(into: []) { moves, part in
      let distance = part.new.lowerBound - part.old.lowerBound
      guard part.isEqual, distance != 0 else { return }
      if let last = moves.last, last.new.lowerBound - last.old.lowerBound == distance {
        moves[moves.count - 1] = VideoComparison.Move(
          old: last.old.lowerBound..<part.old.upperBound,
          new: last.new.lowerBound..<part.new.upperBound)
      } else {
        moves.append(VideoComparison.Move(old: part.old, new: part.new))
      }
    }
  }

  // MARK: Causes

  typealias Cause = VideoComparison.ElementChange

  /// Returns up to `room` frames of a range, the first and the last among them.
  private func samples(_ frames: Range<Int>, _ room: Int) -> [Int] {
    guard frames.count > room else { return Array(frames) }
    return (0..<room).map { frames.lowerBound + $0 * (frames.count - 1) / (room - 1) }
  }

  private mutating func causes(of range: VideoComparison.Range, _ room: Int) -> [Cause] {
    let count = min(range.old.count, range.new.count)
    guard count > 0 else { return crowd(range, room) }
    var evidence = Evidence()
    for offset in samples(0..<count, room) {
      add(old: range.old.lowerBound + offset, new: range.new.lowerBound + offset, to: &evidence)
    }
    return report(evidence)
  }

  /// Returns the elements that are drawn in added or removed frames only.
  private mutating func crowd(_ range: VideoComparison.Range, _ room: Int) -> [Cause] {
    var drawn: Set<Int> = []
    let isAdded = range.old.isEmpty
    for frame in samples(isAdded ? range.new : range.old, room) {
      drawn.formUnion((isAdded ? new.states(frame: frame) : old.states(frame: frame)).keys)
    }
    func isDrawn(_ pair: ElementPairs.Pair) -> Bool {
      (isAdded ? pair.new : pair.old).map(drawn.contains) ?? false
    }
    let captions = captionChanges(of: pairs.filter(isDrawn))
    return pairs.compactMap { pair in
      if let changes = captions[pair] {
        return cause(
          of: pair, pair.old == nil ? .added : pair.new == nil ? .removed : .changed,
          pair.old == nil || pair.new == nil ? [] : Comparer.changes([], withCaptions: changes))
      }
      guard isDrawn(pair), ownersOfCaptions[pair] == nil else { return nil }
      if isAdded ? pair.old == nil : pair.new == nil {
        return cause(of: pair, isAdded ? .added : .removed, [])
      }
      let times = [
        pair.old.flatMap { lifetime(of: $0, in: old) },
        pair.new.flatMap { lifetime(of: $0, in: new) },
      ]
      guard times[0] != times[1] else { return nil }
      return cause(
        of: pair, .changed,
        [VideoComparison.Change(property: "lifetime", old: times[0], new: times[1])]
      )
    }
  }

  /// The differences in the examined frames.
  struct Evidence {
    /// The elements that are drawn in either version, and their ancestors.
    var drawn: Set<ElementPairs.Pair> = []
    /// The pairs that are alive in either version.
    var alive: Set<ElementPairs.Pair> = []
    var properties: [ElementPairs.Pair: [VideoComparison.Change]] = [:]
    /// The pairs whose own drawing differs, with its description, and those that only moved.
    var drawings: [ElementPairs.Pair: [VideoComparison.Change]] = [:]
    var moved: Set<ElementPairs.Pair> = []
    /// The elements that exist in only one version.
    var lone: Set<ElementPairs.Pair> = []
    /// The changed captions of each `captions` element.
    var captions: [ElementPairs.Pair: [VideoComparison.Change]] = [:]
  }

  private mutating func add(old a: Int, new b: Int, to evidence: inout Evidence) {
    let (before, after) = (old.states(frame: oldFrame(a)), new.states(frame: b))
    var drawn = (old: Set<Int>(), new: Set<Int>())
    for index in before.keys { drawn.old.formUnion(old.lineage(index)) }
    for index in after.keys { drawn.new.formUnion(new.lineage(index)) }
    for pair in pairs {
      let isDrawn =
        pair.old.map { drawn.old.contains($0) } == true
        || pair.new.map { drawn.new.contains($0) } == true || pair.old == 0
      if isDrawn { evidence.drawn.insert(pair) }
      if let owner = ownersOfCaptions[pair] {
        if isDrawn { addCaption(pair, of: owner, before: before, after: after, to: &evidence) }
        continue
      }
      guard let i = pair.old, let j = pair.new else {
        if isDrawn { evidence.lone.insert(pair) }
        continue
      }
      guard isDrawn || old.isAlive(i) || new.isAlive(j) else { continue }
      evidence.alive.insert(pair)
      let ofOutputs = isDrawn && isCaptions(pair) ? captionUseChange : nil
      for change in [ofOutputs].compactMap(\.self) + changes(i, j) {
        // A file with another name and the same content is not a cause.
        if change.isRename, !isCaptions(pair), before[i] == after[j], before[i] != nil || isFile(j)
        {
          continue
        }
        let known = evidence.properties[pair] ?? []
        if !known.contains(where: { $0.property == change.property }) {
          evidence.properties[pair] = known + [change]
        }
      }
      guard before[i] != after[j], evidence.drawings[pair] == nil else { continue }
      let (x, y) = (before[i] ?? SceneSide.State(), after[j] ?? SceneSide.State())
      if x.own == y.own && x.opacities == y.opacities {
        evidence.moved.insert(pair)
      } else {
        evidence.drawings[pair] = Comparer.drawing(x, y)
      }
    }
  }

  /// Returns whether an element of the new version shows a file.
  private func isFile(_ index: Int) -> Bool {
    ["image", "svg", "video"].contains(new.record.elements[index].kind)
  }

  /// Returns the properties of an element whose values differ in the current frames.
  func changes(_ i: Int, _ j: Int) -> [VideoComparison.Change] {
    let (a, b) = (old.record.elements[i], new.record.elements[j])
    var changes: [VideoComparison.Change] = []
    let names = Set(a.properties.map(\.property)).union(b.properties.map(\.property))
    for property in names.subtracting(Comparer.alternatives).sorted(by: { $0.name < $1.name }) {
      let x = a.properties.first { $0.property == property }.map { SeenValue($0, in: old) }
      let y = b.properties.first { $0.property == property }.map { SeenValue($0, in: new) }
      guard x?.text != y?.text || x?.numbers != y?.numbers else { continue }
      var change = VideoComparison.Change(property: property.name, x, y)
      change.followsTime =
        x.map { $0.source == y?.source && $0.isAnimated && y?.isAnimated == true } ?? false
      changes.append(change)
    }
    for argument in Set((a.arguments + b.arguments).map(\.name.text)).sorted() {
      let x = a.arguments.first { $0.name.text == argument }.map { old.text($0.value) }
      let y = b.arguments.first { $0.name.text == argument }.map { new.text($0.value) }
      if x != y { changes.append(VideoComparison.Change(property: argument, old: x, new: y)) }
    }
    let times = (lifetime(of: i, in: old), lifetime(of: j, in: new))
    if i > 0, times.0 != times.1,
      !changes.contains(where: { ["at", "for", "until"].contains($0.property) })
    {
      changes.append(VideoComparison.Change(property: "lifetime", old: times.0, new: times.1))
    }
    return changes
  }

  func lifetime(of index: Int, in side: SceneSide) -> String? {
    let element = side.record.elements[index]
    guard let start = element.start, let end = element.end else { return nil }
    return "\(NumberFormat.seconds(start)) to \(NumberFormat.seconds(end))"
  }

  /// Describes how two drawings of an element with equal properties differ.
  static func drawing(_ a: SceneSide.State, _ b: SceneSide.State)
    -> [VideoComparison.Change]
  {
    if a.string != b.string {
      return [VideoComparison.Change(property: "text", old: a.string, new: b.string)]
    }
    if a.images != b.images {
      let paths = Set(a.images.keys).union(b.images.keys).sorted()
      return paths.filter { a.images[$0] != b.images[$0] }.map { path in
        VideoComparison.Change(
          property: "image", old: a.images[path].map { _ in path },
          new: b.images[path].map { _ in a.images[path] == nil ? path : "\(path) (other content)" })
      }
    }
    return [VideoComparison.Change(property: "drawing", old: nil, new: nil)]
  }

  /// Returns the causes in source order. An element with a different drawing but equal properties
  /// is named only if no ancestor is named. Elements that only moved are named if there is no other
  /// cause.
  private func report(_ evidence: Evidence) -> [Cause] {
    var causes: [Cause] = []
    var named = Lineages()
    var lone = Lineages()
    for pair in evidence.lone { lone.insert(pair) }
    var timed = Lineages()
    for (pair, changes) in evidence.properties where changes.contains(where: \.isTiming) {
      timed.insert(pair)
    }
    for within in [evidence.drawn, evidence.alive] where causes.isEmpty {
      for pair in pairs where within.contains(pair) {
        if evidence.lone.contains(pair) {
          guard !isBelow(lone, pair) else { continue }
          causes.append(cause(of: pair, pair.old == nil ? .added : .removed, []))
        } else if let changes = own(
          evidence.changes(of: pair, isCaptions(pair)), isBelow(timed, pair))
        {
          causes.append(cause(of: pair, .changed, changes))
        } else if let drawing = evidence.drawings[pair],
          drawing.contains(where: { $0.new != nil || $0.old != nil }) || !isBelow(named, pair)
        {
          causes.append(cause(of: pair, .changed, drawing))
        } else {
          continue
        }
        named.insert(pair)
      }
    }
    guard causes.isEmpty else { return causes }
    return pairs.filter { evidence.moved.contains($0) }.prefix(6).map {
      cause(of: $0, .changed, [VideoComparison.Change(property: "place", old: nil, new: nil)])
    }
  }

  /// Elements by their indices in both versions, without the scene.
  private struct Lineages {
    private var old: Set<Int> = []
    private var new: Set<Int> = []

    mutating func insert(_ pair: ElementPairs.Pair) {
      if let index = pair.old, index > 0 { old.insert(index) }
      if let index = pair.new, index > 0 { new.insert(index) }
    }

    func containsAny(ofOld olds: some Sequence<Int>, new news: some Sequence<Int>) -> Bool {
      olds.contains { old.contains($0) } || news.contains { new.contains($0) }
    }
  }

  /// Returns whether an ancestor of an element is among others.
  private func isBelow(_ others: Lineages, _ pair: ElementPairs.Pair) -> Bool {
    others.containsAny(
      ofOld: pair.old.map { old.lineage($0).dropFirst() } ?? [],
      new: pair.new.map { new.lineage($0).dropFirst() } ?? [])
  }

  /// Returns the changes of an element without those that only follow from a change of the time of
  /// the element or, if `isBelowTimed`, of an ancestor; `nil` if none remain.
  private func own(_ changes: [VideoComparison.Change], _ isBelowTimed: Bool)
    -> [VideoComparison.Change]?
  {
    let isTimed = isBelowTimed || changes.contains(where: \.isTiming)
    let own = changes.filter { change in
      !(isBelowTimed && change.property == "lifetime") && !(isTimed && change.followsTime)
    }
    return own.isEmpty ? nil : own
  }

  func cause(
    of pair: ElementPairs.Pair, _ kind: Cause.Kind, _ changes: [VideoComparison.Change]
  ) -> Cause {
    let side = pair.new == nil ? old : new
    let index = pair.new ?? pair.old ?? 0
    let names = side.lineage(index).reversed().dropFirst().compactMap {
      let element = side.record.elements[$0]
      return element.name ?? ($0 == index ? element.kind : nil)
    }
    return Cause(
      kind: kind, path: names.isEmpty ? "scene" : names.joined(separator: "."),
      old: pair.old.map { old.record.elements[$0].head },
      new: pair.new.map { new.record.elements[$0].head }, changes: changes)
  }
}

extension VideoComparison.Change {
  /// Creates a change from two values; their numbers are shown if their texts are equal.
  fileprivate init(property: String, _ old: SeenValue?, _ new: SeenValue?) {
    guard let old, let new, old.text == new.text else {
      self.init(property: property, old: old?.text, new: new?.text)
      return
    }
    func text(_ value: SeenValue) -> String {
      let numbers = value.numbers.prefix(6).map {
        NumberFormat().text(($0 * 1000).rounded() / 1000)
      }
      return "\(value.text) (\(numbers.joined(separator: ", ")))"
    }
    self.init(property: property, old: text(old), new: text(new))
  }
}
