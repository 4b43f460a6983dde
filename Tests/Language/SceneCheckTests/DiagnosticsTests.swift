// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneTestSupport
import SceneText
import Testing

@Suite("Diagnostics", .cpuBudget(seconds: 1)) struct DiagnosticsTests {
  /// Codes that a source text alone cannot cause; other tests cover them.
  private static let withoutText: Set<Code> = [
    .invalidUTF8, .unknownScene, .undecodable, .oddSize, .invalidOutputSetting,
    .transparentOutput, .missingGlyph, .limitedSound, .flashes, .goldenDiffers,
    // A scene with this code is a bug.
    .internalError,
  ]

  @Test(arguments: Code.allCases)
  func pagesHoldWhatTheySay(_ code: Code) throws {
    let page = try #require(Explanation.pages[code], "\(code) has no page")
    #expect(!page.body.isEmpty)
    if Self.withoutText.contains(code) { return }
    let wrong = try #require(page.wrong, "\(code) has no wrong scene")
    let right = try #require(page.right, "\(code) has no right scene")
    let codes = Set(checked(wrong).diagnostics.map(\.code))
    #expect(codes.contains(code), "\(code): \(diagnose(wrong))")
    #expect(diagnose(right) == [], "\(code)")
  }

  /// A message about a cell names its place in the table, also for an empty cell.
  @Test func messagesNameCells() {
    let source = """
      let rows = data("rows.csv")
      scene {
          for: 1s
          circle { radius: rows[1].mass * 2 }
          circle { radius: 1 - rows[2].mass }
          circle { radius: rows[2].share + 1 }
          circle { radius: rows[2].share }
          text "{rows[1].mass < 3}"
          text "{rows[0].mass + rows[1].mass}"
      }
      """
    let table = "mass,share\n1,2\n3 kg,1\n,\n"
    let found = checked(source, texts: ["rows.csv": table]).diagnostics.map(\.message)
    #expect(
      found == [
        "the text \"3 kg\" of rows.csv:3:1 and a number cannot be multiplied",
        "a number and the empty cell at rows.csv:4:1 cannot be subtracted",
        "the empty cell at rows.csv:4:2 and a number cannot be added",
        "expected a length, found the empty cell at rows.csv:4:2",
        "the text \"3 kg\" of rows.csv:3:1 and a number cannot be compared",
        "the text \"1\" of rows.csv:2:1 and the text \"3 kg\" of rows.csv:3:1 cannot be added",
      ])
  }

  /// Applies each fix: it must change the file. The only fix of a diagnostic removes that
  /// diagnostic, or one of several equal ones.
  @Test func fixesFix() throws {
    var count = 0
    for row in Corpus.cases where row.hasFixes {
      let source = Corpus.whole(row.source)
      let before = checked(source, .brief).diagnostics
      for diagnostic in before where diagnostic.span.file == FileID(0) {
        for fix in diagnostic.fixIts {
          var bytes = Array(source.utf8)
          let old = bytes[fix.span.start..<fix.span.end]
          #expect(String(decoding: old, as: UTF8.self) != fix.replacement, "\(source)")
          bytes.replaceSubrange(fix.span.start..<fix.span.end, with: Array(fix.replacement.utf8))
          let after = checked(String(decoding: bytes, as: UTF8.self), .brief).diagnostics
          count += 1
          if diagnostic.fixIts.count > 1 { continue }
          // A fix may reveal other errors, but does not increase the number of syntax errors.
          func forms(_ list: [Diagnostic]) -> Int {
            list.count { $0.code.rawValue.hasPrefix("E01") }
          }
          #expect(forms(after) <= forms(before), "\(fix.message) causes errors\n\(source)")
          // Several brackets may be open, and the error may be in another file.
          if diagnostic.code == .unclosedBracket { continue }
          func alike(_ list: [Diagnostic]) -> Int {
            list.count { $0.code == diagnostic.code && $0.message == diagnostic.message }
          }
          #expect(
            alike(after) < alike(before),
            "\(fix.message) does not fix \(diagnostic.message)\n\(source)")
        }
      }
    }
    #expect(count > 100)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let body: String
    let expected: [String]
    let fix: String?

    init(_ body: String, _ expected: String..., fix: String? = nil) {
      self.body = body
      self.expected = expected
      self.fix = fix
    }

    var testDescription: String { body }
  }

  @Test(arguments: [
    Row("rect { widht: 3 }", "E0201 unknown property 'widht' on 'rect'"),
    Row("rect { opcity: 1 }", "E0201 unknown property 'opcity' on 'rect'", fix: "opacity"),
    Row("circl { }", "E0202 unknown element 'circl'", fix: "circle"),
    Row("circle { fill: steelblu }", "E0203 unknown name 'steelblu'", fix: "steelblue"),
    Row("circle { radius: 3s }", "E0301 expected a length, found a time"),
    Row("circle { rotate: 90 }", "E0301 expected an angle, found a number"),
    Row("circle { at: 1 }", "E0301 expected a time, found a number"),
    Row("circle { at: 50% }", "E0301 expected a time, found a percentage"),
    Row("circle { at: t }", "E0306 'at' cannot change over time"),
    Row("circle { position: 3 }", "E0301 expected a point, found a number"),
    Row("circle { fill: \"red\" }", "E0301 expected a paint, found a text"),
    Row("circle { radius: 1 + 1s }", "E0302 a number and a time cannot be added"),
    Row("text \"a\" + \"b\"", "E0113 expected ';' or a new line before '+'"),
    Row(
      "let a = 1\n let b = 2\n circle { radius: b-a }", "E0203 unknown name 'b-a'",
      fix: "b - a"),
    Row("circle { radius: sinn(1) }", "E0207 unknown function 'sinn'", fix: "sin"),
    Row("circle { radius: min() }", "E0303 'min' requires at least one value"),
    Row("circle { radius: clamp(1, 2, 3, 4) }", "E0303 'clamp' accepts at most 3 values"),
    Row(
      "circle { radius: 0 -> 9 with ease-outt }", "E0304 unknown value 'ease-outt'",
      fix: "ease-out"),
    Row("circle { radius: 10 over 1s }", "E0109 'over' must follow a motion such as 'a -> b'"),
    Row("circle { radius: 0 -> 9 over -1s }", "E0305 'over' cannot be negative"),
    Row("circle a { radius: a.radius }", "E0209 'radius' of 'a' depends on itself"),
    Row(
      "circle a { at: b.end;  for: 1s }\n circle b { at: a.end;  for: 1s }",
      "E0209 the start of 'a' depends on itself"),
    Row("image \"phot.png\" { }", "E0501 file 'phot.png' not found", fix: "\"photo.png\""),
    Row("image \"../photo.png\" { }", "E0502 '../photo.png' is outside the folder of the scene"),
    Row("image \"https://x/photo.png\" { }", "E0501 file 'https://x/photo.png' not found"),
    Row(
      "text \"a\" { font: \"Intre\" }", "E0504 unknown font family 'Intre'", fix: "\"Inter\""),
    Row("text \"\u{2603}\"", "W0504 no installed font has '\u{2603}' (U+2603)"),
    Row("text { }", "E0309 the text is empty"),
    Row("path { line (1, 1) }", "E0505 a path must begin with 'move', not 'line'"),
    Row("rect { blend: multipy }", "E0304 unknown value 'multipy'", fix: "multiply"),
    Row("text \"a\" { size: 3x3 }", "E0206 'size' is not a property of 'text'"),
    Row(
      "for i in 0..1000000000 { circle { } }",
      "E0601 a loop has 1000000000 iterations, more than the limit of 100000"),
    Row("circle { radius: sqrt(-1) }", "E0308 'sqrt' has no finite result here"),
    Row("text \"{1 + }\"", "E0109 expected a value, found '}'"),
    Row("line { from: (0, 0);  to: 50% }", "E0301 expected a point, found a percentage"),
    Row(
      "circle { radius: 1 }\n circle { radius: 2;  radius: 3 }", "E0204 duplicate property 'radius'"
    ),
    Row("rect { size: 40x20;  rect { size: 50% } }"),
    Row("star { points: 1 }", "E0305 'points' is 1"),
    Row("polygon { points: [(0, 0), 3] }", "E0301 expected a point, found a number"),
    Row("circle { mixing: hsv }", "E0304 unknown value 'hsv'"),
  ])
  func oneClearMessage(_ row: Row) {
    let found = checked(scene(row.body)).diagnostics
    #expect(found.map { "\($0.code.rawValue) \($0.message)" } == row.expected)
    if let fix = row.fix { #expect(found.first?.fixIts.first?.replacement == fix) }
  }

  @Test func allErrorsAtOnceInOrder() {
    let found = diagnose(scene("circl { }\n rect { widht: 1 }\n circle { radius: 3s }"))
    #expect(found.map { $0.prefix(5) } == ["E0202", "E0201", "E0301"])
  }

  @Test func printedWithPlaceAndMend() {
    let source = "scene {\n  for: 1s\n  circle { radus: 3 }\n}\n"
    let found = checked(source).diagnostics
    let text = DiagnosticPrinter(
      files: [.init(name: "a.scene", text: source)], colored: false
    ).print(found)
    #expect(
      text == """
        error[E0201]: unknown property 'radus' on 'circle'
         --> a.scene:3:12
          |
        3 |   circle { radus: 3 }
          |            ^^^^^
           = help: change to 'radius'

        """)
  }

  @Test func limits() {
    var options = CheckOptions()
    options.limits.elements = 5
    let many = scene("for i in 0..5 { circle { } }\n rect { }\n for i in 0..3 { rect { } }")
    #expect(checked(many, options).diagnostics.map(\.code) == [.limitExceeded])
    let deep = scene(
      String(repeating: "group { ", count: 80) + "circle { }" + String(repeating: "}", count: 80))
    #expect(checked(deep).diagnostics.map(\.code) == [.limitExceeded])
    #expect(diagnose("scene { size: 100000x100000;  for: 1s }").count == 1)
    #expect(diagnose("scene { fps: 100000;  for: 1s }").count == 1)
    #expect(diagnose("scene { for: 1000000000s }").count == 1)
  }
}
