// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

// Statements, calls and words of other programs in bodies, with the equivalent scene syntax.
extension Parser {
  // MARK: Calls

  /// Calls of other programs, with the equivalent advice. The keys are in lower case.
  private static let statements: [String: String] = {
    let motion =
      "write a motion in the element: position: (0, 0) -> (100, 0) over 1s, or a change: change of card { position: (100, 0) }"
    let start = "set the start of the next element: at: 1s, or at: card.end + 1s"
    let child = "write the element in the body of its parent: group { circle { radius: 40 } }"
    let exit = "set the duration of the element with 'for: 2s', and its exit with exit: fade"
    return [
      "play": "write the animation in the element: enter: fade over 1s, or radius: 0 -> 80 over 1s",
      "animate": motion, "shift": motion, "move_to": motion, "moveto": motion, "to": motion,
      "tween": motion, "set": motion,
      "wait": start, "waitfor": start, "sleep": start, "delay": start, "pause": start,
      "add": child, "append": child, "appendchild": child, "addchild": child,
      "remove": exit, "destroy": exit, "clear": exit,
    ]
  }()

  /// Animations of Manim, with the equivalent property. The keys are in lower case.
  private static let entrances: [String: String] = [
    "create": "enter: draw", "showcreation": "enter: draw", "drawborderthenfill": "enter: draw",
    "write": "enter: write", "unwrite": "exit: write", "fadein": "enter: fade",
    "fadeout": "exit: fade", "growfromcenter": "enter: grow(from: 0)",
    "addtextletterbyletter": "enter: type",
  ]

  /// Returns the equivalent of a call in a body; `nil` for an unknown function. The next token is
  /// the opening parenthesis at `ahead`.
  func equivalent(ofCall names: [Substring], ahead: Int) -> String? {
    let words = names.map { $0.lowercased() }
    let argument = tokenText(ahead: ahead + 1).lowercased()
    let isPlay = words.last == "play"
    let entrance = words.last.flatMap { Parser.entrances[$0] }
    if let property = entrance ?? (isPlay ? Parser.entrances[argument] : nil) {
      return "write the animation in the element: \(property) over 1s"
    }
    return words.lazy.compactMap { Parser.statements[$0] }.first
  }

  /// Returns the error for parentheses after an item that ends with a name.
  func unexpectedCall(_ diagnostic: Diagnostic) -> Diagnostic {
    let words = endedElement
    if let inBody = propertyOutsideBody(diagnostic, words.last, of: words.first, from: span.start),
      words.count > 1
    {
      return inBody
    }
    let names = words.flatMap { $0.split(separator: ".") }
    if words.first?.contains(".") == true || words.first == "await" {
      return diagnostic.advising(
        equivalent(ofCall: names, ahead: 0)
          ?? "write properties and motions in the body of the element: opacity: 0 -> 1 over 1s")
    }
    return diagnostic.advising("write values in texts in braces: text \"{f(x)}\"")
  }

  // MARK: Properties after an element

  /// Returns the error for a property after an element instead of in its body, as in
  /// `text "Hello" at 2s`; `nil` for other words. The value starts at the offset.
  func propertyOutsideBody(
    _ diagnostic: Diagnostic, _ word: Substring?, of element: Substring?, from start: Int
  ) -> Diagnostic? {
    guard let word, let element, Parser.commonProperties.contains(String(word)) else { return nil }
    let line = source.lineRange(source.lineIndex(at: start))
    let rest = source.text(source.span(start, line.upperBound))
    let value = rest.prefix { !"{};".contains($0) && !$0.isNewline }
      .drop { $0 == " " || $0 == ":" }
    guard !value.isEmpty, !value.contains("//") else { return nil }
    let trimmed = value.reversed().drop { $0 == " " }.reversed()
    let isPoint = word == "at" && (value.first == "(" || Parser.corner(String(trimmed)) != nil)
    let property = isPoint ? "position" : String(word)
    return diagnostic.advising(
      "write properties in the body of the element: \(element) { \(property): \(String(trimmed)) }")
  }

  // MARK: Points

  /// Returns the name of a point such as `top-left` for one or two words of CSS, or `nil`.
  static func corner(_ text: String) -> String? {
    let words = text.split(separator: " ").map(String.init)
    let (rows, columns) = (["top", "bottom"], ["left", "right"])
    let known = Set(rows + columns + ["center"])
    guard (1...2).contains(words.count), words.allSatisfy(known.contains) else { return nil }
    let row = words.first(where: rows.contains)
    let column = words.first(where: columns.contains)
    let count = words.count { $0 != "center" }
    guard count == [row, column].count(where: { $0 != nil }) else { return nil }
    let names = [row, column].compactMap { $0 }
    return names.isEmpty ? "center" : names.joined(separator: "-")
  }

  /// Returns the error for two words of CSS as a point, as in `position: top left`, or `nil`.
  func pointInTwoWords(_ diagnostic: Diagnostic, of property: String?) -> Diagnostic? {
    let (value, span) = endedValue
    guard let property, let span, let point = Parser.corner("\(value) \(tokenText())"),
      Parser.corner(value) == value
    else { return nil }
    let isSafe = ["position", "anchor", "pivot", "focus"].contains(property) && isLastWord(at: 0)
    return diagnostic.fixing(
      "change to '\(point)'", replacing: span.union(self.span), with: point, isSafe: isSafe)
  }

  // MARK: Repetitions

  /// Words of other languages that repeat a motion; `true` if it also goes backward.
  private static let repetitions: [String: Bool] = [
    "loop": false, "repeat": false, "infinite": false, "infinitely": false, "forever": false,
    "alternate": true, "mirror": true, "yoyo": true, "pingpong": true, "ping-pong": true,
    "autoreverse": true,
  ]

  /// Returns the error for a word such as `loop` or `infinite alternate` after a motion, or `nil`.
  func repetition(_ diagnostic: Diagnostic, ahead: Int = 0) -> Diagnostic? {
    guard kind(ahead: ahead) == .identifier,
      var isMirrored = Parser.repetitions[tokenText(ahead: ahead)]
    else { return nil }
    let (value, span) = endedValue
    guard let span, value.contains("->") || value.hasPrefix("keyframes"),
      !value.contains(where: \.isNewline)
    else { return nil }
    var last = ahead
    if kind(ahead: last + 1) == .identifier,
      let next = Parser.repetitions[tokenText(ahead: last + 1)]
    {
      isMirrored = isMirrored || next
      last += 1
    }
    let call = "loop(\(value)\(isMirrored ? ", mirror: true" : ""))"
    let text = "repeat a motion with a function: \(call)"
    guard last <= 1, isLastWord(at: last) else { return diagnostic.advising(text) }
    let end = last == 0 ? self.span : spanAhead
    return diagnostic.fixing(
      "write \(call)", replacing: span.union(end), with: call, isSafe: false)
  }

  /// Returns whether the item ends after a token.
  private func isLastWord(at ahead: Int) -> Bool {
    [.newline, .semicolon, .rightBrace, .endOfFile].contains(kind(ahead: ahead + 1))
  }

  /// The source text of the value of the preceding property or constant, and its span; `nil` after
  /// other items.
  private var endedValue: (text: String, span: SourceSpan?) {
    guard let item = nodes.last, [.property, .letDecl].contains(item.kind) else { return ("", nil) }
    let start = Int(tokens[Int(item.firstToken)].start)
    let whole = source.text(source.span(start, lastSpan.end))
    let head = whole.prefix { $0 != (item.kind == .property ? ":" : "=") }
    let value = whole.dropFirst(head.count + 1).drop { $0.isWhitespace }
    return (String(value), source.span(lastSpan.end - value.utf8.count, lastSpan.end))
  }
}
