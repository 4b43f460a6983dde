// SPDX-License-Identifier: MIT
import SceneCheck
import SceneEditing
import SceneModel
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Hover texts at the position marked with `|`, with values from a check.
@Suite("Hover", .cpuBudget(seconds: 1)) struct HoverTests {
  static func session(_ text: String) -> CheckSession {
    var options = CheckOptions()
    options.purpose = .edit
    options.recordsElements = true
    options.recordsValues = true
    return CheckSession(
      parse(SourceFile(id: FileID(0), name: "a.scene", bytes: Array(text.utf8))), options: options,
      metrics: FixedMetrics(), assets: OneImage())
  }

  static func said(_ marked: String, at playhead: Double? = nil) -> String {
    let parts = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let text = parts.joined()
    let workspace = Workspace(["a.scene": FileFacts(Array(text.utf8), name: "a.scene")])
    let session = session(text)
    var findings = CheckFindings(record: session.checked.record, session: session)
    findings.playhead = playhead.map { Ticks(Int64($0 * Double(Ticks.perSecond))) }
    return workspace.hover(at: parts[0].utf8.count, in: "a.scene", findings)?.text ?? ""
  }

  struct Row: Sendable, CustomStringConvertible {
    let text: String
    let has: [String]
    init(_ text: String, _ has: String...) { (self.text, self.has) = (text, has) }
    var description: String { text }
  }

  static let rows: [Row] = [
    // Parts of an SVG.
    Row(
      "scene { for: 1s;  svg \"logo.svg\" { part \"whe|el\" { opacity: 0.5 } } }",
      "`<circle>` in `logo.svg`", "8 × 8 at (26, 8)"),
    Row(
      "scene { for: 1s;  svg a \"logo.svg\" { size: 40 }\n  circle { position: a[\"ri|m\"].center } }",
      "`<circle>` in `logo.svg`"),
    // Names and their values.
    Row(
      "let |wide = 420 * 2\nscene { for: 1s  rect { size: wide } }", "let wide", "= `840` (number)"),
    Row("let wide = 420 * 2\nscene { for: 1s  rect { size: |wide } }", "= `840` (number)"),
    Row("let t1 = 1s + 500ms\nscene { for: |t1 }", "= `1.5s` (time)"),
    Row("let a = 90deg / 4\nscene { for: 1s  rect { rotate: |a } }", "= `22.5deg` (angle)"),
    Row(
      "let c = mix(#ff0000, #0000ff, 0.5)\nscene { for: 1s  rect { fill: |c } }", "(color)", "`#"),
    Row("let p = 25% + 25%\nscene { for: 1s  rect { opacity: |p } }", "= `50%` (percentage)"),
    Row("let l = [1, 2, 3]\nscene { for: 1s  rect { size: len(|l) } }", "= `[1, 2, 3]` (list)"),
    Row("let w = \"a{1 + 1}\"\nscene { for: 1s  text { content: |w } }", "= `\"a2\"` (text)"),
    Row(
      "let g = linear-gradient(red, blue)\nscene { for: 1s  background: |g }",
      "linear-gradient(#ff0000, #0000ff"),
    Row(
      "let r = 1 .. 3\nscene { for: 1s  rect { size: random(4, range: |r) * 100 } }",
      "= `1 .. 3` (range)"),
    Row("let s = shadow(blur: 4)\nscene { for: 1s  rect { shadow: |s } }", "(shadow)"),
    Row(
      "filter dim(k: number) { let a = uv.x * k\n color: srgb(|a, 0, 0) }\nscene { for: 1s  rect { filter: dim(2) } }",
      "type `number`"),
    Row(
      "filter dim(k: number = 2) { color: sample(source, xy) }\nscene { for: 1s  rect { filter: |dim(2) } }",
      "filter dim(k: number)"),
    Row("filter dim() { color: sample(source, |xy) }\nscene { }", "position of the pixel"),
    Row("transition dim { color: sample(|from, xy) }\nscene { }", "The outgoing clip"),
    Row("transition dim { color: sample(to, |uv) }\nscene { }", "position of the pixel as"),
    Row("let b = 3 > 2\nscene { for: 1s  rect { visible: |b } }", "= `true` (bool)"),
    // Expressions, at their operators and brackets.
    Row("scene { for: 1s  rect { size: 3 |+ 4 } }", "= `7` (number)"),
    Row("scene { for: 1s  rect { size: (3 + 4|) * 2 } }", "= `7` (number)"),
    Row("scene { for: 1s  rect { size: (3 + 4) |* 2 } }", "= `14` (number)"),
    Row("scene { for: 1s  rect { size: |max(3, 4) } }", "max(", "= `4` (number)"),
    Row("scene { for: 1s  rect { opacity: true |? 1 : 0 } }", "= `1` (number)"),
    Row("scene { for: 1s  rect r {}  circle { position: r.|center } }", "= `(960, 540)` (pair)"),
    Row("scene { for: 1s  rect r { for: 0.5s }  circle { at: r.|end } }", "= `0.5s` (time)"),
    Row("scene { for: 1s  rect r {}  circle { radius: r.box.|width / 2 } }", "= `100` (number)"),
    Row("scene { for: 1s  rect { size: scene.|width } }", "= `1920` (number)"),
    // Properties.
    Row("scene { for: 1s  rect { |size: 3 * 40 } }", "size: size = 100", "= `120` (number)"),
    Row("scene { for: 1s  circle { |radius: 3 * 40 } }", "radius: length = 50", "= `120`"),
    Row("scene { for: 1s  rect { |opacity: 1 } }", "opacity: share = 1"),
    Row("scene { for: 1s  rect { |fill: mix(red, blue, 0.25) } }", "fill: paint", "(color)"),
    // Variable values, at three times.
    Row("scene { for: 4s  rect { |opacity: 0 -> 1 } }", "`0` at 0s", "`0.5` at 2s", "`1` at 4s"),
    Row(
      "scene { for: 4s  rect { rotate: 90deg * |progress } }", "`0` at 0s", "`0.5` at 2s",
      "`1` at 4s"),
    Row(
      "scene { for: 4s  rect { rotate: |t * 10deg / 1s } }", "`0s` at 0s", "`2s` at 2s",
      "`4s` at 4s"),
    Row(
      "scene { for: 4s  rect { at: 1s  for: 2s  |opacity: 0 -> 1 } }", "`0` at 1s", "`0.5` at 2s",
      "`1` at 3s"),
    Row("scene { for: 4s  rect { fill: red |-> blue } }", "`#ff0000` at 0s", "`#0000ff` at 4s"),
    Row(
      "scene { for: 4s  rect { |scale: keyframes { 0s: 1; 4s: 3 } } }", "`1` at 0s", "`2` at 2s",
      "`3` at 4s"),
    // Rounds.
    Row(
      "scene { for: 1s  for i in 0..5 { rect { size: i |* 10 } } }", "= `0`",
      "in the last iteration `40`"),
    Row(
      "scene { for: 1s  for i in 0..5 { rect { size: |i * 10 } } }", "= `0`",
      "in the last iteration `4`"),
    Row(
      "component D(x: number) { rect { size: |x } }\nscene { for: 1s  D { x: 3 }  D { x: 8 } }",
      "= `3`", "in the last use `8`"),
    Row("scene { for: 1s  for i in 0..5 { |rect { } } }", "0s–1s", "5 iterations"),
    Row(
      "component D(x: number) { |rect { size: x } }\nscene { for: 1s\n  D { x: 3 }\n  D { x: 8 } }",
      "used 2 times; here: line 3"),
    Row(
      "scene { for: 1s  |rect { alt: \"A \\n box\" } }", "A rectangle",
      "alternative text: `A box`"),
    Row("scene { for: 1s  rect |card { alt: \"A box\" } }", "alternative text: `A box`"),
    // Elements.
    Row(
      "scene { for: 6s  rect |card { at: 0.5s;  for: 4s;  size: 420x160 } }", "rect card",
      "0.5s–4.5s (frames 15–134)", "box 420×160 at (960, 540)"),
    Row(
      "scene { for: 6s  |rect { at: 0.5s;  for: 4s } }", "A rectangle", "0.5s–4.5s", "box 100×100"),
    Row("scene { for: 6s  rect card { }  circle { at: |card.start } }", "rect card", "0s–6s"),
    Row(
      "scene { for: 1s  circle |c { radius: 30;  position: (100, 200) } }",
      "box 60×60 at (100, 200)"),
    // Easings.
    Row("scene { for: 1s  rect { opacity: 0 -> 1 with |ease-out-cubic } }", "▁", "█"),
    Row("scene { for: 1s  rect { easing: |ease-in } }", "▁", "█"),
    Row(
      "let e = spring(bounce: 0.3)\nscene { for: 1s  rect { opacity: 0 -> 1 with |e } }",
      "spring(bounce: 0.3)", "▁"),
    // The language.
    Row("scene { for: 1s  |circle { } }", "A circle with a `radius`"),
    Row(
      "fn |half(x: number) -> number = x / 2\nscene { for: 1s  rect { size: half(3) } }",
      "fn half(x: number) -> number"),
    Row(
      "/// Twice as much.\nfn two(x: number) -> number = x * 2\nscene { for: 1s  rect { size: |two(3) } }",
      "Twice as much."),
    Row(
      "fn two(x: number) -> number = |x * 2\nscene { for: 1s  rect { size: two(3) } }",
      "= `3` (number)"),
    Row("scene { for: 1s  rect { enter: |fade } }", "effect fade", "std/effects.scene"),
    Row("param size: |length = 3\nscene { for: 1s }", "A length: a number of pixels"),
    Row(
      "scene { for: 1s  rect { opacity: 0 |-> 1 } }", "`a -> b over 1s after 0.5s with ease-out`"),
    // Broken texts.
    Row("let wide = 420\nscene { for: 1s  rect { size: |wide ", "let wide"),
    Row("scene { for: 1s  rect { |opacity: } }", "opacity: share"),
    Row("scene { for: 1s  rect { size: 3 |* 4;  nonsense: 3 } }", "= `12` (number)"),
    Row("let a = 2\nscene { for: 1s  rect { size: |a;  fill: unknown } }", "= `2` (number)"),
    Row("scene { rect |card { } ", "rect card"),
    // Units whose value depends on the scene.
    Row("scene { tempo: 120;  for: 8s  rect { at: |2beat } }", "= `1s` (time)"),
    Row("scene { fps: 25;  for: 8s  rect { at: 1|2f } }", "= `0.48s` (time)"),
    Row("scene { tempo: 120;  for: 8s  rect { at: 1s |+ 2beat } }", "= `2s` (time)"),
    Row(
      "scene { tempo: 90;  for: 8s  let bar = 4beat\n  rect { at: |bar } }", "let bar = 4beat",
      "= `2.667s` (time)"),
    // Enumeration words.
    Row("scene { for: 1s  rect { blend: |multiply } }", "blend: normal | ", "as one layer"),
    Row("scene { for: 1s  text \"a\" { align: |center } }", "align: "),
    Row("scene { for: 1s  output { codec: |h264 } }", "codec: h264 | h265", "The codec of an"),
    Row(
      "scene { for: 1s  rect { enter: slide(from: |left) } }",
      "from: left | right | top | bottom"),
    Row("scene { for: 1s  text \"a b\" { each |word { enter: fade } } }", "Animates the units"),
    Row("scene { for: 1s  rect { fill: |none } }", "no paint, no effect"),
    Row("scene { for: 1s  rect { visible: |true } }", "The true Boolean"),
    // The library and imports.
    Row(
      "import \"std/charts.scene\"\nscene { for: 1s  |BarChart { values: [1, 2] } }",
      "component BarChart(values: list<number>", "Vertical bars", "from `std/charts.scene`"),
    Row(
      "import \"std/charts.scene\"\nscene { for: 1s  BarChart { |values: [1, 2] } }",
      "values: list<number> = []", "= `[1, 2]` (list)"),
    Row("import \"std/ch|arts.scene\"\nscene { for: 1s }", "declares `", "`BarChart`"),
    Row(
      "import \"std/charts.scene\" as |c\nscene { for: 1s  c.BarChart { } }",
      "import \"std/charts.scene\" as c"),
    Row("|import \"std/charts.scene\"\nscene { for: 1s }", "names of another file"),
    Row(
      "scene { for: 4s  sequence { rect { for: 2s }\n  circle { for: 2s;  transition: |dissolve } } }",
      "transition dissolve(light: srgb | linear)\n", "from `std/transitions.scene`"),
    Row("scene { for: 1s  rect { filter: |blur(3) } }", "-> filter", "= `blur(3)` (filter)"),
    Row("scene { for: 4s  rect { enter: |blur-in } }", "effect blur-in", "std/effects.scene"),
    // Arguments and parameters.
    Row(
      "fn f(a: number, b: number = 2) -> number = a * b\nscene { for: 1s  rect { opacity: f(|a: 1 + 3) } }",
      "a: number\n", "= `4` (number)"),
    Row(
      "scene { for: 1s  rect { scale: sin(|angle: 30deg + 60deg) } }", "angle: angle", "= `90deg`"),
    Row(
      "/// A dot.\ncomponent Dot(x: number) { circle { radius: x } }\nscene { for: 1s  |Dot { x: 3 } }",
      "component Dot(x: number)", "A dot."),
    Row(
      "component Dot(|x: number) { circle { radius: x } }\nscene { for: 1s  Dot { x: 3 }  Dot { x: 8 } }",
      "x: number\n", "= `3`", "in the last use `8`"),
    Row(
      "fn half(|x: number) -> number = x / 2\nscene { for: 1s  rect { size: half(9) } }",
      "= `9` (number)"),
    Row(
      "scene { for: 1s  for |i in 0..5 { rect { size: i * 10 } } }", "for i in 0..5", "= `0`",
      "in the last iteration `4`"),
    Row(
      "param speed: number = 1 + 1 in 1 .. 4\nscene { for: 1s  rect { scale: |speed } }",
      "param speed: number = 1 + 1 in 1 .. 4", "= `2` (number)"),
    Row("|param speed: number = 2 in 1 .. 4\nscene { for: 1s }", "the caller sets"),
    // Markers and clips.
    Row(
      "scene { for: 4s  marker drop { at: 2s }\n  rect { at: |drop } }", "marker drop { at: 2s }"),
    Row("scene { for: 4s  marker |drop { at: 2s } }", "marker drop { at: 2s }"),
    Row(
      "scene { for: 4s  sequence { |rect { for: 3s }\n  circle { for: 1s } } }", "0s–3s",
      "box 100×100"),
    Row(
      "scene { for: 4s  sequence { rect { for: 3s }\n  |circle { for: 1s } } }", "3s–4s",
      "(frames 90–119)"),
    Row(
      "scene { for: 4s  rect card { }\n  |change of card { at: 1s;  opacity: 0 } }", "1s–", "frames"
    ),
    // Formulas, data and records.
    Row("scene { for: 1s  |math $a^2$ }", "A formula in TeX"),
    Row("scene { for: 1s  math $\\al|pha^2$ }", "`\\alpha` is α"),
    Row("let r = (a: 1 + 1, b: \"x\")\nscene { for: 1s  rect { size: |r.a } }", "(a: 2, b: \"x\")"),
    Row("let r = (a: 1 + 1, b: \"x\")\nscene { for: 1s  rect { size: r.|a } }", "= `2` (number)"),
    Row(
      "let xs = [for n in 0..3: n * 2]\nscene { for: 1s  rect { size: |xs[1] } }",
      "= `[0, 2, 4]` (list)"),
    Row(
      "let rows = [(name: \"Ada\"), (name: \"Bob\")]\nscene { for: 1s  for row in rows { text \"{row.|name}\" } }",
      "= `\"Ada\"`", "in the last iteration `\"Bob\"`"),
    // Scenes, styles, steps and clauses.
    Row("scene |film { for: 3s }", "scene film", "0s–3s (frames 0–89)"),
    Row("scene { |size: 1920x1080;  for: 1s }", "size: size\n", "Width and height"),
    Row("style |loud { fill: red }\nscene { for: 1s  rect { style: loud } }", "style loud\n"),
    Row("scene { for: 1s  path { |move (0, 0);  line (3, 4) } }", "Begins a subpath"),
    Row("scene { for: 4s  rect { opacity: 0 -> 1 |over 1s } }", "The duration of a motion"),
    Row("scene { for: 4s  rect { opacity: 0 -> 1 |with ease-out } }", "The easing of a motion"),
    Row("scene { for: 4s  rect { |easing: spring(bounce: 0.2) } }", "easing: ", "█"),
    Row("scene { for: 1s  rect { fill: |rgb(255, 0, 0) } }", "-> color", "= `#ff0000` (color)"),
    Row("scene { for: 1s  rect { fill: |tomato } }", "= `#ff6347` (color)"),
    // Unused names and libraries have types, but no values.
    Row("let |unused = 3 * 4\nscene { for: 1s }", "number"),
    Row("let |of-library = 3 * 4", "number"),
  ]

  @Test(arguments: rows) func says(_ row: Row) {
    let said = Self.said(row.text)
    for text in row.has { #expect(said.contains(text), "\(text) in \(said)") }
  }

  /// The playhead of a preview replaces the middle time.
  @Test func valuesAtThePlayhead() {
    let text = "scene { for: 4s  rect { |opacity: 0 -> 1 } }"
    #expect(Self.said(text, at: 1).contains("`0.25` at 1s"))
    #expect(Self.said(text, at: 9).contains("`0.5` at 2s"))
  }

  @Test func whatIsPlainHasNoValue() {
    for text in [
      "scene { for: |1s }", "scene { for: 1s  rect { size: |100 } }",
      "// a| note\nscene { for: 1s }",
      "scene { for: 1s  text \"a|b\" }",
    ] {
      #expect(Self.said(text) == "", "\(text)")
    }
  }

  /// Values are available in every scene of the file.
  @Test func valuesOfOtherScenes() {
    let text =
      "scene a { for: 1s  rect { size: 3 |* 5 } }\nscene b { for: 2s  rect { size: 4 * 6 } }"
    #expect(Self.said(text).contains("= `15`"))
  }
}
