// SPDX-License-Identifier: MIT
import SceneEditing
import SceneTestSupport
import Testing

/// Each row marks all references to one name with `‹ ›` and its declaration with `« »`. From each
/// of them, the declaration and all references are found, and renaming changes exactly the marked
/// ranges.
@Suite("Places of names", .cpuBudget(seconds: 1)) struct NameRowTests {
  static let rows: [String] = [
    // File-level values.
    "let «a» = 1\nscene { rect { opacity: ‹a› } }",
    "let «a» = 1\nlet b = ‹a› + ‹a›\nscene { rect { opacity: b } }",
    "let «night» = #102030\nscene { background: ‹night›;  rect { fill: mix(‹night›, red, 50%) } }",
    "scene { text \"{‹n› + 1} of {‹n›}\" }\nlet «n» = 3",
    "let «wide» = 3\nscene { rect { size: (‹wide›, 2) } }",
    "let «a-b» = 3\nlet a = 1\nlet b = 2\nscene { rect { opacity: ‹a-b› - a - b } }",
    "let «big» = true\nscene { if ‹big› { rect { opacity: ‹big› ? 1 : 0 } } }",
    "let «list» = [1, 2]\nscene { for i in ‹list› { rect { opacity: ‹list›[0] + i } } }",
    "let «theme» = (tint: red, size: 3)\nscene { rect { fill: ‹theme›.tint } }",
    "let «_own» = 2\nscene { rect { opacity: ‹_own› } }",
    "let «über» = 2\nscene { text \"😀 {‹über›}\" { opacity: ‹über› } }",
    "let «a» = 1\nscene { rect { opacity: (‹a›) * ((‹a›));  size: (‹a›, (‹a›)) } }",
    // Params.
    "param «title»: text = \"a\"\nscene { text \"{‹title›}\" }",
    "param «n»: number = 3 in 1..9\nscene { for i in 0..‹n› { rect { opacity: i / ‹n› } } }",
    "param «tint»: color = red\nstyle soft { fill: ‹tint› }\nscene { rect { style: soft } }",
    // Functions.
    "fn «half»(x: number) -> number = x / 2\nscene { rect { opacity: ‹half›(‹half›(1)) } }",
    "fn half(«x»: number) -> number = ‹x› / 2 + ‹x›\nlet x = 3\nscene { rect { opacity: half(x) } }",
    "fn f(«x»: number, y: number = ‹x›) -> number = ‹x› + y\nscene { rect { opacity: f(‹x›: 1) } }",
    "fn f(g: fn(number) -> number) -> number = g(1)\nfn «h»(x: number) -> number = x\nscene { rect { opacity: f(‹h›) } }",
    "fn f(«g»: fn(number) -> number) -> number = ‹g›(1)\nscene { rect { opacity: f(fn(x) = x) } }",
    "let list = map([1, 2], fn(«x») = ‹x› * 2)\nscene { }",
    "let x = 3\nlet list = map([1, 2], fn(«x») = ‹x› * 2)\nscene { rect { opacity: x } }",
    "let «x» = 3\nlet list = map([1, 2], fn(y) = y * ‹x›)\nscene { rect { opacity: ‹x› } }",
    // Lists.
    "let list = [for «i» in 0..3: ‹i› * 2]\nscene { }",
    "let list = [for «i» in 0..3 for j in 0..‹i›: ‹i› + j]\nscene { }",
    "let i = 1\nlet list = [for «i» in 0..3: ‹i›]\nscene { rect { opacity: i } }",
    // Loops.
    "scene { for «i» in 0..3 { rect { opacity: ‹i› / 3;  translate: (‹i›, 0) } } }",
    "scene { for word, «i» in [\"a\", \"b\"] { text \"{‹i›}\" { opacity: ‹i› } } }",
    "scene { for «i» in 0..3 { for j in 0..‹i› { rect { opacity: j + ‹i› } } } }",
    "scene { for i in 0..3 { for «i» in 0..2 { rect { opacity: ‹i› } } } }",
    "scene { for «i» in 0..3 { for i in 0..2 { rect { } }  rect { opacity: ‹i› } } }",
    // Local values.
    "scene { let «a» = 1\n  rect { opacity: ‹a› }  group { rect { opacity: ‹a› } } }",
    "scene { group { let «a» = 1\n  rect { opacity: ‹a› } }  group { let a = 2\n  rect { opacity: a } } }",
    "let a = 1\nscene { let «a» = 2\n  rect { opacity: ‹a› } }",
    "scene { rect { let «a» = 1\n  opacity: ‹a› } }",
    // Components.
    "component «Dot»() { circle { } }\nscene { ‹Dot› { }  ‹Dot› { at: 1s } }",
    "component Dot(«size»: length) { circle { radius: ‹size› } }\nscene { Dot { ‹size›: 3px } }",
    "component Dot(«size»: length = 3) { circle { radius: ‹size› } }\nscene { Dot { }  rect { size: 3 } }",
    "component Dot(«tone»: color) { circle { fill: ‹tone› } }\nscene { Dot { ‹tone›: red }  Dot { ‹tone›: blue } }",
    "component Dot(«size»: length = 3) { circle { radius: ‹size› } }\nscene { Dot { change { ‹size›: 4 } } }",
    "component Dot(«size»: length = 3) { circle { } }\nscene { group g { Dot d { ‹size›: 3 } }  change of g.d { ‹size›: 4 } }",
    "component Dot(«at»: time = 3s) { circle { } }\nscene { Dot d { ‹at›: 3s }  change of d { at: 4s } }",
    "component A() { let «inner» = 1\n  circle { radius: ‹inner› } }\nscene { let inner = 2\n  circle { radius: inner } }",
    "component A() { circle «c» { }  rect { at: ‹c›.start } }\nscene { circle c { }  rect { at: c.start } }",
    "scene { ‹Pair› { n: 3 } }\ncomponent «Pair»(n: number) { circle { } }\ncomponent Two() { ‹Pair› { n: 1 } }",
    // Effects, transitions, styles.
    "effect «pop» { scale: progress }\nscene { rect { enter: ‹pop› over 1s;  exit: ‹pop› } }",
    "effect pop(«amount»: number = 2) { scale: progress * ‹amount› }\nscene { rect { enter: pop(‹amount›: 3) } }",
    "transition «slip» { from { opacity: 1 - progress }  to { opacity: progress } }\nscene { sequence { transition: ‹slip› over 1s;  rect { for: 1s }  rect { for: 1s } } }",
    "transition slip(«far»: length) { from { translate: (‹far›, 0) }  to { } }\nscene { sequence { transition: slip(‹far›: 3px);  rect { for: 1s } } }",
    "style «soft» { opacity: 50% }\nscene { rect { style: ‹soft› }  circle { style: ‹soft› } }",
    "style «soft» { opacity: 50% }\nstyle warm { style: ‹soft›;  fill: red }\nscene { rect { style: warm } }",
    // Elements.
    "scene { rect «card» { for: 2s }  circle { at: ‹card›.start;  for: ‹card›.end - ‹card›.start } }",
    "scene { rect «card» { size: 3 }  circle { position: ‹card›.right;  radius: ‹card›.width } }",
    "scene { circle { position: ‹card›.right }  rect «card» { size: 3 } }",
    "scene { group «g» { rect a { } }  circle { at: ‹g›.start } }",
    "scene { text «words» \"one two\" { }  rect { position: ‹words›[\"two\"].center } }",
    "scene { path «way» \"M0 0 L9 9\" { }  circle { along: ‹way› } }",
    "scene { rect «card» { }  change of ‹card› { fill: red } }",
    "scene { rect card { change «grow» { scale: 2 } }  circle { at: card.‹grow›.end } }",
    "scene { steps { step «show» { rect { for: 1s } }  step { } }  circle { at: ‹show›.end } }",
    "scene { marker «beat» { at: 1s }  rect { at: ‹beat›.start } }",
    "scene { rect «mask» { size: 3 }  circle { at: ‹mask›.end } }",
    "scene { video «clip» \"a.mp4\" { }  text \"a\" { for: ‹clip›.duration } }",
    "scene { audio «music» \"a.wav\" { }  rect { scale: level(‹music›) } }",
    // An element of an unknown kind still has a name.
    "scene { blob «c» { }  circle { at: ‹c›.end } }",
    // Scenes.
    "scene «intro» { for: 1s }\nscene film { sequence { ‹intro› { }  ‹intro› { } } }",
    "scene «intro» { for: 1s }\nscene film { ‹intro› first { }  rect { at: first.end } }",
    "scene film { intro «first» { }  rect { at: ‹first›.end } }\nscene intro { for: 1s }",
    // Keyframes, conditions, nested calls.
    "let «late» = 2s\nscene { rect { opacity: keyframes { 0s: 0\n  ‹late›: 1 with ease-out\n ‹late› + 1s: 0 } } }",
    "let «big» = 40\nscene { rect { size: 10 -> ‹big› over 1s -> ‹big› / 2 } }",
    "let «long» = 2s\nscene { rect { opacity: 0 -> 1 over ‹long› after ‹long› } }",
    "let «curve» = cubic-bezier(0.1, 0, 0.2, 1)\nscene { rect { opacity: 0 -> 1 with ‹curve› } }",
    "let «a» = 1\nscene { rect { fill: linear-gradient(rgb(‹a›, 0, 0), red, angle: ‹a› * 3deg) } }",
    "let «k» = 2\nscene { path { move (0, 0)\n  line (‹k›, ‹k›)\n  curve (1, ‹k›), (2, 2), (3, ‹k›) } }",
    "let «k» = 2\nscene { rect { shadow: shadow(‹k›, color: black);  filter: [blur(‹k›)] } }",
  ]

  /// Broken texts, in which names are found nevertheless.
  static let broken: [String] = [
    "let «a» = 1\nscene { rect { opacity: ‹a› ",
    "let «a» = 1\nscene { rect { opacity: ‹a› + } }",
    "let «a» = 1\nscene { rect { opacity: (‹a› } }\nlet b = ‹a›",
    "let «a» = \nscene { rect { opacity: ‹a› } }",
    "scene { rect «card» { size: }  circle { at: ‹card›.start } }",
    "scene { rect «card» { size: 3 \ncircle { at: ‹card›.",
    "scene { rect «card» { size: 3 }  circle { at: ‹card› ",
    "component «Dot»( { circle { } }\nscene { ‹Dot› { } }",
    "component Dot(«size»: ) { circle { radius: ‹size› } }\nscene { Dot { ‹size›: 3 } }",
    "component Dot(«size»: length { circle { radius: ‹size› } }",
    "fn «half»(x: number) -> = 1\nscene { rect { opacity: ‹half›(1) } }",
    "fn half(«x»: number -> number = ‹x› / 2",
    "fn half(«x»: number) -> number = ‹x› / \nscene { }",
    "scene { for «i» in { rect { opacity: ‹i› } } }",
    "scene { for «i» in 0..3 { rect { opacity: ‹i› ",
    "scene { text \"{‹a›\" }\nlet «a» = 3",
    "let «a» = 3\nscene { text \"{‹a› + }\" { opacity: ‹a› } }",
    "style «soft» { opacity: }\nscene { rect { style: ‹soft› } }",
    "effect «pop» { scale: \nscene { rect { enter: ‹pop› } }",
    "scene { rect { ??? }  let «a» = 3\n rect { opacity: ‹a› } }",
    "scene { @ rect «c» { }  circle { at: ‹c›.end } }",
    "param «n»: nunber = \nscene { rect { opacity: ‹n› } }",
    "let «list» = [1, 2\nscene { for i in ‹list› { rect { } } }",
    "let b = [for «i» in 0..3: ‹i› * ]\nscene { }",
    "scene «intro» { for: }\nscene film { sequence { ‹intro› { } } }",
    "scene { rect «c» { size: 3, 4 }  circle { at: ‹c›.end } }",
    "scene { group {\n  rect «c» { }\n  circle { at: ‹c›.end }\nlet late = 1\nscene two { }",
    "transition «slip» { from { }  to { }\nscene { sequence { transition: ‹slip› } }",
    "import \nlet «a» = 1\nscene { rect { opacity: ‹a› } }",
  ]

  /// Returns a text without its marks, the marked ranges, and the index of the declaration.
  private static func read(_ marked: String) -> (text: String, places: [Range<Int>], own: Int) {
    var bytes: [UInt8] = []
    var places: [Range<Int>] = []
    var (start, own) = (0, 0)
    for letter in marked {
      switch letter {
      case "‹": start = bytes.count
      case "«": (start, own) = (bytes.count, places.count)
      case "›", "»": places.append(start..<bytes.count)
      default: bytes += Array(String(letter).utf8)
      }
    }
    return (String(decoding: bytes, as: UTF8.self), places, own)
  }

  private static func workspace(_ text: String) -> Workspace {
    Workspace(["a.scene": FileFacts(Array(text.utf8), name: "a.scene")])
  }

  @Test(arguments: rows + broken) func eachUseLeadsToTheDeclaration(_ row: String) {
    let (text, places, own) = Self.read(row)
    let workspace = Self.workspace(text)
    for place in places {
      for at in [place.lowerBound, place.upperBound - 1] {
        let found = workspace.definition(at: at, in: "a.scene")
        #expect(found?.range == places[own], "from \(place) in \(text)")
      }
      let all = workspace.references(at: place.lowerBound, in: "a.scene").map(\.range)
      #expect(all.sorted { $0.lowerBound < $1.lowerBound } == places, "\(text)")
    }
  }

  @Test(arguments: rows) func aNewNameChangesEachPlace(_ row: String) throws {
    let (text, places, _) = Self.read(row)
    let expected = row.replacing(#/[‹«][^›»]*[›»]/#, with: "other-name")
    for place in places {
      let edits = try Self.workspace(text).rename(
        at: place.lowerBound, in: "a.scene", to: "other-name")
      let after = edits["a.scene"]?.applied(to: Array(text.utf8)) ?? []
      #expect(String(decoding: after, as: UTF8.self) == expected)
    }
  }

  @Test(arguments: broken) func aBrokenTextKeepsItsNames(_ row: String) {
    let (text, places, _) = Self.read(row)
    #expect(throws: RenameError.self) {
      try Self.workspace(text).rename(at: places[0].lowerBound, in: "a.scene", to: "other-name")
    }
  }
}
