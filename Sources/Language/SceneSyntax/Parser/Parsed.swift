// SPDX-License-Identifier: MIT
package import SceneDiagnostics
package import SceneText

/// The syntax tree of a file, and its syntax errors.
package struct Parsed: Hashable, Sendable {
  package let tree: SyntaxTree
  package let diagnostics: [Diagnostic]
}

/// Parses a text that contains a single value, such as `#ff8a3d` or `(1, 2)`. Returns `nil` if it
/// contains a syntax error or anything else.
package func parseValue(_ file: SourceFile) -> Expression? {
  guard file.firstInvalidUTF8() == nil else { return nil }
  var lexer = Lexer(file)
  lexer.run()
  var parser = Parser(file: file, tokens: lexer.tokens)
  parser.value()
  guard lexer.diagnostics.isEmpty, parser.errors.isEmpty else { return nil }
  let tree = SyntaxTree(file: file, tokens: lexer.tokens, nodes: parser.nodes)
  return tree.children(of: tree.root).first.map(tree.expression)
}

/// Parses a whole file. Parsing never fails: syntax errors become `error` nodes and diagnostics.
///
/// The time is linear in the length of the file. `nestingLimit` bounds the nesting and
/// `heightLimit` the height of the tree, so that recursion over the tree cannot overflow the stack.
package func parse(_ file: SourceFile) -> Parsed {
  if let offset = file.firstInvalidUTF8() {
    let tree = SyntaxTree(
      file: file, tokens: [Token(.unknown, 0), Token(.endOfFile, file.bytes.count)],
      nodes: [.init(kind: .file, firstToken: 0, endToken: 0, size: 1)])
    let byte = "0x" + String(file.bytes[offset], radix: 16, uppercase: true)
    let diagnostic = Diagnostic(
      .invalidUTF8,
      "the file is not valid UTF-8: unexpected byte \(byte) at position \(offset + 1)",
      at: file.span(offset, offset + 1), label: "save the file as UTF-8")
    return Parsed(tree: tree, diagnostics: [diagnostic])
  }
  var lexer = Lexer(file)
  lexer.run()
  var parser = Parser(file: file, tokens: lexer.tokens)
  parser.file()
  if parser.hasCorrectedBrackets {
    // The indentation may be misleading.
    var other = Parser(file: file, tokens: lexer.tokens, correctsBrackets: false)
    other.file()
    if other.errors.count < parser.errors.count { parser = other }
  }
  let tree = SyntaxTree(file: file, tokens: lexer.tokens, nodes: parser.nodes)
  let lexerErrors = lexer.diagnostics.filter {
    !parser.proseLines.contains(file.lineIndex(at: $0.span.start))
  }
  return Parsed(
    tree: tree, diagnostics: (lexerErrors + parser.errors.filter(isOwnError)).sortedByPlace())

  /// Returns whether an error of the parser is independent of the lexer's errors.
  func isOwnError(_ diagnostic: Diagnostic) -> Bool {
    let line = file.lineIndex(at: diagnostic.span.start)
    return !lexerErrors.contains { error in
      if diagnostic.code == .unclosedBracket, error.code == .unterminatedString { return true }
      return file.lineIndex(at: error.span.start) == line && error.code != .invalidNumber
    }
  }
}
