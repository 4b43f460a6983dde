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
  ///
  /// WebVTT is read as browsers read it. SubRip has no rules that its writers keep to, so that all
  /// is a caption's text that stands between its times and the next ones.
  package static func captions(_ bytes: [UInt8], isWebVTT: Bool) throws(DataFault) -> [Caption] {
    var text = decoded(bytes, isWebVTT)
    if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
    let lines = normalized(text).split(separator: "\n", omittingEmptySubsequences: false)
    let captions = isWebVTT ? try webVTT(lines) : try subRip(lines)
    let order = captions.indices.sorted {
      (captions[$0].start, $0) < (captions[$1].start, $1)
    }
    return order.map { captions[$0] }
  }

  /// WebVTT section 4: all line ends are one, and nothing is empty.
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

  /// The text of a file: UTF-16 with its mark, UTF-8, or for SubRip what Windows wrote before.
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

  private static func webVTT(_ lines: [Substring]) throws(DataFault) -> [Caption] {
    if let first = lines.first, !isSignature(first) {
      throw DataFault(message: "the first line is not WEBVTT", line: 1, column: 1)
    }
    var captions: [Caption] = []
    var index = 0
    while index < lines.count {
      let line = lines[index]
      guard line.holdsArrow else {
        if isBlock(line, before: index, lines) { index = end(of: index, lines) }
        index += 1
        continue
      }
      index += 1
      var body: [Substring] = []
      while index < lines.count, !lines[index].isEmpty, !lines[index].holdsArrow {
        body.append(lines[index])
        index += 1
      }
      // What cannot be read is left out.
      guard let (start, end) = times(line, true) else { continue }
      let source = body.joined(separator: "\n")
      captions.append(Caption(start: start, end: end, text: plain(source, true), source: source))
    }
    return captions
  }

  private static func subRip(_ lines: [Substring]) throws(DataFault) -> [Caption] {
    var heads: [(line: Int, start: Double, end: Double)] = []
    for (index, line) in lines.enumerated() {
      if let (start, end) = times(line, false) {
        heads.append((index, start, end))
      } else if line.holdsArrow {
        throw DataFault(
          message: "expected times such as 00:00:01,500 --> 00:00:04,000", line: index + 1,
          column: 1)
      }
    }
    guard let first = heads.first else { return [] }
    // Where captions are counted, the number before the next times is no text.
    let isCounted = first.line > 0 && number(lines[first.line - 1].trimmed) != nil
    return heads.indices.map { place in
      let head = heads[place]
      let isLast = place + 1 == heads.count
      var body = lines[(head.line + 1)..<(isLast ? lines.count : heads[place + 1].line)]
      while let last = body.last, last.allSatisfy(\.isWhitespace), isLast { body.removeLast() }
      // At the end of the file a number alone stands for a caption that was never written.
      let isAlone = body.count > 1 && body[body.endIndex - 2].allSatisfy(\.isWhitespace)
      if isCounted, !isLast || isAlone, let last = body.last, number(last.trimmed) != nil {
        body.removeLast()
      }
      let source = body.filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")
      return Caption(
        start: head.start, end: head.end, text: plain(source, false), source: source)
    }
  }

  private static func isSignature(_ line: Substring) -> Bool {
    line == "WEBVTT" || line.hasPrefix("WEBVTT ") || line.hasPrefix("WEBVTT\t")
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
    guard let arrow = isWebVTT ? line.range(of: "-->") : looseArrow(line) else { return nil }
    let left = line[..<arrow.lowerBound].trimmed
    // What follows the end are settings, even without a space.
    let right = line[arrow.upperBound...].trimmed.prefix { $0.isNumber || ":.,".contains($0) }
    guard let start = seconds(left, isWebVTT), let end = seconds(right, isWebVTT) else {
      return nil
    }
    return (start, end)
  }

  /// `-->` as people type it: dashes of any kind, spaces among them, and the point of the arrow.
  private static func looseArrow(_ line: Substring) -> Range<Substring.Index>? {
    let dashes: Set<Character> = ["-", "\u{2010}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2212}"]
    guard line.first(where: { $0 != " " && $0 != "\t" })?.isNumber == true,
      let start = line.firstIndex(where: { dashes.contains($0) }),
      let point = line[start...].firstIndex(where: { !dashes.contains($0) && $0 != " " }),
      line[point] == ">"
    else { return nil }
    return start..<line.index(after: point)
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
      guard let it = number(parts[0]) else { return nil }
      hours = it
    }
    return hours * 3600 + minutes * 60 + whole + thousandths / 1000
  }

  private static func number(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Double(text)
  }

  /// Without tags such as `<b>` and `<00:01.000>`; of WebVTT character references as what they name.
  private static func plain(_ text: String, _ isWebVTT: Bool) -> String {
    var result = ""
    var rest = Substring(text)
    let lastTagEnd = rest.lastIndex(of: ">") ?? rest.startIndex
    let lastBrace = rest.lastIndex(of: "}") ?? rest.startIndex
    while let first = rest.first {
      if first == "<", isWebVTT || isTag(rest) {
        if rest.startIndex < lastTagEnd, let end = rest.firstIndex(of: ">") {
          rest = rest[rest.index(after: end)...]
        } else if isWebVTT {
          // An open tag takes the rest.
          rest = ""
        } else {
          result.append(first)
          rest = rest.dropFirst()
        }
      } else if first == "{", !isWebVTT, rest.hasPrefix("{\\"), rest.startIndex < lastBrace,
        let end = rest.firstIndex(of: "}")
      {
        rest = rest[rest.index(after: end)...]
      } else if first == "&", isWebVTT, let (characters, count) = CharacterReference.first(in: rest)
      {
        result += characters
        rest = rest[rest.utf8.index(rest.startIndex, offsetBy: count)...]
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(Substring(result).trimmed)
  }

  /// Whether a `<` begins a tag of SubRip, not a sign of less or a heart.
  private static func isTag(_ text: Substring) -> Bool {
    let name = text.dropFirst().prefix { $0 != ">" && $0 != " " && $0 != "<" }
    return ["b", "i", "u", "s", "font", "/b", "/i", "/u", "/s", "/font"].contains(name.lowercased())
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

  /// The search for a text is slow, and most lines have no `>`.
  fileprivate var holdsArrow: Bool { utf8.contains(UInt8(ascii: ">")) && contains("-->") }

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
