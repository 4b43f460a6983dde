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
    switch word {
    case "sqrt":
      let degree = try option()
      let body = try argument(of: "\\sqrt", start)
      return node(.root(body, degree: degree), start)
    case "text", "textrm", "textnormal", "mbox": return try words(word, start)
    case "operatorname": return try operatorName(start)
    case "left": return try fenced(start)
    case "begin": return try environment(start)
    case "not": return try negated(start)
    case "substack": return try substack(start)
    case "pmod", "pod":
      let body = try argument(of: "\\\(word)", start)
      return node(.group(modulus(word, body: body, start: start), .ordinary), start)
    case "phantom": return node(.phantom(try argument(of: "\\phantom", start)), start)
    default: break
    }
    if let (height, kind) = MathSymbols.sizes[word] {
      guard let bracket = try bracket(after: "\\\(word)", start) else {
        return node(.nothing, start)
      }
      return node(.sizedBracket(bracket, height: height, kind), start)
    }
    throw unknown(word, start)
  }

  func node(_ kind: MathNode.Kind, _ start: Int) -> MathNode { MathNode(kind, range(from: start)) }

  /// Parses commands without arguments.
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
      return node(.space(space / 18, isScaled: true), start)
    }
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
      let space = node(.space(5.0 / 18, isScaled: true), start)
      return node(.group([space, node(.symbol(arrow, .relation), start), space], .relation), start)
    case "bmod":
      let mod = node(.words(letters("mod", start)), start)
      return node(.group([mod], .binary), start)
    case "colon": return node(.symbol(":", .punctuation), start)
    case "relax", "displaylimits", "/", "strut", "mathstrut": return node(.nothing, start)
    default: return nil
    }
  }

  /// Returns upright letters; a space becomes a thin space.
  func letters(_ text: String, _ start: Int) -> [MathNode] {
    text.unicodeScalars.map { scalar in
      scalar == " "
        ? node(.space(3.0 / 18, isScaled: true), start) : node(.symbol(scalar, .ordinary), start)
    }
  }

  private func modulus(_ word: String, body: MathNode, start: Int) -> [MathNode] {
    var nodes = [
      node(.space(8.0 / 18, isScaled: true), start), node(.symbol("(", .opening), start),
    ]
    if word == "pmod" {
      nodes.append(node(.words(letters("mod", start)), start))
      nodes.append(node(.space(6.0 / 18, isScaled: true), start))
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
    let upper = try argument(of: "\\\(word)", start)
    let lower = try argument(of: "\\\(word){…}", start)
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
    return node(.fraction(fraction), start)
  }

  /// Parses commands that change the alphabet or class of their argument.
  private mutating func classed(_ word: String, _ start: Int) throws(FormulaError) -> MathNode? {
    if let alphabet = MathSymbols.alphabets[word] {
      let body = try argument(of: "\\\(word)", start, in: alphabet)
      // A single letter is set as if written without the command.
      if case .group(let nodes, .ordinary) = body.kind, nodes.count == 1 {
        return MathNode(nodes[0].kind, range(from: start))
      }
      return MathNode(body.kind, range(from: start))
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

  /// Parses literal text in braces, including spaces.
  private mutating func words(_ word: String, _ start: Int) throws(FormulaError) -> MathNode {
    .init(.words(try rawLetters("\\\(word)", start)), range(from: start))
  }

  private mutating func rawLetters(_ name: String, _ start: Int) throws(FormulaError) -> [MathNode]
  {
    skipBlanks()
    guard next == "{" else {
      throw failure(from: start, to: index, "'\(name)' requires text in braces", "write \(name){…}")
    }
    let open = index
    index += 1
    var nodes: [MathNode] = []
    var level = 0
    while let scalar = next {
      let at = index
      index += 1
      switch scalar {
      case "{": level += 1
      case "}":
        if level == 0 { return nodes }
        level -= 1
      case "\\":
        guard let escaped = next, !FormulaParser.isLetter(escaped) else {
          _ = { index = at }()
          let command = self.command() ?? ""
          throw failure(
            from: at, to: index, "'\\\(command)' is not allowed in '\(name)'",
            "close the brace before it")
        }
        index += 1
        let scalar = escaped == "\\" || escaped == "," ? " " : escaped
        nodes.append(node(.symbol(scalar, .ordinary), at))
      case "$":
        throw failure(
          from: at, to: at + 1, "'$' is not allowed in '\(name)'", "close the brace before it")
      case "\n", "\t", "~": nodes.append(node(.symbol(" ", .ordinary), at))
      default: nodes.append(node(.symbol(scalar, .ordinary), at))
      }
    }
    throw failure(from: open, to: open + 1, "unclosed '{'", "expected '}'")
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
    "over": "write \\frac{…}{…}", "atop": "write \\binom{…}{…}", "choose": "write \\binom{…}{…}",
    "color": "use a paint on a part: part \"…\" { fill: red }",
    "textcolor": "use a paint on a part: part \"…\" { fill: red }",
    "label": "remove it", "tag": "write the number as a text", "nonumber": "remove it",
    "def": "write out the formula", "newcommand": "write out the formula",
    "hspace": "write \\, \\; \\quad or \\qquad", "kern": "write \\, \\; \\quad or \\qquad",
    "mskip": "write \\, \\; \\quad or \\qquad", "hline": "use \\overline or a line element",
    "rm": "write \\mathrm{…}", "bf": "write \\mathbf{…}", "it": "write \\mathit{…}",
    "cal": "write \\mathcal{…}", "textbf": "write \\mathbf{…}", "textit": "write \\mathit{…}",
    "emph": "write \\mathit{…}", "includegraphics": "use the element 'image'",
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
    all.formUnion([
      "frac", "dfrac", "tfrac", "cfrac", "binom", "dbinom", "tbinom", "sqrt", "text", "left",
      "right", "middle", "begin", "end", "not", "overline", "underline", "operatorname", "substack",
      "overset", "underset", "stackrel", "pmod", "bmod", "phantom", "limits", "nolimits", "mathop",
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

  /// The class of the only part of a group.
  var soleClass: AtomClass? {
    switch sole {
    case .symbol(_, let kind): kind
    case .largeOperator, .namedOperator: .operator
    case .group(_, let kind): kind
    default: nil
    }
  }
}
