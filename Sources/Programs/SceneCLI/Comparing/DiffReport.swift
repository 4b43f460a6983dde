// SPDX-License-Identifier: MIT
import SceneCompare
import SceneDiagnostics
import SceneModel
import SceneText

/// The differences of two versions with resolved locations: the content of `scenec diff --format
/// json`.
struct DiffReport: Encodable {
  struct Place: Encodable {
    let file: String
    let line: Int
  }

  /// An interval of one version; its end is exclusive. It is empty where frames were added or
  /// removed.
  struct Interval: Encodable {
    let start: Double
    let end: Double
    let firstFrame: Int
    let frameCount: Int
  }

  struct Change: Encodable {
    let property: String
    let old: String?
    let new: String?
  }

  struct Element: Encodable {
    let kind: String
    let path: String
    let old: Place?
    let new: Place?
    let changes: [Change]
  }

  /// Three images of a range, as PNG files.
  struct Images {
    let frame: Int
    let old: [UInt8]?
    let new: [UInt8]?
    let difference: [UInt8]?
  }

  struct Range: Encodable {
    let old: Interval
    let new: Interval
    let differingFrames: Int
    let elements: [Element]
    /// Whether the pixels of the examined frames differ; `nil` if they were not drawn.
    var isVisible: Bool?
    var images: [Images] = []

    private enum CodingKeys: CodingKey { case old, new, differingFrames, elements, isVisible }
  }

  struct Move: Encodable {
    let old: Interval
    let new: Interval
  }

  struct Sound: Encodable {
    let start: Double
    let end: Double
    let element: Element
  }

  struct Setting: Encodable {
    let name: String
    let old: String
    let new: String
  }

  let old: String
  let new: String
  let oldFrames: Int
  let newFrames: Int
  let differingFrames: Int
  let settings: [Setting]
  /// The files other than scenes whose content differs.
  let files: [String]
  var ranges: [Range]
  /// The number of ranges at the end whose causes were not searched.
  let unexaminedRanges: Int
  let moves: [Move]
  let sound: [Sound]
  /// The elements whose alternative texts differ.
  let alternatives: [Element]

  var isEqual: Bool {
    settings.isEmpty && ranges.isEmpty && moves.isEmpty && sound.isEmpty && files.isEmpty
      && alternatives.isEmpty
  }

  init(_ comparison: VideoComparison, old: DiffSide, new: DiffSide, rates: [FrameRate]) {
    self.old = old.version.name
    self.new = new.version.name
    oldFrames = comparison.oldFrameCount
    newFrames = comparison.newFrameCount
    differingFrames = comparison.differingCount
    files = DiffSide.changedFiles(old, new)
    // With different frame rates, frames of the new version are compared with those of the old
    // version at the same times.
    let rates = rates[0] == rates[1] ? rates : [rates[1], rates[1]]
    settings = comparison.settings.map { Setting(name: $0.name, old: $0.old, new: $0.new) }
    func interval(_ frames: Swift.Range<Int>, _ rate: FrameRate) -> Interval {
      Interval(
        start: rate.time(ofFrame: frames.lowerBound).seconds,
        end: rate.time(ofFrame: frames.upperBound).seconds, firstFrame: frames.lowerBound,
        frameCount: frames.count)
    }
    func element(_ change: VideoComparison.ElementChange) -> Element {
      func place(_ span: SourceSpan?, in side: DiffSide) -> Place? {
        span.map {
          let (file, line) = side.place($0)
          return Place(file: file, line: line)
        }
      }
      return Element(
        kind: change.kind.rawValue, path: change.path, old: place(change.old, in: old),
        new: place(change.new, in: new),
        changes: change.changes.map { Change(property: $0.property, old: $0.old, new: $0.new) })
    }
    ranges = comparison.ranges.map {
      Range(
        old: interval($0.old, rates[0]), new: interval($0.new, rates[1]),
        differingFrames: $0.differingCount, elements: $0.elements.map(element))
    }
    unexaminedRanges = comparison.unexaminedCount
    moves = comparison.moves.map {
      Move(old: interval($0.old, rates[0]), new: interval($0.new, rates[1]))
    }
    sound = comparison.sound.map {
      Sound(start: $0.start.seconds, end: $0.end.seconds, element: element($0.element))
    }
    alternatives = comparison.alternatives.map(element)
  }
}

extension DiffReport {
  /// The maximum number of elements in each list of the text report.
  private static let mostElements = 8

  /// The report as lines of text.
  var text: String {
    guard !isEqual else {
      return visible("\(old) and \(new) are equal: \(NumberFormat.count(newFrames, of: "frame"))")
        + "\n"
    }
    var lines = ["\(old) → \(new): \(summary)"]
    for setting in settings { lines.append("  \(setting.name) \(setting.old) → \(setting.new)") }
    for file in files { lines.append("  the content of \(file) differs") }
    for range in ranges {
      lines.append("  \(range.title)")
      lines += Self.lines(range.elements).map { "    \($0)" }
      if range.isVisible == false { lines.append("    no visible change found") }
    }
    if let note = limitNote { lines.append("  \(note)") }
    for move in moves { lines.append("  \(move.title)") }
    for part in sound {
      lines.append("  sound, \(DiffReport.time(part.start)) to \(DiffReport.time(part.end))")
      lines.append("    \(part.element.text)")
    }
    lines += Self.lines(alternatives).map { "  \($0)" }
    return lines.map { visible($0) + "\n" }.joined()
  }

  /// Returns the lines of a list of elements.
  private static func lines(_ elements: [Element]) -> [String] {
    let rest = elements.count - mostElements
    return elements.prefix(mostElements).map(\.text)
      + (rest > 0 ? [NumberFormat.count(rest, of: "more element")] : [])
  }

  /// A note about the ranges whose causes were not examined, if there are any.
  var limitNote: String? {
    guard unexaminedRanges > 0 else { return nil }
    let ranges = NumberFormat.count(unexaminedRanges, of: "range")
    return
      "the causes of the last \(ranges) are unknown: the limit is \(Comparer.mostElements) examined elements"
  }

  /// The number of frames and ranges that differ.
  var summary: String {
    guard differingFrames > 0 || !moves.isEmpty else { return "no frame differs" }
    let percent = Double(differingFrames) / Double(max(1, max(oldFrames, newFrames))) * 100
    let share = NumberFormat().text((percent * 10).rounded() / 10)
    return
      "\(NumberFormat.count(differingFrames, of: "frame")) of \(max(oldFrames, newFrames)) differ (\(share)%), in \(NumberFormat.count(ranges.count, of: "range"))"
  }

  static func time(_ seconds: Double) -> String {
    NumberFormat().text((seconds * 100).rounded() / 100) + "s"
  }
}

extension DiffReport.Interval {
  var text: String { "\(DiffReport.time(start)) to \(DiffReport.time(end))" }
}

extension DiffReport.Range {
  var title: String {
    if old.frameCount == 0 { return "\(new.text) added" }
    if new.frameCount == 0 { return "\(old.text) removed" }
    return old.text == new.text ? new.text : "\(old.text) → \(new.text)"
  }
}

extension DiffReport.Move {
  var title: String {
    let distance = new.start - old.start
    let direction = distance > 0 ? "later" : "earlier"
    return "\(old.text) unchanged, \(DiffReport.time(abs(distance))) \(direction)"
  }
}

extension DiffReport.Element {
  /// The element with its changes and its location.
  var text: String {
    let place = [old, new].compactMap(\.self).last.map { "  \($0.file):\($0.line)" } ?? ""
    let changes = changes.map(\.text).joined(separator: "; ")
    return "\(path)  \(changes.isEmpty ? kind : changes)\(place)"
  }
}

extension DiffReport.Change {
  var text: String {
    switch (old, new) {
    case (let old?, let new?): "\(property) \(old) → \(new)"
    case (nil, let new?): "\(property) \(new) added"
    case (let old?, nil): "\(property) \(old) removed"
    case (nil, nil): "\(property) differs"
    }
  }
}
