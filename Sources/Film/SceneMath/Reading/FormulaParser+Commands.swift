// SPDX-License-Identifier: MIT
import SceneText

// Commands, which begin with a backslash.
extension FormulaParser {
  mutating func commandAtom() throws(FormulaError) -> MathNode {
    let start = index
    let word = command() ?? ""
    if let node = simple(word, start) { return node }
    if let node = try accented(word, start) { return node }
    if let node = try fractional(word, start) { return node }
    if let node = try classed(word, start) { return node }
    if let node = try boxed(word, start) { return node }
    if let node = try explicitSpace(word, start) { return node }
    if let node = try labeledArrow(word, start) { return node }
    if let node = try abbreviation(word, start) { return node }
    if let node = try colored(word, start) { return node }
    switch word {
    case "sqrt":
      let degree = try option()
      let body = try argument(of: "\\sqrt", start)
      return node(.root(body, degree: degree), start)
    case "text", "mbox": return try words(word, start)
    case "operatorname": return try operatorName(start)
    case "left": return try fenced(start)
    case "begin": return try environment(start)
    case "not": return try negated(start)
    case "substack": return try substack(start)
    case "pmod", "pod":
      let body = try argument(of: "\\\(word)", start)
      return node(.group(modulus(word, body: body, start: start), .ordinary), start)
    default: break
    }
    if let alphabet = MathSymbols.textAlphabets[word] {
      return try words(word, start, in: alphabet)
    }
    if let alphabet = MathSymbols.alphabetSwitches[word] {
      self.alphabet = alphabet
      return node(.nothing, start)
    }
    if let (height, kind) = MathSymbols.sizes[word] {
      guard let bracket = try bracket(after: "\\\(word)", start) else {
        return node(.group([], kind), start)
      }
      return node(.sizedBracket(bracket, height: height, kind), start)
    }
    throw unknown(word, start)
  }

  func node(_ kind: MathNode.Kind, _ start: Int) -> MathNode { MathNode(kind, range(from: start)) }

  /// Parses commands without arguments; returns `nil` for other commands.
  private func simple(_ word: String, _ start: Int) -> MathNode? {
    if let (scalar, kind) = MathSymbols.all[word] {
      return node(.symbol(MathLetters.scalar(scalar, alphabet), kind), start)
    }
    if let scalar = MathSymbols.largeOperators[word] {
      return node(.largeOperator(scalar, .display), start)
    }
    if let scalar = MathSymbols.integrals[word] {
      return node(.largeOperator(scalar, .sides), start)
    }
    if let (text, hasLimits) = MathSymbols.names[word] {
      return node(.namedOperator(letters(text, start), hasLimits ? .display : .sides), start)
    }
    if let space = MathSymbols.spaces[word] {
      return node(.space(space / 18, in: .style), start)
    }
    if let space = MathSymbols.textSpaces[word] { return node(.space(space, in: .formula), start) }
    if let style = MathSymbols.styles[word] { return node(.style(style), start) }
    switch word {
    case "{": return node(.symbol("{", .opening), start)
    case "}": return node(.symbol("}", .closing), start)
    case "|", "Vert": return node(.symbol("‖", .ordinary), start)
    case "vert": return node(.symbol("|", .ordinary), start)
    case "backslash": return node(.symbol("\\", .ordinary), start)
    case "%", "#", "&", "_", "$":
      return node(.symbol(word.unicodeScalars.first ?? "%", .ordinary), start)
    case "implies", "impliedby", "iff":
      let arrow: Unicode.Scalar = word == "iff" ? "⟺" : word == "implies" ? "⟹" : "⟸"
      let space = node(.space(5.0 / 18, in: .style), start)
      return node(.group([space, node(.symbol(arrow, .relation), start), space], .relation), start)
    case "bmod":
      // As in amsmath, 5 mu on both sides. Outside scripts, 4 of them are the space of a binary
      // operator.
      let mod = node(.words(letters("mod", start)), start)
      let space = node(.space(1.0 / 18, in: .style), start)
      let rest = node(.space(4.0 / 18, in: .script), start)
      return node(.group([space, rest, mod, rest, space], .binary), start)
    case "colon":
      return node(
        .group(
          [
            node(.space(2.0 / 18, in: .style), start), node(.symbol("∶", .ordinary), start),
            node(.space(6.0 / 18, in: .style), start),
          ], .ordinary), start)
    case "intop": return node(.largeOperator("∫", .limits), start)
    case "relax", "displaylimits", "/", "strut", "mathstrut", "nobreak", "allowbreak", "nonumber",
      "notag":
      return node(.nothing, start)
    default: return nil
    }
  }

  /// Returns the upright letters of a command, as one word; a space becomes a thin space.
  func letters(_ text: String, _ start: Int) -> [MathNode] {
    text.unicodeScalars.map { scalar in
      scalar == " "
        ? node(.space(3.0 / 18, in: .style), start)
        : MathNode(.symbol(scalar, .ordinary), range(from: start), word: offsets[start])
    }
  }

  private func modulus(_ word: String, body: MathNode, start: Int) -> [MathNode] {
    var nodes = [
      node(.space(8.0 / 18, in: .style), start), node(.symbol("(", .opening), start),
    ]
    if word == "pmod" {
      nodes.append(node(.words(letters("mod", start)), start))
      nodes.append(node(.space(6.0 / 18, in: .style), start))
    }
    return nodes + [body, node(.symbol(")", .closing), start)]
  }

  private mutating func accented(_ word: String, _ start: Int) throws(FormulaError) -> MathNode? {
    if let scalar = MathSymbols.accents[word] {
      let body = try argument(of: "\\\(word)", start)
      return node(.accent(scalar, body, isWide: false, isBelow: false), start)
    }
    if let (scalar, isBelow) = MathSymbols.wideAccents[word] {
      let body = try argument(of: "\\\(word)", start)
      return node(.accent(scalar, body, isWide: true, isBelow: isBelow), start)
    }
    if let (scalar, isBelow) = MathSymbols.braces[word] {
      let body = try argument(of: "\\\(word)", start)
      return node(.brace(scalar, body, isBelow: isBelow), start)
    }
    if word == "overline" || word == "underline" {
      let body = try argument(of: "\\\(word)", start)
      return node(.bar(body, isBelow: word == "underline"), start)
    }
    return nil
  }

  private mutating func fractional(_ word: String, _ start: Int) throws(FormulaError) -> MathNode? {
    guard ["frac", "dfrac", "tfrac", "cfrac", "binom", "dbinom", "tbinom"].contains(word) else {
      return nil
    }
    var upper = try argument(of: "\\\(word)", start)
    let lower = try argument(of: "\\\(word){…}", start)
    if word == "cfrac" {
      // As in amsmath, the numerator has the height of a line.
      let strut = node(.rule(width: 0, height: 1.2, raise: -0.36), start)
      upper = MathNode(.group([strut, upper], .ordinary), upper.range)
    }
    var fraction = Fraction(upper: upper, lower: lower)
    if word.hasSuffix("binom") {
      fraction.hasRule = false
      (fraction.left, fraction.right) = ("(", ")")
    }
    switch word.first {
    case "d", "c": fraction.style = .display
    case "t": fraction.style = .text
    default: break
    }
    guard word == "cfrac" else { return node(.fraction(fraction), start) }
    let end = node(.space(-FormulaSetter.nullSpace, in: .style), start)
    return node(.group([node(.fraction(fraction), start), end], .ordinary), start)
  }

  /// Parses commands that change the alphabet or class of their argument; returns `nil` for other
  /// commands.
  private mutating func classed(_ word: String, _ start: Int) throws(FormulaError) -> MathNode? {
    if let alphabet = MathSymbols.alphabets[word] {
      let body = try argument(of: "\\\(word)", start, in: alphabet)
      // A single letter is set as if written without the command.
      var own = body
      if case .group(let nodes, .ordinary) = body.kind, nodes.count == 1 { own = nodes[0] }
      own.range = range(from: start)
      return own
    }
    let classes: [String: AtomClass] = [
      "mathord": .ordinary, "mathbin": .binary, "mathrel": .relation, "mathopen": .opening,
      "mathclose": .closing, "mathpunct": .punctuation, "mathinner": .inner,
    ]
    if let kind = classes[word] {
      return node(.group([try argument(of: "\\\(word)", start)], kind), start)
    }
    if word == "mathop" {
      return node(.namedOperator([try argument(of: "\\mathop", start)], .display), start)
    }
    guard ["overset", "underset", "stackrel"].contains(word) else { return nil }
    let small = try argument(of: "\\\(word)", start)
    let body = try argument(of: "\\\(word){…}", start)
    let kind = word == "stackrel" ? AtomClass.relation : body.soleClass ?? .ordinary
    let isBelow = word == "underset"
    return node(
      .stack(body, above: isBelow ? nil : small, below: isBelow ? small : nil, kind), start)
  }

  private mutating func negated(_ start: Int) throws(FormulaError) -> MathNode {
    let body = try argument(of: "\\not", start)
    if case .symbol(let scalar, let kind)? = body.sole, let other = MathSymbols.negations[scalar] {
      return node(.symbol(other, kind), start)
    }
    throw failure(
      from: start, to: index, "'\\not' is not supported for this symbol",
      "use '\\not' only before relations such as = \\in \\subset")
  }

  // MARK: Words

  /// Parses literal text in braces, including spaces, in an alphabet.
  mutating func words(_ word: String, _ start: Int, in alphabet: MathAlphabet = .upright)
    throws(FormulaError) -> MathNode
  {
    .init(.words(try rawLetters("\\\(word)", start, in: alphabet)), range(from: start))
  }

  private mutating func rawLetters(
    _ name: String, _ start: Int, in alphabet: MathAlphabet = .upright
  ) throws(FormulaError) -> [MathNode] {
    skipBlanks()
    guard next == "{" else {
      throw failure(from: start, to: index, "'\(name)' requires text in braces", "write \(name){…}")
    }
    try enter(index)
    defer { depth -= 1 }
    let open = index
    index += 1
    var nodes: [MathNode] = []
    // The alphabet of each open group.
    var alphabets = [alphabet]
    while let scalar = next {
      let at = index
      let alphabet = alphabets[alphabets.count - 1]
      index += 1
      switch scalar {
      case "{": alphabets.append(alphabet)
      case "}":
        alphabets.removeLast()
        if alphabets.isEmpty { return nodes }
      case "\\":
        index = at
        if let word = peekCommand(), let other = MathSymbols.alphabetSwitches[word] {
          _ = command()
          skipBlanks()
          alphabets[alphabets.count - 1] = other
        } else {
          nodes += try textCommand(in: name, alphabet)
        }
      case "$": nodes.append(try formulaInText(at))
      case "\n", "\t", "~": nodes.append(node(.symbol(" ", .ordinary), at))
      default:
        nodes.append(letter(scalar, from: at, in: alphabet))
      }
    }
    throw failure(from: open, to: open + 1, "unclosed '{'", "expected '}'")
  }

  /// Parses a command in literal text: an escaped character, or a style with its own text.
  private mutating func textCommand(in name: String, _ alphabet: MathAlphabet)
    throws(FormulaError) -> [MathNode]
  {
    let at = index
    let command = self.command() ?? ""
    if command.unicodeScalars.count == 1, let scalar = command.unicodeScalars.first,
      !FormulaParser.isLetter(scalar)
    {
      let own: Unicode.Scalar = scalar == "\\" || scalar == "," ? " " : scalar
      return [node(.symbol(own, .ordinary), at)]
    }
    if command == "text" { return try rawLetters("\\text", at, in: alphabet) }
    if let style = MathSymbols.textAlphabets[command] {
      return try rawLetters("\\\(command)", at, in: style)
    }
    throw failure(
      from: at, to: index, "'\\\(command)' is not allowed in '\(name)'",
      "close the brace before it")
  }

  /// Parses a formula between dollar signs in literal text.
  private mutating func formulaInText(_ start: Int) throws(FormulaError) -> MathNode {
    let before = isInText
    let outer = alphabet
    (isInText, alphabet) = (true, .standard)
    defer { (isInText, alphabet) = (before, outer) }
    let nodes = try row()
    guard next == "$" else {
      throw failure(from: start, to: start + 1, "unclosed '$'", "expected '$'")
    }
    index += 1
    return node(.group(nodes, .ordinary), start)
  }

  private mutating func operatorName(_ start: Int) throws(FormulaError) -> MathNode {
    var place = LimitPlace.sides
    if next == "*" {
      index += 1
      place = .display
    }
    return node(.namedOperator(try rawLetters("\\operatorname", start), place), start)
  }

  // MARK: Unknown commands

  private func unknown(_ word: String, _ start: Int) -> FormulaError {
    if word.isEmpty {
      return failure(
        from: start, to: start + 1, "expected a command after '\\'",
        "write \\backslash for the character")
    }
    if let advice = FormulaParser.advice[word] {
      return failure(from: start, to: index, "unsupported formula command '\\\(word)'", advice)
    }
    let near = nearest(word, in: FormulaParser.commands)
    return failure(
      from: start, to: index, "unknown formula command '\\\(word)'",
      near == nil ? "see the manual page of 'math' for the commands" : "",
      fix: near.map { "\\\($0)" })
  }

  /// Replacements for unsupported TeX commands.
  private static let advice: [String: String] = [
    "hline": "write it at the start of a row of an array", "label": "remove it",
    "def": "write out the formula", "newcommand": "write out the formula",
    "cal": "write \\mathcal{…}", "includegraphics": "use the element 'image'",
    "(": "remove \\( and \\)", ")": "remove \\( and \\)",
    "[": "remove \\[ and \\]", "]": "remove \\[ and \\]",
  ]

  /// All commands, for suggestions and editors.
  static let commands: [String] = {
    var all = Set(MathSymbols.all.keys)
    all.formUnion(MathSymbols.largeOperators.keys)
    all.formUnion(MathSymbols.integrals.keys)
    all.formUnion(MathSymbols.names.keys)
    all.formUnion(MathSymbols.accents.keys)
    all.formUnion(MathSymbols.wideAccents.keys)
    all.formUnion(MathSymbols.braces.keys)
    all.formUnion(MathSymbols.alphabets.keys)
    all.formUnion(MathSymbols.styles.keys)
    all.formUnion(MathSymbols.sizes.keys)
    all.formUnion(MathSymbols.brackets.keys)
    all.formUnion(MathSymbols.spaces.keys)
    all.formUnion(MathSymbols.textSpaces.keys)
    all.formUnion(MathSymbols.labeledArrows.keys)
    all.formUnion(MathSymbols.coveringArrows.keys)
    all.formUnion(MathSymbols.textAlphabets.keys)
    all.formUnion(MathSymbols.alphabetSwitches.keys)
    all.formUnion([
      "frac", "dfrac", "tfrac", "cfrac", "binom", "dbinom", "tbinom", "sqrt", "text", "left",
      "right", "middle", "begin", "end", "not", "overline", "underline", "operatorname", "substack",
      "overset", "underset", "stackrel", "pmod", "bmod", "mod", "phantom", "hphantom", "vphantom",
      "smash", "boxed", "fbox", "cancel", "bcancel", "xcancel", "sout", "mathllap", "mathrlap",
      "mathclap", "llap", "rlap", "clap", "raisebox", "rule", "kern", "mkern", "hspace", "mspace",
      "hskip", "mskip", "bra", "ket", "braket", "Bra", "Ket", "Braket", "tag", "TeX", "LaTeX",
      "color", "textcolor",
      "over", "atop", "choose", "nonumber", "notag", "intop", "allowbreak", "nobreak",
      "limits", "nolimits", "mathop",
      "mathbin", "mathrel", "mathord", "mathopen", "mathclose", "mathpunct", "mathinner",
    ])
    return all.filter { $0.unicodeScalars.allSatisfy(FormulaParser.isLetter) }.sorted()
  }()
}

extension MathNode {
  /// The only part of a group, recursively, or the node's own kind; `nil` for groups of any other
  /// size.
  var sole: Kind? {
    guard case .group(let nodes, _) = kind else { return kind }
    return nodes.count == 1 ? nodes[0].sole : nil
  }

  /// The class of the only part of a group; `nil` if it has none.
  var soleClass: AtomClass? {
    switch sole {
    case .symbol(_, let kind): kind
    case .largeOperator, .namedOperator: .operator
    case .group(_, let kind): kind
    default: nil
    }
  }
}
