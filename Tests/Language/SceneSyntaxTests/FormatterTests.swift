// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Formatting preserves the meaning of a file.
@Suite("Formatter", .cpuBudget(seconds: 2)) struct FormatterTests {
  @Test func layout() {
    let cases: [(String, String)] = [
      ("scene{for:2s;text\"Hello\"}", "scene { for: 2s;  text \"Hello\" }\n"),
      (
        "let a=-1+2*( 3 -4 )\n\n\n\nlet b = [ 1,2 ]", "let a = -1 + 2 * (3 - 4)\n\nlet b = [1, 2]\n"
      ),
      ("scene {\n\n  for : 2s ;\n  circle{ }\n\n}", "scene {\n    for: 2s\n    circle {}\n}\n"),
      (
        "scene { // why\nfor: 1s // so\n/* c */ rect { } }",
        "scene {  // why\n    for: 1s  // so\n    /* c */ rect {}\n}\n"
      ),
      (
        "scene { x: a ? b : c; y: 0 .. 12; z: 0%..50%\n w: 1\n  -> 2 over 1s }",
        "scene {\n    x: a ? b : c;  y: 0..12;  z: 0% .. 50%\n    w: 1\n        -> 2 over 1s\n}\n"
      ),
      (
        "fn f(a:number,b:list < number >)->number=a*b[ 0 ] . x",
        "fn f(a: number, b: list<number>) -> number = a * b[0].x\n"
      ),
      (
        "scene {\n path { move(0,0)\n curve by(1,2),(3,4),(5,6)\n }\n}",
        "scene {\n    path {\n        move (0, 0)\n        curve by (1, 2), (3, 4), (5, 6)\n    }\n}\n"
      ),
      (
        "scene { x: keyframes{0s:1;1s:2 with hold}; if a{b{}}else{c{}} }",
        "scene { x: keyframes { 0s: 1;  1s: 2 with hold };  if a { b {} } else { c {} } }\n"
      ),
    ]
    for (source, wanted) in cases { #expect(checkFormat(source, "layout") == wanted) }
  }

  /// A file with other line endings has the same tokens and errors. The formatter writes `\n`.
  @Test(arguments: ["\r", "\r\n"]) func lineEndings(_ ending: String) {
    let text = """
      // A comment.
      scene {  // why
          for: 1s
          /* one
          two */ rect {}
          text \"""
              first
                second
              \""" {}
      }

      """
    let other = text.replacing("\n", with: ending)
    #expect(parse(SourceFile(name: "x", text: other)).diagnostics.isEmpty)
    #expect(checkFormat(other, "endings") == text)
    for broken in ["text \"a", "math $a", "text \"{1", "rect { size: 1 "] {
      let source = "scene {\n for: 1s\n \(broken)\n circle {}\n}\n"
      func codes(_ source: String) -> [String] {
        let file = SourceFile(name: "x", text: source)
        return parse(file).diagnostics.map { "\($0.code) \(file.position(at: $0.span.start))" }
      }
      #expect(codes(source.replacing("\n", with: ending)) == codes(source), "\(broken)")
    }
  }

  @Test func longLinesAreBroken() {
    let list = (0..<40).map { "item\($0)" }.joined(separator: ", ")
    let text = checkFormat("let list = [\(list)]", "list")
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(text.hasPrefix("let list = [\n    item0, item1, item2,"))
    #expect(text.split(separator: "\n").count == 6)
    let items = (0..<20).map { "p\($0): \($0)" }.joined(separator: "; ")
    #expect(checkFormat("scene { \(items) }", "items").hasPrefix("scene {\n    p0: 0\n    p1: 1\n"))
  }

  @Test func longExpressionsAreBrokenAtTheirOperators() {
    let name = "a-long-name-of-a-value"
    let cases: [(String, String)] = [
      (
        "let total = \(name) * 3 + \(name) * 4 + \(name) * 5 + took(p, i) * 6 + \(name)",
        "let total = \(name) * 3 + \(name) * 4 + \(name) * 5\n    + took(p, i) * 6 + \(name)\n"
      ),
      (
        "scene { for v, k in values { circle { radius: v } rect { size: \(name) } rect { size: \(name) } } }",
        """
        scene {
            for v, k in values {
                circle { radius: v }
                rect { size: \(name) }
                rect { size: \(name) }
            }
        }

        """
      ),
      (
        "scene { path { curve (1111, 2222), (3333, 4444), (5555, 6666); curve (1111, 2222), (3333, 4444), (5555, 6666) } }",
        """
        scene {
            path {
                curve (1111, 2222), (3333, 4444), (5555, 6666)
                curve (1111, 2222), (3333, 4444), (5555, 6666)
            }
        }

        """
      ),
      (
        "let sums = [for x, i in \(name): \(name) * x + \(name) * i + \(name)]",
        "let sums = [for x, i in \(name):\n        \(name) * x + \(name) * i + \(name)]\n"
      ),
      (
        "let a = -8 .. 9\nlet b = -8 .. -3\nlet c = [for i in -n .. n: i]\nlet d = -50% .. 50%",
        "let a = -8..9\nlet b = -8..-3\nlet c = [for i in -n..n: i]\nlet d = -50% .. 50%\n"
      ),
      (
        "let y = [for i in 0 .. count: i]\nlet z = 0 .. count\nlet w = [for i in a.first .. len(a): i]",
        "let y = [for i in 0..count: i]\nlet z = 0 .. count\nlet w = [for i in a.first..len(a): i]\n"
      ),
      (
        "scene { opacity: \(name) -> \(name) over \(name) after \(name) }",
        """
        scene {
            opacity: \(name)
                -> \(name) over \(name) after \(name)
        }

        """
      ),
      (
        "scene { circle { trim: (0% -> 100% over 2s with ease-in-out after 0.5s) .. (10% -> 110% over 2s with ease-in-out after 0.2s) } }",
        """
        scene {
            circle {
                trim: (0% -> 100% over 2s with ease-in-out after 0.5s)
                    .. (10% -> 110% over 2s with ease-in-out after 0.2s)
            }
        }

        """
      ),
      ("scene { a { } b { } for i in c { } d: 1 }", "scene { a {}  b {}  for i in c {}  d: 1 }\n"),
    ]
    for (source, wanted) in cases { #expect(checkFormat(source, "operators") == wanted) }
  }

  @Test func wrongFilesAreLeftAlone() {
    #expect(format(parsed("scene {")) == nil)
  }

  @Test func examplesKeepTheirMeaning() throws {
    let files =
      Repository.files(in: "Examples", ending: ".scene")
      + Repository.files(in: "Sources/Language/SceneLibrary/std", ending: ".scene")
    for file in files {
      let source = try Repository.text(file)
      #expect(checkFormat(source, file) == source, "\(file) is not in canonical form")
    }
    for page in Repository.files(in: "Grammar", ending: ".md") {
      for block in try Repository.text(page).split(separator: "```scene\n").dropFirst() {
        let code = String(block.split(separator: "\n```")[0])
        checkFormat(parsed(code).diagnostics.isEmpty ? code : "scene {\n\(code)\n}", page)
      }
    }
  }
}

private func parsed(_ source: String) -> Parsed {
  parse(SourceFile(name: "test.scene", text: source))
}

/// Returns the tokens and nodes of a file, without white space, comments and separators.
private func meaning(_ tree: SyntaxTree) -> String {
  let tokens = tree.tokens.indices.filter {
    !tree.tokens[$0].kind.isTrivia && tree.tokens[$0].kind != .semicolon
  }.map { withNewlines(tree.text(ofToken: $0)) }
  let kinds = tree.nodes.map { "\($0.kind)" }
  return (tokens + kinds).joined(separator: "\n")
}

/// Replaces every line ending with `\n`.
private func withNewlines(_ text: String) -> String {
  text.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine).joined(separator: "\n")
}

private func comments(_ tree: SyntaxTree) -> [String] {
  tree.tokens.indices.filter {
    [.lineComment, .docComment, .blockComment].contains(tree.tokens[$0].kind)
  }.map { tree.text(ofToken: $0).filter { !$0.isWhitespace } }
}

/// Formats a source, and checks that the result has the same meaning and is stable.
@discardableResult func checkFormat(_ source: String, _ name: String) -> String {
  let before = parsed(source)
  guard let text = format(before) else {
    Issue.record("\(name) has a syntax error")
    return ""
  }
  let after = parsed(text)
  #expect(after.diagnostics.isEmpty, "\(name)\n\(source)\n->\n\(text)")
  #expect(meaning(before.tree) == meaning(after.tree), "\(name)\n\(source)\n->\n\(text)")
  #expect(comments(before.tree) == comments(after.tree), "\(name)")
  #expect(
    format(after) == text,
    "\(name) is not stable\n\(source)\n->\n\(text)\n->\n\(format(after) ?? "")")
  return text
}
