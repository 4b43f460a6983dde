// SPDX-License-Identifier: MIT
import SceneGraphics

/// A parser for the text of a caption, which converts tags to styles.
struct CaptionMarkup {
  private let isWebVTT: Bool
  private(set) var runs: [CaptionRun] = []
  private(set) var ignored: IgnoredParts
  /// The placement from an override such as `{\an8}`.
  private(set) var placement = CaptionPlacement()
  /// The line numbers of the text's lines in the file.
  private let lines: [Int]
  private var line = 0
  private var piece = ""
  private var style = CaptionStyle()
  private var isPlaced = false
  /// The timestamps in the text, each with the number of bytes before it.
  private var marks: [(place: Int, time: Double)] = []
  /// The number of bytes in the finished runs.
  private var byteCount = 0
  /// The open WebVTT tags, each with the style around it.
  private var open: [(name: String, outer: CaptionStyle)] = []
  /// The number of open tags of each kind in SubRip, and the colors of open `<font>` tags.
  private var depth: [Character: Int] = [:]
  private var fonts: [Color?] = []

  /// Parses a text; `lines` are the numbers of the text's lines in the file.
  init(_ text: String, isWebVTT: Bool, lines: [Int], ignored: IgnoredParts) {
    (self.isWebVTT, self.lines, self.ignored) = (isWebVTT, lines, ignored)
    read(text)
    finishPiece()
    trim()
  }

  private var number: Int { lines.isEmpty ? 1 : lines[min(line, lines.count - 1)] }

  /// Parses the scalars of the text: a combining mark after a tag does not belong to its `>`.
  private mutating func read(_ text: String) {
    var rest = text.unicodeScalars[...]
    let lastBrace = rest.lastIndex(of: "}") ?? rest.startIndex
    while let first = rest.first {
      if first == "<", isWebVTT || CaptionMarkup.isTag(rest) {
        // Only in WebVTT, a tag can contain `<`.
        let end = rest.dropFirst().firstIndex { $0 == ">" || $0 == "<" && !isWebVTT }
        if let end, rest[end] == ">" {
          let tag = Substring(rest[..<end].dropFirst())
          if isWebVTT { readTag(tag) } else { readSubRipTag(tag) }
          skip(&rest, through: end)
        } else if isWebVTT {
          // An unterminated tag extends to the end of the text.
          rest = rest[rest.endIndex...]
        } else {
          piece.unicodeScalars.append(rest.removeFirst())
        }
      } else if first == "{", !isWebVTT, rest.dropFirst().first == "\\",
        rest.startIndex < lastBrace,
        let end = rest.firstIndex(of: "}")
      {
        readOverrides(Substring(rest[..<end].dropFirst()))
        skip(&rest, through: end)
      } else if first == "&", isWebVTT,
        let (characters, count) = CharacterReference.first(in: Substring(rest))
      {
        piece += characters
        rest = rest[text.utf8.index(rest.startIndex, offsetBy: count)...]
      } else {
        if first == "\n" { line += 1 }
        piece.unicodeScalars.append(rest.removeFirst())
      }
    }
  }

  private mutating func skip(
    _ rest: inout Substring.UnicodeScalarView, through end: Substring.UnicodeScalarView.Index
  ) {
    line += rest[..<end].count { $0 == "\n" }
    rest = rest[rest.index(after: end)...]
  }

  // MARK: WebVTT

  private static let tags: Set<String> = ["c", "i", "b", "u", "ruby", "rt", "v", "lang"]

  /// The class names that set a color, in the order of the default style sheet: the last one wins.
  private static let colors: [(name: Substring, color: Color)] = [
    ("white", Color(hex: 0xFFFFFF)), ("lime", Color(hex: 0x00FF00)),
    ("cyan", Color(hex: 0x00FFFF)), ("red", Color(hex: 0xFF0000)),
    ("yellow", Color(hex: 0xFFFF00)), ("magenta", Color(hex: 0xFF00FF)),
    ("blue", Color(hex: 0x0000FF)), ("black", Color(hex: 0x000000)),
  ]

  /// Parses a WebVTT tag without its brackets (W3C WebVTT section 6.4).
  private mutating func readTag(_ tag: Substring) {
    guard let first = tag.first else { return }
    if first == "/" { return close(String(tag.dropFirst())) }
    if first.isASCII, first.isNumber {
      guard let time = CaptionFile.seconds(tag, true) else {
        return ignored.note(written: "<\(tag)>", line: number)
      }
      return marks.append((byteCount + piece.utf8.count, time))
    }
    let head = tag.prefix { !" \t\n\u{C}".contains($0) }
    let parts = head.split(separator: ".", omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    guard CaptionMarkup.tags.contains(name) else {
      return ignored.note(written: "<\(name)>", line: number)
    }
    if name == "rt", open.last?.name != "ruby" { return }
    if name == "ruby" { ignored.note("ruby layout", line: number) }
    var inner = style
    inner.isItalic = inner.isItalic || name == "i"
    inner.isBold = inner.isBold || name == "b"
    inner.isUnderlined = inner.isUnderlined || name == "u"
    if name == "lang" {
      let language = tag.dropFirst(head.count).drop { " \t\n\u{C}".contains($0) }
      inner.language = LanguageTag(String(language))?.text ?? ""
    }
    let classes = Set(parts.dropFirst())
    inner.color = CaptionMarkup.colors.last { classes.contains($0.name) }?.color ?? inner.color
    let hasBackground = CaptionMarkup.colors.contains { classes.contains("bg_\($0.name)") }
    if hasBackground { ignored.note("background colors", line: number) }
    open.append((name, style))
    change(to: inner)
  }

  private mutating func close(_ name: String) {
    guard let last = open.last else { return }
    if name == last.name {
      change(to: open.removeLast().outer)
    } else if name == "ruby", last.name == "rt" {
      open.removeLast()
      change(to: open.popLast()?.outer ?? CaptionStyle())
    }
  }

  /// Returns the words of a text with timestamps, which separate its pieces (WebVTT section 4.2.2);
  /// empty without timestamps. `range` contains the times of the caption.
  func words(in range: ClosedRange<Double>) -> [SpokenWord] {
    guard !marks.isEmpty else { return [] }
    let bytes = Array(runs.map(\.text).joined().utf8)
    var pieces: [SpokenText.Piece] = []
    var (from, start) = (0, range.lowerBound)
    for (place, time) in marks + [(bytes.count, range.upperBound)] {
      let to = min(max(place, from), bytes.count)
      // Times must ascend.
      let end = max(start, time)
      pieces.append(
        SpokenText.Piece(
          text: String(decoding: bytes[from..<to], as: UTF8.self), start: start, end: end))
      (from, start) = (to, end)
    }
    return SpokenText(pieces, in: range).words
  }

  // MARK: SubRip

  /// Returns whether a `<` begins a SubRip tag, as opposed to a less-than sign or a heart (`<3`).
  private static func isTag(_ text: Substring.UnicodeScalarView) -> Bool {
    let name = Substring(text.dropFirst().prefix { $0 != ">" && $0 != " " && $0 != "<" })
    return ["b", "i", "u", "s", "font", "/b", "/i", "/u", "/s", "/font"].contains(name.lowercased())
  }

  /// Parses a tag that `isTag` accepts, without its brackets.
  private mutating func readSubRipTag(_ tag: Substring) {
    let name = tag.prefix { $0 != " " }.lowercased()
    switch name {
    case "font":
      fonts.append(color(ofFont: tag))
    case "/font": _ = fonts.popLast()
    case "s": ignored.note("strikethrough", line: number)
    case "/s": break
    default:
      guard let letter = name.last else { return }
      depth[letter] = max(0, (depth[letter] ?? 0) + (name.first == "/" ? -1 : 1))
    }
    change(to: subRipStyle)
  }

  private var subRipStyle: CaptionStyle {
    var style = CaptionStyle()
    style.isBold = (depth["b"] ?? 0) > 0
    style.isItalic = (depth["i"] ?? 0) > 0
    style.isUnderlined = (depth["u"] ?? 0) > 0
    style.color = fonts.last ?? nil
    return style
  }

  /// Returns the color of a tag such as `<font color="#ff0000" face="Arial">`, or that of the
  /// enclosing `<font>` tag; `nil` if neither sets a color.
  private mutating func color(ofFont tag: Substring) -> Color? {
    var color = fonts.last ?? nil
    for (name, value) in CaptionMarkup.attributes(tag) {
      switch name {
      case "color":
        let digits = value.hasPrefix("#") ? value.dropFirst() : Substring(value)
        let isHexadecimal = value.hasPrefix("#") || digits.count == 6
        if isHexadecimal, let known = Color(hexDigits: digits) {
          color = known
        } else if let known = Color(name: value.lowercased()) {
          color = known
        } else {
          ignored.note(written: value, line: number)
        }
      case "face": ignored.note("font names", line: number)
      case "size": ignored.note("font sizes", line: number)
      default: ignored.note(written: name, line: number)
      }
    }
    return color
  }

  /// Parses attributes leniently: values may be in single or double quotes, or unquoted.
  private static func attributes(_ tag: Substring) -> [(name: String, value: String)] {
    var found: [(String, String)] = []
    var rest = tag.drop { $0 != " " }
    while true {
      rest = rest.drop { $0.isWhitespace }
      let name = rest.prefix { $0 != "=" && !$0.isWhitespace }
      rest = rest[name.endIndex...].drop { $0.isWhitespace }
      guard !name.isEmpty, rest.first == "=" else {
        if rest.isEmpty || name.isEmpty { return found }
        continue
      }
      rest = rest.dropFirst().drop { $0.isWhitespace }
      let value: Substring
      if let quote = rest.first, "\"'".contains(quote) {
        value = rest.dropFirst().prefix { $0 != quote }
        rest = rest[value.endIndex...].dropFirst()
      } else {
        value = rest.prefix { !$0.isWhitespace }
        rest = rest[value.endIndex...]
      }
      found.append((name.lowercased(), String(value)))
    }
  }

  /// Applies Advanced SubStation Alpha overrides such as `\an8\i1`, which SubRip files borrow.
  private mutating func readOverrides(_ text: Substring) {
    for override in text.split(separator: "\\") {
      let name = override.prefix { $0.isLetter }
      let value = override.dropFirst(name.count)
      switch (name, Int(value)) {
      case ("an", let place?) where (1...9).contains(place): place9(place)
      // Alignment numbers of SubStation Alpha before version 4+.
      case ("a", let place?) where (1...3).contains(place): place9(place)
      case ("a", let place?) where (5...7).contains(place): place9(place + 2)
      case ("a", let place?) where (9...11).contains(place): place9(place - 5)
      case ("i", let state?), ("b", let state?), ("u", let state?):
        depth[name.first ?? "i"] = state == 0 ? 0 : 1
      default: ignored.note(written: "{\\\(name.isEmpty ? override : name)}", line: number)
      }
    }
    change(to: subRipStyle)
  }

  /// Sets one of nine positions, numbered like a numeric keypad; the first override wins.
  private mutating func place9(_ place: Int) {
    if isPlaced { return }
    isPlaced = true
    placement.alignment = [.left, .center, .right][(place - 1) % 3]
    switch (place - 1) / 3 {
    case 0: break
    case 1: (placement.line, placement.snapsToLines, placement.lineAlignment) = (50, false, .center)
    default: placement.line = 0
    }
  }

  // MARK: Runs

  private mutating func change(to new: CaptionStyle) {
    if new == style { return }
    finishPiece()
    style = new
  }

  private mutating func finishPiece() {
    defer { piece = "" }
    if piece.isEmpty { return }
    byteCount += piece.utf8.count
    if let last = runs.indices.last, runs[last].style == style {
      runs[last].text += piece
    } else {
      runs.append(CaptionRun(piece, style))
    }
  }

  /// Removes white space from both ends of the whole text.
  private mutating func trim() {
    let white: Set<Character> = [" ", "\t", "\n", "\r", "\u{C}"]
    let length = runs.reduce(0) { $0 + $1.text.utf8.count }
    let first = runs.firstIndex { !$0.text.allSatisfy { white.contains($0) } } ?? runs.count
    runs.removeFirst(first)
    if let first = runs.first { runs[0].text = String(first.text.drop { white.contains($0) }) }
    let removed = length - runs.reduce(0) { $0 + $1.text.utf8.count }
    for index in marks.indices { marks[index].place -= removed }
    while var last = runs.popLast() {
      while let end = last.text.last, white.contains(end) { last.text.removeLast() }
      if last.text.isEmpty { continue }
      runs.append(last)
      break
    }
  }
}
