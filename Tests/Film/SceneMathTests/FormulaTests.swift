// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneMath
import SceneTestSupport
import Testing

/// Formulas in a font in which every glyph is 0.5 wide, 0.7 high and 0.2 deep.
@Suite("Formulas", .cpuBudget(seconds: 1)) struct FormulaTests {
  private func formula(_ tex: String, isDisplay: Bool = true) throws(FormulaError) -> Formula {
    try Formula(tex, font: PlainMathFont(), isDisplay: isDisplay)
  }

  /// Returns the characters of all parts with their positions relative to the baseline, in
  /// hundredths.
  private func places(_ tex: String) throws -> [String] {
    let it = try formula(tex)
    return it.parts.map { part in
      let sign = part.sign.map { String($0) } ?? "-"
      let (x, y) = part.glyphs.first.map { ($0.origin.x, $0.origin.y) } ?? (part.box.x, part.box.y)
      return "\(sign) \(Int((100 * x).rounded())) \(Int((100 * (y - it.baseline)).rounded()))"
    }
  }

  /// Returns the invalid part of a formula and the error message.
  private func failure(_ tex: String) -> String {
    do {
      _ = try formula(tex)
      return ""
    } catch {
      let bytes = Array(tex.utf8)[error.range]
      return "\(String(decoding: bytes, as: UTF8.self)): \(error.message)"
    }
  }

  /// Returns the pairs of glyphs of two formulas as characters with their roles, where exponents have
  /// `^` and other roles a number.
  private func pairs(_ a: String, _ b: String) throws -> [String] {
    let (from, to) = (try formula(a).parts, try formula(b).parts)
    func written(_ part: Formula.Part) -> String {
      let role = ["", "^", "_", "n", "d"]
      return (role.indices.contains(part.role) ? role[part.role] : "?")
        + (part.sign.map { String($0) } ?? "-")
    }
    let match = GlyphMatch(from: from.map(\.glyph), to: to.map(\.glyph))
    return match.pairs.map { i, j in "\(written(from[i]))\(written(to[j]))" }
  }

  /// Formulas between dollar signs in a text. Literal text of TeX contains its own dollar signs.
  @Test(arguments: [
    ("a", "a"), ("$$", ""), ("$a + b$", "a + b"), ("$a$ = $b$", "{a} = {b}"),
    ("\\frac{$a$}{2}", "\\frac{{a}}{2}"), ("\\alpha$x$", "\\alpha{x}"),
    ("\\text{a $b$}", "\\text{a $b$}"), ("$\\text{a $b$}$", "\\text{a $b$}"),
    ("\\text {$a$} $b$", "\\text {$a$} {b}"), ("\\$5", "\\$5"), ("$5", "$5"), ("\\", "\\"),
  ])
  func formulasInTexts(_ row: (text: String, source: String)) {
    #expect(Formula.source(of: row.text) == row.source)
  }

  /// Glyphs keep their roles. They change them only if no glyph with the same role fits, and digits
  /// only with their whole number.
  @Test(arguments: [
    ("x^2+1", "x+12", ["𝑥𝑥", "++", "11"]),
    ("x^2", "2x", ["𝑥𝑥", "^22"]),
    ("x^{12}", "12x", ["𝑥𝑥", "^11", "^22"]),
    ("x^{12}", "1x", ["𝑥𝑥"]),
    ("2^2x", "2x", ["22", "𝑥𝑥"]),
    ("x^22", "x2", ["𝑥𝑥", "22"]),
    ("a^2+b^2=c^2", "c=\\sqrt{a^2+b^2}", ["𝑎𝑎", "^2^2", "++", "𝑏𝑏", "^2^2", "==", "𝑐𝑐"]),
    ("\\frac{a}{b}", "a/b", ["n𝑎𝑎", "d𝑏𝑏"]),
    ("\\frac{1}{2}", "\\frac{2}{1}", ["n1d1", "d2n2", "--"]),
    ("2x+3=7", "2x=4", ["22", "𝑥𝑥", "=="]),
    ("x_1+x_2", "x_2+x_1", ["𝑥𝑥", "_1_1", "++", "𝑥𝑥", "_2_2"]),
    ("\\text{is it}", "\\text{it sits}", ["ii", "tt"]),
    ("\\text{a grid}", "\\text{grids grid}", ["gg", "rr", "ii", "dd"]),
    ("\\sin x", "\\cos x + \\sin y", ["ss", "ii", "nn", "𝑥𝑥"]),
    ("\\sin x", "\\sinh x", ["𝑥𝑥"]),
    ("\\mathrm{Var}x", "\\mathrm{Va}x", ["𝑥𝑥"]),
    ("\\mathrm{d}x", "\\text{d}x", ["dd", "𝑥𝑥"]),
    ("\\mathrm{a}\\mathrm{b}", "\\mathrm{b}", ["bb"]),
    ("\\sin\\mathrm{x}", "\\mathrm{x}", ["xx"]),
    ("\\log\\Gamma(x)", "\\Gamma(x)", ["ΓΓ", "((", "𝑥𝑥", "))"]),
    ("\\logΓ", "Γ", ["ΓΓ"]),
    ("a\\ell\\sin x", "a\\sin x", ["𝑎𝑎", "ss", "ii", "nn", "𝑥𝑥"]),
    ("hh+1", "h+1", ["ℎℎ", "++", "11"]),
    ("\\mathbb{RR}", "\\mathbb{R}", ["ℝℝ"]),
  ])
  func glyphsKeepTheirRoles(from a: String, to b: String, expected: [String]) throws {
    #expect(try pairs(a, b).sorted() == expected.sorted())
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let tex: String
    let expected: [String]
    var testDescription: String { tex }
  }

  // The ink begins 0.05 to the right of the origin. Thin, medium and thick spaces are 17, 22 and
  // 28.
  @Test(arguments: [
    Row(tex: "ab", expected: ["𝑎 -5 0", "𝑏 45 0"]),
    Row(tex: "a+b", expected: ["𝑎 -5 0", "+ 67 0", "𝑏 139 0"]),
    Row(tex: "a=-b", expected: ["𝑎 -5 0", "= 73 0", "− 151 0", "𝑏 201 0"]),
    Row(tex: "(a,b)", expected: ["( -5 0", "𝑎 45 0", ", 95 0", "𝑏 162 0", ") 212 0"]),
    Row(tex: "x^2", expected: ["𝑥 -5 0", "2 45 -40"]),
    Row(tex: "x_i", expected: ["𝑥 -5 0", "𝑖 45 39"]),
    Row(tex: "x^{a+b}", expected: ["𝑥 -5 0", "𝑎 45 -40", "+ 80 -40", "𝑏 115 -40"]),
    Row(tex: "x'", expected: ["𝑥 -5 0", "′ 45 -40"]),
    Row(tex: "\\frac{a}{b}", expected: ["- 0 -27", "𝑎 0 -70", "𝑏 0 70"]),
    Row(tex: "\\alpha\\le\\infty", expected: ["𝛼 -5 0", "≤ 73 0", "∞ 151 0"]),
    Row(tex: "\\mathbf{R}\\mathbb{R}\\mathrm{d}", expected: ["𝐑 -5 0", "ℝ 45 0", "d 95 0"]),
    Row(tex: "\\sin x", expected: ["s -5 0", "i 45 0", "n 95 0", "𝑥 162 0"]),
    Row(tex: "a \\quad b", expected: ["𝑎 -5 0", "𝑏 145 0"]),
    Row(tex: "\\text{a b}", expected: ["a -5 0", "b 95 0"]),
    Row(tex: "{}", expected: []),
    // Lengths: em, mu (18 to an em of the style), and negative ones.
    Row(tex: "a\\kern1em b", expected: ["𝑎 -5 0", "𝑏 145 0"]),
    Row(tex: "a\\hspace{-0.5em}b", expected: ["𝑎 -5 0", "𝑏 -5 0"]),
    Row(tex: "a\\mkern18mu b", expected: ["𝑎 -5 0", "𝑏 145 0"]),
    Row(tex: "a\\rule[1em]{2em}{0.5em}b", expected: ["𝑎 -5 0", "- 45 -150", "𝑏 245 0"]),
    // Boxes with another extent.
    Row(tex: "a\\mathrlap{b}c", expected: ["𝑎 -5 0", "𝑏 45 0", "𝑐 45 0"]),
    Row(tex: "a\\mathllap{b}c", expected: ["𝑎 -5 0", "𝑏 -5 0", "𝑐 45 0"]),
    Row(tex: "a\\mathclap{b}c", expected: ["𝑎 -5 0", "𝑏 20 0", "𝑐 45 0"]),
    Row(tex: "a\\hphantom{b}c", expected: ["𝑎 -5 0", "𝑐 95 0"]),
    Row(tex: "a\\vphantom{b}c", expected: ["𝑎 -5 0", "𝑐 45 0"]),
    Row(tex: "a\\raisebox{0.5em}{b}", expected: ["𝑎 -5 0", "b 45 -50"]),
    // Text styles, and a formula in a text.
    Row(tex: "\\text{a\\textbf{b}c}", expected: ["a -5 0", "𝐛 45 0", "c 95 0"]),
    Row(tex: "\\text{a$b$}", expected: ["a -5 0", "𝑏 45 0"]),
    Row(tex: "{\\bf a}b", expected: ["𝐚 -5 0", "𝑏 45 0"]),
    Row(tex: "\\emph{a}\\texttt{b}", expected: ["𝑎 -5 0", "𝚋 45 0"]),
    // Abbreviations and infix commands.
    Row(
      tex: "\\bra{a}\\ket{b}",
      expected: ["⟨ -5 0", "𝑎 45 0", "| 95 0", "| 162 0", "𝑏 212 0", "⟩ 262 0"]),
    Row(tex: "{a\\over b}", expected: ["- 0 -27", "𝑎 0 -70", "𝑏 0 70"]),
    Row(tex: "\\TeX", expected: ["T -5 0", "E 28 21", "X 66 0"]),
    Row(tex: "a\\tag{1}", expected: ["𝑎 -5 0", "( 262 0", "1 312 0", ") 362 0"]),
  ])
  func places(_ row: Row) throws { #expect(try places(row.tex) == row.expected) }

  /// As in TeX, a script after a space or a style attaches to an empty nucleus.
  @Test(arguments: [
    ("a\\!^2", "a\\!{}^2"), ("a\\,_2 b", "a\\,{}_2 b"), ("\\quad_x", "\\quad{}_x"),
    ("a\\;'", "a\\;{}'"), ("a~_i^2", "a~{}_i^2"), ("a\\ ^2", "a\\ {}^2"),
    ("a\\displaystyle^2", "a\\displaystyle{}^2"), ("\\mathrm{\\,}^2 a", "\\,{}^2 a"),
    ("\\left(\\,^2\\right)", "\\left(\\,{}^2\\right)"),
    ("\\begin{matrix}\\!^a & b\\end{matrix}", "\\begin{matrix}\\!{}^a & b\\end{matrix}"),
    ("\\frac{\\,^2}{3}", "\\frac{\\,{}^2}{3}"),
    ("\\mathrm{L\\!^A\\!T\\!_E X}", "\\mathrm{L\\!{}^A\\!T\\!{}_E X}"),
  ])
  func scriptsAfterASpace(_ row: (tex: String, written: String)) throws {
    let (own, written) = (try formula(row.tex), try formula(row.written))
    #expect(own.parts.map(\.sign) == written.parts.map(\.sign))
    #expect(own.parts.contains { $0.glyphs.contains { $0.origin.y != own.baseline } })
  }

  @Test(arguments: [
    ("\\frak{a}", "\\frak: unknown formula command '\\frak'"),
    ("{a", "{: unclosed '{'"),
    ("a}", "}: unmatched '}'"),
    ("x^a^b", "^: duplicate superscript"),
    ("x_a_b", "_: duplicate subscript"),
    ("x^", "^: expected an argument after '^'"),
    ("\\frac{a}", "\\frac{a}: '\\frac{…}' requires an argument"),
    ("\\left( a", "\\left: '\\left' has no matching '\\right'"),
    ("a \\right)", "\\right: '\\right' has no matching '\\left'"),
    ("\\left x", "x: 'x' is not a bracket"),
    ("\\begin{matriz} a \\end{matriz}", "{matriz}: unknown environment 'matriz'"),
    ("\\begin{matrix} a", "\\begin: unclosed '\\begin{matrix}'"),
    (
      "\\begin{matrix} a \\end{cases}", "\\end{cases}: mismatched '\\end', expected '\\end{matrix}'"
    ),
    ("a & b", "&: '&' must be inside an environment with columns"),
    ("50% x", "%: '%' starts a comment in TeX"),
    ("a \\limits", "\\limits: '\\limits' must follow an operator"),
    ("a \\, \\limits", "\\limits: '\\limits' must follow an operator"),
    ("\\nolimits a", "\\nolimits: '\\nolimits' must follow an operator"),
    ("a\\!^2^3", "^: duplicate superscript"),
    ("\\text{a", "{: unclosed '{'"),
    ("\\", "\\: expected a command after '\\'"),
    ("\\color{reddish} x", "{reddish}: expected a color after '\\color'"),
    ("\\textcolor x", "x: expected a color after '\\textcolor'"),
    ("\\kern x", "\\kern x: '\\kern' requires a length"),
    ("\\kern 2furlong", "\\kern 2fu: '\\kern' requires a length"),
    ("\\rule[1em{2em}", "\\rule[1em: expected ']' after the raise of '\\rule'"),
    ("\\smash[x]{a}", "[: expected [t] or [b] after '\\smash'"),
    ("\\text{a$b}", "$: unclosed '$'"),
    ("\\text{a $b {c$ d} x}", "$: unexpected '$' in a formula"),
    ("\\begin{array}{c:c} a \\end{array}", "{c:c}: unknown column type ':'"),
    (
      "\\begin{alignedat} a \\end{alignedat}",
      "\\begin{alignedat} : '\\begin{alignedat}' requires the number of column pairs"
    ),
    ("\\begin{matrix*}[x] a \\end{matrix*}", "[: expected [l], [c] or [r]"),
    ("\\sqrt[3 x", "[: unclosed '['"),
    ("\\not x", "\\not x: '\\not' is not supported for this symbol"),
    ("a_\u{1F600}_b", "_: duplicate subscript"),
  ])
  func reports(_ row: (tex: String, expected: String)) { #expect(failure(row.tex) == row.expected) }

  @Test func nestingAndLengthHaveLimits() {
    #expect(failure(String(repeating: "{", count: 1000)).contains("nested too deeply"))
    #expect(failure(String(repeating: "\\frac", count: 900)).contains("nested too deeply"))
    #expect(failure(String(repeating: "x", count: 5001)).contains("5001 bytes"))
    #expect(failure(String(repeating: "x_{", count: 30) + String(repeating: "}", count: 30)) == "")
  }

  @Test func anyTextIsReadToAFormulaOrAError() throws {
    var random = SystemRandomNumberGenerator.seeded(17)
    let pieces = [
      "\\frac", "\\sqrt", "{", "}", "^", "_", "x", "\\left(", "\\right)", "\\begin{matrix}",
      "\\end{matrix}", "&", "\\\\", "[", "]", "\\sum", "\\hat", "'", "\\text{", " ", "\\", "é",
      "\\int",
      "\\limits", "\\middle|", "\\not", "\\binom", "\\overbrace", "\\big", "$", "%",
      "\\begin{aligned}",
      "\\end{aligned}", "\\substack{", "\\displaystyle", "\\mathbf", "2", "\\\\[3pt]", "\\begin",
      "\\left.",
    ]
    for _ in 0..<4000 {
      let count = Int.random(in: 1...14, using: &random)
      let tex = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      do {
        let it = try formula(tex)
        #expect(it.width.isFinite && it.height.isFinite && it.baseline.isFinite)
      } catch {
        #expect(error.range.lowerBound >= 0 && error.range.upperBound <= tex.utf8.count, "\(tex)")
        #expect(!error.message.isEmpty)
      }
    }
  }

  @Test func limitsAreAboveOnlyInDisplay() throws {
    let high = try formula("\\sum_{i}^{n}")
    let low = try formula("\\sum_{i}^{n}", isDisplay: false)
    #expect(high.width < low.width)
    #expect(high.height > low.height)
    #expect(try places("\\sum\\nolimits^n").count == 2)
  }

  /// Frames, strikes, rules of tables and arrows with labels.
  @Test func decorationsHaveTheirExtent() throws {
    let plain = try formula("ab")
    let framed = try formula("\\boxed{ab}")
    // 0.3 em of space and a rule of 0.04 em on all sides; the ink of glyphs begins 0.05 em inside.
    #expect(abs(framed.width - (1 + 2 * 0.34)) < 1e-9)
    #expect(abs(framed.height - (plain.height + 2 * 0.34)) < 1e-9)
    #expect(framed.parts.filter { $0.sign == nil }.map(\.rules.count) == [4])
    for (tex, count) in [("\\cancel{ab}", 1), ("\\xcancel{ab}", 2), ("\\sout{ab}", 1)] {
      let struck = try formula(tex)
      #expect(struck.parts.filter { $0.sign == nil }.count == count)
      #expect(struck.parts.compactMap(\.sign) == plain.parts.compactMap(\.sign))
    }
    #expect(
      try formula("a+\\cancel{b}").parts.last?.box.x == formula("a+\\cancel{b}c").parts[3].box.x)
    let table = try formula(
      "\\begin{array}{|c|c|}\\hline a & b \\\\ \\hline c & d \\\\ \\hline\\end{array}")
    #expect(table.parts.filter { $0.sign == nil }.count == 6)
    let arrow = try formula("a\\xrightarrow[b]{cd}e")
    let signs = arrow.parts.compactMap(\.sign)
    #expect(Set(signs) == ["𝑎", "→", "𝑏", "𝑐", "𝑑", "𝑒"])
    let (above, below) = (
      arrow.parts.first { $0.sign == "𝑐" }, arrow.parts.first { $0.sign == "𝑏" }
    )
    #expect(try #require(above).box.y < #require(below).box.y)
  }

  /// Commands such as `\bf` apply to the rest of their group, bracket, option or cell.
  @Test func alphabetsEndWithTheirGroup() throws {
    for (tex, written) in [
      ("\\left(\\bf a\\right)b", "\\left(\\mathbf{a}\\right)b"),
      ("\\sqrt[\\rm a]{b}c", "\\sqrt[\\mathrm{a}]{b}c"),
      ("\\begin{matrix}\\bf a & b\\end{matrix}", "\\begin{matrix}\\mathbf{a} & b\\end{matrix}"),
      ("{\\bf a \\over b}c", "\\frac{\\mathbf{a}}{\\mathbf{b}}c"),
    ] {
      #expect(
        try formula(tex).parts.compactMap(\.sign) == formula(written).parts.compactMap(\.sign))
    }
  }

  /// A color applies to the rest of its group, and inner colors take precedence.
  @Test func colorsApplyToTheirGroup() throws {
    let it = try formula("a{\\color{red}b\\frac{c}{\\textcolor{#00f}{d}}}e")
    let colors = it.parts.filter { $0.sign != nil }.map(\.color)
    #expect(
      colors == [nil, Color(name: "red"), Color(name: "red"), Color(name: "blue"), nil])
    #expect(try formula("a+\\textcolor{red}{b}").width == formula("a+b").width)
    #expect(try formula("a\\color{red}+b").width == formula("a+b").width)
  }

  @Test func bracketsGrow() throws {
    let small = try formula("\\left(a\\right)")
    let large = try formula("\\left(\\frac{a}{b}\\right)")
    #expect(large.parts[0].box.height > small.parts[0].box.height)
    // Beyond the largest variant, the bracket is assembled from overlapping parts.
    let tall = try formula("\\left(\\begin{matrix}a\\\\b\\\\c\\\\d\\\\e\\\\f\\end{matrix}\\right)")
    #expect(tall.parts[0].glyphs.count > 3)
    #expect(tall.parts[0].box.height >= 0.9 * tall.height)
  }

  @Test func partsAreFoundByWhatIsWritten() throws {
    let it = try formula("x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}")
    #expect(it.parts(writtenAs: "2a").count == 1)
    #expect(it.parts(writtenAs: "b").count == 2)
    #expect(it.parts(writtenAs: "b ^ 2").map(\.count) == [2])
    // Includes the rule, which belongs to the whole command.
    #expect(it.parts(writtenAs: "\\sqrt{b^2-4ac}").map(\.count) == [7])
    #expect(
      it.parts(writtenAs: "\\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}")[0].count == it.parts.count - 2)
    // Parts of a command name do not match.
    #expect(it.parts(writtenAs: "r").isEmpty)
    #expect(it.parts(writtenAs: "\\sq").isEmpty)
    #expect(it.parts(writtenAs: "").isEmpty)
  }

  @Test func termsBeginAtOperatorsOutsideOfGroups() throws {
    let it = try formula("a^2 + (b - c) = -d")
    #expect(it.parts.map(\.term) == [0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2])
  }

  @Test func aCharacterThatTheFontLacksIsNoted() throws {
    let it = try formula("a + \u{2603}")
    #expect(it.missing?.range == 4..<7)
  }
}

private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension SystemRandomNumberGenerator {
  fileprivate static func seeded(_ seed: UInt64) -> Seeded { Seeded(state: seed) }
}
