// SPDX-License-Identifier: MIT
import SceneEditing
import SceneGraphics
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Replacement of literals.
@Suite("Literals", .cpuBudget(seconds: 2)) struct LiteralTests {
  private static func parsed(_ text: String) -> Parsed {
    parse(SourceFile(name: "a.scene", text: text))
  }

  private static func literals(_ parsed: Parsed) -> [Literal] {
    parsed.tree.literals(in: parsed.tree.file.span(0, parsed.tree.file.bytes.count))
  }

  @Test(
    arguments: [
      ("40%", .number(55), "55%"), ("12f", .number(7), "7f"), ("0.50", .number(0.75), "0.75"),
      ("0.50", .number(1), "1.00"), ("3", .number(3.25), "3.25"),
      ("3", .number(3.123456), "3.1235"),
      ("1_000px", .number(1200), "1200px"), ("-60", .number(60), "60"),
      ("60", .number(-7.5), "-7.5"),
      ("1.5s", .number(0), "0.0s"), ("5", .number(-0.00001), "0"),
      ("1280x720", .size(640, 360), "640x360"),
      ("#fd6", .color(Color(hex: 0xAABBCC)), "#abc"),
      ("#fd6", .color(Color(hex: 0xAABBCD)), "#aabbcd"),
      ("#FFD166", .color(Color(hex: 0x00AA0F)), "#00AA0F"),
      ("white", .color(Color(red: 1, green: 0, blue: 0, alpha: 0.5)), "#ff000080"),
      ("true", .bool(false), "false"),
      ("rgb(255, 0, 50%)", .color(Color(hex: 0x112233)), "rgb(17, 34, 51)"),
      ("hsl(20deg, 100%, 50%)", .color(Color(hex: 0x336699)), "hsl(210, 50%, 40%)"),
      (
        "hsl(0, 0%, 0%, 0.5)", .color(Color(red: 1, green: 1, blue: 1, alpha: 0.25)),
        "hsl(0, 0%, 100%, 0.25)"
      ),
      ("oklch(60%, 0.1, 30)", .color(Color(hex: 0xFF8A3D)), "oklch(75%, 0.167, 50.5)"),
      ("ease-in", .word("ease-out"), "ease-out"),
      ("\"Hello\"", .text("a \"b\" {c} \\\n\u{7}"), "\"a \\\"b\\\" \\{c\\} \\\\\\n\\u{7}\""),
      ("\"\"\"a b\"\"\"", .text(" c\nd"), "\"\"\"\\u{20}c\\nd\"\"\""),
      (
        "\"\"\"\n  one\n    two\n  \"\"\"", .text("say \"1\",\n\n  {2}\n"),
        "\"\"\"\n  say \"1\",\n\n    \\{2\\}\n\n  \"\"\""
      ),
    ] as [(String, Literal.Value, String)])
  func aValueTakesTheFormOfTheOldOne(_ old: String, _ new: Literal.Value, _ written: String) throws
  {
    let parsed = Self.parsed("let x = \(old)\n")
    let literal = try #require(Self.literals(parsed).first)
    #expect(literal.text == old)
    #expect(literal.text(of: new) == written)
    let bytes = try #require(parsed.writing(new, over: literal))
    #expect(String(decoding: bytes, as: UTF8.self) == "let x = \(written)\n")
  }

  @Test(
    arguments: [
      ("3", .color(.black)), ("3", .number(.nan)), ("3", .number(1e12)), ("1x1", .size(-1, 1)),
      ("1x1", .size(1.5, 1)), ("ease-in", .word("x-2")),
      ("ease-in", .word("a { }")), ("ease-in", .word("let")), ("\"a\"", .number(1)),
    ] as [(String, Literal.Value)])
  func whatDoesNotFitIsNotWritten(_ old: String, _ new: Literal.Value) throws {
    let parsed = Self.parsed("let x = \(old)\n")
    let literal = try #require(Self.literals(parsed).first)
    #expect(parsed.writing(new, over: literal) == nil)
  }

  @Test func whatIsComputedHasItsLiterals() {
    let parsed = Self.parsed(
      "let x = card.x + 40 * max(2, -3px) -> #fff over 2s with ease-out ? \"a {b} c\" : (1, 50%)\n")
    #expect(
      Self.literals(parsed).map(\.text)
        == ["40", "2", "-3px", "#fff", "2s", "ease-out", "b", "1", "50%"])
  }

  /// Only color functions with plain numbers are literals.
  @Test(arguments: ["rgb(a, 0, 0)", "hsl(hue: 20, 1, 2)", "oklch(1s, 0, 0)", "rgb(1, 2)"])
  func aComputedColourIsNoLiteral(_ text: String) {
    #expect(!Self.literals(Self.parsed("let x = \(text)\n")).contains { $0.text == text })
  }

  /// Each notation of a color preserves the 8 bits of each channel.
  @Test func coloursAreReadAsTheyWereWritten() throws {
    var random = Generator(seed: 3)
    for _ in 0..<3000 {
      let color = Color(hex: UInt32.random(in: 0...0xFF_FFFF, using: &random))
      for notation in ColorNotation.allCases {
        let text = notation.text(of: color)
        #expect(text.hasPrefix(notation.rawValue), "\(color.hexDescription)")
        let literal = try #require(Self.literals(Self.parsed("let x = \(text)\n")).first)
        guard case .color(let again) = literal.value else {
          Issue.record("\(text) is not a color")
          continue
        }
        #expect(again.hexDescription == color.hexDescription, "\(text)")
      }
    }
  }

  private static func changed(_ literal: Literal, _ random: inout Generator) -> Literal.Value {
    func number() -> Double { Double(Int.random(in: -99_999...99_999, using: &random)) / 100 }
    func share() -> Double { Double.random(in: 0...1, using: &random) }
    switch literal.value {
    case .number: return .number(number())
    case .size: return .size(abs(number()).rounded() + 1, abs(number()).rounded() + 1)
    case .color:
      return .color(
        Color(
          red: share(), green: share(), blue: share(),
          alpha: Bool.random(using: &random) ? 1 : share()))
    case .text:
      return .text(
        [
          "", "a\"b", "{x}", "\\", "ünï\n", "\u{1}", "\n a\n\n  b", " \"\"\"\" ", "\t\n\"", "\n\n",
        ].randomElement(using: &random) ?? "")
    case .bool(let truth): return .bool(!truth)
    case .word: return .word(["ease-in", "linear", "x-b2"].randomElement(using: &random) ?? "")
    }
  }

  /// Ten thousand literals of the examples: the replacement text is a single literal with the new
  /// value.
  @Test func whatIsWrittenIsRead() throws {
    var random = Generator(seed: 7)
    let files = try Repository.files(in: "Examples", ending: ".scene").map {
      Self.parsed(try Repository.text($0))
    }
    let all = files.map(Self.literals).filter { !$0.isEmpty }
    #expect(all.reduce(0) { $0 + $1.count } > 1000)
    for _ in 0..<10_000 {
      let literals = all.randomElement(using: &random) ?? []
      let literal = try #require(literals.randomElement(using: &random))
      let value = Self.changed(literal, &random)
      let text = try #require(literal.text(of: value), "\(literal.text)")
      let again = Self.literals(Self.parsed("let x = \(text)\n"))
      #expect(again.map(\.text) == [text], "\(literal.text)")
      if case .number(let wanted) = value, case .number(let got)? = again.first?.value {
        #expect(abs(wanted - got) < 1e-4 && again.first?.unit == literal.unit)
      } else if case .text(let wanted) = value {
        #expect(again.first?.value == .text(wanted))
      }
    }
  }

  /// The rest of the file is unchanged, and restoring the old value restores the old bytes.
  @Test func filesChangeInOnePlace() throws {
    var random = Generator(seed: 11)
    for name in Repository.files(in: "Examples", ending: ".scene") {
      let bytes = try Repository.bytes(name)
      let parsed = parse(SourceFile(id: FileID(0), name: name, bytes: bytes))
      let literals = Self.literals(parsed).shuffled(using: &random)
      for literal in literals.prefix(Soak.isRunning ? 6 : 2) {
        let value = Self.changed(literal, &random)
        guard let changed = parsed.writing(value, over: literal) else { continue }
        let again = parse(SourceFile(id: FileID(0), name: name, bytes: changed))
        #expect(format(again).map { Array($0.utf8) } == changed, "\(name): \(literal.text)")
        let place = Self.literals(again).first {
          $0.span.start >= literal.span.start && $0.text == literal.text(of: value)
        }
        let back = try #require(place, "\(name): \(literal.text)")
        guard back.text(of: literal.value) == literal.text else { continue }
        // A line that became too long remains broken.
        guard changed.count(where: { $0 == 10 }) == bytes.count(where: { $0 == 10 }) else {
          continue
        }
        #expect(again.writing(literal.value, over: back) == bytes, "\(name): \(literal.text)")
      }
    }
  }
}
