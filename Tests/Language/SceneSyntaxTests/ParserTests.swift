// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

@Suite("Parser", .cpuBudget(seconds: 2)) struct ParserTests {
  private func messages(_ text: String) -> [String] {
    parse(SourceFile(name: "x", text: text)).diagnostics.map { "\($0.code.rawValue) \($0.message)" }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let source: String
    let expected: [String]

    init(_ source: String, _ expected: String...) {
      self.source = source
      self.expected = expected
    }

    var testDescription: String { source }
  }

  @Test(arguments: [
    Row("scene { for: 1s }"),
    Row("scene {\n  a: 1\n    -> 2\n    over 1s\n}"),
    Row("scene { for x in 0..3 { rect { } } }"),
    Row("scene { for x, i in xs if i > 1 for y in x { rect { } } }"),
    Row("scene { for x in xs if { rect { } } }", "E0109 expected a value, found '{'"),
    Row("scene { if a { } \n else if b { } else { } }"),
    Row("scene { a: [for x in xs if x > 1: x * 2];  b: row[\"k\"] }"),
    Row("scene { path { move (0, 0);  line by (1, 0);  line: 3;  close } }"),
    Row("scene { a: \"one {x ? \"two\" : \"three\"} four\" }"),
    Row("scene { a: 1 + }", "E0109 expected a value, found '}'"),
    Row("scene { rect {", "E0110 unclosed '{'"),
    Row("scene { a: 1 b: 2 }", "E0113 expected ';' or a new line before 'b'"),
    Row("scene { a: 0 < 1 < 2 }", "E0112 comparisons cannot be chained"),
    Row(
      "scene { a: keyframes { 0s: 1 -> 2 } }",
      "E0114 a tween as the value of a keyframe must be in parentheses"),
    Row("scene\n{ }", "E0111 '{' is on a line of its own"),
    Row("scene { a: #ggg }", "E0108 invalid color"),
    Row("scene { a: 3em }", "E0107 unknown unit 'em'"),
    Row("scene { a: \"x }", "E0103 unterminated text, missing closing quote"),
    Row("scene { a: \"\\q\" }", "E0104 unknown escape '\\q'"),
    Row("rect { }", "E0213 'rect' must be inside a scene"),
    Row("scene { f(3) }", "E0109 a call cannot be an item of a body"),
    Row("let for = 3", "E0109 expected a name after 'let', found the reserved word 'for'"),
    Row("scene { path { curve (1, 2), (3, 4) } }", "E0109 'curve' requires 3 points, found 2"),
    Row("scene { a: (1, 2, 3) }", "E0109 a pair must have two values, found 3"),
    Row("scene { a = 3 }", "E0113 expected ';' or a new line before '='"),
    Row("scene { a: 1 = 2 }", "E0109 '=' cannot compare values"),
    Row("scene a {\n  rect {\nscene b { }", "E0110 unclosed '{'"),
    Row(
      "scene a {\nlet b = 1\nscene c {", "E0110 unclosed '{'",
      "E0110 unclosed '{'"),
    Row("scene a { x: (1,\nstyle b { }", "E0110 unclosed bracket"),
    Row("scene a { x: keyframes { 0s: 1;\nfn b() -> number = 1", "E0110 unclosed '{'"),
    Row("let a = [1,\nlet b = 2", "E0110 unclosed bracket"),
    Row("scene a {\n  let\n    b = 3\n  for // each\n    c in d { }\n}"),
    // A line that is cut short has one error.
    Row("scene a { x:\ncomponent b() { }", "E0109 expected a value, found 'component'"),
    Row("scene a {\n  b\n    c: 1\n  }\n  d { }\n}", "E0109 expected '{' at the end of the line"),
    Row("scene a {\n  b { c: 1\n  d { }\n}", "E0110 unclosed '{'"),
    Row("scene a {\n  b { c: f(1, 2\n  d { }\n}", "E0110 unclosed bracket"),
    Row(
      "scene a {\n  b: f\n    1,\n    2\n  )\n  d { }\n}",
      "E0109 expected '(' at the end of the line"),
    Row("component a(b: number,\n  c: 1\n}\nscene d { }", "E0110 unclosed bracket"),
    Row(
      "scene a {\n  for i in\n    b { }\n  }\n  d { }\n}",
      "E0109 expected a value, found the end of the line"),
    Row("scene a { b: [f(1, g(2)]; c: 3 }\n", "E0110 unclosed bracket"),
    Row("scene a {\n]b { }\n}", "E0109 unmatched ']'"),
    Row("import \"b.scene\")\nscene a { }", "E0109 unmatched ')'"),
    Row("scene a {\n  b: {1\n  c { }\n}", "E0109 expected a value, found '{'"),
    Row(
      "scene a {\n  if b {\n    c { }\n   else {\n    d { }\n  }\n}", "E0110 unclosed '{'"),
    Row("scene a { if b { c { } else { d { } } }", "E0110 unclosed '{'"),
    Row(
      "component a(\n  b: color = f(1, 2,\n  c: number = 3,\n  d: text,\n) { }",
      "E0110 unclosed bracket"),
    Row(
      "component a(\n  b: color =\n  c: number = 3,\n  d: text,\n) { }",
      "E0109 expected a value after '='"),
    Row(
      "component a(b: text c: color, d: text) { }", "E0109 expected ',' or ')', found 'c'"),
    Row(
      "scene a {\n  b: shadow(\n    c:\n    d: 3\n  )\n}", "E0109 expected a value after ':'"),
    Row(
      "scene a {\n  b: f(\n    g(1,\n    g(2),\n    c: 3\n  )\n}", "E0110 unclosed bracket"),
    Row(
      "scene a {\n  let b = [\n    (c: 1, d: ),\n    (c: 1 d: 2),\n  ]\n}",
      "E0109 expected a value, found ')'", "E0109 expected ',' or ')', found 'd'"),
    Row("scene a { b: [1 2, 3 4, 5 6]; c: 1 }", "E0109 expected ',' or ']', found a number"),
    // Values on the next line.
    Row("scene a {\n  b:\n    c\n  d { }\n  e:\n    f\n  g \"x\"\n}"),
    Row("scene a { b: keyframes { 0s: 0;  end -\n0.5s: 1 } }"),
    Row("scene a { b: c ? d ? keyframes { 0s: 0; 1s: 1 } :\n1 : 0.5 }"),
    Row(
      "scene a {\n  b: c ? d : e\n  f:\n  g: 3\n}",
      "E0109 expected a value, found the end of the line"),
    // The indentation of a file can be misleading.
    Row("    scene a {\n  b: 1\n  c { \n  d { }\n    }", "E0110 unclosed '{'"),
    Row("scene a {\ncomponent b() { }\n}", "E0213 a component declaration is not allowed here"),
    Row("scene a {\nlet b = 1\nstyle: c\n}"),
    Row("}", "E0109 expected a declaration such as 'scene', 'let' or 'param', found '}'"),
  ])
  func diagnoses(_ row: Row) { #expect(messages(row.source) == row.expected) }

  @Test(arguments: ["1", " #fff\n", "(1, 2)", "-3px", "1 +\n2", "\"a\"", "f(1)", "fn(x) = x"])
  func aValueIsParsed(_ text: String) {
    let value = parseValue(SourceFile(name: "x", text: text))
    let expected = text.drop { $0 == " " }.prefix { $0 != "\n" || !text.hasSuffix("\n") }
    #expect(value.map { SourceFile(name: "x", text: text).text($0.span) } == String(expected))
  }

  @Test(arguments: ["", "1; a { }", "1\nlet b = 2", "1 2", "a: 1", "(1", "}", "\"a"])
  func anythingElseIsNoValue(_ text: String) {
    #expect(parseValue(SourceFile(name: "x", text: text)) == nil)
  }

  /// Declarations after one with an unclosed brace are parsed as if the brace were closed.
  @Test func anOpenBraceCostsOneDeclaration() {
    let rest = "let x = 1\nimport \"a.scene\"\nparam p: text\nscene c { for: 1s }\n"
    let broken = "scene a {\n  rect { fill: red\n  text \"b\" { \n" + rest
    let tree = parse(SourceFile(name: "x", text: broken)).tree
    let whole = parse(SourceFile(name: "x", text: rest)).tree
    let kinds = { (tree: SyntaxTree) in tree.children(of: tree.root).map { tree.nodes[$0].kind } }
    #expect(kinds(tree) == [.element] + kinds(whole))
    #expect(tree.text == Array(broken.utf8))
  }

  @Test func everyPrefixAndEveryGapIsParsed() throws {
    let files = Repository.files(in: "Examples", ending: ".scene")
    #expect(files.count >= 8)
    for (index, file) in files.enumerated() {
      let bytes = try Repository.bytes(file)
      let step = max(1, bytes.count / (Soak.isRunning ? 150 : 24))
      // Each file is cut at other places.
      for end in stride(from: index % step, to: bytes.count, by: step) {
        let prefix = Array(bytes[..<end])
        #expect(parse(SourceFile(id: FileID(0), name: file, bytes: prefix)).tree.text == prefix)
        let gap = prefix + bytes[min(bytes.count, end + 3)...]
        #expect(parse(SourceFile(id: FileID(0), name: file, bytes: gap)).tree.text == gap)
      }
    }
  }

  @Test(arguments: ["(", "[", "{ a: (", "-", "not ", "a ? ", "\"{"])
  func deepNestingEnds(_ piece: String) {
    for depth in [10, 250, 300, 20_000] {
      let text = "scene { a: " + String(repeating: piece, count: depth) + " }"
      let parsed = parse(SourceFile(name: "x", text: text))
      #expect(!parsed.diagnostics.isEmpty)
      #expect(parsed.tree.text == Array(text.utf8))
    }
  }

  @Test func naughtyStringsAreTold() throws {
    for row in try ConformanceTable("text/naughty-strings.tsv").rows {
      guard let text = row["string"] ?? row.values.max(by: { $0.count < $1.count }) else {
        continue
      }
      let source = "scene { for: 1s;  text \"\(text)\" { \(text) } }"
      #expect(parse(SourceFile(name: "x", text: source)).tree.text == Array(source.utf8))
      let printed = DiagnosticPrinter(
        files: [SourceFile(name: text, text: source)], colored: false
      ).print(checked(source).diagnostics)
      let hasControl = printed.unicodeScalars.contains { $0.value < 32 && $0 != "\n" }
      #expect(!hasControl, "\(text)")
    }
  }

  @Test func blocksLoseTheirIndentation() throws {
    let source = "scene { for: 1s\n text \"\"\"\n      one {1 + 1}\n        two\n      \"\"\"\n}"
    let drawn = try #require(program(source))
    #expect("\(drawn)".contains("\"one 2\\n  two\""))
  }
}
