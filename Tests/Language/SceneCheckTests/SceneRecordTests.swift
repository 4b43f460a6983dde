// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Tests the record of a scene's elements.
@Suite("Record of a scene", .cpuBudget(seconds: 2)) struct SceneRecordTests {
  private static func check(_ text: String) -> Checked {
    var options = CheckOptions()
    options.recordsElements = true
    return checked(text, options)
  }

  private static func record(_ text: String) throws -> SceneRecord {
    try #require(check(text).record)
  }

  private static func text(_ span: SourceSpan, _ source: String) -> String {
    SourceFile(name: "a.scene", text: source).text(span)
  }

  private static func seconds(_ ticks: Double) -> Double { ticks / Double(Ticks.perSecond) }

  /// The elements around hidden captions are copies, which the record finds, too.
  @Test func followsCopies() throws {
    var options = CheckOptions()
    options.recordsElements = true
    let checked = checked(
      """
      scene { for: 2s;  output { captions: track }
          group outer { rect box { };  captions subs "c.srt" { at: 0s } }
      }
      """, options, texts: ["c.srt": "1\n00:00:00,500 --> 00:00:01,500\nHello\n"])
    let model = try #require(checked.model)
    let record = try #require(checked.record)
    let built = model.asBuilt
    #expect(model.hidesCaptions && built.elements[0] !== model.elements[0])
    let followed = record.following(built.elements, of: model.elements)
    ElementModel.visit(built.elements) { #expect(followed.element(of: $0) != nil) }
    #expect(followed.element(of: model.elements[0]) == nil)
    for (old, new) in zip(record.elements, followed.elements) {
      #expect(old.drawn.count == new.drawn.count && old.name == new.name)
    }
    let outer = try #require(followed.elements.first { $0.name == "outer" })
    #expect(outer.drawn.first === built.elements[0])
  }

  /// A value that uses a `let` along many paths has each of its motions once.
  @Test func containsEachMotionOnce() throws {
    let lets = (1..<40).map { "let v\($0) = v\($0 - 1) + v\($0 - 1)\n" }.joined()
    let record = try Self.record(
      "scene { for: 2s\nlet v0 = 0 -> 1 over 1s\n\(lets)circle { radius: v39 } }")
    #expect(record.elements.flatMap(\.properties).flatMap(\.motions).count == 1)
  }

  @Test func isThatOfTheBuiltScene() throws {
    var options = CheckOptions()
    options.recordsElements = true
    options.sceneName = "first"
    let record = checked(
      """
      scene first { for: 1s;  circle dot { }  expect { inside(dot, scene) } }
      scene second { for: 1s;  rect box { } }
      """, options
    ).record
    #expect(record?.elements.contains { $0.name == "dot" } == true)
    #expect(checked("scene { for: 1s;  rect { }  expect { true } }").record == nil)
  }

  @Test func keepsLivesAndPlaces() throws {
    let source = """
      scene { for: 4s
        group card {
          at: 1s;  for: 2s
          rect { at: 0.5s;  size: 10x20 }
        }
        marker chorus { at: 3s }
        circle dot { radius: 5 }
      }
      """
    let record = try Self.record(source)
    let rows = record.elements.map { it in
      let times = [it.start, it.end].map { $0.map { String($0.seconds) } ?? "-" }
      return "\(it.key) \(it.kind) \(times[0])–\(times[1]) \(it.parent ?? -1)"
    }
    #expect(
      rows == [
        "scene scene 0.0–4.0 -1", "scene/card group 1.0–3.0 0", "scene/card/rect rect 1.5–3.0 1",
        "scene/chorus marker 3.0–- 0", "scene/dot circle 0.0–4.0 0",
      ])
    #expect(Self.text(record.elements[4].head, source) == "circle dot")
    #expect(Self.text(record.elements[4].whole, source) == "circle dot { radius: 5 }")
    let box = try #require(record.elements[2].box)
    #expect([box.width, box.height].map(\.constantValue) == [10, 20])
    let offset = try #require(source.range(of: "10x20")).lowerBound.utf16Offset(in: source)
    #expect(record.elements(at: offset, in: FileID(0)) == [2])
    #expect(record.elements(at: 0, in: FileID(1)).isEmpty)
  }

  @Test func roundsAndUsesKnowWhereTheyAreFrom() throws {
    let source = """
      component Dot(size: length, color: color = red) {
        rotate: 5deg
        circle { radius: size;  fill: color }
        slot
      }
      scene { for: 1s
        for i in 1..4 { Dot { size: 2 * i;  opacity: 0.5;  text "a" { } } }
        Dot big "9" { }
      }
      """
    let record = try Self.record(source)
    #expect(
      record.elements.map(\.key) == [
        "scene", "scene/Dot", "scene/Dot/circle", "scene/Dot/text", "scene/Dot#1",
        "scene/Dot#1/circle", "scene/Dot#1/text", "scene/Dot#2", "scene/Dot#2/circle",
        "scene/Dot#2/text", "scene/big", "scene/big/circle",
      ])
    #expect(record.elements.map(\.round) == [0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0])
    let dot = record.elements[4]
    #expect(dot.definition.map { Self.text($0, source) } == "Dot")
    #expect(
      dot.arguments.map { "\($0.name.text)=\(Self.text($0.value, source))" } == ["size=2 * i"])
    #expect(dot.properties.map(\.origin) == [.body, .definition])
    #expect(record.elements[10].arguments.map { Self.text($0.value, source) } == ["\"9\""])
    // The circles of all rounds have the same span.
    let offset = try #require(source.range(of: "circle")).lowerBound.utf16Offset(in: source)
    #expect(record.elements(at: offset, in: FileID(0)) == [2, 5, 8, 11])
  }

  /// Returns "fill: 0.5..1.5 over, 1.5..2 with" for the motions of each property.
  private func motions(_ source: String, of place: Int = 1) throws -> [String] {
    let element = try Self.record(source).elements[place]
    return element.properties.flatMap { property in
      property.motions.map { motion in
        let steps = motion.steps.map { step in
          let words = step.clauses.map { " \($0.word.text) \(Self.text($0.value.span, source))" }
          let key = step.time.map { " at \(Self.text($0, source))" } ?? ""
          return "\(Self.seconds(step.from))..\(Self.seconds(step.to))"
            + " \(Self.text(step.value, source))" + key + words.joined()
        }
        let own = motion.clock == element.clock ? "" : " by another clock"
        return "\(property.property.name)\(own): " + steps.joined(separator: ", ")
      }
    }
  }

  @Test(arguments: [
    (
      "opacity: 0 -> 1 over 0.5s -> 0.5 after 1s with ease-in",
      ["opacity: 1.0..1.5 1 over 0.5s, 2.5..3.0 0.5 after 1s with ease-in"]
    ),
    (
      "rotate: keyframes { 0s: 0deg; 50%: 90deg with linear }",
      ["rotate: 1.0..1.0 0deg at 0s, 1.0..2.0 90deg at 50% with linear"]
    ),
    (
      "enter: fade over 0.25s; exit: [fade, grow] over 1s",
      [
        "enter: 1.0..1.25 fade over 0.25s", "exit: 2.0..3.0 fade over 1s",
        "exit: 2.0..3.0 grow over 1s",
      ]
    ),
    (
      "opacity: delay(0 -> 1 over 0.5s, 1s)", ["opacity by another clock: 1.0..1.5 1 over 0.5s"]
    ),
  ])
  func keepsMotions(_ body: String, _ expected: [String]) throws {
    let source = "scene { for: 4s; circle { at: 1s; for: 2s; radius: 5; \(body) } }"
    let found = try motions(source)
    #expect(found == expected)
  }

  /// A motion in a `let` belongs to each property that uses it, and to no other.
  @Test func motionsOfNamesBelongToTheirUses() throws {
    let source = """
      style soft { opacity: 0 -> 1 over 1s }
      scene { for: 4s
        let grow = 1 -> 2 over 2s
        let twice = grow * 2
        circle a { radius: grow;  scale: twice;  style: soft }
        circle b { radius: a.radius }
      }
      """
    let own = try motions(source)
    #expect(
      own == [
        "opacity: 0.0..1.0 1 over 1s", "radius: 0.0..2.0 2 over 2s", "scale: 0.0..2.0 2 over 2s",
      ])
    let others = try motions(source, of: 2)
    #expect(others == [])
    let origins = try Self.record(source).elements[1].properties.map(\.origin)
    #expect(origins == [.style, .body, .body, .body])
  }

  @Test func changesAndTransitionsAreElements() throws {
    let source = """
      scene { for: 4s
        sequence {
          transition: dissolve over 1s
          rect a { size: 10x10;  for: 2s;  change { at: 1s;  scale: 2 } }
          rect b { size: 10x10;  for: 2s }
        }
      }
      """
    let record = try Self.record(source)
    let crossing = try #require(record.elements.first { $0.kind == "dissolve" })
    #expect(Self.text(crossing.head, source) == "dissolve")
    #expect([crossing.start, crossing.end].map { $0?.seconds } == [1, 2])
    let change = try #require(record.elements.first { $0.kind == "change" })
    #expect([change.start, change.end].map { $0?.seconds } == [1, 1.5])
    let a = try #require(record.elements.first { $0.name == "a" })
    #expect(a.properties.first { $0.property == .scale }?.origin == .initial)
    // Alone and in the transition.
    #expect(a.drawn.count == 2)
  }

  @Test func paramsAndScalars() throws {
    let source = """
      param size: length = 40 in 10..100
      scene { for: 1s; circle { radius: size; position: (t / 1s, 2) } }
      """
    let record = try Self.record(source)
    #expect(record.parameters.map { $0.range.map { Self.text($0, source) } } == ["10..100"])
    #expect(record.parameters.map { Self.text($0.value ?? $0.span, source) } == ["40"])
    let position = try #require(record.elements[1].properties.first { $0.property == .position })
    #expect(position.type == .point && position.scalars.count == 2)
    #expect(position.scalars.map(\.constantValue) == [nil, 2])
  }

  @Test func isThereWhenSomethingIsWrong() throws {
    let record = try Self.record("scene { for: 1s; circle { radius: nothing }; rect r { } }")
    #expect(record.elements.map(\.key) == ["scene", "scene/circle", "scene/r"])
  }

  /// Recording does not change the result, and every model element has an origin.
  @Test func fitsTheModelsOfTheCorpus() {
    var compared = 0
    var options = CheckOptions.brief
    options.recordsElements = true
    for source in Corpus.sources.share(every: 3) {
      let plain = checked(source, .brief)
      let kept = checked(source, options)
      #expect(plain.model == kept.model && plain.diagnostics == kept.diagnostics, "\(source)")
      #expect(plain.record == nil)
      guard let record = kept.record, let model = kept.model else { continue }
      func visit(_ it: ElementModel) {
        compared += 1
        if it.kind != "background" {
          let element = record.element(of: it).map { record.elements[$0] }
          #expect(element?.kind == it.kind && element?.name == it.name, "\(source)")
          #expect(element?.drawn.contains { $0 === it } == true)
        }
        for child in it.children + (it.style.mask?.elements ?? []) { visit(child) }
      }
      for it in model.elements { visit(it) }
      #expect(Set(record.elements.map(\.key)).count == record.elements.count, "\(source)")
    }
    #expect(compared > 300)
  }
}
