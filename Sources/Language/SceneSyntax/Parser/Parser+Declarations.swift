// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

extension Parser {
  mutating func file() {
    let start = mark
    while !isAtEnd {
      if take(.semicolon) || take(.newline) { continue }
      let before = span.start
      errorsBefore = diagnostics.count
      declaration()
      endOfItem()
      if span.start == before, !isAtEnd {
        if kind == .rightBrace, !followsMisplacedItem {
          expected("a declaration", label: "unmatched '}'")
        }
        followsMisplacedItem = false
        advance()
      }
    }
    finish(.file, start)
    // The file node includes the trailing trivia.
    if nodes.last?.kind != .file { return }
  }

  /// Whether a declaration that is only allowed at file level begins here.
  var beginsDeclaration: Bool {
    let word = tokenText()
    // A scene or project is an element; the checker verifies its position.
    return word != "scene" && word != "project"
      && Parser.startsDeclaration(word, [kind(ahead: 1), kind(ahead: 2)])
  }

  /// Parses a declaration inside a body normally, and reports it.
  mutating func misplacedDeclaration() {
    let word = tokenText()
    let article = ["edition", "import", "effect"].contains(word) ? "an" : "a"
    report(
      Diagnostic(
        .misplacedDeclaration,
        "\(article) \(word == "fn" ? "function" : word) declaration is not allowed here",
        at: span, label: "move it to the top level of the file, outside all '{ }'"))
    declaration()
  }

  private mutating func declaration() {
    if kind == .letWord { return letDeclaration() }
    guard kind == .identifier else {
      if kind == .dot, kind(ahead: 1) == .identifier {
        report(classSelector())
        return skipItem()
      }
      if !followsMisplacedItem { expected("a declaration such as 'scene', 'let' or 'param'") }
      return skipItem()
    }
    if declaration(called: tokenText()) { followsMisplacedItem = false } else { misplacedItem() }
  }

  /// Parses a declaration by its keyword, which may differ from the word in the source. Returns
  /// `false` if `word` is not a declaration keyword.
  private mutating func declaration(called word: String) -> Bool {
    switch word {
    case "edition": editionDeclaration()
    case "package": reservedDeclaration()
    case "import": importDeclaration()
    case "param": paramDeclaration()
    case "fn": fnDeclaration()
    case "component":
      withParameters(.componentDecl, parametersRequired: true) { $0.bodyOrError(of: .element) }
    case "style":
      withParameters(.styleDecl, parametersRequired: nil) { $0.bodyOrError(of: .element) }
    case "effect":
      withParameters(.effectDecl, parametersRequired: false) { $0.bodyOrError(of: .element) }
    case "transition":
      withParameters(.transitionDecl, parametersRequired: false) { $0.bodyOrError(of: .element) }
    case "filter":
      withParameters(.filterDecl, parametersRequired: false) { $0.bodyOrError(of: .element) }
    case "paint":
      withParameters(.paintDecl, parametersRequired: false) { $0.bodyOrError(of: .element) }
    case "let": letDeclaration()
    case "scene", "project": sceneOrProject()
    default: return false
    }
    return true
  }

  private mutating func sceneOrProject() {
    let start = mark
    let qualified = mark
    let mayHaveName = tokenText() == "scene"
    leaf(.name)
    finish(.qualifiedName, qualified)
    if mayHaveName, kind == .identifier { leaf(.name) }
    bodyOrError(of: .element)
    finish(.element, start)
  }

  /// Parses an element or property at file level normally, and reports where it belongs.
  private mutating func misplacedItem() {
    if beginsProse { return prose() }
    let known = SyntaxTree.declarationWords
    let word = tokenText()
    let at = span
    if Parser.otherLoops.contains(word), kind(ahead: 1) != .colon {
      report(
        Diagnostic(.unexpectedToken, "unknown declaration '\(word)'", at: at)
          .advising("write a loop with 'for', inside a scene: scene { for i in 0..10 { … } }"))
      return skipItem()
    }
    let isLone = [.newline, .endOfFile].contains(kind(ahead: 1))
    if isLone, let meant = nearest(word, in: known) {
      report(
        Diagnostic(.unexpectedToken, "unknown declaration '\(word)'", at: at)
          .advising("did you mean '\(meant)'?"))
      return skipItem()
    }
    let diagnostic = Diagnostic(
      .misplacedDeclaration, "'\(word)' must be inside a scene", at: at,
      label:
        "the top level of a file contains only declarations, such as 'scene', 'let' and 'component'"
    )
    if let meant = Parser.otherDeclarations[word], kind(ahead: 1) != .colon {
      report(
        Diagnostic(.unexpectedToken, "unknown declaration '\(word)'", at: at)
          .suggesting(meant, isSafe: true))
      _ = declaration(called: meant)
      return
    }
    if nearest(word, in: known) != nil {
      report(diagnostic.suggesting(nearestTo: word, in: known))
    } else if !followsMisplacedItem {
      report(diagnostic.advising("move it into 'scene { … }'"))
      followsMisplacedItem = true
    }
    if kind(ahead: 1) == .colon {
      property()
    } else if kind(ahead: 2) == .equal {
      skipItem()
    } else if kind(ahead: 1) == .identifier || kind(ahead: 1) == .leftBrace
      || kind(ahead: 1) == .stringStart
    {
      element()
    } else {
      skipItem()
    }
  }

  /// Declaration keywords of other languages, with their equivalents.
  private static let otherDeclarations = [
    "include": "import", "use": "import", "require": "import",
    "const": "let", "var": "let", "val": "let", "function": "fn", "func": "fn",
    "fun": "fn", "def": "fn", "class": "style", "define": "component", "symbol": "component",
    "template": "component", "widget": "component", "macro": "component", "props": "param",
    "input": "param", "shader": "filter", "composition": "scene", "movie": "scene", "film": "scene",
  ]

  private mutating func editionDeclaration() {
    let start = mark
    let isFirst = nodes.isEmpty
    let at = span
    advance()
    guard kind == .number else {
      expected("the number of an edition, such as 1")
      return finish(.editionDecl, start)
    }
    if !isFirst {
      report(
        Diagnostic(
          .misplacedDeclaration, "an edition is not allowed here", at: at,
          label: "move it above all other declarations"))
    } else if tokenText() != "1" {
      report(
        Diagnostic(
          .outOfRange, "unknown edition '\(tokenText())'", at: span,
          label: "this version of scenec supports edition 1"))
    }
    leaf(.number)
    finish(.editionDecl, start)
  }

  private mutating func reservedDeclaration() {
    report(
      Diagnostic(
        .unexpectedToken, "'package' is reserved", at: span, label: "packages are not supported yet"
      ))
    skipItem()
  }

  private mutating func importDeclaration() {
    let start = mark
    advance()
    if kind == .stringStart {
      string()
      // Reports imports that list names, as in `import "a.scene" { Card }`, with braces or
      // parentheses.
      if kind == .leftBrace || kind == .leftParen { someNames() }
    } else if isFollowedByFile {
      someNames()
    } else {
      expected("a file name in quotes")
    }
    if isWord("as") {
      advance()
      name("after 'as'")
    }
    finish(.importDecl, start)
  }

  /// Whether a string follows on the same line, as in `import Card, tone from "a.scene"`.
  private var isFollowedByFile: Bool {
    var ahead = 0
    while !endsImport(kind(ahead: ahead)) {
      if kind(ahead: ahead) == .stringStart { return true }
      ahead += 1
    }
    return false
  }

  private func endsImport(_ kind: TokenKind) -> Bool {
    [.newline, .semicolon, .endOfFile].contains(kind)
  }

  /// Reports an import that lists names, and skips to its end.
  private mutating func someNames() {
    report(
      Diagnostic(
        .unexpectedToken, "an import cannot list names", at: span,
        label: "import \"…\" makes all public names of the file available"
      ).advising(
        "import the whole file: import \"brand.scene\"; with 'as brand' its names become brand.name"
      ))
    while !endsImport(kind) { advance() }
  }

  private mutating func paramDeclaration() {
    let start = mark
    advance()
    name("after 'param'")
    if expect(.colon, "and a type after the name") { type() }
    if kind == .equal { initializer() }
    if kind == .inWord {
      let bound = mark
      advance()
      conditional()
      finish(.bound, bound)
    }
    finish(.paramDecl, start)
  }

  mutating func letDeclaration() {
    let start = mark
    advance()
    name("after 'let'")
    if take(.colon) { type() }
    if kind == .equal {
      initializer()
    } else {
      expected("'=' and a value")
      skipItem()
    }
    finish(.letDecl, start)
  }

  mutating func initializer() {
    let start = mark
    advance()
    expression()
    finish(.initializer, start)
  }

  private mutating func fnDeclaration() {
    let start = mark
    advance()
    let head = span
    let word = tokenText()
    name("after 'fn'")
    let countBefore = diagnostics.count
    let parameters = parameterList(typesRequired: false)
    let isUntyped = parameters.contains { !$0.isTyped } || kind == .equal
    // The message is created while `foreignBody` modifies the parser.
    let source = source
    func meant(_ resultSpan: SourceSpan? = nil) -> String {
      let result = resultSpan.map(source.text) ?? "number"
      let list = parameters.map { source.text($0.span) + ($0.isTyped ? "" : ": number") }
      return "\(word)(\(list.joined(separator: ", "))) -> \(result)"
    }
    if foreignBody(of: meant()) { return finish(.fnDecl, start) }
    var result: SourceSpan?
    if isUntyped, diagnostics.count == countBefore {
      report(
        Diagnostic(
          .unexpectedToken, "a function must declare the types of its parameters and of its result",
          at: head
        ).advising("write fn \(meant(result)) = …"))
      if take(.arrow) { type() }
    } else if expect(.arrow, "and the type of the result") {
      let first = span.start
      type()
      result = source.span(first, max(first, lastSpan.end))
    }
    if kind == .equal {
      initializer()
    } else if !foreignBody(of: meant(result)) {
      expected("'=' and the value of the function")
    }
    finish(.fnDecl, start)
  }

  /// Parses `word name [parameters] rest`. Parameters are not allowed if `parametersRequired` is
  /// `nil`.
  private mutating func withParameters(
    _ kind: SyntaxKind, parametersRequired: Bool?, _ rest: (inout Parser) -> Void
  ) {
    let start = mark
    let word = tokenText()
    advance()
    name("after '\(word)'")
    if let required = parametersRequired {
      if self.kind == .leftParen {
        parameterList()
      } else if required {
        expected("'(' and the parameters of the component")
      }
    }
    rest(&self)
    finish(kind, start)
  }

  /// Returns the span of each parameter without its default, and whether the parameter has a type.
  @discardableResult
  mutating func parameterList(typesRequired: Bool = true) -> [(span: SourceSpan, isTyped: Bool)] {
    let start = mark
    var parameters: [(span: SourceSpan, isTyped: Bool)] = []
    let open = span
    guard expect(.leftParen, "and the parameters") else {
      finish(.parameterList, start)
      return []
    }
    within(brackets: true) { parser in
      parser.items(until: .rightParen) { parser in
        let parameter = parser.mark
        let first = parser.span.start
        guard parser.name("of a parameter") else { return }
        let isTyped = parser.kind == .colon
        if typesRequired || isTyped {
          if parser.expect(.colon, "and the type of the parameter") { parser.type() }
        }
        parameters.append((parser.source.span(first, parser.lastSpan.end), isTyped))
        if parser.kind == .equal { parser.initializer() }
        parser.finish(.parameter, parameter)
      }
      parser.closing(.rightParen, open)
    }
    finish(.parameterList, start)
    return parameters
  }

  mutating func type() {
    let start = mark
    let isFunction = isWord("fn") && kind(ahead: 1) == .leftParen
    if name("of a type", article: "the") {
      if isFunction {
        functionType()
      } else if take(.less) {
        within(brackets: true) { $0.nested { $0.type() } }
        takeTypeEnd()
      } else {
        while take(.bar) { if !name("after '|'") { break } }
      }
    }
    finish(.type, start)
  }

  /// Parses the types of a function type after `fn`: `(number, text) -> color`.
  private mutating func functionType() {
    let start = mark
    advance()
    within(brackets: true) { parser in
      parser.items(until: .rightParen) { parser in parser.nested { $0.type() } }
      parser.closing(.rightParen)
    }
    finish(.parameterList, start)
    if expect(.arrow, "and the type of the result") { nested { $0.type() } }
  }

  /// Parses a name in a declaration or reference, or reports the unexpected token. Returns whether
  /// a token was consumed.
  @discardableResult
  mutating func name(_ why: String, article: String = "a", label: String = "") -> Bool {
    if kind == .identifier {
      leaf(.name)
      rejectDigitPart()
      return true
    }
    if kind.isReservedWord {
      report(
        Diagnostic(
          .unexpectedToken,
          "expected \(article) name \(why), found the reserved word '\(tokenText())'",
          at: span,
          label: "'\(tokenText())' cannot be used as a name"))
      leaf(.error)
      return true
    }
    expected("\(article) name \(why)", label: label)
    return false
  }
}
