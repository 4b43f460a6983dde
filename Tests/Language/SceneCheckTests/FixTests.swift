// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneDiagnostics
import SceneIR
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Tests that `check --fix` never makes a scene worse. Valid scenes get one or two realistic
/// mistakes and are then fixed by the function of the command. `SCENEC_SOAK=1` tests 3,000 mutants;
/// any other number tests that many.
@Suite("Safe fixes", .cpuBudget(seconds: 1)) struct FixTests {
  private static let soak = ProcessInfo.processInfo.environment["SCENEC_SOAK"].flatMap { Int($0) }
  private static let count = soak.map { $0 > 1 ? $0 : 3000 } ?? 200

  private static let right: [String] = {
    let examples = Examples.small.filter(\.isBrief).map(\.text)
    let cases = Corpus.cases.filter(\.isRight).map { Corpus.whole($0.source) }
    return (examples + cases).filter { $0.utf8.count < 3000 }
  }()

  private static func diagnosed(_ text: String) -> [Diagnostic] {
    checked(text, .brief).diagnostics
  }

  private static func fixed(_ text: String) -> (text: String, count: Int) {
    let (bytes, count) = allFixed(Array(text.utf8)) { bytes -> [Diagnostic]? in
      diagnosed(String(decoding: bytes, as: UTF8.self))
    }
    return (String(decoding: bytes, as: UTF8.self), count)
  }

  private static func inScene(_ body: String) -> String { "scene { for: 2s\n\(body)\n}\n" }

  // MARK: Single fixes

  @Test(arguments: [
    ("rect { opacty: 0.5;  fil: red }", "rect { opacity: 0.5;  fill: red }"),
    ("crcle { radius: 4 }", "circle { radius: 4 }"),
    ("text \"x\" { color: red }", "text \"x\" { fill: red }"),
    ("rect { background: blue }", "rect { fill: blue }"),
    ("text \"x\" { fontWeight: bold }", "text \"x\" { font-weight: bold }"),
    ("rect { rotate: 45 }", "rect { rotate: 45deg }"),
    ("rect { at: 1 }", "rect { at: 1s }"),
    ("rectangle { fill: 'red' }", "rect { fill: red }"),
    ("rect { opacity: 0 to 1 }", "rect { opacity: 0 -> 1 }"),
    ("text 'a' { }", "text \"a\" { }"),
    ("rect { visible: yes }", "rect { visible: true }"),
    // The fix of the name reveals another error, which is fixed as well.
    ("circl { fill: steelblu }", "circle { fill: steelblue }"),
    // The revealed error has no safe fix, so the name is not changed either.
    ("circl { shader: 3 }", nil),
  ])
  func certainFixes(source: String, expected: String?) {
    #expect(Self.fixed(Self.inScene(source)).text == Self.inScene(expected ?? source))
  }

  /// A name with a different meaning in CSS, After Effects or scenes is not treated as a typo.
  @Test(arguments: [
    "rect { rotate-3d: 30deg }", "rect { scale-z: 2 }", "rect { rotatez: 30deg }",
    "rect { shader: 3 }", "rect { flip: true }", "rect { glow: 2 }", "rect { seed: 2 }",
    "rect { scaleX: 2 }", "rect { skew-y: 4deg }", "math $x$ { background: blue }",
    "image \"photo.png\" { border: red }", "video \"waves.mp4\" { start: 1s }",
    "video \"waves.mp4\" { from: 1s }", "rect { strike: red }", "text \"x\" { warp: none }",
    "rect { at: 30 }", "rect { at: 500 }", "dot { }", "box { }", "rect { enter: bounce }",
    "text \"{}\" { }", "rect { fill: gren }", "image \"foto.png\" { }", "rect { size: 10m }",
    "let x = 3\nrect { size: (3x, 20) }", "rect { opacity: 1Hz }",
    "text \"a { }", "group { rect { }", "let card1 = 4\nrect { corner-radius: card2 }",
  ])
  func suggestionsAreNotApplied(_ body: String) {
    let text = Self.inScene(body)
    #expect(checked(text).diagnostics.hasErrors, "\(body)")
    let fixed = Self.fixed(text)
    #expect(fixed.text == text && fixed.count == 0, "\(fixed.text)")
  }

  @Test func twoNamesOfOnePropertyAreNotBothChanged() {
    let text = Self.inScene("rect { color: red;  background: blue }")
    let fixed = Self.fixed(text).text
    #expect(fixed == text.replacing("color", with: "fill"))
    #expect(!diagnose(fixed).contains { $0.hasPrefix("E0204") })
  }

  @Test func stopsWhenItIsCancelled() {
    let text = Array(Self.inScene("rect { opacty: 1;  fil: red;  rotat: 1deg }").utf8)
    #expect(allFixed(text) { _ in nil }.count == 0)
    var calls = 0
    let once = allFixed(text) { bytes -> [Diagnostic]? in
      calls += 1
      return calls == 1 ? checked(String(decoding: bytes, as: UTF8.self)).diagnostics : nil
    }
    #expect(once.bytes == text && once.count == 0 && calls == 2)
  }

  // MARK: Random mistakes

  /// A scene with mistakes, and whether the mistake is a single typo.
  private struct Mutant {
    var text: String
    var isSlip = false
  }

  private static let foreignNames = [
    "color", "background", "border", "transform", "rotate-x", "rotateY", "scaleX", "perspective",
    "shader", "glow", "flip", "start", "end", "duration", "delay", "left", "width", "margin",
    "border-radius", "font-family", "text-align", "text-shadow", "box-shadow", "anchorPoint",
    "alpha",
    "trackMatte", "timeRemap", "zIndex", "justify-content", "align-items", "overflow", "filter",
    "keyframes", "easing", "loop", "src", "tint", "hue", "skewX", "outline", "path", "value",
    "label",
  ]
  private static let foreignKinds = [
    "div", "img", "box", "dot", "layer", "rectangle", "oval", "latex", "plot", "sphere", "sound",
    "label", "h1", "Sequence", "AbsoluteFill", "null", "solid", "precomp", "circl", "txt",
  ]
  private static let foreignValues = [
    "middle", "cover", "bounce", "easeOutBack", "1em", "12", "30", "500", "0.5", "90", "'red'",
    "\"red\"", "yes", "null", "grey50", "rgb", "auto", "50%", "bold", "start", "fade", "wiggle",
    "gren",
    "stroke", "[1, 2]", "1s", "#12345", "calc(1px)", "none", "loop", "Math.PI", "true", "inherit",
  ]

  private static func tokens(_ text: String) -> [(text: String, kind: TokenKind)] {
    let tree = parse(SourceFile(name: "seed.scene", text: text)).tree
    return tree.tokens.indices.map { (tree.text(ofToken: $0), tree.tokens[$0].kind) }
  }

  private static func slip(_ word: String, _ generator: inout Generator) -> String {
    var letters = Array(word)
    let at = Int.random(in: 0..<letters.count, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: letters.remove(at: at)
    case 1: letters.insert(letters[at], at: at)
    case 2: letters.swapAt(at, min(at + 1, letters.count - 1))
    default: letters[at] = Array("abcdefghiklmnoprstuvwxyz").randomElement(using: &generator) ?? "e"
    }
    return String(letters)
  }

  private static func mutant(of text: String, _ generator: inout Generator) -> Mutant {
    var tokens = tokens(text)
    func indices(_ isWanted: (Int) -> Bool) -> [Int] { tokens.indices.filter(isWanted) }
    let words = indices { tokens[$0].kind == .identifier && tokens[$0].text.count > 2 }
    let names = words.filter { $0 + 1 < tokens.count && tokens[$0 + 1].kind == .colon }
    let values = indices { [.identifier, .number, .color, .stringText].contains(tokens[$0].kind) }
    func replace(_ list: [Int], _ words: [String]) {
      guard let at = list.randomElement(using: &generator) else { return }
      tokens[at].text = words.randomElement(using: &generator) ?? ""
    }
    let count = Int.random(in: 1...2, using: &generator)
    var isSlip = false
    for _ in 0..<count {
      switch Int.random(in: 0..<9, using: &generator) {
      case 0, 1, 2:
        guard let at = words.randomElement(using: &generator) else { break }
        tokens[at].text = Self.slip(tokens[at].text, &generator)
        isSlip = count == 1
      case 3, 4: replace(names, foreignNames)
      case 5: replace(words, foreignKinds)
      case 6: replace(values, foreignValues)
      case 7:
        guard let a = values.randomElement(using: &generator),
          let b = values.randomElement(using: &generator)
        else { break }
        tokens.swapAt(a, b)
      default:
        guard let at = tokens.indices.randomElement(using: &generator) else { break }
        tokens[at].text = String(tokens[at].text.dropLast())
      }
    }
    return Mutant(text: tokens.map(\.text).joined(), isSlip: isSlip)
  }

  private static func counts(_ list: [Diagnostic], _ severity: Severity) -> [String: Int] {
    list.reduce(into: [:]) {
      if $1.severity == severity { $0["\($1.code.rawValue) \($1.message)", default: 0] += 1 }
    }
  }

  private static func frames(_ text: String) -> [String] {
    (programs(text, at: [0.1, 0.9, 1.7]) ?? []).map { "\($0)" }
  }

  /// Returns the byte ranges of the tokens in `new` that are not in `old`.
  private static func changes(in new: String, since old: String) -> [Range<Int>] {
    let words = tokens(new).map(\.text)
    let inserted = Set(
      words.difference(from: tokens(old).map(\.text)).compactMap {
        if case .insert(let offset, _, _) = $0 { offset } else { nil }
      })
    var (start, ranges): (Int, [Range<Int>]) = (0, [])
    for (index, word) in words.enumerated() {
      let end = start + word.utf8.count
      if inserted.contains(index) { ranges.append(start..<end) }
      start = end
    }
    return ranges
  }

  /// Returns warnings about changed ranges. Composition warnings are excluded, since they appear
  /// after the last error.
  private static func warnings(_ found: [Diagnostic], in new: String, since old: String)
    -> [Diagnostic]
  {
    let changed = changes(in: new, since: old)
    return found.filter { it in
      it.severity == .warning && it.span.file == FileID(0)
        && (!it.code.rawValue.hasPrefix("W03") || it.code == .idleProperty)
        && changed.contains { it.span.start < $0.upperBound && $0.lowerBound < it.span.end }
    }
  }

  @Test func randomMistakesAreNeverMadeWorse() {
    var generator = Generator(seed: 21)
    var (wrong, helped, slips) = (0, 0, 0)
    while wrong < Self.count {
      guard let original = Self.right.randomElement(using: &generator) else { return }
      let mutant = Self.mutant(of: original, &generator)
      let before = Self.diagnosed(mutant.text)
      guard before.hasErrors else { continue }
      wrong += 1
      let fixed = Self.fixed(mutant.text)
      guard fixed.text != mutant.text else {
        #expect(fixed.count == 0)
        continue
      }
      helped += 1
      let after = Self.diagnosed(fixed.text)
      let (old, new) = (Self.counts(before, .error), Self.counts(after, .error))
      #expect(
        new.allSatisfy { $0.value <= old[$0.key, default: 0] },
        "new errors \(new) since \(old) in\n\(fixed.text)\nof\n\(mutant.text)")
      let (many, few) = (old.values.reduce(0, +), new.values.reduce(0, +))
      // The fix of a warning leaves the errors as they are.
      let isOfWarning =
        Self.counts(before, .warning).values.reduce(0, +)
        > Self.counts(after, .warning).values.reduce(0, +)
      #expect(
        few < many || few == many && isOfWarning,
        "\(many) errors and now \(few) in\n\(fixed.text)\nof\n\(mutant.text)")
      let found = Self.warnings(after, in: fixed.text, since: mutant.text)
      let known = found.isEmpty ? [:] : Self.counts(before + Self.diagnosed(original), .warning)
      let strange = found.filter { known["\($0.code.rawValue) \($0.message)"] == nil }
      #expect(strange.isEmpty, "\(strange.map(\.message)) in\n\(fixed.text)\nof\n\(mutant.text)")
      guard mutant.isSlip, new.isEmpty else { continue }
      slips += 1
      // The fix of a typo restores the original meaning.
      #expect(
        Self.frames(fixed.text) == Self.frames(original),
        "\(fixed.text)\nof\n\(mutant.text)\nof\n\(original)")
    }
    #expect(5 * helped > wrong && slips * 20 > wrong, "\(helped) and \(slips) of \(wrong)")
  }
}
