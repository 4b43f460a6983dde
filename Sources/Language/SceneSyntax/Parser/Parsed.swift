// SPDX-License-Identifier: MIT
package import SceneDiagnostics
package import SceneText

/// The syntax tree of a file, and its syntax errors.
package struct Parsed: Hashable, Sendable {
  package let tree: SyntaxTree
  package let diagnostics: [Diagnostic]
}

/// Parses a whole file. Parsing never fails: syntax errors become `error` nodes and diagnostics.
///
/// Linear in the length of the file. `nestingLimit` bounds the nesting and `heightLimit` the height
/// of the tree, so that recursion over the tree cannot overflow the stack.
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
  let tree = SyntaxTree(file: file, tokens: lexer.tokens, nodes: parser.nodes)
  return Parsed(
    tree: tree,
    diagnostics: (lexer.diagnostics + parser.diagnostics.filter(isOwnError)).sortedByPlace())

  /// Returns whether an error of the parser is independent of the lexer's errors.
  func isOwnError(_ diagnostic: Diagnostic) -> Bool {
    let line = file.lineIndex(at: diagnostic.span.start)
    return !lexer.diagnostics.contains { diagnostic in
      if diagnostic.code == .unclosedBracket, diagnostic.code == .unterminatedString { return true }
      return file.lineIndex(at: diagnostic.span.start) == line && diagnostic.code != .invalidNumber
    }
  }
}
