// SPDX-License-Identifier: MIT
import SceneText

/// A parser for the TeX subset that the manual documents. Any input yields a formula or exactly one
/// error.
struct FormulaParser {
  /// The maximum number of bytes, and the maximum nesting of groups.
  static let longest = 5000
  static let deepest = 64

  let scalars: [Unicode.Scalar]
  /// The byte offset of each scalar, and the end offset.
  let offsets: [Int]
  var index = 0
  var depth = 0
  var alphabet = MathAlphabet.standard
  /// The last word of upright letters, as a range of `scalars`.
  private var word = 0..<0

  init(_ source: String) {
    scalars = Array(source.unicodeScalars)
    var offsets: [Int] = []
    var offset = 0
    for scalar in scalars {
      offsets.append(offset)
      offset += UTF8.width(scalar)
    }
    self.offsets = offsets + [offset]
  }

  /// Parses the whole formula.
  mutating func read() throws(FormulaError) -> [MathNode] {
    let count = offsets[scalars.count]
    guard count <= FormulaParser.longest else {
      throw FormulaError(
        "the formula has \(count) bytes", at: 0..<count,
        label: "the limit is \(FormulaParser.longest) bytes")
    }
    let nodes = try row()
    try expectEnd()
    return nodes
  }

  /// Reports a token that ends a row without a matching start.
  private mutating func expectEnd() throws(FormulaError) {
    guard let next else { return }
    let start = index
    if next == "}" {
      throw failure(from: start, to: start + 1, "unmatched '}'", "remove it, or write \\}")
    }
    if next == "&" {
      throw failure(
        from: start, to: start + 1, "'&' must be inside an environment with columns",
        "write \\& for a literal '&'")
    }
    let word = command() ?? ""
    switch word {
    case "\\":
      throw failure(
        from: start, to: index, "'\\\\' must be inside an environment with rows",
        "put the lines into \\begin{aligned} … \\end{aligned}")
    case "right":
      throw failure(
        from: start, to: index, "'\\right' has no matching '\\left'", "add \\left before it")
    case "middle":
      throw failure(
        from: start, to: index, "'\\middle' must be between '\\left' and '\\right'",
        "use \\mid or \\big|")
    default: throw failure(from: start, to: index, "'\\end' has no matching '\\begin'", "remove it")
    }
  }

  // MARK: Rows

  /// Parses atoms up to the end of a group, cell or bracket.
  mutating func row() throws(FormulaError) -> [MathNode] {
    // Commands such as `\rm` apply to the rest of the row.
    let outer = alphabet
    defer { alphabet = outer }
    var nodes: [MathNode] = []
    while let next = nextOfRow() {
      let start = index
      if next == "\\", let word = peekCommand(), ["over", "atop", "choose"].contains(word) {
        return [try infix(word, above: nodes)]
      }
      var base: MathNode?
      if next != "^", next != "_", next != "'", !isLimitControl {
        let atom = try atom()
        switch atom.kind {
        case .nothing: continue
        case .space, .style, .color:
          // As in TeX, subsequent scripts attach to an empty nucleus. A space has no class, and the
          // typesetter would drop it with its scripts.
          nodes.append(atom)
          continue
        default: base = atom
        }
      }
      nodes.append(try withScripts(base, from: start))
    }
    return nodes
  }

  /// Returns the next character of a row; `nil` at the end of the row.
  private mutating func nextOfRow() -> Unicode.Scalar? {
    skipBlanks()
    guard let next else { return nil }
    if next == "}" || next == "&" || next == "$" && isInText { return nil }
    if next == "]", closesOption > 0, depth == closesOption { return nil }
    if next == "\\", ["\\", "cr", "right", "middle", "end"].contains(peekCommand()) { return nil }
    return next
  }

  /// Parses `\over`, `\atop` or `\choose`, whose operands are the parts of the row before and after
  /// it.
  private mutating func infix(_ word: String, above: [MathNode]) throws(FormulaError) -> MathNode {
    let start = index
    _ = command()
    try enter(start)
    defer { depth -= 1 }
    let below = try row()
    let first = above.first?.range.lowerBound ?? offsets[start]
    var fraction = Fraction(
      upper: MathNode(.group(above, .ordinary), first..<offsets[start]),
      lower: MathNode(.group(below, .ordinary), range(from: start)))
    fraction.hasRule = word == "over"
    if word == "choose" { (fraction.left, fraction.right) = ("(", ")") }
    return MathNode(.fraction(fraction), first..<offsets[index])
  }

  /// Whether the row is a formula within literal text, which ends at a `$`.
  var isInText = false

  /// The depth at which a `]` closes an optional argument; 0 if none is open.
  private var closesOption = 0

  /// Parses an optional argument in brackets, as in `\sqrt[3]`; returns `nil` if there is none.
  mutating func option() throws(FormulaError) -> MathNode? {
    skipBlanks()
    guard next == "[" else { return nil }
    let start = index
    index += 1
    try enter(start)
    defer { depth -= 1 }
    let before = closesOption
    closesOption = depth
    defer { closesOption = before }
    let nodes = try row()
    guard next == "]" else {
      throw failure(from: start, to: start + 1, "unclosed '['", "expected ']'")
    }
    index += 1
    return MathNode(.group(nodes, .ordinary), range(from: start))
  }

  mutating func enter(_ start: Int) throws(FormulaError) {
    depth += 1
    guard depth <= FormulaParser.deepest else {
      depth -= 1
      throw failure(
        from: start, to: start + 1, "groups are nested too deeply",
        "the limit is \(FormulaParser.deepest) levels")
    }
  }

  // MARK: Scripts

  private mutating func withScripts(_ base: MathNode?, from start: Int) throws(FormulaError)
    -> MathNode
  {
    var base = base
    var lower: MathNode?
    var upper: MathNode?
    var primes: MathNode?
    while true {
      skipBlanks()
      let at = index
      if next == "'" {
        guard upper == nil, primes == nil else {
          throw failure(
            from: at, to: at + 1, "a prime must precede other superscripts", "write it first: x'^2")
        }
        primes = self.primes()
      } else if next == "^" || next == "_" {
        let isUpper = next == "^"
        index += 1
        skipBlanks()
        if next == nil || next == "}" || next == "^" || next == "_" || next == "&" {
          throw failure(
            from: at, to: at + 1, "expected an argument after '\(isUpper ? "^" : "_")'",
            "write x\(isUpper ? "^" : "_"){…}")
        }
        let script = try argument(of: isUpper ? "^" : "_", at)
        guard (isUpper ? upper : lower) == nil else {
          let (word, sign) = isUpper ? ("superscript", "^") : ("subscript", "_")
          throw failure(
            from: at, to: at + 1, "duplicate \(word)",
            "write x\(sign){a\(sign)b} or {x\(sign)a}\(sign)b")
        }
        if isUpper { upper = script } else { lower = script }
      } else if isLimitControl, let word = command() {
        base = try withLimits(base, word: word, at: at)
      } else {
        break
      }
    }
    if let mark = primes {
      upper =
        upper.map {
          MathNode(.group([mark, $0], .ordinary), mark.range.lowerBound..<$0.range.upperBound)
        } ?? mark
    }
    if lower == nil, upper == nil {
      return base ?? MathNode(.group([], .ordinary), range(from: start))
    }
    return MathNode(.scripts(base: base, lower: lower, upper: upper), range(from: start))
  }

  private mutating func primes() -> MathNode {
    let start = index
    var count = 0
    while next == "'" {
      index += 1
      count += 1
    }
    let single: [Unicode.Scalar] = ["′", "″", "‴", "⁗"]
    var marks: [MathNode] = []
    while count > 0 {
      let part = min(4, count)
      marks.append(MathNode(.symbol(single[part - 1], .ordinary), range(from: start)))
      count -= part
    }
    return MathNode(.group(marks, .ordinary), range(from: start))
  }

  /// Whether `\limits`, `\nolimits` or `\displaylimits` is next, which modifies the preceding
  /// operator.
  private var isLimitControl: Bool {
    next == "\\" && ["limits", "nolimits", "displaylimits"].contains(peekCommand())
  }

  private func withLimits(_ base: MathNode?, word: String, at: Int) throws(FormulaError)
    -> MathNode
  {
    let place: LimitPlace =
      switch word {
      case "limits": .limits
      case "nolimits": .sides
      default: .display
      }
    switch base?.kind {
    case .largeOperator(let scalar, _):
      return MathNode(.largeOperator(scalar, place), base?.range ?? 0..<0)
    case .namedOperator(let nodes, _):
      return MathNode(.namedOperator(nodes, place), base?.range ?? 0..<0)
    default:
      throw failure(
        from: at, to: at + word.count + 1, "'\\\(word)' must follow an operator",
        "such as \\int\\\(word)")
    }
  }

  // MARK: Arguments

  /// Parses a group in braces, or a single atom.
  mutating func argument(of name: String, _ start: Int) throws(FormulaError) -> MathNode {
    skipBlanks()
    guard let next, next != "}", next != "&", next != "^", next != "_" else {
      throw failure(
        from: start, to: max(start + 1, min(index, scalars.count)),
        "'\(name)' requires an argument", "write \(name){…}")
    }
    // A group counts its own depth.
    if next == "{" { return try group() }
    try enter(index)
    defer { depth -= 1 }
    return try atom()
  }

  /// Parses an argument in another alphabet.
  mutating func argument(of name: String, _ start: Int, in alphabet: MathAlphabet)
    throws(FormulaError) -> MathNode
  {
    let before = self.alphabet
    self.alphabet = alphabet
    defer { self.alphabet = before }
    return try argument(of: name, start)
  }

  /// Parses a group in braces as a single atom.
  mutating func group() throws(FormulaError) -> MathNode {
    let start = index
    index += 1
    try enter(start)
    defer { depth -= 1 }
    let before = (closesOption, isInText)
    (closesOption, isInText) = (0, false)
    defer { (closesOption, isInText) = before }
    let nodes = try row()
    guard next == "}" else {
      if next == nil {
        throw failure(from: start, to: start + 1, "unclosed '{'", "expected '}'")
      }
      try expectEnd()
      return MathNode(.nothing, range(from: start))
    }
    index += 1
    return MathNode(.group(nodes, .ordinary), range(from: start))
  }

  // MARK: Atoms

  /// Parses an atom without its scripts; `nothing` for syntax without output.
  mutating func atom() throws(FormulaError) -> MathNode {
    let start = index
    guard let next else { return MathNode(.nothing, range(from: start)) }
    switch next {
    case "{": return try group()
    case "\\": return try commandAtom()
    case "~":
      index += 1
      return MathNode(.space(1.0 / 3, in: .formula), range(from: start))
    case "%":
      throw failure(
        from: start, to: start + 1, "'%' starts a comment in TeX",
        fix: "\\%")
    case "#":
      throw failure(
        from: start, to: start + 1, "unexpected '#' in a formula",
        fix: "\\#")
    case "$":
      throw failure(
        from: start, to: start + 1, "unexpected '$' in a formula", fix: "")
    default: break
    }
    index += 1
    return symbol(next, from: start)
  }

  private mutating func symbol(_ scalar: Unicode.Scalar, from start: Int) -> MathNode {
    if let (scalar, kind) = MathSymbols.characters[scalar] {
      let own = MathLetters.scalar(scalar, alphabet)
      return MathNode(.symbol(own, kind), range(from: start))
    }
    return letter(scalar, from: start, in: alphabet)
  }

  /// Returns the symbol of a character in an alphabet. Adjacent upright letters form a word, unlike
  /// letters of variables.
  mutating func letter(_ scalar: Unicode.Scalar, from start: Int, in alphabet: MathAlphabet)
    -> MathNode
  {
    let symbol = MathNode.Kind.symbol(MathLetters.scalar(scalar, alphabet), .ordinary)
    guard alphabet == .upright, scalar.properties.isAlphabetic else { return node(symbol, start) }
    if word.upperBound != start { word = start..<start }
    word = word.lowerBound..<index
    return MathNode(symbol, range(from: start), word: offsets[word.lowerBound])
  }

  // MARK: Characters

  var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  mutating func skipBlanks() {
    while let next, next == " " || next == "\n" || next == "\t" || next == "\r" { index += 1 }
  }

  /// Returns the byte range from a character to the current position.
  func range(from start: Int) -> Range<Int> {
    offsets[min(start, scalars.count)]..<offsets[max(min(start, scalars.count), index)]
  }

  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  /// Returns the command at the current position without consuming it; `nil` if there is none.
  func peekCommand() -> String? {
    var copy = self
    return copy.command()
  }

  /// Parses a command and returns its name without the backslash; `nil` if there is no command at
  /// the current position, or an empty text at the end.
  mutating func command() -> String? {
    guard next == "\\" else { return nil }
    index += 1
    guard let first = next else { return "" }
    guard FormulaParser.isLetter(first) else {
      index += 1
      return String(first)
    }
    var word = String.UnicodeScalarView()
    while let next, FormulaParser.isLetter(next) {
      word.append(next)
      index += 1
    }
    return String(word)
  }

  func failure(
    from start: Int, to end: Int, _ message: String, _ label: String = "", fix: String? = nil
  ) -> FormulaError {
    let low = min(start, scalars.count)
    return FormulaError(
      message, at: offsets[low]..<offsets[max(low, min(end, scalars.count))], label: label, fix: fix
    )
  }
}
