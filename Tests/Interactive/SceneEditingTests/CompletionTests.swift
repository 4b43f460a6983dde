// SPDX-License-Identifier: MIT
import Foundation
import SceneEditing
import SceneModel
import SceneTestSupport
import SceneText
import SceneTypes
import Testing

/// Completions at the position marked with `|`.
@Suite("Completion", .cpuBudget(seconds: 1)) struct CompletionTests {
  static func offered(_ marked: String) -> [String] {
    let parts = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let text = parts.joined()
    let workspace = Workspace(["a.scene": FileFacts(Array(text.utf8), name: "a.scene")])
    return workspace.completions(
      at: parts[0].utf8.count, in: "a.scene",
      files: {
        ["photo.png", "logo.svg", "film.mp4", "voice.wav", "brand.scene", "names.csv", "own.ttf"]
      }, families: { ["EB Garamond", "Lato"] }, vectors: { vectors }
    ).items.map(\.label)
  }

  private static let vectors = [
    "logo.svg": VectorDrawing(nodes: [
      VectorDrawing.Node(id: nil, kind: "svg", parent: -1, end: 3, layer: -1),
      VectorDrawing.Node(id: "wheel", kind: "circle", parent: 0, end: 2, layer: 0),
      VectorDrawing.Node(id: "hull", kind: "path", parent: 0, end: 3, layer: 1),
    ]),
    "b.svg": VectorDrawing(nodes: [
      VectorDrawing.Node(id: "cloud", kind: "path", parent: -1, end: 1, layer: 0)
    ]),
  ]

  struct Row: Sendable, CustomStringConvertible {
    let text: String
    var has: [String] = []
    var lacks: [String] = []
    var description: String { text }
  }

  static let rows: [Row] = [
    Row(text: "|", has: ["scene", "component", "import"], lacks: ["rect", "fill"]),
    Row(text: "scene { | }", has: ["rect", "for", "size", "text"], lacks: ["radius", "span"]),
    Row(
      text: "scene {\n  circle {\n    |\n  }\n}", has: ["radius", "fill"], lacks: ["size", "scene"]),
    Row(text: "scene { circle { radius: 3; | } }", has: ["fill"], lacks: ["radius"]),
    Row(text: "scene { rect { opa|", has: ["opacity"]),
    Row(text: "scene { svg \"|\" }", has: ["logo.svg"], lacks: ["photo.png", "wheel"]),
    Row(
      text: "scene { svg \"logo.svg\" { part \"|\" } }", has: ["wheel", "hull"], lacks: ["cloud"]),
    Row(text: "scene { svg \"b.svg\" { part \"|\" } }", has: ["cloud"], lacks: ["wheel"]),
    Row(
      text: "scene { svg a \"logo.svg\"\n circle { position: a[\"wh|\"].center } }", has: ["wheel"]),
    Row(
      text: "scene { svg a \"logo.svg\"\n svg b \"b.svg\"\n change of b[\"|\"] { fill: red } }",
      has: ["cloud"], lacks: ["wheel"]),
    Row(
      text: "scene { svg \"logo.svg\" { each part { enter: fade }\n part \"|\" } }", has: ["hull"],
      lacks: ["cloud"]),
    Row(text: "scene { svg \"logo.svg\" { each | } }", has: ["part"], lacks: ["glyph", "rect"]),
    Row(
      text: "scene { svg \"logo.svg\" { each part { | } } }",
      has: ["enter", "stagger", "fill", "order", "filter", "stroke-width", "position", "clip"],
      lacks: ["blur", "content"]),
    Row(
      text: "scene { svg \"logo.svg\" { each part { stagger: 0.1s;  order: end;  | } } }",
      has: ["shadow"], lacks: ["blur", "order", "stagger"]),
    Row(
      text: "scene { svg \"logo.svg\" { each part { if true { | } } } }", has: ["filter"],
      lacks: ["blur"]),
    Row(
      text: "scene { svg \"logo.svg\" { each part { for i in 0..3 { | } } } }", has: ["rect"],
      lacks: ["blur", "filter", "order"]),
    Row(
      text: "scene { svg \"logo.svg\" { each part { filter: | } } }", has: ["blur"],
      lacks: ["true"]),
    Row(text: "scene { svg \"logo.svg\" { each part { order: | } } }", has: ["random"]),
    Row(
      text: "scene { text \"a\" { each glyph { | } } }", has: ["blur", "order"],
      lacks: ["filter", "stroke-width"]),
    Row(
      text: "scene { math $a$ { each term { | } } }", has: ["blur", "stagger"],
      lacks: ["filter", "content"]),
    Row(
      text: "scene { text \"a\" { each wo| } }", has: ["glyph", "word", "line"], lacks: ["part"]),
    Row(text: "scene { math $a$ { each | } }", has: ["glyph", "term"], lacks: ["part", "word"]),
    Row(text: "scene { text \"a\" { font: [\"|\"] } }", has: ["Lato"], lacks: ["wheel"]),
    Row(
      text: "scene { rect { fill: | } }", has: ["red", "rgb", "none", "linear-gradient"],
      lacks: ["row"]),
    Row(text: "scene { rect { fill: st|", has: ["steelblue"]),
    Row(text: "scene { rect { blend: | } }", has: ["multiply", "screen"], lacks: ["red", "sin"]),
    Row(text: "scene { text \"a\" { align: | } }", has: ["left", "center"]),
    Row(
      text: "scene { rect { opacity: 0 -> 1 over 1s with | } }", has: ["ease-out"], lacks: ["red"]),
    Row(
      text: "scene { rect { opacity: 0 -> 1 | } }", has: ["over", "with", "after"], lacks: ["fill"]),
    Row(text: "scene { for: 2|", has: ["s", "ms", "f"], lacks: ["for", "deg"]),
    Row(text: "scene { rect { rotate: 45| } }", has: ["deg", "turn"], lacks: ["s", "px"]),
    Row(text: "scene { rect { opacity: 0 -> 1 over 2| } }", has: ["s"], lacks: ["deg"]),
    Row(text: "scene { rect { opacity: 1 * 2| } }", has: ["s", "deg", "%"]),
    Row(text: "scene { rect box { }\n change of b|", has: ["box"], lacks: ["rect", "sin"]),
    Row(text: "scene { let own = red\n background: o| }", has: ["own"]),
    Row(text: "let b = 1\nlet a = |", has: ["b"], lacks: ["a"]),
    Row(text: "scene { for i in | { } }", has: ["len"], lacks: ["i"]),
    Row(
      text: "scene { rect { fill: mix(red, | } }", has: ["b", "share", "blue"], lacks: ["a"]),
    Row(text: "scene { for: 2m|", has: ["ms", "min"]),
    Row(text: "let a = 1\nscene { rect { opacity: |", has: ["a", "sin", "t"]),
    Row(text: "let a = |", has: ["sin"], lacks: ["scene"]),
    Row(text: "param size: |", has: ["length", "color"]),
    Row(text: "scene { image \"|\" }", has: ["photo.png", "logo.svg"], lacks: ["film.mp4"]),
    Row(text: "scene { video \"|", has: ["film.mp4"], lacks: ["photo.png"]),
    Row(text: "scene { audio \"v|\" }", has: ["voice.wav", "film.mp4"]),
    Row(text: "import \"|\"", has: ["brand.scene", "std/charts.scene"], lacks: ["photo.png"]),
    Row(text: "scene { text \"Hello |\" }", lacks: ["rect", "sin"]),
    Row(text: "scene { text \"{|}\" }", has: ["sin"], lacks: ["row"]),
    Row(text: "scene { math $\\fr|{a} }", has: ["\\frac", "\\alpha"], lacks: ["rect"]),
    Row(text: "scene { math $a + |$ }", lacks: ["\\frac", "rect"]),
    Row(text: "// a note |", lacks: ["scene"]),
    Row(text: "// scenec: allow |", has: ["W0307"], lacks: ["E0201"]),
    Row(text: "// scenec: allow W0307 W|", has: ["W0307"]),
    Row(text: "// scenec: allow W0307 the title |", lacks: ["W0307"]),
    Row(text: "scene { rect { position: | } }", has: ["center", "top-left"]),
    Row(text: "scene { rect { enter: | } }", has: ["fade", "slide"]),
    Row(text: "scene { sequence { rect { transition: | } } }", has: ["dissolve"]),
    Row(text: "component Dot(size: length) { }\nscene { Dot { | } }", has: ["size", "position"]),
    Row(text: "component Dot(size: length) { }\nscene { |", has: ["Dot"]),
    Row(text: "component Dot { | }", has: ["rect", "position"], lacks: ["background"]),
    Row(
      text: "fn f(a: number, b: number) -> number = a\nscene { rect { opacity: f(|",
      has: ["a", "b"]),
    Row(
      text: "fn f(a: number, b: number) -> number = a\nscene { rect { opacity: f(a: 1, |",
      has: ["b"]),
    Row(text: "scene { rect r { }  circle { at: r.| } }", has: ["start", "end"], lacks: ["rect"]),
    Row(text: "scene { rect { opacity: scene.| } }", has: ["width", "height"]),
    Row(text: "scene { for i in 0..3 { | } }", has: ["rect", "circle"]),
    Row(text: "scene { if true { | } }", has: ["rect"]),
    Row(text: "scene { path { move (0, 0); line | } }", has: ["by"], lacks: ["rect"]),
    Row(text: "scene { path { | } }", has: ["move", "curve", "through", "stroke"]),
    Row(text: "scene { rect { fill: pattern(\"|\") } }", has: ["photo.png"], lacks: ["film.mp4"]),
    Row(text: "style loud { | }", has: ["fill", "font-size"], lacks: ["rect", "let"]),
    Row(text: "transition swap { | }", has: ["from", "to"]),
    Row(text: "component Box { | }", has: ["slot"]),
    Row(text: "scene { |", has: ["BarChart", "Confetti"]),
    Row(text: "import \"std/charts.scene\"\nscene { |", has: ["BarChart"]),
    Row(text: "component Dot(tint: color) { }\nscene { Dot { tint: | } }", has: ["red", "rgb"]),
    Row(
      text:
        "import \"std/plot.scene\"\nlet own = (a: 1)\ncomponent Dot(theme: record) { }\nscene { Dot { theme: | } }",
      has: ["own"], lacks: ["plane", "sin"]),
    Row(
      text:
        "let a = (ink: 1, tint: 2)\nlet b = (tint: 3, ink: 4)\nlet c = (x: 1)\nlet d = 3\ncomponent Dot(theme: record = a) { }\nscene { Dot { theme: | } }",
      has: ["a", "b"], lacks: ["c", "d"]),
    Row(text: "component Dot(on: bool) { }\nscene { Dot { on: | } }", has: ["true", "false"]),
    Row(text: "scene { rect r { }  circle { opacity: r.| } }", has: ["opacity", "center", "box"]),
    Row(text: "scene { rect { rotate: sin(| } }", has: ["angle"]),
    Row(text: "scene { rect { shadow: | } }", has: ["shadow"], lacks: ["sin"]),
    Row(text: "scene { rect { filter: | } }", has: ["blur", "saturate"], lacks: ["sin"]),
    Row(text: "scene { rect { fill: |\n  circle { }\n}", has: ["red"]),
    Row(
      text: "scene { text \"a\" { | } }", has: ["each", "span", "font"],
      lacks: ["marker", "radius"]),
    Row(text: "scene { text \"a\" { font: |", has: ["\"Lato\"", "serif"], lacks: ["Lato"]),
    Row(text: "scene { text \"a\" { font: \"|\" } }", has: ["EB Garamond", "Lato", "own.ttf"]),
    Row(text: "scene { text \"a\" { font: [\"La|", has: ["Lato"]),
    Row(
      text: "scene { row { align: | } }", has: ["top", "center", "stretch"],
      lacks: ["left", "right"]),
    Row(
      text: "scene { column { align: | } }", has: ["left", "stretch"], lacks: ["top", "bottom"]),
    Row(text: "scene { grid { align: | } }", has: ["left", "top"], lacks: ["stretch"]),
    Row(
      text: "scene { video \"a.mp4\" { speed: 2; | } }", has: ["trim", "loop"], lacks: ["time"]),
    Row(
      text: "scene { video \"a.mp4\" { time: t; | } }", has: ["volume"],
      lacks: ["trim", "loop", "speed"]),
    Row(text: "transition wipe { | }", has: ["from", "to"], lacks: ["opacity", "enter"]),
    Row(text: "scene { output { | } }", has: ["codec", "quality"], lacks: ["rect", "fill"]),
    // Unclosed bodies, after a space or on a separate line.
    Row(text: "scene a { let wide = 3; circle { radius: |", has: ["wide", "sin"], lacks: ["fill"]),
    Row(text: "scene a {\n  let wide = 3\n  circle {\n    radius:\n      |", has: ["wide"]),
    Row(text: "scene a { for own in 0..3 { circle { radius: |", has: ["own"]),
    // The members of values follow from their types.
    Row(
      text: "let theme = (tint: orange, deep: (far: 2))\nscene a { rect { fill: theme.|",
      has: ["tint", "deep"], lacks: ["fill", "x"]),
    Row(
      text: "let theme = (tint: orange, deep: (far: 2))\nscene a { rect { opacity: theme.deep.|",
      has: ["far"], lacks: ["tint"]),
    Row(
      text: "let rows = [(name: 1, much: 2)]\nscene a { for row in rows { rect { opacity: row.|",
      has: ["name", "much"], lacks: ["x"]),
    Row(text: "let rows = [(name: 1)]\nscene a { text { font-size: rows[0].|", has: ["name"]),
    Row(text: "let place = (1, 2)\nscene a { rect { opacity: place.|", has: ["x", "y"]),
    Row(
      text: "import \"std/themes.scene\"\nlet own = night\nscene a { rect { fill: own.|",
      has: ["paper", "ink"], lacks: ["x"]),
    Row(
      text: "import \"std/themes.scene\" as looks\nscene a { rect { fill: looks.|", has: ["night"]),
    Row(
      text: "scene a { for own in 0..3 { circle { radius: 1 } } circle { radius: |", lacks: ["own"]),
    Row(text: "component Dot(much: number) { circle { radius: |", has: ["much"]),
    Row(text: "component Dot(much: number) { circle { }  rect { opacity: | } }", has: ["much"]),
    Row(text: "component Dot(much: number) { opacity: | }", has: ["much"]),
    Row(text: "fn f(much: number) -> number = |", has: ["much"]),
    Row(text: "scene a { circle { radius: 3\n    |", has: ["fill"], lacks: ["radius"]),
    Row(text: "scene a { sequence { rect {\n      |", has: ["transition"]),
    Row(text: "scene a { for i in 0..3 {\n    |", has: ["rect"], lacks: ["opacity"]),
    Row(
      text: "scene a { row { rect { align-self: | } } }", has: ["top", "stretch"],
      lacks: ["left", "baseline"]),
    Row(text: "scene a { column { rect { align-self: | } } }", has: ["left"], lacks: ["top"]),
    Row(text: "scene a { row { text \"a\" { align-self: | } } }", has: ["baseline"]),
    Row(text: "scene a { text \"a\" { | } }", has: ["span"]),
    Row(text: "scene a { text \"a\" { syntax: \"swift\"\n | } }", has: ["each"], lacks: ["span"]),
  ]

  /// Completions before existing text, which must fit that text.
  static let restRows: [Row] = [
    // In brackets, the value may be on the next line. A name with a colon is the next argument.
    Row(text: "scene { rect { position: (|\n  min(1, 2), 3) } }", lacks: ["sin", "max"]),
    Row(text: "scene { rect { position: (|\n  fill: red } }", has: ["sin", "max"]),
    Row(text: "scene { rect { fill: linear-gradient(red, |\n blue) } }", lacks: ["red", "rgb"]),
    Row(text: "scene { rect { shadow: shadow(blur: 4, | color: red) } }", lacks: ["red", "rgb"]),
    Row(text: "let it = (a: 1, | b: 2)", lacks: ["sin"]),
    Row(text: "scene { rect { points: [| for x in 0..3: x] } }", lacks: ["sin"]),
    // Positions of declared names.
    Row(text: "let all = [for x, | in 0..3: x]", lacks: ["sin", "all"]),
    Row(text: "let it = fn(|, y) = y", lacks: ["sin", "number"]),
    Row(text: "let it = fn(x: |, y) = y", has: ["number"], lacks: ["sin"]),
    // The value of an existing name, and the remaining names.
    Row(text: "scene { rect { enter: wipe(from: |) } }", has: ["left"], lacks: ["red", "from"]),
    Row(text: "let it = format(3, decimals: |)", has: ["sin"], lacks: ["group"]),
    Row(text: "let it = format(3, |, group: \" \")", has: ["decimals"], lacks: ["group", "x"]),
    Row(
      text: "component F(f: fn(number) -> number) { }\nfn half(x: number) -> number = x / 2\n"
        + "let k = 3\nscene { F { f: | } }",
      has: ["fn", "half", "sqrt", "floor"], lacks: ["k", "scene-time", "rgb", "mix", "min", "red"]),
    Row(
      text: "component F(f: fn(number) -> number) { circle { radius: f(1) } }\n"
        + "component G(f: fn(number) -> number, k: number) { F { f: | } }",
      has: ["f"], lacks: ["k", "t"]),
    Row(
      text: "component F(f: fn(text) -> color) { }\nscene { F { f: | } }", has: ["fn"],
      lacks: ["sqrt", "gold"]),
    Row(
      text: "import \"std/cards.scene\"\nscene { SafeArea { kind: | } }", has: ["title", "reel"],
      lacks: ["red", "sin", "left"]),
    Row(
      text: "scene { circle { radius: keyframes { 0s: 1 }| } }", lacks: ["fill", "rect", "over"]),
    Row(text: "scene { output film { audio { | } } }", has: ["codec"], lacks: ["source", "pan"]),
    Row(text: "scene { for i in 0..3 { | } }", has: ["rect"], lacks: ["clip", "mask"]),
    Row(text: "component A() { for i in 0..3 { | } }", has: ["rect"], lacks: ["slot"]),
    Row(text: "component A() { size: 3x3 }\nscene { A { | } }", has: ["opacity"], lacks: ["size"]),
    Row(text: "component A() { | }\nscene { A { size: 3x3 } }", has: ["opacity"], lacks: ["size"]),
    Row(text: "scene { sequence { rect { at: 1s;  transition: | } } }", lacks: ["dissolve"]),
    Row(text: "scene { rect { anchor: 1 < 2 ? | center : left } }", lacks: ["bottom", "sin"]),
    Row(text: "let it = fold([1], 0, f|n(a, x) = a)", lacks: ["sin", "max"]),
    Row(text: "scene { rect { fill: mix(red,\n  alpha | } }", lacks: ["sin", "blue"]),
    Row(text: "style a { | }", has: ["fill"], lacks: ["content"]),
    Row(text: "scene {\r\nlet a = 1\r\n|\r\n", has: ["scene", "let"], lacks: ["rect"]),
    Row(text: "scene {\nlet a = 1\n|", has: ["scene", "component"], lacks: ["rect"]),
    Row(text: "scene { text \"{1}|\" }", lacks: ["sin"]),
    Row(text: "scene { rect { fi|: red } }", has: ["opacity", "size"], lacks: ["let", "circle"]),
    Row(text: "scene { re| { } }", has: ["circle", "group"], lacks: ["opacity", "let"]),
    Row(text: "scene { te| \"a\" { } }", has: ["text"], lacks: ["opacity", "let"]),
    Row(text: "scene { rect { op| fill: red } }", has: ["opacity", "shadow"]),
    Row(text: "scene { rect { opacity: mi|(1, 2) } }", has: ["min", "max"], lacks: ["keyframes"]),
    Row(text: "let own = 1\nscene { rect { opacity: | 0.5 } }", lacks: ["own", "sin"]),
    Row(text: "let own = 1\nscene { rect { opacity: | -> 0.5 } }", has: ["own", "sin"]),
    Row(text: "scene { le| own = 3 }", has: ["let"], lacks: ["rect", "opacity"]),
    Row(text: "scene { po| \"a\" }", has: ["text"], lacks: ["polygon"]),
    Row(text: "scene { rect { } | circle { } }", has: ["rect", "let"]),
    // After a complete value.
    Row(text: "scene { for | }", lacks: ["sin", "len"]),
    Row(text: "scene { text \"{len(\"a\") |}\" }", lacks: ["sin"]),
    Row(text: "scene { rect { opacity: min(1 |) } }", lacks: ["sin", "over"]),
    Row(text: "scene { rect { opacity: 1 | } }", lacks: ["over", "with", "sin"]),
    Row(
      text: "scene { rect { opacity: 0 -> 1 over 1s | } }", has: ["after", "with"], lacks: ["over"]),
    Row(
      text: "scene { rect { scale: keyframes { 0s: 1; 1s: 2 | } } }", has: ["with"], lacks: ["over"]
    ),
    Row(text: "scene { rect { enter: fade | } }", has: ["over", "with"]),
    Row(text: "scene { rect { opacity: 50%| } }", has: ["%"]),
    Row(
      text: "component Dot() { circle { } }\nscene { Dot { | } }", has: ["position"],
      lacks: ["rect", "let"]),
    Row(text: "component Dot() { slot }\nscene { Dot { | } }", has: ["position", "rect"]),
    Row(text: "scene { group { clip { }\n | } }", has: ["rect"], lacks: ["mask"]),
    Row(text: "scene { background: red\n  rect { }| }", lacks: ["background"]),
    Row(text: "transition swap { from { }\n | }", has: ["to"], lacks: ["from"]),
    Row(text: "filter dim() {\n | }", has: ["color", "reach"], lacks: ["rect", "fill"]),
    Row(text: "paint dim() {\n | }", has: ["color"], lacks: ["reach", "rect"]),
    Row(text: "filter dim() { color: red\n | }", has: ["reach"], lacks: ["color"]),
    Row(
      text: "filter dim(k: number) { let a = 3\n let b = | }",
      has: ["xy", "uv", "size", "pixel", "source", "sample", "k", "a", "noise"]),
    Row(text: "scene { text \"{|}\" }", has: ["noise"], lacks: ["xy", "sample", "source"]),
    Row(text: "transition melt {\n | }", has: ["from", "to", "color", "let", "rect"]),
    Row(text: "transition melt { color: red\n | }", lacks: ["from", "to", "color", "rect"]),
    Row(text: "transition melt { from { }\n | }", has: ["to", "let"], lacks: ["color"]),
    Row(
      text: "transition melt(k: number) { let a = 3\n color: | }",
      has: ["from", "to", "progress", "xy", "uv", "size", "pixel", "sample", "k", "a"],
      lacks: ["source"]),
    Row(
      text: "transition melt { from { opacity: | }\n to { } }", has: ["progress"],
      lacks: ["xy", "sample"]),
    Row(
      text: "component G(value: number, face: easing) { circle { } }\nscene { G { change { | } } }",
      has: ["value", "at", "opacity"], lacks: ["face", "rect"]),
    Row(
      text: "scene { rect { change { fill: red\n | } } }", has: ["size", "at", "easing", "let"],
      lacks: ["fill", "enter", "rect"]),
    Row(
      text: "scene { text words \"a\" { }\n change of words { | } }",
      has: ["font-size", "content"],
      lacks: ["font"]),
    Row(
      text: "component G(value: number, tint: color) { circle { } }\n"
        + "scene { G g { value: 1; tint: red }\n change of g { value: 3\n | } }",
      has: ["tint", "at"], lacks: ["value"]),
    Row(
      text:
        "component G(tint: color) { circle { } }\nscene { G { tint: red\n change { tint: | } } }",
      has: ["teal"], lacks: ["ease-in"]),
    Row(
      text: "scene { svg logo \"logo.svg\"\n change of logo[\"wheel\"] { | } }",
      has: ["fill", "opacity", "at"], lacks: ["max-height", "grow"]),
    Row(
      text: "scene { circle c { }\n text \"abc\" { along: c\n | } }", has: ["start-offset"],
      lacks: ["width", "max-width"]),
    Row(text: "scene { text \"a\" { scale: 1 -> 1.06 | } }", has: ["over", "with"]),
    Row(
      text: "scene { text \"a\" {\n scale: 1 -> 1.06\n each glyph | } }", lacks: ["over", "with"]),
    Row(text: "scene { text \"a\" {\n scale: 1 -> 1.06\n each glyph |", lacks: ["over", "after"]),
    Row(
      text: "let plane = (x: 1, y: 2)\nlet tints = (red: red)\nlet both = (x: 3, y: 4, z: 5)\n"
        + "fn place(a: number, on: record) = on.y\n"
        + "component Dot(on: record) { circle { radius: on.x + place(1, on) } }\n"
        + "scene { Dot { on: | } }",
      has: ["plane", "both"], lacks: ["tints"]),
    Row(
      text: "scene { text { span \"2\" { baseline-shift: | } } }", has: ["sub", "super"],
      lacks: ["top-left"]),
    Row(text: "fil|", has: ["filter"]),
    Row(text: "scene { rect { fill: keyframes { 0s: | } } }", has: ["red", "rgb"], lacks: ["row"]),
  ]

  @Test(arguments: rows + restRows) func offers(_ row: Row) {
    let found = Self.offered(row.text)
    for word in row.has { #expect(found.contains(word), "\(word) in \(found.prefix(40))") }
    for word in row.lacks { #expect(!found.contains(word), "\(word)") }
  }

  /// The surrounding text may be broken in any way: it may end here, contain unmatched brackets, or
  /// contain incomplete declarations.
  @Test(arguments: rows) func offersInBrokenTexts(_ row: Row) {
    let parts = row.text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let isOpen = parts[0].reversed().first { $0 == "\"" || $0 == "\n" } == "\""
    var broken = [
      "let half-done = \n" + row.text, row.text + "\n) ] } let = @\nscene x {\n rect { fill:",
    ]
    // The end of a truncated text does not close a string.
    if !isOpen { broken.append(parts[0] + "|\n") }
    for text in broken {
      let found = Self.offered(text)
      for word in row.has { #expect(found.contains(word), "\(word) in \(text)") }
      for word in row.lacks { #expect(!found.contains(word), "\(word) in \(text)") }
    }
  }

  private static func item(_ label: String, in marked: String) -> CompletionItem? {
    let parts = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let workspace = Workspace(["a.scene": FileFacts(Array(parts.joined().utf8), name: "a.scene")])
    return workspace.completions(at: parts[0].utf8.count, in: "a.scene").items
      .first { $0.label == label }
  }

  @Test func whatIsInserted() {
    #expect(Self.item("opacity", in: "scene { rect { |")?.snippet == "opacity: ${1:1}")
    #expect(Self.item("opacity", in: "scene { rect { |")?.insert == "opacity: ")
    #expect(Self.item("circle", in: "scene { |")?.snippet == "circle {\n\t$0\n}")
    #expect(Self.item("mix", in: "scene { rect { fill: |")?.snippet?.hasPrefix("mix(${1:") == true)
    #expect(
      Self.item("Dot", in: "component Dot(x: number, y: number = 1) { }\nscene { |")?.snippet
        == "Dot {\n\tx: ${1:1}$0\n}")
    #expect(Self.item("blend", in: "scene { rect { |")?.snippet == "blend: ${1:normal}")
    #expect(
      Self.item("each", in: "scene { svg \"logo.svg\" { |")?.snippet
        == "each ${1|part|} {\n\t$0\n}")
    #expect(
      Self.item("each", in: "scene { text \"a\" { |")?.snippet
        == "each ${1|glyph,word,line|} {\n\t$0\n}")
    #expect(
      Self.item("Dot", in: "component Dot(f: fn(number, text) -> color) { }\nscene { |")?.snippet
        == "Dot {\n\tf: ${1:fn(x, y) = #ff8a3d}$0\n}")
    #expect(
      Self.item("Tangent", in: "transition swap { from { |")?.snippet?.contains("fn(x) = 1") == true
    )
    #expect(Self.item("let", in: "let name = 1\nscene { |")?.snippet == "let ${1:name2} = ${2:1}")
    #expect(Self.item("align", in: "scene { row { |")?.snippet?.contains("left") == false)
    // Existing text is not inserted again.
    #expect(Self.item("opacity", in: "scene { rect { fi|: red } }")?.insert == nil)
    #expect(Self.item("circle", in: "scene { re| card { } }")?.snippet == nil)
    #expect(Self.item("max", in: "scene { rect { opacity: mi|(1, 2) } }")?.snippet == nil)
    #expect(
      Self.item("blend", in: "scene { rect { b| fill: red } }")?.snippet == "blend: ${1:normal};")
    #expect(Self.item("blend", in: "scene { rect { b| fill: red } }")?.insert == "blend: ")
    #expect(Self.item("BarChart", in: "scene { |")?.importing == "std/charts.scene")
    #expect(Self.item("red", in: "scene { rect { fill: |")?.documentation == "#ff0000")
  }

  /// Required properties come first, followed by the most frequent ones.
  @Test func theOrder() {
    let offered = Self.offered(
      "component Dot(needed: number, more: number = 1) { }\nscene { Dot { |")
    #expect(offered.first == "needed")
    let properties = Self.offered("scene { rect { |").prefix(12)
    #expect(properties.contains("fill") && properties.contains("size"))
    #expect(!properties.contains("miter-limit"))
  }

  /// The most frequent colors precede items that are not colors.
  @Test func coloursComeFirst() throws {
    let offered = Self.offered("scene { rect box { }\n circle { fill: | } }")
    let place = { (word: String) in try #require(offered.firstIndex(of: word), "\(word)") }
    #expect(try place("red") < place("box") && place("white") < place("sin"))
  }

  /// Names with a type that fits precede those of other types.
  @Test(arguments: [
    ("let wide = 3\nlet tint = red\nscene { rect { fill: | } }", "tint", "wide"),
    ("let tint = red\nlet wide = 3\nscene { rect { opacity: | } }", "wide", "tint"),
    ("let wide = 3\nlet soon = 2s\nscene { rect { at: | } }", "soon", "wide"),
    ("let name = \"a\"\nlet wide = 3\nfn f(x: number) -> number = sqrt(|)", "wide", "name"),
  ])
  func whatFitsComesFirst(_ text: String, _ fitting: String, _ other: String) throws {
    let offered = Self.offered(text)
    let place = { (word: String) in try #require(offered.firstIndex(of: word), "\(word)") }
    #expect(try place(fitting) < place(other))
  }

  /// The columns of a table are known from the last check.
  @Test func columnsAreOffered() throws {
    let text = "let rows = data(\"names.csv\")\nscene { for row in rows { text \"{row.}\" } }"
    let workspace = Workspace(["a.scene": FileFacts(Array(text.utf8), name: "a.scene")])
    let declared = try #require(text.range(of: "row in")).lowerBound.utf16Offset(in: text)
    let offset = try #require(text.range(of: "row.}")).lowerBound.utf16Offset(in: text) + 4
    let items = workspace.completions(
      at: offset, in: "a.scene",
      computed: { span in
        span.start == declared
          ? .record(RecordType([RecordType.Field(name: "country", type: .cell)])) : nil
      }
    ).items
    #expect(items.map(\.label) == ["country"])
  }

  @Test func pagesOfWhatIsOffered() {
    let workspace = Workspace([
      "a.scene": FileFacts(Array("/// Half of it.\nlet half = 3\nscene { }".utf8), name: "a.scene")
    ])
    #expect(workspace.documentation(ofPage: "property/opacity")?.contains("transparent") == true)
    #expect(workspace.documentation(ofPage: "element/rect")?.contains("corner-radius: 30") == true)
    #expect(workspace.documentation(ofPage: "easing/ease-in")?.contains("▁") == true)
    #expect(workspace.documentation(ofPage: "name/0/a.scene")?.contains("Half of it.") == true)
    for page in ["", "name", "name/9/a.scene", "name/0/b.scene", "property/none-such", "x/y/z"] {
      _ = workspace.documentation(ofPage: page)
    }
  }
}
