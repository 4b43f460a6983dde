// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneModel
import SceneSyntax
import SceneTestSupport
import SceneText
import SceneTypes
import Testing

/// Tests the times of steps and of their content.
@Suite("Steps", .cpuBudget(seconds: 1)) struct StepsTests {
  private static func check(_ text: String) -> Checked {
    var options = CheckOptions()
    options.recordsElements = true
    return checked(text, options)
  }

  /// Returns the lifetimes of all named elements, in seconds: `show 0–0.5`.
  private static func lives(_ text: String) -> [String] {
    let checked = check(text)
    guard !checked.diagnostics.hasErrors else { return checked.diagnostics.map(\.message) }
    return (checked.record?.elements ?? []).compactMap { it in
      guard let name = it.name, let start = it.start, let end = it.end else { return nil }
      return "\(name) \(start.description)–\(end.description)"
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let body: String
    let lives: [String]

    init(_ body: String, _ lives: String...) {
      self.body = body
      self.lives = lives
    }

    var testDescription: String { body }
  }

  @Test(arguments: [
    Row(
      "steps all { step a { rect { enter: fade over 1s } } step b { for: 2s } }",
      "all 0s–3s", "a 0s–1s", "b 1s–3s"),
    // Durations with and without effect on a step.
    Row(
      "steps { step a { rect { enter: [fade over 1s, grow over 0.5s after 1s] } } }", "a 0s–1.5s"),
    Row("steps { step a { rect { at: 0.3s;  enter: fade over 1s } } }", "a 0s–1.3s"),
    Row("steps { step a { enter: fade over 2s;  rect { enter: fade over 1s } } }", "a 0s–2s"),
    Row(
      "steps { step a { stagger: 0.5s;  rect { }  rect { }  rect { enter: fade over 1s } } }",
      "a 0s–2s"),
    Row(
      "steps { step a { group { group { rect { change { at: 1s;  for: 2s;  fill: red } } } } } }",
      "a 0s–3s"),
    Row("steps { step a { rect { exit: fade over 1s } } }", "a 0s–0s"),
    Row("steps { step a { rect { for: 3s } } }", "a 0s–0s"),
    Row("steps { step a { rect { for: 3s;  enter: fade over 1s } } }", "a 0s–1s"),
    Row("steps { step a { circle { radius: 0 -> 10 over 4s } } }", "a 0s–0s"),
    Row(
      "steps { step a { text \"abcd\" { each glyph { stagger: 0.5s;  enter: fade over 1s } } } }",
      "a 0s–2.5s"),
    Row(
      "steps { step a { text \"ab cd\" { each word { stagger: 0.5s;  order: end;  enter: fade over 1s after index * 2s } } } }",
      "a 0s–3s"),
    Row("steps { step a { sequence { rect { for: 1s }  rect { for: 2s } } } }", "a 0s–3s"),
    Row("steps { step a { audio \"theme.wav\" { for: 0.5s } } }", "a 0s–0.5s"),
    // Pauses and overlaps.
    Row(
      "steps { step a { at: 1s;  for: 1s } step b { at: -0.5s;  for: 2s } step c { at: 1s;  for: 1s } }",
      "a 1s–2s", "b 1.5s–3.5s", "c 4.5s–5.5s"),
    Row(
      "steps all { at: 2s;  step a { for: 3s } step b { at: -2s;  for: 1s } }",
      "all 2s–5s", "a 2s–5s", "b 3s–4s"),
    // Content that remains, and its lifetime.
    Row("steps { step a { rect b { enter: fade over 1s } } }", "a 0s–1s", "b 0s–9s"),
    Row(
      "steps { for: 5s;  step a { for: 1s;  rect b { }  rect c { for: 2s } } }",
      "a 0s–1s", "b 0s–5s", "c 0s–2s"),
    Row(
      "steps { step a { steps all { step b { for: 1s;  rect c { } } } } step d { for: 1s } }",
      "a 0s–1s", "all 0s–1s", "b 0s–1s", "c 0s–9s", "d 1s–2s"),
    // References to times of other elements.
    Row(
      "steps { step a { for: 1s } step b { change grow of r { at: 0.5s;  for: 1s;  fill: red } } } rect r { } circle d { at: grow.end;  for: a.duration } circle e { at: b.end }",
      "a 0s–1s", "b 1s–2.5s", "grow 1.5s–2.5s", "r 0s–9s", "d 2.5s–3.5s", "e 2.5s–9s"),
    Row(
      "rect r { at: 1s;  for: 4s;  enter: fade over 0.5s after 0.2s;  exit: fade over 1s } circle a { at: r.enter.end;  for: r.exit.duration } circle b { at: r.exit.start;  for: 1s }",
      "r 1s–5s", "a 1.7s–2.7s", "b 4s–5s"),
  ]) func lives(_ row: Row) {
    #expect(Self.lives("scene { for: 9s\n\(row.body)\n}") == row.lives)
  }

  @Test func endAScene() throws {
    let text = "scene { steps { step { rect { enter: fade over 1s } } step { for: 1.5s } } }"
    #expect(Self.check(text).model?.duration.seconds == 2.5)
    let clips = """
      scene { sequence {
        rect { for: 1s }
        steps all { step { rect r { at: q.end;  enter: fade over 1s }  rect q { for: 0.5s } } step last { for: 1s } }
        rect { for: 1s } } }
      """
    #expect(Self.check(clips).model?.duration.seconds == 4.5)
    #expect(
      Self.lives(clips) == ["all 1s–3.5s", "r 1.5s–3.5s", "q 1s–1.5s", "last 2.5s–3.5s"])
  }

  @Test func beginChapters() throws {
    let text = """
      component Part() { steps { step { for: 1s } step { chapter: "b";  for: 1s } } }
      scene { marker end { at: 3.5s;  title: "c" }
        steps { step { chapter: "a";  for: 1s } step { Part { } } step { for: 1s } } }
      """
    let chapters = try #require(Self.check(text).model).chapters
    #expect(chapters.map { "\($0.title) \($0.start.description)" } == ["a 0s", "b 2s", "c 3.5s"])
  }

  /// A long sequence of steps compiles: the chained start times neither exhaust the stack nor
  /// exceed a limit.
  @Test func areMany() throws {
    let text = """
      scene { rect r { size: 10x10 }
        steps { for i in 0..1500 { step { change of r { for: 0.1s;  rotate: i * 1deg } } } } }
      """
    let checked = Self.check(text)
    #expect(checked.diagnostics.map(\.message) == [])
    #expect(checked.model?.duration.seconds == 150)
  }

  /// A `change of` produces the same frames as a `change` in the body of the element.
  @Test(arguments: [
    "position: top", "position: (20%, 30%)", "position: other.bottom", "size: 300x20", "fill: red",
    "rotate: 90deg;  scale: 2;  opacity: 0.5", "shadow: shadow(offset: (0, 8), blur: 4)",
    "anchor: top-left;  translate: (10, 50%)", "easing: linear;  corner-radius: 8",
  ]) func moveAsOwnChanges(_ values: String) throws {
    func frames(_ inside: String, _ outside: String) throws -> [String] {
      let text = """
        scene { size: 400x300;  for: 2s
          rect other { size: 10x10;  position: (30, 200) }
          group { size: 200x200;  position: (150, 120)
            rect card { size: 40x40;  fill: teal
              \(inside)
            }
            \(outside)
          } }
        """
      return try [0, 0.6, 1.4].map { "\(try #require(program(text, at: $0), "\(diagnose(text))"))" }
    }
    let change = "{ at: 0.2s;  for: 1s;  \(values) }"
    let own = try frames("change \(change)", "")
    #expect(try frames("", "change of card \(change)") == own)
    #expect(
      try frames("", "circle { opacity: 0;  visible: false;  change of card \(change) }").count == 3
    )
    #expect(Set(own).count == 3)
  }

  @Test func namesLeadToTheElement() throws {
    let text =
      "scene { steps { step { rect card { } } step { change grow of card { } } } rect { at: grow.end } }"
    let file = SourceFile(id: FileID(0), name: "a.scene", text: text)
    let index = NameIndex(parse(file).tree)
    let uses = index.uses.compactMap { use -> String? in
      guard case .symbol(let it) = use.meaning else { return nil }
      return "\(use.name) \(index.symbols[it].name.span.start)"
    }
    #expect(uses == ["card 28", "grow 53"])
  }
}
