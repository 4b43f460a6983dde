// SPDX-License-Identifier: MIT

/// A parser and writer for captions in the SubRip (.srt) and WebVTT (W3C, .vtt) formats.
package enum CaptionFile {
  /// Returns the captions of a file; `isWebVTT` follows from the file name.
  ///
  /// WebVTT is parsed as browsers parse it. SubRip has no specification that its writers follow:
  /// all lines between the times of a caption and those of the next one are its text.
  package static func track(_ bytes: [UInt8], isWebVTT: Bool) throws(DataError) -> ParsedCaptions {
    var text = decoded(bytes, isWebVTT)
    if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
    let lines = normalized(text).split(separator: "\n", omittingEmptySubsequences: false)
    var track = isWebVTT ? try webVTT(lines) : try subRip(lines)
    track.sort()
    track.ignored.sort { $0.line < $1.line }
    return track
  }

  /// Normalizes line ends and replaces null characters (WebVTT section 4).
  private static func normalized(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var last: UInt8?
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\n") where last == UInt8(ascii: "\r"): break
      case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "\n"))
      case 0: bytes += "\u{FFFD}".utf8
      default: bytes.append(byte)
      }
      last = byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes a file: UTF-16 with a byte order mark, UTF-8 or, for SubRip only, Windows-1252.
  private static func decoded(_ bytes: [UInt8], _ isWebVTT: Bool) -> String {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let isLittle = bytes[0] == 0xFF
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
        let (a, b) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isLittle ? b << 8 | a : a << 8 | b
      }
      return String(decoding: units, as: UTF16.self)
    }
    if isWebVTT || String(validating: bytes, as: UTF8.self) != nil {
      return String(decoding: bytes, as: UTF8.self)
    }
    return String(String.UnicodeScalarView(bytes.map { CharacterReference.windows1252($0) }))
  }

  private static func webVTT(_ lines: [Substring]) throws(DataError) -> ParsedCaptions {
    if let first = lines.first, !isSignature(first) {
      throw DataError(message: "the first line is not WEBVTT", line: 1, column: 1)
    }
    var captions: [Caption] = []
    var ignored = IgnoredParts()
    var regions: [String: CaptionRegion] = [:]
    var index = 0
    while index < lines.count {
      let line = lines[index]
      guard line.holdsArrow else {
        if let name = block(line, before: index, lines) {
          let last = end(of: index, lines)
          if name == "STYLE" { ignored.note("STYLE blocks", line: index + 1) }
          // Browsers ignore regions after the first cue.
          if name == "REGION", captions.isEmpty, line.trimmed == "REGION" {
            let body = lines[(index + 1)..<(last + 1)].prefix { !$0.holdsArrow }
            let region = CaptionRegion(body, from: index + 2, ignored: &ignored)
            regions[region.id] = region
          }
          index = last
        }
        index += 1
        continue
      }
      let number = index + 1
      index += 1
      let first = index
      while index < lines.count, !lines[index].isEmpty, !lines[index].holdsArrow { index += 1 }
      guard let times = times(line, true) else {
        ignored.note(IgnoredPart.captionWithInvalidTimes, line: number)
        continue
      }
      if times.isEmpty { ignored.note(IgnoredPart.captionWithoutDuration, line: number) }
      let source = lines[first..<index].joined(separator: "\n")
      let markup = CaptionMarkup(
        source, isWebVTT: true, lines: Array(first + 1..<index + 1), ignored: ignored)
      ignored = markup.ignored
      var caption = Caption(start: times.start, end: times.end, runs: markup.runs, source: source)
      caption.placement = CaptionPlacement(
        webVTT: times.settings, regions: regions, line: number, ignored: &ignored)
      if times.start < times.end { caption.words = markup.words(in: times.start...times.end) }
      captions.append(caption)
    }
    return ParsedCaptions(captions: captions, ignored: ignored.parts)
  }

  /// The times of a caption in seconds, and the settings that follow them.
  private struct Times {
    let start: Double
    let end: Double
    let settings: Substring

    var isEmpty: Bool { start >= end }
  }

  private static func subRip(_ lines: [Substring]) throws(DataError) -> ParsedCaptions {
    var heads: [(line: Int, times: Times)] = []
    var ignored = IgnoredParts()
    for (index, line) in lines.enumerated() {
      if let times = times(line, false) {
        heads.append((index, times))
        if !times.settings.trimmed.isEmpty { ignored.note("settings after times", line: index + 1) }
        if times.isEmpty { ignored.note(IgnoredPart.captionWithoutDuration, line: index + 1) }
      } else if line.holdsArrow {
        throw DataError(
          message: "expected times such as 00:00:01,500 --> 00:00:04,000", line: index + 1,
          column: 1)
      }
    }
    guard let first = heads.first else { return ParsedCaptions(captions: [], ignored: []) }
    // If captions are numbered, the number before the next times is not part of the text.
    let isCounted = first.line > 0 && number(lines[first.line - 1].trimmed) != nil
    var captions: [Caption] = []
    for (place, head) in heads.enumerated() {
      let isLast = place + 1 == heads.count
      var body = lines[(head.line + 1)..<(isLast ? lines.count : heads[place + 1].line)]
      while let last = body.last, last.trimmed.isEmpty, isLast { body.removeLast() }
      // A lone number at the end of the file belongs to a caption that was never written.
      let isAlone = body.count > 1 && body[body.endIndex - 2].trimmed.isEmpty
      if isCounted, !isLast || isAlone, let last = body.last, number(last.trimmed) != nil {
        body.removeLast()
      }
      // Players show a line of a no-break space as an empty line.
      let shown = body.indices.filter { !body[$0].trimmed.isEmpty }
      let source = shown.map { body[$0] }.joined(separator: "\n")
      let markup = CaptionMarkup(
        source, isWebVTT: false, lines: shown.map { $0 + 1 }, ignored: ignored)
      ignored = markup.ignored
      var caption = Caption(
        start: head.times.start, end: head.times.end, runs: markup.runs, source: source)
      caption.placement = markup.placement
      captions.append(caption)
    }
    return ParsedCaptions(captions: captions, ignored: ignored.parts)
  }

  private static func isSignature(_ line: Substring) -> Bool {
    line == "WEBVTT" || line.hasPrefix("WEBVTT ") || line.hasPrefix("WEBVTT\t")
  }

  /// Returns the kind of block that begins at `line`: a note, a style sheet or a region; `nil` for
  /// other blocks.
  private static func block(_ line: Substring, before index: Int, _ lines: [Substring]) -> String? {
    guard index == 0 || lines[index - 1].isEmpty else { return nil }
    return ["NOTE", "STYLE", "REGION"].first {
      line == $0 || line.hasPrefix($0 + " ") || line.hasPrefix($0 + "\t")
    }
  }

  private static func end(of index: Int, _ lines: [Substring]) -> Int {
    var index = index
    while index + 1 < lines.count, !lines[index + 1].isEmpty { index += 1 }
    return index
  }

  /// Parses a line of times and the settings that follow them; returns `nil` if the times are
  /// invalid.
  private static func times(_ line: Substring, _ isWebVTT: Bool) -> Times? {
    guard let arrow = isWebVTT ? line.range(of: "-->") : looseArrow(line) else { return nil }
    let left = line[..<arrow.lowerBound].trimmed
    // Settings follow the end time, even without a space.
    let rest = line[arrow.upperBound...].trimmed
    let right = rest.prefix { $0.isNumber || ":.,".contains($0) }
    guard let start = seconds(left, isWebVTT), let end = seconds(right, isWebVTT) else {
      return nil
    }
    return Times(start: start, end: end, settings: rest[right.endIndex...])
  }

  /// Returns the range of a handwritten `-->`: dashes of any kind, spaces between them, and the
  /// arrowhead; `nil` if there is none.
  private static func looseArrow(_ line: Substring) -> Range<Substring.Index>? {
    let dashes: Set<Character> = ["-", "\u{2010}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2212}"]
    guard line.first(where: { $0 != " " && $0 != "\t" })?.isNumber == true,
      let start = line.firstIndex(where: { dashes.contains($0) }),
      let point = line[start...].firstIndex(where: { !dashes.contains($0) && $0 != " " }),
      line[point] == ">"
    else { return nil }
    return start..<line.index(after: point)
  }

  /// Parses `hh:mm:ss.mmm`. In WebVTT the hours are optional; SubRip uses a comma. Returns `nil`
  /// for other texts.
  static func seconds(_ text: Substring, _ isWebVTT: Bool) -> Double? {
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
      guard let it = number(parts[0]) else { return nil }
      hours = it
    }
    return hours * 3600 + minutes * 60 + whole + thousandths / 1000
  }

  private static func number(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Double(text)
  }
}

extension Substring {
  /// The text without ASCII white space at both ends.
  fileprivate var trimmed: Substring {
    let white: Set<Character> = [" ", "\t", "\n", "\r", "\u{C}"]
    var it = self
    while let first = it.first, white.contains(first) { it = it.dropFirst() }
    while let last = it.last, white.contains(last) { it = it.dropLast() }
    return it
  }

  /// Whether the line contains `-->`. Checks for `>` first: most lines have none, and the search
  /// for a string is slow.
  fileprivate var holdsArrow: Bool { utf8.contains(UInt8(ascii: ">")) && contains("-->") }

  /// Returns the first occurrence of a short string; `nil` if there is none.
  fileprivate func range(of other: String) -> Range<Index>? {
    var at = startIndex
    while at < endIndex {
      if self[at...].hasPrefix(other) { return at..<index(at, offsetBy: other.count) }
      at = index(after: at)
    }
    return nil
  }
}
