// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

// Statements, calls and words of other programs in bodies, with the equivalent scene syntax.
extension Parser {
  // MARK: Calls

  /// Functions of other programs, with the equivalent advice. The keys are in lower case.
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
  ///
  /// A name with an upper-case initial is an animation of Manim or a component of the scene, whose
  /// arguments have names.
  func equivalent(ofCall names: [Substring], ahead: Int) -> String? {
    let isUppercase = names.last?.first?.isUppercase == true
    if isUppercase, kind(ahead: ahead + 2) == .colon { return nil }
    let last = names.last?.lowercased() ?? ""
    let isPlay = last == "play" && !isUppercase
    let argument = tokenText(ahead: ahead + 1).lowercased()
    if let property = Parser.entrances[last] ?? (isPlay ? Parser.entrances[argument] : nil) {
      return "write the animation in the element: \(property) over 1s"
    }
    return names.lazy.filter { $0.first?.isLowercase == true }
      .compactMap { Parser.statements[$0.lowercased()] }.first
  }

  /// Returns the error for parentheses after an item that ends with a name.
  func unexpectedCall(_ diagnostic: Diagnostic) -> Diagnostic {
    if let inBody = lastNameAsProperty(diagnostic) { return inBody }
    let words = endedElement
    let names = words.flatMap { $0.split(separator: ".") }
    if let function = Parser.function(words) { return diagnostic.advising(function) }
    if words.first?.contains(".") == true || words.first == "await" {
      return diagnostic.advising(
        equivalent(ofCall: names, ahead: 0)
          ?? "write properties and motions in the body of the element: opacity: 0 -> 1 over 1s")
    }
    return diagnostic.advising("write values in texts in braces: text \"{f(x)}\"")
  }

  // MARK: Values

  /// The equivalent of an expression of JavaScript or Python whose first token cannot begin a value
  /// here; `nil` for other tokens.
  var equivalentOfValue: String? {
    if kind == .forWord { return "write a list in brackets: [for x in 0..3: x * 10]" }
    guard kind == .leftBrace else { return nil }
    let isText =
      kind(ahead: 1) == .stringStart && kind(ahead: 2) == .stringText
      && kind(ahead: 3) == .stringEnd
    guard isText || kind(ahead: 1) == .identifier, kind(ahead: isText ? 4 : 2) == .colon else {
      return nil
    }
    let name = tokenText(ahead: isText ? 2 : 1)
    if ["x", "width"].contains(name) { return "write a pair in parentheses: (100, 200)" }
    let isWord = name.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
    return "write a record in parentheses: (\(isWord ? name : "name"): …)"
  }

  // MARK: Properties after an element

  /// The maximum length in bytes of a value that is repeated in a message.
  private static let longestValue = 300

  /// Returns the error for a property after an element instead of in its body, as in
  /// `text "Hello" at 2s`; `nil` for other words. The next token is the name of the property.
  func propertyOutsideBody(_ diagnostic: Diagnostic) -> Diagnostic? {
    property(diagnostic, tokenText(), at: span, after: endedSource)
  }

  /// Returns the error for a property before its value without a body, as in `circle radius 40`,
  /// which was parsed as the name of the element; `nil` for other elements.
  func lastNameAsProperty(_ diagnostic: Diagnostic) -> Diagnostic? {
    let name = source.text(lastSpan)
    guard endedElement.count > 1, let element = endedSource, element.hasSuffix(" " + name) else {
      return nil
    }
    let head = element.dropLast(name.count).reversed().drop { $0 == " " }.reversed()
    return property(diagnostic, name, at: lastSpan, after: String(head))
  }

  /// The source text of the preceding item if that is an element without a body.
  var endedSource: String? {
    guard let item = nodes.last, item.kind == .element else { return nil }
    return source.text(source.span(Int(tokens[Int(item.firstToken)].start), lastSpan.end))
  }

  /// Returns the source text of an element with a body, in messages.
  static func body(of element: String, _ properties: String) -> String {
    let isLong = element.count > 60 || element.contains(where: \.isNewline)
    let head = isLong ? "\(element.prefix { !$0.isWhitespace }) …" : element
    return "\(head) { \(properties) }"
  }

  /// Returns the error for a property and its value after the source text of an element, or `nil`.
  private func property(
    _ diagnostic: Diagnostic, _ name: String, at span: SourceSpan, after element: String?
  ) -> Diagnostic? {
    guard let element, Parser.commonProperties.contains(name),
      diagnostics.count < Diagnostic.greatestCount,
      !Parser.commonProperties.contains(String(element.prefix { !$0.isWhitespace }))
    else { return nil }
    // Decoding the rest of a long line for each error on it would take quadratic time.
    let ends = Set("{};\n\r".utf8)
    let rest = source.bytes.dropFirst(span.end)
    let bytes = rest.prefix(Parser.longestValue + 1).prefix { !ends.contains($0) }
    guard bytes.count <= Parser.longestValue else { return nil }
    let value = String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }
    guard !value.contains("//"), let properties = Parser.properties("\(name) \(value)") else {
      return nil
    }
    if rest.dropFirst(bytes.count).first == UInt8(ascii: "{") {
      let body = Parser.body(of: element, "\(properties);  …")
      return diagnostic.advising("write properties in the body of the element: \(body)")
    }
    let trimmed = value.reversed().drop { $0.isWhitespace }.reversed()
    let end = span.end + String(trimmed).utf8.count
    return diagnostic.fixing(
      "write \(Parser.body(of: element, properties))",
      replacing: source.span(span.start, end), with: "{ \(properties) }", isSafe: false)
  }

  /// Returns the properties of `at 2s for 3s` with colons and semicolons; `nil` if a value is
  /// missing or incomplete.
  private static func properties(_ text: String) -> String? {
    var parts: [(name: String, value: [Substring])] = []
    var depth = 0
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
      let name = String(word.last == ":" ? word.dropLast() : word)
      if depth == 0, commonProperties.contains(name), !text.contains("\"") || parts.isEmpty {
        parts.append((name, []))
        continue
      }
      guard !parts.isEmpty else { return nil }
      depth += word.count { "([".contains($0) } - word.count { ")]".contains($0) }
      parts[parts.count - 1].value.append(word)
    }
    guard depth == 0 else { return nil }
    var written: [String] = []
    for part in parts {
      var value = part.value.joined(separator: " ")
      if value.last == "," { value.removeLast() }
      guard !value.isEmpty, value != ":" else { return nil }
      let isPoint =
        part.name == "at"
        && (value.first == "(" && value.contains(",") || corner(value) != nil)
      written.append("\(isPoint ? "position" : part.name): \(corner(value) ?? value)")
    }
    return written.joined(separator: ";  ")
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

  /// Returns the error for a word such as `loop` or `infinite alternate` after a motion, or `nil`.
  func repetition(_ diagnostic: Diagnostic, ahead: Int = 0) -> Diagnostic? {
    guard kind(ahead: ahead) == .identifier,
      var isMirrored = RepetitionWords.isMirrored[tokenText(ahead: ahead)]
    else { return nil }
    let (value, span) = endedValue
    let isLoop = value.hasPrefix("loop(")
    guard let span, isLoop || value.contains("->") || value.hasPrefix("keyframes"),
      !value.contains(where: \.isNewline)
    else { return nil }
    var last = ahead
    if kind(ahead: last + 1) == .identifier,
      let next = RepetitionWords.isMirrored[tokenText(ahead: last + 1)]
    {
      isMirrored = isMirrored || next
      last += 1
    }
    let isLast = last <= 1 && isLastWord(at: last)
    let end = last == 0 ? self.span : spanAhead
    if isLoop {
      let words = source.span(span.end, end.end)
      return repetition(diagnostic, ofLoop: value, isMirrored, at: isLast ? words : nil)
    }
    let call = "loop(\(value)\(isMirrored ? ", mirror: true" : ""))"
    guard isLast else {
      return diagnostic.advising("repeat a motion with a function: \(call)")
    }
    return diagnostic.fixing(
      "write \(call)", replacing: span.union(end), with: call, isSafe: false)
  }

  /// Returns the error for a word such as `infinite` after a call of `loop`. The span contains the
  /// words and the white space before them; it is `nil` if the item continues.
  private func repetition(
    _ diagnostic: Diagnostic, ofLoop value: String, _ isMirrored: Bool, at words: SourceSpan?
  ) -> Diagnostic {
    if isMirrored, !value.contains("mirror:") {
      let error = diagnostic.advising(
        "play a motion backward with an argument of 'loop': loop(0 -> 1 over 1s, mirror: true)")
      guard let words, Parser.isSingleCall(value) else { return error }
      return diagnostic.fixing(
        "add the argument 'mirror: true'", replacing: source.span(words.start - 1, words.end),
        with: ", mirror: true)", isSafe: false)
    }
    let error = diagnostic.noting("'loop' repeats until the element ends")
    return words.map {
      error.fixing(
        "remove '\(source.text($0).drop { " ,".contains($0) })'",
        replacing: $0, with: "", isSafe: false)
    } ?? error
  }

  /// Returns whether a value is one call, so that its last parenthesis closes the first one.
  private static func isSingleCall(_ value: String) -> Bool {
    var depth = 0
    for character in value.dropLast() {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == ")", depth == 0 { return false }
    }
    return depth == 1 && value.last == ")"
  }

  /// Returns whether the item ends after a token.
  private func isLastWord(at ahead: Int) -> Bool {
    [.newline, .semicolon, .rightBrace, .endOfFile].contains(kind(ahead: ahead + 1))
  }

  /// Whether the preceding property or constant ends with a motion that has a duration.
  var endsMotion: Bool {
    let (value, span) = endedValue
    return span != nil && value.count < Parser.longestValue
      && value.split(whereSeparator: \.isWhitespace).contains("over")
  }

  /// Whether the preceding item is directly in the body of `steps`.
  var isInSteps: Bool {
    var level = 0
    var index = position - 1
    let lowest = max(1, position - Parser.longestSearch)
    while index >= lowest {
      if kinds[index] == .rightBrace { level += 1 }
      if kinds[index] == .leftBrace { level -= 1 }
      if level < 0 { break }
      index -= 1
    }
    guard level < 0 else { return false }
    // The body may have a name: `steps build { … }`.
    return (1...2).contains { index >= $0 && text(at: index - $0) == "steps" }
  }

  /// The maximum number of tokens of the search for the start of a body.
  private static let longestSearch = 2000

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
