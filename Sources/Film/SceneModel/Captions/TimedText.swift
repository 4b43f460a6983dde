// SPDX-License-Identifier: MIT

/// A caption as files store it: an interval in milliseconds, and its lines.
package struct TimedText: Hashable, Sendable {
  package let start: Int64
  package let end: Int64
  package let lines: [String]
  /// The cue settings of WebVTT, separated by spaces.
  package let settings: String

  package var text: String { lines.joined(separator: "\n") }
}

extension CaptionTrack {
  /// The captions with times in milliseconds. Captions without a text or a duration are omitted.
  ///
  /// Times are rounded to the nearest millisecond. Rounding is monotonic, so captions that follow
  /// each other without an overlap still do.
  package var timedTexts: [TimedText] {
    cues.compactMap { cue in
      let (start, end) = (cue.start.milliseconds, cue.end.milliseconds)
      guard start < end, !cue.lines.isEmpty else { return nil }
      return TimedText(start: start, end: end, lines: cue.lines, settings: cue.settings)
    }
  }

  /// The captions for formats that show one text at a time: where captions overlap, one text
  /// contains the lines of all of them.
  package var separateTexts: [TimedText] {
    let texts = timedTexts
    var result: [TimedText] = []
    var active: [TimedText] = []
    var next = 0
    var time: Int64 = 0
    while next < texts.count || !active.isEmpty {
      if active.isEmpty { time = texts[next].start }
      while next < texts.count, texts[next].start == time {
        active.append(texts[next])
        next += 1
      }
      // Bounds the work for files in which thousands of captions overlap.
      if active.count > CaptionTrack.mostSimultaneous {
        active.removeFirst(active.count - CaptionTrack.mostSimultaneous)
      }
      var end = active.reduce(Int64.max) { min($0, $1.end) }
      if next < texts.count { end = min(end, texts[next].start) }
      result.append(
        TimedText(
          start: time, end: end, lines: active.flatMap(\.lines),
          settings: active.first?.settings ?? ""))
      active.removeAll { $0.end <= end }
      time = end
    }
    return result
  }

  private static let mostSimultaneous = 64
}

extension CaptionTrack.Cue {
  /// The cue settings of WebVTT.
  fileprivate var settings: String {
    var settings: [String] = []
    if isAtTop { settings.append("line:0") }
    if alignment != .center { settings.append("align:\(alignment.rawValue)") }
    return settings.joined(separator: " ")
  }
}

extension Ticks {
  /// The time in milliseconds, rounded to the nearest one.
  fileprivate var milliseconds: Int64 {
    let perMillisecond = Ticks.perSecond / 1000
    return (rawValue + perMillisecond / 2) / perMillisecond
  }
}
