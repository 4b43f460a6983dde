// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneSyntax
import SceneTestSupport
import SceneText
import SceneTypes
import Testing

/// Tests the static types of expressions against the values that evaluation computes.
@Suite("Types", .cpuBudget(seconds: 6)) struct TypeTests {
  private static func session(_ source: String, _ options: CheckOptions = CheckOptions())
    -> CheckSession
  {
    var options = options
    options.purpose = .check
    options.recordsValues = true
    return CheckSession(
      parse(SourceFile(name: "test.scene", text: source)), options: options,
      metrics: FixedMetrics(), assets: OneImage(texts: ["rows.csv": "name,n\nx,1\n"]))
  }

  /// Returns a line for each recorded value that is not in the static type of its expression.
  private static func faults(in session: CheckSession) -> [String] {
    session.unsoundTypes().map {
      let text = session.checked.sources[Int($0.span.file.rawValue)].text($0.span)
      let type = $0.type.map(\.notation) ?? "untyped"
      return "\(text.prefix(60)): \(type) does not contain \($0.value.notation)"
    }
  }

  private static func faults(in source: String) -> [String] { faults(in: session(source)) }

  @Test func valuesOfTheCorpusAreInTheirTypes() {
    for row in Corpus.cases.share(every: 2) where !row.hasErrors {
      // Scenes with errors are skipped: evaluation may stop within an expression, while the typer
      // regards the whole expression as an error.
      let session = Self.session(Corpus.whole(row.source), .brief)
      if session.checked.diagnostics.hasErrors { continue }
      #expect(Self.faults(in: session) == [], "\(row)")
    }
  }

  @Test func valuesOfFilmsAreInTheirTypes() throws {
    let folders = ["Examples", "Sources/Language/SceneLibrary/templates"]
    let paths = folders.flatMap { Repository.files(in: $0, ending: ".scene") }
    #expect(paths.count > 80)
    for path in paths.share(every: 3) {
      #expect(Self.faults(in: try Repository.text(path)) == [], "\(path)")
    }
  }

  /// Sample values of all shapes.
  private static let samples = [
    "2", "50%", "50% - 20", "3s", "90deg", "-6dB", "2Hz", "8kbps", "2s * 3s", "true", "\"a\"",
    "red", "linear-gradient(red, blue)", "blur(2)", "shadow(blur: 2)", "path(\"M0 0h1\")",
    "ease-in", "linear(0, 1)", "none", "(1, 2)", "(10%, 2)", "(2s, 1)", "[1, 2]", "[1, 2s]", "[]",
    "1..3", "0%..1s", "(a: 1, b: \"x\")", "sum([])", "r", "r.box", "center", "[r, r]", "t",
    "0 -> 1", "1 -> 50%", "red -> none", "rows[0].name",
  ]

  /// The operators for every pair of shapes: whatever evaluation computes is in the type, and what
  /// the typer calls an error has no value.
  @Test(arguments: [
    "a + b", "a - b", "a * b", "a / b", "a < b", "a == b", "a -> b", "t > 1s ? a : b",
    "true ? a : b", "[a, b][0]", "[a, b][t / 1s]", "min(a, b)", "clamp(a, b, b)", "mod(a, b)",
    "mix(a, b, 0.5)", "map-range(a, 0, 1, b, b)", "a[b]", "[a, b]", "(a, b)", "a..b",
    "fold([a, b], a, fn(x, y) = y)", "scan([a], b, fn(x, y) = x)", "sum([a, b])", "-a", "not a",
    "abs(a)", "\"{a}\"", "a.x", "a.a", "[for x in a: x]", "loop(a, 1s)", "first([a, b])",
    "zip([a], [b])[0][1]", "sort([a, b])", "random(1, a..b)", "wiggle(2Hz, a)",
    "a == none ? 1 : a", "keyframes { 0s: a; 1s: b }", "a and b", "distance(a, b)",
  ])
  func operatorsAgree(_ form: String) {
    // Each `let` has another right operand.
    let lines = Self.samples.enumerated().map { column, b in
      "let b\(column) = \(b)\nlet v\(column) = \(Self.form(form, column))"
    }
    let body = lines.joined(separator: "\n")
    var unsound: Set<String> = []
    // One scene for each left operand. Each form has its own share of them.
    for a in Self.samples.share(every: 3, from: form.utf8.reduce(0) { $0 + Int($1) }) {
      unsound.formUnion(
        Self.faults(
          in: """
            let rows = data("rows.csv")
            scene { for: 2s
            rect r { size: 10x20 }
            let a = \(a)
            \(body)
            }
            """
        ).map { "\(a): \($0)" })
    }
    #expect(unsound.sorted() == [])
  }

  /// Replaces the operand `b` with the name of a column.
  private static func form(_ form: String, _ column: Int) -> String {
    var result = ""
    let letters = Array(form)
    for (index, letter) in letters.enumerated() {
      func isName(_ place: Int) -> Bool {
        letters.indices.contains(place) && (letters[place].isLetter || letters[place] == "-")
      }
      result.append(letter)
      if letter == "b", !isName(index - 1), !isName(index + 1) { result += "\(column)" }
    }
    return result
  }

  /// Equal values that share parts have types of a bounded size, so that a check ends.
  @Test(arguments: [
    "[A, B]", "(x: A, y: B)", "true ? A : [B]", "[A][0..1]", "(A, B)", "A..B",
  ])
  func sharedPartsMakeNoLargeTypes(_ form: String) {
    var lines = ["let a0 = [1, 2]", "let b0 = [1, 2]"]
    for index in 1..<40 {
      let value = form.replacing("A", with: "a\(index - 1)").replacing("B", with: "b\(index - 1)")
      lines += ["let a\(index) = \(value)", "let b\(index) = \(value)"]
    }
    let session = Self.session(
      lines.joined(separator: "\n") + "\nscene { for: 1s;  circle { radius: [a39, b39] } }")
    // The last value has the wrong type, and values of two parts exceed the limit of parts.
    #expect((1...2).contains(session.checked.diagnostics.count))
    #expect(session.types.names.count >= 80)
  }

  @Test(arguments: [
    ("1 + 2", "number"), ("1 + 50%", "length"), ("2s * 3", "time"), ("2 / 1s", "rate"),
    ("[1, 2]", "list<number>"), ("[]", "list"), ("(1, 50%)", "(number, percent)"),
    ("[(a: 1, b: \"x\")]", "list<(a: number, b: text)>"), ("true ? 1 : \"a\"", "number | text"),
    ("sort([2, 1])[0]", "number"), ("zip([1], [\"a\"])[0][1]", "text"),
    ("[for i in 0..3: i * 1s]", "list<time>"), ("sum([1s, 2s])", "time"),
    ("fold([1, 2], 0s, fn(sum, x) = sum + x * 1s)", "time"), ("center", "(number, number)"),
    ("ink", "color"), ("mix(red, blue, 50%)", "color"), ("2 * 3s * 90deg", "time·angle"),
    ("twice(2s)", "time"), ("unused(3)", "list<text>"), ("r", "rect"),
    ("r.box.size", "(number, number)"),
    ("m", "time"), ("side", "left | right"), ("g.dot.radius", "number"),
    ("[for d in dots: d]", "list<circle>"),
  ]) func hasType(_ expression: String, _ notation: String) throws {
    let source = """
      param side: left | right = left
      fn twice(x: time) -> time = x * 2
      fn unused(n: number) -> list = [for i in 0..n: "{i}"]
      scene { for: 2s
        rect r { }
        marker m { at: 1s }
        group g { circle dot { } }
        for i in 0..3 { circle dots { } }
        let v = \(expression)
      }
      """
    let session = Self.session(source)
    let file = session.checked.sources[0]
    let found = session.types.names.first { file.text($0.key) == "v" }
    #expect(found?.value.notation == notation)
  }
}
