// SPDX-License-Identifier: MIT

// Caption files: WebVTT, SubRip and transcripts.
extension CaptionFile {
  package static func webVTT(_ track: CaptionTrack) -> String {
    var text = "WEBVTT\n"
    for cue in track.timedTexts {
      let settings = cue.settings.isEmpty ? "" : " " + cue.settings
      text += "\n\(clock(cue.start, ".")) --> \(clock(cue.end, "."))\(settings)\n"
      text += "\(escaped(cue.text))\n"
    }
    return text
  }

  /// Escapes the characters that begin tags and references in WebVTT.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// Returns a SubRip file. Players show one caption at a time, so overlapping captions are joined.
  package static func subRip(_ track: CaptionTrack) -> String {
    var text = ""
    for (index, cue) in track.separateTexts.enumerated() {
      if index > 0 { text += "\n" }
      text += "\(index + 1)\n\(clock(cue.start, ",")) --> \(clock(cue.end, ","))\n"
      text += subRipText(cue) + "\n"
    }
    return text
  }

  /// Returns the text of a caption in SubRip, in which the arrow that separates times cannot occur.
  package static func subRipText(_ text: TimedText) -> String {
    text.text.replacing("-->", with: "→")
  }

  /// The pause in milliseconds that separates two paragraphs of a transcript.
  private static let pauseOfParagraphs: Int64 = 2000

  /// Returns a transcript: a paragraph for captions without a long pause between them, and the
  /// titles of chapters as headings.
  package static func transcript(_ track: CaptionTrack, chapters: [Chapter]) -> String {
    var blocks: [String] = []
    var paragraph: [String] = []
    var end: Int64 = 0
    func finish() {
      if !paragraph.isEmpty { blocks.append(paragraph.joined(separator: " ")) }
      paragraph = []
    }
    var titles = chapters.map { (start: $0.start.rawValue * 1000 / Ticks.perSecond, $0.title) }[...]
    for cue in track.timedTexts {
      while let (start, title) = titles.first, start <= cue.start {
        finish()
        blocks.append("# \(title)")
        titles.removeFirst()
      }
      if cue.start - end >= pauseOfParagraphs { finish() }
      paragraph.append(cue.lines.joined(separator: " "))
      end = max(end, cue.end)
    }
    finish()
    blocks += titles.map { "# \($0.1)" }
    return blocks.isEmpty ? "" : blocks.joined(separator: "\n\n") + "\n"
  }

  /// Returns a time as hours, minutes, seconds and milliseconds.
  private static func clock(_ milliseconds: Int64, _ mark: String) -> String {
    func digits(_ number: Int64, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let seconds = milliseconds / 1000
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { digits($0, 2) }
    return clock.joined(separator: ":") + mark + digits(milliseconds % 1000, 3)
  }
}
