// SPDX-License-Identifier: MIT
import SceneCairo
import SceneFiles
import SceneModel
import SceneTestSupport
import Testing

/// Tests that the pieces of highlighted code add up to the code and have the expected kinds.
@Suite("Code", .cpuBudget(seconds: 2)) struct CodeTests {
  private static func pieces(_ text: String, _ language: String) throws -> [CodePiece] {
    let path = Repository.path
    let assets = try #require(AssetFolder(root: path, folder: path, fonts: FontLibrary()))
    return try assets.pieces(of: text, in: try #require(CodeLanguage.named(language)))
  }

  /// Returns text such as "keyword:return" for each piece that is not plain, without surrounding
  /// white space.
  private static func kinds(_ text: String, _ language: String) throws -> [String] {
    try pieces(text, language).compactMap { piece in
      let words = piece.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return piece.kind == .plain ? nil : "\(piece.kind.rawValue):\(words)"
    }
  }

  /// Unusual lines in various languages.
  private static let odd = [
    "", "\n", "\n\n", "a", "é = \"ü\" # ∑ 👩‍👩‍👧\n$é", "\"open", "/* open\n  and on", "`a`$x${y}$(z)\\",
    "'\n'",
    "<a href=\"x\">&amp;</a>\r\n", "\u{0}nothing", "{-{-nested-}-}", "#{}", "\"\"\"\nopen", "[[[==",
    String(repeating: "(", count: 300), String(repeating: "a+b ", count: 2000),
  ]

  @Test(arguments: CodeLanguage.names)
  func noByteIsLost(_ language: String) throws {
    for text in Self.odd {
      let pieces = try Self.pieces(text, language)
      #expect(pieces.map(\.text).joined() == text, "\(language)")
      #expect(pieces.allSatisfy { !$0.text.isEmpty }, "\(language)")
    }
    let all = Self.odd.joined(separator: "\n")
    #expect(try Self.pieces(all, language).map(\.text).joined() == all)
  }

  @Test(arguments: [
    ("swift", "let x = 0x1F // why", ["keyword:let", "symbol:=", "number:0x1F", "comment:// why"]),
    ("swift", "func f(_ a: Int)", ["keyword:func", "function:f", "type:Int"]),
    ("swift", "@main \"a \\\" b\"", ["meta:@main", "string:\"a \\\" b\""]),
    ("swift", "/* a /* b */ c */ nil", ["comment:/* a /* b */ c */", "keyword:nil"]),
    ("swift", "\"\"\"\na\n\"\"\" + b", ["string:\"\"\"", "string:a", "symbol:+"]),
    ("kotlin", "fun f() = when", ["keyword:fun", "function:f", "symbol:=", "keyword:when"]),
    ("py", "async def f(): # x", ["keyword:async", "keyword:def", "function:f", "comment:# x"]),
    ("python", "@cache\nNone", ["meta:@cache", "number:None"]),
    ("ts", "let a: string", ["keyword:let", "type:string"]),
    ("js", "await `a ${b}`", ["keyword:await", "string:`a ${b}`"]),
    ("c++", "constexpr int n = 3;", ["keyword:constexpr", "type:int", "number:3"]),
    ("c", "#include <a.h>", ["meta:#include", "string:<a.h>"]),
    ("rust", "let v = vec![1];", ["keyword:let", "meta:vec!", "number:1"]),
    ("go", "var e error = nil", ["keyword:var", "type:error", "number:nil"]),
    ("java", "@Override public void f()", ["meta:@Override", "keyword:public", "type:void"]),
    ("c#", "async Task f()", ["keyword:async", "function:f"]),
    ("sql", "SELECT a FROM b", ["keyword:SELECT", "keyword:FROM"]),
    ("bash", "echo $HOME # x", ["variable:$HOME", "comment:# x"]),
    ("html", "<p class=\"a\">b</p>", ["string:\"a\""]),
    ("css", ".a { color: red }", ["type:.a"]),
    ("json", "{\"a\": 1}", ["number:1"]),
    ("yaml", "key: true # x", ["variable:key", "keyword:true", "comment:# x"]),
    ("toml", "[part]\na = 'b'", ["meta:[part]", "variable:a", "string:'b'"]),
    ("scene", "circle { radius: 40px }", ["variable:radius", "number:40px"]),
    ("plain", "let x = 1", []),
  ])
  func wordsHaveTheirKinds(_ language: String, _ text: String, _ expected: [String]) throws {
    let found = try Self.kinds(text, language)
    for piece in expected { #expect(found.contains(piece), "\(language): \(found)") }
    if expected.isEmpty { #expect(found.isEmpty) }
  }

  /// Highlighting the largest allowed text, with lines of the maximum length, takes limited time.
  @Test(arguments: ["swift", "python", "cpp", "scala", "html", "sh", "latex"])
  func nothingTakesLong(_ language: String) throws {
    for unit in ["(a.b)\"", "x1 ", "\\\"'`", "{[(/*"] {
      let line = String(repeating: unit, count: 250 / unit.utf8.count)
      let text = String(repeating: line + "\n", count: 39)
      let time = try threadSeconds { _ = try Self.pieces(text, language) }
      #expect(time < 10, "\(language) \(unit): \(time)")
    }
  }
}
