// SPDX-License-Identifier: MIT
import SceneTestSupport
import Testing

/// A small scene and the expected result.
struct BlowUp: Sendable, CustomTestStringConvertible {
  let name: String
  let source: String
  var files: [String: String] = [:]
  /// A part of the expected message; `nil` if an image is drawn.
  let wanted: String?

  var testDescription: String { name }

  init(
    _ name: String, _ source: String, files: [String: String] = [:], wanted: String? = nil
  ) {
    self.name = name
    self.source = source
    self.files = files
    self.wanted = wanted
  }

  /// Returns a row whose text is in a scene, with declarations before it.
  private static func body(
    _ name: String, _ body: String, before: String = "", files: [String: String] = [:],
    wanted: String? = nil
  ) -> BlowUp {
    BlowUp(
      name, "\(before)scene { size: 640x360; fps: 30; for: 2s; background: teal\n\(body)\n}",
      files: files, wanted: wanted)
  }

  private static func times(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  private static func list(
    _ count: Int, _ separator: String, _ item: (Int) -> String
  ) -> String {
    (0..<count).map(item).joined(separator: separator)
  }

  static let all: [BlowUp] =
    chains + depths + products + doublings + calls + instances + texts + outlines + shared + layers
    + files + motions + errors + transitions + layouts + rings + values

  /// Those that take about a second or more.
  private static let large: Set = [
    "many large scenes", "components of ten", "captions that are made to fit", "100000 names",
    "99999 texts", "50000 circles", "30000 moving", "99000 captions",
    "5000 texts of several lines", "20000 steps", "scenes of two scenes",
    "900 sizes of fonts that change", "a tree in a sort key", "a tree of calls",
    "5000 texts at one place", "long JSON", "captions at one time", "open braces",
    "3000 sizes of fonts", "300 texts on paths of their own", "a tree of known calls",
    "300000 unknown properties", "components of nothing", "one table of colours 200 times",
    "blurs that move", "300 morphs of other texts", "2000 texts on a path",
    "50000 unknown elements", "1000 blurs", "900000 points",
  ]

  /// All but two thirds of the large ones, or all in a soak.
  static let share: [BlowUp] =
    all.filter { !large.contains($0.name) }
    + all.filter { large.contains($0.name) }.share(every: 3)

  // MARK: Long and deep

  private static let chain = "an expression has more than"
  private static let nested = "nested more than 256 levels deep"
  private static let deep = "too many values depend on each other"

  private static let chains: [BlowUp] = [
    body("sum of 100000", "circle { radius: \(times("1+", 100_000))1 }", wanted: chain),
    body("sum of 1400", "circle { radius: \(times("1+", 1400))1 }"),
    body("product of 10000", "circle { radius: \(times("1*", 10_000))1 }", wanted: chain),
    body(
      "or of 10000", "circle { visible: \(times("false or ", 10_000))true }", wanted: chain),
    body("indices", "circle { radius: x\(times("[0]", 100_000)) }", wanted: chain),
    body("members", "circle { radius: a\(times(".a", 100_000)) }", wanted: chain),
    body("comparisons", "circle { visible: \(times("1 < ", 10_000))2 }", wanted: "E0112"),
    body("ranges", "let x = \(times("1..", 10_000))2\ncircle { }", wanted: "E0112"),
    body("conditions", "circle { radius: \(times("true ? 1 : ", 30_000))1 }", wanted: nested),
    body("minus", "circle { radius: \(times("-", 100_000))1 }", wanted: nested),
    body("not", "circle { visible: \(times("not ", 30_000))true }", wanted: nested),
    body(
      "tween of 9000", "circle { radius: \(list(9000, " -> ") { "\($0 % 50)" }) }"),
    body(
      "tween of texts", "text { content: \(list(9000, " -> ") { "\"a\($0)\"" }) }"),
    body(
      "tween of paths",
      "path { data: \(list(600, " -> ") { "path(\"M0 0h\($0 + 1)v9z\(times("M5 5h3v3z", $0 % 3))\")" }) }"
    ),
    body("calls in calls", "circle { radius: \(times("abs(", 10_000))1 }", wanted: nested),
    body("brackets", "circle { radius: \(times("(", 100_000))1 }", wanted: nested),
    body("lists in lists", "let x = \(times("[", 100_000))1", wanted: nested),
    body("texts in texts", "text \"\(times("{\"", 2000))x", wanted: "error"),
    body("groups", times("group { ", 50_000), wanted: nested),
    body("braces", times("{", 200_000), wanted: "error"),
    body(
      "else if", list(5000, " else ") { "if \($0) > 9999 { circle { } }" }, wanted: nested),
    BlowUp(
      "comments in comments",
      times("/*", 100_000) + times("*/", 100_000) + "scene { size: 64x64; for: 1s; circle { } }"),
    BlowUp("separators", times(";", 1_000_000), wanted: "E0211"),
  ]

  private static func lets(
    _ count: Int, _ last: String = "1", _ value: (String) -> String
  ) -> String {
    (0..<count).map { "let a\($0) = \(value("a\($0 + 1)"))\n" }.joined()
      + "let a\(count) = \(last)\n"
  }

  private static let depths: [BlowUp] =
    [
      ("sums", lets(3000) { "\($0) + 1" }),
      ("calls", lets(200) { times("abs(", 40) + $0 + times(")", 40) }),
      ("signs", lets(200) { times("-", 200) + $0 }),
      ("conditions", lets(200) { times("t > 1s ? 1 : ", 100) + $0 }),
      ("tweens", lets(3000) { "(\($0) -> 3)" }),
      ("delays", lets(3000, "t / 1s") { "delay(\($0), 0s)" }),
      ("lists", lets(3000) { "[\($0)][0]" }),
      ("keyframes", lets(3000) { "keyframes { 0s: \($0); 1s: 3 }" }),
    ].map { body("names on names: \($0.0)", "circle { radius: a0 }", before: $0.1, wanted: deep) }
    + [
      ("places", "rect", "position: a#.center; rotate: 3deg"),
      ("sizes", "rect", "size: (a#.box.width, 5)"),
      ("lives", "rect", "at: a#.start"),
      ("fonts", "text", "font-size: a#.font-size"),
      ("points", "circle", "position: point-at(a#, 30%)"),
      ("arrows", "arrow", "from: a#; to: (5, 5)"),
    ].map { name, kind, clauses in
      let content = kind == "text" ? "\"x\" " : ""
      let chain = list(3000, "\n") {
        "\(kind) a\($0) \(content){ \(clauses.replacing("#", with: "\($0 + 1)")) }"
      }
      let last = kind == "text" ? "text a3000 \"x\" { font-size: 20 }" : "rect a3000 { }"
      return body("\(name) on \(name)", chain + "\n" + last, wanted: deep)
    }

  /// Nested rows and columns, in which each length depends on those around it.
  private static let layouts: [BlowUp] = [
    ("column", "size: 100%", "rect { grow: 1 }"),
    ("column", "size: 99%", "text \"words\" { width: 50% }"),
    ("row", "grow: 1;  align: stretch", "rect { align-self: stretch }"),
    ("row", "size: 90%;  min-width: 50%;  max-height: 90%;  padding: 1%", "rect { }"),
    ("column", "size: (100%, 50%);  wrap: true;  gap: 1%", "rect { size: 100% }"),
  ].map { kind, properties, leaf in
    body(
      "60 of \(kind) with \(properties)",
      times("\(kind) { \(properties)\n", 60) + leaf + times(" }", 60))
  }

  /// A percentage of a box that fits its content.
  private static let rings: [BlowUp] = [
    "row { align: stretch\n row { rect { size: 100% } } }",
    "column { column { align-self: stretch;  rect { size: 100% } } }",
    times("row { align: stretch\n", 60) + "rect { size: 50% }" + times(" }", 60),
    times("row { min-width: 50%;  max-height: 90%;  padding: 1%\n", 60) + "rect { }"
      + times(" }", 60),
    times("column { align-self: stretch;  padding: 1%\n", 60) + "circle { }" + times(" }", 60),
  ].enumerated().map { body("ring \($0) of rows", $1, wanted: "depends on itself") }

  /// Nested transitions: each clip is a child of the transition before it and of the one after it.
  private static let transitions: [BlowUp] = [("2s", "plain"), ("60s", "long")].flatMap {
    life, name in
    let nested =
      times("sequence { transition: dissolve over 0.1s\n", 60) + "rect { for: 1s } rect { for: 1s }"
      + times("rect { for: 1s } }", 60)
    return [
      BlowUp(
        "\(name) transitions in transitions", "scene { size: 64x64;  for: \(life)\n\(nested) }"),
      BlowUp(
        "a scene of \(name) transitions",
        "scene inner { size: 64x64;  for: \(life)\n\(nested) }\n"
          + "scene { size: 64x64;  for: \(life);  inner { } }"),
    ]
  }

  // MARK: Loops, doublings, calls

  private static let products: [BlowUp] = [
    body(
      "four loops", "for a in 0..1000 { for b in 0..1000 { for c in 0..1000 { circle { } } } }",
      wanted: "exceeds the limit 'elements'"),
    body(
      "four empty loops",
      "for a in 0..1000 { for b in 0..1000 { for c in 0..1000 { for d in 0..1000 { } } } }",
      wanted: "exceeds the limit 'rounds'"),
    body(
      "a loop of 1e18", "for a in 0..1e18 { circle { } }", wanted: "exceeds the limit 'elements'"),
    body("a loop of no number", "for a in 0..(0 / 0) { circle { } }", wanted: "E0308"),
    body(
      "lists in lists",
      "let x = [for a in 0..1000: [for b in 0..1000: [for c in 0..1000: a]]]\ntext \"{len(x)}\"",
      wanted: "exceeds the limit 'rounds'"),
    body(
      "50000 circles", "for a in 0..50000 { circle { radius: 1; position: (a, a) } }"),
    body(
      "30000 moving",
      "for a in 0..30000 { circle { radius: 1 -> 5; position: (a * wave(1s), a) } }"),
    body(
      "a list printed", "text \"{join([for a in 0..99999: \"abcdefghij\"], \", \")}\"",
      wanted: "the limit 'characters'"),
    body(
      "sorted", "let x = sort([for a in 0..99999: random(a)])\ntext \"{first(x)}\""),
  ]

  private static let eight =
    "let s0 = \"abcdefgh\"\n"
    + (1..<14).map { "let s\($0) = \"\(times("{s\($0 - 1)}", 8))\"\n" }.joined()
  private static let moving =
    "let s0 = \"a{t}\"\n"
    + (1..<24).map { "let s\($0) = t > 1s ? \"{s\($0 - 1)}b\" : \"{s\($0 - 1)}c\"\n" }.joined()
  private static let ten =
    "let l0 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n"
    + (1..<15).map { "let l\($0) = [\(times("l\($0 - 1), ", 9))l\($0 - 1)]\n" }.joined()

  private static let doublings: [BlowUp] = [
    body("a text made 8-fold", "text \"{s13}\"", before: eight, wanted: "the limit 'characters'"),
    body("8 to the 4th", "text \"{s4}\"", before: eight, wanted: "the limit 'text'"),
    body(
      "its length alone", "text \"{len(\"{s13}\")}\"", before: eight,
      wanted: "the limit 'characters'"),
    body(
      "a moving text doubled", "text \"{s23}\"", before: moving,
      wanted: "the limit 'characters'"),
    body(
      "a list made 10-fold", "text \"{len(l14)}\" { font-size: 20 }", before: ten,
      wanted: "the limit 'parts'"),
    body("it printed", "text \"{l14}\"", before: ten, wanted: "the limit 'parts'"),
    body(
      "20000 steps", "steps { for k in 0..20000 { step { for: 0.1ms;  rect { size: 2 } } } }"),
    body(
      "one table of colours 200 times",
      "for k in 0..200 { rect { size: 100%;  filter: lut(\"t.cube\") } }",
      files: ["t.cube": "LUT_3D_SIZE 33\n" + times("0 0.5 1\n", 33 * 33 * 33)]),
    body(
      "a text looked for in a text",
      "circle { radius: contains(\"\(times("a", 400_000))\", \"\(times("a", 200_000))b\") ? 1 : 2 }"
    ),
    body(
      "a text split",
      "circle { radius: len(split(\"\(times("a", 400_000))\", \"\(times("a", 200_000))b\")) }"),
    body(
      "it joined", "text \"{join(l14, \",\")}\"", before: ten, wanted: "the limit 'parts'"),
    body(
      "it mixed", "let x = l14 -> reverse-list(l14)\ntext \"{len(x)}\"", before: ten,
      wanted: "the limit 'parts'"),
    body(
      "paths doubled", "path { data: p19 }",
      before: "let p0 = path(\"M0 0h9v9z\") -> path(\"M0 0h9v9h5v5z\")\n"
        + (1..<20).map {
          "let p\($0) = t > 1s ? p\($0 - 1) : (p\($0 - 1) -> path(\"M0 0h\($0)v9z\"))\n"
        }.joined(), wanted: "the limit 'steps'"),
  ]

  private static func functions(_ leaf: String, _ count: Int) -> String {
    "fn f0(x: number) -> number = \(leaf)\n"
      + (1..<count).map {
        "fn f\($0)(x: number) -> number = f\($0 - 1)(x) + f\($0 - 1)(x + 1) + f\($0 - 1)(x * 2)\n"
      }.joined()
  }

  private static let calls: [BlowUp] = [
    body(
      "a tree of calls", "circle { radius: f39(t / 1s) }", before: functions("x + t / 1s", 40),
      wanted: "the limit 'steps'"),
    body(
      "a tree of known calls", "circle { radius: f13(1) }", before: functions("x + 1", 14),
      wanted: "the limit 'steps'"),
    body(
      "calls itself", "circle { radius: f(1) }", before: "fn f(x: number) -> number = f(x + 1)\n",
      wanted: "E0311"),
    body(
      "calls itself twice", "circle { radius: f(1) }",
      before: "fn f(x: number) -> number = f(x + 1) + f(x - 1)\n", wanted: "E0311"),
    body(
      "call each other", "circle { radius: f(1) }",
      before: "fn f(x: number) -> number = g(x)\nfn g(x: number) -> number = f(x)\n",
      wanted: "E0311"),
    body(
      "calls itself twice", "circle { radius: f(1) }",
      before: "fn f(x: number) -> number = f(x + 1) + f(x + 2)\n", wanted: "E0"),
    body(
      "a tree in a sort key", "text \"{first(sort([for i in 0..999: i], by: f9))}\"",
      before: functions("-x", 10), wanted: "the limit 'steps'"),
  ]

  private static let instances: [BlowUp] = [
    body(
      "components of ten", "C14 { }",
      before: "component C0() { circle { radius: 1 } }\n"
        + (1..<15).map { "component C\($0)() { \(times("C\($0 - 1) { }; ", 10))}\n" }.joined(),
      wanted: "the limit"),
    body(
      "components of nothing", "C14 { }",
      before: "component C0() { }\n"
        + (1..<15).map { "component C\($0)() { \(times("C\($0 - 1) { }; ", 10))}\n" }.joined(),
      wanted: "exceeds the limit 'elements'"),
    body("holds itself", "A { }", before: "component A() { A { } }\n", wanted: "E0311"),
    body(
      "hold each other", "A { }",
      before: "component A() { B { } }\ncomponent B() { A { } }\n", wanted: "E0311"),
    body(
      "slots", times("S { ", 60) + "circle { }" + times(" }", 60),
      before: "component S() { slot; slot }\n", wanted: "E0210"),
    BlowUp(
      "scenes of two scenes",
      (0..<30).map {
        "scene s\($0) { size: 64x64; for: 1s; \($0 == 0 ? "circle { }" : times("s\($0 - 1) { }; ", 2)) }\n"
      }.joined(), wanted: "exceeds the limit 'elements'"),
    BlowUp("a scene in itself", "scene a { size: 64x64; for: 1s; a { } }", wanted: "E0311"),
    BlowUp(
      "many large scenes",
      (0..<30).map { "scene s\($0) { for: 1s; for i in 0..50000 { circle { } } }\n" }.joined(),
      wanted: "exceeds the limit 'elements'"),
    body(
      "fitting groups", times(" group { size: fit; ", 60) + "text \"a\" { }" + times(" }", 60)),
    body(
      "masks in masks", times("group { mask { circle { } }; ", 50) + "rect { }" + times(" }", 50)),
    body(
      "sequence of 3000",
      "sequence { transition: dissolve over 1f\n\(times("rect { for: 2f }\n", 3000)) }"),
    body("row of 1000", "row { for i in 0..1000 { text \"a{i}\" { font-size: 5 } } }"),
    body(
      "arrows", "for i in 0..3000 { arrow { from: (i, 0); to: (0, i); route: curve; stroke: red } }"
    ),
  ]

  // MARK: Texts

  private static let texts: [BlowUp] = [
    body(
      "99999 texts", "for a in 0..99999 { text \"{a}\" { font-size: 9 } }",
      wanted: "the limit 'steps'"),
    body(
      "3000 sizes of fonts", "for a in 0..3000 { text \"{a}\" { font-size: 20 + a / 100 } }",
      wanted: "the limit 'steps'"),
    body(
      "900 sizes of fonts that change",
      "for a in 0..900 { text \"{a}\" { font-size: 20 + a / 100 + wave(1s) } }",
      wanted: "the limit 'drawing'"),
    body("200 sizes of fonts", "for a in 0..200 { text \"{a}\" { font-size: 20 + a / 100 } }"),
    body(
      "5000 texts of several lines",
      "for a in 0..5000 { text \"Text {a} with some words and more {t}\" { width: 100;  align: justify } }",
      wanted: "the limit 'drawing'"),
    body(
      "99000 captions", "captions \"c.srt\"",
      files: [
        "c.srt": (0..<99_000).map {
          "\($0)\n00:00:00,000 --> 00:00:01,000\nx\n\n"
        }.joined()
      ], wanted: "captions exceed the limits of a scene"),
    body("5000 texts at one place", "for a in 0..5000 { text \"{a}\" { font-size: 20 } }"),
    body(
      "2000 texts in a grid",
      "for a in 0..2000 { text \"{a}\" { font-size: 6; position: (mod(a, 40) * 16, floor(a / 40) * 7) } }"
    ),
    body(
      "2000 texts that move",
      "for a in 0..2000 { text \"{a}\" { font-size: 6; position: (mod(a, 40) * 16 + wave(1s), 50%) } }"
    ),
    body("a text of 500000", "text \"\(times("word ", 100_000))\"", wanted: "the limit 'text'"),
    body("one line of 9999", "text \"\(times("W", 9999))\" { font-size: 9 }"),
    body("wrapped", "text \"\(times("word ", 1900))\" { font-size: 9; width: 100 }"),
    body("marks", "text \"e\(times("\u{301}", 9000))\" { font-size: 30 }"),
    body("directions", "text \"\(times("\u{202E}\u{2066}", 4000))x\" { font-size: 9 }"),
    body(
      "each glyph",
      "text \"\(times("ab ", 700))\" { font-size: 9; width: 600; each glyph { stagger: 1ms; enter: fade over 0.4s } }"
    ),
    body(
      "spans", "text { \(list(20_000, "\n") { "span \"a\($0)\" { fill: red }" }) }",
      wanted: "the limit 'steps'"),
    body(
      "captions at one time", "captions \"c.srt\"",
      files: [
        "c.srt": (0..<1500).map {
          "\($0)\n00:00:00,000 --> 00:00:02,000\nline \($0)\n\n"
        }.joined()
      ]),
    body(
      "captions with many spans", "captions \"c.vtt\"",
      files: ["c.vtt": "WEBVTT\n\n00:00.000 --> 00:02.000\n\(times("<i>a</i>b", 4000))\n"],
      wanted: "the limit 'steps'"),
    body(
      "captions with some spans", "captions \"c.vtt\"",
      files: [
        "c.vtt": "WEBVTT\n\n"
          + (0..<2000).map {
            "00:\($0 / 50 + 10):\($0 % 50 + 10).000 --> 00:59:59.000\n<i>Ann:</i> \($0)\n\n"
          }.joined()
      ]),
    body(
      "captions in a region", "captions \"c.vtt\"",
      files: [
        "c.vtt": "WEBVTT\n\nREGION\nid:r\nscroll:up\n\n"
          + (0..<1000).map {
            "00:00.000 --> 00:02.000 region:r\n\($0)\n\n"
          }.joined()
      ]),
    body(
      "captions that are made to fit", "captions \"c.srt\"",
      files: [
        "c.srt": (0..<3000).map {
          "\($0)\n00:00:00,000 --> 00:00:02,000\n\(times("too long for two lines ", 9))\($0)\n\n"
        }.joined()
      ], wanted: "the limit 'steps'"),
    body(
      "open tags", "captions \"c.srt\"",
      files: ["c.srt": "1\n00:00:00,000 --> 00:00:02,000\n" + times("<", 9000)],
      wanted: "the limit 'steps'"),
    body(
      "open braces", "captions \"c.srt\"",
      files: ["c.srt": "1\n00:00:00,000 --> 00:00:02,000\n" + times("{\\ ", 3000)]),
    body("size 1e308", "text \"a\" { font-size: 1e308 }"),
    body(
      "fitted", "text \"\(times("word ", 1900))\" { fit-width: 10; max-lines: 1; width: 10 }"),
  ]

  // MARK: Drawings

  private static func crossing(_ count: Int) -> String {
    "[for i in 0..\(count): (random(i) * 640, random(i + 0.5) * 360)]"
  }

  private static let outlines: [BlowUp] = [
    body(
      "a polygon that crosses itself", "polygon { points: \(crossing(99_999)) }",
      wanted: "the limit 'drawing'"),
    body(
      "it stroked", "polygon { points: \(crossing(99_999)); fill: none; stroke: red }",
      wanted: "the limit 'drawing'"),
    body("a smaller one", "polygon { points: \(crossing(4000)) }"),
    body("it stroked, smaller", "polygon { points: \(crossing(1000)); fill: none; stroke: red }"),
    body(
      "900000 points",
      "path \"M0 0\(list(900_000, "") { " L\($0 % 640) \($0 * 7 % 360)" })\" { stroke: red; fill: none }",
      wanted: "the limit 'drawing'"),
    body(
      "over a million points", "path \"M0 0\(times(" L1 1", 1_100_000))\" { stroke: red }",
      wanted: "the limit 'path'"),
    body(
      "50000 curves",
      "path \"M0 0\(list(50_000, "") { " C\($0 * 13 % 640) \($0 * 7 % 360) \($0 * 17 % 640) \($0 * 11 % 360) \($0 * 29 % 640) \($0 * 5 % 360)" })\" { fill: red }",
      wanted: "the limit 'drawing'"),
    body(
      "a wide line",
      "path \"M0 0\(list(100_000, "") { " L\($0 % 640) \($0 * 7 % 360)" })\" { stroke: red; stroke-width: 50; fill: none; join: round }"
    ),
    body("points that move", "polygon { points: [for i in 0..5000: (i * wave(1s), i * 7)] }"),
    body("a star", "star { points: 1e9; radius: 99 }", wanted: "E0305"),
    body(
      "dashes", "circle { radius: 100000; fill: none; stroke: red; dash: [0.01, 0.01] }"),
    body(
      "morph of contours",
      "path { data: path(\"\(list(1900, "") { "M\($0) 0h1v1z" })\") -> path(\"\(list(1900, "") { "M\($0) 9h2v2z" })\") }"
    ),
    body(
      "morph of too many",
      "path { data: path(\"\(list(6000, "") { "M\($0) 0h1v1z" })\") -> path(\"M0 9h2v2z\") }",
      wanted: "points cannot be mixed"),
    body(
      "three keys between texts",
      "text a \"morphing\" { visible: false }\ntext b \"between words\" { visible: false }\npath { data: a -> b -> a; position: center; anchor: top-left }"
    ),
    body(
      "numbers without end",
      "circle { radius: 1e308 }\nrect { size: (1e308, 1e308); rotate: 1e18deg; scale: 1e300 }"),
  ]

  private static let words =
    "text a \"morphing words\" { visible: false; font-size: 20 -> 90 over 1s }\ntext b \"between\" { visible: false }\n"
  private static let wave =
    "move (20, 180); through [\(list(500, ", ") { "(\(20 + $0), \(100 + $0 * 37 % 90))" })]"

  /// Paths that many elements share.
  private static let shared: [BlowUp] = [
    body(
      "300 morphs of texts", words + "for i in 0..300 { path { data: a -> b; position: (i, i) } }"),
    body(
      "300 of them at times of their own",
      words + "for i in 0..300 { path { data: a -> b over (1s + i * 1ms); position: (i, i) } }"),
    body(
      "300 morphs of other texts",
      "for i in 0..300 { text a \"morphing {i}\" { visible: false }\ntext b \"between {i}\" { visible: false }\npath { data: a -> b } }",
      wanted: "the limit 'steps'"),
    body(
      "300 that move",
      "for i in 0..300 { \(words.replacing("words", with: "{i}"))path { data: a -> b } }",
      wanted: "the limit 'steps'"),
    body(
      "5000 points of a text",
      "text a \"morphing words\"\nfor i in 0..5000 { circle { radius: 2; position: point-at(a, i / 5000 + t / 10s) } }"
    ),
    body(
      "5000 points of paths of their own",
      "for i in 0..5000 { circle { radius: 2; position: point-at(path(\"M{i} 0\(times("c9 9 20 3 9 40", 99))\"), t / 10s) } }",
      wanted: "the limit 'steps'"),
    body(
      "50000 points",
      "for i in 0..50000 { circle { position: point-at(path(\"M0 0h99v99\"), t / 10s) } }",
      wanted: "the limit 'steps'"),
    body(
      "300 texts on a path",
      "path p { \(wave); visible: false }\nfor i in 0..300 { text \"text {i} that is long\" { along: p; start-offset: i * 0.3%; font-size: 20 } }"
    ),
    body(
      "2000 texts on a path",
      "path p { \(wave); visible: false }\nfor i in 0..2000 { text \"text {i} that is long\" { along: p; start-offset: i * 0.05%; font-size: 20 } }",
      wanted: "the limit 'drawing'"),
    body(
      "300 texts on paths of their own",
      "for i in 0..300 { path p { \(wave); rotate: i * 1deg; visible: false }\ntext \"text {i} that is long\" { along: p; font-size: 20 } }"
    ),
  ]

  private static let layers: [BlowUp] = [
    body(
      "20000 blurs", "for a in 0..20000 { circle { radius: 90; filter: blur(20) } }",
      wanted: "the limit 'drawing'"),
    body("1000 blurs", "for a in 0..1000 { circle { radius: 90; filter: blur(20) } }"),
    body(
      "5000 radial gradients",
      "for i in 0..5000 { rect { size: 100%; fill: radial-gradient(hsl(i * 1deg, 50%, 50%), blue, red) } }",
      wanted: "the limit 'drawing'"),
    body(
      "5000 linear gradients",
      "for i in 0..5000 { rect { size: 100%; fill: linear-gradient(red, blue) } }",
      wanted: "the limit 'drawing'"),
    body(
      "2000 blends",
      "for i in 0..2000 { rect { size: 100%; blend: multiply; opacity: 0.5 } }",
      wanted: "the limit 'drawing'"),
    body(
      "blurs that move",
      "for a in 0..20000 { circle { radius: 90; position: (a * wave(1s), 50%); filter: blur(20) } }",
      wanted: "the limit"),
    BlowUp(
      "motion blur",
      "scene { size: 1920x1080; for: 1s; motion-blur: 360deg; samples: 128\nfor i in 0..300 { rect { size: 100%; opacity: 0.5; position: (i * 6 * wave(1s), 50%) } } }",
      wanted: "the limit 'drawing'"),
    body(
      "filters", "rect { filter: [\(times("blur(3), ", 999))blur(3)] }",
      wanted: "filters, more than the limit"),
    body(
      "wide blurs", "for i in 0..8 { group { size: 100%; filter: blur(400); rect { size: 100% } } }"
    ),
    body(
      "gradient stops",
      "rect { fill: linear-gradient(\(list(10_000, ", ") { "rgb(\($0 % 255), 9, 9)" })) }",
      wanted: "10000 stops, more than the limit"),
  ]

  // MARK: Files, times, faults

  private static let files: [BlowUp] = [
    body(
      "a wide and long table", "let x = data(\"a.csv\")\ntext \"{len(x)}\"",
      files: ["a.csv": list(20_000, ",") { "c\($0)" } + "\n" + times("1\n", 20_000)],
      wanted: "--limit cells"),
    body(
      "a table of commas", "let x = data(\"a.csv\")\ntext \"{len(x)}\"",
      files: ["a.csv": "a\n" + times(",", 2_000_000)], wanted: "--limit cells"),
    body(
      "200000 columns", "let x = data(\"a.csv\")\ntext \"{len(x)}\" { font-size: 20 }",
      files: ["a.csv": list(200_000, ",") { "c\($0)" } + "\n1\n"]),
    body(
      "a cell that never ends", "let x = data(\"a.csv\")\ntext \"{len(x)}\"",
      files: ["a.csv": "a\n\"" + times("x\n", 500_000)], wanted: "a.csv:2:1"),
    body(
      "quotes", "let x = data(\"a.csv\")\ntext \"{len(x)}\"",
      files: ["a.csv": "a\n" + times("\"\"", 1_000_000)]),
    body(
      "empty rows", "let x = data(\"a.csv\")\ntext \"{len(x)}\" { font-size: 20 }",
      files: ["a.csv": "a\n" + times("\n", 3_000_000)], wanted: "--limit cells"),
    body(
      "deep JSON", "let x = data(\"a.json\")\ntext \"{len(x)}\"",
      files: ["a.json": times("[", 100_000) + times("]", 100_000)], wanted: "'a.json'"),
    body(
      "wide JSON", "let x = data(\"a.json\")\ntext \"{len(x)}\" { font-size: 20 }",
      files: ["a.json": "[{" + list(100_000, ",") { "\"c\($0)\": 1" } + "}]"]),
    body(
      "long JSON", "let x = data(\"a.json\")\ntext \"{len(x)}\" { font-size: 20 }",
      files: ["a.json": "[" + list(500_000, ",") { "\($0)" } + "]"]),
    BlowUp(
      "imports itself", "import \"scene.scene\"\nscene { for: 1s; circle { } }", wanted: "E0209"),
    body(
      "imports on imports", "circle { }", before: "import \"d0.scene\"\n",
      files: Dictionary(
        uniqueKeysWithValues: (0..<25).map {
          (
            "d\($0).scene",
            $0 == 24
              ? "let z = 1\n"
              : "import \"d\($0 + 1).scene\" as a\nimport \"d\($0 + 1).scene\" as b\nlet v\($0) = 1\n"
          )
        })),
  ]

  private static let motions: [BlowUp] = [
    body(
      "10001 keys",
      "circle { radius: keyframes { \(list(10_001, "; ") { "\($0)ms: \($0 % 50)" }) } }",
      wanted: "more than 10000 keyframes"),
    body(
      "keys of texts",
      "text { content: keyframes { \(list(9000, "; ") { "\(Double($0) / 5)ms: \"a\($0)\"" }) } }"),
    body(
      "keys of paths",
      "path { data: keyframes { \(list(500, "; ") { "\($0)ms: path(\"M0 0H\($0 + 9)V\($0 + 9)Z\")" }) } }"
    ),
    body(
      "a path on a path",
      list(600, "\n") { "path a\($0) { data: a\($0 + 1) -> r; visible: false }" }
        + "\npath a600 \"M0 0h9v9z\"\nrect r { }", wanted: deep),
    BlowUp(
      "1e9 frames", "scene { fps: 1000; for: 86400s; circle { } }",
      wanted: "exceeds the limit 'frames'"),
    BlowUp("100 hours", "scene { for: 360000s; circle { } }", wanted: "exceeds the limit 'hours'"),
    BlowUp(
      "1e9 pixels", "scene { size: 100000x100000; for: 1s; circle { } }",
      wanted: "exceeds the limit 'side'"
    ),
    body(
      "a loop of no length", "circle { radius: loop(0 -> 9 over 0.000000001s) }"),
  ]

  private static let errors: [BlowUp] = [
    BlowUp(
      "300000 unknown properties", "scene { for: 1s\n\(times("foo: 1\n", 300_000))}",
      wanted: "E0201"),
    BlowUp(
      "50000 unknown elements", "scene { for: 1s\n\(times("circl { radus: 1 }\n", 50_000))}",
      wanted: "E0202"),
    body("2000000 unknown characters", times("@", 2_000_000), wanted: "unexpected character"),
    body("2000000 zeros", times("\0", 2_000_000), wanted: "unexpected character"),
    body("500000 arrows", times("→", 500_000), wanted: "unexpected arrow"),
    body("500000 single quotes", times("'a' ", 500_000), wanted: "a text must be in double quotes"),
    body("300000 open texts", times("\"\n", 300_000), wanted: "E01"),
    body("300000 open texts in one line", times("\"{\"", 300_000), wanted: "error"),
    body("500000 odd numbers", times("1x2 ", 500_000), wanted: "E01"),
    body(
      "100000 names", "circle { }", before: list(100_000, "") { "let a\($0) = \($0)\n" }),
    body(
      "60 nested parts of a formula",
      "math m $a$\nrect { opacity: \(times("m[\"{", 60))x\(times("}\"]", 60)) }", wanted: "E0203"),
    body(
      "60 nested parts with commands",
      "math m $a$\nrect { opacity: \(times("m[\"\\\\a{", 60))x\(times("}\"]", 60)) }",
      wanted: "E0203"),
    body("a name of 100000", "circle { radius: \(times("a", 100_000)) }", wanted: "E0203"),
    body(
      "a number of a million digits", "circle { radius: \(times("9", 1_000_000)) }", wanted: "E0107"
    ),
  ]
}
