// SPDX-License-Identifier: MIT

/// One caption: what is said, and when, in seconds from the start of the file.
package struct Caption: Hashable, Sendable {
  package var start: Double
  package var end: Double
  /// Lines are kept; tags and entities are resolved.
  package var text: String
  /// As it is written.
  package var source: String
}

/// Captions in the formats SubRip (.srt) and WebVTT (W3C, .vtt).
package enum CaptionFile {
  /// All captions in the order of their starts; `isWebVTT` as the file's name says.
  package static func captions(_ bytes: [UInt8], isWebVTT: Bool) throws(DataFault) -> [Caption] {
    var text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
    // WebVTT section 4: all line ends are one, and nothing is empty.
    text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
      .replacing("\0", with: "\u{FFFD}")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if isWebVTT, let first = lines.first, !isSignature(first) {
      throw DataFault(message: "the first line is not WEBVTT", line: 1, column: 1)
    }
    var captions: [Caption] = []
    var index = 0
    while index < lines.count {
      let line = lines[index]
      guard line.contains("-->") else {
        if isWebVTT, isBlock(line, before: index, lines) { index = end(of: index, lines) }
        index += 1
        continue
      }
      let number = index + 1
      index += 1
      var body: [Substring] = []
      while index < lines.count, !isBlank(lines[index], isWebVTT) {
        if isWebVTT, lines[index].contains("-->") { break }
        body.append(lines[index])
        index += 1
      }
      guard let (start, end) = times(line, isWebVTT) else {
        // WebVTT leaves out what it cannot read; SubRip has no such rule.
        if isWebVTT { continue }
        throw DataFault(
          message: "these are no times such as 00:00:01,500 --> 00:00:04,000", line: number,
          column: 1)
      }
      let source = body.joined(separator: "\n")
      captions.append(
        Caption(start: start, end: end, text: plain(source, isWebVTT), source: source))
    }
    let order = captions.indices.sorted {
      (captions[$0].start, $0) < (captions[$1].start, $1)
    }
    return order.map { captions[$0] }
  }

  private static func isSignature(_ line: Substring) -> Bool {
    line == "WEBVTT" || line.hasPrefix("WEBVTT ") || line.hasPrefix("WEBVTT\t")
  }

  private static func isBlank(_ line: Substring, _ isWebVTT: Bool) -> Bool {
    isWebVTT ? line.isEmpty : line.allSatisfy(\.isWhitespace)
  }

  /// Whether a block of notes, styles or regions begins at a line.
  private static func isBlock(_ line: Substring, before index: Int, _ lines: [Substring]) -> Bool {
    let isFirst = index == 0 || lines[index - 1].isEmpty
    return isFirst
      && ["NOTE", "STYLE", "REGION"].contains {
        line == $0 || line.hasPrefix($0 + " ") || line.hasPrefix($0 + "\t")
      }
  }

  private static func end(of index: Int, _ lines: [Substring]) -> Int {
    var index = index
    while index + 1 < lines.count, !lines[index + 1].isEmpty { index += 1 }
    return index
  }

  private static func times(_ line: Substring, _ isWebVTT: Bool) -> (Double, Double)? {
    guard let arrow = line.range(of: "-->") else { return nil }
    let left = line[..<arrow.lowerBound].trimmed
    // What stands behind the end are settings, even without a space.
    let right = line[arrow.upperBound...].trimmed.prefix { $0.isNumber || ":.,".contains($0) }
    guard let start = seconds(left, isWebVTT), let end = seconds(right, isWebVTT) else {
      return nil
    }
    return (start, end)
  }

  /// `hh:mm:ss.mmm`; WebVTT may leave out the hours, SubRip writes a comma.
  private static func seconds(_ text: Substring, _ isWebVTT: Bool) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (isWebVTT ? 2...3 : 3...3).contains(parts.count), let last = parts.last else {
      return nil
    }
    let mark: Character = isWebVTT ? "." : last.contains(",") ? "," : "."
    let halves = last.split(separator: mark, omittingEmptySubsequences: false)
    guard halves.count == 2, halves[0].count == 2, halves[1].count == 3,
      let whole = number(halves[0]), whole < 60, let thousandths = number(halves[1]),
      let minutes = number(parts[parts.count - 2]), minutes < 60,
      parts[parts.count - 2].count == 2
    else { return nil }
    var hours = 0.0
    if parts.count == 3 {
      guard parts[0].count >= (isWebVTT ? 2 : 1), let it = number(parts[0]) else { return nil }
      hours = it
    }
    return hours * 3600 + minutes * 60 + whole + thousandths / 1000
  }

  private static func number(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Double(text)
  }

  /// Without tags such as `<b>` and `<00:01.000>`; entities as their characters.
  private static func plain(_ text: String, _ isWebVTT: Bool) -> String {
    var result = ""
    var rest = Substring(text)
    while let first = rest.first {
      if first == "<", let end = rest.firstIndex(of: ">") {
        rest = rest[rest.index(after: end)...]
      } else if first == "<", isWebVTT {
        // An open tag takes the rest.
        rest = ""
      } else if first == "{", !isWebVTT, rest.hasPrefix("{\\"), let end = rest.firstIndex(of: "}") {
        rest = rest[rest.index(after: end)...]
      } else if first == "&", isWebVTT, let (character, count) = entity(rest) {
        result += character
        rest = rest.dropFirst(count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(Substring(result).trimmed)
  }

  private static func entity(_ text: Substring) -> (String, Int)? {
    let known = [
      "&amp;": "&", "&lt;": "<", "&gt;": ">", "&nbsp;": "\u{A0}", "&lrm;": "\u{200E}",
      "&rlm;": "\u{200F}", "&quot;": "\"",
    ]
    for (name, character) in known where text.hasPrefix(name) { return (character, name.count) }
    return nil
  }
}

extension Substring {
  /// Without white space of ASCII at its ends.
  fileprivate var trimmed: Substring {
    let white: Set<Character> = [" ", "\t", "\n", "\r", "\u{C}"]
    var it = self
    while let first = it.first, white.contains(first) { it = it.dropFirst() }
    while let last = it.last, white.contains(last) { it = it.dropLast() }
    return it
  }

  /// Where a short text first stands.
  fileprivate func range(of other: String) -> Range<Index>? {
    var at = startIndex
    while at < endIndex {
      if self[at...].hasPrefix(other) { return at..<index(at, offsetBy: other.count) }
      at = index(after: at)
    }
    return nil
  }
}
