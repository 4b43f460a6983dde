// SPDX-License-Identifier: MIT

/// A reader for the JSON files of speech recognizers and aligners: whisper, faster-whisper,
/// WhisperX and stable-ts, whisper.cpp, Gentle, and aeneas.
package enum SpeechFile {
  /// The supported structures, for messages.
  package static let supported =
    "whisper, faster-whisper, WhisperX, stable-ts, whisper.cpp, Gentle or aeneas"

  /// Returns the captions of a file, or `nil` if its structure is unknown. Lists of words are
  /// grouped into captions of at most two lines with `lineLength` characters.
  package static func captions(_ data: DataValue, lineLength: Int) -> ParsedCaptions? {
    if let segments = data["segments"]?.list { return parsed(segments.compactMap(segment)) }
    if let segments = data["transcription"]?.list { return parsed(segments.compactMap(cppSegment)) }
    if let fragments = data["fragments"]?.list { return parsed(fragments.compactMap(fragment)) }
    let words = data["words"]?.list ?? data.list
    guard let words, !words.isEmpty, words.contains(where: { word($0) != nil }) else { return nil }
    let pieces =
      data["transcript"]?.text.flatMap { aligned(words, in: $0) }
      ?? spaced(words.compactMap(word))
    return parsed(grouped(pieces, lineLength: lineLength))
  }

  /// Speech between two times.
  private struct Segment {
    let start: Double
    let end: Double
    let text: String
    let pieces: [SpokenText.Piece]
  }

  /// The valid times in seconds. Times beyond ten days are errors of the file.
  private static let times = 0...864_000.0

  private static func parsed(_ segments: [Segment]) -> ParsedCaptions {
    var result = ParsedCaptions(captions: [], ignored: [])
    for segment in segments
    where times.contains(segment.start) && times.contains(segment.end)
      && segment.start < segment.end
    {
      let spoken = SpokenText(segment.pieces, in: segment.start...segment.end)
      let text =
        spoken.words.isEmpty
        ? segment.text.split(separator: "\n").map(\.trimmed).filter { !$0.isEmpty }
          .joined(separator: "\n")
        : spoken.words.map(\.text).joined(separator: " ")
      var caption = Caption(
        start: segment.start, end: segment.end, runs: text.isEmpty ? [] : [CaptionRun(text)],
        source: text)
      caption.words = spoken.words
      result.captions.append(caption)
      result.estimatedWords += spoken.estimated
    }
    result.sort()
    return result
  }

  // MARK: Structures

  /// Returns a segment of whisper and its variants, or `nil` without times.
  private static func segment(_ data: DataValue) -> Segment? {
    let pieces = (data["words"]?.list ?? []).compactMap(word)
    guard let start = data["start"]?.seconds ?? pieces.lazy.compactMap(\.start).first,
      let end = data["end"]?.seconds ?? pieces.lazy.compactMap(\.end).last
    else { return nil }
    let text = data["text"]?.text ?? ""
    return Segment(
      start: start, end: end, text: text,
      pieces: spaced(pieces, like: text.isEmpty ? nil : text))
  }

  /// Returns a segment of whisper.cpp, whose offsets are in milliseconds. Tokens such as `[_BEG_]`
  /// are not spoken. Returns `nil` without offsets.
  private static func cppSegment(_ data: DataValue) -> Segment? {
    func time(_ data: DataValue?, _ name: String) -> Double? {
      data?["offsets"]?[name]?.number.map { $0 / 1000 }
    }
    guard let start = time(data, "from"), let end = time(data, "to") else { return nil }
    let pieces = (data["tokens"]?.list ?? []).compactMap { token -> SpokenText.Piece? in
      guard let text = token["text"]?.text, !text.hasPrefix("[_") else { return nil }
      return SpokenText.Piece(text: text, start: time(token, "from"), end: time(token, "to"))
    }
    return Segment(start: start, end: end, text: data["text"]?.text ?? "", pieces: pieces)
  }

  /// Returns a fragment of aeneas, which has lines and no words; `nil` without times.
  private static func fragment(_ data: DataValue) -> Segment? {
    guard let start = data["begin"]?.seconds, let end = data["end"]?.seconds else { return nil }
    let lines = (data["lines"]?.list ?? []).compactMap(\.text)
    return Segment(start: start, end: end, text: lines.joined(separator: "\n"), pieces: [])
  }

  private static func word(_ data: DataValue) -> SpokenText.Piece? {
    guard let text = data["word"]?.text ?? data["text"]?.text else { return nil }
    return SpokenText.Piece(text: text, start: data["start"]?.seconds, end: data["end"]?.seconds)
  }

  /// Returns the words of Gentle with the punctuation of their transcript; `nil` without offsets,
  /// which count characters of Unicode.
  private static func aligned(_ words: [DataValue], in transcript: String) -> [SpokenText.Piece]? {
    let scalars = Array(transcript.unicodeScalars)
    let starts = words.map { $0["startOffset"]?.number.flatMap { Int(exactly: $0) } }
    var pieces: [SpokenText.Piece] = []
    for (index, data) in words.enumerated() {
      guard let piece = word(data), let from = starts[index] else { return nil }
      let to = index + 1 < words.count ? starts[index + 1] ?? -1 : scalars.count
      guard 0 <= from, from < to, to <= scalars.count else { return nil }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[from..<to])
      pieces.append(SpokenText.Piece(text: String(view), start: piece.start, end: piece.end))
    }
    return pieces
  }

  // MARK: Spaces

  /// Returns the pieces with the white space between words: that of the text, if it has the same
  /// words; else the words' own; else a space before each word.
  private static func spaced(_ pieces: [SpokenText.Piece], like text: String? = nil)
    -> [SpokenText.Piece]
  {
    if let text, let like = divided(text, like: pieces) { return like }
    if pieces.contains(where: { $0.text.first?.isWhitespace == true }) { return pieces }
    return pieces.map {
      SpokenText.Piece(text: " " + $0.text, start: $0.start, end: $0.end)
    }
  }

  /// Divides a text into the given words, each with the characters before it; `nil` if they differ.
  private static func divided(_ text: String, like pieces: [SpokenText.Piece])
    -> [SpokenText.Piece]?
  {
    var rest = text[...]
    var result: [SpokenText.Piece] = []
    for piece in pieces {
      let word = piece.text[...].trimmed
      let space = rest.prefix(while: \.isWhitespace)
      let start = rest[space.endIndex...]
      guard start.hasPrefix(word) else { return nil }
      rest = start.dropFirst(word.count)
      result.append(
        SpokenText.Piece(text: String(space + word), start: piece.start, end: piece.end))
    }
    return rest.allSatisfy(\.isWhitespace) && !result.isEmpty ? result : nil
  }

  // MARK: Grouping

  private static let pause = 0.6
  private static let longestCaption = 7.0
  private static let ends: Set<Character> = [".", "?", "!", "…", "。", "？", "！"]
  private static let closing: Set<Character> = ["\"", "'", ")", "]", "”", "’", "»", "」"]

  /// Groups words into captions. A caption ends with a sentence, before a pause, and where the next
  /// word would exceed two lines or seven seconds.
  private static func grouped(_ pieces: [SpokenText.Piece], lineLength: Int) -> [Segment] {
    let last = pieces.compactMap(\.end).filter(times.contains).max() ?? 0
    let words = SpokenText(pieces, in: 0...last)
    var segments: [Segment] = []
    var group: [SpokenWord] = []
    var length = 0
    func finish() {
      guard let first = group.first, let end = group.map(\.end).max() else { return }
      segments.append(
        Segment(
          start: first.start, end: end, text: "",
          pieces: group.map { SpokenText.Piece(text: " " + $0.text, start: $0.start, end: $0.end) }
        ))
      (group, length) = ([], 0)
    }
    for word in words.words {
      if let first = group.first, let before = group.last,
        word.start - before.end >= pause || word.end - first.start > longestCaption
          || length + 1 + word.text.count > 2 * lineLength
      {
        finish()
      }
      group.append(word)
      length += 1 + word.text.count
      let mark = word.text.last { !closing.contains($0) }
      if let mark, ends.contains(mark) { finish() }
    }
    finish()
    return segments
  }
}

extension DataValue {
  /// Returns a field of a record; `nil` if there is none.
  fileprivate subscript(name: String) -> DataValue? {
    guard case .record(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }

  fileprivate var list: [DataValue]? { if case .list(let items) = self { items } else { nil } }
  fileprivate var text: String? { if case .text(let text, _) = self { text } else { nil } }

  fileprivate var number: Double? {
    guard case .number(let number) = self, number.isFinite else { return nil }
    return number
  }

  /// A time in seconds, as a number or as text; `nil` for other values.
  fileprivate var seconds: Double? {
    number ?? text.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    return start[
      ..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)]
  }
}
